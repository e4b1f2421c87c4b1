"""`ring3/M-nnn.md`: a consolidated memory as a file."""

import re
from collections.abc import Mapping

from reel_cli.core.blockquote import plain_breaks, quote
from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.values.change import unbroken
from reel_cli.core.values.memory import FIELDS, MEMORY_ID, Level, Memory, implies_immunity
from reel_cli.core.values.source import parse_source

_LATER_LEVEL = late(r"(?ai:L(?P<number>\d{1,4})\b|(?P<step>L[1-4])(?=[a-z]))")
_FIELDS = frozenset({"id", "uid", "title", "level", "created", "sessions", "source", "tags", "immune"})
_FIELD_LINE = late(r"[a-z_]+:|[ \t]|- |#")
_YES = frozenset({"yes", "true", "immune", "1", "on"})


def parse_memory(text: str, path: str, *, later: bool = True) -> Memory:
    """Read one memory; ReelError naming file and line when its front matter is broken.

    A level that a later 1.x may add is read as the nearest of L1 to L4, a word without a number as L1, and
    refused where the kit is not `later`; the file keeps its own word (REEL §11.2).
    """
    document = front_matter.split(text, path)
    if not document.raw:
        _require_no_lost_fence(document.body, path)
    name = path.rpartition("/")[2].removesuffix(".md")
    memory_id = document.text("id") or name
    if memory_id != name or not MEMORY_ID.fullmatch(memory_id):
        message = f"{path}: its id is {memory_id!r}, but its file name says {name!r}."
        raise ReelError(message, hint="make the two the same, like M-004 and M-004.md")
    word = document.text("level", "L1").strip()
    level = word.upper()
    if level not in Level.__members__:
        if not later:
            message = f"{path}: level {word!r} is none of L1, L2, L3, L4."
            raise ReelError(message)
        level = _nearest_level(word)
    tags = document.items("tags")
    spans = tuple(s for s in map(parse_source, document.items("source")) if s is not None)
    return Memory(
        id=memory_id,
        title=unbroken(document.text("title").strip() or memory_id),
        level=Level(level),
        body=document.body,
        created=document.text("created"),
        uid=document.text("uid"),
        sessions=document.items("sessions") or tuple(dict.fromkeys(s.session for s in spans)),
        source=spans,
        tags=tags,
        immune=document.text("immune").strip().casefold() in _YES or implies_immunity(tags),
        immune_reason=document.text("immune_reason"),
        anchor=document.text("anchor"),
        model=document.text("model"),
        marker=document.text("marker") or cut_marker(document.body),
        tag=document.text("tag") or cut_tag(document.text("title"), document.body),
        asked_as=document.items("asked_as"),
        no_longer=" ".join(document.text("no_longer").split()),
        undated=document.text("undated").strip().casefold() in _YES,
        day=day if (day := document.text("day").strip()) and read_day(day) else "",
    )


def _nearest_level(word: str) -> Level:
    """Return the level as which one is read that this version does not know."""
    found = _LATER_LEVEL.match(word)
    if found is None:
        return Level.L1
    number = int(found["number"] or found["step"][1:])
    return Level(f"L{min(max(number, 1), 4)}")


def _require_no_lost_fence(body: str, path: str) -> None:
    """Raise ReelError for a memory that begins with the fields of a header whose first line is gone."""
    head, fence, _ = body.partition("\n---")
    lines = [line for line in head.splitlines() if line.strip()]
    keys = {line.partition(":")[0] for line in lines}
    if fence and keys & _FIELDS and all(_FIELD_LINE.match(line) for line in lines):
        message = f"{path}, line 1: the beginning of the header, a line with ---, is gone."
        raise ReelError(message, hint="begin the file with a line of ---, then id and title")


def render_memory(memory: Memory) -> str:
    """Return a new memory file; every field the memory has, one a line."""
    fields: dict[str, str] = {
        "id": memory.id,
        "uid": render_scalar(memory.uid),
        "title": render_scalar(memory.title),
        "level": memory.level.value,
        "created": render_scalar(memory.created),
        "sessions": render_flow(memory.sessions),
        "source": render_flow([str(s) for s in memory.source]),
        "tags": render_flow(memory.tags),
        "immune": "yes" if memory.immune else "no",
    }
    for key in ("immune_reason", "anchor", "model", "marker", "tag", "no_longer"):
        value: str = getattr(memory, key)
        if value:
            fields[key] = render_scalar(value)
    if memory.asked_as:
        fields["asked_as"] = render_flow(memory.asked_as)
    if memory.undated:
        fields["undated"] = "yes"
    if memory.day:
        fields["day"] = memory.day
    return front_matter.render(fields, memory.body)


def render_body(sections: Mapping[str, str]) -> str:
    """Return the five fields as `##` sections, in the protocol's order, then those of another name.

    Where a text would add a section of its own, or hide one, the texts that could are quoted.
    """
    own = [name for name in sections if name not in FIELDS]
    told = {name: plain_breaks(sections[name].strip()) for name in (*FIELDS, *own) if name in sections}
    body = _as_sections(told)
    if dict(split_sections(body)) == told:
        return body
    return _as_sections({name: quote(text, None) for name, text in told.items()})


def _as_sections(told: Mapping[str, str]) -> str:
    return "\n" + "\n".join(f"## {name}\n\n{text}\n" for name, text in told.items())


def cut_marker(body: str, words: int = 60) -> str:
    """Return a marker for a memory without one: the beginnings of what happened and what matters."""
    sections = split_sections(body)
    if not any(name in sections for name in FIELDS[:4]):
        # an L3 page is one paragraph, with its anchors below
        return _first_words(re.split(r"(?m)^## ", body)[0] if FIELDS[4] in sections else body, words)
    happened = _first_words(sections.get(FIELDS[0], ""), words * 2 // 3)
    matters = _first_words(sections.get(FIELDS[2], ""), words // 3)
    return " ".join(part for part in (happened, matters) if part)


def cut_tag(title: str, body: str, words: int = 14) -> str:
    """Return a tag for a memory without one: its title, or its first words."""
    return " ".join(title.split()) or _first_words(body, words)


_SENTENCE_END = late(r"(?<=[.!?…])\s+")


def _first_words(text: str, words: int) -> str:
    """Return the first sentences of a text, whole if they fit into so many words."""
    plain = " ".join(text.split())
    kept = ""
    for sentence in split_sentences(_SENTENCE_END, plain):
        longer = f"{kept} {sentence}".strip()
        if len(longer.split()) > words:
            break
        kept = longer
    if kept:
        return kept
    cut = plain.split()
    return " ".join(cut[:words]) + ("…" if len(cut) > words else "")
