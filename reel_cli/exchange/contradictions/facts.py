"""What a sentence claims that another may claim otherwise: a day, a number, a state, a place or a name.

Only what is told as standing is a fact here: `the deadline is 30 April`, not `we went on 30 April`, of which
there may be many. English alone; in other languages nothing is found, and nothing wrongly.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache

from reel_cli.exchange.grounding.dates import When, dates
from reel_cli.exchange.grounding.names import names
from reel_cli.exchange.grounding.numbers import Number, numbers
from reel_cli.exchange.grounding.polarity import is_negated
from reel_cli.exchange.grounding.words import WORD, bare, clauses, even, sentences, spelt_out, stem, stems


class Slot(StrEnum):
    """What kind of thing is told."""

    DATE = "date"
    NUMBER = "number"
    STATE = "state"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Telling:
    """A text that is held, and where: `M-004`, `ring2`; the day it is of, and its line in its file.

    `context` is all that stands around it: a name there may be who is meant here.
    """

    where: str
    text: str
    day: date | None = None
    line: int = 0
    context: str = ""


@dataclass(frozen=True, slots=True)
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


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


FIXED = _stems(
    "deadline due birthday anniversary wedding appointment exam interview surgery operation flight ferry train"
    " vet dentist doctor meeting hearing viva recital concert premiere funeral launch delivery checkup scan visit"
    " rehearsal tournament race graduation moving inspection"
)
"""What has a day."""
ONCE = _stems("deadline birthday anniversary wedding surgery graduation funeral")
"""What is meant is the same also when it is over."""
YEARLY = _stems("birthday anniversary")
"""What has the same day each year."""
_SET = re.compile(
    r"(?i)(?:\b(?:is|are|be|was|were|falls|fell|starts|begins|ends|opens|closes|leaves|arrives|due|scheduled"
    r"|booked|planned|set|stays|meets|happens|wants?|wanted|needs?|needed|must|has to|have to|had to)"
    r"|'s|'re)\b[^.;!?]{0,40}?"
    r"\b(?:by|until|on|for|at|to|is|are|'s|due|the|was|falls|starts|begins|ends|next|this)?\s*$"
)
_BY = re.compile(r"(?i)\b(?:by|due|until|is|are|falls|on|for)\s+(?:on\s+)?(?:the\s+)?$")
_NTH = re.compile(r"(?i)(?:th|nd|rd|st|second|third|fourth|fifth|sixth)$")
_ONE_OF_MANY = re.compile(r"(?i)\b(?:next|another|last|previous|this)\s+[a-z]")
_EVERY = re.compile(r"(?i)\b(?:every|each|always)\s+$")
_OPEN = re.compile(
    r"\bmay\b|(?i:\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|guess|hope\w*|wish\w*|would|could|should"
    r"|thought|almost|nearly|imagine|pretend\w*|dream\w*|joke\w*|instead|rather|suppose\w*|used to|asked"
    r"|originally|previously|formerly|not yet)\b)|\?"
)
"""Where nothing is claimed to be so."""
_ABOUT = re.compile(
    r"(?i)\b(?:about|around|roughly|nearly|almost|some|over|under|at least|at most|up to|more than|less than"
    r"|fewer than|another|extra|first|only|every|per|each|to|of the|or|between|past|last|next"
    r"|these|those)\s*$"
    r"|[-–/~+<>=$€£]\s*$"
)
"""Before a number: it is vague, one of many, or a part."""
_OR_MORE = re.compile(
    r"(?i)\s*(?:or so|or more|plus|\+|-|–|to\s+\d|or\s+\w+|more|of\s+(?:the|them|us|his|her|my)|%)"
)
_LABEL = re.compile(
    r"(?i)\b(chapter|room|number|no|page|part|volume|act|scene|bus|tram|line|level|day|week|version|grade|year"
    r"|age|phase|step|stage|season|episode|gate|platform|floor|unit|session|track|type|section|apartment|flat)\s*$"
)
_STANDS = re.compile(
    r"(?i)\b(?:is|are|am|has|have|owns?|wants?|needs?|costs?|takes?|requires?|weighs?|pays?|earns?|owes?|keeps?"
    r"|wanted|needed|required|lasts?|holds?|counts?|sleeps?|gets?)\b|\w'(?:s|re|m|ve)\b"
)
"""Told as standing, or as asked for."""
_DONE = re.compile(
    r"(?i)\s+(?:already |now |just |only )?\w+(?:ed|en|wn|ne|ad|old|ent|ept|ought|aught|un|ung|ound)\s"
)
"""A participle after `has`: what was done so far, which grows."""
_GROWS = _stems("year month week day hour minute old time session step left")
"""What is counted by them grows or comes again."""
_NOW = re.compile(
    r"(?i)\b(?:is|are|am|has|have|do|does|can|'s|'re|'m|'ve|still|anymore|any longer|no longer|never"
    r"|always)\b"
    r"|\b(?:i|you|we|they|he|she|it|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:lives?|works?|likes?|loves?|hates?|drinks?|smokes?"
    r"|eats?|plays?|wants?|needs?|speaks?|drives?|owns?|believes?|trusts?|knows?|wears?|takes?)\b"
    r"|(?:n't|'s|'re|'m|'ve)\b"
)
_PAST = re.compile(
    r"(?i)\b(?:did|was|were|had|could|ago|yesterday|last\s+\w+|that (?:day|night|evening)|once|back then)\b"
)
_CEASED = re.compile(
    r"(?i)\b(?:stopped|quit|gave up|given up|no longer|not\b[^.;]{0,30}\b(?:anymore|any more|any longer)"
    r"|has left|left (?:the|his|her|their|my)|is done with|broke up)\b|\banymore\b"
    r"|n't\b[^.;]{0,30}\banymore\b"
)
_TURNS = _stems("stop quit give still anymore longer never done always keep ever left")
_FILL = _stems(
    "still now already actually currently finally just also only really anyway soon due set scheduled booked"
    " planned moved fall start begin again though said told says want need ask is are exactly probably"
    " definitely officially date day week month year time morning evening afternoon noon night tomorrow"
)
"""What says nothing of the subject."""
_RELATIONS = (
    (
        "lives in",
        re.compile(r"(?i:\blives? (?:in|at))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        "works at",
        re.compile(r"(?i:\bworks? (?:at|for))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        "is called",
        re.compile(r"(?i:\b(?:is|are|'s) (?:called|named)|\bname is)\s+(?P<name>[A-Z][\w'’-]*)"),
    ),
)
_WHO = {
    word: who
    for who, words in {
        "i": "i me my mine myself", "you": "you your yours", "he": "he him his himself",
        "she": "she her hers herself", "they": "they them their theirs", "we": "we us our ours",
    }.items()
    for word in words.split()
}  # fmt: skip
_QUOTED = re.compile(r'"[^"\n]*"|‘[^‘’\n]*’(?!\w)')


@lru_cache(maxsize=4096)
def read_facts(telling: Telling) -> tuple[Fact, ...]:
    """What a text claims, sentence by sentence; what it quotes is somebody's word, no claim of its own."""
    text = even(telling.text)
    text = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    found = []
    for start, end in sentences(text):
        sentence = text[start:end]
        if "?" in sentence:
            continue
        whole = telling.text[start:end].strip()
        for clause in _clauses(sentence):
            if not _OPEN.search(clause):
                found += list(_facts(clause, whole, telling.day))
    return tuple(found)


