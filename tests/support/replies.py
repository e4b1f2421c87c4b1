"""Replies that real models gave, and what a careful person reads in them (tests/fixtures/replies)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.schema import ALL_PARTS, COMBINED, CONSOLIDATION, CONSOLIDATION_PARTS, Schema
from reel_cli.core.files.yaml_text import Plain, parse_mapping

REPLIES = Path(__file__).parents[1] / "fixtures" / "replies"
CHATS = tuple(sorted(path.name for path in REPLIES.iterdir() if path.is_dir()))
TEMPERS = ("sloppy", "chatty", "structured", "terse", "careful", "drifting", "thinker")
OF_THE_TRANSCRIPT = "thinker"
"""This one answers the consolidation prompt, which carries the conversation itself."""


@dataclass(frozen=True, slots=True)
class Notes:
    """Answers of the notes: a verdict on each numbered item, new items, and how things stand.

    A verdict is (`still`, `closed`, `changed` or `unclear`, the new words where it changed).
    """

    items: Mapping[int, tuple[str, str]]
    new: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply and what it says, by the judgement of someone who reads it with care.

    `parts` are the words of each part, as `first words … last words`. `missing` are parts that have
    no label of their own and must be asked for; `loose` stand under words of the model's own, and may
    be read or asked for; in those that `run_on`, words follow that no label sets apart. `said` are the
    verdicts; several mean that any of them is fair.
    """

    chat: str
    temper: str
    parts: Mapping[str, str]
    missing: frozenset[str]
    loose: frozenset[str]
    run_on: frozenset[str]
    said: Mapping[str, tuple[str, ...]]
    reasons: tuple[str, ...]
    notes: Notes | None

    @property
    def text(self) -> str:
        """The reply, as the model gave it."""
        return (REPLIES / self.chat / f"{self.temper}.md").read_text()

    @property
    def prompt(self) -> str:
        """Return what the reply answers."""
        name = "consolidate.md" if self.temper == OF_THE_TRANSCRIPT else "prompt.md"
        return (REPLIES / self.chat / name).read_text()

    @property
    def asked(self) -> Sequence[str]:
        """The keys of the parts that were asked for."""
        return CONSOLIDATION_PARTS if self.temper == OF_THE_TRANSCRIPT else ALL_PARTS

    @property
    def schema(self) -> Schema:
        """The artifact that was asked for."""
        return CONSOLIDATION if self.temper == OF_THE_TRANSCRIPT else COMBINED

    @property
    def thought(self) -> str:
        """Return what the model thought before it answered."""
        text = self.text
        if "</think>" in text:
            return text.rpartition("</think>")[0]
        return text if text.startswith("<think>") else ""


@cache
def read_expected(chat: str) -> Mapping[str, Plain]:
    """A chat's `expected.yaml`: its kit, and each temper's reply."""
    path = REPLIES / chat / "expected.yaml"
    return parse_mapping(path.read_text(), f"{chat}/expected.yaml")


@cache
def get_reply(chat: str, temper: str) -> Reply:
    """One reply, with what is expected of it."""
    given = _mapping(read_expected(chat)[temper])
    said = _mapping(given.get("said", {}))
    return Reply(
        chat=chat,
        temper=temper,
        parts=dict(_lines(given.get("parts", ""))),
        missing=frozenset(_several(given.get("missing", []))),
        loose=frozenset(_several(given.get("loose", []))),
        run_on=frozenset(_several(given.get("runs_on", []))),
        said={key: _several(value) for key, value in said.items()},
        reasons=_several(given.get("reason", "none")),
        notes=_notes(given["notes"]) if "notes" in given else None,
    )


def is_part(reply: Reply, key: str, text: str) -> bool:
    """Whether a text is the reply's part of this key."""
    pattern = reply.parts.get(key, "")
    return is_what(f"{pattern} … " if key in reply.run_on else pattern, text)


def every_reply() -> list[Reply]:
    """All of them."""
    return [get_reply(chat, temper) for chat in CHATS for temper in TEMPERS]


def is_what(pattern: str, text: str) -> bool:
    """Whether a text is what `first words … last words` describes; punctuation and case apart."""
    pieces = [squash(piece) for piece in f" {pattern} ".split(" … ")]
    whole = squash(text)
    if len(pieces) == 1:
        return whole == pieces[0]
    if not (whole.startswith(pieces[0]) and whole.endswith(pieces[-1])):
        return False
    at = len(pieces[0])
    for piece in pieces[1:]:
        at = whole.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _notes(value: Plain) -> Notes:
    items: dict[int, tuple[str, str]] = {}
    new: list[str] = []
    state = ""
    for line in str(value).splitlines():
        numbered = re.fullmatch(r"(\d+) (\w+)(?:: (.+))?", line)
        if numbered:
            items[int(numbered[1])] = (numbered[2], numbered[3] or "")
        elif line.startswith("new: "):
            new.append(line.removeprefix("new: "))
        else:
            state = line.removeprefix("state: ")
    return Notes(items, tuple(new), state)


def _lines(value: Plain) -> Iterator[tuple[str, str]]:
    for line in str(value).splitlines():
        key, _, words = line.partition(":")
        yield key, words.strip()


def _mapping(value: Plain) -> dict[str, Plain]:
    assert isinstance(value, dict)
    return value


def _several(value: Plain) -> tuple[str, ...]:
    return tuple(str(part) for part in value) if isinstance(value, list) else (str(value),)
