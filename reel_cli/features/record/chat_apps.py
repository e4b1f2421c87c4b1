"""Locations of the conversations of chat apps; only apps whose location is certain."""

import os
import stat
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from reel_cli.core.frozen import frozen
from reel_cli.features.watch.policy import Mark

LM_STUDIO_POINTER = ".lmstudio-home-pointer"
"""A file in the home folder that names LM Studio's own, where the person has moved it."""
LM_STUDIO = (".lmstudio", ".cache/lm-studio")
"""Folders below the home folder; versions before 0.3.10 kept everything in the second."""
LM_STUDIO_FILES = (".conversation.json", ".chat.json")
JAN = ("jan", "Library/Application Support/Jan/data", ".config/Jan/data", ".local/share/Jan/data")
OLLAMA = ("Library/Application Support/Ollama", ".ollama")
SILLYTAVERN = "SillyTavern"
SILLYTAVERN_HOMES = ("SillyTavern", "SillyTavern-Launcher/SillyTavern")
"""Folders below the home folder into which its guide and its launcher put it."""
SILLYTAVERN_CHATS = ("data/*/chats", "data/*/group chats", "public/chats", "public/group chats")
"""Folders of chats in it, one for each of its users; versions before 1.12 had one for all."""
DEEPEST = 4
MOST_FILES = 50_000
"""A folder with more files than this is no app's folder of chats, and is not walked to its end."""


@frozen
class Chat:
    """A conversation file, its app, and when it was last written (seconds since 1970)."""

    path: Path
    app: str
    written: float

    def ago(self, now: datetime) -> str:
        """Return how long ago it was written, in words."""
        minutes = max(0, int(now.timestamp() - self.written) // 60)
        if minutes < 1:
            return "just now"
        if minutes < 120:
            return f"{minutes} minute{'' if minutes == 1 else 's'} ago"
        return f"{minutes // 60} hours ago" if minutes < 60 * 48 else f"{minutes // 60 // 24} days ago"


@frozen
class Place:
    """A folder where an app keeps chats, and how their files' names end."""

    app: str
    folder: Path
    suffixes: tuple[str, ...]

    def files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the chat files on disk; links to other folders are not followed."""
        return walk_chats(self.folder, self.suffixes) if self.folder.is_dir() else iter(())


def newest_chats() -> Sequence[Chat]:
    """Return the conversations in the apps reel knows, the last written first."""
    found: dict[Path, Chat] = {}
    for place in places():
        for path, seen in place.files():
            # a database keeps its latest writes in a file beside it
            beside = _status(path.with_name(f"{path.name}-wal")) if path.suffix == ".sqlite" else None
            written = max(seen.st_mtime, beside.st_mtime if beside else 0.0)
            found.setdefault(path, Chat(path, place.app, written))
    return sorted(found.values(), key=lambda chat: chat.written, reverse=True)


def newest_chat() -> Chat | None:
    """Return the conversation last written to in the apps reel knows; None if there is none."""
    return next(iter(newest_chats()), None)


def places() -> Sequence[Place]:
    """Return where the apps keep their chats on this machine, whether or not they exist."""
    home = Path.home()
    jan = [home / part for part in JAN]
    ollama = [home / part for part in OLLAMA]
    if roaming := os.environ.get("APPDATA"):
        jan.append(Path(roaming) / "Jan" / "data")
    if local := os.environ.get("LOCALAPPDATA"):
        ollama.append(Path(local) / "Ollama")
    return (
        *(Place("LM Studio", folder, LM_STUDIO_FILES) for folder in lm_studio_folders()),
        *(Place("Jan", folder / "threads", ("messages.jsonl",)) for folder in jan),
        *(Place("Ollama", folder, ("db.sqlite",)) for folder in ollama),
        *(Place(SILLYTAVERN, folder, (".jsonl",)) for folder in sillytavern_folders()),
    )


def sillytavern_folders() -> Sequence[Path]:
    """Return the folders where SillyTavern keeps its chats, those that exist."""
    homes = [Path.home() / name for name in SILLYTAVERN_HOMES]
    found = [folder for home in homes for part in SILLYTAVERN_CHATS for folder in sorted(home.glob(part))]
    return [folder for folder in found if folder.is_dir()]


def lm_studio_folders() -> Sequence[Path]:
    """Return where LM Studio keeps its conversations, whether or not they exist, likeliest first."""
    home = Path.home()
    homes = [home / part for part in LM_STUDIO]
    try:
        with (home / LM_STUDIO_POINTER).open(encoding="utf-8") as file:
            named = file.readline(4096).strip()
    except (OSError, ValueError):
        named = ""
    if named and "\0" not in named and Path(named).is_absolute():
        homes.insert(0, Path(named))
    return list(dict.fromkeys(place / "conversations" for place in homes))


def in_home(path: Path) -> str:
    """Return the path as a person writes it, with ~ for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except ValueError:
        return str(path)


def walk_chats(top: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files below a folder whose names end so; links to other folders are not followed."""
    # the readers of chats are many, and where there is no folder none is wanted
    from reel_cli.core.tape.formats.containers import are_a_kits

    seen = 0
    for here, folders, files in os.walk(top):
        if len(Path(here).relative_to(top).parts) >= DEEPEST:
            folders.clear()
        own = are_a_kits(folders, files)
        folders[:] = [name for name in folders if not name.startswith(".") and name not in own]
        for name in files:
            seen += 1
            if seen > MOST_FILES:
                return
            path = Path(here) / name
            if name.endswith(suffixes) and (status := _status(path)) is not None:
                yield path, status


def mark(path: Path) -> Mark | None:
    """Return a mark that changes with the file; None if there is no file."""
    status = _status(path)
    return as_mark(status) if status is not None else None


def as_mark(status: os.stat_result) -> Mark:
    """Return the mark of a file whose status was read already."""
    return Mark(status.st_size, status.st_mtime_ns, status.st_ino)


def _status(path: Path) -> os.stat_result | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None
