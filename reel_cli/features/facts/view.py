"""Facts on the screen and the web page: what is held, what rests, where it is from, what it was before."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.moment import day_in_words
from reel_cli.core.shell import join
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import PURGED
from reel_cli.features.facts.choice import UNSURE
from reel_cli.features.facts.policy import (
    DREAM,
    EXTRACTION,
    OWN,
    PERSON,
    category_of,
    confidence_of,
    current_facts,
    fact_id,
    fact_name,
    guards_health,
    same_value,
)
from reel_cli.terminal.change_report import end_sentence
from reel_cli.terminal.plain_text import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.values.section import KitSection, SectionLine
    from reel_cli.features.facts.choice import FactChoice, RestingFact
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.plan import FactChange
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


def show_standing(opened: "OpenKit", standing: "FactChoice") -> None:
    """Show the facts that hold, by category, and below them those that rest, with reasons.

    Where not all of them have room in every bundle, those that have are marked.
    """
    from reel_cli.features.facts.pending.waiting_changes import tell_waiting

    console = opened.console
    if not standing.held and not standing.resting:
        console.say("There are no facts yet.")
        console.next_step('Add one:  reel fact add identity name "Maria"')
        return
    lines: list[str] = []
    late = find_late(opened, standing)
    waiting = tell_waiting(opened.snapshot, standing.held)
    for category in dict.fromkeys(category_of(one) for one in standing.held):
        rows = [
            _row(one, waiting.get(fact_id(one), ""), packed=bool(late) and one not in late)
            for one in standing.held
            if category_of(one) == category
        ]
        called = f"{opened.snapshot.settings.name}'s own" if category == OWN else category.capitalize()
        lines += [called, *_listed(console, rows)]
    if standing.resting:
        # what a model was sure of and its words do not bear is on record with half of what is needed
        half = opened.snapshot.settings.facts_sure // 2
        rows = []
        for one in standing.resting:
            aside = one.fact.origin == EXTRACTION and confidence_of(one.fact) <= half
            where = from_where(one.fact, told_sure=not aside)
            rows.append((f"{category_of(one.fact)}/{one.fact.key}", one.fact.value, f"{one.why}; {where}"))
        lines += ["", "Set aside, in no bundle", *_listed(console, rows)]
    console.result("\n".join(lines))
    console.say(_count(opened, standing, len(late)))
    if standing.held and opened.then is None:
        # the key of one that holds would drop it when the hint is typed as it stands
        console.next_step("To let one go:  reel fact drop KEY")
    unsure = next((one.fact for one in standing.resting if _may_be_offered(one, standing)), None)
    if unsure and opened.then is None:
        words = ("reel", "fact", "add", category_of(unsure), unsure.key, unsure.value)
        console.next_step(f"To take one in:  {join(words)}")


def _may_be_offered(one: "RestingFact", standing: "FactChoice") -> bool:
    """Return whether a fact that nobody can tell is one to take in: nothing else holds under its name.

    The persona's own word on somebody's health is that of the other, who said no such thing.
    """
    keys = {fact_name(held)[1] for held in standing.held}
    unsafe = category_of(one.fact) == OWN and guards_health(one.fact)
    return one.why == UNSURE and not unsafe and fact_name(one.fact)[1] not in keys


def find_late(opened: "OpenKit", standing: "FactChoice") -> "Sequence[Fact]":
    """Return the facts that have no room in a bundle of the kit's own window."""
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.facts.plan import without_room

    snapshot = opened.snapshot
    return without_room(snapshot, standing.held, get_tokenizer(snapshot.settings.tokenizer))


def _count(opened: "OpenKit", standing: "FactChoice", late: int) -> str:
    """Return how many facts are known, and how many of them a bundle of the kit's own window has."""
    from reel_cli.core.pack.budget import an, name_window

    snapshot = opened.snapshot
    known = len(standing.held)
    size = an(name_window(snapshot.settings.cap))
    limit = snapshot.settings.held_to
    told = f"{known - late:,} of {known:,} always have room in a bundle for {size} {limit}"
    if not late:
        told = "It goes into every bundle" if known == 1 else f"All {known:,} go into every bundle"
    if not standing.resting:
        return f"{told}."
    return f"{told}; {len(standing.resting):,} set aside." if known else "None goes into a bundle."


def _row(fact: "Fact", waits: str, *, packed: bool) -> tuple[str, str, str]:
    from reel_cli.features.facts.statement import value_with_days

    until = f"; before: {fact.replaces}" if fact.replaces else ""
    mark = "in the bundle; " if packed else ""
    return fact.key, f"{value_with_days(fact)}{waits}", f"{mark}{since_when(fact)}{_doubt(fact)}{until}"


