"""The facts on the page of a session: asked for where they are due, kept in the same commit."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.files.kit_files import restore_command
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.facts.files import FACTS
from reel_cli.features.facts.reply import FIELD, read_told

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Session

NOTHING = PartPlan()
ROOM = 80
"""Tokens of the cap for each word that the prompt has for known facts, kinds and what to look for."""


def ask_facts(page: PageRequest) -> PartRequest | None:
    """Return what the prompt asks with; None where facts are not due.

    Where the file cannot be read, the request says so and asks for nothing. Of a chat that is not on the tape
    yet they are due.
    """
    settings = page.snapshot.settings
    if not settings.facts_asked or not (settings.facts_early or settings.facts_every):
        return None
    from reel_cli.features.facts.ask import wanted_of
    from reel_cli.features.facts.known import is_due, note_rounds

    if page.session is not None:
        gone = [one.span for one in note_rounds(page.repository)]
        if not is_due(settings, page.session, gone):
            return None
    try:
        return PartRequest(wanted_of(page.snapshot).within(min(page.room, settings.cap // ROOM)).fill())
    except ReelError:
        mend = restore_command([FACTS])
        return PartRequest(hindered=f"Facts are not asked for until {FACTS} is mended:  {mend}")


def plan_facts(page: PageAnswer) -> PartPlan:
    """Return the facts as a page has them; where it leaves them out they stay due.

    Where nobody reads the page, those about the persona wait for a person's word.
    """
    ask, reading, session = page.ask, page.reading, page.session
    if FIELD.key not in ask.parts:
        return NOTHING
    if FIELD.key not in reading.values:
        # a page in pieces was asked for it twice
        if not ask.replies or any(problem.field == FIELD.key for problem in reading.problems):
            return NOTHING
        return _problem(f"“{FIELD.label}” was not answered; the next page asks for it")
    from reel_cli.features.facts.plan_reply import keep_weighed
    from reel_cli.features.facts.weigh_facts import weigh

    told = () if reading.empty(FIELD.key) else tuple(read_told(reading.text(FIELD.key)))
    try:
        weighed = weigh(page.snapshot, session, told, page.counter, unattended=page.unattended)
        kept = keep_weighed(page.snapshot, _whole(session), weighed, page.now.isoformat())
    except ReelError as error:
        return _problem(f"no facts were kept: {error.message}")
    lines = tuple(f"new: {line}" for line in kept.shown)
    shown = (("Known by heart", lines),) if lines else ()
    if weighed.waits:
        from reel_cli.features.facts.held_back import tell_fact
        from reel_cli.features.page.proposals import HEADING

        shown = (*shown, (HEADING, tuple(f"know by heart: {tell_fact(one)}" for one in weighed.waits)))
    return PartPlan(kept.writes, kept.trailers, shown, weighed.problems)


def _whole(session: "Session") -> SourceRange:
    return SourceRange(session.id, 1, max((entry.number or 0 for entry in session.shown()), default=0))


def _problem(what: str) -> PartPlan:
    return PartPlan(problems=(Problem(FIELD.key, what),))


FACTS_PART = PagePart("facts", (FIELD,), ask_facts, plan_facts, again=True)
