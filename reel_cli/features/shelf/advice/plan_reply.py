"""Plan of a reply with advice, offered as one change; and of advice given in a chat (MEMORY-MGMT §9)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Offer
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, moment, stamp
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Kind, Session, parse_source
from reel_cli.features.shelf.advice.advice import ARCHIVE, COMPRESS, LEAVE, SUMMARIZE
from reel_cli.features.shelf.advice.ask import AdviceAsk
from reel_cli.features.shelf.advice.plan import AdviceGiven, AdvicePlan, in_words, plan_advice, weigh
from reel_cli.features.shelf.advice.policy import (
    AdviceOutcome,
    Decision,
    Suggestions,
    action_taken,
    model_suggested,
)
from reel_cli.features.shelf.advice.reply import AdviceReading, read_advice, read_advice_lines
from reel_cli.features.shelf.advice.reply_shapes import has_advice

ID = "advice"
_ACTIONS = {
    LEAVE: "out of the bundles; the file stays",
    SUMMARIZE: "its gist first, then out",
    ARCHIVE: "into the archive",
    COMPRESS: "a shorter text in its place",
}
NAMED = 3
"""Maximum number of reasons told if nothing of a reply can be followed."""


@dataclass(frozen=True, slots=True)
class AdviceOptions:
    """The options for taking advice: `pending` are journal lines no commit holds yet.

    `glance` gives the kit as an overview, as it is when it is asked.
    """

    now: datetime
    pending: Sequence[str] = ()
    explain: bool = False
    glance: Callable[[], Snapshot | None] = lambda: None


def answer_advice(snapshot: Snapshot, ask: AdviceAsk, reply: str, manner: AdviceOptions) -> Answer:
    """Read a reply to an ask for advice, and offer what it comes to as one change."""
    if not reply.strip():
        return EMPTY
    advised = read_advice(reply, *ask.words)
    if advised.is_prompt:
        return NO_ANSWER
    return _offer(snapshot, advised, manner, ring0=ask.ring0)


@dataclass(frozen=True, slots=True)
class ChatAdvice:
    """Advice as it was given in a chat: its words, the message they are in, and when they were said."""

    text: str
    where: str
    session: str
    at: str


def answer_said(snapshot: Snapshot, said: ChatAdvice, manner: AdviceOptions) -> Answer:
    """Return the result of advice given in a chat, offered as one change."""
    return _offer(snapshot, read_advice_lines(said.text, said.where), manner, said=said)


def find_said(snapshot: Snapshot, where: str, *, quick: bool = False) -> ChatAdvice:
    """Return the advice that the persona said: a session's last, or in one message (`2026-02-10-1#12`).

    With `quick` it is looked for only where its usual signs are. Raises ReelError where there is none.
    """
    span = parse_source(where)
    session = read_session(snapshot, span.session if span else where)
    number = span.first if span and "#" in where else 0
    for entry in _answers(session):
        if (number and entry.number != number) or (quick and not has_advice(entry.message.text)):
            continue
        place = f"{session.id}#{entry.number}" if entry.number else session.id
        if read_advice_lines(entry.message.text, place).advice is not None:
            return ChatAdvice(
                entry.message.text, place, session.id, entry.message.time or session.started or ""
            )
    message = f"There is no advice in {one_line(where, 40)}."
    raise ReelError(message, hint="ask for it with  reel shelf advise")


def _answers(session: Session) -> Iterator[Entry]:
    """Yield what the persona said as it is shown, and its answers to prompts, newest first."""
    shown = {id(entry) for entry in session.shown()}
    for entry in reversed(session.entries):
        stands = id(entry) in shown or entry.message.kind is Kind.EXCHANGE
        if stands and entry.message.role == "assistant":
            yield entry


def _offer(
    snapshot: Snapshot,
    advised: AdviceReading,
    manner: AdviceOptions,
    *,
    ring0: str = "",
    said: ChatAdvice | None = None,
) -> Answer:
    if advised.advice is None:
        return Answer(refusal=advised.refusal, problems=advised.problems)
    # without a time it counts as said now
    at = said.at if said is not None and moment(said.at) > NEVER else stamp(manner.now)
    given = AdviceGiven(
        advised.advice, at, ring0, *((said.session, said.where) if said is not None else ("", ""))
    )
    weighed = weigh(snapshot, given, manner.now, manner.pending, manner.glance())
    problems = (*advised.problems, *weighed.problems)
    if problems and not weighed.named and not advised.advice.trigger_gc:
        first = " ".join(one.what for one in problems[:NAMED])
        more = f" And {len(problems) - NAMED:,} more." if len(problems) > NAMED else ""
        return Answer(refusal=f"None of the advice can be followed. {first}{more}", problems=problems)
    if not weighed.told and not advised.advice.trigger_gc:
        return Answer(nothing="The advice is to leave everything as it is.", problems=problems)
    offer = Offer(
        id=ID,
        title=in_words(weighed),
        heading=f"“{given.advice.why}”",
        shown=tuple(_shown(weighed, problems, explain=manner.explain)),
        plan=lambda later: plan_advice(later, given, manner.now, manner.pending, manner.glance()),
        told={
            "decisions": [decision_json(one) for one in weighed.told],
            "standing": [decision_json(one) for one in weighed.decisions if one not in weighed.told],
            "trigger_gc": weighed.cold.trigger_gc,
        },
    )
    return Answer((offer,), (), problems)


def _shown(weighed: AdvicePlan, problems: Sequence[Problem], *, explain: bool) -> Iterator[str]:
    for one in weighed.told:
        yield from decision_lines(one, explain=explain)
    others = [one for one in weighed.decisions if one not in weighed.told]
    if others and explain:
        yield "From earlier advice:"
        for one in others:
            yield from (f"  {line}" for line in decision_lines(one, explain=True))
    elif others:
        yield f"{len(others):,} more from earlier advice stand{'s' if len(others) == 1 else ''} as before."
    for path in weighed.gone:
        yield f"Removed from the lists, because it is no longer in the kit: {one_line(path, 120)}"
    if weighed.cold.trigger_gc:
        yield "What can go should go soon."
    if problems:
        yield "Left out:"
        for problem in problems:
            yield f"  {one_line(problem.what, 300)}"


def decision_lines(one: Decision, *, explain: bool) -> Iterator[str]:
    """Yield one decision for a person; with `explain` the model's reason and the kit's."""
    memory = one.path.startswith("ring3/")
    path = one_line(one.path.removeprefix("ring3/").removesuffix(".md") if memory else one.path, 120)
    action = _ACTIONS.get(one.action, one_line(one.action, 40))
    action = f" ({action if one.lets_go else f'advised: {action}'})" if action else ""
    head = {
        (Suggestions.KEEP, AdviceOutcome.HONORED): "Kept at hand",
        (Suggestions.KEEP, AdviceOutcome.DEFERRED): "Not yet at hand",
        (Suggestions.EVICT, AdviceOutcome.HONORED): "Can go",
        (Suggestions.EVICT, AdviceOutcome.DEFERRED): "Waits",
        (Suggestions.EVICT, AdviceOutcome.OVERRIDDEN): "Stays",
        (None, AdviceOutcome.PROMOTED): "Kept at hand too",
    }[one.suggested, one.taken]
    plain = one.taken is AdviceOutcome.HONORED
    if not explain:
        why = one.why if plain else one.reason
        yield f"{head}: {path}{action}{f' — {why}' if why else ''}"
        return
    yield f"{head}: {path}{action}"
    if one.suggested is not None:
        yield f"  the advice: {one.why or 'no reason given'}"
    yield f"  {action_taken(one).replace('_', ' ')}: {one.reason}"


def decision_json(one: Decision) -> dict[str, Any]:
    """Return one decision, as JSON, in the words of `memory_actions.yml`."""
    return {
        "path": one.path,
        "model_suggested": model_suggested(one) or None,
        "suggested_action": one.action or None,
        "action_taken": action_taken(one),
        "reason": one.reason,
        "why": one.why,
    }
