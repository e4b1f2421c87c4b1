// what an answer would change is shown anew as its lines are ticked and written; without this a button does it
{
  const over = document.getElementById("over");
  let asked = 0;
  if (over) over.addEventListener("change", async () => {
    const turn = ++asked;
    try {
      const answer = await fetch("/evening/read", { method: "POST", body: new URLSearchParams(new FormData(over)) });
      const told = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !told.getElementById("would") || turn !== asked) return;
      const field = document.activeElement, was = field.getBoundingClientRect().top;
      const opened = [...document.querySelectorAll("#would details")].map((one) => one.open);
      [...told.querySelectorAll("#would details")].forEach((one, at) => (one.open = opened[at]));
      for (const name of ["would", "keeping"]) document.getElementById(name).replaceWith(told.getElementById(name));
      // the list above may be longer now: what is being written stays where it is
      if (over.contains(field)) scrollBy({ top: field.getBoundingClientRect().top - was, behavior: "instant" });
    } catch {
      // the server has ended; the button says so
    }
  });
}
// a file is dropped anywhere on the page; without this on its field alone
{
  const field = document.querySelector("input[type=file]");
  if (field) {
    document.getElementById("drop").hidden = false;
    addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
    addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      const taken = new DataTransfer();
      taken.items.add(event.dataTransfer.files[0]);
      field.files = taken.files;
      for (let one = field; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
      field.scrollIntoView({ block: "center" });
      field.focus();
    });
  }
}
