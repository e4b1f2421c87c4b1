"""Prompts for the memory of a stretch alone: a consolidation, or one moment."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.exchange.prompts import render_consolidation_prompt
from reel_cli.core.exchange.schema import CONSOLIDATION_PARTS
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.behavior import reply_limit
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Entry, SourceRange
from reel_cli.features.page.due import LetGo, accounted, nothing_let_go, open_span, unremembered
from reel_cli.features.page.prompt.values import REPLY_SHARE, page_values

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.tokens.counter import Tokenizer


LEAST_TRANSCRIPT = 200
"""Tokens of room for the conversation below which a window is too small to consolidate in."""


def ask_consolidation(
    snapshot: Snapshot,
    ring0: "Ring0",
    tokenizer: "Tokenizer",
    sessions: Sequence[str] = (),
    let_go: LetGo = nothing_let_go,
) -> Ask | None:
    """Return the next batch of the oldest of these sessions that has one; None if all is remembered.

    Without `sessions`, those without a memory, less what was let go. As many messages as the window
    holds, from the first that no memory stands for.
    """
    known = None if sessions else accounted(snapshot, let_go)
    for session in sessions or unremembered(snapshot, let_go):
        span = open_span(snapshot, session, known)
        if span is None:
            continue
        return _ask_stretch(snapshot, ring0, tokenizer, span)
    return None


def ask_moment(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", span: SourceRange) -> Ask:
    """Return the ask that makes one moment a memory: a consolidation of this stretch (REEL §6.4).

    Raises ReelError where the window has no room for all of it.
    """
    ask = _ask_stretch(snapshot, ring0, tokenizer, span)
    if ask.span != span:
        settings = snapshot.settings
        message = f"A {settings.cap:,}-token {settings.held_to} has no room for all of this moment."
        raise ReelError(message, hint=snapshot.settings.raised_by)
    return replace(ask, op="promote")


def _ask_stretch(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", span: SourceRange) -> Ask:
    """Return the consolidation of a stretch, of as many messages as the window holds."""
    lived = read_session(snapshot, span.session)
    setting = page_values(snapshot, ring0, lived, given=True)
    when = f" on {day_in_words(talk_day(snapshot, lived, span.last))}"
    frame = render_consolidation_prompt(setting, "", when)
    cap = snapshot.settings.cap
    reply = reply_limit(snapshot.settings, cap * REPLY_SHARE // WHOLE)
    room = cap - reply - tokenizer.count(frame)
    if room < LEAST_TRANSCRIPT:
        message = (
            f"A {cap:,}-token {snapshot.settings.held_to} has no room for this: the prompt alone needs "
            f"{tokenizer.count(frame):,} and the reply {reply:,}."
        )
        raise ReelError(message, hint=snapshot.settings.raised_by)
    entries = [e for e in lived.shown() if span.first <= (e.number or 0) <= span.last]
    batch, transcript = fill_stretch(span.session, entries, room, tokenizer, snapshot)
    numbers = [entry.number or 0 for entry in batch]
    return Ask(
        op="consolidate",
        session=span.session,
        span=SourceRange(span.session, min(numbers), max(numbers)),
        parts=CONSOLIDATION_PARTS,
        prompt=render_consolidation_prompt(setting, transcript, when),
        ring0=ring0.blob,
        items=(),
    )


def fill_stretch(
    session: str, entries: Sequence[Entry], room: int, tokenizer: "Tokenizer", snapshot: Snapshot
) -> tuple[list[Entry], str]:
    """Return as many whole messages as fit, each with its later corrections.

    One that never could fit is shown with its middle left out.
    """
    from reel_cli.core.tape.transcript import shorten, tell_entries

    batch: list[Entry] = []
    lines: list[str] = []
    used = 0
    for entry, unit in tell_entries(snapshot, session, entries):
        size = tokenizer.count(unit) + 2
        if used + size > room:
            if batch:
                break
            unit = shorten(unit, room, tokenizer)  # noqa: PLW2901
            size = room
        batch.append(entry)
        lines.append(unit)
        used += size
    return batch, "".join(lines).rstrip("\n")
