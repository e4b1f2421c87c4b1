"""Where a kit's bytes come from: the work tree, or any commit."""

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from reel_cli.errors import ReelError, StateError

PRIVATE = (".git", ".reel")
LARGEST_FILE = 64 * 1024 * 1024
"""Above this a kit file is refused rather than read into memory, in bytes."""


class Tree(Protocol):
    """A kit's files, read-only, by kit-relative POSIX path."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None where there is none."""
        ...

    def list(self, folder: str) -> Sequence[str]:
        """Every file below `folder` ("" for the whole kit), sorted; `.git` and `.reel` left out."""
        ...


class WorkTree:
    """The kit as it lies on disk now."""

    def __init__(self, root: Path) -> None:
        """Read below `root`, the directory that holds kit.yaml."""
        self.root = root

    @cached_property
    def _top(self) -> Path:
        return self.root.resolve()

    def read(self, path: str) -> bytes | None:
        """Read a regular file inside the kit; links that lead out of it are refused."""
        target = self.root / path
        try:
            inside = target.resolve().is_relative_to(self._top)
            if not inside:
                message = f"{path} leads out of the kit."
                raise StateError(message, hint="replace the link by a copy of the file")
            if target.stat().st_size > LARGEST_FILE:
                message = f"{path} is larger than {LARGEST_FILE // 2**20} MB."
                raise ReelError(message)
            return target.read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except PermissionError:
            message = f"{path} cannot be read."
            raise StateError(message, hint="check who owns the kit's folder") from None

    def list(self, folder: str) -> Sequence[str]:
        """Walk the folder; links to directories are not followed."""
        found: list[str] = []
        top = self.root / folder if folder else self.root
        for here, folders, files in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in PRIVATE)
            relative = Path(here).relative_to(self.root).as_posix()
            prefix = "" if relative == "." else f"{relative}/"
            found.extend(prefix + name for name in files)
        return sorted(found)
