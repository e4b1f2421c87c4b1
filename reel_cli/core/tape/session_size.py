"""Sizes of sessions: how much of a window each took at its end, and how long it went on (MEMORY-MGMT §6)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.talk import Kind, session_path

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

UNSEEN = frozenset({Kind.VERSION, Kind.REASONING, Kind.RETRACTION})
"""Kinds of messages that an app stores and does not send to the model again."""
LETS_GO = "chat"
"""The source of chats whose model sees what it looked up for one answer only: those of `reel chat`."""
_APART = (Kind.BUNDLE, Kind.SYSTEM)
"""Kinds of messages that a chat begins from, and that nobody said."""


class SessionSize(NamedTuple):
    """The size of a session: tokens of bundle and turns, messages, when it began and ended."""

    bundle: int = 0
    turns: int = 0
    messages: int = 0
    first: str = ""
    last: str = ""

    @property
    def used(self) -> int:
        """Return the tokens a model had before it at the end."""
        return self.bundle + self.turns


class StartBundle(NamedTuple):
    """The bundle that was handed out last, and the time of the start it was for; "" where there was none."""

    text: str = ""
    since: str = ""

    def with_size(self, size: SessionSize, counter: "Counter") -> SessionSize:
        """Return a session's size with this bundle, if it went on after the start and has none of its own."""
        if size.bundle or not (self.text and self.since and size.last):
            return size
        if moment(size.last) < moment(self.since):
            return size
        return size._replace(bundle=counter.count(self.text))


def size_sessions(
    snapshot: "Snapshot",
    sessions: Sequence[str],
    counter: "Counter",
    advance: Callable[[float], None] = lambda _: None,
) -> Mapping[str, SessionSize]:
    """Return the size of each session, by name; an overview keeps the counts by file.

    `advance` is told of each session that has to be counted; one that cannot be read has no size.
    """
    names = {session_path(name): name for name in sessions}

    def note(path: str) -> list[Any]:
        advance(1)
        try:
            session = read_session(snapshot, names[path])
        except ReelError:
            return list(SessionSize())
        lets_go = session.source.partition(":")[0] == LETS_GO
        entries, unseen = session.entries, UNSEEN | ({Kind.TOOL} if lets_go else set())
        bundle = turns = said = 0
        times = [entry.message.time for entry in entries if entry.message.time]
        for entry in entries:
            kind = entry.message.kind
            if kind in unseen:
                continue
            size = counter.count(entry.message.text)
            if kind in _APART:
                bundle += size
            else:
                turns += size
            said += kind is Kind.SAID
        return [bundle, turns, said, times[0] if times else "", times[-1] if times else ""]

    notes: Mapping[str, Any] = snapshot.note(f"breath 2 {counter.name}", names, note)
    return {names[path]: SessionSize(*note) for path, note in notes.items()}
