"""Conversations as an app holds them, and sessions as the tape keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import (
    SESSION_ID,
    SourceRange,
    parse_source,
    session_of,
    session_order,
    session_path,
)

__all__ = [
    "ANOTHER",
    "HIDDEN",
    "NARRATION",
    "NOTE",
    "PURGE",
    "PURGED",
    "SESSION_ID",
    "Conversation",
    "Entry",
    "Event",
    "Kind",
    "Message",
    "Session",
    "SourceRange",
    "parse_source",
    "session_of",
    "session_order",
    "session_path",
]

PURGE = "purge"
"""The kind of event that is a purge's record."""
PURGED = "_purged_"
"""Placeholder for purged text: a word to YAML, JSON, Markdown, file names and git alike."""
HIDDEN = "hidden"
"""The mark of a message that was said and then kept from the model; the kind of event that names such."""
NARRATION = "narration"
"""The mark of a SYSTEM message that tells the scene, in nobody's voice."""
NOTE = "note"
"""The mark of a SYSTEM message that the person wrote for themselves."""
ANOTHER = "another"
"""The mark of an answer by somebody else than the persona, in a chat that was recorded all the same."""


class Kind(StrEnum):
    """Kinds of message on the tape; only `SAID` counts and is numbered."""

    SAID = "said"
    SYSTEM = "system"
    REASONING = "reasoning"
    VERSION = "version"
    """An answer the app also holds but does not show."""
    TOOL = "tool"
    ATTACHMENT = "attachment"
    BUNDLE = "bundle"
    EXCHANGE = "exchange"
    """A prompt that reel handed out, or the reply to it."""
    RETRACTION = "retraction"
    """Retraction without text: takes `supersedes` out of the conversation as shown."""


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """One message of a conversation, as a transcript reader found it.

    `role` is user, assistant, system or tool. `time` is ISO 8601 with an offset, or None where
    the file does not know it. What is not SAID belongs to the said message before it.
    """

    role: str
    text: str
    kind: Kind = Kind.SAID
    name: str | None = None
    time: str | None = None
    model: str | None = None
    road: int | None = None
    """Number of the road not taken that it is part of, counted from 1 within its conversation; for VERSION
    and its dependents only. All messages of one abandoned branch have the same number."""
    mark: str | None = None
    """`HIDDEN`, `NARRATION` or `NOTE`, where the app says that it is one; else `ANOTHER` or None."""

    def __init__(  # noqa: PLR0913 (its fields)
        self,
        role: str,
        text: str,
        kind: Kind = Kind.SAID,
        name: str | None = None,
        time: str | None = None,
        model: str | None = None,
        road: int | None = None,
        mark: str | None = None,
    ) -> None:
        # an export has hundreds of thousands; a plain frozen dataclass takes twice as long
        _set_role(self, role)
        _set_text(self, text)
        _set_kind(self, kind)
        _set_name(self, name)
        _set_time(self, time)
        _set_model(self, model)
        _set_road(self, road)
        _set_mark(self, mark)


_set_role, _set_text, _set_kind, _set_name, _set_time, _set_model, _set_road, _set_mark = (
    vars(Message)[field.name].__set__ for field in fields(Message)
)


@frozen
class Conversation:
    """One conversation as its app last showed it, whatever its format was.

    `key` identifies it across readings (`lmstudio:1700000000000`); None for pasted text.
    `started` is ISO 8601 with an offset, or None where unknown.
    """

    format: str
    messages: Sequence[Message]
    key: str | None = None
    title: str | None = None
    started: str | None = None
    model: str | None = None
    problems: Sequence[str] = ()
    """Messages about the parts that the reader could not read and left out."""
    branch_of: str | None = None
    """The app's name for the chat that this one was copied from, where it says so."""

    def said(self) -> list[Message]:
        """Return the messages that count as said, in order."""
        said = Kind.SAID
        return [m for m in self.messages if m.kind is said]


@frozen
class Entry:
    """One message as it stands on the tape.

    `number` counts SAID entries from 1 and is None for every other kind. `after` and
    `supersedes` are set on corrections only: the number it follows (0 for the start), and the
    numbers it replaces. What is not SAID belongs to the said entry before it, or, where it came
    late, to the one that `after` names. `digest` is the chained hash, 32 hex digits; "" for an
    entry that is yet to be written.
    """

    number: int | None
    message: Message
    digest: str = ""
    after: int | None = None
    supersedes: tuple[int, ...] = ()


@frozen
class Session:
    """One session file, parsed: front matter frozen at recording, entries in file order."""

    id: str
    started: str | None
    source: str
    title: str | None = None
    entries: Sequence[Entry] = field(default_factory=tuple)
    model: str | None = None

    @property
    def key(self) -> str | None:
        """Return the conversation's key in its app; None where `source` is only a format's name."""
        return self.source if ":" in self.source else None

    def numbered(self) -> dict[int, Entry]:
        """Return every said entry by its number, superseded ones included."""
        return {e.number: e for e in self.entries if e.number is not None}

    def shown(self) -> list[Entry]:
        """Return the said entries in the order and state the person last saw (corrections applied)."""
        order: list[Entry] = []
        for entry in self.entries:
            if entry.supersedes:
                gone = set(entry.supersedes)
                first = next((i for i, e in enumerate(order) if e.number in gone), len(order))
                order = [e for e in order if e.number not in gone]
            else:
                first = len(order)
            if entry.number is None:
                continue
            if entry.after is not None:
                at = next((i for i, e in enumerate(order) if e.number == entry.after), -1) + 1
            else:
                at = first if entry.supersedes else len(order)
            order.insert(at, entry)
        return order

    def narrated(self) -> dict[int, list[str]]:
        """Return the narration by the number of the shown message that it follows (0: the beginning)."""
        told = any(e.message.mark == NARRATION and e.message.text != PURGED for e in self.entries)
        shown = {e.number for e in self.shown()} if told else set()
        found: dict[int, list[str]] = {}
        last = 0
        for entry in self.entries:
            if entry.number is not None:
                last = entry.number
            elif entry.message.mark == NARRATION and entry.message.text != PURGED:
                at = last if entry.after is None else entry.after
                while at and at not in shown:
                    at -= 1
                found.setdefault(at, []).append(entry.message.text)
        return found


@frozen
class Event:
    """One entry of `tape/events.md`: something learnt or decided after a session was recorded.

    `kind` is retract, flag, title, model, correction, maturity or a later one's; `number` counts from 1;
    `at` is ISO 8601; `text` is in the person's words. `digest` as in `Entry`.
    """

    number: int
    kind: str
    at: str
    text: str = ""
    session: str | None = None
    digest: str = ""
    about: tuple[int, int] | None = None
    """The messages of the session that it is about, first and last; None for the whole session."""
