"""Plan for a reply about facts: each checked against what the user said (SRIP-11 §III.5b)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.evidence.fact_evidence import UserTurns
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Offer
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.exchange.schema import find_others_heading, tell_other
from reel_cli.core.files.commit_message import ROUND
from reel_cli.core.kit.known_facts import Round
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.facts.ask import FactsAsk, render_round
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts, read_facts
from reel_cli.features.facts.held_back import (
    part_facts,
    plan_fact_clashes,
    propose_facts,
    tell_fact,
    waits_already,
)
from reel_cli.features.facts.plan import (
    OP,
    TRAILER,
    known_categories,
    named,
    newly_resting,
    without_room,
    without_too_many,
)
from reel_cli.features.facts.policy import (
    EXTRACTION,
    category_of,
    current_facts,
    fact_id,
    fact_name,
    overrides,
    same_value,
)
from reel_cli.features.facts.protection import as_change_of, find_guarded
from reel_cli.features.facts.reply import FACTS as FACTS_PAGE
from reel_cli.features.facts.reply import (
    LONGEST_KEY,
    LONGEST_VALUE,
    ToldFact,
    read_facts_reply,
    read_told,
    text_of,
)

NAMED = 3
"""Maximum number of reasons told if nothing of a reply can be kept."""


@dataclass(frozen=True, slots=True)
class FactReview:
    """The assessment of a reply: the new facts, the refused ones with reasons, and notes."""

    facts: tuple[Fact, ...] = ()
    refused: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    rests: tuple[Fact, ...] = ()
    waits: tuple[Fact, ...] = ()
    """Changes of what protects somebody, and facts about the persona if nobody reviewed them."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return all its problems."""
        return (*self.refused, *self.notes)


def weigh(
    snapshot: Snapshot,
    session: Session,
    told: Iterable[ToldFact],
    counter: Counter,
    *,
    unattended: bool = False,
) -> FactReview:
    """Check a reply's facts against the user's words in a session; unsupported ones are refused.

    A change of what protects somebody waits for a word of its own. `unattended`: nobody reads them before
    they are kept, so that facts about the persona wait as well.
    """
    settings = snapshot.settings
    heard = UserTurns(session.shown(), settings.user, settings.name, session.id[:10])
    noted = read_facts(snapshot)
    standing = {fact_name(one): one for one in current_facts(noted)}
    kinds = known_categories(snapshot)
    listed = list(told)
    made: Sequence[Fact] = []
    instead: list[Fact] = []
    said: dict[Fact, str] = {}
    refused: list[Problem] = []
    notes: list[Problem] = []
    for one, others in _with_others(listed):
        why = _not_a_fact(one, kinds) or _two_values(one, others)
        if not why and one.sure < settings.facts_sure:
            why = f"it is {one.sure / WHOLE:g} sure, and {settings.facts_sure / WHOLE:g} is the least"
        borne = heard.bears(one.value, one.evidence) if not why else None
        why = why or (borne.why if borne else "")
        if why or borne is None:
            refused.append(_problem(one, f"not kept: {why}"))
            continue
        if borne.value != one.value:
            notes.append(_problem(one, f"kept as it was said: “{borne.value}”"))
        if borne.open_year:
            notes.append(_problem(one, f"nobody said of which year, and “{one.value}” was taken; look at it"))
        sure = f"{one.sure / WHOLE:g}"
        source = f"{session.id}#{borne.number}"
        kind = category_of(Fact(one.category, "", ""))
        kind = one.category if one.category in kinds else kind
        fact = Fact(kind, one.key, borne.value, sure, source, borne.day, origin=EXTRACTION)
        stood = standing.get(fact_name(fact))
        if stood is None and fact_name(fact) not in map(fact_name, current_facts([*noted, fact])):
            refused.append(_problem(one, "not kept: you let go of it since"))
            continue
        if any(fact_name(other) == fact_name(fact) for other in made) or _is_known(fact, stood, noted):
            continue
        replaced = stood is not None and overrides(fact, stood)
        guarded = find_guarded(fact, [*standing.values(), *made]) if replaced or stood is None else None
        if guarded is not None:
            # one yes to a whole page is no word about what protects somebody
            fact = as_change_of(fact, guarded)
            if not waits_already(snapshot, fact):
                instead.append(fact)
            continue
        if replaced and stood is not None:
            fact = replace(fact, replaces=stood.value)
        elif stood is not None:
            notes.append(_problem(one, f"noted, but “{stood.value}” was said later and stays"))
        made = [*made, fact]
        said[fact] = one.evidence
    review = FactReview(tuple(made), tuple(refused), tuple(notes), waits=tuple(instead))
    return _settle(snapshot, review, said if unattended else None, noted, counter)


