"""Said things that may be worth keeping: those that wait and those decided (Memory Keep §II.3.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import SourceRange, parse_source, session_order

FACTS, EXPERIENCE, DOMAIN, WORKING, NOWHERE = "facts", "experience", "domain", "working", "nowhere"
PLACES = (FACTS, EXPERIENCE, DOMAIN, WORKING, NOWHERE)
"""Places that something said may go to."""
MODEL, PERSON, REEL = "model", "person", "reel"
"""Sources of an observation or decision."""
AGAIN = "nothing is kept of it"
"""End of a reason why an answer is not taken: nothing of it is in review."""
LONGEST = 200
"""Characters of what was said that are quoted."""
FIRM = 100
"""Strength of the model's or a person's observations, which reel's do not displace."""


@frozen
class Candidate:
    """One thing that was said and waits: where on the tape, who said it, when, the words, why it may matter.

    `by` says who noticed it; `where` is the place that was named for it with that, "" for none.
    """

    source: str
    words: str
    who: str = ""
    when: str = ""
    why: str = ""
    by: str = REEL
    where: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Return the key: the same words of the same message are one thing."""
        return self.source, " ".join(self.words.split()).casefold()

    @property
    def place(self) -> SourceRange | None:
        """Return the message it was said in; None if `source` names none."""
        span = parse_source(self.source)
        return span if span is not None and span.first == span.last else None


@frozen
class Decision:
    """A decision: where something went, why, who said so, and on which session's page ("" for none)."""

    where: str
    why: str
    by: str
    page: str = ""


@frozen
class DecidedCandidate:
    """A candidate that was decided."""

    candidate: Candidate
    decision: Decision


@frozen
class Queue:
    """The queue of what waits, in order of arrival, and what was decided, the newest last.

    `overflow` is the newest session of which something had no room, "" for none: what a page of it, or of an
    older one, misses here it looks for on the tape.
    """

    waiting: Sequence[Candidate] = field(default=())
    decided: Sequence[DecidedCandidate] = field(default=())
    overflow: str = ""


def without_too_many(waiting: Iterable[tuple[Candidate, int]], most: int) -> Sequence[Candidate]:
    """Return those that must leave a queue of at most `most`; each is given with its weight.

    The weakest go first, and of those that weigh the same the one said first.
    """
    listed = list(waiting)
    order = sorted(range(len(listed)), key=lambda at: (listed[at][1], _when(listed[at][0].place), at))
    return [listed[at][0] for at in sorted(order[: max(0, len(listed) - most)])]


MOST_ASKED = 12
"""Maximum number of items one page asks about."""


def to_ask(waiting: Sequence[Candidate], session: str, room: int) -> Sequence[Candidate]:
    """Return what a session's page asks about, within `room` characters: its own first, then the newest.

    At most `MOST_ASKED`, in the order of the tape.
    """
    order = sorted(waiting, key=lambda one: _when(one.place), reverse=True)
    own = [one for one in order if one.place is not None and one.place.session == session]
    chosen: list[Candidate] = []
    for one in [*own, *(one for one in order if one not in own)][:MOST_ASKED]:
        room -= len(one.words) + len(one.who) + len(one.why) + 20
        if room < 0:
            break
        chosen.append(one)
    return sorted(chosen, key=lambda one: _when(one.place))


def _when(place: SourceRange | None) -> tuple[tuple[str, int], int]:
    return (day_order(place.session), place.first) if place is not None else (day_order(""), 0)


def day_order(session: str) -> tuple[str, int]:
    """Return a sort key of a session, "" before all."""
    return session_order(session) if session else ("", 0)
