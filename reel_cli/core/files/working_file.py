"""`ring2/working.md`: what is going on, changed line by line."""

import re
from collections.abc import Sequence
from functools import cache

from reel_cli.core.blockquote import plain_item, quote
from reel_cli.core.files import front_matter
from reel_cli.core.files.markdown import heading_lines, list_items, split_sections
from reel_cli.core.frozen import frozen, late
from reel_cli.core.resources import template_folder
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.values.memory import LISTED, SECTIONS, Item

PATH = "ring2/working.md"
EMPTY = "".join(f"## {name}\n\n" for name in SECTIONS).rstrip("\n") + "\n"
_PLACEHOLDER = re.compile(r"(?:[-*]\s+)?[(_*]*(?:nothing|none|empty)\b[^\n]{0,80}", re.IGNORECASE)


NOTED = late(r"\s*\(noted (?P<day>[^()]{1,40})\)\s*$", re.IGNORECASE)
"""The day on which an item was noted, at its end."""

_LABEL = late(
    r"^(active threads|(?:emotional )?state|open loops|calibration):[ \t]*", re.IGNORECASE | re.MULTILINE
)
_FEWEST_LABELS = 2
_SENTENCE_END = late(r"(?<=[.!?][\"”])\s+|(?<=[.!?])\s+(?=[\"“]?[^\W\d_a-z])")
"""Pattern of the space after a sentence."""


@frozen
class Edit:
    """A change to working memory; items are named by their place in `read_items`."""

    closed: Sequence[Item] = ()
    changed: Sequence[tuple[Item, str]] = ()
    threads: Sequence[str] = ()
    """Items to add under Active threads."""
    loops: Sequence[str] = ()
    """Items to add under Open loops."""
    state: str = ""
    calibration: str = ""


def read_body(text: str) -> str:
    """Return everything after the front matter, under the sections' headings; what is packed."""
    return _with_headings(front_matter.split(text, PATH).body)


def _with_headings(body: str) -> str:
    """Return prose such as `Open loops: One. Another.` as sections, their sentences as items (REEL §4.3).

    A body with any heading is returned as it is, and so is one with fewer than two such paragraphs.
    """
    labels = list(_LABEL.finditer(body))
    if len(labels) < _FEWEST_LABELS or heading_lines(body):
        return body
    parts = [body[: labels[0].start()].strip()]
    for at, label in enumerate(labels):
        name = next(one for one in SECTIONS if label[1].casefold().endswith(one.casefold()))
        end = labels[at + 1].start() if at + 1 < len(labels) else len(body)
        told = body[label.end() : end].strip()
        if name in LISTED and not re.match(r"[-*+] ", told):
            told = "\n".join(
                f"- {one}" for one in split_sentences(_SENTENCE_END, " ".join(told.split())) if one
            )
        parts.append(f"## {name}\n\n{told}")
    return "\n\n".join(filter(None, parts)) + "\n"


def is_starting(text: str) -> bool:
    """Return whether the notes are still those that a shipped template begins with, whatever the names."""
    body = " ".join(read_body(text).split())
    return any(pattern.fullmatch(body) for pattern in _starting_notes())


def is_starting_item(note: str) -> bool:
    """Return whether a note is one that a kit without a life of its own begins with, whatever the names."""
    plain = " ".join(without_day(note).split())
    return any(pattern.fullmatch(plain) for pattern in _starting_items())


def _with_names(text: str) -> re.Pattern[str]:
    """Return a pattern of a template's words, in which names may stand.

    A name has no colon or dash behind it with more: what a page adds to a note is no name.
    """
    parts = map(re.escape, re.split(r"\{\{\w+\}\}", " ".join(text.split())))
    return re.compile(r"(?:(?!\s[-–—]\s)[^:;!?\n]){1,120}?".join(parts), re.DOTALL)


@cache
def _starting_notes() -> Sequence[re.Pattern[str]]:
    """Return a pattern of each template's notes as a whole."""
    folder = template_folder()
    paths = (folder / "card" / PATH, *sorted((folder / "kits").glob(f"*/{PATH}")))
    return [_with_names(read_body(path.read_text(encoding="utf-8"))) for path in paths]


@cache
def _starting_items() -> Sequence[re.Pattern[str]]:
    """Return a pattern of each note in the two templates that tell nothing of a persona."""
    folder = template_folder()
    texts = ((folder / name / PATH).read_text(encoding="utf-8") for name in ("card", "kits/blank"))
    return [_with_names(item.text) for text in texts for item in list_items(read_body(text), LISTED)]


