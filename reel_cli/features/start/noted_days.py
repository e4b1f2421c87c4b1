"""Notes for a day that has come: those that name it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.days.relative_days import is_no_day
from reel_cli.core.evidence.days.sentence_time import is_of_many, tells_past
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.files.working_file import NOTED, read_items, without_day
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.known_facts import read_known
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.moment import WEEKDAYS, day_in_words, read_day
from reel_cli.core.pack.resting_parts import standing_working
from reel_cli.core.pack.words import LAST_SPOKE, TODAY, fold_line
from reel_cli.core.tape.last_turns import last_day
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

_NAMED = (
    # German, French, Spanish
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?:abend|morgen|nachmittag|mittag)?\b",
    r"\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b",
    r"\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b",
    # Portuguese, where an ordinal alone is no day
    r"\b(?:segunda|terça|quarta|quinta|sexta)-feira\b|(?<=\bna )(?:segunda|terça|quarta|quinta)\b(?! vez)",
    r"\b(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)\b",
    r"[月火水木金土日]曜日?",
    r"(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]",
)
_FIRST = (
    "mo di mi do fr sa so",
    "lun mar mer jeu ven sam dim",
    "lun mar mié jue vie sáb dom",
    "seg ter qua qui sex",
    "пон вто сре чет пят суб вос",
    "月 火 水 木 金 土 日",
    "一 二 三 四 五 六 日",
)
_TOMORROW = (
    r"(?<!guten )(?<!am )(?<!heute )(?<!jeden )(?<!\w)morgen\b(?! (?:früh )?(?:war|ist vorbei))"
    r"|(?<!après-)(?<!\w)demain\b"
    r"|(?<!la )(?<!esta )(?<!por )(?<!pasado )(?<!\w)mañana\b|\bamanhã\b|\bзавтра\b|明日|あした|明天"
)
_PATTERNS = tuple(late(pattern, re.IGNORECASE) for pattern in _NAMED)
_NEXT_DAY = late(_TOMORROW, re.IGNORECASE)


def in_english(text: str) -> str:
    """Return a text with the days of the week, and tomorrow, called by their English names."""
    for pattern, first in zip(_PATTERNS, _FIRST, strict=True):
        text = pattern.sub(partial(_name, first.split()), text)
    return _NEXT_DAY.sub(" tomorrow ", text)


def _name(first: Sequence[str], found: re.Match[str]) -> str:
    told = found[0].casefold().replace("天", "日")
    places = [at for at, begins in enumerate(first) if told.startswith(begins) or told.endswith(begins)]
    return f" {WEEKDAYS[places[0]]} " if places else found[0]


MOST = 5
"""Maximum number of notes told, those of the latest days."""
_LONGEST = 160
"""Characters of a note that are told."""
_SAME = 2
"""Number of words by which a note says what another says."""
_MOST_WEEKDAYS = 2
"""Number of weekdays in a text above which it is a timetable."""
_NO_ONE_DAY = late(
    rf"\b(?:every|each|any|an?|some|since|from|until|till|to|last|(?<!chat )(?<!talk )after)"
    rf" (?:the )?(?:week of |(?:{'|'.join(WEEKDAYS)}),? (?:the )?)?$"
    # the same in the other languages of `in_english`: every, a, since, last, after
    r"|(?i:\b(?:jede[nmrs]?|alle|ein(?:e[nm])?|seit|letzte[nmrs]?|nach|chaque|tous les|un|depuis|cada"
    r"|après|después de|depois d[ae]|tod[ao]s l[ao]s|tod[ao]s [ao]s|uma?|desde|кажд\w+|после|по|один"
    r"|одн\w+|с|со|прошл\w+)"
    r" ?(?:(?:le|el|la|o|a|dem|der) )?$)"
    r"|(?:毎週?|每个?|每個|隔週?|上个?|上個|先週の?) ?$"
)
"""Pattern of the words before a date that make it none on which something is to be done."""
_OF_KIND = late(
    r"(?i)\s+(?:(?:sur|von) (?:deux|trois|quatre|zwei|drei|vier|\d)|(?:de|em) cada|из (?:дву|тр|четыр)|job"
    r"|schicht|markt)\b"
    r"|\s*(?:の|的)?\s*(?:バイト|仕事|勤務|兼职|兼職|工作|ごと|以来|から)"
)
"""Pattern of the words behind a weekday that make it one of many, or the first of a time."""
_HAS_UNTIL = late(
    r"\b(?:has|have|had|got|['’](?:ve|s)|give[ns]?|gave)(?: \w+)? (?:until|till) (?:the )?$", re.IGNORECASE
)
"""Pattern of the words before a date up to which somebody has time for a thing, which is then due."""
_BESIDE = late(r",?\s+\(?(?:the\s+)?")
_DENIED = late(
    r"\b(?:not?|nothing|no longer|instead of|rather than|never|nicht|nicht mehr|statt|anstatt|pas"
    r"|au lieu d[eu]|en (?:vez|lugar) de|em vez d[ea]|não|не|вместо)"
    r" (?:on |by |for |am |le |el |na |em |в )?(?:the )?"
    rf"(?:(?:{'|'.join(WEEKDAYS)}),? (?:the )?)?$",
    re.IGNORECASE,
)
"""Pattern of the words before a date that say that it is not then."""
_WAS = late(
    r"\((?:was|until now|before|moved from|instead of|vorher|bisher|avant|antes|раньше)\b[^)]*$",
    re.IGNORECASE,
)
"""Pattern of what stands before a date that holds no longer: `by 31 October (was: 30 September)`."""
_LOOKS_BACK = late(
    r"\b(?:was|were|had|did|went|came|said|told|met|saw|got|made|left|took|gave|spoke|wrote"
    r"|(?<!to be )(?<!is )(?<!are )(?<!'s )\w\w+ed)\b(?![^.;,]*\bto\b)[^.;,]*$"
)
"""Pattern of words before a weekday that make it the last one and not the next."""
_DAY_OF_MONTH = late(r"\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b(?!\s*(?:[ap]\.?m\b|:|o'clock))")
"""Pattern of words behind a weekday that say which one it is better than the weekday does."""


_NEAR = timedelta(days=10)
"""Time between the day that a thing was noted for and the day on which it happened, at most."""
_SAID_BY = late(r" \(said by [^()]*\)$")
"""Pattern of who said a fact, and on which day."""


@frozen
class NotedDay:
    """A note in one line, and the day that it names."""

    day: date
    text: str


def list_noted(snapshot: "Snapshot", today: date) -> Sequence[NotedDay]:
    """Return the notes that name today, tomorrow or a day that came since the last chat, at most `MOST`.

    They stand by their days. A note that says what another of the same day says is not told as well. Of too
    many, those of tomorrow go.
    """
    names = f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}"
    sessions = standing_sessions(snapshot)
    last = min(today, last_day(snapshot, sessions[-1])) if sessions else today - timedelta(days=1)
    found = list[NotedDay]()
    for one in _of_notes(snapshot, last, today, names):
        if not any(one.day == other.day and _say_the_same(one.text, other.text, names) for other in found):
            found.append(one)
    come = sorted((one for one in found if one.day <= today), key=lambda one: one.day)[-MOST:]
    return [*come, *[one for one in found if one.day > today][: MOST - len(come)]]


def _say_the_same(one: str, other: str, names: str) -> bool:
    mine, theirs = _told_words(one, names), _told_words(other, names)
    return len(mine & theirs) >= min(_SAME, len(mine), len(theirs)) > 0


def _told_words(text: str, names: str) -> frozenset[str]:
    """Return the words of a text that say what is on a day, without names, which are of many things."""
    from reel_cli.core.evidence.grounding.lexicon import telling
    from reel_cli.core.evidence.own_words import LENT

    # a month, a weekday and `in four weeks` are days, and not what is on them
    return telling(even(text)) - LENT - telling(names)


def tell_noted(found: Sequence[NotedDay], today: date) -> Sequence[str]:
    """Return a sentence about each, such as `Noted for today: Ask how the scan went.`."""
    return [f"{_opening(one, today)}: {_closed(one)}" for one in found]


def tell_end(found: Sequence[NotedDay], today: date) -> str:
    """Return how what is noted for a day that has passed is told no more; "" where there is none."""
    if all(one.day >= today for one in found):
        return ""
    return "Told until your next chat; if it is done:  reel edit now"


def _opening(one: NotedDay, today: date) -> str:
    near = {today: "today", today + timedelta(days=1): "tomorrow"}
    return f"Noted for {near.get(one.day) or day_in_words(one.day)}"


def _closed(one: NotedDay) -> str:
    """Return the note's words as the end of a sentence, without the day at its head."""
    weekday = WEEKDAYS[one.day.weekday()]
    head = rf"(?:(?:on )?{weekday},? (?:the )?)?{re.escape(day_in_words(one.day))}\s*[:,–—-]\s*"
    text = re.sub(rf"(?i)^{head}(?=\S)", "", one.text)
    return text if text.endswith((".", "!", "?", "…", "”")) else f"{text}."


