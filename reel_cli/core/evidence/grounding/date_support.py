"""Support for a date: whether what was said, or the day on which it was said, may be the claimed one."""

from datetime import date, timedelta

from reel_cli.core.evidence.grounding.dates import When

_MONTH = 31


def is_borne(claim: When, said: list[When], today: list[date]) -> bool:
    """Return whether any date that was said, or the day on which it was said, may be the claimed one."""
    if claim.kind == "nth":
        return any(d.day == claim.day for d in today) or any(
            one.day == claim.day
            or any(_has_day(span, claim.day) for span in one.spans if _length(span) <= 10)
            for one in said
        )
    if claim.relative and not claim.spans:
        return True
    numbered = claim.kind == "day" and any(one.kind == "either" and one.day == claim.day for one in said)
    if numbered and any(abs((mine - day).days) <= _MONTH for mine, _ in claim.spans for day in today):
        # `the bank says 14 or 15.` leaves the month to the day it was said on
        return True
    exact = {a for one in said if one.kind == "day" for a, _ in one.spans} if claim.kind == "day" else set()
    # a `next week` that also stands there as a day means that day
    spans = [
        span
        for one in said
        for span in one.spans
        if span[0] == span[1]
        or not 0 < _length(span) <= 16
        or not any(span[0] <= day <= span[1] for day in exact)
    ]
    spans += [(day, day) for day in today]
    if claim.kind == "weekday" and any(one.weekday == claim.weekday for one in said):
        return True
    if claim.kind == "weekday":
        return any(_length(s) <= 3 and _meets(c, s) for c in claim.spans for s in spans)
    for mine in claim.spans:
        size = _length(mine)
        most = 10 if size <= 1 else 45 if size <= 45 else 4_000
        if any(_length(span) <= most and _meets(mine, span) and _tells(span, claim, mine) for span in spans):
            return True
        exactly = claim.kind == "day"
        if not exactly and any(one.rough and _meets(mine, span) for one in said for span in one.spans):
            return True
    return False


def _tells(span: tuple[date, date], claim: When, mine: tuple[date, date]) -> bool:
    """Return whether a span of days supports a day: `last week` supports its first, middle and last."""
    if claim.kind != "day" or _length(span) <= 3:
        return True
    first, last = span
    return mine[0] in (first, last, first + (last - first) / 2)


def _meets(one: tuple[date, date], other: tuple[date, date]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _has_day(span: tuple[date, date], day: int | None) -> bool:
    return any((span[0] + timedelta(days=i)).day == day for i in range(_length(span) + 1))


def _length(span: tuple[date, date]) -> int:
    return (span[1] - span[0]).days