def _listed(console: "Console", rows: "Sequence[tuple[str, str, str]]", indent: str = "  ") -> list[str]:
    """Return each row as a sentence, to be read aloud as well: its name, the value, where it is from."""
    return [
        console.wrap(printable(f"{key}: {value} — {where}"), console.out, indent, "  ")
        for key, value, where in rows
    ]


def from_where(fact: "Fact", *, told_sure: bool = True) -> str:
    """Return whose word a fact is, where it was said and since when, in a few words.

    Where `told_sure`, how sure it is stands there too.
    """
    whose = _whose(fact)
    since = f", {_day(fact.when)}" if fact.when else ""
    doubt = _doubt(fact) if told_sure else ""
    return f"{whose}{f' in {fact.source}' if fact.source else ''}{since}{doubt}"


def _doubt(fact: "Fact") -> str:
    sure = confidence_of(fact) / WHOLE
    return "" if fact.origin == PERSON or sure == 1 else f", {sure:.0%} sure"


def since_when(fact: "Fact") -> str:
    """Return whose word a fact is, and since when, for somebody who reads rather than decides."""
    return f"{_whose(fact)}{f' on {_day(fact.when)}' if fact.when else ''}"


def _whose(fact: "Fact") -> str:
    if fact.said_by and fact.origin != PERSON:
        return "said by the persona"
    if fact.origin == PERSON and (fact.evidence or (fact.replaces and fact.source)):
        # a value of a chat that waited for a person's word
        return "kept by you"
    if fact.origin == PERSON and fact.replaces:
        return "put right by you"
    return {PERSON: "noted by you", DREAM: "from a dream"}.get(fact.origin, "said")


def _day(when: str) -> str:
    from datetime import date

    try:
        return day_in_words(date.fromisoformat(when[:10]))
    except ValueError:
        return when


def line_of(fact: "Fact") -> str:
    """Return a fact in one line."""
    return f"{fact.key}: {fact.value} ({category_of(fact)}; {from_where(fact)})"


def show_history(opened: "OpenKit", found: "Sequence[Fact]") -> None:
    """Show every value, the one said first at the top, and which of them holds."""
    console = opened.console
    holding = current_facts(found)
    lines: list[str] = []
    heading = ""
    for one in _by_day(found):
        state = "holds" if any(one is held for held in holding) else ""
        where = f"removed on {_day(one.when)}: {one.dropped}" if one.dropped else from_where(one)
        # what all values have in common is read aloud once
        if fact_id(one) != heading:
            heading = fact_id(one)
            lines.append(printable(f"{one.key} ({category_of(one)})"))
        told = printable(f"{one.value} — {'; '.join(filter(None, (state, where)))}")
        lines.append(console.wrap(told, console.out, "  ", "  "))
    console.result("\n".join(lines))
    last = found[-1]
    if (
        last.dropped
        and PURGED not in last.value
        and not any(fact_name(one) == fact_name(last) for one in holding)
    ):
        console.next_step(f"To have it again:  {command_of(with_own_source(found))}")


def with_own_source(found: "Sequence[Fact]") -> "Fact":
    """Return the last of a fact's values with the source of its value, and not of the words that ended it."""
    from dataclasses import replace

    last = found[-1]
    values = (one for one in reversed(found) if not one.dropped and same_value(one.value, last.value))
    noted = next(values, None)
    return last if noted is None else replace(last, source=noted.source)


def _by_day(found: "Sequence[Fact]") -> "list[Fact]":
    """Return the facts by the day on which each was said; one without a day stays behind the one before."""
    days: list[str] = []
    for one in found:
        days.append(one.when[:10] or (days[-1] if days else ""))
    return [found[at] for at in sorted(range(len(found)), key=days.__getitem__)]


def command_of(fact: "Fact") -> str:
    """Return the command that notes a fact again."""
    from reel_cli.core.shell import join

    source = ["--source", fact.source] if fact.source else []
    return join(["reel", "fact", "add", category_of(fact), fact.key, fact.value, *source])


