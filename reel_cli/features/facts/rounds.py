"""Rounds in which facts were asked for, when they are due again, and how facts are measured (SRIP-11)."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.kit.known_facts import FactReader, FactsOfChats, KnownFacts, ReplacedFact, Round
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.talks import split_talks
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.source import session_order
from reel_cli.core.values.talk import Session, SourceRange, parse_source
from reel_cli.features.facts.files import FACTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.git.commit_tree import CommitStep
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.search import Question

COMMAND = "fact extract"


def turns_of(session: Session, gone: Sequence[SourceRange] = ()) -> list[int]:
    """Return the user's turns in a session that were not searched for facts yet."""
    mine = [one for one in gone if one.session == session.id]
    said = [entry.number for entry in session.shown() if entry.message.role == "user" and entry.number]
    return [number for number in said if not any(_holds(one, number) for one in mine)]


def _holds(span: SourceRange, number: int) -> bool:
    return not span.last or span.first <= number <= span.last


def is_due(settings: Settings, session: Session, gone: Sequence[SourceRange]) -> bool:
    """Return whether facts are due: after each early cycle, then after so many more (SRIP-11 §III.5b).

    A cycle is a user's turn and its reply. In a chat that goes on another day they are counted anew: in its
    app that may well be one chat for good.
    """
    last = max((e.number or 0 for e in session.shown() if e.message.role == "assistant"), default=0)
    left = set(turns_of(session, gone))
    fresh = 0
    for talk in split_talks(session.shown()):
        numbers = [one.number or 0 for one in talk if one.message.role == "user"]
        every = [number for number in numbers if 0 < number < last]
        if left.intersection(every[: settings.facts_early]):
            return True
        fresh += len(left.intersection(every))
    return bool(settings.facts_every and fresh >= settings.facts_every)


_LINE = re.compile(r"(?P<span>\S+) kept=(?P<kept>\d{1,6}) refused=(?P<refused>\d{1,6})", re.ASCII)


def render_round(one: Round) -> str:
    """Return the trailer's value."""
    return f"{one.span} kept={one.kept} refused={one.refused}"


def list_rounds(repo: "Repository | None", tip: str | None = None) -> Sequence[Round]:
    """Return every round up to a commit (full id; None: the newest) that was not undone, newest first."""
    from reel_cli.core.files.commit_message import ROUND
    from reel_cli.core.git.history import read_trailers

    told = read_trailers(repo, ROUND, tip)
    return [one for line in told if (one := parse_round(line)) is not None]


def note_rounds(repo: "Repository | None") -> Sequence[Round]:
    """Return what `list_rounds` does, read from history again only after a commit that may change it."""
    if repo is None:
        return ()
    from reel_cli.core.files.commit_message import ROUND, UNDOES
    from reel_cli.core.kit.head_note import HistoryNote

    def holds(_: object, step: "CommitStep") -> bool:
        message = step.message.lower()
        return not any(trailer.lower().encode() in message for trailer in (ROUND, UNDOES))

    note = HistoryNote("facts asked", lambda: [render_round(one) for one in list_rounds(repo)], holds=holds)
    told = note.recall(repo.root / repo.prefix, repo)
    return [one for line in told if (one := parse_round(line)) is not None]


def parse_round(line: str) -> Round | None:
    """Read one trailer's value; None where it is none."""
    found = _LINE.fullmatch(line.strip())
    span = parse_source(found["span"]) if found else None
    return Round(span, int(found["kept"]), int(found["refused"])) if found and span else None


def read_known(snapshot: Snapshot) -> KnownFacts:
    """Return the facts that go into every bundle or that a query finds, and which categories have one."""
    from reel_cli.core.pack import words
    from reel_cli.core.pack.some_holdings import GATED
    from reel_cli.features.facts.adapters import proper_categories
    from reel_cli.features.facts.choice import NAMELESS
    from reel_cli.features.facts.pending.waiting_changes import with_waiting_changes
    from reel_cli.features.facts.plan import list_facts
    from reel_cli.features.facts.policy import category_of, fact_id, is_own
    from reel_cli.features.facts.statement import rows_of, state_to_person

    standing = list_facts(snapshot)
    kinds = proper_categories(snapshot)
    asked = [rest.fact for rest in standing.resting if rest.why == GATED]
    # what is set aside is in no bundle, so its kind is not known from it
    known = [*standing.held, *asked]
    there = {category_of(one) for one in known}
    user, name = snapshot.settings.user, snapshot.settings.name
    rows = with_waiting_changes(snapshot, rows_of(known, user), known)
    lines = {row.id: words.known(row.key, row.value) if row.key else row.value for row in rows}
    own = [one for one in standing.held if is_own(one)]
    return KnownFacts(
        rows,
        len(standing.resting) - len(asked),
        [one for one in kinds if one in there],
        [one for one in kinds if one not in there],
        snapshot.settings.facts_most,
        [(lines[fact_id(one)], words.known(one.key, state_to_person(one, name, user))) for one in own],
        [
            (fact_id(rest.fact), category_of(rest.fact), rest.fact.key, rest.fact.value)
            for rest in standing.resting
            if rest.why == NAMELESS
        ],
    )


