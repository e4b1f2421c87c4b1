"""Intake part of a session's page: asked about, and settled in the same commit."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.fact import Fact
from reel_cli.features.facts.reply import FIELD as FACTS
from reel_cli.features.facts.reply import read_told
from reel_cli.features.intake.entry import (
    MODEL,
    NOWHERE,
    PLACES,
    REEL,
    Candidate,
    DecidedCandidate,
    Decision,
    to_ask,
)
from reel_cli.features.intake.files import INTAKE, edit_intake
from reel_cli.features.intake.queue import LET_GO, SAME_KINDS, TRAILER, UNSAID, read_queue, waiting_to_ask
from reel_cli.features.intake.reply import Answer, ask_about, read_answers

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.exchange.reader.reply import ReplyReading
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.intake.settle import IntakeOutcome

MOST_ASKED = 12
"""Maximum number of items one page asks about."""
ROOM = 3, 16
"""Room for them: this many characters for each token of this fraction of the cap."""
OLDEST_EVERY = 3
"""After twice so many pages, so many ask about what has waited longest and not about the newest."""
ROOM_IN_WORDS = 32
"""Tokens of the cap for each word that a prompt has for them, with the tables and the kinds of facts."""
MOST_TABLES, MOST_COLUMNS = 4, 6
"""Maximum numbers of tables, and of columns of each, that are named."""


FIELD = FieldSpec(
    "intake",
    "What to keep of this",
    names=("intake", "intake decisions"),
    loose=("what to keep", "worth keeping", "keep of this"),
    required=False,
    hint=(
        "Some of what was said may be worth keeping:\n{{noticed}}\n"
        "Say of each, by its number and in one line, where it goes and why: fact (known by heart; then kind /"
        " name / value, in {{user}}'s words), lived (a moment to find again), open (in mind for now; then"
        " what),{{tables}} or nowhere, as most. For instance,"
        ' "2: fact — relationships / sister / Rike — she comes up often" or "3: nowhere — said in passing".'
        " The kinds of facts: {{fact_kinds}}."
    ),
)
STATE = "noticed"
"""The key under which a prompt remembers what it asks about: the `Candidate.key` of each, in its order."""


def ask_intake(page: PageRequest) -> PartRequest | None:
    """Return what the prompt asks about; None where nothing waits, or it cannot be read.

    Where the page asks for facts as well, their kinds are named there.
    """
    snapshot = page.snapshot
    if not snapshot.settings.intake_asked or snapshot.read(INTAKE) is None:
        return None
    characters, of = ROOM
    session = page.session.id if page.session is not None else ""
    try:
        waiting = waiting_to_ask(snapshot, read_queue(snapshot))
        oldest = len(snapshot.checkpoints) // OLDEST_EVERY % OLDEST_EVERY == OLDEST_EVERY - 1
        chosen = to_ask(waiting, session, snapshot.settings.cap * characters // of, oldest=oldest)
        chosen = chosen[:MOST_ASKED] if oldest else chosen[-MOST_ASKED:]
        if not chosen:
            return None
        kinds = _kinds(snapshot, page.keys)
        tables = _tables(snapshot)
        room = min(page.room, snapshot.settings.cap // ROOM_IN_WORDS)
        while len(chosen) > 1 and _words(ask_about(chosen, tables, kinds)) > room:
            chosen = chosen[:-1] if oldest else _without_least(chosen, session)
        if _words(ask_about(chosen, tables, kinds)) > room:
            tables = ()
        fill = ask_about(chosen, tables, kinds)
    except ReelError:
        # an unreadable file is reported by the commands that need it
        return None
    return PartRequest(fill, state={STATE: [list(one.key) for one in chosen]})


def _words(fill: Mapping[str, str]) -> int:
    return sum(len(text.split()) for text in fill.values())


def _without_least(chosen: Sequence[Candidate], session: str) -> Sequence[Candidate]:
    """Return all but the oldest of another session than this, or else but the oldest."""
    others = (one for one in chosen if one.place is None or one.place.session != session)
    least = next(others, chosen[0])
    return [one for one in chosen if one is not least]


def repeat_intake(snapshot: "Snapshot", text: str, keys: Sequence[str]) -> str:
    """Return the words for a repair prompt; it names the kinds of facts where it does not ask for facts."""
    return text.replace(SAME_KINDS, ", ".join(_kinds(snapshot, keys)))


def _kinds(snapshot: "Snapshot", keys: Sequence[str]) -> Sequence[str]:
    """Return the kinds of facts to name; a page that asks for facts has them under that heading."""
    if FACTS.key in keys:
        return [SAME_KINDS]
    from reel_cli.features.facts.plan import known_categories

    return known_categories(snapshot)


def _tables(snapshot: "Snapshot") -> Sequence[str]:
    """Return the tables that rows can be put into, each with its columns, the key named."""
    from reel_cli.features.tables.tables import find_table, list_tables

    told: list[str] = []
    for name in list_tables(snapshot)[:MOST_TABLES]:
        try:
            table = find_table(snapshot, name)
        except ReelError:
            continue
        columns = [f"{one} (the key)" if one == table.key else one for one in table.names[:MOST_COLUMNS]]
        told.append(f"{name} with {', '.join(columns)}")
    return told


def plan_intake(page: PageAnswer) -> PartPlan:
    """Return what is decided on a page, on the kit with all else of the page in it.

    What is left out, or cannot be done, waits. Where nobody reads the page, facts about the persona wait
    for a person's word.
    """
    if page.snapshot.read(INTAKE) is None:
        return NOTHING
    from reel_cli.features.facts.policy import fact_name

    snapshot = page.snapshot.after(Change("", "", page.writes))
    ask, reading = page.ask, page.reading
    try:
        queue = read_queue(snapshot)
    except ReelError as error:
        asked = FIELD.key in ask.parts and FIELD.key in reading.values
        told = (Problem(FIELD.key, f"what waits stays as it is: {error.message}"),) if asked else ()
        return PartPlan(problems=told, told=_told())
    if FIELD.key not in ask.parts or FIELD.key not in reading.values or reading.empty(FIELD.key):
        return PartPlan(problems=_unanswered(ask, reading), told=_told(waiting=len(queue.waiting)))
    from reel_cli.features.intake.settle import settle_one

    noticed = _noticed(ask)
    answers, problems = _sorted(list(read_answers(reading.text(FIELD.key), len(noticed))), len(noticed))
    places = {one.key: at for at, one in enumerate(queue.waiting)}
    stand = {one.key for one in waiting_to_ask(snapshot, queue)}
    later = snapshot
    facts = _facts_of_page(snapshot, ask, reading)
    settled: dict[int, Decision] = {}
    done: list[IntakeOutcome] = []
    for answer in answers:
        at = places.get(noticed[answer.number - 1])
        if at is None:
            problems.append(_problem(answer.number, "it was decided, or taken out, meanwhile"))
            continue
        if noticed[answer.number - 1] not in stand:
            problems.append(_problem(answer.number, f"{UNSAID}; nothing is made of it"))
            settled[at] = Decision(NOWHERE, UNSAID, REEL, ask.session)
            continue
        result = settle_one(
            later,
            queue.waiting[at],
            answer,
            page.now,
            counter=page.counter,
            highest_number=page.highest_number,
            facts=facts,
            unattended=page.unattended,
        )
        problems += [_problem(answer.number, note) for note in result.notes]
        if result.where:
            later = later.after(Change("", "", result.writes))
            settled[at] = Decision(result.where, result.why, MODEL, ask.session)
            done.append(result)
            if result.fact is not None:
                facts[fact_name(result.fact)] = result.fact.value
    if not settled:
        return PartPlan(problems=tuple(problems), told=_told(waiting=len(queue.waiting)))
    edited = edit_intake(snapshot.text(INTAKE) or "", settled, (), (), snapshot.settings.intake_keep)
    writes: dict[str, bytes | None] = {}
    for one in done:
        writes.update(one.writes)
    writes[INTAKE] = edited.text.encode()
    decided = tuple(DecidedCandidate(queue.waiting[at], decision) for at, decision in settled.items())
    trailers = [pair for one in done for pair in one.trailers]
    trailers += [(TRAILER, f"{one.decision.where} {one.candidate.source}") for one in decided]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    left = len(queue.waiting) - len(settled)
    return PartPlan(
        writes,
        tuple(trailers),
        _shown(done, decided, left),
        tuple(problems),
        tuple(line for one in done for line in one.index),
        _told(decided, left),
    )


def _noticed(ask: "Ask") -> Sequence[tuple[str, str]]:
    """Return what the prompt asked about, in its order; none where that cannot be read."""
    try:
        return [(str(source), str(words)) for source, words in ask.state.get(STATE, ())]
    except (TypeError, ValueError):
        return ()


def _told(decided: Sequence[DecidedCandidate] = (), waiting: int = 0) -> Mapping[str, Any]:
    """Return what a program is told: what was decided, and how much waits after it."""
    listed = [
        {
            "source": one.candidate.source,
            "words": one.candidate.words,
            "where": one.decision.where,
            "why": one.decision.why,
        }
        for one in decided
    ]
    return {"intake": {"decided": listed, "waiting": waiting}}


def _unanswered(ask: "Ask", reading: "ReplyReading") -> tuple[Problem, ...]:
    """Return the problem of a page in pieces, asked for it twice, that leaves it out."""
    if FIELD.key not in ask.parts or FIELD.key in reading.values or not ask.replies:
        return ()
    return (Problem(FIELD.key, f"“{FIELD.label}” was not answered; what waits is asked on another page"),)


def _facts_of_page(snapshot: "Snapshot", ask: "Ask", reading: "ReplyReading") -> dict[tuple[str, str], str]:
    """Return the values that the page noted under its own heading for facts."""
    if FACTS.key not in ask.parts or FACTS.key not in reading.values:
        return {}
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import current_facts, fact_name

    told = read_told(reading.text(FACTS.key))
    names = {fact_name(Fact(one.category, one.key, one.value)) for one in told}
    stands = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    return {
        name: one.value
        for name, one in stands.items()
        if name in names and one.source.partition("#")[0] == ask.session
    }


def _sorted(answers: Sequence[Answer], count: int) -> tuple[Sequence[Answer], list[Problem]]:
    """Return the usable answers, one a number, and the problems of the others."""
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
    return Problem(FIELD.key, f"“{FIELD.label}”, {number}: {what}")


def _shown(
    done: "Sequence[IntakeOutcome]", decided: Sequence[DecidedCandidate], left: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = [one.shown for one in done if one.where != NOWHERE and one.shown]
    gone = [one for one in decided if one.decision.where == NOWHERE]
    lines += [f"not kept: {quoted(one.candidate)}, {one.decision.why}" for one in gone]
    if left:
        lines.append(f"{left:,} more {'waits' if left == 1 else 'wait'} for another page")
    return (("What is kept of what was said", tuple(one_line(line) for line in lines)),) if lines else ()


def quoted(one: Candidate) -> str:
    """Return the words as a list shows them."""
    return f"“{one_line(one.words, 80)}”"


NOTHING = PartPlan(told=_told())
INTAKE_PART = PagePart("intake", (FIELD,), ask_intake, plan_intake, again=True, repeat=repeat_intake)