def _of_notes(snapshot: "Snapshot", last: date, today: date, names: str) -> Iterator[NotedDay]:
    for text, since in _read_notes(snapshot):
        day = _day_that_came(text, since, last, today)
        if day and not _has_happened(snapshot, text, day, since, names):
            yield NotedDay(day, one_line(text, _LONGEST))


def _has_happened(snapshot: "Snapshot", text: str, day: date, since: date | None, names: str) -> bool:
    """Return whether a fact newer than a note says that it happened since, on a day near its own.

    `The child on 5 October` gives way to a child that was born on 2 October. What was weeks before is another
    thing, and a reminder too many is better than one that is missed.
    """
    mine = _told_words(text, names)
    if since is None or not mine:
        return False
    try:
        rows = read_known(snapshot).held
    except ReelError:
        # a file that cannot be read is told as damage
        return False
    for row in rows:
        said, told = read_day(row.source), f"{row.key}: {_SAID_BY.sub('', row.value)}"
        if said is not None and said > since and mine <= _told_words(told, ""):
            days = set(_days_named(told, said))
            if day not in days and any(since < one <= said and abs(one - day) <= _NEAR for one in days):
                return True
    return False


def _read_notes(snapshot: "Snapshot") -> Iterator[tuple[str, date | None]]:
    """Yield the notes, the newest first, and the day on which each was noted; None for one without it."""
    read = list[tuple[str, date | None]]()
    for item in read_items(standing_working(snapshot, snapshot.text(WORKING) or "")):
        found = NOTED.search(item.text)
        noted = next(iter(dates(found["day"], None)), None) if found is not None else None
        since = noted.spans[0][0] if noted is not None and noted.spans else None
        read.append((without_day(item.text), since))
    yield from sorted(read, key=lambda one: one[1] or date.min, reverse=True)