def read_replaced(snapshot: Snapshot) -> Sequence[ReplacedFact]:
    """Return the facts of the tape that ended, or that one replaced which a person noted or was said later.

    The persona's own life is left out: the line that says it reads for the persona alone. An overview
    (`Glance`) keeps them until the facts change.
    """
    user, sure = snapshot.settings.user, snapshot.settings.facts_sure
    # which chats count changes what holds, and stands in another file
    told = " ".join((str(sure), user, *sorted(retracted(snapshot))))
    kind = f"replaced and ended facts {crc32(told.encode('utf-8', 'backslashreplace')):08x}"
    noted = snapshot.note(kind, [FACTS], lambda _: _find_replaced(Snapshot(snapshot.tree, ""), user, sure))
    return [
        ReplacedFact(source, name, statement, parse_source(since))
        for told, name, statement, since in noted[FACTS]
        if (source := parse_source(told)) is not None
    ]


def _find_replaced(snapshot: Snapshot, user: str, sure: int) -> Sequence[Sequence[str]]:
    """Return the source, ID, statement and the new source of each, as a note is kept."""
    text = snapshot.text(FACTS) or ""
    if not any(f"\n  {field}: " in text for field in ("replaces", "dropped")):
        return ()
    from reel_cli.core.pack.words import known
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import confidence_of, current_facts, fact_id, is_own, same_value
    from reel_cli.features.facts.replaced.ended_values import list_ended
    from reel_cli.features.facts.statement import rows_of

    facts = read_facts(snapshot)
    current = [one for one in current_facts(facts) if confidence_of(one) >= sure]
    held = {fact_id(one): one for one in current if one.replaces and not is_own(one)}
    rows = {row.id: row for row in rows_of([*held.values()], user)}
    found = []
    for was in facts:
        row = rows.get(fact_id(was))
        source = parse_source(was.source)
        if row is None or source is None or was.dropped or same_value(was.value, held[row.id].value):
            continue
        since = parse_source(row.source)
        if since is None or _order(source) < _order(since):
            found.append((was.source, row.id, known(row.key, row.value), row.source))
    for ended in list_ended([one for one in facts if one.dropped or confidence_of(one) >= sure], user):
        sources = dict.fromkeys(one.source for one in ended.noted if one.source)
        found += [(source, ended.id, f"{ended.key}: {ended.end}", ended.since) for source in sources]
    return found


def _order(span: SourceRange) -> tuple[str, int, int]:
    return *session_order(span.session), span.first


def read_past(snapshot: Snapshot) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return by ID the statements that a fact had before, newest first, each with the day of its end.

    The persona's own life is left out, as is a value that was let go.
    """
    if "\n  replaces: " not in (snapshot.text(FACTS) or ""):
        return {}
    from reel_cli.core.moment import day_in_words, read_day
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import confidence_of, current_facts, fact_id, is_own, same_value
    from reel_cli.features.facts.statement import state

    user, sure = snapshot.settings.user, snapshot.settings.facts_sure
    facts = [one for one in read_facts(snapshot) if confidence_of(one) >= sure and not is_own(one)]
    held = {fact_id(one): one.value for one in current_facts(facts) if one.replaces}
    gone = [(fact_id(one), one.value) for one in facts if one.dropped]
    found: dict[str, list[tuple[str, str]]] = {}
    for name, value in held.items():
        left = [value, *(other for dropped, other in gone if dropped == name)]
        for was, then in pairwise(one for one in facts if fact_id(one) == name and not one.dropped):
            said, day = (read_day(one.source) or read_day(one.when) for one in (was, then))
            if day and (said is None or said <= day) and not any(same_value(was.value, one) for one in left):
                found.setdefault(name, []).insert(0, (state(was, user), day_in_words(day)))
    return found


def find_ended(snapshot: Snapshot, question: "Question") -> tuple[str, str] | None:
    """Return the ID of the fact that would answer a question if it were not over, and that it is."""
    if "\n  dropped: " not in (snapshot.text(FACTS) or ""):
        return None
    from reel_cli.features.facts.answering.ended_answer import answer_by_end
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import confidence_of
    from reel_cli.features.facts.replaced.ended_values import list_ended

    sure = snapshot.settings.facts_sure
    facts = [one for one in read_facts(snapshot) if one.dropped or confidence_of(one) >= sure]
    return answer_by_end(question, [*list_ended(facts, snapshot.settings.user)])


def find_of_chats(snapshot: Snapshot, sessions: "Collection[str]") -> FactsOfChats:
    """Return the facts of some chats, and what a person decided by hand there or on their days."""
    from reel_cli.features.facts.replaced.retracted_facts import find_facts_of_chats

    return find_facts_of_chats(snapshot, sessions)


def mark_anew(before: Snapshot, after: Snapshot) -> "Mapping[str, bytes]":
    """Return the memories to mark where other facts hold than before."""
    from reel_cli.features.facts.replaced.retracted_facts import plan_marks

    return plan_marks(before, after)


def mark_restored(snapshot: Snapshot, restored: "Collection[str]") -> "Mapping[str, bytes]":
    """Return the restored memories, given by ID, that need another mark by the facts of today."""
    from reel_cli.features.facts.replaced.retracted_facts import plan_restored_marks

    return plan_restored_marks(snapshot, restored)


KNOWN = FactReader(
    read_known, list_rounds, read_replaced, read_past, find_ended, find_of_chats, mark_anew, mark_restored
)
