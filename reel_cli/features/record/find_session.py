"""The session that a conversation is on the tape as, and what it adds there."""

from collections.abc import Callable, Iterable

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.apart_kits import APART
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.continuation import Continuation, best_match, match, may_be_one, may_match
from reel_cli.core.tape.fork import ForkMatch, is_fork, latest_fork, list_forks, match_fork
from reel_cli.core.tape.format_rows import FORKING
from reel_cli.core.tape.known_sessions import KnownSessions
from reel_cli.core.tape.session_file import read_front
from reel_cli.core.tape.tape_view import read_session, retracted, told_of_each
from reel_cli.core.values.talk import Conversation, Session, session_path

KEY = "key"
"""The kind of event that says which conversation of an app a session is that was recorded without a key."""


@frozen
class SessionMatch:
    """A session, and what a conversation adds to it; `fork` where it holds several chats of its app."""

    session: Session
    more: Continuation
    fork: ForkMatch | None = None


def find_session(
    snapshot: Snapshot, conversation: Conversation, named: str | None, known: KnownSessions | None
) -> SessionMatch | None:
    """Return the session this conversation is on the tape as, and what it adds to it.

    One that was taken back is it only where no other is. `named` is the one that the person says it is.
    """
    if named is not None:
        return _matched(read_session(snapshot, named), conversation, named=True)
    gone = retracted(snapshot)
    found = _find_among(snapshot, conversation, known, lambda name: name not in gone)
    if found is None and gone:
        found = _find_among(snapshot, conversation, known, lambda name: name in gone)
    return found


def _matched(session: Session, conversation: Conversation, *, named: bool = False) -> SessionMatch | None:
    more = match(session, conversation, named=named)
    return SessionMatch(session, more) if more is not None else None


def _find_among(
    snapshot: Snapshot, conversation: Conversation, known: KnownSessions | None, counts: Callable[[str], bool]
) -> SessionMatch | None:
    """Return the session and its addition, among the sessions that count here."""
    everything = snapshot.sessions[::-1] if known is None else ()
    if conversation.key is not None:
        for name in filter(counts, everything if known is None else known.with_key(conversation.key)):
            path = session_path(name)
            if read_front(snapshot.read(path) or b"", path).key == conversation.key:
                there = read_session(snapshot, name)
                if name in list_forks(snapshot).values():
                    return _as_fork(snapshot, there, conversation)
                return _matched(there, conversation)
    owners = told_of_each(snapshot, KEY)
    if conversation.key is not None:
        for name, key in reversed(tuple(owners.items())):
            if key == conversation.key and name in snapshot.sessions and counts(name):
                return _matched(read_session(snapshot, name), conversation, named=True)
        if conversation.format in FORKING:
            copied = _find_fork(snapshot, conversation, known, counts)
            if copied is not None:
                return copied
    found = best_match(_list_likely(snapshot, conversation, known, counts), conversation)
    return SessionMatch(*found) if found is not None else None


def _list_likely(
    snapshot: Snapshot, conversation: Conversation, known: KnownSessions | None, counts: Callable[[str], bool]
) -> list[Session]:
    """Return the sessions that count here and may hold the conversation without its key, newest first."""
    owners = told_of_each(snapshot, KEY)
    return [
        read_session(snapshot, name)
        for name in filter(counts, snapshot.sessions[::-1] if known is None else known.alike(conversation))
        # a chat that was identified as one of an app's is none of the others, however alike they are
        if (conversation.key is None or name not in owners)
        and may_match(snapshot.read(session_path(name)) or b"", conversation)
    ]


def find_resembling(snapshot: Snapshot, conversation: Conversation, known: KnownSessions | None) -> str:
    """Return the session that may be the same chat as one that is on the tape as none; "" for none."""
    gone = retracted(snapshot)
    likely = _list_likely(snapshot, conversation, known, lambda name: name not in gone)
    return next((one.id for one in likely if may_be_one(one, conversation)), "")


def _find_fork(
    snapshot: Snapshot, conversation: Conversation, known: KnownSessions | None, counts: Callable[[str], bool]
) -> SessionMatch | None:
    """Return the session of the chat that this one was copied from, or that was copied from this one."""
    held = list_forks(snapshot).get(conversation.key or "")
    if held is not None and held in snapshot.sessions and counts(held):
        return _as_fork(snapshot, read_session(snapshot, held), conversation)
    app = f"{conversation.format}:"
    names: Iterable[str] = snapshot.sessions[::-1] if known is None else known.branching(conversation)
    for name in filter(counts, names):
        data = snapshot.read(session_path(name)) or b""
        if read_front(data, session_path(name)).source.startswith(app):
            there = read_session(snapshot, name)
            if is_fork(there, conversation):
                return _as_fork(snapshot, there, conversation)
    return None


def _as_fork(snapshot: Snapshot, session: Session, conversation: Conversation) -> SessionMatch:
    # in a chat kept apart, what is recorded there is what was said in it, also where the kit's own went on
    own = snapshot.read(APART) is not None and conversation.key != session.key
    latest = own or latest_fork(snapshot, session) == conversation.key
    fork = match_fork(session, conversation, latest=latest)
    return SessionMatch(session, fork.more, fork)
