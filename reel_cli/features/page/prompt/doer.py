"""The one who does what a sentence tells, as far as its words say it."""

from collections.abc import Sequence

from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.lexicon import WORD, even, telling
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.own_words import OF_ANOTHER
from reel_cli.core.frozen import late

ANOTHER = "?"
"""Doer without a name: `he`, `my brother`."""
_SPEAKER, _OTHER, _BOTH = late(r"(?i)\bi\b"), late(r"(?i)\byou\b"), late(r"(?i)\bwe\b")
_WILL = late(r"(?i)['’]ll\b|\s+(?:will|is to|has to|must|shall|promis\w+)\b")
_WHEN = late(r"(?i)ly$|day$")
_OWNS = late(r"['’]s\s+(?!\w+ed\b|been\b|got\b|just\b|already\b)|['’](?!\w)")
"""Pattern of what follows a name that only owns something: `Anna's photo`, but not `Anna's called`."""


def find_doer(sentence: str, deed: frozenset[str], speaker: str, talkers: Sequence[str]) -> str:
    """Return who does a deed: the last that a sentence names before its first word; "" for nobody.

    `deed` are the deed's telling words, `talkers` the two who talk. Of a `speaker` who is not known nobody
    can tell who `I` is. Where both did it, it is nobody alone.
    """
    plain = even(sentence)
    named = {start: word for start, end, word in names(plain, plain) if not _OWNS.match(plain, end)}
    done = (one for one in WORD.finditer(plain) if one.start() not in named and telling(one[0]) & deed)
    first = next(done, None)
    before = plain[: first.start()] if first is not None else plain
    found = {start: name for start, name in named.items() if start < len(before)}
    other = next((one for one in talkers if one != speaker), "") if speaker in talkers else ""
    for pattern, who in ((OF_ANOTHER, ANOTHER), (_SPEAKER, speaker), (_OTHER, other), (_BOTH, "")):
        found |= {one.start(): who for one in pattern.finditer(before)}
    if found or first is None or not tells_past(first[0]) or tells_past(before):
        return found[max(found)] if found else ""
    # a short name may be a word as well: `Tom called`
    return next((one for one in reversed(WORD.findall(before)) if telling(one) and not _WHEN.search(one)), "")


def find_promiser(promise: str, whose: str, writer: str) -> str:
    """Return who owes what a text promises: the one it begins with, or the one `whose` it is.

    Of a text that is nobody's, `I` is its `writer`.
    """
    plain = even(promise).strip()
    found = WORD.match(plain)
    if found is None or not found[0][:1].isupper():
        return whose
    if _SPEAKER.match(found[0]):
        return whose or writer
    first, _, ending = found[0].partition("'")
    named = any(not start for start, _, _ in names(plain, plain)) or _WILL.match(plain, len(first))
    return first if named and ending != "s" and not OF_ANOTHER.match(first) else whose


def is_same_doer(one: str, other: str) -> bool:
    """Return whether two may be the same: one is not known, or both have a word of their names in common."""
    return not (one and other) or not telling(one).isdisjoint(telling(other))
