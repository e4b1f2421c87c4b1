"""Claims in sentences that another sentence may contradict: a day, a number, a state, a place or a name.

Only what is told as standing is a fact here: `the deadline is 30 April`, not `we went on 30 April`, of which
there may be many. English alone; in other languages nothing is found, and nothing wrongly.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from enum import StrEnum
from functools import lru_cache

from reel_cli.core.evidence.contradictions.signs import (
    ABOUT,
    AT,
    BY,
    CEASED,
    DAYS,
    DONE,
    EVERY,
    FILL,
    FIXED,
    GROWS,
    LABEL,
    NOW,
    NTH,
    ONCE,
    ONE_OF_MANY,
    OPEN,
    OR_MORE,
    PAST,
    QUOTED,
    RELATIONS,
    REQUIRED,
    SAME_VERB,
    SET,
    STANDS,
    STANDS_AT,
    STOPPED,
    TURNS,
    WHO,
)
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import Number, numbers
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.evidence.grounding.words import (
    WORD,
    bare,
    clauses,
    even,
    sentences,
    spelt_out,
    stem,
    stems,
)
from reel_cli.core.frozen import frozen


class Slot(StrEnum):
    """Kinds of claim."""

    DATE = "date"
    NUMBER = "number"
    STATE = "state"
    NAME = "name"


@frozen
class Telling:
    """A text that is held, and where: `M-004`, `ring2`; the day it is of, and its line in its file.

    `context` is all that stands around it: a name there may be who is meant here.
    """

    where: str
    text: str
    day: date | None = None
    line: int = 0
    context: str = ""


@frozen
class Fact:
    """One claim: its subject as stems, the persons it is of, and what is claimed of it.

    `key` says of what the value is: the noun that is counted, the relation; `value` is compared by `compare`.
    """

    slot: Slot
    subject: frozenset[str]
    persons: frozenset[str]
    names: frozenset[str]
    sentence: str
    key: str = ""
    when: When | None = None
    number: Number | None = None
    negated: bool = False
    ceased: bool = False
    name: str = ""
    repeated: bool = False
    beside: tuple[When, ...] = ()
    """Other dates of the clause."""


@lru_cache(maxsize=4096)
def read_facts(telling: Telling) -> tuple[Fact, ...]:
    """Return the claims of a text, sentence by sentence; quoted text is someone else's and claims nothing."""
    text = even(telling.text)
    text = QUOTED.sub(lambda found: " " * len(found[0]), text)
    found: list[Fact] = []
    for start, end in sentences(text):
        sentence = text[start:end]
        if "?" in sentence:
            continue
        whole = telling.text[start:end].strip()
        # a day, a number and a name are told in a few words; what is so or not so, in all that qualifies it
        for least, read in ((1, _values), (2, _states)):
            for text_of in _clauses(sentence, least):
                if not OPEN.search(text_of):
                    found += read(_Clause(text_of, whole, telling.day))
    return tuple(found)


def _clauses(sentence: str, least: int) -> Iterator[str]:
    """Yield the sentence in parts of at least so many content words."""
    parts = list(clauses(sentence))
    held = ""
    for part in parts:
        held = f"{held}{part}" if held else part
        if len(stems(held)) >= least:
            yield held
            held = ""
    if held:
        yield held


class _Clause:
    """A part of a sentence, looked at once: its days and numbers, and what it speaks of besides."""

    def __init__(self, text: str, sentence: str, day: date | None) -> None:
        self.text = text
        self.day = day
        self.sentence = sentence
        self.whens = [when for when in dates(text, day) if when.kind in DAYS]
        self.dateless = _blank(text, [(when.start, when.end) for when in self.whens])
        found = numbers(text, self.dateless)
        self.counted = [one for one in found if not NTH.search(text[one.start : one.end])]
        self.plain = _blank(self.dateless, [(number.start, number.end) for number in self.counted])
        self.subject = frozenset(
            word for word in stems(self.plain) if word not in FILL and not word.isdigit() and word not in WHO
        ) | {
            f"{bare(label[1])} {min(one.values):g}"
            for one in self.counted
            if (label := LABEL.search(text[: one.start]))
        }

    def fact(self, slot: Slot, about: frozenset[str] | None = None) -> Fact:
        """Return a claim of this clause, without its value."""
        subject = self.subject if about is None else about
        persons = frozenset(WHO[word] for m in WORD.finditer(self.plain) if (word := bare(m[0])) in WHO)
        called = frozenset(stem(name) for _, _, name in names(self.text, self.plain))
        return Fact(slot, subject, persons, called & subject, self.sentence)


