"""Facts that waited, as they are noted once a person accepts them, and what goes or is marked with that."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

from reel_cli.core.files.commit_message import Forgotten
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.fact import RENAMED, Fact
from reel_cli.features.facts.files import FACTS, read_facts
from reel_cli.features.facts.near_names import find_corrected_name
from reel_cli.features.facts.pending.another_medicine import name_apart
from reel_cli.features.facts.pending.doses import keep_beside_dose
from reel_cli.features.facts.pending.fact_sides import side_of
from reel_cli.features.facts.plan import DROPPED, FACT, named
from reel_cli.features.facts.policy import (
    EXTRACTION,
    PERSON,
    current_facts,
    fact_name,
    guards_health,
    protects,
    same_value,
)
from reel_cli.features.facts.relation import key_apart
from reel_cli.features.facts.reply import LONGEST_VALUE
from reel_cli.features.facts.statement import state_plainly

_DAY = 10


def find_standing(snapshot: Snapshot, fact: Fact) -> Fact | None:
    """Return the value that holds under a fact's name."""
    held = current_facts(read_facts(snapshot))
    return next((one for one in held if fact_name(one) == fact_name(fact)), None)


def value_of(snapshot: Snapshot, fact: Fact) -> str:
    """Return the value that holds under a fact's name; "" for none."""
    stood = find_standing(snapshot, fact)
    return stood.value if stood is not None else ""


def with_rest(fact: Fact, was: str) -> Fact:
    """Return a new dose with what the older value says beside it, as it is noted once a person accepts it."""
    if not was or fact.dropped or not guards_health(fact):
        return fact
    value, kept = keep_beside_dose(was, fact.value, fact.key)
    if not kept or len(value) > LONGEST_VALUE:
        return fact
    stated = f"{fact.statement.rstrip('. ')} ({kept})" if fact.statement else ""
    return replace(fact, value=value, statement=stated)


def take_beside(snapshot: Snapshot, fact: Fact) -> Fact:
    """Return a change as a fact of its own: two doses a day, of which each holds."""
    held = {fact_name(one) for one in current_facts(read_facts(snapshot))}
    apart = name_apart(fact)
    if apart is not None:
        # a dose of a medicine that has a fact is the new one of that fact
        return replace(apart, replaces=value_of(snapshot, apart), origin=PERSON, statement="")
    first = replace(fact, key=key_apart(fact, fact.when[:_DAY]), replaces="", origin=PERSON)
    numbered = (replace(first, key=f"{fact.key} {number}") for number in range(2, len(held) + 3))
    return next(one for one in (first, *numbered) if fact_name(one) not in held)


def take_accepted(snapshot: Snapshot, fact: Fact) -> Fact:
    """Return a fact that waited as it is noted: a change as the person's word, unless a later value holds.

    What was said before the value that holds by now was so then, and replaces nothing.
    """
    stood = find_standing(snapshot, fact)
    if stood is not None and _is_later(stood, fact):
        origin = EXTRACTION if fact.origin == PERSON else fact.origin
        return replace(fact, origin=origin, replaces="")
    if not fact.replaces:
        return fact
    if fact.dropped and stood is not None:
        return replace(fact, value=stood.value, origin=PERSON, replaces="")
    was = stood.value if stood else ""
    return replace(with_rest(fact, was), origin=PERSON, replaces=was)


def put_names_right(snapshot: Snapshot, facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return accepted facts under the names that they put right, each behind the end of the other name's."""
    held = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    noted: list[Fact] = []
    for fact in facts:
        stood = held.get(fact_name(fact)) if fact.replaces and not fact.dropped else None
        key = find_corrected_name(fact.key, fact.value, fact.evidence) if stood is not None else ""
        right = replace(fact, key=key)
        # whose allergy it is nobody guesses from two names that are alike
        safe = stood is not None and (protects(stood) or protects(fact))
        if stood is None or safe or not key or fact_name(right) in held:
            noted.append(fact)
        else:
            noted += [replace(stood, when=fact.when, origin=PERSON, dropped=f"{RENAMED}{key}"), right]
    return noted


def _is_later(stood: Fact, fact: Fact) -> bool:
    """Return whether the value that holds was said on a later day than another."""
    days = stood.when[:_DAY], fact.when[:_DAY]
    return all(days) and days[0] > days[1] and not same_value(stood.value, fact.value)


def tell_later(snapshot: Snapshot, facts: Sequence[Fact]) -> str:
    """Return the clause that names the later values beside which accepted facts are earlier ones."""
    found = [
        stood
        for one in facts
        if (stood := find_standing(snapshot, one)) is not None and _is_later(stood, one)
    ]
    told = ", ".join(f"“{one_line(one.value, 60)}”{on_day(one.when)}" for one in found)
    return f"said later, and holds: {told}" if told else ""


def drop_decided(snapshot: Snapshot, facts: Sequence[Fact]) -> Mapping[str, None]:
    """Return the waiting contradictions of the facts that are decided with them, as files to delete."""
    from reel_cli.features.contradictions.settle import list_decided

    return dict.fromkeys(list_decided(snapshot, {side_of(one).where for one in facts if one.replaces}))


def mark_memories(snapshot: Snapshot, facts: Sequence[Fact], item: str) -> Mapping[str, bytes]:
    """Return the earlier memories that tell what no longer holds of somebody's health, marked with it."""
    from reel_cli.features.contradictions.settle import mark_earlier, mark_ended

    marked: dict[str, bytes] = {}
    for fact in facts:
        stood = find_standing(snapshot, fact)
        if fact.dropped:
            marked |= mark_ended(snapshot, fact.key)
        elif stood is not None and fact.replaces and guards_health(stood):
            session = fact.source.partition("#")[0]
            # said without a bare first person: the memory is the persona's own
            says = one_line(f"{fact.key}: {state_plainly(fact, snapshot.settings.user)}", 400)
            holds = replace(side_of(fact), says=says)
            marked |= mark_earlier(snapshot, session, replace(side_of(stood), says=stood.value), holds, item)
    return marked


def loss_of(snapshot: Snapshot, fact: Fact) -> Forgotten:
    """Return what an accepted end of a fact lets go of."""
    size = get_tokenizer(snapshot.settings.tokenizer).count(f"{fact.key}: {fact.value}\n")
    source = fact.source if parse_source(fact.source) else ""
    return Forgotten(f"{FACTS}#{named(fact)}", FACT, DROPPED, size, 0, source, "", fact.dropped)


def on_day(when: str) -> str:
    """Return the words for the day on which something was said; "" where none is known."""
    with suppress(ValueError):
        return f" on {day_in_words(date.fromisoformat(when[:_DAY]))}"
    return ""
