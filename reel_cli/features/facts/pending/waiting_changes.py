"""Facts in a bundle whose change waits: the value stands, and behind it what a later chat says (REEL §3.5).

A person decides what replaces a value that protects somebody. Until then the persona must not tell an old
dose as if nobody had said another, nor a new one that nobody said: the chat is quoted.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.holdings import FactRow
from reel_cli.core.values.review import ReviewKind, Side
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts, with_standing_source
from reel_cli.features.facts.pending.chat_words import quote_chat
from reel_cli.features.facts.pending.fact_sides import side_of
from reel_cli.features.facts.pending.held_facts import facts_of
from reel_cli.features.facts.policy import current_facts, fact_id, is_own, same_value

_DAY = 10


def with_waiting_changes(
    snapshot: Snapshot, rows: Sequence[FactRow], held: Sequence[Fact]
) -> Sequence[FactRow]:
    """Return the rows of the held facts, those whose change waits in `review/` with what it says."""
    told = tell_waiting(snapshot, held)
    return [row._replace(value=f"{row.value}{told.get(row.id, '')}") for row in rows]


def tell_waiting(snapshot: Snapshot, held: Sequence[Fact]) -> dict[str, str]:
    """Return what is told behind the value of each held fact whose change waits, by the ID of the fact."""
    waiting = _changes(snapshot)
    return {
        fact_id(one): _told(snapshot, one, waiting[fact_id(one)]) for one in held if fact_id(one) in waiting
    }


def list_waiting_sides(snapshot: Snapshot) -> Sequence[tuple[Side, Side]]:
    """Return the changes of held facts that wait, each as the value that holds and the one that would."""
    waiting = _changes(snapshot)
    return [
        (side_of(one), side_of(change))
        for one in (current_facts(read_facts(snapshot)) if waiting else ())
        for change in waiting.get(fact_id(one), ())
    ]


def _changes(snapshot: Snapshot) -> dict[str, list[Fact]]:
    """Return the changes that wait, by the ID of the fact; `reel review` reports files it cannot read."""
    found: dict[str, list[Fact]] = {}
    for path in snapshot.list("review"):
        with suppress(ReelError):
            proposal = parse_proposal(snapshot.text(path) or "", path)
            if proposal.kind is ReviewKind.FACT:
                # of a chat that was taken back a bundle says nothing
                for one in with_standing_source(snapshot, facts_of(proposal)):
                    found.setdefault(fact_id(one), []).append(one)
    return found


def _told(snapshot: Snapshot, stood: Fact, waiting: Sequence[Fact]) -> str:
    """Return what is told behind a value: the newest change that says something else and is not older.

    What no turn bears and what the persona told stand beside no person's words, nor does an end whose words
    are of another thing.
    """
    if is_own(stood):
        return ""
    later = [
        (one.when, says)
        for one in waiting
        if one.source
        and not one.said_by
        and one.when[:_DAY] >= stood.when[:_DAY]
        and (one.dropped or not same_value(one.value, stood.value))
        and (says := quote_chat(snapshot, one))
    ]
    if not later:
        return ""
    when, says = max(later, key=lambda one: one[0])
    day = ""
    with suppress(ValueError):
        day = f", {day_in_words(date.fromisoformat(when[:_DAY]))},"
    return f" (not settled: a later chat{day} says “{says}”)"
