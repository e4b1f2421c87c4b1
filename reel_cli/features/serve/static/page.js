"use strict";
// the page works without this file: it copies texts, and says when the kit was changed elsewhere
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.hidden = false;
      field.select();
      button.textContent = "Press Ctrl-C (on a Mac, Cmd-C)";
    }
  });
}
const shown = document.body.dataset.tip;
setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch("/tip");
    if (answer.ok && (await answer.text()) !== shown) document.getElementById("changed").hidden = false;
  } catch {
    // the server has ended
  }
}, 3000);
