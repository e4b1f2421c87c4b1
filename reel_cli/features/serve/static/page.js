"use strict";
// the page works without this file: it copies texts, takes keys, and says when the kit was changed elsewhere
const ready = () => {
  for (const one of document.querySelectorAll("[data-copy], .keys")) one.hidden = false;
};
ready();
// said by what fills a part of the page anew
document.addEventListener("filled", ready);
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
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
// a browser keeps few lines open to one server: a page that nobody looks at gives its own back
let line = null;
function listen() {
  if (document.hidden || line) return;
  line = new EventSource(`/changes?tip=${encodeURIComponent(document.body.dataset.tip)}`);
  line.addEventListener("message", (event) => {
    hangUp();
    // what was done on this page itself is not a change elsewhere; its own answer is here in a moment
    setTimeout(() => {
      if (event.data === document.body.dataset.tip) listen();
      else document.getElementById("changed").hidden = false;
    }, 1500);
  });
}
function hangUp() {
  if (line) line.close();
  line = null;
}
document.addEventListener("visibilitychange", () => (document.hidden ? hangUp() : listen()));
window.addEventListener("pagehide", hangUp);
window.addEventListener("pageshow", listen);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  const cards = [...document.querySelectorAll(".card")];
  const at = cards.indexOf(document.activeElement.closest(".card"));
  if (event.key === "j" || event.key === "k") {
    const next = cards[Math.max(0, at + (event.key === "j" ? 1 : -1))];
    if (next) next.focus();
  } else if (event.key === "q" && cards.length) {
    location.assign("/");
  } else if (at >= 0) {
    const way = [...cards[at].querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
    if (!way) return;
    event.preventDefault();
    if (way.tagName !== "DETAILS") way.click();
    else {
      way.open = true;
      way.querySelector("textarea").focus();
    }
  }
});
