"""Words of a fact's value that are the page's own, and stand nowhere in what was said."""

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.details.value_details import ANY_DAY, read_counts
from reel_cli.features.facts.evidence.details.word_forms import without_known
from reel_cli.features.facts.evidence.fact_evidence import LIGHT
from reel_cli.features.facts.evidence.fact_support import PART

_DEEDS = telling(
    "die died move moved moves find found begin begins began start starts mend mended stay stays due"
)
"""Stems of words for what happened that are often other ones than were said."""
_RELATIVES = telling(
    "sister brother mother father mum mom dad parent wife husband partner kid child children son daughter"
    " aunt uncle cousin niece nephew grandmother grandfather grandson granddaughter"
)
"""Stems of words for who somebody is to another, which a page may not put in place of what was said."""
_STANCES = telling(
    "hate hates hated hating love loves loved like likes dislike dislikes fear fears afraid enjoy enjoys"
    " prefer prefers want wants wish refuse refuses avoid avoids forbid forbids allergic allergy quit"
    " stop stopped marry married divorce divorced pregnant fired dead died die sick ill"
)
"""Stems of words for what somebody thinks of a thing, or came to, which say all of a value."""


def find_own_words(
    value: str, key: frozenset[str], known: frozenset[str], *, strict: bool
) -> frozenset[str] | None:
    """Return the words of a value that are the page's own; None where it has too many of them.

    Each part may have one, which names no relative and no liking, and nobody and nothing that the rest is
    done with or at, and does not stand alone. `strict`: no word is the page's own.
    """
    found: frozenset[str] = frozenset()
    for part in PART.split(value):
        words = telling(part) - key - LENT
        nowhere = without_known(words, known) - LIGHT - _DEEDS
        if not nowhere:
            continue
        alone = words == nowhere and not has_detail(part)
        joined = (
            _RELATIVES
            | _STANCES
            | frozenset(one for place in _JOINED.finditer(part) for one in telling(place[1]))
        )
        if strict or len(nowhere) > 1 or alone or nowhere & joined:
            return None
        found |= nowhere
    return found


_JOINED = late(
    r"(?i)\b(?:to|with|by|from|for|at|in|into|of|on|about|against|without)\s+"
    r"((?:(?:the|an?|his|her|their|my|our|its|old|new)\s+)?[\w-]+)"
)
"""Pattern of what a preposition joins to the rest: `sold to the saxophonist`."""


def has_detail(part: str) -> bool:
    """Return whether a part of a value gives a number or a day."""
    return bool(read_counts(part) or dates(part, ANY_DAY))
