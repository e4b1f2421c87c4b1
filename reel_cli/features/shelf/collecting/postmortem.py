"""Postmortems of failed attempts, kept beside them in the archive (MEMORY-MGMT §5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.shelf.collecting.files import DUE, NONE, ArchivedFile, find_archived, read_archive
from reel_cli.features.shelf.shelf_file import SHELF, sidecar_of
from reel_cli.features.shelf.sidecar_file import set_sidecar

OP = "shelf"
ENDING = ".postmortem.md"
LONGEST = 64 * 1024
"""Maximum characters of a postmortem."""
ASKED = ("What was tried?", "Why was it given up?", "What does it teach?")


@dataclass(frozen=True, slots=True)
class Learnt:
    """The change, and the kit path of the text; "" where a person said that none is needed."""

    change: Change
    place: str = ""


def list_owed(snapshot: Snapshot) -> Sequence[ArchivedFile]:
    """Return the archived files that wait for their postmortem."""
    return [one for one in read_archive(snapshot) if one.postmortem == DUE]


def find_attempt(snapshot: Snapshot, name: str) -> ArchivedFile:
    """Return the archived file meant, by its place or its source; raises ReelError for none."""
    plain = name.removeprefix("./").strip("/")
    for path in (plain, f"{SHELF}/{plain}", f"archive/{plain}"):
        found = find_archived(snapshot, path)
        if found:
            return next((one for one in found if one.postmortem == DUE), found[0])
    same = [one for one in read_archive(snapshot) if one.place.endswith(f"/{plain}")]
    if len(same) == 1:
        return same[0]
    message = f"There is nothing called {one_line(name, 80)} in the archive."
    raise ReelError(message, hint="to see what needs one:  reel status")


def sheet_for(one: ArchivedFile) -> str:
    """Return the text an editor starts with."""
    return f"# What {one.title or one.place} taught\n\n" + "".join(f"{ask}\n\n\n" for ask in ASKED)


def plan_postmortem(
    snapshot: Snapshot, one: ArchivedFile, text: str, *, now: datetime, none: bool = False
) -> Learnt:
    """Keep a postmortem, in place of one that is there; with `none`, note that none is needed.

    Raises ReelError where nothing is said, or too much.
    """
    page = snapshot.text(sidecar_of(one.place)) or ""
    name = one.place.rpartition("/")[2]
    if none:
        writes: dict[str, bytes | None] = {
            sidecar_of(one.place): set_sidecar(page, {"postmortem": NONE}).encode()
        }
        return Learnt(Change(OP, f"{name} needs no postmortem", writes))
    said = text.strip("\n")
    if not said.strip() or said.strip() == sheet_for(one).strip():
        message = "Nothing was written."
        raise ReelError(message, hint="write what was tried, why it was given up and what it teaches")
    if len(said) > LONGEST or "\0" in said:
        message = f"That is not a text of up to {LONGEST // 1024} KB."
        raise ReelError(message)
    place = f"{one.place}{ENDING}"
    head = f"---\npostmortem_of: {render_scalar(one.place)}\ncreated: {render_scalar(stamp(now))}\n---\n\n"
    snapshot.read(place)
    writes = {
        place: f"{head}{said}\n".encode(),
        sidecar_of(one.place): set_sidecar(page, {"postmortem": render_scalar(place)}).encode(),
    }
    return Learnt(Change(OP, f"what {name} taught", writes), place)