def _settle(
    snapshot: Snapshot,
    review: FactReview,
    unread: Mapping[Fact, str] | None,
    noted: Sequence[Fact],
    counter: Counter,
) -> FactReview:
    """Return a review without the facts that wait or have no room; `unread` are the words of each, by fact.

    They are None where somebody reads the review before it is kept.
    """
    made, waits = review.facts, review.waits
    if unread is not None:
        free, about = part_facts(made, unread, snapshot.settings.name)
        made, waits = tuple(free), (*about, *waits)
    kept, full = without_too_many(snapshot, noted, made, counter)
    out = without_room(snapshot, [*noted, *kept], counter) if kept else ()
    rests = newly_resting(snapshot, noted, kept)
    refused = [_problem(one, "not kept: the share of the facts is full") for one in full]
    notes = [_problem(one, "waits: other facts fill the share of a bundle") for one in kept if one in out]
    notes += [_problem(one, "rests from now on, so that there is room") for one in rests]
    return FactReview(tuple(kept), (*review.refused, *refused), (*review.notes, *notes), tuple(rests), waits)


def _with_others(listed: Sequence[ToldFact]) -> Iterable[tuple[ToldFact, Sequence[ToldFact]]]:
    """Return each fact with what else is told under its kind and name."""
    named: dict[tuple[str, str], list[ToldFact]] = {}
    for one in listed:
        named.setdefault(_name(one), []).append(one)
    return [(one, named[_name(one)]) for one in listed]


def _name(one: ToldFact) -> tuple[str, str]:
    return fact_name(Fact(one.category, one.key, one.value))


def _not_a_fact(one: ToldFact, kinds: Sequence[str]) -> str:
    """Return what is wrong with its form; "" for nothing."""
    if not one.key:
        return "it does not say what it is about"
    if not {one.category, category_of(Fact(one.category, "", ""))} & set(kinds):
        return (
            f"“{one_line(one.category, 40)}” is no kind of fact here" if one.category else "no kind is given"
        )
    if len(one.key) > LONGEST_KEY or len(one.value) > LONGEST_VALUE:
        return "it is too long for a fact"
    return ""


def _two_values(one: ToldFact, others: Sequence[ToldFact]) -> str:
    other = next((told for told in others if not same_value(told.value, one.value)), None)
    return (
        f"two values at once, “{one_line(one.value, 40)}” and “{one_line(other.value, 40)}”" if other else ""
    )


def _is_known(fact: Fact, stood: Fact | None, noted: Sequence[Fact]) -> bool:
    """Return whether the fact already holds on the same or better evidence, or is noted as a past value."""
    if stood is not None and same_value(stood.value, fact.value):
        return stood.origin != "dream"
    return any(
        fact_name(one) == fact_name(fact) and same_value(one.value, fact.value) and one.source == fact.source
        for one in noted
        if not one.dropped
    )


def _problem(one: ToldFact | Fact, what: str) -> Problem:
    name = ", ".join(part for part in (one_line(one.category, 30), one_line(one.key, 40)) if part)
    return Problem("facts", f"{name or f'“{one_line(one.value, 40)}”'}: {what}")


@dataclass(frozen=True, slots=True)
class FactsKept:
    """The result of keeping facts: files, trailers, and what to show."""

    writes: Mapping[str, bytes]
    trailers: tuple[tuple[str, str], ...]
    shown: tuple[str, ...]


