"""The thread that a chat is near to: it came up there again, and nobody said whether that is part of it."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.memory import is_brought
from reel_cli.core.values.review import ReviewKind
from reel_cli.core.values.source import session_path
from reel_cli.features.threads.find_threads import Thread, count_carried, find_threads
from reel_cli.features.threads.lattice import FILE, Lattice
from reel_cli.features.threads.naming.files import NamedThread, parse_named, read_named
from reel_cli.features.threads.naming.put_names import is_meant
from reel_cli.features.threads.noted_pages import note_terms, read_noted_pages
from reel_cli.features.threads.survey import Pages, list_threads, open_lattice, read_memories, spell_thread

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
    waiting = _list_waiting(snapshot)
    with open_lattice(tree.root, snapshot) as lattice:
        near = [
            thread
            for thread in _find(lattice, Glance(tree, snapshot.name, tree.root), session)
            if _is_near(thread, session) and not any(is_meant(thread, one) for one in waiting)
        ]
    return max(near, key=lambda one: (one.said, _count(one, session), one.score, one.name), default=None)


def _find(lattice: Lattice, overview: Glance, session: str) -> Sequence[Thread]:
    """Return the threads of a kit, called as the pages write them; where none is named, the near ones alone.

    Most chats say too little of what comes up again, which shows before any page is read.
    """
    if read_named(overview):
        return list_threads(lattice, overview, read_noted_pages(overview))
    if count_carried(lattice, session, LEAST_TIMES) < LEAST_TIMES:
        return ()
    terms = note_terms(overview)
    near = [thread for thread in find_threads(lattice, terms) if _is_near(thread, session)]
    if not near:
        return ()
    names = {thread.name for thread in near}
    paths = {memory_path(name) for name, held in terms.items() if not names.isdisjoint(held)}
    memories = [one for one in read_memories(overview, paths) if not is_brought(one.tags)]
    pages = Pages(memories, {one.id: dict.fromkeys(terms[one.id], 1) for one in memories})
    return [spell_thread(thread, pages) for thread in near]


def _is_near(thread: Thread, session: str) -> bool:
    """Return whether a thread came up in a chat, and elsewhere, and the chat is not known to belong to it."""
    least = LEAST_TIMES_NAMED if thread.said else LEAST_TIMES
    return _count(thread, session) >= least and len(thread.chats) > 1 and session not in thread.members


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
