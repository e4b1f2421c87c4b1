"""A memory that is lore, read as the entry it is: what it says, and the phrases it is found by."""

import re

from reel_cli.core.evidence.phrases import quotations, unquote
from reel_cli.core.pack.words import since
from reel_cli.core.values.memory import Memory
from reel_cli.features.cards.lore.book import LoreText
from reel_cli.features.cards.lore.imported_memories import ANCHORS, TELLS

_ANCHORS = re.compile(rf"(?m)^## {re.escape(ANCHORS)}[ \t]*$")
_NEXT = re.compile(r"(?m)^#{1,2}[ \t]")
_TELLS = re.compile(rf"\s*^## {re.escape(TELLS)}[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(.*)")


def read_page(body: str, title: str, anchor: str = "", *, constant: bool = False) -> LoreText:
    """Return a page as an entry; `anchor` is a phrase that finds it, in its list or not.

    The last section with the phrases is the list of them; whatever else is written on the page is told.
    """
    *_, found = [None, *_ANCHORS.finditer(body)]
    text, listed = (body, "") if found is None else (body[: found.start()], body[found.end() :])
    after = _NEXT.search(listed)
    listed, behind = (listed[: after.start()], listed[after.start() :]) if after else (listed, "")
    phrases: list[str] = [anchor] if anchor else []
    beside: list[str] = []
    for line in listed.splitlines():
        item = _ITEM.fullmatch(line)
        said = (item[1] if item else line).strip()
        quoted = [unquote(said)] if unquote(said) != said else quotations(said)
        if item:
            phrases += quoted or [said]
        elif quoted and said.startswith(('"', "“", "„", "«")):
            phrases += quoted
        elif said or beside:
            beside.append(line)
    told = [_TELLS.sub("", text, count=1) if _TELLS.match(text) else text, "\n".join(beside), behind]
    whole = "\n\n".join(part.strip() for part in told if part.strip())
    return LoreText(title, whole, tuple(dict.fromkeys(phrase for phrase in phrases if phrase)), constant)


def tell_memory(memory: Memory) -> str:
    """Return all that a memory from elsewhere says."""
    return page_of(memory, memory.anchor).text


def page_of(memory: Memory, came_anchor: str) -> LoreText:
    """Return a memory's page as an entry; its line's phrase counts only if it changed."""
    anchor = memory.anchor if memory.anchor != came_anchor else ""
    page = read_page(memory.body, memory.title, anchor, constant=memory.immune)
    if not memory.no_longer:
        return page
    return LoreText(page.title, f"{page.text}\n\n{since(memory.no_longer)}", page.phrases, page.constant)
