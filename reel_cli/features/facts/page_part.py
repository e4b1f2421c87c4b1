"""The facts on the page of a session: asked for where they are due, kept in the same commit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.prompts import FACTS_PART, facts_text
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.facts.files import FACTS

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.exchange.reader.reply import Reading
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter


@dataclass(frozen=True, slots=True)
class FactsOfPage:
    """What a page does to the facts, and what to show of it."""

    writes: Mapping[str, bytes]
    trailers: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[Problem, ...] = ()


NOTHING = FactsOfPage({})


def plan_facts_of_page(  # noqa: PLR0913 (the kit, the page and what it is of)
    snapshot: "Snapshot", ask: "Ask", reading: "Reading", session: Session, counter: "Counter", now: datetime,
    *, unattended: bool = False,
) -> FactsOfPage:  # fmt: skip
    """The facts as a page has them; where it leaves them out they stay due.

    `unattended`: those about the persona wait for a person's word.
    """
    if FACTS_PART not in ask.parts:
        return NOTHING
    if FACTS_PART not in reading.values:
        # a page in pieces was asked for it twice
        if not ask.replies or any(problem.field == FACTS_PART for problem in reading.problems):
            return NOTHING
        label = facts_text()[FACTS_PART][0]
        return FactsOfPage({}, problems=(Problem(FACTS_PART, f"“{label}” was not answered; it stays due"),))
    from reel_cli.features.facts.plan_reply import keep_weighed, weigh
    from reel_cli.features.facts.reply import read_told

    told = () if reading.empty(FACTS_PART) else tuple(read_told(reading.text(FACTS_PART)))
    last = max((entry.number or 0 for entry in session.shown()), default=0)
    try:
        weighed = weigh(snapshot, session, told, counter, unattended=unattended)
        kept = keep_weighed(snapshot, SourceRange(session.id, 1, last), weighed, now.isoformat())
    except ReelError as error:
        return FactsOfPage({}, problems=(Problem(FACTS_PART, f"the facts stay out: {error.message}"),))
    lines = tuple(f"+ {line}" for line in kept.shown)
    shown = ((f"Known by heart, in {FACTS}", lines),) if lines else ()
    if weighed.waits:
        from reel_cli.features.page.held_back import HEADING, tell_fact

        shown = (*shown, (HEADING, tuple(f"+ know by heart: {tell_fact(one)}" for one in weighed.waits)))
    return FactsOfPage(kept.writes, kept.trailers, shown, weighed.problems)
