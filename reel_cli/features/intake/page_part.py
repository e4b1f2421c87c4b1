"""What was said and waits, on the page of a session: asked about, and settled in the same commit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.prompts import FACTS_PART, INTAKE_PART
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.dream.dream import Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.plan import known_categories
from reel_cli.features.facts.policy import current_facts, fact_name
from reel_cli.features.facts.reply import read_told
from reel_cli.features.intake.entry import MODEL, NOWHERE, PLACES, REEL, Candidate, Decided, Decision, to_ask
from reel_cli.features.intake.files import INTAKE, edit_intake
from reel_cli.features.intake.queue import LET_GO, SAME_KINDS, TRAILER, UNSAID, read_queue, waiting_to_ask
from reel_cli.features.intake.reply import LABEL, Answer, ask_about, read_answers
from reel_cli.features.tables.tables import find_table, list_tables

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.exchange.reader.reply import Reading
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.features.intake.settle import Settled

MOST_ASKED = 12
"""So many things one page asks about."""
ROOM = 3, 16
"""What they may take of the cap: three characters for a token, of a sixteenth of it."""
MOST_TABLES, MOST_COLUMNS = 4, 6
"""So many tables, and columns of each, are named."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a page asks about: each thing's key, and what the part is filled with."""

    keys: tuple[tuple[str, str], ...]
    fill: Mapping[str, str]


