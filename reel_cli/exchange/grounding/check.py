"""What of a memory its source on the tape does not bear: looked up, without a model."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property, lru_cache

from reel_cli.exchange.grounding.dates import MONTHS, WEEKDAYS, When, dates, is_borne
from reel_cli.exchange.grounding.names import Names, names
from reel_cli.exchange.grounding.numbers import Number, numbers
from reel_cli.exchange.grounding.polarity import Statement, contradiction, statements
from reel_cli.exchange.grounding.words import WORD, bare, clauses, even, quote_key, sentences, stem, stems

_QUOTED = re.compile(r'"([^"\n]+)"|‘([^‘’\n]+(?:’\w[^‘’\n]*)*)’(?!\w)')
_GAP = re.compile(r"\.\.\.|…|\[[^\]\n]*\]|\s/\s")
_FEW = r"(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten)"
_OR_SO = re.compile(rf"(?i)\s*or\s*{_FEW}\b")
_OR_SO_BEFORE = re.compile(rf"(?i)\b{_FEW}\s+or\s+$")
"""`five or six`: nobody counted."""
_LATER = re.compile(r"(?i)\b(?:later|before|earlier|prior|back)$")
_SHORT = 2
"""A quotation of so many words or fewer may be no quotation; its names are looked up all the same."""
_LONGEST = 160
"""In characters; a passage is cut to so many."""
_UNSAID = 1.2
"""The weight of a word that was not said: a memory has its own words for things."""
_LIGHT = frozenset(
    map(
        stem,
        [
            *("hear", "see", "think", "look", "talk", "care", "use", "try", "come"),
            "want",
            "hope",
            "feel",
            "love",
            "like",
            "good",
            "great",
            "time",
            "new",
            "year",
            "day",
            "week",
            "month",
            "next",
            "last",
            "help",
            "people",
            "work",
            "start",
        ],
    )
)
_LIGHT_WEIGHT = 0.4
"""Words that are said of everything."""
_CALENDAR = frozenset(stem(name) for name in (*MONTHS, *WEEKDAYS))


class Claim(StrEnum):
    """What kind of detail it is."""

    QUOTE = "quote"
    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"
    ANCHOR = "anchor"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the source, or what put it right later: its number, who said it, the day, the words."""

    number: int
    speaker: str
    text: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence that was said, and where."""

    number: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """One detail that the source does not bear: its kind, its line, its words, the sentence it stands in.

    `nearest` is what was said that comes closest; None where nothing does.
    """

    kind: Claim
    line: int
    claim: str
    sentence: str
    nearest: Passage | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A paragraph of a memory: its text, and the line in the file that each part of it begins on.

    `lines` are pairs (offset, line), rising. A `title` has capitals of its own; `anchors` are phrases that
    must have been said; in what is `open` nothing is claimed to be so or not so.
    """

    text: str
    lines: tuple[tuple[int, int], ...]
    title: bool = False
    anchors: bool = False
    open: bool = False

    def line_at(self, offset: int) -> int:
        """The line in the file of a place in the text."""
        return next((line for start, line in reversed(self.lines) if start <= offset), self.lines[0][1])


@dataclass(frozen=True, slots=True)
class Said:
    """One message, looked at once."""

    turn: Turn
    key: str
    words: tuple[str, ...]
    capitals: frozenset[str]
    numbers: tuple[Number, ...]
    dates: tuple[When, ...]
    statements: tuple[Statement, ...]


def look_at_turn(turn: Turn, answer: str = "") -> Said:
    """What a message bears; `answer` is what was said next."""
    text = even(turn.text)
    found = dates(text, turn.day)
    return Said(
        turn,
        quote_key(text),
        tuple(bare(match[0]) for match in WORD.finditer(text)),
        frozenset(bare(match[0]) for match in WORD.finditer(text) if match[0][0].isupper()),
        tuple(numbers(text, _masked(text, [(w.start, w.end) for w in found]))),
        tuple(found),
        tuple(statements(turn.number, turn.text, answer)),
    )


