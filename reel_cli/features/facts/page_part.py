"""The facts on the page of a session: asked for where they are due, kept in the same commit."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.files.kit_files import restore_command
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.facts.files import FACTS
from reel_cli.features.facts.pending.ended_facts import (
    NOTHING,
    as_problem,
    is_about,
    list_notes,
    plan_ended,
    read_page_facts,
)
from reel_cli.features.facts.reply import FIELD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.artifact import Problem
    from reel_cli.core.values.talk import Session
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.reply import ToldFact


HEADING = "Facts"
"""Heading on screen above the facts that a page brings."""
ROOM = 70
"""Tokens of the cap for each word that the prompt has for known facts, kinds and what to look for."""
_NAME = late(r"(?s)(?:[\w -]{1,30}, )?(?P<name>.+?): (?:not kept|set aside): (?P<why>.*)")
"""Pattern of why a fact was not kept, with its name."""
_REASONS = 6
"""Maximum number of facts that are not kept whose reasons are told; further ones are named."""


def ask_facts(page: PageRequest) -> PartRequest | None:
    """Return what the prompt asks with; None where facts are not due.

    Where the file cannot be read, the request says so and asks for nothing. Of a chat that is not on the tape
    yet they are due.
    """
    settings = page.snapshot.settings
    if not settings.facts_asked or not (settings.facts_early or settings.facts_every):
        return None
    from reel_cli.features.facts.ask import wanted_of
    from reel_cli.features.facts.rounds import is_due, note_rounds

    if page.session is not None:
        gone = [one.span for one in note_rounds(page.repository)]
        if not is_due(settings, page.session, gone):
            return None
    try:
        said = "\n".join(one.message.text for one in page.session.shown()) if page.session is not None else ""
        wanted = replace(wanted_of(page.snapshot, said), ended=True)
        fill = wanted.within(min(page.room, settings.cap // ROOM)).fill()
        return PartRequest(fill, urgent=page.session is not None and _speaks_of_safety(page.session))
    except ReelError:
        mend = restore_command([FACTS])
        return PartRequest(hindered=f"Facts are not asked for until {FACTS} is mended:  {mend}")


def _speaks_of_safety(session: "Session") -> bool:
    """Return whether the user speaks of a medicine, an allergy, or somebody's safety."""
    from reel_cli.core.values.approval import PROTECTING
    from reel_cli.features.facts.evidence.medicine import names_medicine

    said = (one.message.text for one in session.shown() if one.message.role == "user")
    return any(PROTECTING.search(text) is not None or names_medicine(text) for text in said)


def plan_facts(page: PageAnswer) -> PartPlan:
    """Return the facts as a page has them, without the commitments whose notes it closes.

    Where it leaves facts out they stay due. Where nobody reads the page, those about the persona wait for a
    person's word.
    """
    told = _plan_told(page)
    if page.snapshot.read(FACTS) is None:
        return told
    told = _plan_unasked(page, told)
    closed, gone = plan_ended(replace(page, writes={**page.writes, **told.writes}))
    # of what is let go of nobody has to know that it stays
    names = tuple(f"{one.category}, {one.key}: " for one in gone)
    problems = (one for one in told.problems if not one.what.startswith(names))
    return replace(
        told,
        writes={**told.writes, **closed.writes},
        trailers=(*told.trailers, *closed.trailers),
        shown=(*told.shown, *closed.shown),
        problems=(*problems, *closed.problems),
    )


def _plan_told(page: PageAnswer) -> PartPlan:
    """Return the facts as a page has them."""
    ask, reading, session = page.ask, page.reading, page.session
    if FIELD.key not in ask.parts:
        return NOTHING
    if FIELD.key not in reading.values:
        # a page in pieces was asked for it twice
        if not ask.replies or any(problem.field == FIELD.key for problem in reading.problems):
            return NOTHING
        return as_problem(f"“{FIELD.label}” was not answered; the next page asks for it")
    from reel_cli.features.facts.evidence.weigh_facts import weigh
    from reel_cli.features.facts.plan_reply import keep_weighed, with_standing

    told = [one for one in read_page_facts(page) if not one.is_over]
    told = with_standing(told, session, _whole(session))
    try:
        weighed = weigh(page.snapshot, session, told, page.counter, unattended=page.unattended)
        kept = keep_weighed(page.snapshot, _whole(session), weighed, page.now.isoformat())
    except ReelError as error:
        return as_problem(f"no facts were kept: {error.message}")
    from reel_cli.features.facts.policy import guards_health

    # the kind of a fact sorts it for the model; a person knows it by its name
    lines = tuple(
        f"{'changed' if fact.replaces else 'new'}: {line.partition(', ')[2] or line}"
        for fact, line in zip(weighed.facts, kept.shown, strict=True)
    )
    notes = list_notes((page.writes.get(WORKING) or b"").decode())
    above = [
        line
        for fact, line in zip(weighed.facts, lines, strict=True)
        # what a change replaces is told by no note, and a dose is read here
        if not (fact.replaces or guards_health(fact)) and any(is_about(note, fact) for note in notes)
    ]
    lines = (*(line for line in lines if line not in above), *above)
    lost = _tell_lost([one.what for one in weighed.refused if one.quiet])
    shown = ((HEADING, (*lines, *lost)),) if lines or lost else ()
    short = {HEADING: tuple(_tell_once(lines, above)) if above else lines}
    if weighed.waits:
        from reel_cli.features.facts.pending.held_facts import tell_held
        from reel_cli.features.page.proposals import HEADING as TO_DECIDE

        shown = (*shown, (TO_DECIDE, tuple(f"a fact: {tell_held(one)}" for one in weighed.waits)))
    names = {found["name"] for one in weighed.refused if (found := _NAME.fullmatch(one.what)) is not None}
    refused = [f"{one.key}: {one.value}" for one in told if one.key in names]
    before = list_notes(page.snapshot.text(WORKING) or "")
    fresh = [one for one in notes if one not in before]
    problems = (
        (*weighed.problems, *_at_odds(page, fresh, told, weighed.problems)) if fresh else weighed.problems
    )
    return PartPlan(kept.writes, kept.trailers, shown, problems, short=short, refused=refused)


