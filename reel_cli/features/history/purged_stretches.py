"""Stretches of the tape from which a purge took something, with the time of the purge."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.erasure.record import parse_purges
from reel_cli.core.tape.tape_view import read_events, read_session
from reel_cli.core.values.talk import SourceRange


@frozen
class PurgedPart:
    """The part of a stretch that one purge took: when (ISO 8601), and from how many of how many messages."""

    at: str
    session: str
    messages: int
    of: int

    @property
    def words(self) -> str:
        """Return the same, in words."""
        if self.messages == self.of:
            return "purged: all that was said there, for good"
        out_of = "one message" if self.messages == 1 else f"{self.messages:,} messages"
        return f"purged: something out of {out_of} of {self.of:,}, for good"


def find_taken(snapshot: Snapshot, span: SourceRange) -> Sequence[PurgedPart]:
    """Return what purges took from a stretch of tape, oldest first; nothing if that cannot be read."""
    if span.session not in snapshot.sessions:
        return ()
    try:
        records = parse_purges(read_events(snapshot))
        entries = read_session(snapshot, span.session).entries if records else ()
    except ReelError:
        return ()
    within = [
        e.number for e in entries if e.number and (not span.last or span.first <= e.number <= span.last)
    ]
    found = []
    for record in records:
        places = record.places.get(span.session, {})
        numbers = {entries[place - 1].number for place in places if 0 < place <= len(entries)}
        taken = len(numbers.intersection(within))
        if taken:
            found.append(PurgedPart(record.at, span.session, taken, len(within)))
    return found


def count_purged(snapshot: Snapshot) -> dict[str, tuple[str, int]]:
    """Return by purge and session the number of messages it changed, as (session, messages)."""
    return {
        f"{record.name} {session}": (session, len(places))
        for record in parse_purges(read_events(snapshot))
        for session, places in record.places.items()
        if session in snapshot.sessions
    }
