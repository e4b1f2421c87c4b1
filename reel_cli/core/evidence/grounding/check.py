"""Details of a memory that its source on the tape does not support, found without a model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum

from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.date_words import WEEKS_ELSEWHERE, days_elsewhere
from reel_cli.core.evidence.grounding.dates import When, dates, list_weekdays
from reel_cli.core.evidence.grounding.denial import contradiction, is_plain
from reel_cli.core.evidence.grounding.lexicon import WORD, clauses, even, quote_key, sentences, stem, stems
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import Number, numbers
from reel_cli.core.evidence.grounding.source import Passage, Source, mask
from reel_cli.core.evidence.quoted_words import find_set_apart
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line

_QUOTED = re.compile(r'"([^"\n]+)"|‘([^‘’\n]+(?:’\w[^‘’\n]*)*)’(?!\w)')
_FEW = r"(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten)"
_OR_SO = re.compile(rf"(?i)\s*or\s*{_FEW}\b")
_OR_SO_BEFORE = re.compile(rf"(?i)\b{_FEW}\s+or\s+$")
"""Pattern of estimates such as `five or six`, which nobody counted."""
_LATER = re.compile(r"(?i)\b(?:later|before|earlier|prior|back)$")
_LENGTH = re.compile(r"(?i)within\b|in (?:a|one) day\b")
"""Pattern of lengths of time: `she kept it within a day` names no day."""
_KOREAN = re.compile("[\uac00-\ud7a3]+")
_SHORT = 2
"""A quotation of so many words or fewer may be no quotation; its names are looked up all the same."""


class Claim(StrEnum):
    """Kinds of detail."""

    QUOTE = "quote"
    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"
    ANCHOR = "anchor"
    WORD = "word"
    SPEAKER = "speaker"
    SCENE = "scene"
    DONE = "done"


_WORDS = {
    Claim.QUOTE: "was not said so",
    Claim.ANCHOR: "was not said so, and finds nothing",
    Claim.NAME: "is a name that was not said",
    Claim.NUMBER: "is a number that was not said",
    Claim.DATE: "is not a date that was spoken of",
    Claim.NEGATION: "says the opposite of what was said",
    Claim.WORD: "was not spoken of",
    Claim.SPEAKER: "was said by the other of the two",
    Claim.SCENE: "was not said, nor anything like it",
    Claim.DONE: "is told as done, and was still to come",
}


@frozen
class UngroundedDetail:
    """One detail that the source does not bear: its kind, its line, its words, the sentence it stands in.

    `nearest` is what was said that comes closest; None where nothing does. A negation is `plain` where
    it denies for good what it names.
    """

    kind: Claim
    line: int
    claim: str
    sentence: str
    nearest: Passage | None
    plain: bool = True


@frozen
class Stretch:
    """A paragraph of a memory: its text, and the line in the file that each part of it begins on.

    `lines` are pairs (offset, line), rising. A `title` has capitals of its own; `anchors` are phrases that
    must have been said; in what is `open` nothing is claimed to be so or not so. What is `told` is an
    account of what happened, not a thought about it.
    """

    text: str
    lines: tuple[tuple[int, int], ...]
    title: bool = False
    anchors: bool = False
    open: bool = False
    told: bool = False

    def line_at(self, offset: int) -> int:
        """Return the line in the file of a place in the text."""
        return next((line for start, line in reversed(self.lines) if start <= offset), self.lines[0][1])


def told(one: UngroundedDetail) -> str:
    """Return an unsupported detail in words, with the nearest passage."""
    claim = one_line(one.claim, 80)
    if one.nearest is None:
        return f'"{claim}" {_WORDS[one.kind]}'
    near = one.nearest
    where = f"{near.session}#{near.number}" if near.session else f"message {near.number}"
    place = f"{near.speaker}, {where}" if near.number else near.speaker
    # what has a nearest line is not unlike all that was said
    how = _WORDS[Claim.QUOTE if one.kind is Claim.SCENE else one.kind]
    return f'"{claim}" {how}; the nearest is "{one_line(near.text, 120)}" ({place})'


def count_unsaid(text: str, source: Source) -> tuple[int, int]:
    """Return how many distinct content words of a text were never said in any form, and how many it has."""
    mine = list_words(text)
    there = list_said(source) if any(_pairs(text)) else source.stems
    return len(mine.difference(there)), len(mine)


def list_words(text: str) -> frozenset[str]:
    """Return the stems of a text's words; of scripts without spaces and of Korean, pairs of characters."""
    # a run of such a script is one long word
    plain = (word for word in list_content(text) if not any(_pairs(word)))
    return frozenset(plain).union(_pairs(text))


