"""Dreaming: how far the tape was read again, and what was woven of it (Dream Weaver §3)."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import SESSION_ID


class DreamState(StrEnum):
    """States of a dream."""

    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"


class Mode(StrEnum):
    """Modes of a dream: the whole tape again, or only what is new."""

    FULL = "full"
    INCREMENTAL = "incremental"


@frozen
class Cursor:
    """The progress of a dream.

    `window` is in tokens; `since` the first session that is to be read ("" for the tape's first); `batch` how
    many were woven since the last full relive began; `read` the messages that were read, by session.
    `because` is what the person noticed, in their words; `model` what writes, where that was said; `heard`
    how much of what was put right later is known to the story, by session; `past` the folder with the story
    that a full relive laid aside ("": none).
    """

    state: DreamState
    mode: Mode
    started: str
    window: int
    since: str = ""
    batch: int = 0
    read: Mapping[str, Ranges] = field(default_factory=dict)
    because: str = ""
    model: str = ""
    heard: Mapping[str, int] = field(default_factory=dict)
    past: str = ""


class Status(StrEnum):
    """States of a thread that was dropped."""

    OPEN = "open"
    DONE = "done"
    LET_GO = "let go"


@frozen
class Thread:
    """One dropped thread: its number, never used twice; `day` is ISO 8601, `owner` whose it was."""

    number: int
    status: Status
    day: str
    owner: str
    text: str


@frozen
class ThreadWord:
    """The update of a thread by a later batch."""

    number: int
    status: Status
    text: str
    day: str = ""
    """The day of the turn that bears it, ISO 8601; "" for unknown."""


@frozen
class Amendment:
    """Words of an earlier chapter, and how they should be understood now."""

    old: str
    new: str


@frozen
class Chapter:
    """One stretch of the story: its heading, and its text as it stands in the file, amendments and all."""

    title: str
    text: str


def shows_sessions(parts: Mapping[str, Ranges]) -> bool:
    """Return whether these are parts of sessions, none of them empty."""
    return all(SESSION_ID.fullmatch(session) and ranges for session, ranges in parts.items())
