"""The places a bundle can be pasted into: those that ship, and a kit's own."""

import re
from pathlib import PurePosixPath

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.place_file import FOLDER, parse_place
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import nearest
from reel_cli.core.resources import list_places, read_place
from reel_cli.core.values.change import one_line
from reel_cli.core.values.place import Place

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def find_place(snapshot: Snapshot, name: str) -> Place:
    """Return the place of that name, the kit's own before one that ships.

    Raises UsageError where there is none, naming what is most like it, and ReelError where its file makes no
    sense.
    """
    wanted = name.strip().casefold()
    if _NAME.fullmatch(wanted):
        text = snapshot.text(f"{FOLDER}/{wanted}.yaml")
        if text is not None:
            return parse_place(text, wanted, f"{FOLDER}/{wanted}.yaml")
        if wanted in list_places():
            return parse_place(read_place(wanted), wanted, f"the place {wanted}")
    names = place_names(snapshot)
    begun = [one for one in names if wanted and one.startswith(wanted)]
    near = begun[0] if len(begun) == 1 else nearest(wanted, names)
    message = f"There is no place called {one_line(name, 40)!r}."
    raise UsageError(
        message, hint=f"did you mean  --for {near} ?" if near else "reel pack --for list  shows the places"
    )


def place_names(snapshot: Snapshot) -> list[str]:
    """Return the names of all places, sorted."""
    own = {
        path.stem
        for path in map(PurePosixPath, snapshot.list(FOLDER))
        if path.suffix == ".yaml" and len(path.parts) == 2 and _NAME.fullmatch(path.stem)
    }
    return sorted(own.union(list_places()))


def known_places(snapshot: Snapshot) -> list[Place]:
    """Return all places, by name; one whose file makes no sense is passed over."""
    found = []
    for name in place_names(snapshot):
        try:
            found.append(find_place(snapshot, name))
        except ReelError:
            continue
    return found