def list_said(source: Source) -> frozenset[str]:
    """Return the words that a stretch of tape holds, in the forms of `list_words`."""
    return source.stems.union(*(_pairs(one.turn.text) for one in source.said))


def _pairs(text: str) -> Iterator[str]:
    """Yield the pairs of characters of scripts without spaces, and of Korean words, which have particles."""
    if text.isascii():
        return
    from reel_cli.core.tape.search.query import pairs

    yield from pairs(text)
    for word in _KOREAN.findall(text):
        yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))


def list_content(text: str) -> set[str]:
    """Return the stems of a text's content words, without numbers, which are looked up by value."""
    plain = even(text)
    told = {word for start, end in sentences(plain) for word in stems(plain[start:end])}
    # stemming takes both endings off `letters`
    return {stem(word) for word in told if not word[:1].isdigit()}


def find_ungrounded(
    memory: Sequence[Stretch], source: Source, *, most: int | None = None
) -> list[UngroundedDetail]:
    """Return everything in a memory that its source does not support, in order and without repetition.

    What comes nearest is looked for where it is one of the first `most`.
    """
    found: dict[tuple[Claim, str], tuple[UngroundedDetail, str]] = {}
    looked_at: set[tuple[str, bool, bool, bool]] = set()
    for stretch in memory:
        same = (stretch.text, stretch.title, stretch.anchors, stretch.open)
        if same in looked_at:
            # a marker that equals the body, or a tag that equals the title
            continue
        looked_at.add(same)
        text = even(stretch.text)
        bounds = list(sentences(text))
        said: dict[str, bool] = {}
        for kind, start, end, nearest in _claims(text, stretch, source):
            claim = stretch.text[start:end].strip()
            claim = claim.rstrip(".") if kind is Claim.DATE else claim
            first, last = next(((a, b) for a, b in bounds if a <= start < b), (0, len(text)))
            sentence = text[first:last].strip()
            key = quote_key(claim)
            if sentence not in said and source.may_have(key):
                said[sentence] = source.has(sentence)
            if (
                said.get(sentence)
                and end <= last
                and (kind is not Claim.NUMBER or source.has_whole(sentence))
            ):
                # the same words were said
                continue
            if kind is Claim.NEGATION and end > last:
                # a quotation mark that nothing closes can lead a claim into the next sentence
                beyond = next((b for a, b in bounds if a < end <= b), len(text))
                if source.has(text[first:beyond].strip()):
                    continue
            plain = kind is not Claim.NEGATION or is_plain(text[start:last])
            one = UngroundedDetail(kind, stretch.line_at(start), claim, sentence, nearest, plain)
            about = claim if kind in (Claim.QUOTE, Claim.ANCHOR) else sentence
            if kind is Claim.NAME:
                # what else its sentence tells may have nothing to do with the name
                about = next((part for part in clauses(sentence) if claim in part), sentence)
            found.setdefault((kind, key), (one, about))
    ordered = sorted(found.values(), key=lambda pair: pair[0].line)
    return [
        replace(one, nearest=one.nearest or source.nearest(about)) if most is None or place < most else one
        for place, (one, about) in enumerate(ordered)
    ]


