"""`SHARED-CONTEXT.md`: five parts in under fifty lines, and up to which message of the tape they know."""

import json
import re
from collections.abc import Mapping, Sequence

from reel_cli.core.files.markdown import close_blocks, heading_lines
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.context.shared_context import (
    LISTS,
    MOST_LINES,
    PARTS,
    ContextBasis,
    Place,
    SharedContext,
    parse_place,
)

CONTEXT = "SHARED-CONTEXT.md"
TITLE = "# Shared context"
HEADINGS: Mapping[str, str] = {
    "now": "Where things stand",
    "hours": "The last 48 hours",
    "person": "How the person is",
    "blocked": "What is broken or blocked",
    "next": "What comes next",
}
"""Heading of each part; they are found ignoring case and marks."""
NOTHING = "Nothing."
"""Text under a heading that has no content."""
_NOTE = re.compile(r"<!-- context: (\{.*\}) -->[ \t]*(?:\n|$)")
_HEAD = re.compile(r"(?m)^#{1,6}[ \t]+(.*?)[ \t:#]*$")
_COMMENT = re.compile(r"(?s)<!--.*?-->")
_OPENS = re.compile(r"[ \t]*(?:#{1,6}(?=\s|$)|```|~~~|<)")
"""Pattern of text that would begin a heading, a fence or a stretch of HTML in the middle of the file."""


@frozen
class _Section:
    """One `##` section: which part it is ("" for a person's own), its heading's lines, its text."""

    key: str
    head: str
    body: str


def parse_context(text: str) -> SharedContext:
    """Return the file as it stands: its parts, what it knows, how long it is. Nothing is refused."""
    _, sections = _split(text)
    parts: dict[str, str] = {}
    for one in sections:
        if one.key:
            body = _COMMENT.sub("", one.body).strip()
            parts[one.key] = f"{parts[one.key]}\n{body}" if one.key in parts else body
    return SharedContext(parts, _known(text), len(text.splitlines()), len(without_note(text)))


def without_note(text: str) -> str:
    """Return the file's text for the persona: without the comment on what it knows."""
    return _NOTE.sub("", text, count=1).strip("\n")


def tell_context(text: str) -> str:
    """Return the file, or a similar one, for a prompt: no comments, headings as plain lines."""
    plain = _COMMENT.sub("", without_note(text.replace("\r", ""))).replace(TITLE, "", 1)
    plain = _HEAD.sub(lambda found: f"{found[1]}:", plain)
    return re.sub(r"\n{2,}", "\n", plain).strip("\n")


def room_for_parts(before: str) -> int:
    """Return how many lines the five parts may have, beside the headings and a person's additions."""
    return MOST_LINES - frame_lines(before) + len(PARTS)


def tell_sections(text: str) -> tuple[Sequence[tuple[str, str]], str]:
    """Return each section's heading and text, in file order, and the day of the last talk that it knows.

    Comments are told to nobody. What stands above the sections has the heading "", and the file's own title
    is no part of it.
    """
    preamble, sections = _split(_COMMENT.sub("", text))
    above = re.sub(r"\A\s*# [^\n]*", "", preamble).strip("\n")
    told = [(one.head.strip().strip("#").strip(), one.body.strip("\n")) for one in sections]
    known = _known(text)
    parts = [("", above), *told] if above.strip() else told
    return parts, known.place.session[:10] if known else ""


def without_parts(text: str) -> str:
    """Return the file with a person's additions alone: without its five parts; "" where that is nothing."""
    preamble, sections = _split(text)
    own = [f"{one.head}\n{one.body}" for one in sections if not one.key]
    above = preamble.replace(TITLE, "", 1).strip("\n")
    return "\n\n".join(part for part in (above, *own) if part.strip())


def render_context(before: str, parts: Mapping[str, Sequence[str]], known: ContextBasis) -> str:
    """Return the file with its five parts rewritten; `parts` are their lines, by key.

    What a person added stays: other sections, the order of all of them, comments, a title.
    """
    preamble, sections = _split(before)
    made: list[_Section] = []
    for one in sections:
        if one.key and any(other.key == one.key for other in made):
            continue
        body = _filled(parts[one.key], one) if one.key else one.body.rstrip("\n")
        made.append(_Section(one.key, one.head.rstrip("\n"), body))
    for place, key in enumerate(PARTS):
        if not any(one.key == key for one in made):
            fresh = _Section(key, f"## {HEADINGS[key]}", _points(key, parts[key]))
            made.insert(_after(made, PARTS[:place]), fresh)
    told = [_note(known), preamble.strip("\n") if before.strip() else TITLE]
    blocks = [f"{one.head}\n{one.body}" if one.body else one.head for one in made]
    head = "\n".join(part for part in told if part)
    return "\n\n".join((head, *blocks)) + "\n"


def frame_lines(before: str) -> int:
    """Return how many lines the file has beside its five parts' text: headings, and a person's additions."""
    known = ContextBasis(Place("0001-01-01-1", 1))
    return len(render_context(before, dict.fromkeys(PARTS, ()), known).splitlines())


def plain_line(text: str) -> str:
    """Return words for a line of the file: nothing in them begins or hides another part."""
    line = one_line(text).replace("<!--", "‹!--").replace("-->", "--›")
    return f"\\{line}" if _OPENS.match(line) else line


def _points(key: str, lines: Sequence[str]) -> str:
    told = [plain for line in lines if (plain := plain_line(line))]
    if not told:
        return NOTHING
    return "\n".join(f"- {line}" for line in told) if key in LISTS else " ".join(told)


def _filled(lines: Sequence[str], old: _Section) -> str:
    """Return a part's new text, and the comments that a person left in it."""
    comments = [found[0] for found in _COMMENT.finditer(old.body)]
    return "\n".join(part for part in (_points(old.key, lines), *comments) if part)


def _after(made: Sequence[_Section], before: Sequence[str]) -> int:
    """Return the place for a missing part: behind those that precede it."""
    places = [place for place, one in enumerate(made) if one.key in before]
    return places[-1] + 1 if places else 0


def _split(text: str) -> tuple[str, list[_Section]]:
    """Return the text before the first section, and the sections in order."""
    text = close_blocks(_NOTE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"), count=1))
    lines = text.split("\n")
    heads = heading_lines(text)
    if not heads:
        return text, []
    ends = [*(first for _, first, _ in heads[1:]), len(lines)]
    return "\n".join(lines[: heads[0][1]]), [
        _Section(_KEYS.get(_folded(name), ""), "\n".join(lines[first:stop]), "\n".join(lines[stop:end]))
        for (name, first, stop), end in zip(heads, ends, strict=True)
    ]


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


_KEYS = {_folded(heading): key for key, heading in HEADINGS.items()}


def _note(known: ContextBasis) -> str:
    about = {"known": str(known.place), "said": known.place.said, "model": known.model}
    about |= {"model_from": known.model_from, "on": known.on, "without": known.without}
    told = json.dumps({key: value for key, value in about.items() if value}, ensure_ascii=True)
    told = told.replace("-->", "--\\u003e")
    return f"<!-- context: {told} -->"


def _known(text: str) -> ContextBasis | None:
    found = _NOTE.search(text)
    try:
        told = json.loads(found[1]) if found else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    plain = {key: value for key, value in told.items() if isinstance(value, str)}
    place = parse_place(plain.get("known", ""), plain.get("said", ""))
    told = [plain.get(key, "") for key in ("on", "model", "without", "model_from")]
    return ContextBasis(place, *told) if place else None
