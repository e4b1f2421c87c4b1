"""Leftovers of stopped commands in `.reel`, and the soundness of its caches."""

import os
import re
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

OLD = 3600
"""Seconds below which a leftover may still be in use."""


def find_leftovers(kit: Path, now: datetime) -> Sequence[Path]:
    """Return half-written files that nobody works on any more; links are not followed."""
    top = kit / ".reel"
    found: list[Path] = []
    if top.is_symlink():
        return found
    for here, _, files in os.walk(top):
        for name in files:
            path = Path(here) / name
            if name.startswith(".new-") or (path.parent.name == "state" and name == "put-back"):
                try:
                    old = now.timestamp() - path.lstat().st_mtime > OLD
                except OSError:
                    continue
                if old:
                    found.append(path)
    return sorted(found)


HALF_WRITTEN = re.compile(r"tmp_(?:obj|pack|idx|rev|mtimes|bitmap|graph)_\w+|\.tmp-\d+-pack\S*")
"""Pattern of git's names for objects and packs that are not written to the end."""
CRASH = re.compile(r"fast_import_crash_\d+")


def find_git_leftovers(common_dir: Path, now: datetime) -> Sequence[Path]:
    """Return files that a stopped git left half written, as on a full disk, and that nobody works on.

    Nothing in history names any of it. Links are not followed.
    """
    objects = common_dir / "objects"
    places = [place for place in _entries(common_dir) if CRASH.fullmatch(place.name)]
    if not objects.is_symlink():
        inside = (place for place in _entries(objects) if place.is_dir(follow_symlinks=False))
        folders: list[Path | os.DirEntry[str]] = [objects, *inside]
        files = (place for folder in folders for place in _entries(folder))
        places += [place for place in files if HALF_WRITTEN.fullmatch(place.name)]
    return sorted(Path(place) for place in places if _is_old(place, now))


def _entries(folder: Path | os.DirEntry[str]) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return ()


def _is_old(place: os.DirEntry[str], now: datetime) -> bool:
    try:
        plain = place.is_file(follow_symlinks=False)
        return plain and now.timestamp() - place.stat(follow_symlinks=False).st_mtime > OLD
    except OSError:
        return False


def list_caches(kit: Path) -> Sequence[Path]:
    """Return the databases in `.reel/cache`; none where that is a link."""
    folder = kit / ".reel" / "cache"
    if folder.is_symlink() or folder.parent.is_symlink() or not folder.is_dir():
        return ()
    return sorted(path for path in folder.glob("*.sqlite") if path.is_file() and not path.is_symlink())


def is_sound(cache: Path) -> bool:
    """Return whether a database can be read through; one that is in use counts as sound."""
    try:
        opened = sqlite3.connect(f"{cache.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
    except sqlite3.Error:
        return False
    try:
        row = opened.execute("pragma quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        return "locked" in str(error) or "readonly" in str(error)
    except sqlite3.DatabaseError:
        return False
    finally:
        opened.close()
    return row is not None and row[0] == "ok"


def drop_cache(cache: Path) -> None:
    """Delete a database and what SQLite keeps beside it."""
    for name in (cache.name, f"{cache.name}-wal", f"{cache.name}-shm", f"{cache.name}-journal"):
        cache.with_name(name).unlink(missing_ok=True)
