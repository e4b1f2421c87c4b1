"""Threads that go on: from open loops and the newest page to the earlier pages that tell of the same."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log

from reel_cli.core.values.holdings import Tie
from reel_cli.features.threads.terms import count_terms, plain_form, spelling

MOST = 12
"""Number of pages that come first; half the room that an 8K bundle has for memories holds about as many."""

LEAST = 2
"""Terms that a page shares with what goes on, at least; two words side by side count as one more."""


def find_ties(pages: Mapping[str, str], loops: Sequence[str], names: Collection[str]) -> list[Tie]:
    """Return the page that each thread going on has in a bundle: those of the loops, then of the newest page.

    `pages` are texts by memory, newest first; `names` are those of the speakers, which carry no thread. The
    next page is the one that shares most with what goes on and that no page before it told: each term counts
    once, and more where few pages have it.
    """
    leave_out = frozenset(plain_form(word) for name in names for word in name.split())
    terms = {name: frozenset(count_terms(text, leave_out)) for name, text in pages.items()}
    spread = Counter(term for page in terms.values() for term in page)
    weights = {term: log(1 + len(pages) / count) for term, count in spread.items()}
    said = terms.pop(next(iter(pages)), frozenset()) if pages else frozenset()
    told: set[str] = set()
    found: list[Tie] = []
    for wanted in (frozenset(count_terms("\n".join(loops), leave_out)), said):
        shared = {name: page & wanted for name, page in terms.items()}
        while len(found) < MOST:
            gained = {name: sorted(page - told) for name, page in shared.items()}
            gained = {name: page for name, page in gained.items() if len(page) >= LEAST}
            if not gained:
                break
            # of two that share as much, the newer one is taken
            best = max(gained, key=lambda name: sum(weights[term] for term in gained[name]))
            term = max(gained[best], key=lambda term: (weights[term], len(term)))
            alike = [name for name, page in terms.items() if len(page.intersection(gained[best])) >= LEAST]
            name = spelling(term, [pages[name] for name in alike])
            found.append(Tie(name, best, beginning=alike[-1], last=alike[0]))
            told |= terms.pop(best)
            del shared[best]
    return found
