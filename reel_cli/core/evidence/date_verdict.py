"""Dates that a text's source does not bear: known elsewhere, or another was told of the same thing."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.grounding.date_words import MONTHS
from reel_cli.core.evidence.grounding.date_words import WEEKDAYS as WEEKDAY_NAMES
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import WORD, clauses, even, sentences, stem
from reel_cli.core.evidence.grounding.quantities import sentence_said
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source, SourceMessage
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written

_DAYS = ("day", "iso", "slash", "written")
_NUMBERED = ("nth", "ordinal")
_SHORT = 5
"""Words of a sentence up to which it goes on with the one before it."""
_FEWEST, _SHARE = 2, 60
"""Words of a clause, and percent of them, that a sentence must have to tell of the same thing."""


def find_other_date(one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where another date was told of what a text gives this one to; None where none was.

    That nobody spoke of a date says nothing: it may be worked out, or be a day by another name. Both are a
    day of the month, a month or a year, and one sentence has most words of the text's clause. A date that
    stands in the talk at all is not doubted.
    """
    read = dates(even(one.claim), source.today, source.days[1:])
    grain = _grain(read[0]) if read else ""
    if not grain:
        return None
    mine = _values(read[0], grain)
    if any(mine & _values(when, grain) for said in source.said for when in said.dates):
        # `on the twenty-fifth. No, I tell a lie, the twenty-seventh`
        return None
    if (beside := _find_other_of_weekday(read[0], one, source)) is not None:
        return beside
    words = _telling(one, source)
    found: tuple[int, Passage] | None = None
    for said, turn in zip(source.said, source.turns, strict=True):
        before = 0
        for first, last in sentences(turn) if len(turn) == len(said.turn.text) else ():
            named = [when for when in said.dates if first <= when.start < last]
            told = set().union(*(_values(when, grain) for when in named))
            # `Jana rang on Monday. The appointment is the 21st.`
            begins, before = before if len(WORD.findall(turn[first:last])) <= _SHORT else first, first
            shared = sum(word_forms(word).stands_in(turn[begins:last]) for word in words) if told else 0
            few = shared < min(_FEWEST, max(1, len(words))) or shared * 100 < _SHARE * len(words)
            if few and not (told and _tells_of_same(turn[first:last], said, words, one, source)):
                continue
            if found is None or shared > found[0]:
                found = shared, sentence_said(said, first, source)
    return found[1] if found is not None else None


def _tells_of_same(
    sentence: str, said: SourceMessage, words: Sequence[str], one: UngroundedDetail, source: Source
) -> bool:
    """Return whether a short sentence of one who is named tells the same deed of a pronoun: `I rang them`."""
    mine = {stem(word) for word in words}
    named = even(said.turn.speaker).casefold().split()[0] in even(one.sentence).casefold()
    parts = (part for part in _PARTS.split(sentence) if _I_DID.search(part) and dates(part, source.today))
    deeds = (content(part, source) for part in parts)
    return named and any(told and all(stem(word) in mine for word in told) for told in deeds)


_PARTS = re.compile(r"[,;:]\s|\s(?=(?:so|and|but|because|since)\s)")
_I_DID = re.compile(r"\b(?:i|we)\b.*\b(?:it|them|him|her)\b")


def stands_beside(claim: str, passage: Passage, source: Source) -> bool:
    """Return whether a date stands in the message of a passage as well, which puts another one right.

    So does a weekday there: `a course. It was a Saturday one.`
    """
    read = dates(even(claim), source.today, source.days[1:])
    grain = _grain(read[0]) if read else ""
    near = [said for said in source.said if said.turn.number == passage.number]
    if read and read[0].kind == "weekday":
        name = WEEKDAY_NAMES[read[0].weekday or 0]
        return any(re.search(rf"(?i)\b{name}s?\b", said.turn.text) for said in near)
    return any(
        _values(read[0], grain) & _values(when, grain) for said in near for when in said.dates if grain
    )


def _find_other_of_weekday(when: When, one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where the weekday that stands before a day of the month was said of one other day alone.

    `Thursday the fifth` and no other Thursday speaks against `Thursday the twelfth`, beside a word of both.
    """
    text = even(one.sentence)
    weekday = _weekday_before(text, text.find(even(one.claim)), source)
    if weekday is None or when.day is None:
        return None
    words = [word_forms(word) for word in content(text, source)]
    days: dict[int, Passage] = {}
    for said, turn in zip(source.said, source.turns, strict=True):
        if any(other.day == when.day for other in said.dates):
            return None
        for other in said.dates if any(word.stands_in(turn) for word in words) else ():
            if other.day is not None and _weekday_before(turn, other.start, source) == weekday:
                days.setdefault(other.day, sentence_said(said, other.start, source))
    return next(iter(days.values())) if len(days) == 1 else None


def _weekday_before(text: str, at: int, source: Source) -> int | None:
    """Return the weekday that stands right before a place; None where none does."""
    found = next((one for one in dates(text[:at], source.today) if not text[one.end : at].strip(" ,")), None)
    return found.weekday if found is not None else None


def _telling(one: UngroundedDetail, source: Source) -> list[str]:
    """Return the telling words of the clause that a date stands in; of its sentence, if those are too few."""
    text, claim = even(one.sentence), even(one.claim)
    words = content(next((part for part in clauses(text) if claim in part), ""), source)
    return words if len(words) >= _FEWEST else content(text, source)


def _grain(when: When) -> str:
    """Return what a date names: a day of a month, a month or a year; "" for anything else."""
    if when.kind in (*_DAYS, *_NUMBERED):
        return "day"
    return when.kind if when.kind in ("month", "year") else ""


def _values(when: When, grain: str) -> set[int | None]:
    """Return the days of a month, months or years that a date names."""
    if grain == "day" and when.kind in _NUMBERED:
        return {when.day}
    if grain == "year":
        return {first.year for first, _ in when.spans if when.kind in ("year", "iso")}
    kinds = (*_DAYS, "month") if grain == "month" else _DAYS if grain == "day" else ()
    return {getattr(first, grain) for first, _ in when.spans if when.kind in kinds}


def date_written(claim: str, source: Source) -> Written:
    """Return the forms in which a date may be written elsewhere."""
    plain = even(claim).casefold().strip(" ,.")
    forms = [re.sub(r",?\s+\d{4}$", "", plain), plain]
    for when in dates(even(claim), source.today, source.days[1:])[:1]:
        for first, last in when.spans:
            if first == last:
                month = MONTHS[first.month - 1]
                forms += [f"{first.day} {month}", f"{month} {first.day}", first.isoformat()]
    number = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", plain)
    if number is not None:
        forms += [f"{number[1]}{ending}" for ending in ("st", "nd", "rd", "th")]
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in forms))
    return Written(tuple(forms), pattern)


def is_known_date(one: UngroundedDetail, source: Source, known: Knowledge) -> bool:
    """Return whether a date is written elsewhere, in a line that has a word of its sentence."""
    plain = even(one.claim).casefold()
    words = [word for word in content(one.sentence, source) if word not in plain]
    return known.has_line_with(date_written(one.claim, source), words)
