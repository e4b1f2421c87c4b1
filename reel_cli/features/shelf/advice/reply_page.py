"""Advice as a page: headings for what to keep and what can go, and below each a table or a list."""

import re
from collections.abc import Mapping, Sequence

from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import Pairs, Tree
from reel_cli.core.frozen import late
from reel_cli.features.shelf.advice.reply_shapes import Shape

_LONGEST = 2_000
_HEADING = late(
    r"[ \t]{0,3}(?:#{1,6}[ \t]+(?P<marked>[^\n]{1,80}?)[ \t#]*"
    r"|\*\*(?P<bold>[^*\n]{1,80})\*\*:?[ \t]*|(?P<plain>[A-Za-z][\w ,'’()-]{1,60}):[ \t]*)"
)
_LEADS = late(
    r"[ \t]{0,3}(?:#{1,6}[ \t]+)?[*_]{0,2}(?P<key>why|because|reason|trigger[ _]gc)[*_]{0,2}:?[*_]{0,2}:?"
    r"[ \t]+(?P<text>\S.*)",
    re.IGNORECASE,
)
_ITEM = late(r"[ \t]{0,24}(?:[-*•+]|\d{1,3}[.)])[ \t]+(?P<text>\S.*)")
_RULE = late(r"[ \t|:-]+")
_HOT = ("hot", "keep", "kept", "stay", "withinreach", "athand")
_COLD = ("cold", "cango", "letgo", "tolet", "putaway", "goes", "evict", "notneeded")
_COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("path", "file", "paper", "item", "id", "name", "what", "memory"), "path"),
    **dict.fromkeys(("why", "reason", "because", "note"), "why"),
    **dict.fromkeys(("suggestedaction", "action", "how", "do"), "suggested_action"),
}


def find_page(text: str) -> Shape | None:
    """Return the advice of a page; None without a heading for either side, or text below one."""
    kept: dict[str, list[Tree]] = {}
    told: dict[str, Tree] = {}
    section, columns = "", list[str]()
    for line in text.split("\n"):
        if not line.strip() or len(line) > _LONGEST:
            continue
        cells = _cells(line)
        if cells and section:
            if not columns:
                columns = [_COLUMNS.get(squash(cell), "") for cell in cells]
            elif not _RULE.fullmatch(line) and (row := _row(columns, cells)) is not None:
                kept.setdefault(section, []).append(row)
        elif lead := _LEADS.fullmatch(line):
            key = "why" if squash(lead["key"]) != "triggergc" else "trigger_gc"
            said = lead["text"].strip()
            told[key] = said if key == "why" else re.split(r"[\s,;.]", said)[0]
        elif heading := _HEADING.fullmatch(line):
            section, columns = _side(heading["marked"] or heading["bold"] or heading["plain"]), []
        elif section and (item := _ITEM.fullmatch(line)):
            kept.setdefault(section, []).append(item["text"])
    return Shape({**told, **kept}) if kept else None


def _side(heading: str) -> str:
    """Return whether a heading is for what to keep or for what can go; "" if it may be either."""
    words = squash(heading)
    # "What I would not keep" names the opposite
    denied = re.search(r"\b(?:not|no longer|n't)\b", heading) is not None
    hot, cold = any(one in words for one in _HOT), any(one in words for one in _COLD)
    if hot == cold or denied:
        return ""
    return "hot" if hot else "cold"


def _cells(line: str) -> Sequence[str]:
    """Return the cells of a table's row; nothing for any other line."""
    plain = line.strip()
    return [cell.strip() for cell in plain.strip("|").split("|")] if plain.startswith("|") else ()


def _row(columns: Sequence[str], cells: Sequence[str]) -> Pairs | None:
    parts: list[tuple[str, Tree]] = [
        (key, cell.strip("`*_ ")) for key, cell in zip(columns, cells, strict=False) if key and cell
    ]
    return Pairs(parts) if any(key == "path" for key, _ in parts) else None
