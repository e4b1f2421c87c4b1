"""Values of facts as the two sides of a contradiction that waits in `review/` (REEL §3.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts, read_facts
from reel_cli.features.facts.policy import (
    PERSON,
    current_facts,
    fact_id,
    fact_name,
    same_value,
)
from reel_cli.features.facts.relation import key_apart

_DAY = 10


def plan_fact_clashes(
    snapshot: Snapshot, facts: Sequence[Fact], session: str, made: str
) -> Mapping[str, bytes]:
    """Return the files in which a changed value and its predecessor wait; `made` is ISO 8601."""
    from reel_cli.features.contradictions.find import MOST_FOUND
    from reel_cli.features.contradictions.sides import told_side

    before = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    taken = set(snapshot.list("review"))
    writes: dict[str, bytes] = {}
    number = 0
    for fact in [one for one in facts if one.replaces][:MOST_FOUND]:
        old = before[fact_name(fact)]
        number += 1
        while review_path(f"{session}-fact-{number}") in taken:
            number += 1
        name = f"{session}-fact-{number}"
        sides = (side_of(old), side_of(fact))
        proposal = Proposal(
            name, ReviewKind.CONTRADICTION, session, made, f"a fact: {one_line(sides[1].says, 60)}",
            "".join(f"{told_side(side)}\n" for side in sides), sides=sides,
        )  # fmt: skip
        writes[review_path(name)] = render_proposal(proposal).encode()
    return writes


def side_of(fact: Fact) -> Side:
    """Return one value as a side of a contradiction: its place, its words, its day."""
    return Side(f"{FACTS}#{fact_id(fact)}", one_line(f"{fact.key}: {fact.value}", 400), fact.when[:_DAY])


def find_side(snapshot: Snapshot, side: Side) -> Fact | None:
    """Return the newest entry that a side is about; None if the file has none."""
    told = (one for one in reversed(read_facts(snapshot)) if not one.dropped)
    return next(
        (one for one in told if (side_of(one).where, side_of(one).says) == (side.where, side.says)), None
    )


def stands_as_fact(snapshot: Snapshot, side: Side) -> bool:
    """Return whether a side's value was noted, and its fact still has a value that holds."""
    fact = find_side(snapshot, side)
    holding = current_facts(read_facts(snapshot))
    return fact is not None and any(fact_name(one) == fact_name(fact) for one in holding)


def hold_instead(snapshot: Snapshot, holds: Side, today: str) -> dict[str, bytes]:
    """Return the file in which the person's choice holds, if it changes; raises ReelError for none."""
    fact = find_side(snapshot, holds)
    if fact is None:
        message = f"{FACTS} no longer says “{one_line(holds.says, 80)}”."
        raise ReelError(message, hint="to see what it says:  reel fact list")
    now = next((o for o in current_facts(read_facts(snapshot)) if fact_name(o) == fact_name(fact)), None)
    if now is not None and same_value(now.value, fact.value):
        return {}
    word = Fact(
        fact.category, fact.key, fact.value, "1", fact.source, today, now.value if now else "", PERSON
    )
    return {FACTS: add_facts(snapshot.text(FACTS) or "", [word]).encode()}


def put_instead(snapshot: Snapshot, side: Side, words: str, today: str) -> dict[str, bytes]:
    """Return the file in which a fact's value gives way to other words, by the person's decision."""
    fact = find_side(snapshot, side)
    if fact is None:
        return {}
    word = replace(
        fact, value=words, confidence="1", when=today, replaces=fact.value, origin=PERSON, statement="",
        evidence="", source="", said_by="",
    )  # fmt: skip
    return {FACTS: add_facts(snapshot.text(FACTS) or "", [word]).encode()}


def hold_both(snapshot: Snapshot, sides: Sequence[Side]) -> dict[str, bytes]:
    """Return the file in which both values hold: the one that does not gets a name of its own.

    One that ended since the question was put has ended. Raises ReelError where one is not noted
    any more, or nothing tells them apart.
    """
    noted = read_facts(snapshot)
    holding = current_facts(noted)
    ended = {fact_name(one) for one in noted if one.dropped} - {fact_name(one) for one in holding}
    more: list[Fact] = []
    for side in sides:
        fact = find_side(snapshot, side)
        if fact is None:
            message = f"{FACTS} no longer says “{one_line(side.says, 80)}”."
            raise ReelError(message, hint="to see what it says:  reel fact list")
        if fact_name(fact) not in ended and not any(
            fact_name(one) == fact_name(fact) and same_value(one.value, fact.value) for one in holding
        ):
            key = key_apart(fact, fact.when[:_DAY])
            if key == fact.key or any(fact_name(one) == fact_name(replace(fact, key=key)) for one in holding):
                message = f"“{one_line(side.says, 80)}” has the same name as the other."
                raise ReelError(message, hint='note it under another name:  reel fact add KIND NAME "VALUE"')
            more.append(replace(fact, key=key, confidence="1", replaces="", origin=PERSON))
    return {FACTS: add_facts(snapshot.text(FACTS) or "", more).encode()} if more else {}
