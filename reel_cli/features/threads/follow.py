"""From one moment along its thread: what led there, and what came of it (SRIP-11 §III.3)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.search import ThreadPath
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.edges.joints import Joints
from reel_cli.features.threads.edges.neighbors import Neighbors, find_thread_neighbors
from reel_cli.features.threads.find_threads import Thread, find_threads, follow_term
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.naming.files import read_named
from reel_cli.features.threads.naming.put_names import find_meant, put_names
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.survey import Progress, list_names, open_lattice, read_pages
from reel_cli.features.threads.terms import count_terms, list_terms

MOST_SHARE = 0.6
"""Share of the chats above which a word of the query says nothing about which thread is meant."""


def follow_moment(  # noqa: PLR0913 (where one is, and what is asked)
    root: Path, glance: Glance, query: str, session: str, message: int, progress: Progress | None = None
) -> ThreadPath | None:
    """Return the thread that a query means and a moment is part of; None where it came up only there.

    One that somebody named goes first. Else the word of the query names it that the moment's rib has and
    fewest chats have; where the rib has none of them, the rarest that any chat has.
    """
    with open_lattice(root, glance, progress) as lattice:
        ribs = lattice.list_ribs([session])
        here = next((rib for rib in ribs if rib.messages[0] <= message <= rib.messages[1]), None)
        thread = _find_named(lattice, glance, query, session) or _find(lattice, glance, query, here)
        if thread is None:
            return None
        ribs = lattice.read_ribs(thread.ribs)
        near = find_thread_neighbors(lattice, here, thread) if here else Neighbors()
    wanted = frozenset({*thread.terms, *count_terms(query, list_names(glance))})
    joints = Joints(glance, thread, session, near, [*ribs, *([here] if here else [])])
    chats = [chat for chat in thread.chats if chat != session]

    def look(chat: Session, moment: Session) -> tuple[int, str]:
        said = chat.shown()
        spans = [rib.messages for rib in ribs if rib.session == chat.id]
        return _best_message(said, spans, wanted), joints.tell(chat.id, said, moment)

    return ThreadPath(thread.name, chats, {chat: joints.weigh(chat) for chat in chats}, look)


def _find_named(lattice: Lattice, snapshot: Snapshot, query: str, session: str) -> Thread | None:
    """Return the thread that somebody named, that a query means and that a chat is part of."""
    named = read_named(snapshot)
    if not named:
        return None
    pages = read_pages(snapshot)
    threads = put_names(lattice, find_threads(lattice, pages.terms), named, pages.memories)
    thread = find_meant((one for one in threads if one.said), query)
    return thread if thread is not None and session in thread.chats else None


def _find(lattice: Lattice, snapshot: Snapshot, query: str, here: RibPoint | None) -> Thread | None:
    """Return the thread of the query's rarest term, and of the next ones as far as they come up together."""
    total = lattice.count_chats()
    threads = {
        term: thread
        for term in count_terms(query, list_names(snapshot))
        if lattice.count_chats_with(term) <= max(3, total * MOST_SHARE)
        and (thread := follow_term(lattice, term)) is not None
        and len(thread.chats) <= max(3, total * MOST_SHARE)
    }
    order = sorted(
        threads, key=lambda term: (here is None or term not in here.terms, len(threads[term].chats), term)
    )
    if not order:
        return None
    best = threads[order[0]]
    for term in order[1:]:
        other = threads[term]
        both = {place: count for place, count in best.ribs.items() if place in other.ribs}
        if len({chat for chat, _ in both}) > 1:
            # words that stand side by side in the query name it together
            name = term if " " in term else best.name
            best = replace(best, name=name, ribs=both, terms=(*best.terms, *other.terms))
    return best


def _best_message(said: Sequence[Entry], spans: Sequence[tuple[int, int]], wanted: frozenset[str]) -> int:
    """Return the number of the message in which most of the wanted terms are said, the first of such."""
    best, most = spans[0][0], -1
    for entry in said:
        number = entry.number or 0
        if not any(first <= number <= last for first, last in spans):
            continue
        found = len(wanted & set(list_terms(entry.message.text)))
        if found > most:
            best, most = number, found
    return best
