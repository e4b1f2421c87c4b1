"""Detection of two claims about the same subject that cannot both be true; in doubt, they can."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from difflib import SequenceMatcher

from reel_cli.core.evidence.claims import (
    CALLED,
    FIXED,
    YEARLY,
    Fact,
    HeldText,
    Slot,
    read_facts,
)
from reel_cli.core.evidence.grounding.dates import When
from reel_cli.core.evidence.grounding.lexicon import bare, even, sentences, stem, stems
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.frozen import frozen, late

ALIKE = 0.6
"""The share of both subjects' words that must be the same, where neither holds all of the other."""
SOON = timedelta(days=10)
"""Time between two statements within which their weekdays belong to the same week."""
_CHANGED = late(
    r"(?i)\b(?:moved|postponed|rescheduled|extended|pushed|brought forward|delayed|shifted|changed|increased"
    r"|raised|reduced|grew|grown|dropped|switched|removed|cancel\w*|called off"
    r"|updated?|up from|down from|instead of|rather than|now|by now|so far|altogether)\b"
)
"""Words that tell of a change themselves."""
_LIGHT = frozenset(
    stem(word)
    for words in ("be have do get go come see", "new good great little big", "thing way lot people")
    for word in words.split()
)

_SPEAKERS = (frozenset(("i",)), frozenset(("you",)), frozenset(("we",)))


@frozen
class Disagreement:
    """Two sentences that disagree, with the subject and the source of each."""

    slot: Slot
    older: HeldText
    older_sentence: str
    newer: HeldText
    newer_sentence: str
    was: Fact | None = None
    fact: Fact | None = None
    """The claims of the older and of the newer sentence; None where a sentence takes a value back."""
    denial: bool = False
    """Whether one denies the other in the same words."""


def find_disagreements(new: Sequence[HeldText], old: Sequence[HeldText]) -> list[Disagreement]:
    """Return every pair in which something new contradicts something held; one for two places and kind."""
    held = [(telling, fact) for telling in old for fact in read_facts(telling)]
    found: dict[tuple[str, str, Slot], Disagreement] = {}
    for telling in new if held else ():
        for fact in read_facts(telling):
            rivals = [(other, was) for other, was in held if was.slot is fact.slot and was.key == fact.key]
            for other, was in rivals:
                if not _disagree(telling, fact, other, was):
                    continue
                if not _same_subject(telling, fact, other, was, [one for _, one in rivals]):
                    continue
                if _says_both(telling, fact, was):
                    continue
                # a memory that denies the old number itself is asked about, and not again for a note
                beside = [one for one in new if one.where != telling.where]
                if any(_strikes_out(one.text, fact, was) for one in beside):
                    continue
                pair = Disagreement(fact.slot, other, was.sentence, telling, fact.sentence, was, fact)
                found.setdefault((other.where, telling.where, fact.slot), pair)
    return list(found.values())


def _same_subject(telling: HeldText, fact: Fact, other: HeldText, was: Fact, rivals: Sequence[Fact]) -> bool:
    mine, theirs = fact.subject, was.subject
    shared = (mine & theirs) - _LIGHT
    if not shared and not (fact.slot is Slot.NAME and mine == theirs and _of_one_person(fact, was)):
        return False
    if fact.names and was.names and fact.names.isdisjoint(was.names):
        return False
    if fact.slot is Slot.STATE:
        return _same_state(fact, was)
    if not _same_persons(telling, fact, other, was):
        return False
    more, less = mine - theirs - _LIGHT, theirs - mine - _LIGHT
    if not more and not less:
        return True
    if more and less:
        return not (more | less) & (fact.names | was.names) and len(shared) / len(mine | theirs) >= ALIKE
    # if one says more, the rest is matched against the context around the other; otherwise nothing could
    # match
    extra, context = (more, other.context) if more else (less, telling.context)
    around = set(stems(context))
    if extra <= around:
        return True
    if len(shared) > 1 and not extra & (fact.names | was.names):
        return True
    head = shared & FIXED
    return bool(head) and len({one.subject for one in rivals if head & one.subject}) == 1


def _of_one_person(fact: Fact, was: Fact) -> bool:
    """Return whether names without a subject are of the same person; `her name is` may be of anybody."""
    named = fact.key != CALLED or fact.persons in _SPEAKERS
    return named and fact.persons == was.persons != frozenset()


def _same_persons(telling: HeldText, fact: Fact, other: HeldText, was: Fact) -> bool:
    """Return whether both may be about the same person: `her` may be Marta, `my` is not `his`."""
    if fact.persons and was.persons:
        return not fact.persons.isdisjoint(was.persons)
    if not fact.persons and not was.persons:
        return True
    silent, where = (fact, other) if not fact.persons else (was, telling)
    speaking = was if silent is fact else fact
    if silent.names:
        return speaking.persons <= {"he", "she", "they"} and silent.names <= set(
            stems(where.context or where.text)
        )
    return True


