"""The thread that a chat is near to: it came up there again, and nobody said whether that is part of it."""

from contextlib import suppress
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.review import ReviewKind
from reel_cli.core.values.source import session_path
from reel_cli.features.threads.find_threads import Thread
from reel_cli.features.threads.lattice import FILE
from reel_cli.features.threads.naming.files import NamedThread, parse_named, read_named
from reel_cli.features.threads.naming.put_names import is_meant
from reel_cli.features.threads.survey import open_lattice, survey_threads

LEAST_TIMES, LEAST_TIMES_NAMED = 4, 2
"""Times that a thread's words are said in a chat that is near to it; where it was named, fewer will do."""
LARGEST = 10 << 20
"""Bytes of tape for which a page makes the lattice; a larger one is made when threads are asked for."""


def find_near(snapshot: Snapshot, session: str) -> Thread | None:
    """Return the thread that came up most in a chat; one that was named goes before one that was found.

    None where it is known already whether the chat belongs to it, or a proposal on the thread waits.
    """
    tree = snapshot.tree
    if not isinstance(tree, WorkTree) or not _is_made(tree.root, snapshot):
        return None
    with open_lattice(tree.root, snapshot) as lattice:
        found = [one.thread for one in survey_threads(lattice, snapshot)]
    waiting = _list_waiting(snapshot)
    near = [
        thread
        for thread in found
        if _count(thread, session) >= (LEAST_TIMES_NAMED if thread.said else LEAST_TIMES)
        and len(thread.chats) > 1
        and session not in thread.members
        and not any(is_meant(thread, one) for one in waiting)
    ]
    return max(near, key=lambda one: (one.said, _count(one, session), one.score, one.name), default=None)


def key_of(snapshot: Snapshot, thread: Thread) -> str:
    """Return the key under which a thread stands in the file, or would stand."""
    named = (one.key for one in read_named(snapshot) if one.means(thread.name))
    return next(named, thread.name)


def _count(thread: Thread, session: str) -> int:
    return sum(times for (chat, _), times in thread.ribs.items() if chat == session)


def _is_made(root: Path, snapshot: Snapshot) -> bool:
    if (root / FILE).exists():
        return True
    sizes = ((root / session_path(name)) for name in standing_sessions(snapshot))
    return sum(path.stat().st_size for path in sizes if path.exists()) <= LARGEST


def _list_waiting(snapshot: Snapshot) -> list[NamedThread]:
    """Return what is proposed of threads and not decided yet."""
    found: list[NamedThread] = []
    for path in snapshot.list("review"):
        with suppress(ReelError):
            proposal = parse_proposal(snapshot.text(path) or "", path)
            if proposal.kind is ReviewKind.THREAD:
                found += parse_named(proposal.text, path)
    return found
