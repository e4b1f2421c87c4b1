"""The anchor facts by a person's word: what is held, what was, one more, one less (SRIP-11 §III.5)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import resolve_name
from reel_cli.core.pack.render import MARKDOWN, Writer
from reel_cli.core.tape.last_turns import last_days
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.adapters import known_categories
from reel_cli.features.facts.choice import (
    TAKEN_BACK,
    FactChoice,
    RestingFact,
    choose_rows,
    divide,
    firmest_rows,
    order_facts,
    write_rows,
)
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import (
    FACTS,
    add_facts,
    parse_facts,
    read_facts,
    read_noted,
    with_standing_source,
)
from reel_cli.features.facts.policy import (
    PERSON,
    category_of,
    current_facts,
    fact_id,
    fact_name,
    must_be_there,
    protects,
    read_category,
    same_value,
    says_as_much,
)
from reel_cli.features.facts.statement import rows_of

OP = "fact"
TRAILER = "Reel-Fact"
"""Names a fact that a commit notes, by its ID."""
FACT, DROPPED = "fact", "dropped"
"""States of a fact before and after it was dropped, as `Reel-Forgot` names them."""
LONGEST_KEY, LONGEST_VALUE = 80, 600


def list_facts(snapshot: Snapshot) -> FactChoice:
    """Return the facts that go into every bundle, and those that rest, by the kit's settings."""
    noted = read_noted(snapshot)
    facts = with_standing_source(snapshot, noted)
    found = stand(snapshot, facts)
    if len(facts) == len(noted):
        return found
    named = {fact_name(one) for one in (*found.held, *(rest.fact for rest in found.resting))}
    gone = [RestingFact(one, TAKEN_BACK) for one in current_facts(noted) if fact_name(one) not in named]
    return FactChoice(found.held, [*found.resting, *gone])


def stand(snapshot: Snapshot, facts: Sequence[Fact]) -> FactChoice:
    """Return which of some facts would go into every bundle, by the kit's settings."""
    settings = snapshot.settings
    return divide(
        facts, settings.facts_sure, settings.facts_most, gated=settings.gated, today=newest_day(snapshot)
    )


def newest_day(snapshot: Snapshot) -> date | None:
    """Return the day of the newest chat; None without one."""
    sessions = standing_sessions(snapshot)
    return last_days(snapshot, sessions[-1:])[sessions[-1]] if sessions else None


@frozen
class FactChange:
    """A change by a person: the fact, what it replaces, and what has to rest for it."""

    change: Change
    fact: Fact
    was: Fact | None
    rests: Sequence[Fact]
    notes: Sequence[str] = ()
    """Notes that come back with the fact."""


def plan_add(  # noqa: PLR0913 (the kit, what was told and how, when)
    snapshot: Snapshot,
    counter: Counter,
    told: tuple[str, str, str],
    *,
    source: str,
    now: datetime,
    also: bool = False,
) -> FactChange | None:
    """Plan a person's fact (category, key, value); None if it is held already, by their word.

    With `also` the new value stands behind the one that holds, and a value that it says already adds nothing.
    Raises ReelError where a part is empty or too long, the category unknown, the source not on the tape, or
    no room for it in a bundle.
    """
    category, key, value = told
    fact = Fact(
        known_category(snapshot, category),
        _fitting(key, "key", LONGEST_KEY),
        _fitting(value, "value", LONGEST_VALUE),
        "1",
        _source(snapshot, source),
        now.date().isoformat(),
        origin=PERSON,
    )
    noted = read_facts(snapshot)
    was = next((one for one in current_facts(noted) if fact_name(one) == fact_name(fact)), None)
    if was is not None:
        if also and says_as_much(was, fact):
            return None
        if also and not same_value(was.value, fact.value):
            both = f"{was.value.rstrip(' .;')}; {fact.value}"
            fact = replace(fact, value=_fitting(both, "value of both", LONGEST_VALUE))
        if was.origin == PERSON and was.value == fact.value and fact.source in ("", was.source):
            return None
        if not same_value(was.value, fact.value):
            fact = replace(fact, replaces=was.value)
    _require_room(snapshot, noted, fact, counter)
    change = plan_note(snapshot, [fact], f"{'changed' if fact.replaces else 'noted'} {_called(fact)}")
    return FactChange(change, fact, was, newly_resting(snapshot, noted, [fact]))


