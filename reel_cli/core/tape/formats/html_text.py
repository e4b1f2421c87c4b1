"""HTML of an answer, as text with the marks of Markdown."""

import html
import re

from reel_cli.core.frozen import late

_TAG = late(r"<(/?)([A-Za-z][A-Za-z0-9]{0,15})\b([^<>]*)>|<!--[^<>]*-->")
_LINK = late(r"href=[\"']([^\"'<>]{1,2000})[\"']", re.IGNORECASE)
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "del": "~~", "s": "~~"}
_BLOCKS = frozenset({
    "p", "div", "ul", "ol", "table", "blockquote", "section", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr",
})  # fmt: skip
_BLANK_LINES = late(r"\n{3,}")
_EDGES = late(r"[ \t]+\n")


def html_to_text(source: str) -> str:
    """Return the text of HTML with lines for paragraphs and lists, marks for bold and code, and links.

    Takes time in proportion to its length, whatever it holds; what is no tag stays text.
    """
    found: list[str] = []
    at = 0
    link = ""
    inside_code = False
    for tag in _TAG.finditer(source):
        found.append(_plain(source[at : tag.start()], as_is=inside_code))
        at = tag.end()
        closes, name = bool(tag[1]), (tag[2] or "").lower()
        if name == "pre":
            inside_code = not closes
            found.append("\n```\n" if closes else "\n\n```\n")
        elif name == "a":
            target = _LINK.search(tag[3] or "")
            found.append(f" ({link})" if closes and link else "")
            link = html.unescape(target[1]) if target and not closes else ""
        elif name == "li":
            found.append("" if closes else "\n- ")
        elif name == "br" or (name == "tr" and closes):
            found.append("\n")
        elif name in {"td", "th"}:
            found.append(" | " if closes else "")
        elif name in _BLOCKS:
            found.append("\n\n" if not _is_heading(name) or closes else f"\n\n{'#' * int(name[1])} ")
        elif not inside_code:
            found.append(_MARKS.get(name, ""))
    found.append(_plain(source[at:], as_is=inside_code))
    return _BLANK_LINES.sub("\n\n", _EDGES.sub("\n", "".join(found))).strip()


def _is_heading(name: str) -> bool:
    return name[0] == "h" and name[1:].isdigit()


def _plain(text: str, *, as_is: bool) -> str:
    """Return text between tags; outside code, its line ends are blanks."""
    plain = html.unescape(text)
    return plain if as_is else re.sub(r"[ \t\r\n]+", " ", plain) if plain.strip() else " " * bool(plain)