def intake_to_ask(snapshot: "Snapshot", session: str, *, facts_too: bool) -> Wanted | None:
    """What the page of a session asks about; None where nothing waits, or it cannot be read.

    `facts_too`: the page asks for facts as well, and names their kinds there.
    """
    characters, of = ROOM
    try:
        waiting = waiting_to_ask(snapshot, read_queue(snapshot))
        chosen = to_ask(waiting, session, snapshot.settings.cap * characters // of)[-MOST_ASKED:]
        if not chosen:
            return None
        kinds = [SAME_KINDS] if facts_too else known_categories(snapshot)
        fill = ask_about(chosen, _tables(snapshot), kinds)
    except ReelError:
        # a file that cannot be read is told of by the commands that are about it
        return None
    return Wanted(tuple(one.key for one in chosen), fill)


def _tables(snapshot: "Snapshot") -> Sequence[str]:
    """The tables that rows can be put into, each with its columns, the key named."""
    told: list[str] = []
    for name in list_tables(snapshot)[:MOST_TABLES]:
        try:
            table = find_table(snapshot, name)
        except ReelError:
            continue
        columns = [f"{one} (the key)" if one == table.key else one for one in table.names[:MOST_COLUMNS]]
        told.append(f"{name} with {', '.join(columns)}")
    return told


@dataclass(frozen=True, slots=True)
class IntakeOfPage:
    """What a page does with what waited, and what to show of it; `waiting` is how much waits after it."""

    writes: Mapping[str, bytes | None]
    trailers: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[Problem, ...] = ()
    index: "tuple[IndexLine, ...]" = ()
    decided: tuple[Decided, ...] = ()
    waiting: int = 0


def plan_intake_of_page(  # noqa: PLR0913 (the kit as the page leaves it, the page, and by what to count)
    snapshot: "Snapshot",
    ask: "Ask",
    reading: "Reading",
    now: datetime,
    *,
    counter: "Counter",
    highest_number: Callable[[], int],
    unattended: bool = False,
) -> IntakeOfPage:
    """What is decided on a page goes where it was said to; what is left out, or cannot be done, waits.

    `snapshot` is the kit with all else of the page in it. `unattended`: facts about the persona wait for a
    person's word.
    """
    try:
        queue = read_queue(snapshot)
    except ReelError as error:
        asked = INTAKE_PART in ask.parts and INTAKE_PART in reading.values
        told = (Problem(INTAKE_PART, f"what waits stays as it is: {error.message}"),) if asked else ()
        return IntakeOfPage({}, problems=told)
    nothing = IntakeOfPage({}, waiting=len(queue.waiting))
    if INTAKE_PART not in ask.parts or INTAKE_PART not in reading.values or reading.empty(INTAKE_PART):
        return replace(nothing, problems=_unanswered(ask, reading))
    from reel_cli.features.intake.settle import settle_one

    answers, problems = _sorted(
        list(read_answers(reading.text(INTAKE_PART), len(ask.noticed))), len(ask.noticed)
    )
    places = {one.key: at for at, one in enumerate(queue.waiting)}
    stand = {one.key for one in waiting_to_ask(snapshot, queue)}
    later = snapshot
    facts = _facts_of_page(snapshot, ask, reading)
    settled: dict[int, Decision] = {}
    done: list[Settled] = []
    for answer in answers:
        at = places.get(ask.noticed[answer.number - 1])
        if at is None:
            problems.append(_problem(answer.number, "it was decided, or taken out, meanwhile"))
            continue
        if ask.noticed[answer.number - 1] not in stand:
            problems.append(_problem(answer.number, f"{UNSAID}; nothing is made of it"))
            settled[at] = Decision(NOWHERE, UNSAID, REEL, ask.session)
            continue
        result = settle_one(
            later,
            queue.waiting[at],
            answer,
            now,
            counter=counter,
            highest_number=highest_number,
            facts=facts,
            unattended=unattended,
        )
        problems += [_problem(answer.number, note) for note in result.notes]
        if result.where:
            later = later.after(Change("", "", result.writes))
            settled[at] = Decision(result.where, result.why, MODEL, ask.session)
            done.append(result)
            if result.fact is not None:
                facts[fact_name(result.fact)] = result.fact.value
    if not settled:
        return replace(nothing, problems=tuple(problems))
    edited = edit_intake(snapshot.text(INTAKE) or "", settled, (), (), snapshot.settings.intake_keep)
    writes: dict[str, bytes | None] = {}
    for one in done:
        writes.update(one.writes)
    writes[INTAKE] = edited.text.encode()
    decided = tuple(Decided(queue.waiting[at], decision) for at, decision in settled.items())
    trailers = [pair for one in done for pair in one.trailers]
    trailers += [(TRAILER, f"{one.decision.where} {one.candidate.source}") for one in decided]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    left = len(queue.waiting) - len(settled)
    return IntakeOfPage(
        writes,
        tuple(trailers),
        _shown(done, decided, left),
        tuple(problems),
        tuple(line for one in done for line in one.index),
        decided,
        left,
    )


def _unanswered(ask: "Ask", reading: "Reading") -> tuple[Problem, ...]:
    """What to say where a page in pieces, which was asked for it twice, leaves it out."""
    if INTAKE_PART not in ask.parts or INTAKE_PART in reading.values or not ask.replies:
        return ()
    return (Problem(INTAKE_PART, f"“{LABEL}” was not answered; what waits is asked on another page"),)


def _facts_of_page(snapshot: "Snapshot", ask: "Ask", reading: "Reading") -> dict[tuple[str, str], str]:
    """The values that the page noted under its own heading for facts."""
    if FACTS_PART not in ask.parts or FACTS_PART not in reading.values:
        return {}
    told = read_told(reading.text(FACTS_PART))
    names = {fact_name(Fact(one.category, one.key, one.value)) for one in told}
    stands = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    return {
        name: one.value
        for name, one in stands.items()
        if name in names and one.source.partition("#")[0] == ask.session
    }


def _sorted(answers: Sequence[Answer], count: int) -> tuple[Sequence[Answer], list[Problem]]:
    """The answers that can be used, one a number, and what is wrong with the others."""
    problems: list[Problem] = []
    first: dict[int, Answer] = {}
    doubtful: set[int] = set()
    for one in answers:
        said = first.setdefault(one.number, one)
        if not 1 <= one.number <= count:
            problems.append(_problem(one.number, "nothing was asked under that number"))
            doubtful.add(one.number)
        elif said is not one and (said.where, said.told, said.row) != (one.where, one.told, one.row):
            if one.number not in doubtful:
                problems.append(_problem(one.number, "it is answered twice, and differently; it waits"))
            doubtful.add(one.number)
        elif one.where not in PLACES and one.number not in doubtful:
            problems.append(
                _problem(one.number, f"“{one_line(one.said, 60)}” names no place for it; it waits")
            )
            doubtful.add(one.number)
    return [one for number, one in sorted(first.items()) if number not in doubtful], problems


def _problem(number: int, what: str) -> Problem:
    return Problem(INTAKE_PART, f"“{LABEL}”, {number}: {what}")


def _shown(
    done: "Sequence[Settled]", decided: Sequence[Decided], left: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = [one.shown for one in done if one.where != NOWHERE]
    gone = [one for one in decided if one.decision.where == NOWHERE]
    lines += [f"- not kept: {quoted(one.candidate)}, {one.decision.why}" for one in gone]
    if left:
        lines.append(f"{left:,} more {'waits' if left == 1 else 'wait'} for another page")
    return (("What is kept of what was said", tuple(one_line(line) for line in lines)),)


def quoted(one: Candidate) -> str:
    """What was said, as a list shows it."""
    return f"“{one_line(one.words, 80)}”"