def _clauses(sentence: str) -> Iterator[str]:
    """The sentence in parts; one that says nothing by itself goes with what it hangs on."""
    parts = list(clauses(sentence))
    held = ""
    for part in parts:
        held = f"{held}{part}" if held else part
        if len(stems(held)) > 1:
            yield held
            held = ""
    if held:
        yield held


def _facts(clause: str, sentence: str, day: date | None) -> Iterator[Fact]:
    whens = [
        when for when in dates(clause, day) if when.kind in ("iso", "day", "weekday", "nth", "near", "month")
    ]
    masked = _blank(clause, [(when.start, when.end) for when in whens])
    counted = [one for one in numbers(clause, masked) if not _NTH.search(clause[one.start : one.end])]
    plain = _blank(masked, [(number.start, number.end) for number in counted])
    subject = frozenset(
        word for word in stems(plain) if word not in _FILL and not word.isdigit() and word not in _WHO
    )
    subject |= {
        f"{bare(m[1])} {min(one.values):g}" for one in counted if (m := _LABEL.search(clause[: one.start]))
    }
    persons = frozenset(_WHO[word] for m in WORD.finditer(plain) if (word := bare(m[0])) in _WHO)
    called = frozenset(stem(name) for _, _, name in names(clause, plain))

    def fact(slot: Slot, about: frozenset[str] = subject, **more: object) -> Fact:
        return Fact(slot, about, persons, called & about, sentence, **more)  # type: ignore[arg-type]

    for when in whens:
        before = clause[: when.start]
        if _ONE_OF_MANY.search(_blank(clause, [(when.start, when.end)])):
            continue
        if _PAST.search(clause) and ONCE.isdisjoint(subject):
            continue
        fixed = not FIXED.isdisjoint(subject)
        if subject and len(whens) == 1 and ((fixed and _BY.search(before)) or _SET.search(before)):
            yield fact(Slot.DATE, when=_to_come(when, day), repeated=_is_repeated(clause, when))
    for number in counted:
        if number.clock:
            if subject and re.search(r"(?i)\bat\s+$", clause[: number.start]) and _STANDS_AT.search(clause):
                yield fact(Slot.NUMBER, key="clock", number=number, beside=tuple(whens))
        elif _is_count(clause, number):
            noun = number.counts[0] if number.counts else "money"
            about = subject | {noun} if number.counts else subject
            if about:
                key = f"{_verb(clause[: number.start])} {noun}"
                yield fact(Slot.NUMBER, about, key=key, number=number, beside=tuple(whens))
    yield from _names(clause, plain, fact)
    yield from _state(clause, whens, fact)


