"""A few words kept of the shelf as a whole, so that packing need not look at ten thousand files.

They are trusted while history, settings, hot.yml, the ledger, the sessions and the shelf's folders look as
they did, and so do the sidecars told of. On a shelf of up to `FEW` files all sidecars are looked at.
On a larger one, a sidecar far from hot that was edited in place (by nothing that makes a new file of it) is
noticed at the next commit, or when the shelf is listed.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from reel_cli import __version__
from reel_cli.core.files.tree import ABSENT, look_at, look_into
from reel_cli.core.kit.catalog import history_mark
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.features.shelf.row import SHELF, SIDECAR

FEW = 600
_NAME, _EDITION = "kit shelf", "5"
ROWS, MARKS = "kit shelf rows", "kit shelf marks"
"""The names of the notes that collecting keeps."""

Note = Mapping[str, Any]


def note_shelf(
    kit: Path, make: Callable[[], tuple[Note, Sequence[str]]], *, name: str = _NAME, every: bool = False
) -> Note:
    """Return a note (plain JSON) on the shelf: the one in the kit's catalog, or a new one by `make`.

    `make` gives the sidecars beside, by their kit paths, that have to be looked at on a large shelf; with
    `every`, what it gives is looked at on any. `name` is what the note is kept by.
    """
    known, clock = recall_note(kit, name, _EDITION)
    if known is not None:
        kept = json.loads(known)
        if kept["stamp"] and _look(kit, kept["places"])[0] == kept["stamp"]:
            old: Note = kept["note"]
            return old
        # the clock before anything is read: a file as new as the clock may change unseen
        clock = recall_note(kit, name, "")[1]
    made, hottest = make()
    places = sorted({*_places(kit, hottest), *(hottest if every else ())})
    stamp, born = _look(kit, places)
    if stamp and born < clock:
        keep_note(kit, name, _EDITION, json.dumps({"stamp": stamp, "places": places, "note": made}))
    return made


def forget_note(kit: Path) -> None:
    """Drop the notes, so that the shelf is read again when it is next packed or collected."""
    for name in (_NAME, ROWS, MARKS):
        if recall_note(kit, name, _EDITION)[0] is not None:
            keep_note(kit, name, "", "")


def _places(kit: Path, hottest: Iterable[str]) -> Iterator[str]:
    """Yield the paths to check: folders, and sidecars; for few files, all of them."""
    yield from ("kit.yaml", "hot.yml", "journal", "tape")
    yield from (f"journal/{look.name}" for look in look_into(kit / "journal"))
    yield from _folders(kit, "tape")
    sidecars: list[str] = []
    for folder in (SHELF, *_folders(kit, SHELF)):
        yield folder
        if len(sidecars) <= FEW:
            names = (look.name for look in look_into(kit / folder) if look.name.endswith(SIDECAR))
            sidecars += [f"{folder}/{name}" for name in names]
    yield from sidecars if len(sidecars) <= FEW else hottest


def _folders(kit: Path, top: str) -> Iterator[str]:
    for here, folders, _ in os.walk(kit / top):
        prefix = Path(here).relative_to(kit).as_posix()
        yield from (f"{prefix}/{name}" for name in folders)


def _look(kit: Path, places: Sequence[str]) -> tuple[str, int]:
    """Return a stamp of all of them ("" if one cannot be trusted), and the youngest one's creation time."""
    looks = [look_at(f"{kit}/{place}", place) for place in places]
    if not all(look.stamp or look.stamp == ABSENT for look in looks):
        return "", 0
    text = "\0".join((__version__, _EDITION, history_mark(kit), *(f"{x.name} {x.stamp}" for x in looks)))
    made = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return made, max((look.born for look in looks), default=0)
