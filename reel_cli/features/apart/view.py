"""The list of a kit's chats that are kept apart."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.apart_kits import home_of, list_apart
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import quote_path

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def show_folder(folder: Path) -> str:
    """Return a folder as a person types it from here."""
    return quote_path(os.path.relpath(folder))


def show_apart(opened: "OpenKit") -> None:
    """List the chats, each with its number of recorded sessions of its own."""
    console, name = opened.console, opened.snapshot.settings.name
    found = _list(opened)
    if not found:
        console.result(f"All that is said to {name} is known in every chat.")
        console.next_step("To begin a chat of which the others do not know:  reel apart roleplay")
        return
    console.heading("Chats kept apart", console.out)
    rows = [(f"  {chat}", f"{own:,} recorded", show_folder(folder)) for chat, folder, own in found]
    console.result(console.listing(rows, 1))
    console.next_step(f"Next:  reel --chat {found[0][0]} start")


def apart_json(opened: "OpenKit") -> list[dict[str, object]]:
    """Return the same for a program."""
    return [{"chat": chat, "path": str(folder), "sessions": own} for chat, folder, own in _list(opened)]


def _list(opened: "OpenKit") -> list[tuple[str, Path, int]]:
    home = home_of(opened.root)
    known = set(Snapshot(WorkTree(home), home.name).sessions)
    return [
        (chat, folder, len(set(Snapshot(WorkTree(folder), folder.name).sessions) - known))
        for chat, folder in list_apart(home)
    ]