def keep_weighed(snapshot: Snapshot, span: SourceRange, weighed: FactReview, made: str) -> FactsKept:
    """Plan the assessed facts, with those that no longer agree; the stretch counts as read in any case.

    `made` is ISO 8601. Raises ReelError where the file cannot be added to.
    """
    writes: dict[str, bytes] = {}
    if weighed.facts:
        text = add_facts(snapshot.text(FACTS) or "", weighed.facts)
        parse_facts(text)
        writes[FACTS] = text.encode()
    writes.update(plan_fact_clashes(snapshot, weighed.facts, span.session, made))
    writes.update(propose_facts(weighed.waits, span.session, made))
    trailers = [(TRAILER, named(one)) for one in weighed.facts]
    trailers.append((ROUND, render_round(Round(span, len(weighed.facts), len(weighed.refused)))))
    return FactsKept(writes, tuple(trailers), tuple(map(_shown, weighed.facts)))


def _shown(fact: Fact) -> str:
    until = f" (until now: {fact.replaces})" if fact.replaces else ""
    return f"{fact.category}, {fact.key}: {fact.value}{until}"


def answer_facts(  # noqa: PLR0913 (as `plan_extraction`)
    snapshot: Snapshot,
    ask: FactsAsk,
    reply: str,
    counter: Counter,
    now: datetime,
    *,
    unattended: bool = False,
) -> Answer:
    """Read a reply to an ask for facts, and offer what is borne as one change.

    `unattended`: nobody looks at the offer, so that facts about the persona wait for a person's word.
    """
    if not reply.strip():
        return EMPTY
    names = (snapshot.settings.name,)
    reading = read_facts_reply(reply, ask.prompt, names)
    if reading.is_prompt:
        return NO_ANSWER
    if heading := find_others_heading(reply, FACTS_PAGE):
        return Answer(refusal=tell_other(heading))
    text = text_of(reading, reply, names)
    told = list(read_told(text or ""))
    if text is None or (not told and not says_nothing(text)):
        return Answer(refusal="No facts could be read in that reply.")
    session = read_session(snapshot, ask.span.session)
    weighed = weigh(snapshot, session, told, counter, unattended=unattended)
    problems = (*reading.problems, *weighed.problems)
    if told and not weighed.facts and not weighed.waits and len(weighed.refused) == len(told):
        first = "; ".join(one.what for one in weighed.refused[:NAMED])
        more = f"; and {len(told) - NAMED:,} more" if len(told) > NAMED else ""
        return Answer(refusal=f"Nothing of it can be kept. {first}{more}.", problems=problems)
    count = len(weighed.facts)
    title = f"{count:,} fact{'' if count == 1 else 's'}"
    waits = [f"waits for your word in reel review: {tell_fact(one)}" for one in weighed.waits]
    lines = [*map(_shown, weighed.facts), *waits, *_worth_a_look(weighed)]
    offer = Offer(
        id=str(ask.span),
        title=title,
        heading=f"{title if count else 'Nothing new'} from {ask.span}",
        shown=tuple(one_line(line) for line in lines),
        plan=lambda later: plan_extraction(later, ask, told, counter, now, unattended=unattended),
        told={
            "facts": [fact_id(one) for one in weighed.facts],
            "refused": len(weighed.refused),
            "review": [fact_id(one) for one in weighed.waits],
        },
    )
    return Answer((offer,), (), problems)


def _worth_a_look(weighed: FactReview) -> list[str]:
    return ["Worth a look:", *(one.what for one in weighed.problems)] if weighed.problems else []


def plan_extraction(  # noqa: PLR0913 (the kit, the ask and its answer, by what to count, and who looks on)
    snapshot: Snapshot,
    ask: FactsAsk,
    told: Sequence[ToldFact],
    counter: Counter,
    now: datetime,
    *,
    unattended: bool = False,
) -> Change:
    """Return one commit: the facts, the contradictions, and that the stretch was searched."""
    session = read_session(snapshot, ask.span.session)
    weighed = weigh(snapshot, session, told, counter, unattended=unattended)
    kept = keep_weighed(snapshot, ask.span, weighed, now.isoformat())
    count = len(weighed.facts)
    what = f"{count:,} noted" if count else "nothing new"
    trailers = (("Reel-Session", ask.span.session), ("Reel-Ring0", ask.ring0), *kept.trailers)
    return Change(OP, f"{what} from {ask.span}", dict(kept.writes), trailers)
