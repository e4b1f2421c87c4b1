"""Index of the words, names, numbers and dates of a stretch of tape, for looking up claims."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, lru_cache

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import (
    HAN_DIGITS,
    WORD,
    bare,
    even,
    quote_key,
    sentences,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.names import Names, find_like
from reel_cli.core.evidence.grounding.numbers import COUNTING, ORDINALS, SCALES, Number, numbers
from reel_cli.core.evidence.grounding.polarity import Statement, statements
from reel_cli.core.evidence.grounding.short_years import find_short_years
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen

_GAP = re.compile(r"\.\.\.|…|\[[^\]\n]*\]|\s/\s")
_LIST = re.compile(
    r"\b\w{1,40}(?:[ '-]\w+){0,2}(?:, (?!and |or )\w+(?:[ '-]\w+){0,2}){1,6}(?P<comma>,)? (?:and|or) \w+"
)
"""Pattern of lists such as `chocolate, raspberry and coconut`: they imply a number that nobody said."""
_COUNTED = ("back", "nth", "either")
"""Kinds of dates that are also counts: `Five years ago` is a number of years, `the 4th` may be a quarter."""
_TEN_THOUSAND = 10_000
_LONGEST = 160
"""Characters a passage is cut to."""
_SHOWN = 100
"""Characters from a sentence's beginning within which a number is shown with it, and not from itself on."""
_UNSAID = 1.2
"""The weight of a word that was not said: a memory has its own words for things."""
_LIGHT = frozenset(
    map(
        stem,
        [
            *("hear", "see", "think", "look", "talk", "care", "use", "try", "come", "become"),
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
_NUMBER_WORDS = frozenset((*COUNTING, *ORDINALS, "first"))
_LIGHT_WEIGHT = 0.4
"""Words that are said of everything."""
_NEUTRAL = frozenset(map(stem, (*MONTHS, *WEEKDAYS, *COUNTING)))
"""Stems that are looked up as dates and numbers instead."""


def _are_numbers(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two neighbouring words make up one number."""
    words = {*one, *other} if one and other else set()
    return bool(words) and (words <= _NUMBER_WORDS or words <= HAN_DIGITS)


@frozen
class Turn:
    """One message of the source, or what put it right later: its number, who said it, the day, the words.

    `session` is the one it is of, where the source has several.
    """

    number: int
    speaker: str
    text: str
    day: date | None = None
    session: str = ""


@frozen
class Passage:
    """A sentence that was said, and where; `session` is told where the source has several."""

    number: int
    speaker: str
    text: str
    session: str = ""


@frozen
class SourceMessage:
    """One message, looked at once."""

    turn: Turn
    key: str
    words: tuple[str, ...]
    capitals: frozenset[str]
    numbers: tuple[Number, ...]
    dates: tuple[When, ...]
    statements: tuple[Statement, ...]
    lists: tuple[tuple[int, frozenset[str]], ...] = ()


@lru_cache(maxsize=1024)
def look_at_turn(turn: Turn, answer: str = "") -> SourceMessage:
    """Return the index of one message, the same for each look; `answer` is the next message's text."""
    text = even(turn.text)
    found = dates(text, turn.day, said=True)
    return SourceMessage(
        turn,
        quote_key(text),
        tuple(bare(match[0]) for match in WORD.finditer(text)),
        frozenset(bare(match[0]) for match in WORD.finditer(text) if match[0][0].isupper()),
        tuple(numbers(text, mask(text, [(w.start, w.end) for w in found if w.kind not in _COUNTED]))),
        (*found, *find_short_years(text, found)),
        tuple(
            replace(one, session=turn.session) if turn.session else one
            for one in statements(turn.number, turn.text, answer, turn.speaker)
        ),
        tuple(_lists(text)),
    )


class Source:
    """A stretch of tape, ready to be asked what it bears."""

    def __init__(
        self,
        said: Sequence[SourceMessage],
        known: str = "",
        who: str = "",
        titles: Sequence[str] = (),
        me: str = "",
    ) -> None:
        """Index the turns; `known` holds names that need no source: the speakers, and the persona's identity.

        `titles` are those of the sessions it is a part of; `me` is the speaker who remembers.
        """
        self.said = said
        self.several = len({one.turn.session for one in said}) > 1
        speakers = {one.turn.speaker for one in said}
        self.voices = {"i": me, "he": "", "she": ""} if me in speakers else None
        if self.voices is not None:
            self.voices |= {
                word: name if name == me else ""
                for name in speakers
                for word in (even(name).casefold().split() or [""])[:1]
            }
        self.days = sorted({one.turn.day for one in said if one.turn.day is not None})
        self.today = self.days[0] if self.days else None
        words = [one.words for one in said]
        more = (*titles, *(one.turn.speaker for one in said))
        extra = _bare_words(known).union(*map(_bare_words, more), *map(_feasts, self.days))
        capitals = extra.union(*(one.capitals for one in said))
        self.names = Names(extra.union(*words), words, capitals)
        self.numbers = [number for one in said for number in one.numbers]
        self.lists = [listed for one in said for listed in one.lists]
        self.dates = [when for one in said for when in one.dates]
        self.statements = [one for told in said for one in told.statements]
        counts = Counter(word for one in self.statements if not one.whole for word in one.stems)
        total = sum(not one.whole for one in self.statements) + 1
        self.weight = {word: 0.3 + math.log(total / n) for word, n in counts.items()}
        self._extra = extra
        self._who = _bare_words(who)
        self._known = frozenset(map(stem, extra))
        self._speakers = frozenset(
            map(stem, _bare_words(who).union(*(_bare_words(one.turn.speaker) for one in said)))
        )
        self._keys = [one.key for one in said]
        self._nearest: dict[str, Passage | None] = {}

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the root of every word that was said, and of all that is known beforehand."""
        said = {stem(word) for one in self.said for word in one.words}
        return frozenset(map(stem, said | self._speakers | self._known))

    @cached_property
    def turns(self) -> Sequence[str]:
        """Return the text of each message, in lower case."""
        return [even(one.turn.text).casefold() for one in self.said]

    @cached_property
    def told(self) -> Sequence[tuple[Statement, str]]:
        """Return the statements but those that are all of a message, each with its text in lower case."""
        return [(one, one.text.casefold()) for one in self.statements if not one.whole]

    @cached_property
    def pairs(self) -> Sequence[str]:
        """Return each message's text together with the next one's, in lower case."""
        return [f"{one}\n{other}" for one, other in zip(self.turns, [*self.turns[1:], ""], strict=True)]

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Return the bare words of the speakers' names."""
        return self._who.union(*(_bare_words(one.turn.speaker) for one in self.said))

    def mentions(self, word: str) -> bool:
        """Return whether a word was said in any form, or a near synonym, or is known beforehand."""
        pattern = word_forms(word)
        return any(map(pattern.stands_in, self.turns)) or any(map(pattern.stands_in, self._extra))

    @cached_property
    def _sums(self) -> dict[float, list[set[str]]]:
        return _sums(self.said)

    def bears_quote(self, text: str) -> bool:
        """Return whether a quotation was said word for word in one message, ignoring gaps."""
        parts = [key for part in _GAP.split(text) if (key := quote_key(part)).strip()]
        return all(any(part in key for key in self._keys) for part in parts)

    def has(self, sentence: str) -> bool:
        """Return whether a sentence of a few words was said word for word."""
        key = quote_key(sentence)
        return any(key in one for one in self._keys)

    def has_whole(self, sentence: str) -> bool:
        """Return whether a sentence was said without a part of a number: `twenty` is not in `twenty-two`."""
        key = quote_key(sentence).strip()
        first, last = (key.split()[place : place + 1 or None] for place in (0, -1))
        for one in self._keys:
            for found in re.finditer(rf"(?<!\w){re.escape(key)}(?!\w)", one):
                lead, after = one[: found.start()].split()[-2:], one[found.end() :].split()[:1]
                before = lead[:1] if lead[1:] == ["and"] and {*lead[:1]} <= SCALES.keys() else lead[-1:]
                if not (_are_numbers(before, first) or _are_numbers(last, after)):
                    return True
        return False

    def has_word(self, word: str) -> bool:
        """Return whether a word was said in just this form."""
        return any(bare(word) in one.words for one in self.said)

    def may_have(self, key: str) -> bool:
        """Return whether any message contains these words, as `quote_key` writes them."""
        return any(key.strip() in one for one in self._keys)

    def bears_number(self, number: Number) -> bool:
        """Return whether the number was said, or follows from two that were said of the same things."""
        same = [n for n in self.numbers if n.values & number.values]
        lengths = [n for n in self.numbers if n.seconds is not None and number.seconds is not None]
        if any(_near(n.seconds, number.seconds) for n in lengths):
            return True
        if number.clock:
            exact = {value for value in number.values if value != int(value)} or number.values
            return any((n.clock or not n.counts) and n.values & exact for n in same)
        if any(size in number.values and things & set(number.counts) for size, things in self.lists):
            return True
        if not same:
            return self.adds_up(number) or self._between(number) or self._is_thousands(number)
        if not number.counts or any(not n.counts or set(n.counts) & set(number.counts) for n in same):
            return True
        # thirty minutes are not thirty hours; other units have many names
        return number.seconds is None

    def adds_up(self, number: Number) -> bool:
        """Return whether two numbers that were said together of the same things add up to this one."""
        mine = set(number.counts)
        return any(
            not mine or not things or mine & things
            for value in number.values
            for things in self._sums.get(value, ())
        )

    def _is_thousands(self, number: Number) -> bool:
        """Return whether thousands were said without the word, as people do of money: `it's 75 now`."""
        thousands = {
            value / 1_000 for value in number.values if value >= _TEN_THOUSAND and value % 1_000 == 0
        }
        return any(
            thousands & one.values and one.plain and one.seconds is None and not one.clock
            for one in self.numbers
        )

    def _between(self, number: Number) -> bool:
        """Return whether the number is the time between two days that were mentioned."""
        if number.seconds is None or number.seconds < 86_400 * max(number.values):
            return False
        spans = [span for one in self.dates for span in one.spans] + [(d, d) for d in self.days]
        days = {abs((a[0] - b[0]).days) for a in spans for b in spans if a != b} if len(spans) < 60 else set()
        wanted = number.seconds / 86_400
        return any(abs(gap - wanted) <= max(0.5, wanted * 0.08) for gap in days)

    def nearest(self, text: str) -> Passage | None:
        """Return the sentence that shares most with the text."""
        if text not in self._nearest:
            self._nearest[text] = self._find_nearest(text)
        return self._nearest[text]

    def nearest_name(self, name: str) -> Passage | None:
        """Return the sentence with the name that is most like one that was not said; None for none."""
        alike = ((find_like(name, one.text), one) for one in self.statements if not one.whole)
        most, best = max(alike, key=lambda pair: pair[0], default=(0.0, None))
        return self.passage(best) if best is not None and most else None

    def nearest_count(self, number: Number, text: str) -> Passage | None:
        """Return the sentence that counts what a number does and shares most with a text; None for none.

        Of several, it is one in the message that is nearest to the text.
        """
        wanted, found = {*stems(text)}, list[tuple[int, Passage]]()
        for one in self.said:
            plain = even(one.turn.text)
            for other in one.numbers:
                if not {*number.counts} & {*other.counts}:
                    continue
                start, end = next((a, b) for a, b in sentences(plain) if a <= other.start < b)
                lead = other.start if other.end - start > _SHOWN else start
                said = f"{'…' if lead > start else ''}{clipped(one.turn.text[lead:end])}"
                session = one.turn.session if self.several else ""
                shared = len(wanted.intersection(stems(plain[start:end])))
                found.append((shared, Passage(one.turn.number, one.turn.speaker, said, session)))
        most = max((shared for shared, _ in found), default=0)
        best = [passage for shared, passage in found if shared == most]
        near = self.nearest(text) if len(best) > 1 else None
        there = [one for one in best if near and (one.session, one.number) == (near.session, near.number)]
        return next(iter(there or best), None)

    def _find_nearest(self, text: str) -> Passage | None:
        weights = {word: self.weight.get(word, 1.0) for word in stems(text)}
        wanted, heaviest = weights.keys(), max(weights.values(), default=0.0)
        best, most = None, 0.0
        # one word in common with a long sentence is chance
        least = min(2, len(wanted))
        for one in self.statements:
            shared = wanted & one.stems
            if len(shared) < least or len(shared) * heaviest <= most:
                continue
            # fsum gives the same sum in any order, so the same passage is the nearest each time
            score = math.fsum(map(weights.__getitem__, shared))
            if score > most:
                best, most = one, score
        if best is None:
            return None
        return self.passage(best)

    def passage(self, said: Statement) -> Passage:
        """Return a statement as a passage to be shown."""
        return Passage(said.turn, said.speaker, clipped(said.text), said.session if self.several else "")

    def weigh(self, word: str) -> float:
        """Return the weight of a stem: low for common words, zero for speakers' names and numbers."""
        if word in self._speakers or word[:1].isdigit() or word in _NEUTRAL:
            return 0.0
        return _LIGHT_WEIGHT if word in _LIGHT else self.weight.get(word, _UNSAID)


def _lists(text: str) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the length of each list of things, and the stems of the sentence that holds it."""
    for start, end in sentences(text):
        if "," not in text[start:end]:
            continue
        for match in _LIST.finditer(text, start, end):
            yield match[0].count(",") + (not match["comma"]) + 1, frozenset(stems(text[start:end]))


_FEASTS = {
    (12, 25): "christmas xmas eve", (10, 31): "halloween", (12, 31): "new year eve", (1, 1): "new year",
    (2, 14): "valentine valentines", (7, 4): "independence", (3, 17): "patrick patricks",
}  # fmt: skip


def _feasts(day: date) -> frozenset[str]:
    """Return the names of the holidays near a day, which need no source."""
    near = (
        day + timedelta(days=shift)
        for shift in range(-7, 8)
        if date.min.toordinal() + 7 < day.toordinal() < date.max.toordinal() - 7
    )
    return frozenset(word for one in near for word in _FEASTS.get((one.month, one.day), "").split())


@lru_cache(maxsize=64)
def _bare_words(text: str) -> frozenset[str]:
    """Return the bare words of a text."""
    return frozenset(bare(match[0]) for match in WORD.finditer(even(text)))


def _sums(said: Sequence[SourceMessage]) -> dict[float, list[set[str]]]:
    """Return the sums of two numbers in one message or in neighbours, with the things both count."""
    found: dict[float, list[set[str]]] = {}
    for one, other in zip(said, [*said[1:], None], strict=True):
        near = [n for n in one.numbers if len(n.values) == 1][:12]
        more = [n for n in other.numbers if len(n.values) == 1][:12] if other is not None else []
        for place, a in enumerate(near):
            # what an answer repeats is no second one
            for b in [*near[place + 1 :], *(one for one in more if one.values != a.values)]:
                things = set(a.counts).intersection(b.counts)
                if things or (len(near) < 4 and b in near):
                    total = next(iter(a.values)) + next(iter(b.values))
                    found.setdefault(total, []).append(things)
    return found


def _near(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= 0.02 * max(one, other)


def mask(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with these stretches blank, of the same length."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def clipped(text: str) -> str:
    """Return a passage as it is shown."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"