class Source:
    """A stretch of tape, ready to be asked what it bears."""

    def __init__(
        self, said: Sequence[Said], known: str = "", who: str = "", titles: Sequence[str] = ()
    ) -> None:
        """`known` holds names that need no source: who speaks, and what the persona is told it is.

        `titles` are those of the sessions it is a part of.
        """
        self.said = said
        self.days = sorted({one.turn.day for one in said if one.turn.day is not None})
        self.today = self.days[0] if self.days else None
        words = [one.words for one in said]
        more = (*titles, *(one.turn.speaker for one in said))
        extra = _bare_words(known).union(*map(_bare_words, more))
        capitals = extra.union(*(one.capitals for one in said))
        self.names = Names(extra.union(*words), words, capitals)
        self.numbers = [number for one in said for number in one.numbers]
        self.dates = [when for one in said for when in one.dates]
        self.statements = [one for told in said for one in told.statements]
        counts = Counter(word for one in self.statements for word in one.stems)
        total = len(self.statements) + 1
        self.weight = {word: 0.3 + math.log(total / n) for word, n in counts.items()}
        self._known = frozenset(map(stem, extra))
        self._speakers = frozenset(
            map(stem, _bare_words(who).union(*(_bare_words(one.turn.speaker) for one in said)))
        )
        self._keys = [one.key for one in said]
        self._nearest: dict[str, Passage | None] = {}

    @cached_property
    def stems(self) -> frozenset[str]:
        """The root of every word that was said, and of all that is known beforehand."""
        said = {stem(word) for one in self.said for word in one.words}
        return frozenset(map(stem, said | self._speakers | self._known))

    @cached_property
    def _sums(self) -> dict[float, list[set[str]]]:
        return _sums(self.said)

    def bears_quote(self, text: str) -> bool:
        """Whether the words were said so, in one message, gaps apart."""
        parts = [key for part in _GAP.split(text) if (key := quote_key(part)).strip()]
        return all(any(part in key for key in self._keys) for part in parts)

    def has(self, sentence: str) -> bool:
        """Whether a sentence of some words was said so."""
        key = quote_key(sentence)
        return any(key in one for one in self._keys)

    def may_have(self, key: str) -> bool:
        """Whether anything that was said has these words, as `quote_key` writes them, within it."""
        return any(key.strip() in one for one in self._keys)

    def bears_number(self, number: Number) -> bool:
        """Whether the number was said, or follows from two that were, and of the same things."""
        same = [n for n in self.numbers if n.values & number.values]
        lengths = [n for n in self.numbers if n.seconds is not None and number.seconds is not None]
        if any(_near(n.seconds, number.seconds) for n in lengths):
            return True
        if number.clock:
            return any(n.clock or not n.counts for n in same)
        if not same:
            return self._adds_up(number) or self._between(number)
        if not number.counts or any(not n.counts or set(n.counts) & set(number.counts) for n in same):
            return True
        # thirty minutes are no thirty hours; whatever else is counted goes by many names
        return number.seconds is None or any(n.seconds is None for n in same)

    def _adds_up(self, number: Number) -> bool:
        """Whether two numbers that were said together, of the same things, come to this one."""
        mine = set(number.counts)
        return any(
            not mine or not things or mine & things
            for value in number.values
            for things in self._sums.get(value, ())
        )

    def _between(self, number: Number) -> bool:
        """Whether it is the time between two days that were spoken of."""
        if number.seconds is None or number.seconds < 86_400 * max(number.values):
            return False
        spans = [span for one in self.dates for span in one.spans] + [(d, d) for d in self.days]
        days = {abs((a[0] - b[0]).days) for a in spans for b in spans if a != b} if len(spans) < 60 else set()
        wanted = number.seconds / 86_400
        return any(abs(gap - wanted) <= max(0.5, wanted * 0.08) for gap in days)

    def nearest(self, text: str) -> Passage | None:
        """The sentence that shares most with the text."""
        if text not in self._nearest:
            self._nearest[text] = self._find_nearest(text)
        return self._nearest[text]

    def _find_nearest(self, text: str) -> Passage | None:
        weights = {word: self.weight.get(word, 1.0) for word in stems(text)}
        wanted, heaviest = weights.keys(), max(weights.values(), default=0.0)
        best, most = None, 0.0
        for one in self.statements:
            shared = wanted & one.stems
            if len(shared) * heaviest <= most:
                continue
            # in any order the same to the last bit, so that the same passage is the nearest every time
            score = math.fsum(map(weights.__getitem__, shared))
            if score > most:
                best, most = one, score
        if best is None:
            return None
        who = next(one.turn.speaker for one in self.said if one.turn.number == best.turn)
        return Passage(best.turn, who, _clipped(best.text))

    def weigh(self, word: str) -> float:
        """How much a stem says: what was said everywhere little, who speaks and when nothing."""
        if word in self._speakers or word[:1].isdigit() or word in _CALENDAR:
            return 0.0
        return _LIGHT_WEIGHT if word in _LIGHT else self.weight.get(word, _UNSAID)