def _require_room(snapshot: Snapshot, noted: Sequence[Fact], fact: Fact, counter: Counter) -> None:
    """Raise ReelError, naming the numbers, if what protects somebody could fit no bundle of the kit."""
    size, share = size_of(snapshot, [*noted, fact], counter), share_of(snapshot)
    if size > share and size > size_of(snapshot, noted, counter):
        message = f"With this, the facts would need {size:,} tokens of a bundle; their share is {share:,}."
        raise ReelError(message, hint="raise facts.share in kit.yaml, or remove one:  reel fact drop KEY")


def plan_note(snapshot: Snapshot, facts: Sequence[Fact], summary: str) -> Change:
    """Return one commit that adds facts; raises ReelError if the file cannot be added to."""
    text = add_facts(snapshot.text(FACTS) or "", facts)
    parse_facts(text)
    trailers = tuple((TRAILER, named(one)) for one in facts)
    return Change(OP, one_line(summary, 120), {FACTS: text.encode()}, trailers)


def plan_drop(  # noqa: PLR0913 (the kit, its history, which one, why, when)
    snapshot: Snapshot, repo: Repository, counter: Counter, wanted: str, *, why: str, now: datetime
) -> FactChange:
    """Return the change that drops a fact; its values stay in the file, and the commit says why it went.

    Raises ReelError where nothing of that name holds, or several do.
    """
    noted = read_facts(snapshot)
    was = _one(find_facts(current_facts(noted), wanted), wanted)
    reason = why or "your word"
    told = Fact(
        was.category, was.key, was.value, was.confidence, was.source, now.date().isoformat(),
        origin=PERSON, dropped=reason,
    )  # fmt: skip
    change = plan_note(snapshot, [told], f"let go of {_called(was)}")
    size = counter.count(f"{was.key}: {was.value}\n")
    blob = repo.blob_id(snapshot.read(FACTS) or b"")
    source = was.source if parse_source(was.source) else ""
    loss = Forgotten(f"{FACTS}#{named(was)}", FACT, DROPPED, size, 0, source, blob, reason)
    from reel_cli.features.contradictions.settle import mark_ended

    change = change.also(
        mark_ended(snapshot, was.key), (FORGOT, render_forgotten(loss)), ("Reel-Tokenizer", counter.name)
    )
    return FactChange(change, told, was, ())


def history_of(snapshot: Snapshot, wanted: str) -> Sequence[Fact]:
    """Return all that was ever noted under a key (`name`, or `identity/name`), the oldest first.

    Raises ReelError where nothing was.
    """
    found = find_facts(read_noted(snapshot), wanted)
    if not found:
        raise _none(wanted)
    return found


def find_facts(facts: Sequence[Fact], wanted: str) -> list[Fact]:
    """Return the facts with this ID, else those with this key, else one by words that only it has.

    Raises ReelError where the words could mean several.
    """
    asked = Fact("", wanted, "")
    category, slash, key = wanted.partition("/")
    named = fact_name(Fact(category, key, "")) if slash and category and key else None
    found = [one for one in facts if fact_name(one) == named] or [
        one for one in facts if fact_name(one)[1] == fact_name(asked)[1]
    ]
    if found:
        return found
    told = {fact_id(one): f"{one.key} {one.value}" for one in facts}
    meant = resolve_name(wanted, told, "facts")
    return [one for one in facts if fact_id(one) == meant]


def _one(found: Sequence[Fact], wanted: str) -> Fact:
    if not found:
        raise _none(wanted)
    if len(found) > 1:
        message = f"{len(found)} facts are called {wanted!r}."
        raise ReelError(message, hint=f"say which:  {', '.join(fact_id(one) for one in found)}")
    return found[0]


def _none(wanted: str) -> ReelError:
    return ReelError(
        f"No fact is called {wanted!r}.", hint="name it by its key or its words:  reel fact list"
    )


def newly_resting(snapshot: Snapshot, noted: Sequence[Fact], more: Sequence[Fact]) -> Sequence[Fact]:
    """Return the facts that go into every bundle now, and would not any more."""
    before, after = stand(snapshot, noted), stand(snapshot, [*noted, *more])
    names = {fact_name(one.fact) for one in after.resting}
    return [one for one in before.held if fact_name(one) in names]


def known_category(snapshot: Snapshot, category: str) -> str:
    """Return the category as the kit writes it: one of ours, or one that is in use; else ReelError."""
    known = known_categories(snapshot)
    plain = read_category(category)
    exact = " ".join(category.casefold().split())
    if exact in known:
        return exact
    if plain in known:
        return plain
    message = f"{one_line(category, 40)!r} is not a category."
    raise ReelError(message, hint=f"the categories are:  {', '.join(known)}")


