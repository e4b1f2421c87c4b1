"""Judgment of which found disagreements are contradictions for certain; the others are not shown.

Both sides are of the same thing and of the same attribute, both are claimed to be so, and neither reports a
change. In doubt a pair is silent: it is told where everything is shown.
"""

from collections.abc import Collection
from datetime import date

from reel_cli.core.evidence.claims import FILL, Fact, HeldText, Slot
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import WORD, bare, even, sentences, stem, stems
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.source import mask
from reel_cli.core.evidence.pair_words import (
    APART,
    CAUSE,
    CHANGE,
    ENDS,
    EVENT,
    FICTION,
    FINISHED,
    FRONT,
    KIN,
    LIGHT,
    OPEN,
    OWNER,
    PASSING,
    PLAN,
    ROUND,
    STAGE,
    THIRD,
    TROUBLE,
)
from reel_cli.core.frozen import frozen
from reel_cli.features.contradictions.compare import Disagreement

_BEFORE = 2
"""Number of sentences before a claim that may say whom or what it is of, and that it is new."""
_ANY_DAY = date(2000, 1, 1)
"""Day on which dates are read of which only the place in the text is wanted."""


@frozen
class _Claim:
    """One side of a pair: the part of a sentence that claims it, the sentence, and what stands around it."""

    clause: str
    sentence: str
    before: tuple[str, ...]
    whole: str
    persons: frozenset[str] = frozenset()
    value: str = ""

    @property
    def around(self) -> str:
        """Return the sentences before the claim, with the claim."""
        return " ".join((*self.before, self.sentence))

    @property
    def as_far(self) -> str:
        """Return the sentence up to the end of the claim."""
        clause = self.clause.strip()
        return self.sentence[: max(self.sentence.find(clause), 0) + len(clause)]


def is_certain(pair: Disagreement, people: Collection[str] = ()) -> bool:
    """Return whether a pair is a contradiction; `people` are the names of those who talk.

    A sentence that takes a value back reports a change, and says what it changes.
    """
    older = _claim(pair.older, pair.older_sentence, pair.was)
    newer = _claim(pair.newer, pair.newer_sentence, pair.fact)
    return not (
        (pair.fact is not None and _reports_change(older, newer, pair))
        or _is_open(older, newer, pair.slot)
        or _is_of_another_world(older, newer)
        or _is_of_another_thing(older, newer)
        or _is_of_somebody_else(older, newer, {stem(bare(one)) for one in people})
        or _is_of_another_attribute(older, newer, pair)
        or (pair.fact is not None and _share_a_day(pair))
    )


def _claim(telling: HeldText, sentence: str, fact: Fact | None) -> _Claim:
    text, said = even(telling.text), even(sentence)
    start = max(text.find(said), 0)
    before = tuple(text[first:last].strip() for first, last in sentences(text[:start]))[-_BEFORE:]
    if fact is None:
        return _Claim(said, said, before, text)
    return _Claim(fact.clause, said, before, text, fact.persons, stem(bare(fact.name)) if fact.name else "")


def _reports_change(older: _Claim, newer: _Claim, pair: Disagreement) -> bool:
    """Return whether a side says that the value is new, or tells what made it so."""
    if CHANGE.search(newer.sentence) or any(map(CHANGE.search, newer.before[-1:])):
        return True
    if pair.denial:
        # the sentences are the same, and begin with the subject
        return False
    leads = _before_subject(newer, older)
    if newer.before and newer.before[-1].endswith(";"):
        leads = f"{newer.before[-1]} {leads}"
    if pair.slot is not Slot.DATE and EVENT.search(leads):
        return True
    if CAUSE.search(leads) or TROUBLE.search(" ".join((*newer.before[-1:], leads))):
        return True
    passing = FINISHED.search(newer.sentence) or any(PASSING.search(claim.clause) for claim in (older, newer))
    return pair.slot is Slot.STATE and bool(passing)


def _before_subject(claim: _Claim, other: _Claim) -> str:
    """Return what a claim's sentence says before the first word that it shares with the other side's."""
    shared = set(stems(other.clause)) - FILL
    words, at = claim.sentence.split(" "), 0
    for word in words:
        if shared & set(stems(word)):
            return claim.sentence[:at]
        at += len(word) + 1
    return ""


def _is_open(older: _Claim, newer: _Claim, slot: Slot) -> bool:
    """Return whether a side only asks, or the older one says what is planned, and the newer what came."""
    if OPEN.search(older.as_far) or OPEN.search(newer.as_far):
        return True
    planned = slot is not Slot.DATE and PLAN.search(older.clause)
    return bool(planned) and not PLAN.search(newer.clause)


