"""Intake part of a session's page: asked about, and settled in the same commit."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.reply import FIELD as FACTS
from reel_cli.features.facts.reply import read_told
from reel_cli.features.intake.entry import (
    AGAIN,
    NOWHERE,
    PLACES,
    Candidate,
    DecidedCandidate,
    to_ask,
)
from reel_cli.features.intake.files import INTAKE
from reel_cli.features.intake.known_candidates import list_known
from reel_cli.features.intake.noticed_words import find_own
from reel_cli.features.intake.queue import LET_GO, TRAILER, read_queue, waiting_to_ask
from reel_cli.features.intake.reply import SAME_KINDS, Answer, ask_about, read_answers
from reel_cli.features.intake.signs import APPOINTMENT

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.exchange.reader.reply import ReplyReading
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.intake.settle import IntakeOutcome

ROOM = 3, 16
"""Room for them: this many characters for each token of this fraction of the cap."""
ROOM_IN_WORDS = 32
"""Tokens of the cap for each word that a prompt has for them, with the tables and the kinds of facts."""
FRAME = 120
"""Words that say how to answer, beside those."""
SPARE = 2
"""Where nothing waits it is asked for only if there is this many times the room that it takes."""
MOST_TABLES, MOST_COLUMNS = 4, 6
"""Maximum numbers of tables, and of columns of each, that are named."""
_KNOWN = late(r"(?i)(?:(?:it|that)(?:'s| is) )?(?:already |by heart )?(?:known|noted|a fact)\b|i know\b")
"""Pattern of a reason that says it is held elsewhere."""

HEADING = "Of what was said"
"""Heading on screen above the things that are sorted, but for facts."""
FIELD = FieldSpec(
    "intake",
    "What to keep of this",
    names=("intake", "intake decisions"),
    loose=("what to keep", "worth keeping", "keep of this"),
    required=False,
    hint="{{intake}}",
    by_line=True,
)
STATE = "noticed"
"""The key under which a prompt remembers what it asks about: the `Candidate.key` of each, in its order."""


def ask_intake(page: PageRequest) -> PartRequest | None:
    """Return what the prompt asks about: what waits, and what else was said that nobody noticed.

    None where the kit wants none of it, or it cannot be read; where nothing waits and there is little room.
    Where the page asks for facts as well, their kinds are named there.
    """
    snapshot, settings = page.snapshot, page.snapshot.settings
    if not settings.intake_asked:
        return None
    characters, of = ROOM
    session = page.session.id if page.session is not None else ""
    try:
        queue = read_queue(snapshot)
        own = find_own(snapshot, page.session, queue) if page.session is not None else ()
        stand = [*waiting_to_ask(snapshot, queue), *own]
        known = list_known(snapshot, stand)
        waiting = [
            one
            for one in stand
            if one.key not in known and not _is_over(one, read_day(session) or page.today)
        ]
        chosen = to_ask(waiting, session, settings.cap * characters // of)
        kinds, tables = _kinds(snapshot, page.keys), _tables(snapshot)
        further = settings.intake_most > 0

        def ask() -> str:
            return ask_about(chosen, tables, kinds, settings.user, further=further)

        if not chosen:
            told = ask() if further else ""
            return PartRequest({FIELD.key: told}) if told and _words(told) * SPARE <= page.room else None
        room = min(page.room, settings.cap // ROOM_IN_WORDS + FRAME)
        further = further and _words(ask()) <= room
        while len(chosen) > 1 and _words(ask()) > room:
            chosen = _without_least(chosen, session)
        if _words(ask()) > room:
            tables = ()
    except ReelError:
        # an unreadable file is reported by the commands that need it
        return None
    return PartRequest({FIELD.key: ask()}, state={STATE: [list(one.key) for one in chosen]})


def _is_over(one: Candidate, today: date) -> bool:
    """Return whether an appointment has passed."""
    if one.why != APPOINTMENT:
        return False
    from reel_cli.core.evidence.days.passed_days import has_passed

    said = read_day(one.place.session) if one.place is not None else None
    return said is not None and has_passed(one.words, said, today)


def _words(text: str) -> int:
    return len(text.split())


def _without_least(chosen: Sequence[Candidate], session: str) -> Sequence[Candidate]:
    """Return all but the oldest one, of another session if there is one."""
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
    from reel_cli.features.facts.adapters import known_categories

    return known_categories(snapshot)


def _tables(snapshot: "Snapshot") -> Sequence[str]:
    """Return the tables that rows can be put into, each with its columns, the key named."""
    if not snapshot.list("domain"):
        return ()
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
    ask, reading = page.ask, page.reading
    answered = FIELD.key in ask.parts and FIELD.key in reading.values
    if page.snapshot.read(INTAKE) is None and not answered:
        return NOTHING
    snapshot = page.snapshot.after(Change("", "", page.writes))
    try:
        queue = read_queue(snapshot)
    except ReelError as error:
        told = (Problem(FIELD.key, f"what waits stays as it is: {error.message}"),) if answered else ()
        return PartPlan(problems=told, told=_told())
    stand = waiting_to_ask(snapshot, queue)
    if not answered or reading.empty(FIELD.key):
        return PartPlan(problems=_unanswered(ask, reading), told=_told(waiting=len(stand)))
    from reel_cli.features.intake.settlement import Settlement

    settlement = Settlement(page, snapshot, queue, _facts_of_page(snapshot, ask, reading))
    noticed = _noticed(ask)
    given = list(read_answers(reading.text(FIELD.key), len(noticed)))
    answers, problems = _sorted([one for one in given if not one.words], len(noticed))
    settlement.settle_asked(answers, noticed)
    settlement.settle_known()
    settlement.settle_further([one for one in given if one.words], noticed)
    problems += [_problem(*one, quiet=one in settlement.quiet) for one in settlement.problems]
    if not (settlement.settled or settlement.passed or settlement.fresh or settlement.dropped):
        return PartPlan(problems=tuple(problems), told=_told(waiting=len(stand)))
    edited = settlement.edit()
    decided = settlement.decided
    trailers = [pair for one in settlement.done for pair in one.trailers]
    trailers += [(TRAILER, f"{one.decision.where} {one.candidate.source}") for one in decided]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    settled = [queue.waiting[at] for at in settlement.settled]
    left = len([one for one in stand if one not in settled]) + len(settlement.fresh)
    return PartPlan(
        {**settlement.writes, INTAKE: edited.text.encode()},
        tuple(trailers),
        _shown(settlement.done, decided, left),
        tuple(problems),
        tuple(line for one in settlement.done for line in one.index),
        _told(decided, left),
        # what was kept is shown; the rest is for who asks for every word
        {HEADING: [one_line(one.shown) for one in settlement.done if _is_new(one)]},
    )


def _noticed(ask: "Ask") -> Sequence[tuple[str, str]]:
    """Return what the prompt asked about, in its order; none where that cannot be read."""
    try:
        return [(str(source), str(words)) for source, words in ask.state.get(STATE, ())]
    except (TypeError, ValueError):
        return ()


def _is_owed(ask: "Ask") -> bool:
    """Return whether the prompt asked about something that waits; what else a page brings up is a gift."""
    return bool(_noticed(ask))


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
    if FIELD.key not in ask.parts or FIELD.key in reading.values or not (ask.replies and _is_owed(ask)):
        return ()
    return (Problem(FIELD.key, f"“{FIELD.label}” was not answered; nothing is kept of it"),)


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
            problems.append(_problem(one.number, "the prompt has no question with this number"))
            doubtful.add(one.number)
        elif said is not one and (said.where, said.told, said.row) != (one.where, one.told, one.row):
            if one.number not in doubtful:
                problems.append(_problem(one.number, f"it is answered twice, and differently; {AGAIN}"))
            doubtful.add(one.number)
        elif one.where not in PLACES and one.number not in doubtful:
            problems.append(
                _problem(one.number, f"“{one_line(one.said, 60)}” names no place for it; {AGAIN}")
            )
            doubtful.add(one.number)
    return [one for number, one in sorted(first.items()) if number not in doubtful], problems


def _problem(about: int | str, what: str, *, quiet: bool = False) -> Problem:
    # a number is the prompt's, and words say by themselves what it is about
    told = f"{about if isinstance(about, str) else f'“{FIELD.label}”, {about}'}: {what}"
    return Problem(FIELD.key, told, quiet=quiet)


def _shown(
    done: "Sequence[IntakeOutcome]", decided: Sequence[DecidedCandidate], left: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    from reel_cli.features.page.notes.closing_review import HEADING as NOTES

    facts = [one.shown for one in done if one.fact is not None and one.shown]
    lines = [one.shown for one in done if _is_new(one)]
    lines += [one.shown for one in done if _is_kept(one) and not (one.noted or _is_new(one))]
    notes = [line for one in done for line in one.noted]
    gone = [one for one in decided if one.decision.where == NOWHERE]
    lines += [_not_kept(one) for one in gone]
    if left:
        things = "1 more thing" if left == 1 else f"{left:,} more things"
        lines.append(f"{things} that you said: the next page sorts {'it' if left == 1 else 'them'}")
    parts = ((NOTES, notes), ("Facts", facts), (HEADING, lines))
    return tuple((heading, tuple(map(one_line, told))) for heading, told in parts if told)


def _is_new(one: "IntakeOutcome") -> bool:
    """Return whether it changes the kit, and no other line of the page says so: it is shown in short too."""
    return _is_kept(one) and bool(one.writes) and not one.noted


def _is_kept(one: "IntakeOutcome") -> bool:
    """Return whether something was kept, or is kept already, elsewhere than among the facts."""
    return one.fact is None and one.where != NOWHERE and bool(one.shown)


def _not_kept(one: DecidedCandidate) -> str:
    why = one.decision.why
    if _KNOWN.match(why):
        return f"known already: {quoted(one.candidate)}"
    return f"not kept: {quoted(one.candidate)}, {why}"


def quoted(one: Candidate) -> str:
    """Return the words as a list shows them."""
    return f"“{one_line(one.words, 80)}”"


NOTHING = PartPlan(told=_told())
INTAKE_PART = PagePart(
    "intake", (FIELD,), ask_intake, plan_intake, again=True, owes=_is_owed, repeat=repeat_intake
)