def _fitting(text: str, what: str, most: int) -> str:
    told = one_line(text)
    if not told:
        message = f"The {what} is empty."
        raise ReelError(message, hint='write it like  reel fact add identity name "Maria"')
    if len(told) > most:
        message = f"The {what} is {len(told):,} characters long; {most} are the most."
        raise ReelError(message, hint="a fact is a few words; what needs more should be a memory")
    return told


def _source(snapshot: Snapshot, source: str) -> str:
    if not source:
        return ""
    span = parse_source(source)
    if span is None or not span.last:
        message = f"{source!r} is not a message of a recorded chat."
        raise ReelError(message, hint="write it as  2026-02-25-1#4 : the chat, then its message")
    if span.session not in snapshot.sessions:
        message = f"There is no recorded chat {span.session}."
        raise ReelError(message, hint="see them with  reel tape list")
    said = {entry.number for entry in read_session(snapshot, span.session).shown()}
    if not {span.first, span.last} <= said:
        message = f"{span.session} has no message {span.first if span.first not in said else span.last}."
        raise ReelError(message, hint=f"see them with  reel tape show {span.session}")
    return f"{span.session}#{span.first}" if span.first == span.last else str(span)


def named(fact: Fact) -> str:
    """Return a fact's name in history: as the file writes it, so that a purge finds it there too."""
    return one_line(f"{category_of(fact)}/{fact.key}")


def _called(fact: Fact) -> str:
    return f"{fact.key} ({category_of(fact)})"


def share_of(snapshot: Snapshot) -> int:
    """Return how many tokens the facts may take at the kit's own cap."""
    return snapshot.settings.cap * snapshot.settings.facts_share // WHOLE


def size_of(snapshot: Snapshot, facts: Sequence[Fact], counter: Counter, *, noted: bool = False) -> int:
    """Return the token count of the facts without which nothing is packed; with what else is `noted`."""
    held = [one for one in stand(snapshot, facts).held if must_be_there(one)]
    return _tokens(snapshot, [one for one in held if noted or protects(one)], counter)


def _tokens(snapshot: Snapshot, held: Sequence[Fact], counter: Counter) -> int:
    rows = rows_of(held, snapshot.settings.user)
    units = write_rows(rows, {row.id for row in rows}, Writer(MARKDOWN, counter.count))
    return sum(unit.tokens for unit in units)


def without_too_many(
    snapshot: Snapshot, noted: Sequence[Fact], fresh: Sequence[Fact], counter: Counter
) -> tuple[list[Fact], list[Fact]]:
    """Return the fresh facts that may be noted, and those that must be packed and have no room."""
    kept, full = list(fresh), list[Fact]()
    before = size_of(snapshot, noted, counter) if fresh else 0
    while size_of(snapshot, [*noted, *kept], counter) > max(before, share_of(snapshot)):
        names = {fact_name(one) for one in stand(snapshot, [*noted, *kept]).held}
        inside = [one for one in kept if fact_name(one) in names and must_be_there(one)]
        if not inside:
            break
        weakest = min(reversed(inside), key=lambda one: float(one.confidence))
        kept.remove(weakest)
        full.append(weakest)
    return kept, full


def without_room(snapshot: Snapshot, facts: Sequence[Fact], counter: Counter) -> Sequence[Fact]:
    """Return the facts that hold and find no room in the share, by the order in which a bundle takes them."""
    held = stand(snapshot, facts).held
    if _tokens(snapshot, held, counter) <= share_of(snapshot):
        return ()
    rows = rows_of(held, snapshot.settings.user)
    share, writer = share_of(snapshot), Writer(MARKDOWN, counter.count)
    _, inside = choose_rows(rows, firmest_rows(rows, share, writer), share, share, writer)
    return [one for one in order_facts(held) if fact_id(one) not in inside]


def find_late(
    snapshot: Snapshot, noted: Sequence[Fact], fresh: Sequence[Fact], counter: Counter
) -> Sequence[tuple[Fact, str]]:
    """Return the fresh facts that the next bundle would not have, each with the reason."""
    if not fresh:
        return ()
    after = [*noted, *fresh]
    full = "waits: other facts fill the share in a bundle"
    why = {fact_name(one): full for one in without_room(snapshot, after, counter)}
    why |= {fact_name(one.fact): f"rests: {one.why}" for one in stand(snapshot, after).resting}
    return [(one, why[fact_name(one)]) for one in fresh if fact_name(one) in why]