def count_unsaid(text: str, source: Source) -> tuple[int, int]:
    """How many different words of a text that say something were not said in any form; how many it has."""
    plain = even(text)
    told = {word for start, end in sentences(plain) for word in stems(plain[start:end])}
    # numbers are looked up as what they amount to; a root has lost both endings of `letters`
    mine = {stem(word) for word in told if not word[:1].isdigit()}
    return len(mine - source.stems), len(mine)


def find_ungrounded(
    memory: Sequence[Stretch], source: Source, *, most: int | None = None
) -> list[Ungrounded]:
    """Everything in a memory that its source does not bear, in order; what is said twice is told once.

    What comes nearest is looked for where it is one of the first `most`.
    """
    found: dict[tuple[Claim, str], tuple[Ungrounded, str]] = {}
    looked_at: set[tuple[str, bool, bool, bool]] = set()
    for stretch in memory:
        same = (stretch.text, stretch.title, stretch.anchors, stretch.open)
        if same in looked_at:
            # a marker that is the body, a tag that is the title
            continue
        looked_at.add(same)
        text = even(stretch.text)
        bounds = list(sentences(text))
        said: dict[str, bool] = {}
        for kind, start, end, nearest in _claims(text, stretch, source):
            claim = stretch.text[start:end].strip()
            claim = claim.rstrip(".") if kind is Claim.DATE else claim
            sentence = next((text[a:b].strip() for a, b in bounds if a <= start < b), text.strip())
            key = quote_key(claim)
            if sentence not in said and source.may_have(key):
                said[sentence] = source.has(sentence)
            if said.get(sentence):
                # word for word what was said
                continue
            one = Ungrounded(kind, stretch.line_at(start), claim, sentence, nearest)
            about = claim if kind in (Claim.QUOTE, Claim.ANCHOR) else sentence
            found.setdefault((kind, key), (one, about))
    ordered = sorted(found.values(), key=lambda pair: pair[0].line)
    return [
        replace(one, nearest=one.nearest or source.nearest(about)) if most is None or place < most else one
        for place, (one, about) in enumerate(ordered)
    ]


