"""The chapters and facts that a model made of something, named when that is put right or taken back."""

from typing import TYPE_CHECKING

from reel_cli.core.kit.kinds import find_kinds, find_retold
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 5
"""Maximum number named; more are counted."""


def say_retold(opened: "OpenKit", places: "Sequence[str]") -> None:
    """Name what tells of these sessions, or of messages of them (`2026-02-10-1#4`), and what can be done."""
    snapshot = opened.snapshot
    again = next((kind.reread for kind in find_kinds(snapshot) if kind.reread), "")
    if not again:
        return
    struck: Mapping[str, range] = {
        span.session: range(span.first, (span.last or span.first) + 1)
        if span.first
        else range(1, len(read_session(snapshot, span.session).numbered()) + 1)
        for place in places
        if (span := parse_source(place)) is not None
    }
    found = find_retold(snapshot, struck)
    if not found:
        return
    named = [
        f"“{one_line(one.title, 60)}” ({one.path}{f', line {one.line}' if one.line else ''})"
        for one in found[:SHOWN]
    ]
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    opened.console.say(
        f"What was dreamt of it stands as it was, and the next dream is told: {', '.join(named)}{more}"
    )
    opened.console.next_step(f"To hold the story against it now:  {again}")
