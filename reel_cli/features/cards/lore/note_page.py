"""One note of a folder of notes: what Obsidian writes into a page, read as words, names and tags."""

import re
from collections.abc import Callable, Mapping

from reel_cli.core.values.change import one_line
from reel_cli.features.cards.lore.notes import LONGEST_TITLE, TIME_KEYS, LoreNote, read_day
from reel_cli.features.cards.macros import clean_text

KNOWN_KEYS = frozenset({"title", "tags", "tag", "aliases", "alias", "cssclasses", "publish", *TIME_KEYS})
"""Keys of the front matter of notes. Lines with none of these may be prose with a colon in it."""

_LINK = re.compile(r"(!?)\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|([^\[\]\n]*))?\]\]")
_HASHTAG = re.compile(r"(?<![\w#/&])#([^\W\d][\w/-]{1,40})")
_CODE = re.compile(r"(?ms)^[ \t]*(?:```.*?(?:^[ \t]*```|\Z)|~~~.*?(?:^[ \t]*~~~|\Z))|`[^`\n]+`")
_CALLOUT = re.compile(r"(?m)^([ \t]*(?:>[ \t]?)+)\[![\w -]{1,40}(?:\|[^\]\n]*)?\][+-]?[ \t]*([^\n]*)(\n|\Z)")
_BLOCK_NAME = re.compile(r"(?m)[ \t]\^(?=[\d-]*[a-z])[a-z\d-]{4,40}[ \t]*$")
_FILE = re.compile(r"\.(?!md$|markdown$|txt$)[A-Za-z][A-Za-z0-9]{1,4}$", re.IGNORECASE)
"""Pattern of the endings of names of pictures and other files that are no notes."""
_NOTE_ENDING = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
_KEY = re.compile(r"([A-Za-z_][\w -]{0,60}):(?:[ \t]+(.*)|)$")


def note_from(
    path: str, body: str, fields: Mapping[str, str], tags: tuple[str, ...], also: tuple[str, ...]
) -> LoreNote | None:
    """Return a note as a memory, found by its name, its other names and its links.

    `path` is where it lies in its folder, `fields` its front matter as texts, `also` its other names. None
    where there is nothing in it.
    """
    links: list[str] = []
    own: list[str] = []

    def read(prose: str) -> str:
        plain = _LINK.sub(lambda found: _linked(found, links), prose)
        own.extend(tag.lower() for tag in _HASHTAG.findall(plain))
        return _BLOCK_NAME.sub("", plain)

    plain = outside_code(_CALLOUT.sub(_called_out, clean_text(body)), read).strip()
    if not re.search(r"\w", plain):
        return None
    called = path.rpartition("/")[2].rpartition(".")[0]
    title = one_line(fields.get("title", "") or called, LONGEST_TITLE)
    phrases = tuple(
        dict.fromkeys(one_line(word).replace('"', "'") for word in (called, *also, *links) if word.strip())
    )
    when = next((day for key in TIME_KEYS if (day := read_day(fields.get(key, "")))), "")
    taken = {"title", "tags", "tag", "aliases", "alias", *TIME_KEYS}
    more = {key: value for key, value in fields.items() if key not in taken and value}
    return LoreNote(title, plain, when, phrases, tuple(dict.fromkeys([*tags, *own])), {"note": path, **more})


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text with its non-code parts changed; brackets and hashes differ in code."""
    parts: list[str] = []
    at = 0
    for found in _CODE.finditer(text):
        parts += [change(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*parts, change(text[at:])])


def _linked(found: re.Match[str], links: list[str]) -> str:
    """Return a link's text; notes its target, unless that is a picture or another file."""
    embedded, target, part, shown = found.groups()
    name = _NOTE_ENDING.sub("", one_line(target).rpartition("/")[2])
    # after a picture's bar stands its width or its title
    caption = "" if shown is None or re.fullmatch(r"[\dx \t]*", shown) else shown
    if _FILE.search(name):
        return caption if embedded else caption or name
    links.append(name)
    return caption or name or one_line(part or "").lstrip("^")


def _called_out(found: re.Match[str]) -> str:
    """Return a callout's first line without the sign of its kind; without a title, all of it goes."""
    quote, title, end = found.groups()
    return f"{quote}{title}{end}" if title.strip() else ""


def broken_front_matter(text: str) -> tuple[Mapping[str, str], str] | None:
    """Return fields and body of a note with unclosed or invalid front matter; None for prose.

    Fields are the texts after their keys, or items a line. It goes as far as lines are fields, and one of
    them has to be a key that notes have.
    """
    first, _, rest = text.partition("\n")
    if first.rstrip() != "---":
        return None
    fields: dict[str, str] = {}
    lines = rest.split("\n")
    at, key = 0, ""
    while at < len(lines):
        line = lines[at].rstrip()
        named = _KEY.fullmatch(line)
        if named:
            key = named[1].strip()
            fields[key] = (named[2] or "").strip().strip("[]\"'")
        elif key and line.strip() != "---" and re.match(r"[ \t]+\S|-[ \t]+\S", line):
            item = line.strip().removeprefix("- ").strip().strip("\"'")
            fields[key] = f"{fields[key]}, {item}" if fields[key] else item
        else:
            break
        at += 1
    if not KNOWN_KEYS.intersection(map(str.casefold, fields)):
        return None
    closed = at < len(lines) and lines[at].rstrip() == "---"
    return fields, "\n".join(lines[at + closed :])
