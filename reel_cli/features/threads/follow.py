"""From one moment along its thread: what led there, and what came of it (SRIP-11 §III.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.search import ThreadPath
from reel_cli.core.values.source import session_order
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.edges.joints import Joints
from reel_cli.features.threads.edges.neighbors import Neighbors, find_thread_neighbors
from reel_cli.features.threads.find_threads import LEAST_CHATS, Thread, find_threads, follow_term
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.naming.files import read_named
from reel_cli.features.threads.naming.put_names import WORD, find_meant, put_names
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.survey import Progress, list_names, open_lattice, read_pages
from reel_cli.features.threads.terms import count_terms, list_terms, plain_form

MOST_SHARE = 0.6
"""Share of the chats above which a word of the query says nothing about which thread is meant."""
AS_RARE = 2
"""Times the chats of the query's rarest word, up to which another word is as rare."""
LONGEST_PHRASE = 6
"""Words of the longest phrase that a thread is called by."""


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
    terms, asked = frozenset(thread.terms), frozenset(count_terms(query, list_names(glance)))
    joints = Joints(glance, thread, session, near, [*ribs, *([here] if here else [])])
    chats = [chat for chat in thread.chats if chat != session]

    def look(chat: Session, moment: Session) -> tuple[int, str]:
        said = chat.shown()
        spans = [rib.messages for rib in ribs if rib.session == chat.id]
        return _best_message(said, spans, terms, asked), joints.tell(chat.id, said, moment)

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
    """Return the thread of the query's rarest terms.

    A term that comes up with the rarest in two chats narrows it to where both do, if they stand side by side
    or the rarest comes up often. One that comes up apart from it, and is about as rare, is another word for
    the same matter: `campaign` and `office` of one who runs for it.
    """
    total = lattice.count_chats()
    asked = count_terms(query, list_names(snapshot))
    threads = {
        term: thread
        for term in asked
        if 0 < lattice.count_chats_with(term) <= max(3, total * MOST_SHARE)
        and (thread := follow_term(lattice, term)) is not None
        and len(thread.chats) <= max(3, total * MOST_SHARE)
    }
    order = sorted(
        threads, key=lambda term: (here is None or term not in here.terms, len(threads[term].chats), term)
    )
    if not order:
        return None
    best = threads[order[0]]
    most = max(LEAST_CHATS, AS_RARE * len(best.chats))
    often = len(best.chats) > LEAST_CHATS
    apart = True
    for term in order[1:]:
        other = threads[term]
        pair = _find_pair(asked, best.terms, term)
        both = {place: count for place, count in best.ribs.items() if place in other.ribs}
        if len({chat for chat, _ in both}) > 1:
            apart = False
            if often or pair:
                # words that stand side by side in the query name it together
                best = replace(best, name=pair or best.name, ribs=both, terms=(*best.terms, *other.terms))
        elif apart and not pair and len(other.chats) <= most:
            wider = replace(best, ribs=_join_ribs(best, other), terms=(*best.terms, *other.terms))
            return replace(wider, name=_read_phrase(query, wider.terms))
    return best


def _find_pair(asked: Iterable[str], terms: Iterable[str], term: str) -> str:
    """Return two words side by side in a query, one of these terms and one of another; else ""."""
    mine, its = _words(terms), _words([term])
    pairs = ((pair, *pair.split()) for pair in asked if " " in pair)
    return next((p for p, *both in pairs if not (mine.isdisjoint(both) or its.isdisjoint(both))), "")


def _words(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(word for term in terms for word in term.split())


def _join_ribs(one: Thread, other: Thread) -> dict[tuple[str, int], int]:
    ribs = {
        place: max(one.ribs.get(place, 0), other.ribs.get(place, 0)) for place in {*one.ribs, *other.ribs}
    }
    return {place: ribs[place] for place in sorted(ribs, key=lambda at: (session_order(at[0]), at[1]))}


def _read_phrase(query: str, terms: Sequence[str]) -> str:
    """Return the words of a query from the first of these terms to the last; the terms where that is long."""
    wanted = _words(terms)
    found = [word for word in WORD.finditer(query) if plain_form(word[0]) in wanted]
    phrase = query[found[0].start() : found[-1].end()] if found else ""
    return phrase if phrase and len(phrase.split()) <= LONGEST_PHRASE else " and ".join(terms)


def _best_message(
    said: Sequence[Entry], spans: Sequence[tuple[int, int]], terms: frozenset[str], asked: frozenset[str]
) -> int:
    """Return the number of the message in which most of a thread's terms are said, then most of the query's.

    Of several it is the first.
    """
    within = [e for e in said if any(first <= (e.number or 0) <= last for first, last in spans)]
    # taking a text apart takes long, and most have none of the terms
    near = [entry for entry in within if _may_say(entry.message.text, terms)]
    best, most = spans[0][0], (0, -1)
    for entry in near:
        found = frozenset(list_terms(entry.message.text))
        rank = len(terms & found), len(asked & found)
        if rank[0] and rank > most:
            best, most = entry.number or 0, rank
    if most[0]:
        return best
    counts = [len(asked & frozenset(list_terms(entry.message.text))) for entry in within]
    return within[counts.index(max(counts))].number or 0 if within else best


def _may_say(text: str, terms: Iterable[str]) -> bool:
    """Return whether one of these terms can stand in a text: the beginnings of its words do."""
    folded = text.casefold()
    return any(all(word.removesuffix("y") in folded for word in term.split()) for term in terms)
