"""Facts of chats that are taken back or count again, and the memories whose marks follow from them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.kit.known_facts import DecidedFact, FactsOfChats
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import join
from reel_cli.core.tape.last_turns import last_days
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts, read_noted
from reel_cli.features.facts.pending.fact_sides import side_of
from reel_cli.features.facts.policy import (
    category_of,
    current_facts,
    fact_id,
    fact_name,
    guards_health,
    is_by_hand,
    protects,
    same_value,
)
from reel_cli.features.facts.statement import state_plainly

if TYPE_CHECKING:
    from datetime import date

_DAY, _SHOWN, _LONGEST = 10, 60, 400


def find_facts_of_chats(snapshot: Snapshot, sessions: Collection[str]) -> FactsOfChats:
    """Return the facts that these chats note, change or end, and what a person decided there by hand.

    A decision on what protects somebody counts as made there when it was made on the day of a chat.
    """
    noted, days = read_noted(snapshot), _days(snapshot, sessions)
    holding = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    ids, decided = set[str](), dict[tuple[str, str], DecidedFact]()
    for one in noted:
        inside = _session(one) in sessions
        if inside:
            ids.add(fact_id(one))
        if not is_by_hand(one) or not (inside or (protects(one) and one.when[:_DAY] in days)):
            continue
        holds = holding.get(fact_name(one))
        if one.dropped and holds is None and not (inside and not protects(one)):
            decided[fact_name(one)] = DecidedFact(
                f"{one.key} (let go: {one_line(one.value, _SHOWN)})", _add(one, one.value)
            )
        elif holds == one:
            back = join(["reel", "fact", "drop", fact_id(one)])
            command = _add(one, one.replaces) if one.replaces else back
            decided[fact_name(one)] = DecidedFact(f"{one.key} ({one_line(one.value, _SHOWN)})", command)
        else:
            decided.pop(fact_name(one), None)
    return FactsOfChats(frozenset(ids), [*decided.values()])


def _session(fact: Fact) -> str:
    span = parse_source(fact.source)
    return span.session if span is not None else ""


def _days(snapshot: Snapshot, sessions: Collection[str]) -> set[str]:
    """Return the first and the last day of each of these chats, in ISO 8601."""
    last: Mapping[str, date | None] = last_days(snapshot, [*sessions])
    return {one[:_DAY] for one in sessions} | {day.isoformat() for day in last.values() if day is not None}


def _add(fact: Fact, value: str) -> str:
    return join(["reel", "fact", "add", category_of(fact), fact.key, value])


def plan_marks(before: Snapshot, after: Snapshot) -> Mapping[str, bytes]:
    """Return the memories whose mark of what holds now says otherwise once other facts hold.

    A memory of the day on which the value that holds again was said, or of a later one, needs no mark.
    """
    from reel_cli.features.contradictions.settle import mark_again, mark_earlier, mark_ended

    was, now = ({fact_name(one): one for one in current_facts(read_facts(side))} for side in (before, after))
    marked: dict[str, bytes] = {}
    for name in dict.fromkeys((*was, *now)):
        old, new = was.get(name), now.get(name)
        if old is not None and new is not None and same_value(old.value, new.value):
            continue
        planned = after.after(Change("", "", {**marked}))
        if new is None:
            marked |= mark_ended(planned, old.key) if old is not None else {}
            continue
        says = _told_mark(after, new)
        if old is not None and guards_health(old):
            holds = replace(side_of(new), says=says)
            marked |= mark_earlier(planned, _session(new), replace(side_of(old), says=old.value), holds, "")
            planned = after.after(Change("", "", {**marked}))
        marked |= mark_again(planned, says, _session(new))
    return marked


def plan_restored_marks(snapshot: Snapshot, restored: Collection[str]) -> Mapping[str, bytes]:
    """Return those of the restored memories whose mark is not the one that the facts of today give them.

    While a memory was away, nothing that changed a fact could mark it, or take its mark.
    """
    from reel_cli.features.contradictions.settle import mark_again, mark_earlier, mark_ended

    facts = read_facts(snapshot)
    holding = {fact_name(one): one for one in current_facts(facts)}
    marked: dict[str, bytes] = {}
    for name, noted in {fact_name(one): one for one in read_noted(snapshot)}.items():
        planned, new = snapshot.after(Change("", "", {**marked})), holding.get(name)
        if new is None:
            marked |= mark_ended(planned, noted.key, restored)
            continue
        says = _told_mark(snapshot, new)
        holds, session = replace(side_of(new), says=says), _session(new)
        for old in facts:
            if fact_name(old) == name and guards_health(old) and not same_value(old.value, new.value):
                was = replace(side_of(old), says=old.value)
                marked |= mark_earlier(planned, session, was, holds, "", restored)
                planned = snapshot.after(Change("", "", {**marked}))
        marked |= mark_again(planned, says, session, restored)
    return {path: data for path, data in marked.items() if data != snapshot.read(path)}


def _told_mark(snapshot: Snapshot, fact: Fact) -> str:
    """Return a fact as the mark of a memory says it: `name: value`, without a bare first person."""
    return one_line(f"{fact.key}: {state_plainly(fact, snapshot.settings.user)}", _LONGEST)
