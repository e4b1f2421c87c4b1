"""The shared context on the page of a session: asked for where it is out of date, kept in the same commit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, asks_for_context
from reel_cli.core.exchange.reader.reply import Reading
from reel_cli.core.exchange.schema import CONTEXT_LABELS
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.quoting import quote_notes
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import Session
from reel_cli.features.dream.context.files import (
    CONTEXT,
    parse_context,
    render_context,
    room_for_parts,
    tell_context,
)
from reel_cli.features.dream.context.shared_context import PARTS, Known, Place
from reel_cli.features.dream.context.state import is_due, last_model, lately, print_of_context

FEWEST_LINES = 12
"""With less room than this, a person's own sections leave nothing to say it in."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page's prompt shows of the shared context: its text, the lines there are, a print of it."""

    stands: str
    lines: int
    seen: str


def context_to_ask(snapshot: Snapshot, session: str, today: date) -> Asked | None:
    """What the prompt of a page asks with; None where it is not due, or the page is of the past.

    `session` is "" for a chat that is not on the tape yet.
    """
    if session and session not in standing_sessions(snapshot)[-1:]:
        return None
    if not is_due(snapshot, None if session else today):
        return None
    text = snapshot.text(CONTEXT) or ""
    room = room_for_parts(text)
    return (
        Asked(quote_notes(tell_context(text), snapshot.settings.people), room, print_of_context(snapshot))
        if room >= FEWEST_LINES
        else None
    )


@dataclass(frozen=True, slots=True)
class KeptContext:
    """What a page does to the shared context, and what to show of it."""

    writes: Mapping[str, bytes]
    shown: list[tuple[str, tuple[str, ...]]]
    problems: list[Problem]


def plan_context_of_page(
    snapshot: Snapshot, ask: Ask, reading: Reading, session: Session, now: datetime
) -> KeptContext:
    """The shared context as a page has it; where that leaves it out or says too much, it stays as it is."""
    if not asks_for_context(ask.parts):
        return KeptContext({}, [], [])
    from reel_cli.features.dream.context.reply import parts_of
    from reel_cli.features.dream.context.weave import find_too_long, hold_context, in_order, show_parts

    parts = parts_of(reading)
    if not parts:
        return KeptContext({}, [], [])
    why = _why_not(snapshot, ask, parts)
    shown = session.shown()
    if why or not shown:
        return KeptContext({}, [], [Problem("now", f"{CONTEXT} stays as it is: {why}")] if why else [])
    times = [entry.message.time for entry in shown if entry.message.time]
    place = Place(session.id, max(entry.number or 0 for entry in shown), times[-1] if times else "")
    known = Known(place, now.date().isoformat(), last_model(snapshot, session.id))
    before = snapshot.text(CONTEXT) or ""
    heard = lately(snapshot, place, parse_context(before).known)
    woven = hold_context(snapshot, in_order(parts, PARTS), heard)
    if find_too_long(before, woven.parts, known):
        why = "what the page says is longer than there is room for"
        return KeptContext({}, [], [Problem("now", f"{CONTEXT} stays as it is: {why}")])
    text = render_context(before, woven.parts, known)
    told = (f"How things are now, in {CONTEXT}", tuple(show_parts(woven.parts, "~ ")))
    return KeptContext({CONTEXT: text.encode()}, [told], list(woven.problems))


def _why_not(snapshot: Snapshot, ask: Ask, parts: Mapping[str, object]) -> str:
    """Why the shared context is not to be written from this page; "" where it is."""
    missing = [f"“{CONTEXT_LABELS[key]}”" for key in PARTS if key not in parts]
    if missing:
        return f"{', '.join(missing)} did not come through"
    if ask.session not in standing_sessions(snapshot)[-1:]:
        return "there is a newer session"
    try:
        same = ask.context == print_of_context(snapshot)
        snapshot.text(CONTEXT)
    except ReelError as error:
        return error.message.rstrip(".")
    return "" if same else "it was changed since it was asked for"
