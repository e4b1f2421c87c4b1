"""Breathing of a kit: each session's intake, the losses since, and when the next release is due.

Pure: what was counted comes in, what is due comes out (MEMORY-MGMT §6).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from reel_cli.core.tape.rhythm import LONG_MINUTES, tell_minutes, tell_share
from reel_cli.core.tape.session_size import SessionSize
from reel_cli.core.values.fullness import FULL_AT
from reel_cli.core.values.settings import WHOLE


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts of a session and the time up to the next, from history.

    `memories` made and files `shelved` come in; `keeps` of the conversation, `pages` (checkpoints and
    consolidations), `passes` of maintenance, things `forgotten`, files `dropped` and `summaries` go out, and
    free so many tokens.
    """

    memories: int = 0
    shelved: int = 0
    keeps: int = 0
    pages: int = 0
    passes: int = 0
    forgotten: int = 0
    dropped: int = 0
    summaries: int = 0
    freed: int = 0

    @property
    def out(self) -> int:
        """Return how often something went out."""
        return self.keeps + self.pages + self.passes + self.forgotten + self.dropped + self.summaries

    def plus(self, other: "Acts") -> "Acts":
        """Return the sum of both."""
        return Acts(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Breath:
    """One session, or several in a row: `session` is the first of them, `upto` the last."""

    session: str
    came: SessionSize
    acts: Acts
    upto: str = ""
    taken: int = 0
    """Tokens of all turns in it, where several sessions are one."""

    @property
    def tokens_in(self) -> int:
        """Return the tokens that were said."""
        return self.taken or self.came.turns

    @property
    def used(self) -> int:
        """Return the tokens a model had before it at the end."""
        return self.came.used


def in_columns(breaths: Sequence[Breath], most: int) -> list[Breath]:
    """Return all breaths in at most so many columns; a merged one is as full as its fullest."""
    size = max(1, -(-len(breaths) // max(1, most)))
    found = []
    for start in range(0, len(breaths), size):
        part = breaths[start : start + size]
        fullest = max(part, key=lambda one: one.used)
        acts = Acts()
        for one in part:
            acts = acts.plus(one.acts)
        taken = sum(one.tokens_in for one in part)
        found.append(Breath(part[0].session, fullest.came, acts, part[-1].session, taken))
    return found


class Trigger(StrEnum):
    """Triggers of breathing out."""

    BUDGET = "budget"
    LENGTH = "length"
    PHASE = "phase"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Next:
    """One thing that asks for breathing out, or will: whether it does now, why, and what does it."""

    trigger: Trigger
    due: bool
    why: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class NewestSession:
    """The state of the newest session, for what is due next.

    `fresh` messages came since its last page; they took `minutes`, None where nobody knows; `open` says that
    it has no page yet, `going` that it still goes on, `asked` that advice wants things cleared away soon.
    """

    session: str
    used: int
    cap: int
    messages: int
    fresh: int
    turns: int
    minutes: int | None
    open: bool
    going: bool
    asked: bool
    held_to: str = "window"
    """The word for what `cap` is: that, where it is below the window."""


def list_next(now: NewestSession) -> list[Next]:
    """Return what asks for breathing out, each trigger once."""
    return [_budget(now), _length(now), _phase(now), _request(now)]


def _budget(now: NewestSession) -> Next:
    line, percent = now.cap * FULL_AT // WHOLE, FULL_AT * 100 // WHOLE
    which = "the chat that goes on" if now.going else now.session or "the next session"
    full = tell_share(now.used, now.cap, now.held_to) if now.cap else ""
    if full and now.going:
        return Next(Trigger.BUDGET, due=True, why=f"{which} {full}", command="reel keep")
    if full and now.fresh:
        return Next(Trigger.BUDGET, due=True, why=f"{which} {full}", command="reel end")
    if full or not now.messages or not now.turns:
        return Next(Trigger.BUDGET, due=False, why=f"at {percent} % of the {now.held_to}")
    left = max(1, (line - now.used) * now.messages // max(1, now.turns))
    many = "1 more message" if left == 1 else f"{left:,} more messages"
    told = f"{which} took {now.used * 100 // now.cap if now.cap else 0} % of the {now.held_to}"
    return Next(Trigger.BUDGET, due=False, why=f"{told}; at {percent} %, some {many} on")


def _length(now: NewestSession) -> Next:
    if now.fresh and now.minutes is not None and now.minutes >= LONG_MINUTES:
        without = "without a page" if now.open else "since its page"
        why = f"{now.session} went on for {tell_minutes(now.minutes)} {without}"
        return Next(Trigger.LENGTH, due=True, why=why, command="reel end")
    why = f"when a chat goes on for more than {LONG_MINUTES} minutes without a page"
    return Next(Trigger.LENGTH, due=False, why=why)


def _phase(now: NewestSession) -> Next:
    if now.open and not now.going:
        why = f"{now.session} is over and has no page yet"
        return Next(Trigger.PHASE, due=True, why=why, command="reel end")
    return Next(Trigger.PHASE, due=False, why="when the next chat is over")


def _request(now: NewestSession) -> Next:
    if now.asked:
        why = "the advice is to clear away soon"
        return Next(Trigger.REQUEST, due=True, why=why, command="reel shelf gc")
    return Next(Trigger.REQUEST, due=False, why="when advice or you ask for it")