def mask_quoted(text: str) -> str:
    """Return an even text with its quotations blank."""
    return mask(text, [m.span() for m in _QUOTED.finditer(text) if len(WORD.findall(m[1] or m[2])) > _SHORT])


def claimed_numbers(text: str, masked: str, source: Source) -> list[Number]:
    """Return the numbers of an even text that are claims; `masked` is it without its quotations."""
    told = dates(masked, source.today, source.days[1:])
    return list(_numbers(text, mask(masked, [(w.start, w.end) for w in told])))


def _quoted(text: str, stretch: Stretch) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the place of each quotation with its marks, and of the words alone."""
    for match in _QUOTED.finditer(text):
        inside = match[1] or match[2]
        if stretch.anchors or len(WORD.findall(inside)) > _SHORT:
            begin = match.start() + match[0].index(inside)
            yield match.span(), (begin, begin + len(inside))
    if not stretch.anchors:
        yield from ((place, place) for place in find_set_apart(text))


def _claims(text: str, stretch: Stretch, source: Source) -> Iterator[tuple[Claim, int, int, Passage | None]]:
    quoted = []
    for whole, (start, end) in _quoted(text, stretch):
        quoted.append(whole)
        if not source.bears_quote(text[start:end]) and not (_is_supposed(text, *whole)):
            yield Claim.ANCHOR if stretch.anchors else Claim.QUOTE, start, end, None
    if stretch.anchors:
        return
    masked = mask(text, quoted)
    # `a week later` counts from another day than today, so only its number can be looked up
    told = dates(masked, source.today, source.days[1:])
    elsewhere = [one for one in days_elsewhere(masked) if not _is_english(one, told)]
    told = [when for when in told if not any(one[0] <= when.start < one[1] for one in elsewhere)]
    whens = [when for when in told if not _LATER.search(masked[when.start : when.end])]
    for when in _unborne_dates(whens, masked, source):
        yield Claim.DATE, when.start, when.end, None
    yield from _wrong_weekdays(whens, masked)
    yield from _unborne_elsewhere(elsewhere, source)
    dated = [*((w.start, w.end) for w in whens), *((start, end) for start, end, *_ in elsewhere)]
    without_dates = mask(masked, dated)
    for number in _numbers(text, without_dates):
        if not source.bears_number(number):
            first, last = next(((a, b) for a, b in sentences(text) if a <= number.start < b), (0, len(text)))
            yield Claim.NUMBER, number.start, number.end, source.nearest_count(number, text[first:last])
    for start, end, name in names(text, without_dates, title=stretch.title):
        if not source.names.bears(name):
            yield Claim.NAME, start, end, source.nearest_name(name)
    if not (stretch.title or stretch.open):
        yield from _turned(masked, source)


def _is_supposed(text: str, start: int, end: int) -> bool:
    """Return whether words in quotation marks are only supposed: `if I said "…" I'd never forgive myself`."""
    first, last = next(((a, b) for a, b in sentences(text) if a <= start < b), (0, len(text)))
    return _IF.search(text, first, start) is not None and _WOULD.search(text, end, max(end, last)) is not None


_IF = re.compile(r"(?i)\b(?:if|suppose|supposing|in case)\b[^.!?]*\bsa(?:id|ys?)\b[^.!?]*$")
_WOULD = re.compile(r"(?i)\bwould\b|\w'd\b")


def _is_english(named: tuple[int, ...], whens: Sequence[When]) -> bool:
    """Return whether a day stands where one was read as English; of `25. November` only the month is."""
    return any(when.start < named[1] and named[0] < when.end and when.kind == "day" for when in whens)


def _unborne_elsewhere(
    named: Sequence[tuple[int, int, int, int, int]], source: Source
) -> Iterator[tuple[Claim, int, int, None]]:
    """Yield the days of a month in other languages of which the source does not speak."""
    for start, end, *day in named:
        if not _speaks_of_day(source, *day):
            yield Claim.DATE, start, end, None


def _speaks_of_day(source: Source, year: int, month: int, day: int) -> bool:
    """Return whether a day of a month was said, or is near a day of the talk.

    What other languages than English reckon from today (`gestern`) is not read.
    """
    if any((one.month, one.day) == (month, day) for when in source.dates for one, _ in when.spans):
        return True
    if any(named[1:] == [month, day] for text in source.turns for _, _, *named in days_elsewhere(text)):
        return True
    near = _A_WEEK if any(WEEKS_ELSEWHERE.search(text) for text in source.turns) else _DAYS_NEAR
    for today in source.days:
        for one in (year,) if year else (today.year - 1, today.year, today.year + 1):
            try:
                if abs((date(one, month, day) - today).days) <= near:
                    return True
            except ValueError:
                # 29 February of another year
                continue
    return False


_DAYS_NEAR, _A_WEEK = 2, 8
"""Days from a talk that it may mean by a word for the day, and by one for a weekday or a week."""


def _unborne_dates(whens: Sequence[When], text: str, source: Source) -> Iterator[When]:
    """Yield the dates of a text that its source does not bear; a weekday before a date is part of that."""
    beside = {one.start for one, _ in list_weekdays(whens, text)}
    for when in whens:
        if _LENGTH.match(text, when.start) or when.start in beside:
            continue
        word = text[when.start : when.end].rsplit(maxsplit=1)[-1]
        if when.kind == "nth" and word.isalpha():
            # `the ninth` has to be said, as that or as a date; that Friday was one does not do
            said = any(one.day == when.day for one in source.dates) or source.mentions(word)
            borne = said or any(day.day == when.day for day in source.days)
        else:
            borne = is_borne(when, source.dates, source.days)
        if not borne:
            yield when


def _wrong_weekdays(whens: Sequence[When], text: str) -> Iterator[tuple[Claim, int, int, None]]:
    """Yield each weekday beside a date that falls on another."""
    for one, other in list_weekdays(whens, text):
        if all(first.weekday() != one.weekday for first, _ in other.spans):
            yield Claim.DATE, one.start, one.end, None


def _numbers(text: str, masked: str) -> Iterator[Number]:
    """Yield the numbers that are claims: not a pointer such as `the two of us`, nor a list's own length."""
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
        if _is_rough(number, _OR_SO.match(after) or _OR_SO_BEFORE.search(before)):
            continue
        listed = re.match(r"[^.!?:\n(]{0,40}(?:\(([^()\n]+)\)|(?::|,)([^.!?\n]+))", text[number.end :])
        if listed and max(number.values) == len(re.split(r",\s*(?:and\s)?|\sand\s", listed[1] or listed[2])):
            continue
        yield number


def _is_rough(number: Number, other: re.Match[str] | None) -> bool:
    """Return whether a number is one of two neighbours: `five or six` is rough, `9 or 15` is not."""
    if other is None:
        return False
    return any(
        abs(one - value) <= 1
        for near in numbers(other[0], other[0])
        for one in near.values
        for value in number.values
        if one != value
    )


def _was_said(clause: str, source: Source) -> bool:
    """Return whether a clause of some words was said word for word."""
    return len(WORD.findall(clause)) > _SHORT and source.has(clause)


def _turned(text: str, source: Source) -> Iterator[tuple[Claim, int, int, Passage | None]]:
    for start, end in sentences(text):
        sentence = text[start:end]
        at = start
        for clause in clauses(sentence):
            at = text.index(clause, at)
            said = contradiction(clause, sentence, source.statements, source.weigh, source.voices)
            if said is not None and "?" not in sentence and not _was_said(clause, source):
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                yield Claim.NEGATION, at + lead, at + len(clause), source.passage(said)
            at += len(clause)
