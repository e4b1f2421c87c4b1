"""Texts of a kit as other programs save them: with another encoding, or with the line ends of Windows."""

import codecs
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import is_kit_text
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.files.tree import LARGEST_FILE

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

FOLDERS = ("", "ring0", "ring1", "ring2", "ring3", "ring4")
MANY = 300
"""Number of files above which a folder is looked through only for a review."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def plain_text(data: bytes) -> bytes:
    """Return a text in UTF-8 without a byte order mark, its lines ended as reel ends them.

    What is no text stays as it is.
    """
    with suppress(UnicodeDecodeError):
        if data.startswith(_WIDE):
            data = data.decode("utf-16").encode()
        return data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    return data


def settle_texts(kit: Path, repo: "Repository | None", *, whole: bool = False) -> None:
    """Rewrite the texts saved since the last commit as reel writes them, so that only an edit is a change.

    With `whole`, also those of large folders and those saved earlier. A text that history has with such line
    ends stays, and so does one that cannot be written now, or while git has something half done.
    """
    if repo is None:
        return
    try:
        since = 0 if whole else repo.index.stat().st_mtime_ns
    except OSError:
        since = 0
    found = dict(_find(kit, since, whole=whole))
    if not found or (head := repo.head()) is None:
        return
    # hardly any command finds one
    from reel_cli.core.change.preflight import UNDER_WAY
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.lock import hold_lock

    if any(os.path.lexists(repo.git_dir / mark) for mark in UNDER_WAY):
        return
    with CommitTree(repo, head) as tree, suppress(OSError, ReelError):
        rewritten = {p: d for p, d in found.items() if plain_text(held := tree.read(p) or b"") == held}
        if rewritten:
            with hold_lock(kit, patience=0):
                for path, data in rewritten.items():
                    _rewrite(kit, path, data)


def _find(kit: Path, since: int, *, whole: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the kit path and the bytes of each text saved in that time that reel would write otherwise."""
    for folder in FOLDERS:
        with suppress(OSError), os.scandir(kit / folder) as entries:
            files = [entry for entry in entries if entry.is_file(follow_symlinks=False)]
            for entry in files if whole or len(files) <= MANY else ():
                seen = entry.stat(follow_symlinks=False)
                path = f"{folder}/{entry.name}" if folder else entry.name
                if seen.st_mtime_ns < since or seen.st_size > LARGEST_FILE or not is_kit_text(path):
                    continue
                data = Path(entry.path).read_bytes()
                if plain_text(data) != data:
                    yield path, data


def _rewrite(kit: Path, path: str, data: bytes) -> None:
    """Write one text as reel writes it; its mode and the time it was saved stay, and a newer text does."""
    place, fresh = kit / path, state_folder(kit) / "plain-text"
    seen = place.stat()
    if place.read_bytes() != data:
        return
    write_private(fresh, plain_text(data), sync=False)
    fresh.chmod(seen.st_mode & 0o777)
    os.utime(fresh, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    fresh.replace(place)
