// a memory is read where it stands, and what is done about it is done there; without this file, on its own page
(() => {
  const page = async (address, options) => {
    const answer = await fetch(address, options);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };
  // what we changed ourselves is not a change elsewhere
  const takeTip = (tip) => {
    if (!tip || tip === document.body.dataset.tip) return;
    document.body.dataset.tip = tip;
    for (const field of document.querySelectorAll("input[name=tip]")) field.value = tip;
    // what an earlier button would take back is not the last change any more
    for (const deed of document.querySelectorAll("[data-more] input[name=deed]"))
      if (deed.value === "undo" || deed.value === "redo") deed.form.remove();
  };
  const fill = async (fold, ...before) => {
    const told = (await page(`${fold.dataset.more}?part=1`)).querySelector("[data-tip]");
    if (!told) return;
    const name = fold.querySelector("summary .name");
    for (const mark of fold.querySelectorAll("summary .mark")) mark.remove();
    if (told.dataset.mark) {
      const mark = document.createElement("span");
      mark.className = "mark";
      mark.textContent = told.dataset.mark;
      name.after(" ", mark);
    }
    fold.classList.toggle("gone", told.dataset.mark === "let go");
    fold.querySelector(".within").replaceChildren(...before, ...told.childNodes);
  };
  document.addEventListener("toggle", (event) => {
    const fold = event.target;
    if (fold.open && fold.dataset.more && !fold.dataset.read) {
      fold.dataset.read = "1";
      fill(fold).catch(() => delete fold.dataset.read);
    }
  }, true);
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form.deed") || !form.closest("[data-more], .in-place")) return;
    event.preventDefault();
    const place = form.closest("[data-more]"), scrolled = scrollY;
    const asShown = form.elements.tip.value === document.body.dataset.tip;
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    const body = new URLSearchParams(new FormData(form));
    hangUp();
    const done = await page(form.action, { method: "POST", body }).catch(() => null);
    if (!done || !done.querySelector(".answer")) {
      form.submit();
      return;
    }
    // where something else changed the kit, the rest of this page is of before
    if (asShown && done.querySelector(".answer:not(.no)")) takeTip(done.body.dataset.tip);
    listen();
    const told = [done.querySelector(".answer"), done.querySelector("main form.deed")].filter(Boolean);
    if (place) {
      await fill(place, ...told);
    } else {
      const now = await page(location.href);
      // the menu counts what waits
      for (const part of ["header nav", "main"]) document.querySelector(part).replaceWith(now.querySelector(part));
      takeTip(now.body.dataset.tip);
      document.querySelector("main .in-place")?.prepend(...told);
      document.dispatchEvent(new Event("filled"));
      scrollTo(0, scrolled);
    }
    told[0].tabIndex = -1;
    told[0].focus({ preventScroll: true });
  });
})();
