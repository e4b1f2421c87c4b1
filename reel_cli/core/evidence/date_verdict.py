"""The verdict on a date that a text's source does not bear."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.grounding.date_words import MONTHS
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written
from reel_cli.core.evidence.verdict import Verdict

_MONTH = 31
"""Days before and after a talk in which a day lies that was said without its month."""
_SINCE = r"\b(?:since|from|until|till|through)\s+(?:about\s+|around\s+)?"
"""Words before a month that bounds a time in which the two talked, whatever was said of it."""


def weigh_date(one: UngroundedDetail, source: Source, known: Knowledge) -> Verdict:
    """Return the verdict on a date: known elsewhere, or one of several days that may be meant."""
    read = dates(even(one.claim), source.today, source.days[1:])
    if not read:
        return Verdict.CANNOT_TELL
    when = read[0]
    words = content(one.sentence, source)
    # a month without its year may be one of several
    spans = when.spans if when.kind == "month" else when.spans[:1]
    for session, day in known.days:
        near = [(first, last) for first, last in spans if first <= day <= last]
        if near and (when.relative or known.is_about(session, words)):
            return Verdict.CANNOT_TELL if when.relative else Verdict.BORNE
        if any(first == last for first, last in near):
            # a day on which the two talked
            return Verdict.CANNOT_TELL
    if when.kind == "month" and _is_since_lived_month(when, one, known):
        return Verdict.CANNOT_TELL
    named = _is_named_day(when, one.sentence, source) or _is_counted_out(when, source)
    if named or _is_among(when, words, source):
        return Verdict.CANNOT_TELL
    plain = even(one.claim).casefold().strip(" ,.")
    forms = [re.sub(r",?\s+\d{4}$", "", plain), plain]
    for first, last in when.spans:
        if first == last:
            month = MONTHS[first.month - 1]
            forms += [f"{first.day} {month}", f"{month} {first.day}", first.isoformat()]
    number = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", plain)
    if number is not None:
        forms += [f"{number[1]}{ending}" for ending in ("st", "nd", "rd", "th")]
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in forms))
    written = Written(tuple(forms), pattern)
    told = when.kind == "nth" and known.has_line(written)
    if told or known.has_line_with(written, [word for word in words if word not in plain]):
        return Verdict.BORNE
    # its identity and facts are of no chat, so their days may be told of anything
    return Verdict.CANNOT_TELL if known.stands_apart(written) else Verdict.NOT_BORNE


def _is_since_lived_month(when: When, one: UngroundedDetail, known: Knowledge) -> bool:
    """Return whether it is told since or until a month between the first chat and the last."""
    claim = re.escape(even(one.claim).strip(" ,."))
    if not re.search(rf"{_SINCE}{claim}", even(one.sentence), re.IGNORECASE):
        return False
    days = [day for _, day in known.days]
    return bool(days) and any(first <= max(days) and min(days) <= last for first, last in when.spans)


def _is_among(when: When, words: Sequence[str], source: Source) -> bool:
    """Return whether some days that were loosely spoken of (`last week`) of the same thing hold these."""
    for one in source.said:
        text = even(one.turn.text)
        for said in one.dates:
            if not any(first <= a and b <= last for first, last in said.spans for a, b in when.spans):
                continue
            told = next((text[a:b] for a, b in sentences(text) if a <= said.start < b), text).casefold()
            if not words or any(word_forms(word).stands_in(told) for word in words):
                return True
    return False


def _is_counted_out(when: When, source: Source) -> bool:
    """Return whether a day, or weekday, may be one of which only the number was said: `the 20th`.

    It is near the day of the talk, or near a feast that the same turn names.
    """
    meant = [
        day
        for one in source.said
        for said in one.dates
        if said.kind == "nth" and one.turn.day is not None
        for near, most in _reckoned_from(one.turn.day, one.dates)
        for far in range(-most, most + 1)
        if (day := near + timedelta(days=far)).day == said.day
    ]
    if when.weekday is not None:
        return any(day.weekday() == when.weekday for day in meant)
    return any(first == last and first in meant for first, last in when.spans)


def _reckoned_from(today: date, whens: Sequence[When]) -> Iterator[tuple[date, int]]:
    """Yield the days near which a number is a day, and how near: of the day of the talk and of feasts."""
    yield today, _MONTH
    yield from ((first, _BESIDE_FEAST) for one in whens if one.kind == "feast" for first, _ in one.spans)


_BESIDE_FEAST = 10


def _is_named_day(when: When, sentence: str, source: Source) -> bool:
    """Return whether a day falls on a weekday that its sentence names, and that was spoken of."""
    named = [day for day in dates(even(sentence), source.today) if day.weekday is not None]
    said = {one.weekday for one in source.dates if one.weekday is not None}
    return any(
        first.weekday() == day.weekday and day.weekday in said for first, _ in when.spans for day in named
    )
