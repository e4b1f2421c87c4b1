"""The part of a fact's value that words put in its place lack: they may never turn it round."""

from collections.abc import Iterable
from datetime import date

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.fact_support import ENDS, PART, clauses, counts_exactly, named
from reel_cli.features.facts.evidence.told_value import without_dates

_ANY_DAY = date(2024, 1, 1)
_BARE_NO = late(r"(?i)\b(?:no|nope|none|never|nothing|nobody|neither|not)\b(?=\W*$)")
"""Pattern of a denial that ends its part of a value: `from the fourteenth, none`."""
_WHOLE_NO = late(r"(?i)\b(?:no|nope|nah|not|never|none|nobody|nothing|neither|without)\b")
_PRONOUN = late(r"(?i)\W*(?:he|she|they|it)\b")


def find_lost(value: str, words: str, known: Iterable[str] = ()) -> str:
    """Return what of a value the words in its place do not say; "" for nothing.

    That is a denial, a number, a name, or who it is of where they begin with `he`. Names that are `known`
    need not stand there.
    """
    mine, theirs = even(value), even(words)
    if lost := find_lost_denial(value, words):
        return lost
    for part in PART.split(mine):
        if not counts_exactly(part, "", [theirs]):
            return part
    held = f"{theirs} {' '.join(known)}".casefold()
    # a month or a feast is looked up as a day
    plain = without_dates(mine, dates(mine, _ANY_DAY, feasts=True))
    if lost := next((one for one in named(plain) if one.casefold() not in held), ""):
        return lost
    whose = telling(mine) - telling(held)
    if _PRONOUN.match(theirs) and not _PRONOUN.match(mine) and whose:
        return value
    return ""


def find_lost_denial(value: str, words: str) -> str:
    """Return the part of a value that denies something, where the words in its place deny less."""
    theirs = even(words)
    denied = len(NO.findall(theirs)) + len(ENDS.findall(theirs))
    whole = _WHOLE_NO.search(theirs) is not None or ENDS.search(theirs) is not None
    parts = [one for one in PART.split(even(value)) if NO.search(one)]
    for part in parts:
        if part.casefold() not in theirs.casefold() and _BARE_NO.search(part) and not whole:
            return part
    less = sum(len(NO.findall(one)) for one in parts) > denied
    told = telling(theirs)
    # the part is named that is not said, and not the one that is
    return max(parts, key=lambda one: len(telling(one) - told)) if less else ""


def is_affirmed(value: str, words: str) -> bool:
    """Return whether words tell, without a no, what a part of a value denies."""
    plain = [telling(one) for one in clauses(words) if not (NO.search(one) or ENDS.search(one))]
    denied = [telling(one) for one in PART.split(even(value)) if NO.search(one)]
    return any(one and any(one <= told for told in plain) for one in denied)


def find_lost_limit(value: str, kept: str, left: str) -> str:
    """Return the part left out of a value without which the rest says nothing, or the contrary; "" for none.

    `But never as a spanner` limits what was cut before it, and a promise of every Sunday without `missed the
    9th` reads as kept.
    """
    dangling = _LIMITS_ANOTHER.match(kept) is not None and _LIMITS_ANOTHER.match(value) is None
    return left if dangling or REVERSES.search(even(left)) is not None else ""


_LIMITS_ANOTHER = late(
    r"(?i)\W*(?:but|except|apart from|only if|only when|though|although|unless|yet|and not|or not|if not)\b"
)
REVERSES = late(
    r"(?i)\b(?:but|except|apart from|only|never|not|missed|misses|skipped|broke|broken|failed|fails|forgot"
    r"|cancel+ed|refused|unless|although|though)\b|n['’]t\b"
)
"""Pattern of a part that limits what stands beside it, or turns it round."""