def _same_state(fact: Fact, was: Fact) -> bool:
    """Return whether states are told in nearly the same words; an extra word may change their truth."""
    if fact.persons != was.persons and not (fact.names and fact.names == was.names):
        return False
    shared, all_ = fact.subject & was.subject, fact.subject | was.subject
    if len(shared) == 1:
        return shared == all_ and (fact.ceased or was.ceased)
    return len(shared) / len(all_) >= 0.75


def _disagree(telling: HeldText, fact: Fact, other: HeldText, was: Fact) -> bool:
    if fact.slot is Slot.DATE:
        return _other_day(telling, fact, other, was)
    if fact.slot is Slot.NUMBER:
        return _other_number(telling, fact, other, was)
    if fact.slot is Slot.STATE:
        return fact.negated != was.negated
    one, two = bare(fact.name.split()[0]), bare(was.name.split()[0])
    return one != two and SequenceMatcher(None, one, two, autojunk=False).ratio() < 0.75


def _other_day(telling: HeldText, fact: Fact, other: HeldText, was: Fact) -> bool:
    if telling.day is not None and other.day is not None and telling.day < other.day:
        # for a page about an older session, the earlier statement is compared with the later one
        telling, fact, other, was = other, was, telling, fact
    mine, theirs = fact.when, was.when
    if mine is None or theirs is None or fact.repeated != was.repeated:
        return False
    if fact.repeated:
        return mine.weekday != theirs.weekday
    if not mine.spans or not theirs.spans:
        both = mine.weekday is not None and theirs.weekday is not None and telling.day is None is other.day
        return both and mine.weekday != theirs.weekday
    if any(a <= d and c <= b for a, b in mine.spans for c, d in theirs.spans):
        return False
    if not (fact.subject & was.subject).isdisjoint(YEARLY):
        return _years_apart(mine, theirs)
    if "month" in (mine.kind, theirs.kind) and "day" not in (mine.kind, theirs.kind):
        return False
    # something announced has happened by now, so it belongs to another time
    told = telling.day
    if told is not None and other.day is not None:
        if mine.relative or theirs.relative:
            return abs(told - other.day) <= SOON and min(a for a, _ in theirs.spans) >= told - timedelta(
                days=1
            )
        return max(b for _, b in theirs.spans) >= told
    return not (mine.relative or theirs.relative)


def _years_apart(one: When, other: When) -> bool:
    days = {(a.month, a.day) for a, b in one.spans if a == b}
    others = {(a.month, a.day) for a, b in other.spans if a == b}
    return bool(days and others) and days.isdisjoint(others) and not (one.relative or other.relative)


def _other_number(telling: HeldText, fact: Fact, other: HeldText, was: Fact) -> bool:
    mine, theirs = fact.number, was.number
    if mine is None or theirs is None or mine.values & theirs.values:
        return False
    if mine.seconds is not None and theirs.seconds is not None:
        most = max(mine.seconds, theirs.seconds)
        if abs(mine.seconds - theirs.seconds) <= 0.05 * most:
            return False
    days = [{s for when in one.beside for s in when.spans} for one in (fact, was)]
    if days[0] and days[1] and days[0].isdisjoint(days[1]):
        return False
    if fact.key == "clock" and telling.day is not None and other.day is not None:
        return abs(telling.day - other.day) <= SOON or not (fact.beside or was.beside)
    return True


def _says_both(telling: HeldText, fact: Fact, was: Fact) -> bool:
    """Return whether the new text itself mentions the old value, and so explains the change."""
    for one in _neighbours(telling, fact, was):
        if one is was or one.slot is not was.slot:
            continue
        if (
            was.when is not None
            and one.when is not None
            and was.when.spans
            and one.when.spans == was.when.spans
        ):
            return True
        if was.number is not None and one.number is not None and one.number.values & was.number.values:
            return True
    return was.slot is not Slot.STATE and _tells_a_change(telling.text, fact.subject)


def _strikes_out(text: str, fact: Fact, was: Fact) -> bool:
    """Return whether a sentence gives the new number beside the old one: `nine links, not eleven`.

    `He paid £120 of the £200, so £80 are left` tells of a change too.
    """
    if fact.number is None or was.number is None:
        return False
    plain = even(text)
    for start, end in sentences(plain):
        told = [one for one in numbers(plain, plain) if start <= one.start < end]
        old, new = ([one for one in told if one.values & side.values] for side in (was.number, fact.number))
        if old and new and not fact.subject.isdisjoint(stems(plain[start:end])):
            return True
    return False


def _tells_a_change(text: str, subject: frozenset[str]) -> bool:
    """Return whether any sentence says that the subject was moved, raised or called off."""
    plain = even(text)
    return any(
        _CHANGED.search(plain, start, end) and not subject.isdisjoint(stems(plain[start:end]))
        for start, end in sentences(plain)
    )


def _neighbours(telling: HeldText, fact: Fact, was: Fact) -> Iterator[Fact]:
    for one in read_facts(telling):
        if one is not fact and one.key == was.key and one.subject & was.subject:
            yield one
