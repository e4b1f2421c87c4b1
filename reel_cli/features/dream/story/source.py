"""Chapters of `story/history.md` with what their comments say: where each is from, and by which model."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import SourceRange, parse_source
from reel_cli.features.dream.shortening import AMENDED
from reel_cli.features.dream.story.files import parse_chapters
from reel_cli.features.dream.word_print import is_print

_HEAD = re.compile(r"(?m)^## .*$")
_NOTE = re.compile(r"(?m)^<!-- dream: (\{.*\}) -->[ \t]*$")
_NOTED = re.compile(rb'(?m)^<!-- dream: \{[^\n]*"(?:unsaid|doubted)"[^\n]*\} -->')
_AMENDED = re.compile(rf"(?m)^{re.escape(AMENDED)}.*\n?")


@dataclass(frozen=True, slots=True)
class SourcedChapter:
    """One chapter: its place among them, from 1; its text as it stands, amendments and all.

    `spans` are the stretches of tape it was woven from, none where that is not known; `day` the ISO day on
    which it was; `model` the model that wrote it ("" for unknown); `unsaid` are prints of what it gave as
    said and nobody said, so that it was left out. `again` is the ISO day on which it was
    held against the tape last, `held` what of its stretch was in a round that is not over. `start` and `end`
    are where it stands in the file, `line` the line of its heading.
    """

    number: int
    title: str
    text: str
    spans: tuple[SourceRange, ...]
    day: str
    model: str
    again: str
    held: tuple[SourceRange, ...]
    start: int
    end: int
    line: int
    unsaid: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    """Prints of the details that its stretch of tape did not bear."""

    @property
    def told(self) -> str:
        """Return the text without what was amended later."""
        return _AMENDED.sub("", self.text).strip("\n")

    @property
    def amended(self) -> str:
        """Return the later amendments, each on one line."""
        return "\n".join(_AMENDED.findall(self.text))

    @property
    def sessions(self) -> Sequence[str]:
        """Return the sessions it comes from, each once."""
        return tuple(dict.fromkeys(span.session for span in self.spans))


def parse_sourced(text: str) -> list[SourcedChapter]:
    """Return the chapters of a story, oldest first; an unreadable comment is ignored."""
    chapters = parse_chapters(text)
    starts = [head.start() for head in _HEAD.finditer(text)]
    ends = [*starts[1:], len(text)] if starts else []
    made: list[SourcedChapter] = []
    for number, (chapter, start, end) in enumerate(zip(chapters, starts, ends, strict=True), start=1):
        notes = list(_notes(text[start:end]))
        made.append(
            SourcedChapter(
                number,
                chapter.title,
                chapter.text,
                tuple(dict.fromkeys(span for note in notes for span in _spans(note))),
                next((day for note in notes if (day := _word(note, "on"))), ""),
                next((model for note in notes if (model := _word(note, "model"))), ""),
                max((_word(note, "again") for note in notes), default=""),
                _round(notes),
                start,
                end,
                text.count("\n", 0, start) + 1,
                tuple(dict.fromkeys(one for note in notes for one in _words(note, "unsaid"))),
                tuple(dict.fromkeys(one for note in notes for one in _words(note, "doubted"))),
            )
        )
    return made


def ranges_of(chapters: Iterable[SourcedChapter]) -> Mapping[str, Ranges]:
    """Return the messages that some chapters were woven from, by session, as far as that is known."""
    found: dict[str, Ranges] = {}
    for span in (span for one in chapters for span in one.spans):
        found[span.session] = (*found.get(span.session, ()), (span.first, span.last))
    return found


class NotedPrints(NamedTuple):
    """Prints of what a story's chapters told and nobody said: quotations, and details of other kinds."""

    unsaid: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()


def read_prints(data: bytes) -> NotedPrints:
    """Return the prints that the comments of a story hold, however long it is."""
    lines = [line.decode("utf-8", "replace") for line in _NOTED.findall(data)]
    notes = [note for line in lines for note in _notes(line)]
    found = (frozenset(one for note in notes for one in _words(note, key)) for key in NotedPrints._fields)
    return NotedPrints(*(frozenset(filter(is_print, prints)) for prints in found))


def add_to_chapter(
    text: str, chapter: SourcedChapter, lines: Sequence[str], about: Mapping[str, object]
) -> str:
    """Return the file with lines at a chapter's end and a comment below them; nothing is removed."""
    noted = json.dumps(dict(about), ensure_ascii=True).replace("-->", "--\\u003e")
    more = "\n\n".join((*lines, f"<!-- dream: {noted} -->"))
    rest = text[chapter.end :]
    return f"{text[: chapter.end].rstrip(chr(10))}\n\n{more}\n" + (f"\n{rest}" if rest else "")


def _notes(part: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for match in _NOTE.finditer(part):
        try:
            value = json.loads(match[1])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _word(note: Mapping[str, Any], key: str) -> str:
    value = note.get(key)
    return one_line(value, 80) if isinstance(value, str) else ""


def _words(note: Mapping[str, Any], key: str) -> list[str]:
    value = note.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _round(notes: Sequence[Mapping[str, Any]]) -> tuple[SourceRange, ...]:
    """Return the ranges checked against the tape since the last whole round was over."""
    held: list[SourceRange] = []
    for note in notes:
        if "again" in note:
            held = [] if note.get("over") is True else [*held, *_ranges(note.get("held"))]
    return tuple(held)


def _spans(note: Mapping[str, Any]) -> list[SourceRange]:
    return _ranges(note.get("read")) if "batch" in note else []


def _ranges(value: object) -> list[SourceRange]:
    spans = [parse_source(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []
    return [span for span in spans if span is not None]
