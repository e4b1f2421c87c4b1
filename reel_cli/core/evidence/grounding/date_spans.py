"""Days that the words of a date mean: from a year, a month or a weekday, and as reckoned from a day."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.date_words import MONTHS, ONES, SEASONS, SMALL, TEENS
from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY
from reel_cli.core.informal_words import write_out


def read_ordinal(got: Mapping[str, str | None]) -> int:
    """Return the number of a day written in words."""
    tens = {"twenty": 20, "thirty": 30}.get((got["tens"] or "").casefold(), 0)
    ones = (got["ones"] or "").casefold()
    return tens + (30 if ones == "thirtieth" else (*ONES, *TEENS).index(ones) + 1)


def read_short_year(told: str) -> int:
    """Return the year that `'84` or `eighty-four` is: of the last century from 40 on."""
    if told.startswith("'"):
        number = int(told[1:])
    else:
        words = told.casefold().replace("-", " ").split()
        tens = ("fifty", "sixty", "seventy", "eighty", "ninety")
        number = sum(
            50 + 10 * tens.index(word) if word in tens else UNDER_TWENTY.index(word)
            for word in words
            if word != "nineteen"
        )
    return number + (1900 if number >= _LAST_CENTURY else 2000)


_LAST_CENTURY = 40


def find_days(kind: str, got: dict[str, str | None], today: date | None, *, said: bool) -> Iterator[date]:
    """Yield the days that a date written in numbers or with its month may be; `said` as for `dates`."""
    if kind == "slash":
        year = int(got["year"] or 0)
        year += 2000 if year < 100 else 0
        one, two = int(got["one"] or 0), int(got["two"] or 0)
        tries = [(year, one, two), (year, two, one)]
    elif kind == "iso":
        tries = [(int(got["year"] or 0), int(got["mon"] or 0), int(got["day"] or 0))]
    else:
        month, day = _month(got["month"] or ""), int(got["day"] or 0)
        tries = [(year, month, day) for year in _years(got, today)]
        if today is not None and not got.get("year"):
            # a day without a year is the one nearest to the day of writing; in speech it is the last or the
            # next
            tries = sorted(
                tries, key=lambda one: abs((one[0] - today.year) * 365 + (one[1] - today.month) * 30)
            )
            tries = _on_both_sides(tries, today) if said else tries[:1]
    for year, month, day in tries:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _on_both_sides(tries: Sequence[tuple[int, int, int]], today: date) -> list[tuple[int, int, int]]:
    """Return the nearest day up to today and the nearest after, of days sorted from near to far."""
    now = (today.year, today.month, today.day)
    sides = ([one for one in tries if one <= now], [one for one in tries if one > now])
    return [side[0] for side in sides if side]


def _years(got: dict[str, str | None], today: date | None) -> list[int]:
    if got.get("year"):
        return [int(got["year"] or 0)]
    return [today.year - 1, today.year, today.year + 1] if today else []


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.casefold()[:3]))


def find_months(got: dict[str, str | None], today: date | None) -> Iterator[tuple[date, date]]:
    """Yield the spans of a month, or of the part of it that is named, in each year it may be of.

    `Next August` is none that has begun, and `last August` none that is to come.
    """
    month = _month(got["month"] or "")
    part = (got.get("part") or "").casefold()
    which = (got.get("which") or "").casefold()
    for year in _years(got, today):
        first = date(year, month, 1)
        if today is not None and (
            (which == "next" and first <= today) or (which in ("last", "past") and first > today)
        ):
            continue
        last = _month_end(first)
        weeks = {
            "first week": (1, 8),
            "second week": (7, 15),
            "third week": (14, 22),
            "fourth week": (21, 29),
        }
        if "week" in part and "last" not in part:
            low, high = next(days for name, days in weeks.items() if name in part)
            yield first.replace(day=low), first.replace(day=min(high, last.day))
        elif part.startswith(("late", "end", "the end", "last", "the last")):
            yield last - timedelta(days=12), last
        elif part.startswith(("early", "beginning", "start", "the beginning", "the start")):
            yield first, first.replace(day=12)
        elif part:
            yield first.replace(day=8), first.replace(day=22)
        else:
            yield first, last


def find_weekdays(number: int, which: str, today: date) -> Iterator[tuple[date, date]]:
    """Yield the days around `today` that a weekday may be, 0 for Monday; `which` is as `last` or `on`."""
    ahead = (number - today.weekday()) % 7 or 7
    behind = (today.weekday() - number) % 7 or 7
    days = []
    if which not in ("next", "coming", "by"):
        days += [today - timedelta(days=behind)]
        if which in ("last", "past"):
            days.append(today - timedelta(days=behind + 7))
    if which not in ("last", "past"):
        days.append(today + timedelta(days=ahead))
        if which == "next":
            days.append(today + timedelta(days=ahead + 7))
    if number == today.weekday() and which in ("", "on", "that"):
        days.append(today)
    for day in days:
        yield day, day


def find_relative(kind: str, got: dict[str, str | None], today: date) -> Iterator[tuple[date, date]]:
    """Yield the spans that words reckoned from `today` may mean: `yesterday`, `last summer`, `a week ago`."""
    if kind == "near":
        shift = {"yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2}
        day = today + timedelta(days=shift.get(write_out((got["near"] or "").casefold()), 2))
        yield day, day
    elif kind in ("later", "end"):
        unit = (got["later"] or "").casefold().split()[-1]
        first, last = _around(unit, 0, today)
        yield (last - timedelta(days=12) if kind == "end" and unit != "week" else first), last
    elif kind == "season":
        low, high = SEASONS[(got["season"] or "").casefold()]
        for year in (today.year - 1, today.year, today.year + 1):
            yield date(year, low, 1), _month_end(date(year + (high < low), high, 1))
    elif kind == "weekend":
        yield from (_around("weekend", by, today) for by in (0, -1))
    elif kind == "span":
        which = (got["which"] or "").casefold()
        by = {"last": -1, "past": -1, "previous": -1, "this": 0}.get(which, 1)
        yield _around((got["span"] or "").casefold(), by, today)
    else:
        yield from _counted(got, today)


def _around(unit: str, shift: int, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    if unit == "week":
        first = monday + timedelta(weeks=shift)
        return (first, today if shift < 0 else first + timedelta(days=6))
    if unit == "weekend":
        if shift < 0:
            back = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
            return back - timedelta(days=1 if today.weekday() < 5 else 7), back + timedelta(days=1)
        return monday + timedelta(days=4 + 7 * shift), monday + timedelta(days=6 + 7 * shift)
    if unit == "month":
        number = today.year * 12 + today.month - 1 + shift
        first = date(number // 12, number % 12 + 1, 1)
        return first, _month_end(first)
    return date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)


_LENGTH = {"day": 1, "night": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}


def _counted(got: dict[str, str | None], today: date) -> Iterator[tuple[date, date]]:
    word = (got["count"] or "").casefold()
    rough = "few" in word or "couple" in word
    count = int(word) if word.isdigit() else SMALL.get(word.removeprefix("a ") or "a", 1)
    named = (got["unit"] or "").casefold()
    if named == "fortnight":
        count, named = 2 * count, "week"
    unit = _LENGTH[named]
    back = (got["dir"] or "").casefold() in ("ago", "before", "earlier", "prior", "back")
    least, most = (2, 8) if rough else (count, count)
    slack = 0 if unit == 1 and not rough else (unit if unit > 300 else (unit + 1) // 2 + 1)
    if most * unit > 100_000:
        return
    near, far = least * unit - slack, most * unit + slack
    if back:
        yield today - timedelta(days=far), today - timedelta(days=near)
    else:
        yield today + timedelta(days=near), today + timedelta(days=far)


def _month_end(first: date) -> date:
    after = (
        first.replace(year=first.year + 1, month=1)
        if first.month == 12
        else first.replace(month=first.month + 1)
    )
    return after - timedelta(days=1)
