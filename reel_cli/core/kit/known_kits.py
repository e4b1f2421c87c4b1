"""The kits of this machine: a short private list of their folders, so that one can ask the others.

It is a convenience: without it, or where it cannot be written, nothing else changes.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import write_private
from reel_cli.core.own_folders import state_folder

MOST = 32
"""Maximum number of kits remembered, the most recently noted."""
LONGEST = 64 * 1024
"""Bytes above which a file is not reel's."""


def list_kits() -> Sequence[Path]:
    """Return the folders of the kits noted on this machine, the last noted first; they need not exist."""
    try:
        with (state_folder() / "kits").open("rb") as file:
            data = file.read(LONGEST + 1)
        lines = data.decode("utf-8").splitlines() if len(data) <= LONGEST else []
    except (OSError, ValueError, RuntimeError):
        return ()
    return [Path(line) for line in lines if line and "\0" not in line and Path(line).is_absolute()][:MOST]


def note_kit(kit: Path) -> None:
    """Record that a kit is used on this machine, if that can be written."""
    with suppress(OSError, StateError, ValueError, RuntimeError):
        folder, known = kit.resolve(), list_kits()
        if folder in known or "\n" in str(folder):
            return
        there = [other for other in known if len(known) < MOST or (other / "kit.yaml").is_file()]
        text = "".join(f"{one}\n" for one in [folder, *there][:MOST])
        write_private(state_folder() / "kits", text.encode("utf-8"), sync=False)


def drop_kit(kit: Path) -> bool:
    """Take a kit's folder off the list; return whether it stood there. OSError if that cannot be written."""
    known = list_kits()
    left = [one for one in known if kit.resolve() not in (one, one.resolve())]
    if len(left) == len(known):
        return False
    text = "".join(f"{one}\n" for one in left)
    write_private(state_folder() / "kits", text.encode("utf-8"), sync=False)
    return True
