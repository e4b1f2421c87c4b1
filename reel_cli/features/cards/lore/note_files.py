"""A folder of notes, as Obsidian keeps one: its Markdown files, read within bounds."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line

MOST_FILES = 20_000
LARGEST_NOTE = 1024 * 1024
LARGEST_FOLDER = 64 * 1024 * 1024
"""Maximum bytes of a folder."""
DEEPEST = 16
_ENDINGS = (".md", ".markdown", ".txt")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A note that cannot be read, by its path in its folder, and why, in a sentence."""

    path: str
    why: str


def read_notes(folder: Path) -> Iterator[tuple[str, bytes] | LeftOut]:
    """Yield every note below a folder with its path, in order; skips links and hidden folders.

    Raises ReelError where all of them are more than are written by hand.
    """
    count = size = 0
    for here, folders, names in os.walk(folder):
        depth = len(Path(here).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and depth < DEEPEST)
        for name in sorted(names):
            path = Path(here) / name
            if name.startswith(".") or not name.lower().endswith(_ENDINGS) or path.is_symlink():
                continue
            shown = path.relative_to(folder).as_posix()
            count += 1
            data = _read(path, shown)
            size += len(data) if isinstance(data, bytes) else 0
            if count > MOST_FILES or size > LARGEST_FOLDER:
                message = f"{one_line(folder.name, 80)} holds more notes than a kit can take at once."
                raise ReelError(message, hint="name a folder inside it")
            yield (shown, data) if isinstance(data, bytes) else data


def _read(path: Path, shown: str) -> bytes | LeftOut:
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            data = file.read(LARGEST_NOTE + 1)
    except OSError as error:
        why = f"{one_line(shown, 200)} cannot be read: {error.strerror or 'it cannot be opened'}."
        return LeftOut(shown, why)
    if len(data) > LARGEST_NOTE:
        why = f"{one_line(shown, 200)} is larger than a note can be ({LARGEST_NOTE >> 20} MB)."
        return LeftOut(shown, why)
    return data
