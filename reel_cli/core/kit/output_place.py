"""Check of a path that a person asked to write to: never one of a kit's own files."""

import os
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import is_kit_file
from reel_cli.core.git.repository import find_repository
from reel_cli.core.git.tracked_files import read_tracked


def check_output(path: Path, hint: str = "write it somewhere else") -> Path:
    """Return where a path really leads; ReelError where a kit has, or could have, a file of its own there.

    That is asked of the place as it is named and of the file that a link there leads to, and of every kit.
    """
    named = Path(os.path.normpath(path.parent.resolve() / path.name))
    for target in (named, path.resolve()):
        for kit in target.parents:
            if (kit / "kit.yaml").is_file() and _is_own(kit, target):
                message = f"{path} is a place of the kit's own."
                raise ReelError(message, hint=hint)
    return named


def _is_own(kit: Path, target: Path) -> bool:
    place = target.relative_to(kit).as_posix()
    if is_kit_file(place):
        return True
    repository = find_repository(kit)
    return repository is not None and place in read_tracked(repository)
