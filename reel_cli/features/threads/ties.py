"""Threads that go on: from open loops and the newest page to the earlier pages that tell of the same."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log

from reel_cli.core.frozen import frozen
from reel_cli.core.values.holdings import Tie
from reel_cli.features.threads.terms import count_terms, plain_form, spelling

MOST = 12
"""Number of pages that come first; half the room that an 8K bundle has for memories holds about as many."""

LEAST = 2
"""Terms that a page shares with what goes on, at least; two words side by side count as one more.

A thread that somebody named and that both are said to be about is enough alone.
"""
_SAID = "#"
"""Begins the term that stands for a named thread; no word has it."""


@frozen
class SaidOfPages:
    """A word of somebody's on one thread: its key and its name, and which pages tell of it and which do not.

    `is_none`: its key names no thread.
    """

    key: str
    theme: str = ""
    members: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    is_none: bool = False

    @property
    def terms(self) -> frozenset[str]:
        """Return the terms that its key is found by."""
        return frozenset((plain_form(self.key), *count_terms(self.key)))


def choose_ties(
    pages: Mapping[str, str], loops: Sequence[str], names: Collection[str], said: Sequence[SaidOfPages] = ()
) -> list[Tie]:
    """Return the page that each thread going on has in a bundle: those of the loops, then of the newest page.

    `pages` are texts by memory, newest first; `names` are those of the speakers, which carry no thread. The
    next page is the one that shares most with what goes on and that no page before it told: each term counts
    once, and more where few pages have it. `said` goes before what the texts have.
    """
    leave_out = frozenset(plain_form(word) for name in names for word in name.split())
    nothing = frozenset(term for one in said if one.is_none for term in one.terms)
    named = [one for one in said if not one.is_none]
    terms = {
        page: _hear(page, frozenset(count_terms(text, leave_out)) - nothing, named)
        for page, text in pages.items()
    }
    spread = Counter(term for page in terms.values() for term in page)
    weights = {term: log(1 + len(pages) / count) for term, count in spread.items()}
    newest = terms.pop(next(iter(pages)), frozenset()) if pages else frozenset()
    open_ones = _hear("", frozenset(count_terms("\n".join(loops), leave_out)) - nothing, named)
    called = {f"{_SAID}{one.key}": one.theme or one.key for one in named}
    told: set[str] = set()
    found: list[Tie] = []
    for wanted in (open_ones, newest):
        shared = {page: mine & wanted for page, mine in terms.items()}
        while len(found) < MOST:
            gained = {page: sorted(mine - told) for page, mine in shared.items()}
            gained = {page: mine for page, mine in gained.items() if _is_enough(mine)}
            if not gained:
                break
            # of two that share as much, the newer one is taken
            best = max(gained, key=lambda page: sum(weights[term] for term in gained[page]))
            term = max(gained[best], key=lambda term: (term in called, weights[term], len(term)))
            alike = [page for page, mine in terms.items() if _is_enough(mine.intersection(gained[best]))]
            name = called.get(term) or spelling(term, [pages[page] for page in alike])
            found.append(Tie(name, best, beginning=alike[-1], last=alike[0]))
            told |= terms.pop(best)
            del shared[best]
    return found


def _is_enough(terms: Collection[str]) -> bool:
    return len(terms) >= LEAST or any(term.startswith(_SAID) for term in terms)


def _hear(page: str, terms: frozenset[str], named: Iterable[SaidOfPages]) -> frozenset[str]:
    """Return the terms of a text with those of the named threads it is about, without those it is not."""
    for one in named:
        if page in one.others:
            terms -= one.terms
        elif page in one.members or any(_names(name, terms) for name in (one.key, one.theme)):
            terms |= {f"{_SAID}{one.key}"}
    return terms


def _names(name: str, terms: frozenset[str]) -> bool:
    """Return whether a text has all that tells in a thread's name."""
    wanted = count_terms(name).keys()
    return bool(wanted) and wanted <= terms