def _day_that_came(text: str, since: date | None, last: date, today: date) -> date | None:
    """Return the latest day that a text names, after it was written and after the last chat, up to tomorrow.

    Today counts also where there was a chat already, and tomorrow, if the text is older. Where nobody knows
    when it was written, it may look back on that chat's own day, and only what was said without a day in
    between counts.
    """
    days = [day for day in _days_named(text, since) if since is None or day > since]
    come = [day for day in days if last < day <= today or (day == today and since is not None)]
    if since is not None and since < today:
        come += [day for day in days if day == today + timedelta(days=1)]
    return max(come, default=None)


def _days_named(text: str, since: date | None) -> Iterator[date]:
    """Yield the single days that a text written on `since` names; of an unknown day, those with a year."""
    plain = in_english(even(text))
    # what was done at Christmas is not to be done at the next
    found = dates(plain, since, feasts=not tells_past(plain))
    if sum(one.kind == "weekday" for one in found) > _MOST_WEEKDAYS:
        found = [one for one in found if one.kind != "weekday"]
    beside = [first for one in found if one.kind == "day" for first, _ in one.spans]
    for one in found:
        before, behind = plain[: one.start], plain[one.end :]
        if is_no_day(one, plain):
            continue
        if one.kind == "weekday" and (_DAY_OF_MONTH.match(behind) or _LOOKS_BACK.search(before)):
            continue
        if one.kind == "weekday" and (is_of_many(one, plain) or _is_of_date(one, found, plain)):
            continue
        before = " ".join(before.split()) + " "
        if one.kind == "weekday" and _OF_KIND.match(behind):
            continue
        none = _NO_ONE_DAY.search(before) and not _HAS_UNTIL.search(before)
        if none or _DENIED.search(before) or _WAS.search(before) or plain[: one.end].endswith("days"):
            continue
        if one.kind == "nth" and beside and one.day:
            # `the concert, 13 December; I ask on the 14th` speaks of one month
            yield from (day for day in beside[-1:] for day in _in_month(one.day, day))
            continue
        yield from _single_days(one, since)


