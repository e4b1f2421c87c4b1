"""Parts of a kit that rest because their chats were taken back: kept, and told to no model."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.tree import ABSENT, WorkTree, look_at
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.ports import bring
from reel_cli.core.values.holdings import RestingParts

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

NONE = RestingParts()
EVENTS = "tape/events.md"
# named here as well, since a warm bundle does not load `kit.snapshot`
OTHERS = ("kit.yaml", EVENTS, "ring2/working.md", "ring1", "checkpoints")
"""Files and folders beside rings 3 and 4 that say what rests."""
_NOTE, _NOTHING = "retractions", "none"


def find_resting(snapshot: "Snapshot") -> RestingParts:
    """Return the parts that came of nothing but chats that were taken back."""
    if not has_retractions(snapshot):
        return NONE
    memories, lines, examples, working = snapshot.note_rings("rests", _find_resting, OTHERS)
    return RestingParts(frozenset(memories), frozenset(lines), frozenset(examples), working)


def _find_resting(snapshot: "Snapshot") -> tuple[Sequence[str], Sequence[str], Sequence[str], str | None]:
    """Return the parts as plain JSON; what finds them is imported only where it is not noted."""
    found: RestingParts = next((find(snapshot) for find in bring("rests")), NONE)
    return sorted(found.memories), sorted(found.lines), sorted(found.examples), found.working


def has_retractions(snapshot: "Snapshot") -> bool:
    """Return whether a chat may have been taken back: most kits have none, and packing takes milliseconds."""
    return b"retract" in (snapshot.read(EVENTS) or b"")


def recall_resting(kit: Path) -> RestingParts:
    """Return `find_resting` of the kit in a folder; of one that was noted to have none, no file is read."""
    look = look_at(kit / EVENTS, EVENTS)
    known, clock = recall_note(kit, _NOTE, look.stamp) if look.stamp not in ("", ABSENT) else (None, 0)
    if known == _NOTHING or look.stamp == ABSENT:
        return NONE
    from reel_cli.core.kit.glance import Glance

    glance = Glance(WorkTree(kit), kit.resolve().name, kit)
    if look.born < clock and not has_retractions(glance):
        keep_note(kit, _NOTE, look.stamp, _NOTHING)
    return find_resting(glance)


def standing_working(snapshot: "Snapshot", text: str) -> str:
    """Return where things stand, which is `text` where none of it rests."""
    working = find_resting(snapshot).working
    return text if working is None else working
