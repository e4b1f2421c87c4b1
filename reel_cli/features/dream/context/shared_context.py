"""The shared context: what to know at once on waking up, and when that is out of date (Dream Weaver §9.1)."""

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from reel_cli.core.frozen import frozen
from reel_cli.core.moment import NEVER, moment
from reel_cli.core.values.talk import SESSION_ID, session_order

PARTS = ("now", "hours", "person", "blocked", "next")
"""Keys of the parts: where things stand, the last 48 hours, how the person is, what is blocked, what comes
next."""
LISTS = frozenset({"hours", "blocked", "next"})
"""The parts that are points, one a line; the others are a few sentences."""
MOST_LINES = 49
"""The whole file has fewer than fifty lines."""
MOST_CHARACTERS = 6_000
"""The file is read at a glance: long lines are no way around its lines."""
SPAN = timedelta(hours=48)
"""The time it speaks of."""
MOST_SESSIONS = 2
"""Number of sessions it does not know from which it is out of date, however short the time."""
_PLACE = re.compile(r"(.+)#([1-9]\d{0,8})")


@frozen
class Place:
    """A message on the tape, and when it was said: ISO 8601, "" where the tape does not tell."""

    session: str
    number: int
    said: str = ""

    def __str__(self) -> str:
        """Return it as `2026-02-10-1#48`."""
        return f"{self.session}#{self.number}"

    @property
    def order(self) -> tuple[tuple[str, int], int]:
        """Return the sort key."""
        return session_order(self.session), self.number

    @property
    def when(self) -> datetime:
        """Return when it was said; its session's day if that is unknown."""
        said = moment(self.said)
        return said if said > NEVER else moment(self.session[:10])


def parse_place(text: str, said: str = "") -> Place | None:
    """Return a place from `2026-02-10-1#48`; None if it is none."""
    found = _PLACE.fullmatch(text.strip())
    if found is None or not SESSION_ID.fullmatch(found[1]):
        return None
    return Place(found[1], int(found[2]), said)


@frozen
class ContextBasis:
    """The basis of a shared context: the last message, the day it was written, the model.

    `model_from` is `wire` where the server that sent it named the model.
    """

    place: Place
    on: str = ""
    model: str = ""
    without: str = ""
    """A print of the chats up to there that had been taken back by then; "" for none, or unknown."""
    model_from: str = ""


@frozen
class SharedContext:
    """`SHARED-CONTEXT.md` as it stands.

    `parts` are those it has, by key, as text; `known` is None where it does not say up to when it knows, as
    in a file written by hand; `lines` counts all of the file's.
    """

    parts: Mapping[str, str] = field(default_factory=dict)
    known: ContextBasis | None = None
    lines: int = 0
    characters: int = 0

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the required parts that it lacks."""
        return tuple(key for key in PARTS if key not in self.parts)


class Freshness(StrEnum):
    """States of the shared context: whether it is up to date."""

    FRESH = "fresh"
    STALE = "stale"
    NONE = "none"
    """No file, and nothing that asks for one."""


@frozen
class Tape:
    """The parts of the tape and the story that decide whether a shared context is out of date.

    `newest` is the last message that was said (None for an empty tape), `later` how many sessions came after
    the one the context knows; `dreamt` the last message that a dream read, where it has come to its end.
    """

    newest: Place | None
    later: int = 0
    dreamt: Place | None = None
    has_story: bool = False


def judge_context(context: SharedContext | None, tape: Tape) -> Freshness:
    """Return whether the shared context is out of date.

    Without one, it is due once there is a story. With one it is out of date as soon as what was said last is
    more than 48 hours newer than the last message it knows, or was said in the second session after that, or
    a dream that came to its end has read further; never before something was said that it does not know.
    """
    if context is None and not tape.has_story:
        return Freshness.NONE
    if tape.newest is None:
        return Freshness.FRESH if context is not None else Freshness.NONE
    known = context.known if context is not None else None
    if known is None:
        return Freshness.STALE
    if tape.newest.order <= known.place.order and tape.newest.when <= known.place.when:
        return Freshness.FRESH
    behind = tape.dreamt is not None and known.place.order < tape.dreamt.order
    stale = behind or tape.later >= MOST_SESSIONS or tape.newest.when - known.place.when > SPAN
    return Freshness.STALE if stale else Freshness.FRESH
