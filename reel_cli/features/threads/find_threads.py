"""Threads: matters that come up again and again, found by the terms that few chats share (SRIP-11 §II).

A term that stands in several chats and is spoken of at length in them, above all one that the persona's pages
name too, carries a thread; terms that come up in the same chats are one. What a person or the persona says of
a thread stands in `threads.yaml` and goes first.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import log, sqrt

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import session_order
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.terms import count_terms, plain_form

LEAST_CHATS = 3
"""Chats in which a term stands at least, to carry a thread without a word of anybody."""
MOST_SHARE = 0.5
"""Share of all chats above which a term is what these two always talk about, and no thread."""
LEAST_TIMES = 1.5
"""Times that a term is said on average in the chats that have it."""
MOST_THREADS = 12
"""Number of threads that are found, besides those of `threads.yaml`."""
_ALIKE = 0.5
"""Share of ribs, of both together, from which on two terms are of one thread."""
_WITHIN = 0.75
"""Share of the rarer term's ribs that the commoner one has too, from which on they are one."""


@frozen
class Thread:
    """A matter that comes up again and again.

    `name` is how it is called; `terms` carry it, the strongest first. `ribs` are its rib points by chat and
    first cycle, in the order of the tape, each with how often the terms stand in it. `said`: a person or the
    persona named it. `members` and `barred` are IDs of chats and memories that were said to belong to it, and
    not to.
    """

    name: str
    terms: tuple[str, ...]
    ribs: Mapping[tuple[str, int], int]
    score: float
    said: bool = False
    members: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()

    @property
    def chats(self) -> tuple[str, ...]:
        """Return the chats it came up in, in the order of the tape."""
        return tuple(dict.fromkeys(chat for chat, _ in self.ribs))

    @property
    def weight(self) -> int:
        """Return how often it was spoken of, in times that one of its terms was said."""
        return sum(self.ribs.values())


def find_threads(lattice: Lattice, pages: Mapping[str, Collection[str]]) -> list[Thread]:
    """Return the threads of a kit, the weightiest first.

    `pages` are the terms of what is remembered, by memory: what a page names is what mattered.
    """
    total = lattice.count_chats()
    named = Counter(term for terms in pages.values() for term in terms)
    scores = {
        term: score
        for term, (chats, count) in lattice.spread(LEAST_CHATS, _most_chats(total), LEAST_TIMES).items()
        if (score := _score(chats, count, total, named[term] if pages else None)) > 0
    }
    order = sorted(scores, key=lambda term: (-scores[term], term))[: MOST_THREADS * 6]
    groups: list[tuple[list[str], dict[tuple[str, int], int]]] = []
    for term in order:
        ribs = lattice.find(term)
        home = next((group for group in groups if _are_one(term, ribs, group)), None)
        if home is None:
            groups.append(([term], ribs))
        else:
            home[0].append(term)
    threads = [_thread(lattice, terms, scores) for terms, _ in groups]
    threads.sort(key=lambda thread: (-thread.score, thread.name))
    return threads[:MOST_THREADS]


def _most_chats(total: int) -> int:
    return max(LEAST_CHATS, int(total * MOST_SHARE))


def follow_term(lattice: Lattice, word: str, least: int = 2) -> Thread | None:
    """Return the thread of a word that a person gives; None where fewer than so many chats have it."""
    terms = [term for term in (plain_form(word), *count_terms(word)) if lattice.count_chats_with(term)]
    if not terms:
        return None
    thread = _thread(lattice, list(dict.fromkeys(terms)), dict.fromkeys(terms, 0.0))
    return replace(thread, name=word) if len(thread.chats) >= least else None


def _score(chats: int, count: int, total: int, named: int | None) -> float:
    """Return how much a term looks like a thread: rare among chats, dwelt on in some, named on pages.

    `named` is on how many pages it stands; None where the kit has no page.
    """
    if named == 0:
        return 0.0
    return log(1 + total / chats) * sqrt(chats) * (count / chats - 1) * sqrt(1 + (named or 0))


def _are_one(
    term: str, ribs: Mapping[tuple[str, int], int], group: tuple[list[str], Mapping[tuple[str, int], int]]
) -> bool:
    both = len(ribs.keys() & group[1].keys())
    either = len(ribs.keys() | group[1].keys())
    within = both / min(len(ribs), len(group[1]))
    parts = {part for one in group[0] for part in one.split()}
    return both / either >= _ALIKE or (within >= _WITHIN and not parts.isdisjoint(term.split()))


def _thread(lattice: Lattice, terms: Sequence[str], scores: Mapping[str, float]) -> Thread:
    ribs: dict[tuple[str, int], int] = defaultdict(int)
    for term in terms:
        for place, count in lattice.find(term).items():
            ribs[place] = max(ribs[place], count)
    order = sorted(ribs, key=lambda place: (session_order(place[0]), place[1]))
    return Thread(_name(terms), tuple(terms), {place: ribs[place] for place in order}, scores[terms[0]])


def _name(terms: Sequence[str]) -> str:
    """Return the term it is called by: the strongest, or two words that hold it."""
    longer = [term for term in terms if " " in term and terms[0] in term.split()]
    return longer[0] if longer else terms[0]
