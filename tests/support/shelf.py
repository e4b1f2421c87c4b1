"""Kits that many tests begin with, made once in each process and copied from then on."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.private import MARK, mark_own

if TYPE_CHECKING:
    from tests.support.cli import Reel

PASSING = ("objects", "index", "cache", "logs", MARK)
"""Names in `.git` and `.reel` that hang on the moment, or follow from the rest."""

_shelf: Path | None = None


def copy_kit(source: Path, target: Path) -> None:
    """Copy a kit, as if all that was done to it had been done where the copy lies."""
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    state = target / ".reel" / "state"
    if (state / MARK).exists():
        (state / MARK).unlink()
        mark_own(state)


def set_up(place: Path) -> None:
    """Keep things here from now on."""
    global _shelf  # noqa: PLW0603 (the tests' one shelf, as long as the process)
    _shelf = place


def ready_made(folder: Path, what: str, make: Callable[[], object]) -> None:
    """Do to `folder` what `make` does; where it was done to one like it before, by a copy of what came of it.

    Alike are folders of one name that hold the same files at the same HEAD, and places where nothing is yet.
    `what` names all else that `make` goes by. The copy is taken the first time as well, so that it never
    matters which test comes first.
    """
    assert _shelf is not None
    kept = _shelf / hashlib.sha256(f"{what}\0{_print_of(folder)}".encode()).hexdigest()[:24] / folder.name
    if not kept.exists():
        make()
        shutil.copytree(folder, kept, symlinks=True)
    if folder.exists():
        shutil.rmtree(folder)
    copy_kit(kept, folder)


def take_over(reel: "Reel", root: Path, example: str) -> Path:
    """Make a kit of an example kit (`ada`, `meridian`) in a folder; `reel` runs inside it from here on."""
    from tests.support.cli import CHECKOUT

    template = CHECKOUT / "kits" / example
    ready_made(root, f"{example} taken over", lambda: reel("init", root, "--template", template).ok())
    reel.cwd = root
    return root


def _print_of(folder: Path) -> str:
    """Return the content of a folder, to tell it from another."""
    found = hashlib.sha256(folder.name.encode())
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in PASSING)
        for name in sorted(files):
            place = Path(here, name)
            if name not in PASSING:
                held = os.fsencode(place.readlink()) if place.is_symlink() else place.read_bytes()
                found.update(f"{place.relative_to(folder)}\0{len(held)}\0".encode() + held)
    return found.hexdigest()
