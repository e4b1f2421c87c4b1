// what is found is shown as one types; without this the button does it
{
  const form = document.querySelector("form.finding");
  if (form) {
    const field = form.querySelector("input");
    let waiting = 0, asked = 0;
    const look = () => {
      clearTimeout(waiting);
      waiting = setTimeout(async () => {
        const turn = ++asked, address = `/find?q=${encodeURIComponent(field.value)}`;
        try {
          const answer = await fetch(`${address}&part=1`);
          const told = new DOMParser().parseFromString(await answer.text(), "text/html");
          if (!answer.ok || turn !== asked) return;
          document.getElementById("found").replaceChildren(...told.body.childNodes);
          document.dispatchEvent(new Event("filled"));
          history.replaceState(null, "", address);
        } catch {
          // the server has ended
        }
      }, 250);
    };
    field.addEventListener("input", look);
    // what was typed before this was there
    if (field.value !== field.defaultValue) look();
  }
}
