// a slider in place of the list of days; without this the list does the same
{
  const form = document.querySelector("form.days");
  if (form) {
    const slider = form.querySelector(".slider"), range = slider.querySelector("input");
    const list = form.querySelector("select");
    let asked = 0;
    slider.hidden = false;
    const name = () => {
      list.selectedIndex = range.valueAsNumber;
      range.setAttribute("aria-valuetext", list.selectedOptions[0].text);
    };
    const show = async () => {
      const turn = ++asked, address = `/then?day=${list.value}`;
      try {
        const answer = await fetch(address);
        const told = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("then");
        if (!told || turn !== asked) return;
        document.getElementById("then").replaceWith(told);
        history.replaceState(null, "", address);
      } catch {
        // the server has ended
      }
    };
    range.addEventListener("input", name);
    range.addEventListener("change", show);
    list.addEventListener("change", () => { range.value = list.selectedIndex; name(); show(); });
  }
}