def _in_month(number: int, day: date) -> Iterator[date]:
    """Yield the day with a number in the month of another; none where the month has no such day."""
    with suppress(ValueError):
        yield day.replace(day=number)


def _is_of_date(one: When, found: Sequence[When], text: str) -> bool:
    """Return whether a weekday is that of a date in the text: `15 January, Wednesday`, or named twice.

    `Lunch on Sunday 13 December; Sunday at eight they close` speaks of one Sunday.
    """
    for other in found:
        if other.kind != "day":
            continue
        first, last = sorted((one, other), key=lambda when: when.start)
        weekdays = {day.weekday() for day, _ in one.spans}
        if _BESIDE.fullmatch(text, first.end, last.start) or (
            other.start < one.start and {day.weekday() for day, _ in other.spans} & weekdays
        ):
            return True
    return False


def _single_days(one: When, since: date | None) -> Iterator[date]:
    """Yield the days that a date means: of `next week` its first, of `in two weeks` the one in the middle."""
    if one.kind == "nth" and one.day and since is not None:
        ahead = (since + timedelta(days=count) for count in range(1, 63))
        yield from (day for day in [next((d for d in ahead if d.day == one.day), None)] if day is not None)
    for first, final in one.spans:
        if one.kind == "back":
            yield first + (final - first) / 2
        elif one.kind == "span" or first == final:
            yield first


def tell_today(opened: "OpenKit", noted: "Sequence[str]") -> str:
    """Return what a bundle says of today: the day, and what was noted for it."""
    return " ".join((_tell_day(opened), *map(fold_line, noted)))


def _tell_day(opened: "OpenKit") -> str:
    """Return the line about today and, where the kit wants it, about the last conversation."""
    today = opened.now().date()
    line = TODAY.format(day=day_in_words(today))
    overview = opened.overview
    if overview.settings.start_since and (sessions := standing_sessions(overview)):
        last = last_day(overview, sessions[-1])
        ago = _in_words((today - last).days)
        line += LAST_SPOKE.format(day=day_in_words(last), ago=ago) if ago else ""
    return line


def _in_words(days: int) -> str:
    """Return a stretch of days as people say it, such as `3 weeks`; "" below a day."""
    if days < 1:
        return ""
    for unit, length, least in (("year", 365, 730), ("month", 30, 60), ("week", 7, 14), ("day", 1, 1)):
        if days >= least:
            number = days // length
            return f"{number:,} {unit}{'' if number == 1 else 's'}"
    return ""