def _is_of_another_world(older: _Claim, newer: _Claim) -> bool:
    """Return whether one side alone is of a book, a dream or a played scene."""
    one, two = (bool(FICTION.search(claim.around) or STAGE.search(claim.whole)) for claim in (older, newer))
    return one != two


def _is_of_another_thing(older: _Claim, newer: _Claim) -> bool:
    """Return whether a word tells the thing of one side from others of its kind, and the other lacks it."""
    said = [set(stems(claim.sentence)) for claim in (older, newer)]
    marks = [
        {
            (found["which"].casefold(), kind)
            for found in APART.finditer(claim.sentence)
            if (kind := stem(found["what"])) in said[0] & said[1]
        }
        for claim in (older, newer)
    ]
    return marks[0] != marks[1]


def _is_of_somebody_else(older: _Claim, newer: _Claim, people: set[str]) -> bool:
    """Return whether the sides may be of two people.

    Whose thing it is on one side is said right before the other, and nobody else after that. `He` is the same
    only where the sides speak of the same people, or one speaks of those who talk alone.
    """
    for one, other in ((older, newer), (newer, older)):
        more = _owners(one.clause) - people - set(stems(other.clause))
        if more and not more & set(_persons(other.around, other.value, more)[-len(more) :]):
            return True
    if not (older.persons | newer.persons) & THIRD:
        return False
    named = [set(_persons(claim.clause, claim.value)) - people for claim in (older, newer)]
    around = [set(_persons(claim.around, claim.value)) - people for claim in (older, newer)]
    return named[0].isdisjoint(named[1]) and around[0] != around[1] and around[0].isdisjoint(around[1])


def _owners(text: str) -> set[str]:
    """Return the stems of those whose things a text speaks of: `Ruth's`, `her mother's`, `of Dr Abel`."""
    plain = _without_days(text)
    owners = {stem(bare((found["name"] or found["other"]).split()[-1])) for found in OWNER.finditer(plain)}
    return owners | {stem(found[0]) for found in KIN.finditer(plain)}


def _persons(text: str, value: str, known: Collection[str] = ()) -> list[str]:
    """Return the stems of the names and relatives of a text, in order, without the name that it gives.

    At the beginning of a sentence only a `known` name is certain to be one.
    """
    plain = _without_days(text)
    words = ((one.start(), stem(bare(one[0]))) for one in WORD.finditer(plain))
    found = [(start, stem(bare(word))) for start, _, word in names(plain, plain)]
    found += [(one.start(), stem(one[0])) for one in KIN.finditer(plain)]
    found += [(start, word) for start, word in words if word in known]
    return [word for _, word in sorted(set(found)) if word != value]


def _without_days(text: str) -> str:
    return mask(text, [(one.start, one.end) for one in dates(text, _ANY_DAY)])


def _is_of_another_attribute(older: _Claim, newer: _Claim, pair: Disagreement) -> bool:
    """Return whether one side says of what its value is in words that the other lacks: `of deposit`."""
    was, fact = pair.was, pair.fact
    if was is None or fact is None:
        return False
    ends = [{place for place, one in enumerate(ENDS) if one.search(claim.clause)} for claim in (older, newer)]
    if all(ends) and ends[0].isdisjoint(ends[1]):
        return True
    more, less = fact.subject - was.subject - LIGHT, was.subject - fact.subject - LIGHT
    if pair.slot is Slot.STATE:
        return bool(more or less)
    if more and less:
        return True
    bare, around = (older, set(stems(older.around))) if more else (newer, set(stems(newer.around)))
    if not (more | less) <= around:
        heads = {word for one in bare.before for word in stems(one)} & fact.subject & was.subject
        if pair.slot is not Slot.DATE or heads:
            return True
    if pair.slot is not Slot.NUMBER:
        return False
    front = [bool(FRONT.match(_before_subject(one, two))) for one, two in ((older, newer), (newer, older))]
    return (
        front[0] != front[1]
        or any(ROUND.search(claim.clause) for claim in (older, newer))
        or bool(_behind(fact) - set(stems(older.sentence)) or _behind(was) - set(stems(newer.sentence)))
    )


def _behind(fact: Fact) -> set[str]:
    """Return the stems behind a claim's number, without what it counts."""
    if fact.number is None:
        return set()
    return set(stems(fact.clause[fact.number.end :])) - set(fact.number.counts) - FILL


def _share_a_day(pair: Disagreement) -> bool:
    """Return whether both sides name the same day besides: `on Saturday week, on 14 March`."""
    if pair.slot is not Slot.DATE:
        return False
    days = [
        {span for when in dates(even(text), telling.day) for span in when.spans if span[0] == span[1]}
        for telling, text in ((pair.older, pair.older_sentence), (pair.newer, pair.newer_sentence))
    ]
    return not days[0].isdisjoint(days[1])