def _at_odds(
    page: PageAnswer, notes: "Sequence[str]", told: "Sequence[ToldFact]", problems: "Sequence[Problem]"
) -> "Sequence[Problem]":
    """Return a problem for each new note of a page that a fact of the same page is at odds with."""
    from reel_cli.core.tape.talks import talk_day
    from reel_cli.features.facts.pending.note_clashes import find_note_clashes

    day = talk_day(page.snapshot, page.session)
    return [*find_note_clashes(notes, told, [one.what for one in problems], day)]


def _plan_unasked(page: PageAnswer, told: PartPlan) -> PartPlan:
    """Return the plan with the doses that the chat changes and no fact of the page tells, to decide."""
    from reel_cli.core.files.memory_file import parse_memory
    from reel_cli.core.values.change import Change
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.pending.ended_facts import propose
    from reel_cli.features.facts.pending.held_facts import list_held
    from reel_cli.features.facts.pending.unasked_changes import find_unasked
    from reel_cli.features.facts.policy import current_facts, fact_name

    after = page.snapshot.after(Change("checkpoint", "", {**page.writes, **told.writes}))
    try:
        held, stands = current_facts(read_facts(page.snapshot)), current_facts(read_facts(after))
    except ReelError:
        return told
    before = list_notes(page.snapshot.text(WORKING) or "")
    written = [one for one in list_notes(after.text(WORKING) or "") if one not in before]
    written += [
        parse_memory(body.decode(), path).body
        for path, body in page.writes.items()
        if body is not None and path.startswith("ring3/") and page.snapshot.read(path) is None
    ]
    changes = [
        one
        for one in find_unasked(held, page.session, written)
        if _may_wait(one, stands)
        and not any(
            page.session.id == other.source.partition("#")[0] for other in list_held(after, fact_name(one))
        )
    ]
    more = propose(replace(page, writes={**page.writes, **told.writes}), changes)
    return replace(told, writes={**told.writes, **more.writes}, shown=(*told.shown, *more.shown))


def _may_wait(fact: "Fact", stands: "Sequence[Fact]") -> bool:
    """Return whether the value that a change replaces still holds; for a new medicine, that none is there."""
    from reel_cli.features.facts.pending.another_medicine import read_names
    from reel_cli.features.facts.policy import fact_name, same_value

    if not fact.replaces:
        return not any(read_names(fact.key) & read_names(other.key) for other in stands)
    return any(
        fact_name(other) == fact_name(fact) and same_value(other.value, fact.replaces) for other in stands
    )


def _tell_lost(refused: "Sequence[str]") -> "Sequence[str]":
    """Return a line for each fact that is not kept, with the reason, and one that names the rest."""
    found = [(str(one["name"]), one["why"]) for what in refused if (one := _NAME.fullmatch(what)) is not None]
    told = [f"not known by heart: {name} ({why})" for name, why in found[:_REASONS]]
    rest = dict.fromkeys(name for name, _ in found[_REASONS:])
    return (*told, f"nor: {', '.join(rest)}") if rest else told


def _tell_once(lines: "Sequence[str]", above: "Sequence[str]") -> "Sequence[str]":
    """Return the facts in short: those that the notes `above` say too are in one line, with their values."""
    parts = (line.split(": ", 2)[1:] for line in above)
    told = "; ".join(dict.fromkeys(f"{name}: {one_line(' '.join(value), _TOLD)}" for name, *value in parts))
    return (*lines[: len(lines) - len(above)], f"new, and in the notes above: {told}")


_TOLD = 70
"""Characters of a fact's value that is told in a line with others."""


def _whole(session: "Session") -> SourceRange:
    return SourceRange(session.id, 1, max((entry.number or 0 for entry in session.shown()), default=0))


FACTS_PART = PagePart("facts", (FIELD,), ask_facts, plan_facts, again=True, first=True)
