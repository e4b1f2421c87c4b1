"""What was said that may be worth keeping: what waits, and what was decided (Memory Keep §II.3.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import SourceRange, parse_source, session_order

FACTS, EXPERIENCE, DOMAIN, WORKING, NOWHERE = "facts", "experience", "domain", "working", "nowhere"
PLACES = (FACTS, EXPERIENCE, DOMAIN, WORKING, NOWHERE)
"""Where what was said may go."""
MODEL, PERSON, REEL = "model", "person", "reel"
"""Who noticed something, or decided it."""
LONGEST = 200
"""So many characters of what was said are quoted."""
NEWEST = 3
"""Only so many sessions, the newest, are listened to; what is recorded of older ones is history."""
FIRM = 100
"""What the model or a person noticed is not pushed out by what reel did."""


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
        """What it is known by: the same words of the same message are one thing."""
        return self.source, " ".join(self.words.split()).casefold()

    @property
    def place(self) -> SourceRange | None:
        """The message it was said in; None where `source` names none."""
        span = parse_source(self.source)
        return span if span is not None and span.first == span.last else None


@frozen
class Decision:
    """Where something went, why, who said so, and on the page of which session ("" for none)."""

    where: str
    why: str
    by: str
    page: str = ""


@frozen
class Decided:
    """Something that was decided."""

    candidate: Candidate
    decision: Decision


@frozen
class Queue:
    """All that waits, in the order in which it came, and what was decided, the newest last."""

    waiting: Sequence[Candidate] = field(default=())
    decided: Sequence[Decided] = field(default=())


def without_too_many(waiting: Iterable[tuple[Candidate, int]], most: int) -> Sequence[Candidate]:
    """Those that have to leave a queue of at most `most`, each given with its weight.

    The weakest go first, and of those that weigh the same the oldest.
    """
    listed = list(waiting)
    order = sorted(range(len(listed)), key=lambda at: (listed[at][1], at))
    return [listed[at][0] for at in sorted(order[: max(0, len(listed) - most)])]


def to_ask(waiting: Sequence[Candidate], session: str, room: int) -> Sequence[Candidate]:
    """What the page of a session asks about, within `room` characters: its own first, then the newest."""

    def order(one: Candidate) -> tuple[bool, tuple[str, int], int]:
        place = one.place
        return (place is not None and place.session == session, *_when(place))

    chosen: list[Candidate] = []
    for one in sorted(waiting, key=order, reverse=True):
        room -= len(one.words) + len(one.who) + len(one.why) + 20
        if room < 0:
            break
        chosen.append(one)
    return sorted(chosen, key=lambda one: _when(one.place))


def _when(place: SourceRange | None) -> tuple[tuple[str, int], int]:
    return (session_order(place.session), place.first) if place is not None else (("", 0), 0)