def keep_fact(opened: "OpenKit", planned: "FactChange", *, dry_run: bool, as_json: bool) -> None:
    """Commit one fact more or less, and say what that changes."""
    console, fact = opened.console, planned.fact
    commit = None if dry_run else opened.commit(planned.change).commit
    if as_json:
        was = fact_as_json(planned.was) if planned.was is not None else None
        rests = [fact_id(one) for one in planned.rests]
        console.result_json({"commit": commit, "fact": fact_as_json(fact), "was": was, "rests": rests})
        return
    what = end_sentence(f"{'Let go' if fact.dropped else 'Noted'}: {fact.key}: {fact.value}")
    if fact.replaces and not fact.dropped:
        what += f" {end_sentence(f'Until now it was: {fact.replaces}')}"
    what += "".join(f" Its note is back too: {one.rstrip('.')}." for one in planned.notes)
    for one in planned.rests:
        console.say(f"{fact_id(one)} is set aside from now on: there is room for {_most(opened)} facts.")
    if commit is None:
        console.result(what)
        console.say("Nothing was changed (--dry-run).")
        return
    console.result(console.wrap(what, console.out))
    again = fact.dropped and PURGED not in fact.value
    console.next_step(f"To have it again:  {command_of(fact)}" if again else "See them all:  reel fact list")


def _most(opened: "OpenKit") -> int:
    return opened.snapshot.settings.facts_most


def fact_as_json(fact: "Fact") -> dict[str, Any]:
    """Return a fact as JSON."""
    return {
        "id": fact_id(fact),
        "category": category_of(fact),
        "key": fact.key,
        "value": fact.value,
        "confidence": confidence_of(fact) / WHOLE,
        "source": fact.source,
        "when": fact.when,
        "replaces": fact.replaces,
        "origin": fact.origin,
        "dropped": fact.dropped,
        "statement": fact.statement,
        "evidence": fact.evidence,
        "said_by": fact.said_by,
    }


def standing_as_json(standing: "FactChoice", late: "Sequence[Fact]") -> list[dict[str, Any]]:
    """Return all that holds: `held` says whether it may go into bundles, `why` why not.

    `packed` says whether a bundle of the kit's own window has it now; those in `late` have no room in it.
    """
    held = [
        {**fact_as_json(one), "held": True, "packed": one not in late, "why": ""} for one in standing.held
    ]
    resting = (
        {**fact_as_json(one.fact), "held": False, "packed": False, "why": one.why} for one in standing.resting
    )
    return [*held, *resting]


def history_as_json(found: "Sequence[Fact]") -> list[dict[str, Any]]:
    """Return every value, the one said first at the beginning; `holds` says which one holds."""
    holding = current_facts(found)
    return [{**fact_as_json(one), "holds": any(one is held for held in holding)} for one in _by_day(found)]


def show_section(opened: "OpenKit") -> "Sequence[KitSection]":
    """Return the facts by category, and those that were set aside; none where they cannot be read."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.values.section import KitSection, SectionItem
    from reel_cli.features.facts.pending.waiting_changes import tell_waiting
    from reel_cli.features.facts.plan import list_facts

    try:
        standing = list_facts(opened.snapshot)
    except ReelError:
        # doctor says what is wrong with the file
        return ()
    persona = opened.snapshot.settings.name
    waiting = tell_waiting(opened.snapshot, standing.held)
    items = []
    for category in dict.fromkeys(category_of(one) for one in standing.held):
        facts = [one for one in standing.held if category_of(one) == category]
        title = f"{persona}'s own" if category == OWN else category.capitalize()
        items.append(
            SectionItem(
                title,
                lines=[_section_line(one, waits=waiting.get(fact_id(one), "")) for one in facts],
                open=True,
            )
        )
    if standing.resting:
        aside = [_section_line(one.fact, one.why) for one in standing.resting]
        items.append(SectionItem("Set aside, in no chat", lines=aside))
    return [KitSection("facts", "Known by heart", items=items)]


def list_days(opened: "OpenKit") -> "Mapping[str, Sequence[str]]":
    """Return the days on which facts were noted; none where they cannot be read."""
    from reel_cli.core.errors import ReelError
    from reel_cli.features.facts.files import read_noted

    try:
        return {"Facts": [fact.when[:10] for fact in read_noted(opened.snapshot)]}
    except ReelError:
        return {}


def _section_line(fact: "Fact", why: str = "", waits: str = "") -> "SectionLine":
    from reel_cli.core.values.section import SectionLine
    from reel_cli.core.values.source import parse_source

    before = f"before: {fact.replaces}" if fact.replaces else ""
    told = fact.statement or f"{fact.key.replace('_', ' ')}: {fact.value}"
    note = "; ".join(filter(None, (since_when(fact), before, why)))
    return SectionLine(f"{told}{waits}", note, parse_source(fact.source))
