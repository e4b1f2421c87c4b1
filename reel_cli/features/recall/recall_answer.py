"""A recall's limits and scope, and its answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date

from reel_cli.core.frozen import frozen
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.search import Hit, StandingSentence
from reel_cli.features.recall.moments import (
    BETWEEN,
    Moment,
    in_talk_order,
    render_block,
    tell_known,
    tell_standing,
    tell_stretch,
)
from reel_cli.features.recall.recall_query import Scope

COURSE = 7
"""Number of moments of a thread told if neither a number nor a size is given."""
USUAL = 5
"""Number of moments told if neither a number nor a size is given."""
FEW = 3
"""Number of moments that a person is shown at once, where they gave no number."""
CLEAR = 0.8
"""Share of the best moment's certainty that another needs to be shown with it."""
MOST = 200
"""Number of candidates searched if only some of them may be told."""
FRAME_SHARE = 5
"""One part in so many of the room may go to the fact that answers and to what holds always."""
STRETCH_TOKENS = 32
"""The most that the line from when to when takes, in tokens."""
MOST_LISTED = 8
"""Number of moments of as many evenings told where all there is of something is asked for."""
TOKENS_A_MOMENT = 24
"""The least a moment takes, in tokens: it says how many may fit into a size."""


@frozen
class RecallRequest:
    """The limits and the scope of a recall; `tokens` None for no limit of size.

    `nearest` asks to be told of all that was not certain enough, too; with `apart` each moment is to have its
    day, also beside another of the same evening. `today` is the day for words like `yesterday`; None where
    they stand for none. With `resume` a query that only asks what was going on is answered with the end of
    the newest session and the newest open loops.
    """

    limit: int | None = None
    tokens: int | None = None
    nearest: bool = False
    apart: bool = False
    scope: Scope = field(default_factory=Scope)
    today: date | None = None
    resume: bool = False
    thread: bool = False
    """Whether the best moment is told with what led there and what came of it."""
    sure: bool = False
    """Whether moments that are told as unsure are to be left out."""
    asker: str = ""
    """Role of who asks, which says whose `my` is; "" where it may be either."""


@frozen
class RecallAnswer:
    """An answer: the moments told, best first, and what was found and not told.

    `discarded` were not certain enough, and `passed` are the nearest of them; `left` were, and there was no
    room for them.
    `confidence` is that of the best of all, told or not. `touched` are the memories and index lines that
    stand for what is told.
    """

    query: str
    moments: Sequence[Moment] = ()
    discarded: int = 0
    passed: Sequence[Moment] = ()
    left: int = 0
    confidence: float = 0.0
    threshold: float = 0.0
    terms: Mapping[str, int] = field(default_factory=dict)
    touched: Sequence[str] = ()
    lifted: str = ""
    """The origin the query speaks of, whose moments came first."""
    led: int = 0
    """Number of moments at the beginning that came by the protocol which the query names."""
    known: tuple[str, str] | None = None
    """The fact that answers by itself: its ID, and its statement."""
    standing: Sequence[StandingSentence] = ()
    """If something is asked for: sentences that hold always, newest first."""
    listed: bool = False
    """Whether the query asks for all there is of something."""
    thread: str = ""
    """The matter whose course is told, in order; "" for moments, best first."""
    course: int = 0
    """Number of moments of that course; those after them were found, too."""
    lacking: Sequence[str] = ()
    """Words of the query that were never said, where the moments are unsure because of them."""

    @property
    def text(self) -> str:
        """Return all that is told as one text: the fact, the moments and their stretch, what holds always."""
        told = [tell_known(self.known)] if self.known else []
        told += [render_block(self.moments)] if self.moments else []
        if self.listed and (stretch := tell_stretch(self.moments)):
            told.append(stretch)
        return BETWEEN.join([*told, *([tell_standing(self.standing)] if self.standing else [])])


def as_lived(answer: RecallAnswer) -> RecallAnswer:
    """Return the answer as a model reads it: without STAGE and CHAIN syntax, one chat's turns in order."""
    standing = [replace(one, text=remove_syntax(one.text)) for one in answer.standing]
    led, others = answer.moments[: answer.led], answer.moments[answer.led :]
    moments = [moment.lived() for moment in (*in_talk_order(led), *in_talk_order(others))]
    return replace(answer, moments=moments, standing=standing)


def clearest(answer: RecallAnswer) -> Sequence[Moment]:
    """Return the moments nearly as certain as the best, in their order; all where a list is asked for.

    Where the query names a protocol, only what came by it is measured, if anything did (REEL §5.4).
    """
    if answer.listed or answer.thread:
        return answer.moments
    moments = answer.moments[: answer.led] or answer.moments
    least = CLEAR * max((moment.hit.confidence for moment in moments), default=0.0)
    return [moment for moment in moments if moment.hit.confidence >= least][:FEW]


def limit_of(asked: RecallRequest) -> int:
    """Return how many moments may be shown."""
    if asked.limit is not None:
        return asked.limit
    if asked.tokens is not None:
        return max(1, min(MOST, asked.tokens // TOKENS_A_MOMENT))
    return USUAL


def fit_frame(
    known: tuple[str, str] | None,
    standing: Sequence[StandingSentence],
    tokens: int,
    count: Callable[[str], int],
    *,
    listed: bool,
) -> tuple[tuple[str, str] | None, Sequence[StandingSentence], int]:
    """Return what fits beside the moments into a part of the room, and the room that is left for them."""
    most = tokens // FRAME_SHARE
    left = most - (STRETCH_TOKENS if listed else 0)
    if known is not None and (size := count(tell_known(known) + BETWEEN)) <= left:
        left -= size
    else:
        known = None
    fitting = [n for n in range(len(standing), 0, -1) if count(BETWEEN + tell_standing(standing[:n])) <= left]
    standing = standing[: fitting[0]] if fitting else ()
    left -= count(BETWEEN + tell_standing(standing)) if standing else 0
    return known, standing, tokens - (most - left)


def by_evening(hits: Sequence[Hit]) -> list[Hit]:
    """Return the best hit of each session, for a few sessions, and then the others in their order."""
    best: dict[str | None, Hit] = {}
    for hit in hits:
        best.setdefault(hit.session, hit)
    first = list(best.values())[:MOST_LISTED]
    return [*first, *(hit for hit in hits if hit not in first)]
