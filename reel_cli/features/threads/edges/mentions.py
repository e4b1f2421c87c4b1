"""Names by which a page speaks of an earlier one: its ID, its chat's, or its day."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache

from reel_cli.core.moment import MONTHS
from reel_cli.core.values.memory import FIELDS, Memory

_NEAR = timedelta(days=31)
"""Longest time after a day in which a page may name it as `two days ago` or `last Friday`."""
_VAGUE = ("week of ", "weekend of ", "week before ", "weekend before ", "by ", "until ", "end of ")
"""Words before a day by which another time is meant."""
_BEFORE, _AFTER = 40, 30
"""Characters told before and after a name, at most."""


def find_mention(page: Memory, names: Sequence[str], chats: Sequence[str], *, by_day: bool) -> str:
    """Return the words by which a page names an earlier one; "" where it does not.

    `names` are the IDs of the earlier page and of its `chats`; `by_day` takes the day of one of those, too.
    """
    # its anchors are words of the chat, not its own
    text = f"{page.title}\n{page.body.partition(f'## {FIELDS[4]}')[0]}"
    for name in names:
        if name in text and (found := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)):
            return _around(text, found.start(), found.end())
    today = _day(page)
    if not by_day or today is None:
        return ""
    days = {day for chat in chats if (day := date.fromisoformat(chat[:10])) < today}
    if not any(_may_name(text, day, today) for day in days):
        return ""
    return next((words for day, words in _name_days(text, today) if day in days), "")


@lru_cache(maxsize=8)
def _name_days(text: str, today: date) -> Sequence[tuple[date, str]]:
    """Return the days that a text names, each with the words around it."""
    # most chats have no page that could name a day
    from reel_cli.core.evidence.grounding.dates import dates
    from reel_cli.core.evidence.grounding.lexicon import even

    return [
        (first, _around(text, when.start, when.end))
        for when in dates(even(text), today)
        if not text[: when.start].casefold().endswith(_VAGUE)
        for first, last in when.spans
        if first == last
    ]


def _day(page: Memory) -> date | None:
    return date.fromisoformat(page.sessions[-1][:10]) if page.sessions else None


def _may_name(text: str, day: date, today: date) -> bool:
    """Return whether a closer look is worth it: most pages name no such day."""
    if today - day <= _NEAR:
        return True
    return day.isoformat() in text or (str(day.day) in text and MONTHS[day.month - 1][:3] in text)


def _around(text: str, start: int, end: int) -> str:
    """Return a name with the words around it, within its sentence; `…` where that was cut."""
    opening = max(text.rfind(mark, 0, start) + len(mark) for mark in ("\n", ". ", "? ", "! "))
    ends = [at for mark in ("\n", ". ", "? ", "! ") if (at := text.find(mark, end)) >= 0]
    first, last = opening, min(ends, default=len(text))
    if start - first > _BEFORE:
        first = text.find(" ", start - _BEFORE, start) + 1 or start
    if last - end > _AFTER:
        last = max(text.rfind(" ", end, end + _AFTER), end)
    told = text[first:last].strip(' -*."”“')
    return f"{'…' if first > opening else ''}{told}{'…' if last < min(ends, default=len(text)) else ''}"
