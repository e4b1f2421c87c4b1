"""Threads as people named them, before those that were found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.frozen import late
from reel_cli.core.values.memory import MEMORY_ID, Memory, where_of
from reel_cli.core.values.source import session_order
from reel_cli.features.threads.find_threads import Thread, follow_term
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.naming.files import NamedThread
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.terms import count_terms, plain_form

Place = tuple[str, int]
WORD = late(r"[^\W_]+(?:['’-][^\W_]+)*")


def put_names(
    lattice: Lattice, found: Sequence[Thread], named: Sequence[NamedThread], memories: Sequence[Memory]
) -> list[Thread]:
    """Return the threads that were named, the weightiest first, then those found; none that is no thread.

    A named one has the ribs that its word is found in and those of its members, without those of what does
    not belong to it; one that is nowhere on the tape is left out.
    """
    told: list[Thread] = []
    rest = list(found)
    by_id = {memory.id: memory for memory in memories}
    for one in named:
        mine = next((thread for thread in rest if is_meant(thread, one)), None)
        if mine is not None:
            rest.remove(mine)
        if one.is_none:
            continue
        thread = mine or follow_term(lattice, one.key, least=1) or _begin(one)
        ribs = _choose_ribs(lattice, thread, one, by_id)
        if ribs:
            barred = frozenset(one.others)
            members = frozenset(one.members)
            told.append(replace(thread, name=one.name, ribs=ribs, said=True, members=members, barred=barred))
    told.sort(key=lambda thread: (-thread.weight, thread.name))
    return [*told, *rest]


def find_meant(threads: Iterable[Thread], query: str) -> Thread | None:
    """Return the first of these threads of which a query has all words of its name, or its strongest term."""
    said = frozenset(map(plain_form, WORD.findall(query)))
    terms = count_terms(query)
    return next(
        (
            one
            for one in threads
            if one.terms[0] in terms or said.issuperset(map(plain_form, one.name.split()))
        ),
        None,
    )


def is_meant(thread: Thread, one: NamedThread) -> bool:
    """Return whether what was said is about this thread: by its name, or by a word that it comes up by."""
    return one.means(thread.name) or plain_form(one.key) in thread.terms


def _begin(one: NamedThread) -> Thread:
    """Return a thread that nobody could find by its word: it has its members alone."""
    return Thread(one.name, (plain_form(one.key), *count_terms(one.name)), {}, 0.0)


def _choose_ribs(
    lattice: Lattice, thread: Thread, one: NamedThread, by_id: Mapping[str, Memory]
) -> dict[Place, int]:
    """Return the ribs of a thread with those of its members, and without those that do not belong."""
    ribs = dict(thread.ribs)
    for rib in _ribs_of(lattice, one.others, by_id):
        ribs.pop(_place(rib), None)
    for rib in _ribs_of(lattice, one.members, by_id):
        times = max((rib.terms.get(term, 0) for term in thread.terms), default=0)
        ribs[_place(rib)] = max(1, times, ribs.get(_place(rib), 0))
    order = sorted(ribs, key=lambda place: (session_order(place[0]), place[1]))
    return {place: ribs[place] for place in order}


def _ribs_of(lattice: Lattice, names: Iterable[str], by_id: Mapping[str, Memory]) -> Iterable[RibPoint]:
    """Yield the ribs of chats and memories; none of a chat or a memory that the kit has no more."""
    for name in names:
        if not MEMORY_ID.fullmatch(name):
            yield from lattice.list_ribs([name])
        elif name in by_id:
            for span in where_of(by_id[name]):
                for rib in lattice.list_ribs([span.session]):
                    first, last = rib.messages
                    if not span.last or (span.first <= last and first <= span.last):
                        yield rib


def _place(rib: RibPoint) -> Place:
    return rib.session, rib.cycles[0]
