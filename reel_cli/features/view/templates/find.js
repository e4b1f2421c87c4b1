"use strict";
// the page is whole without this: it looks for words in what the page holds, and asks nobody
(() => {
  const box = document.getElementById("find"), field = box.querySelector("input");
  const list = box.querySelector("ol"), count = box.querySelector("[role=status]");
  const most = 40, around = 90;
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let places = null, waiting = 0;
  const read = () => [...document.querySelectorAll(".said .words, .memory .text, .brief, .within > .text, .within > ul > li")]
    .filter((one) => one.closest("[id]")).map((one) => ({ one, text: one.textContent, folded: plain(one.textContent) }));
  const name = (one) => {
    const at = one.closest(".said, article, details");
    const who = at.querySelector(".who, .name, summary");
    const talk = one.closest(".talk");
    const day = talk && talk.querySelector(".size").textContent.split(",")[0];
    return [who ? who.textContent.trim() : "", day || ""].filter(Boolean).join(", ");
  };
  const mark = (text, words) => {
    const told = document.createElement("span"), folded = plain(text);
    if (folded.length !== text.length) { told.textContent = text.slice(0, 2 * around); return told; }
    const first = Math.max(0, folded.indexOf(words[0]) - around);
    const part = text.slice(first, first + 3 * around), low = folded.slice(first, first + 3 * around);
    if (first) told.append("…");
    for (let at = 0; at < part.length;) {
      const next = words.map((word) => [low.indexOf(word, at), word.length]).filter(([place]) => place >= 0).sort((a, b) => a[0] - b[0])[0];
      if (!next) { told.append(part.slice(at)); break; }
      const found = document.createElement("mark");
      found.textContent = part.slice(next[0], next[0] + next[1]);
      told.append(part.slice(at, next[0]), found);
      at = next[0] + next[1];
    }
    return told;
  };
  const open = (id) => {
    const target = document.getElementById(id);
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    if (target) target.scrollIntoView();
  };
  const show = () => {
    const words = plain(field.value).split(/\s+/).filter((word) => word.length > 1 || /[^\u0000-\u024f]/.test(word));
    list.replaceChildren();
    count.textContent = "";
    if (!words.length) return;
    places = places || read();
    const found = places.filter((place) => words.every((word) => place.folded.includes(word)));
    const seen = new Set();
    for (const { one, text } of found) {
      const id = one.closest("[id]").id, key = id + text;
      if (seen.has(key) || list.childElementCount >= most) continue;
      seen.add(key);
      const link = document.createElement("a"), item = document.createElement("li");
      link.href = "#" + id;
      link.textContent = name(one);
      link.addEventListener("click", () => open(id));
      const told = document.createElement("p");
      told.dir = "auto";
      told.append(mark(text.trim(), words));
      item.append(link, told);
      list.append(item);
    }
    count.textContent = found.length > most ? `${found.length.toLocaleString("en")} places; the first ${most}:` : found.length ? "" : "Nothing on this page has all of these words.";
  };
  box.hidden = false;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 150); });
  addEventListener("hashchange", () => open(decodeURIComponent(location.hash.slice(1))));
})();
