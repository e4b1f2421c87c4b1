"""Schedule of dreams, kept light because every look at a kit's state asks for it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from reel_cli.core.moment import day_in_words, days_since, moment
from reel_cli.core.values.change import tell_many


def why_first(sessions: Sequence[str], now: datetime, days: int, number: int, least: int = 0) -> str:
    """Return why a kit that never dreamt should; "" if it is too early.

    That is once its first session is `days` old, or there are `number` of them; 0 for what does not count.
    `sessions` are without what is dated ahead of the clock, oldest first; of fewer than `least` none is due.
    """
    if len(sessions) < least:
        return ""
    first = next((day for name in sorted(sessions) if (day := moment(name[:10])).year > 1), now)
    old = bool(days) and (days_since(first, now) or 0) >= days
    return (
        f"{tell_many(len(sessions), 'chat')} and no story yet" if old or 0 < number <= len(sessions) else ""
    )


def why_next(last: datetime | None, unread: int, now: datetime, days: int, number: int) -> str:
    """Return why the next dream is due by the kit's schedule; "" if it is not.

    `last` is when one was last woven of (None: nobody knows), `unread` how many sessions there are since. A
    dream that is dated ahead of the clock leaves it to the sessions: one of the two clocks is wrong.
    """
    since = f"{tell_many(unread, 'chat')} since"
    many_enough = 0 < number <= unread
    if last is None or not unread:
        return since if many_enough else ""
    age = days_since(last, now)
    if age is None:
        return f"the last dream was on {day_in_words(last.date())}, a date that is still to come; {since}"
    return f"the last dream was {in_days(age)}; {since}" if many_enough or (days and age >= days) else ""


def by_clock(sessions: Sequence[str], now: datetime) -> list[str]:
    """Return these sessions, oldest first, without any dated over a day ahead of the clock."""
    latest = (now.astimezone(UTC) + timedelta(days=1)).date().isoformat()
    return [name for name in sessions if name[:10] <= latest]


def in_days(age: int) -> str:
    """Return an age in words: `today`, `yesterday`, `9 days ago`."""
    return "today" if age == 0 else "yesterday" if age == 1 else f"{age:,} days ago"
