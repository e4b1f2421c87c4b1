"""Days of a turn as its sentences mean them: past or to come, with or without a year."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even
from reel_cli.core.frozen import late

if TYPE_CHECKING:
    from reel_cli.core.evidence.grounding.source import SourceMessage, Turn

NEAR = 60
"""Days within which a day without a year is taken to be meant, if its sentence leaves the year open."""
_MONTH_AND_MORE = 32
_BOUND = late(r"[.!?;]\s+|\n")
_LEADS_ON = late(r"(?i)\b(?:next|coming|upcoming)\s+(?:\w+,?\s+){0,2}$")
_LEADS_BACK = late(r"(?i)\b(?:last|past|previous)\s+(?:\w+,?\s+){0,2}$")
_IS_ON = late(r"(?i)(?:\b(?:is|are|am)|'[sm]|'re)\s+(?:(?:on|for|from|the|until|till)\s+)*$")
_COMING = late(
    r"(?i)\b(?:will|won't|shall|due|deadline|gonna|going to|until|till|by|expect\w*|plan(?:s|ned|ning)?"
    r"|schedul\w*|hop(?:e|es|ing)|soon|upcoming|remind|must|should|supposed|wants? to|needs? to|ha(?:ve|s) to"
    r"|let's|expires?|begins?|starts?|opens?|closes?|ends?|leaves|arrives?|departs?)\b|'ll\b"
)
_DONE_BY_NOW = late(
    r"(?i)(?:\b(?:is|are|am|be|being|gets?|getting|have|has)|'s|'re|'ve)\s+(?:\w+ly\s+|already\s+)?"
    r"\w+ed\b(?:,?\s+(?:and|or)\s+\w+ed\b)?"
)
"""Pattern of things done by now, which put no day in the past: `I've booked it for 3 June`."""
_SET_FOR = late(r"(?i)\b(?:for|to|until|till)\s+(?:the\s+)?(?:\w+day,?\s+)?$")
_PAST = late(
    r"(?i)\b(?:was|wasn't|were|weren't|did|didn't|had|hadn't|since|ago|been|born|died|went|came|got|met|saw|took"
    r"|left|gave|made|said|told|found|lost|bought|sold|fell|broke|began|wrote|sent|paid|spent|won|became|flew"
    r"|rang|sang|swam|drank|wore|stood|hid|threw|stole|shook|froze|forgot|fed|led|rode|dug|hung|swept|wept"
    r"|understood|drew|caught|fought|drove|ran|grew|knew|thought|brought|kept|held|heard|felt|spoke|chose|ate|slept|woke|built|taught|quit"
    r"|(?!(?:need|plan+|schedul|expect|suppos|hundr|inde|spe|fe|se|we|sacr|nak|wick|alfr|fr|be|re|sh|shr)ed\b)"
    r"[a-z]{2,}ed)\b"
)


def decided(said: "SourceMessage") -> list[When]:
    """Return the dates of a turn; of a day without a year only the past or future one its sentence means.

    Where it says neither, or both, the last such day and the next are left.
    """
    text = even(said.turn.text)
    today = said.turn.day
    return [_decide(one, text, today) if today and _has_no_year(one) else one for one in said.dates]


def bears_years(text: str, said: "SourceMessage") -> bool:
    """Return whether a turn supports every day that a text gives with a year."""
    whens = decided(said)
    return all(is_borne(one, whens, []) for one in _named(text))


def leaves_year_open(text: str, said: "SourceMessage") -> bool:
    """Return whether a text gives a year to a day that the turn says without one, and the day is not near."""
    today = said.turn.day
    if today is None:
        return False
    whens = decided(said)
    for named in _named(text):
        days = [first for first, _ in named.spans if abs((first - today).days) > NEAR]
        bearing = [one for one in whens if is_borne(named, [one], [])]
        if days and bearing and all(map(_has_no_year, bearing)):
            return True
    return False


def _named(text: str) -> Iterator[When]:
    # without a reference day, only a date with its year counts
    return (one for one in dates(even(text), None) if one.kind == "day")


def _has_no_year(one: When) -> bool:
    days = {(first.month, first.day) for first, _ in one.spans}
    return one.kind == "day" and len(one.spans) == 2 and len(days) == 1


def _decide(one: When, text: str, today: date) -> When:
    side = _side(text, one.start, one.end)
    if not side:
        return one
    return replace(one, spans=tuple(span for span in one.spans if (span[0] > today) == (side > 0)))


def _side(text: str, start: int, end: int) -> int:
    """Return -1 for past, 1 for future, 0 if the sentence does not say."""
    first = max((found.end() for found in _BOUND.finditer(text, 0, start)), default=0)
    bound = _BOUND.search(text, end)
    before = text[first:start]
    if _LEADS_ON.search(before):
        return 1
    if _LEADS_BACK.search(before):
        return -1
    sentence = f"{before}…{text[end : bound.start() if bound else len(text)]}"
    coming = bool(_COMING.search(sentence) or _IS_ON.search(before))
    past = bool(not _SET_FOR.search(before) and _PAST.search(_DONE_BY_NOW.sub("", sentence)))
    return coming - past


_DENIED_DAY = late(r"(?i)\bnot\s+(?:on\s+|until\s+|till\s+)?$")
_GOES_ON = late(r"\s+([a-z]+)")


def look_at_own(turn: "Turn") -> "SourceMessage":
    """Return the index of a turn, in which `the 20th` is the day that its sentence means."""
    from reel_cli.core.evidence.grounding.source import look_at_turn

    said, today = look_at_turn(turn), turn.day
    if today is None or not any(one.kind == "nth" for one in said.dates):
        return said
    text = even(turn.text)
    return replace(said, dates=tuple(_count_out(one, text, today) for one in said.dates))


def _count_out(one: When, text: str, today: date) -> When:
    """Return a day of no month with the last such day or the next, as its sentence has it.

    What is no day (`the 20th floor`) or denied (`not the 19th`) stays as it is.
    """
    noun = _GOES_ON.match(text, one.end)
    if one.kind != "nth" or _DENIED_DAY.search(text[: one.start]) or (noun and noun[1] not in STOP):
        return one
    step = -1 if _side(text, one.start, one.end) < 0 else 1
    days = (today + timedelta(days=step * far) for far in range(_MONTH_AND_MORE))
    found = next((day for day in days if day.day == one.day), None)
    return replace(one, spans=((found, found),)) if found is not None else one


def tells_past(sentence: str) -> bool:
    """Return whether a sentence tells of something that was done or has happened, and of nothing to come."""
    past = _PAST.search(sentence) or _DONE_BY_NOW.search(sentence)
    return past is not None and not _COMING.search(sentence)


def with_whole_days(text: str) -> str:
    """Return a text in which days of no month have their article: `tues 18th`, `sunday 15`, `14 or 15.`."""
    found = _SHORT_DAY.sub(lambda one: f"{one['before']}the {one['day']}th", even(text))
    found = _TWO_DAYS.sub(r"the \1th or the \2th", found)
    return _NO_ARTICLE.sub(r"the \g<0>", found)


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_SHORT_DAY = late(
    r"(?i)\b(?P<before>(?:mon|tues?|wed(?:nes)?|weds|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)? )"
    rf"(?P<day>[12]?\d|3[01])(?=[.,;!?]?(?:\s|$))(?! (?:{_MONTH}|am\b|pm\b|o'))"
)
_TWO_DAYS = late(r"\b([12]?\d|3[01]) or ([12]?\d|3[01])(?=[.;!?]|$)")
_NO_ARTICLE = late(rf"(?i)(?<!the )(?<![\w-])(?:[12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:of )?{_MONTH})")