_STANDS_AT = re.compile(r"(?i)\b(?:is|are|leaves|opens|closes|starts|begins|ends|arrives|departs|'s)\b")


def _to_come(when: When, day: date | None) -> When:
    """A weekday as the next such day: what is told as standing is not over."""
    if when.weekday is None or day is None:
        return when
    return replace(when, spans=tuple(span for span in when.spans if span[1] >= day)[:1])


def _is_repeated(clause: str, when: When) -> bool:
    """Whether it is of every such day: `every Tuesday`, `on Tuesdays`."""
    if when.weekday is None:
        return False
    return bool(_EVERY.search(clause[: when.start])) or clause[when.start : when.end].endswith("days")


def _is_count(clause: str, number: Number) -> bool:
    """Whether a number is told as standing: not vague, no label, nothing that grows by itself."""
    before, after = clause[: number.start], clause[number.end :]
    if not number.plain or len(number.values) != 1 or _ABOUT.search(before) or _OR_MORE.match(after):
        return False
    if _LABEL.search(before) or re.search(r"\d[-.:/]?$|[-:/.]\s?$", before) or re.match(r"[-:/.]\w", after):
        return False
    stands = list(_STANDS.finditer(before))
    if not stands or _PAST.search(clause) or _DONE.match(before[stands[-1].end() :]):
        return False
    if number.counts:
        return not _GROWS.intersection(number.counts[:2]) or _REQUIRED.search(before) is not None
    return re.match(r"[$€£]", clause[number.start : number.start + 1]) is not None


_REQUIRED = re.compile(r"(?i)\b(?:takes?|lasts?|requires?|costs?)\s+$")


def _verb(before: str) -> str:
    """The verb a number hangs on: `has forty pages` is no `wants forty pages`."""
    last = [match[0] for match in _STANDS.finditer(before)][-1].casefold()
    return "is" if last.partition("'")[2] else _SAME_VERB.get(last, stem(last))


_SAME_VERB = {
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


def _names(clause: str, plain: str, fact: Callable[..., Fact]) -> Iterator[Fact]:
    if _PAST.search(clause) or is_negated(clause) is not False:
        return
    for relation, pattern in _RELATIONS:
        match = pattern.search(plain)
        if match:
            about = frozenset(stems(plain[: match.start()])) - _FILL - {stem(match["name"])}
            yield fact(Slot.NAME, about, key=relation, name=match["name"])


def _state(clause: str, whens: list[When], fact: Callable[..., Fact]) -> Iterator[Fact]:
    ceased = bool(_CEASED.search(clause))
    if whens or (not ceased and (not _NOW.search(clause) or _PAST.search(clause))):
        return
    negated = is_negated(re.sub(r"(?i)\b(?:stopped|quit|stops)\b", "", clause))
    if negated is None:
        return
    about = frozenset(stems(clause)) - _TURNS - _FILL - _WHO.keys()
    if about:
        yield fact(
            Slot.STATE,
            about,
            negated=negated or ceased,
            ceased=ceased or "still" in spelt_out(clause).split(),
        )


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
