"""Memories, lines, examples and notes that rest: they came of nothing but chats that were taken back.

They stay as they are, and count again when their chat does. What a purge left, or the undoing of a chat kept
apart brought back, does not rest: a person was asked what should go with it.
"""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.working_file import is_starting
from reel_cli.core.kit.snapshot import INDEX, WORKING
from reel_cli.core.tape.erasure.purged_chats import find_purge_retractions
from reel_cli.core.tape.tape_view import KEPT_APART, read_events, retracted
from reel_cli.core.values.holdings import RestingParts
from reel_cli.core.values.source import parse_source
from reel_cli.features.forgetting.chat_traces import find_notes, without_notes

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.snapshot import Snapshot


def find_resting(snapshot: "Snapshot") -> RestingParts:
    """Return the parts of a kit that came of nothing but chats that were taken back."""
    gone = retracted(snapshot) - _settled_otherwise(snapshot)
    if not gone:
        return RestingParts()
    memories = {
        name for name, one in snapshot.memories.items() if one.sessions and gone.issuperset(one.sessions)
    }
    noted = snapshot.note("line chats", [INDEX], lambda path: _line_chats(snapshot.text(path) or ""))
    lines = {name for name, session in noted[INDEX] if session in gone and name not in snapshot.memories}
    examples = {
        name
        for name, one in snapshot.exemplars.items()
        if (source := parse_source(one.source)) is not None and source.session in gone
    }
    return RestingParts(
        frozenset(memories), frozenset(memories | lines), frozenset(examples), _read_standing(snapshot, gone)
    )


def _settled_otherwise(snapshot: "Snapshot") -> set[str]:
    """Return the chats that a purge took back, or that became chats kept apart."""
    by_purge = find_purge_retractions(snapshot)
    return {
        one.session
        for one in read_events(snapshot)
        if one.kind == "retract"
        and one.session
        and (one.number in by_purge or one.text.startswith(KEPT_APART))
    }


def _line_chats(text: str) -> list[tuple[str, str]]:
    lines = parse_index(text).lines.values()
    return [(line.id, line.where.session) for line in lines if line.where is not None]


def _read_standing(snapshot: "Snapshot", gone: "Collection[str]") -> str | None:
    """Return where things stand without the notes of these chats alone; None where it has none of them."""
    try:
        text = snapshot.text(WORKING) or ""
        if is_starting(text):
            return None
        notes = find_notes(snapshot, [*gone], whole=True)
    except ReelError:
        # status tells of a file that cannot be read
        return None
    return front_matter.split(without_notes(text, notes), WORKING).body if notes else None