def _values(clause: _Clause) -> Iterator[Fact]:
    """Yield the day, the numbers and the name that a clause claims to be lasting."""
    yield from _days(clause)
    for number in clause.counted:
        yield from _counts(clause, number)
    yield from _names(clause)


def _days(clause: _Clause) -> Iterator[Fact]:
    if len(clause.whens) != 1 or not clause.subject or ONE_OF_MANY.search(clause.dateless):
        return
    if PAST.search(clause.text) and ONCE.isdisjoint(clause.subject):
        return
    (when,) = clause.whens
    before = clause.text[: when.start]
    fixed = not FIXED.isdisjoint(clause.subject)
    if (fixed and BY.search(before)) or SET.search(before):
        repeated = _is_repeated(clause.text, when)
        yield replace(clause.fact(Slot.DATE), when=_to_come(when, clause.day), repeated=repeated)


def _counts(clause: _Clause, number: Number) -> Iterator[Fact]:
    text, beside = clause.text, tuple(clause.whens)
    before = text[: number.start]
    if number.clock:
        if clause.subject and AT.search(before) and STANDS_AT.search(text):
            yield replace(clause.fact(Slot.NUMBER), key="clock", number=number, beside=beside)
    elif _is_count(text, number):
        noun = number.counts[0] if number.counts else ""
        about = clause.subject | ({noun} if noun else set())
        if about:
            key = f"{_verb(before)} {noun}"
            yield replace(clause.fact(Slot.NUMBER, about), key=key, number=number, beside=beside)


def _to_come(when: When, day: date | None) -> When:
    """Return a weekday as the next such day, since a lasting claim is not about the past."""
    if when.weekday is None or day is None:
        return when
    return replace(when, spans=tuple(span for span in when.spans if span[1] >= day)[:1])


def _is_repeated(clause: str, when: When) -> bool:
    """Return whether a day recurs: `every Tuesday`, `on Tuesdays`."""
    if when.weekday is None:
        return False
    return bool(EVERY.search(clause[: when.start])) or clause[when.start : when.end].endswith("days")


def _is_count(clause: str, number: Number) -> bool:
    """Return whether a number is a lasting claim: not vague, no label, nothing that grows by itself."""
    before, after = clause[: number.start], clause[number.end :]
    if not number.plain or len(number.values) != 1 or ABOUT.search(before) or OR_MORE.match(after):
        return False
    if LABEL.search(before) or re.search(r"\d[-.:/]?$|[-:/.]\s?$", before) or re.match(r"[-:/.]\w", after):
        return False
    stands = list(STANDS.finditer(before))
    if not stands or PAST.search(clause) or DONE.match(before[stands[-1].end() :]):
        return False
    if number.counts:
        return not GROWS.intersection(number.counts[:2]) or REQUIRED.search(before) is not None
    return re.match(r"[$€£]", clause[number.start : number.start + 1]) is not None


def _verb(before: str) -> str:
    """Return the verb a number depends on: `has forty pages` is not `wants forty pages`."""
    last = [match[0] for match in STANDS.finditer(before)][-1].casefold()
    return "is" if last.partition("'")[2] else SAME_VERB.get(last, stem(last))


def _names(clause: _Clause) -> Iterator[Fact]:
    if PAST.search(clause.text) or is_negated(clause.text) is not False:
        return
    for relation, pattern in RELATIONS:
        match = pattern.search(clause.plain)
        if match:
            about = frozenset(stems(clause.plain[: match.start()])) - FILL - {stem(match["name"])}
            yield replace(clause.fact(Slot.NAME, about), key=relation, name=match["name"])


def _states(clause: _Clause) -> Iterator[Fact]:
    """Yield the states that a clause says hold now, do not hold, or no longer hold."""
    text = clause.text
    ceased = bool(CEASED.search(text))
    if clause.whens or (not ceased and (not NOW.search(text) or PAST.search(text))):
        return
    negated = is_negated(STOPPED.sub("", text))
    about = frozenset(stems(text)) - TURNS - FILL - WHO.keys()
    if about and negated is not None:
        turned = ceased or "still" in spelt_out(text).split()
        yield replace(clause.fact(Slot.STATE, about), negated=negated or ceased, ceased=turned)


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
