"""The stream: which stretch of the tape is the conversation that goes on, and what it goes on from."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.talk import Entry, Kind, Session
from reel_cli.features.stream.files import STREAM_FILE, parse_stream
from reel_cli.features.stream.stream import KeptConversation

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

KNOWN_BY = 300
"""Characters of a summary that show that a chat began with it."""


@frozen
class Stretch:
    """The conversation that goes on: its session, and the keep it goes on from (None: from its beginning)."""

    lived: Session
    kept: KeptConversation | None = None
    before: Session | None = None
    """The session it was kept in, where this is the chat that it went on in."""

    def fresh(self) -> list[tuple[Session, list[Entry]]]:
        """Return what no summary covers, as shown now; from the chat before, what was carried over verbatim.

        Empty where nothing was said since it was kept.
        """
        same = self.kept is not None and self.kept.session == self.lived.id
        own = _after(self.lived, self.kept.upto if self.kept is not None and same else 0)
        if not own:
            return []
        carried = (
            _after(self.before, self.kept.upto) if self.before is not None and self.kept is not None else []
        )
        return [*([(self.before, carried)] if self.before is not None and carried else []), (self.lived, own)]


def read_kept(snapshot: "Snapshot") -> KeptConversation | None:
    """Return the state of the last keep; None if there was none. Raises ReelError if it is unreadable."""
    text = snapshot.text(STREAM_FILE)
    return parse_stream(text) if text is not None and text.strip() else None


def find_stretch(snapshot: "Snapshot", session: str | None = None) -> Stretch:
    """Return the conversation of a session, else of the newest one in which something was said.

    Raises ReelError where there is none.
    """
    standing = standing_sessions(snapshot)
    if session is not None and session not in standing:
        message = f"Chat {session} was taken back, so it cannot go on."
        raise ReelError(message, hint=f"to make it count again:  reel tape retract {session} --undo")
    for name in [session] if session is not None else reversed(standing):
        lived = read_session(snapshot, name)
        if lived.shown():
            kept = goes_on_from(lived, read_kept(snapshot))
            if kept is None or kept.session == name:
                return Stretch(lived, kept)
            there = kept.session in standing
            return Stretch(lived, kept, read_session(snapshot, kept.session) if there else None)
    message = "Nothing is recorded yet."
    raise ReelError(message, hint="record the chat first:  reel keep FILE")


def _after(session: Session, upto: int) -> list[Entry]:
    return [entry for entry in session.shown() if (entry.number or 0) > upto]


def goes_on_from(lived: Session, kept: KeptConversation | None) -> KeptConversation | None:
    """Return the keep, if this session is the kept one, or began with what it left behind."""
    if kept is None or kept.session == lived.id:
        return kept
    known = fold(kept.summary)[:KNOWN_BY]
    bundles = (entry.message.text for entry in lived.entries if entry.message.kind is Kind.BUNDLE)
    return kept if any(known in fold(text) for text in bundles) else None
