"""A kit's own time: its latest moment, and the days and sessions between that and others."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime

from reel_cli.core.files.ledger_file import Entry
from reel_cli.core.moment import read_day
from reel_cli.core.values.talk import SESSION_ID, SourceRange, session_order
from reel_cli.features.fading.fading import FRESH_DAYS, FRESH_SESSIONS, Use

BELIEVED = 3
"""Number of future sessions from which the clock is taken to be wrong; if there are fewer, the sessions
are."""
Place = tuple[str, int]
"""A session's place in the order they were had: its day and its number on it."""
LAST = 1 << 30
"""The place behind all sessions of a day."""


class KitClock:
    """The kit's own latest moment, and what lies between it and others.

    That is the later of the computer's clock and the newest session, so that a clock that was put
    back makes nothing young again. One or two sessions ahead of the clock are a slip of their own,
    and make nothing old.
    """

    def __init__(self, sessions: Sequence[str], now: datetime) -> None:
        """Set the clock by a kit's sessions and the computer's."""
        self.named = sorted((session_order(session), session) for session in sessions)
        self.places = [place for place, _ in self.named]
        self.today = now.date()
        days = [day for day in (read_day(place[0]) for place in self.places) if day is not None]
        if sum(day > self.today for day in days) >= BELIEVED:
            self.today = max(days)

    def days_since(self, day: date | None) -> int:
        """Return the whole days since a day; 0 if it is unknown or in the future."""
        return max(0, (self.today - day).days) if day is not None else 0

    def step_in_words(self, step: tuple[str, int] | None) -> str:
        """Return why a memory is not due again after its last step; "" if it may be.

        It waits for a session to follow, and for some days. A day ahead of the clock says nothing, so
        there some sessions count instead.
        """
        if step is None:
            return ""
        day, sessions = read_day(step[0]), step[1]
        days = self.days_since(day)
        ago = {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")
        if sessions < 1:
            return f"faded {ago}, and there was no chat since"
        ahead = day is not None and day > self.today
        if days < FRESH_DAYS and not (ahead and sessions >= FRESH_SESSIONS):
            return f"faded {ago}"
        return ""

    def sessions_after(self, place: Place) -> int:
        """Return how many sessions came after a place in their order."""
        return len(self.places) - bisect_right(self.places, place)

    def sessions_of(self, recorded: Collection[str] | None) -> int | None:
        """Return how many of these sessions came after all others; an old chat recorded late is not one."""
        if recorded is None:
            return None
        fresh = frozenset(recorded)
        latest = (self.today.isoformat(), LAST)
        older = (place for place, name in reversed(self.named) if name not in fresh and place < latest)
        before = next(older, None)
        return self.sessions_after(before) if before is not None else len(self.places)

    def sessions_after_of(self, span: SourceRange) -> int:
        """Return how many sessions came after the session of a stretch."""
        return self.sessions_after(session_order(span.session))

    def uses(self, entries: Iterable[Entry]) -> Sequence[Use]:
        """Return uses as days and sessions ago, one for each session."""
        found: dict[Place, Use] = {}
        for entry in entries:
            known = SESSION_ID.fullmatch(entry.session) is not None
            day = read_day(entry.at)
            if day is None or day > self.today:
                # noted by a fast clock: the day of its session counts
                day = read_day(entry.session) if known else None
            if day is None:
                continue
            place = session_order(entry.session) if known else (day.isoformat(), LAST)
            use = Use(self.days_since(day), self.sessions_after(place), entry.do == "recall")
            held = found.get(place)
            if held is None or use.days < held.days:
                found[place] = use
        return tuple(found.values())
