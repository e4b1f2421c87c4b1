"""A reply to the ask for the shared context: read, held against the tape, and offered as one change."""

from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.errors import StateError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Offer
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.features.dream.context.ask import ContextAsk
from reel_cli.features.dream.context.files import CONTEXT, parse_context, render_context, room_for_parts
from reel_cli.features.dream.context.headings import LABELS
from reel_cli.features.dream.context.reply import (
    answers_dream,
    parts_of,
    place_named,
    read_context_reply,
    render_context_rest,
)
from reel_cli.features.dream.context.shared_context import LISTS, PARTS, ContextBasis
from reel_cli.features.dream.context.state import print_of_context
from reel_cli.features.dream.context.weave import (
    Woven,
    day_of,
    find_too_long,
    hold_context,
    in_order,
    measure_parts,
    show_parts,
)
from reel_cli.features.dream.plan_weave import OP


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """The ask with what a reply adds to earlier replies, and the problems of the reply.

    `refusal` says why nothing of it can be used; `ask.asked` are the parts that are still to come.
    """

    ask: ContextAsk
    problems: tuple[Problem, ...] = ()
    refusal: str = ""


def take_reply(snapshot: Snapshot, ask: ContextAsk, reply: str, known: ContextBasis) -> ContextAnswer:
    """Read a reply, and put what came through of it to what came before."""
    names = (snapshot.settings.name,)
    if not reply.strip():
        return ContextAnswer(ask, refusal=EMPTY.refusal)
    user = snapshot.settings.user
    reading = read_context_reply(reply, ask.asked, user=user, prompt=ask.frame, names=names)
    if reading.is_prompt:
        return ContextAnswer(ask, refusal=NO_ANSWER.refusal)
    named = place_named(reading, reply)
    if named and named != ask.key:
        return ContextAnswer(
            ask, refusal=f"That was written for {named}; this asks about everything up to {ask.key}."
        )
    given = {
        key: lines for key, lines in parts_of(reading).items() if key in ask.asked and _says(key, reading)
    }
    if ask.kept:
        again = read_context_reply(reply, PARTS, user=user, prompt=ask.frame, names=names)
        anew = {key: lines for key, lines in parts_of(again).items() if _says(key, again)}
        if set(anew) == set(PARTS):
            # a second whole answer takes the place of the first
            reading, given, ask = again, anew, replace(ask, kept={})
    if not given:
        if answers_dream(reply, names):
            return ContextAnswer(ask, refusal=f"That is a part of the dream; this asks for {CONTEXT}.")
        return ContextAnswer(ask, refusal="None of it could be read.")
    parts = in_order({**ask.kept, **given}, PARTS)
    long = find_too_long(snapshot.text(CONTEXT) or "", parts, known)
    kept = {key: lines for key, lines in parts.items() if key not in long}
    problems = tuple(problem for problem in reading.findings if problem.field in given)
    return ContextAnswer(replace(ask, kept=kept, long=long), problems)


def _says(key: str, reading: ReplyReading) -> bool:
    return not (reading.schema[key].filled and reading.empty(key))


def what_is_missing(given: ContextAnswer) -> str:
    """Return why the replies are not enough yet, in a sentence; "" if they are."""
    missing = [f"“{LABELS[key]}”" for key in given.ask.asked if key not in given.ask.long]
    long = [f"“{LABELS[key]}”" for key in given.ask.long]
    told = [f"Not all of it came through: {', '.join(missing)}."] if missing else []
    told += [f"It is longer than there is room for: {', '.join(long)}."] if long else []
    return " ".join(told)


def rest_prompt(snapshot: Snapshot, ask: ContextAsk) -> str:
    """Return the prompt for the parts that are missing or were too long."""
    settings = snapshot.settings
    room = room_for_parts(snapshot.text(CONTEXT) or "")
    taken = sum(max(1, len(lines)) if key in LISTS else 1 for key, lines in ask.kept.items())
    lines = max(len(ask.asked), room - taken) if ask.long else None
    return render_context_rest(settings.name, settings.user, ask.asked, ask.key, lines=lines)


def answer_context(
    snapshot: Snapshot, ask: ContextAsk, known: ContextBasis, found: ContextAnswer, now: datetime
) -> Answer:
    """Return the whole of an answer, offered as one change."""
    woven = hold_context(snapshot, ask.kept, ask.heard)
    # a page after a chat has these parts too, and is not measured: one evening has few points
    woven = replace(woven, problems=(*woven.problems, *measure_parts(woven.parts, ask.heard)))
    text = render_context(snapshot.text(CONTEXT) or "", woven.parts, known)
    offer = Offer(
        id=ask.key,
        title=CONTEXT,
        heading=f"How things are now, up to {day_of(ask.place)} ({CONTEXT})",
        shown=tuple(_shown(woven)),
        plan=lambda later: plan_context(later, ask, woven, known, now),
        told={"known": ask.key, "lines": parse_context(text).lines},
    )
    return Answer((offer,), (), (*found.problems, *woven.problems))


def _shown(woven: Woven) -> list[str]:
    lines = show_parts(woven.parts)
    return [*lines, "Worth a look:", *(f"  {p.what}" for p in woven.problems)] if woven.problems else lines


def require_unchanged(snapshot: Snapshot, ask: ContextAsk) -> None:
    """Raise StateError if the file changed since the prompt showed it, or the tape did."""
    if not set(ask.heard) <= set(snapshot.sessions):
        message = "The chat that was asked about is no longer recorded, or has another ID."
        raise StateError(message, hint="ask again:  reel dream context --prompt")
    if print_of_context(snapshot) != ask.seen:
        message = f"{CONTEXT} was changed since this was asked, and stays as it is."
        raise StateError(message, hint="ask again, with what it says now:  reel dream context --prompt")


def plan_context(
    snapshot: Snapshot, ask: ContextAsk, woven: Woven, known: ContextBasis, now: datetime
) -> Change:
    """Return the change with the five parts rewritten; raises StateError if the file changed meanwhile."""
    require_unchanged(snapshot, ask)
    text = render_context(
        snapshot.text(CONTEXT) or "", woven.parts, replace(known, on=now.date().isoformat())
    )
    trailers = (("Reel-Ring0", ask.ring0), *(("Reel-Session", session) for session in ask.heard))
    return Change(OP, f"how things are now, up to {day_of(ask.place)}", {CONTEXT: text.encode()}, trailers)