def _claims(text: str, stretch: Stretch, source: Source) -> Iterator[tuple[Claim, int, int, Passage | None]]:
    quoted = []
    for match in _QUOTED.finditer(text):
        inside = match[1] or match[2]
        size = len(WORD.findall(inside))
        begin = match.start() + match[0].index(inside)
        if stretch.anchors or size > _SHORT:
            quoted.append(match.span())
            if not source.bears_quote(inside):
                yield Claim.ANCHOR if stretch.anchors else Claim.QUOTE, begin, begin + len(inside), None
    if stretch.anchors:
        return
    masked = _masked(text, quoted)
    # `a week later` goes on from another day than today, so only its number can be looked up
    whens = [when for when in dates(masked, source.today) if not _LATER.search(masked[when.start : when.end])]
    for when in whens:
        if not is_borne(when, source.dates, source.days):
            yield Claim.DATE, when.start, when.end, None
    yield from _wrong_weekdays(whens, masked)
    without_dates = _masked(masked, [(w.start, w.end) for w in whens])
    for number in _numbers(text, without_dates):
        if not source.bears_number(number):
            yield Claim.NUMBER, number.start, number.end, None
    for start, end, name in names(text, without_dates, title=stretch.title):
        if not source.names.bears(name):
            yield Claim.NAME, start, end, None
    if not (stretch.title or stretch.open):
        yield from _turned(masked, source)


def _wrong_weekdays(whens: Sequence[When], text: str) -> Iterator[tuple[Claim, int, int, None]]:
    """A weekday beside a date that falls on another."""
    for one, other in itertools.pairwise(whens):
        close = re.fullmatch(r",?\s+(?:the\s+)?", text[one.end : other.start])
        beside = one.weekday is not None and other.kind == "day" and close and other.spans
        if beside and all(first.weekday() != one.weekday for first, _ in other.spans):
            yield Claim.DATE, one.start, one.end, None


def _numbers(text: str, masked: str) -> Iterator[Number]:
    """The numbers that are claims: not a pointer such as `the two of us`, not a list's own length."""
    for number in numbers(text, masked):
        if not number.plain:
            continue
        before, after = text[max(0, number.start - 14) : number.start], text[number.end : number.end + 90]
        if number.values == {2.0} and (
            re.search(
                r"(?i)\b(?:the|us|these|those|we|our|between|you|them|my|your|his|her|their|or|in)\s+$",
                before,
            )
            or re.match(
                r"(?i)\s+(?:of (?:us|them|you)|guys|people|friends|more|sides|ways|things|words)\b", after
            )
        ):
            continue
        if _OR_SO.match(after) or _OR_SO_BEFORE.search(before):
            continue
        listed = re.match(r"[^.!?:\n]{0,40}(?::|,|\()([^.!?\n]+)", text[number.end :])
        if listed and max(number.values) == len(re.split(r",\s*(?:and\s)?|\sand\s", listed[1])):
            continue
        yield number


def _turned(text: str, source: Source) -> Iterator[tuple[Claim, int, int, Passage | None]]:
    for start, end in sentences(text):
        sentence = text[start:end]
        at = start
        for clause in clauses(sentence):
            at = text.index(clause, at)
            said = contradiction(clause, sentence, source.statements, source.weigh)
            if said is not None and "?" not in sentence:
                who = next(one.turn.speaker for one in source.said if one.turn.number == said.turn)
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                yield (
                    Claim.NEGATION,
                    at + lead,
                    at + len(clause),
                    Passage(said.turn, who, _clipped(said.text)),
                )
            at += len(clause)


@lru_cache(maxsize=64)
def _bare_words(text: str) -> frozenset[str]:
    """The words of what is known beforehand, or of a name."""
    return frozenset(bare(match[0]) for match in WORD.finditer(even(text)))


def _sums(said: Sequence[Said]) -> dict[float, list[set[str]]]:
    """What two numbers of one message, or of neighbours, come to, where they count the same things."""
    found: dict[float, list[set[str]]] = {}
    for one, other in zip(said, [*said[1:], None], strict=True):
        near = [n for n in one.numbers if len(n.values) == 1][:12]
        more = [n for n in other.numbers if len(n.values) == 1][:12] if other is not None else []
        for place, a in enumerate(near):
            for b in [*near[place + 1 :], *more]:
                things = set(a.counts).intersection(b.counts)
                if things or (len(near) < 4 and b in near):
                    total = next(iter(a.values)) + next(iter(b.values))
                    found.setdefault(total, []).append(things)
    return found


def _near(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= 0.02 * max(one, other)


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with these stretches blank, of the same length."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _clipped(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"
