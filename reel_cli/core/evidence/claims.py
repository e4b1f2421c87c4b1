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

from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import (
    WORD,
    bare,
    clauses,
    even,
    sentences,
    spelt_out,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import Number, numbers
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.evidence.grounding.source import mask
from reel_cli.core.frozen import frozen, late


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


FIXED = _stems(
    "deadline due birthday anniversary wedding appointment exam interview surgery operation flight ferry"
    " train vet dentist doctor meeting hearing viva recital concert premiere funeral launch delivery checkup"
    " scan visit rehearsal tournament race graduation moving inspection"
)
"""Stems of things that have a fixed day."""
ONCE = _stems("deadline birthday anniversary wedding surgery graduation funeral")
"""Stems of events that stay the same also when they are over."""
YEARLY = _stems("birthday anniversary")
"""Stems of events that have the same day each year."""
SET = late(
    r"(?i)(?:\b(?:is|are|be|was|were|falls|fell|starts|begins|ends|opens|closes|leaves|arrives|due|scheduled"
    r"|booked|planned|set|stays|meets|happens|wants?|wanted|needs?|needed|must|has to|have to|had to)"
    r"|'s|'re)\b[^.;!?]{0,40}?"
    r"\b(?:by|until|on|for|at|to|is|are|'s|due|the|was|falls|starts|begins|ends|next|this)?\s*$"
)
BY = late(r"(?i)\b(?:by|due|until|is|are|falls|on|for)\s+(?:on\s+)?(?:the\s+)?$")
NTH = late(r"(?i)(?:th|nd|rd|st|second|third|fourth|fifth|sixth)$")
ONE_OF_MANY = late(r"(?i)\b(?:next|another|last|previous|this)\s+[a-z]")
EVERY = late(r"(?i)\b(?:every|each|always)\s+$")
OPEN = late(
    r"\bmay\b|(?i:\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|guess|hope\w*|wish\w*|would|could|should"
    r"|thought|almost|nearly|imagine|pretend\w*|dream\w*|joke\w*|instead|rather|suppose\w*|used to|asked"
    r"|originally|previously|formerly|not yet)\b)|\?"
)
"""Pattern of sentences that claim nothing."""
ABOUT = late(
    r"(?i)\b(?:about|around|roughly|nearly|almost|some|over|under|at least|at most|up to|more than|less than"
    r"|fewer than|another|extra|first|only|every|per|each|to|of the|or|between|past|last|next"
    r"|these|those)\s*$"
    r"|[-–/~+<>=$€£]\s*$"
)
"""Pattern of the words before a number that make it vague, one of many, or a part."""
OR_MORE = late(
    r"(?i)\s*(?:or so|or more|plus|\+|-|–|to\s+\d|or\s+\w+|more|of\s+(?:the|them|us|his|her|my)|%)"
)
LABEL = late(
    r"(?i)\b(chapter|room|number|no|page|part|volume|act|scene|bus|tram|line|level|day|week|version|grade|year"
    r"|age|phase|step|stage|season|episode|gate|platform|floor|unit|session|track|type|section|apartment|flat)\s*$"
)
STANDS = late(
    r"(?i)\b(?:is|are|am|has|have|owns?|wants?|needs?|costs?|takes?|requires?|weighs?|pays?|earns?|owes?|keeps?"
    r"|wanted|needed|required|lasts?|holds?|counts?|sleeps?|gets?)\b|\w'(?:s|re|m|ve)\b"
)
"""Pattern of statements that hold in general, or that are requests."""
DONE = late(
    r"(?i)\s+(?:already |now |just |only )?\w+(?:ed|en|wn|ne|ad|old|ent|ept|ought|aught|un|ung|ound)\s"
)
"""A participle after `has`: what was done so far, which grows."""
GROWS = _stems("year month week day hour minute old time session step left")
"""Stems of units whose count grows or recurs."""
NOW = late(
    r"(?i)\b(?:is|are|am|has|have|do|does|can|'s|'re|'m|'ve|still|anymore|any longer|no longer|never"
    r"|always)\b"
    r"|\b(?:i|you|we|they|he|she|it|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:lives?|works?|likes?|loves?|hates?|drinks?|smokes?"
    r"|eats?|plays?|wants?|needs?|speaks?|drives?|owns?|believes?|trusts?|knows?|wears?|takes?)\b"
    r"|(?:n't|'s|'re|'m|'ve)\b"
)
OWNED = late(r"\b(?!(?:It|He|She|That|There|This|What|Who|Here|Where|How|Let)'s)[A-Z]\w+'s (?=[a-z]+\W*$)")
"""Pattern of a name whose `'s` is no verb, at the end of a text that has no other: `Opa's letter.`."""
PAST = late(
    r"(?i)\b(?:did|was|were|had|could|ago|yesterday|last\s+\w+|that (?:day|night|evening)|once|back then)\b"
)
CEASED = late(
    r"(?i)\b(?:stopped|quit|gave up|given up|no longer|not\b[^.;]{0,30}\b(?:anymore|any more|any longer)"
    r"|has left|left (?:the|his|her|their|my)|is done with|broke up)\b|\banymore\b"
    r"|n't\b[^.;]{0,30}\banymore\b"
)
TURNS = _stems("stop quit give still anymore longer never done always keep ever left")
FILL = _stems(
    "still now already actually currently finally just also only really anyway soon due set scheduled booked"
    " planned moved fall start begin again though said told says want need ask is are exactly probably"
    " definitely officially date day week month year time morning evening afternoon noon night tomorrow"
)
"""Stems of filler words that say nothing of the subject."""
CALLED = "is called"
RELATIONS = (
    (
        "lives in",
        late(r"(?i:\blives? (?:in|at))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        "works at",
        late(r"(?i:\bworks? (?:at|for))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        CALLED,
        late(r"(?i:\b(?:is|are|'s) (?:called|named)|\bname is)\s+(?P<name>[A-Z][\w'’-]*)"),
    ),
)
WHO = {
    word: who
    for who, words in {
        "i": "i me my mine myself", "you": "you your yours", "he": "he him his himself",
        "she": "she her hers herself", "they": "they them their theirs", "we": "we us our ours",
    }.items()
    for word in words.split()
}  # fmt: skip
QUOTED = late(r'"[^"\n]*"|‘[^‘’\n]*’(?!\w)')
STANDS_AT = late(r"(?i)\b(?:is|are|leaves|opens|closes|starts|begins|ends|arrives|departs|'s)\b")
REQUIRED = late(r"(?i)\b(?:takes?|lasts?|requires?|costs?)\s+$")
SAME_VERB = {
    "are": "is",
    "am": "is",
    "is": "is",
    "owns": "have",
    "own": "have",
    "keeps": "have",
    "needs": "want",
    "need": "want",
    "needed": "want",
    "requires": "want",
    "require": "want",
    "required": "want",
    "wants": "want",
    "want": "want",
    "wanted": "want",
    "weighs": "weigh",
    "lasts": "take",
}
DAYS = frozenset(("iso", "day", "weekday", "nth", "near", "month"))
"""Kinds of dates that a thing may be set for."""
AT = late(r"(?i)\bat\s+$")
STOPPED = late(r"(?i)\b(?:stopped|quit|stops)\b")


class Slot(StrEnum):
    """Kinds of claim."""

    DATE = "date"
    NUMBER = "number"
    STATE = "state"
    NAME = "name"


@frozen
class HeldText:
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
    clause: str = ""
    """The part of the sentence that claims it."""


@lru_cache(maxsize=4096)
def read_facts(telling: HeldText) -> tuple[Fact, ...]:
    """Return the claims of a text, sentence by sentence; quoted text is someone else's and claims nothing."""
    text = even(telling.text)
    text = QUOTED.sub(lambda found: " " * len(found[0]), text)
    found: list[Fact] = []
    for start, end in sentences(text):
        sentence = text[start:end]
        if "?" in sentence:
            continue
        whole = telling.text[start:end].strip()
        # days, numbers and names are reported in a few words, negations with all their qualifiers
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
        self.dateless = mask(text, [(when.start, when.end) for when in self.whens])
        found = numbers(text, self.dateless)
        self.counted = [one for one in found if not NTH.search(text[one.start : one.end])]
        self.plain = mask(self.dateless, [(number.start, number.end) for number in self.counted])
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
        return Fact(slot, subject, persons, called & subject, self.sentence, clause=self.text)


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
    if clause.whens or (not ceased and (not NOW.search(OWNED.sub(" ", text)) or PAST.search(text))):
        return
    negated = is_negated(STOPPED.sub("", text))
    about = frozenset(stems(text)) - TURNS - FILL - WHO.keys()
    if about and negated is not None:
        turned = ceased or "still" in spelt_out(text).split()
        yield replace(clause.fact(Slot.STATE, about), negated=negated or ceased, ceased=turned)