def read_items(text: str) -> Sequence[Item]:
    """Return the items of the listed sections, in file order; the prompt numbers them from 1."""
    return list_items(read_body(text), LISTED)


def without_day(text: str) -> str:
    """Return an item's words without the day on which it was noted."""
    return NOTED.sub("", text)


def read_section(text: str, name: str) -> str:
    """Return the text under one heading; "" if there is none."""
    return split_sections(read_body(text)).get(name, "")


def apply_edit(text: str, edit: Edit) -> str:
    """Return the file with the edit made; every other line stays as it was."""
    body, head = read_body(text), _head(text)
    lines = (body or EMPTY).splitlines()
    replaced = {item.lines: [f"- {_item(words)}"] for item, words in edit.changed}
    replaced.update({item.lines: [] for item in edit.closed})
    for (start, stop), new in sorted(replaced.items(), reverse=True):
        lines[start:stop] = new
    for section, added in (("Active threads", edit.threads), ("Open loops", edit.loops)):
        if added:
            lines = _append(lines, section, [f"- {_item(words)}" for words in added])
    for section, prose in (("State", edit.state), ("Calibration", edit.calibration)):
        if prose.strip():
            lines = _replace(lines, section, quote(prose.strip()).split("\n"))
    made = "\n".join(lines) + "\n"
    # removing items can leave two blank lines
    return head + (made if "\n\n\n" in body else re.sub(r"\n{3,}", "\n\n", made))


def put_back(text: str, items: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return the file with items put back at the end of their sections; each is (section, lines)."""
    body, head = read_body(text), _head(text)
    lines = (body or EMPTY).splitlines()
    for section, own in items:
        lines = _append(lines, section, list(own))
    return head + "\n".join(lines) + "\n"


def drop_empty(text: str) -> str:
    """Return the file without those of its headings under which nothing stands; an edit puts them back."""
    body, head = read_body(text), _head(text)
    lines = body.splitlines()
    spans = heading_lines(body)
    stops = [*(start for _, start, _ in spans[1:]), len(lines)]
    for (name, start, first), stop in reversed(list(zip(spans, stops, strict=True))):
        if name in SECTIONS and not any(line.strip() for line in lines[first:stop]):
            del lines[start:stop]
    gap = "\n" if body.startswith("\n") else ""
    return head + gap + "\n".join(lines).strip("\n") + "\n"


def _head(text: str) -> str:
    """Return the front matter, with its rules."""
    return text[: len(text) - len(front_matter.split(text, PATH).body)]


def _item(words: str) -> str:
    return plain_item(" ".join(words.split()))


def _span(lines: list[str], section: str) -> tuple[int, int]:
    """Return the lines under a heading without blank ones at the end; adds a missing heading."""
    spans = heading_lines("\n".join(lines) + "\n")
    for i, (name, _, start) in enumerate(spans):
        if name.casefold() == section.casefold():
            stop = spans[i + 1][1] if i + 1 < len(spans) else len(lines)
            while stop > start and not lines[stop - 1].strip():
                stop -= 1
            return start, stop
    later = SECTIONS[SECTIONS.index(section) + 1 :] if section in SECTIONS else ()
    at = next((start for name, start, _ in spans if name in later), len(lines))
    gap = [""] if at and lines[at - 1].strip() else []
    lines[at:at] = [*gap, f"## {section}"]
    at += len(gap) + 1
    return at, at


def _append(lines: list[str], section: str, added: list[str]) -> list[str]:
    start, stop = _span(lines, section)
    content = [line for line in lines[start:stop] if line.strip()]
    if len(content) == 1 and _PLACEHOLDER.fullmatch(content[0].strip()):
        return _replace(lines, section, added)
    gap = [] if stop > start and lines[stop - 1].strip() else [""]
    return [*lines[:stop], *gap, *added, *_after(lines, stop)]


def _replace(lines: list[str], section: str, content: list[str]) -> list[str]:
    start, stop = _span(lines, section)
    return [*lines[:start], "", *content, *_after(lines, stop)]


def _after(lines: list[str], stop: int) -> list[str]:
    rest = lines[stop:]
    return rest if not rest or not rest[0].strip() else ["", *rest]
