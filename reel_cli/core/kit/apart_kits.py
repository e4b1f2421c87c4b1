"""Kits of chats that are kept apart: where they lie, and the file by which one is known.

Such a kit is a copy of another, its *home*, beside it: `ada-chats/roleplay` beside `ada`. It has a file
`apart.yaml` that names the chat and the home.
"""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import read_plain
from reel_cli.core.files.yaml_text import parse_mapping, render_mapping
from reel_cli.core.frozen import frozen

APART = "apart.yaml"
"""The file by which the kit of a chat kept apart is known."""
CHAT_NAME = re.compile(r"\w[\w-]{0,39}")
"""The form of such a chat's name."""
_LARGEST = 64 * 1024
_CHATS = "-chats"
"""End of the name of the folder beside a kit in which its chats kept apart lie."""


@frozen
class ApartNote:
    """`apart.yaml`: the chat's name, and its home's folder as seen from its own."""

    chat: str
    home: str


def parse_apart(text: str, path: str = APART) -> ApartNote:
    """Read `apart.yaml`; ReelError where it cannot be read."""
    value = parse_mapping(text, path)
    chat, home = value.get("chat"), value.get("home")
    if not isinstance(chat, str) or not CHAT_NAME.fullmatch(chat) or not isinstance(home, str) or not home:
        message = f"{path} does not say  chat:  and  home:."
        raise ReelError(message, hint="write  chat: roleplay  and  home: ../../ada")
    return ApartNote(chat, home)


def render_apart(note: ApartNote) -> str:
    """Return `apart.yaml`."""
    return render_mapping({"chat": note.chat, "home": note.home})


def read_apart(kit: Path) -> ApartNote | None:
    """Return what makes a kit that of a chat kept apart; None where it is none."""
    with suppress(ReelError, OSError, ValueError):
        return parse_apart(read_plain(kit / APART, _LARGEST).decode("utf-8"))
    return None


def home_of(kit: Path, note: ApartNote | None = None) -> Path:
    """Return the kit that a chat's kit is a copy of; the kit itself where it is none.

    Where that is gone it is the one that the chats' folder is named after: both were renamed.
    """
    found = note or read_apart(kit)
    if found is None:
        return kit
    real = kit.resolve()
    home = Path(os.path.normpath(real / found.home))
    renamed = real.parent.with_name(real.parent.name.removesuffix(_CHATS))
    if not _is_kit(home) and real.parent.name.endswith(_CHATS) and _is_kit(renamed):
        return renamed
    return home


def _is_kit(folder: Path) -> bool:
    return (folder / "kit.yaml").is_file()


def chats_folder(home: Path) -> Path:
    """Return the folder beside a kit in which its chats kept apart lie."""
    place = home.resolve()
    return place.with_name(f"{place.name}{_CHATS}")


def list_apart(home: Path) -> Sequence[tuple[str, Path]]:
    """Return the chats of a kit that are kept apart, by name, with their kits' folders."""
    try:
        folders = sorted(chats_folder(home).iterdir())
    except OSError:
        return ()
    real = home.resolve()
    noted = [(note, place) for place in folders if (note := read_apart(place)) is not None]
    return [(note.chat, place) for note, place in noted if home_of(place, note).resolve() == real]


def find_apart(home: Path, chat: str) -> Path | None:
    """Return the folder of a chat kept apart, by its name in any case; None where there is none."""
    wanted = chat.casefold()
    return next((place for name, place in list_apart(home) if name.casefold() == wanted), None)
