"""Files that chats were recorded from, remembered so that a purge can name those that keep its words."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.terminal.input.given_text import find_typed

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def note_sources(opened: "OpenKit", sources: Iterable[tuple[str, str]]) -> None:
    """Remember what was named, each with the chat's file within it ("" where it is that file)."""
    opened.state.note_recorded_from([path for name, place in sources if (path := _file_of(name, place))])


def _file_of(name: str, place: str) -> Path | None:
    """Return the file; None for a paste, and for a folder in which no such file is found."""
    path = None if name == "-" else find_typed(name)
    if path is not None and path.is_dir():
        path = path / place.partition(": ")[0]
    return path if path is not None and path.is_file() else None
