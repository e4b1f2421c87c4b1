"""Parts of a kit that rest because their chats were taken back: kept, and told to no model."""

from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.ports import bring
from reel_cli.core.values.holdings import RestingParts

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

NONE = RestingParts()


def find_resting(snapshot: "Snapshot") -> RestingParts:
    """Return the parts that came of nothing but chats that were taken back."""
    if not has_retractions(snapshot):
        return NONE
    return next((found for find in bring("rests") for found in (find(snapshot),)), NONE)


def has_retractions(snapshot: "Snapshot") -> bool:
    """Return whether a chat may have been taken back: most kits have none, and packing takes milliseconds."""
    return b"retract" in (snapshot.read(EVENTS) or b"")


def standing_working(snapshot: "Snapshot", text: str) -> str:
    """Return where things stand, which is `text` where none of it rests."""
    working = find_resting(snapshot).working
    return text if working is None else working
