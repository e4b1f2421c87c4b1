"""The chapters and facts that a dream made of something, named when that is put right or taken back."""

from typing import TYPE_CHECKING

from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.purge.woven import find_woven

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.terminal.context import OpenKit

SHOWN = 5
"""So many are named; more are counted."""


def say_woven(opened: "OpenKit", places: "Sequence[str]") -> None:
    """Name what tells of these sessions, or of messages of them (`2026-02-10-1#4`), and what can be done."""
    snapshot = opened.snapshot
    if not snapshot.list("story"):
        return
    struck: Mapping[str, range] = {
        span.session: range(span.first, (span.last or span.first) + 1)
        if span.first
        else range(1, len(read_session(snapshot, span.session).numbered()) + 1)
        for place in places
        if (span := parse_source(place)) is not None
    }
    found = find_woven(snapshot, struck)
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
    opened.console.next_step("To hold the story against it now:  reel dream reground")
