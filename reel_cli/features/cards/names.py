"""Names of a card's two speakers when it was imported, independent of later renaming."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_object, as_text, parse_json, render_json
from reel_cli.features.cards.macro_restore import NamePair
from reel_cli.features.cards.macros import Names
from reel_cli.features.cards.parts import FOLDER, FROM

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

NAMES = f"{FOLDER}/names.json"
_CHAR, _USER, _NOTE = "char", "user", "note"
_SPEAKER = re.compile(r"(?m)^\*\*([^*\n]{1,80}):\*\*")


def render_names(names: Names, *, noted: bool = False) -> bytes:
    """Return the file that keeps what `{{char}}` and `{{user}}` stood for when the card was imported.

    `noted`: its Character's Note came into the identity, so that one without it has lost it.
    """
    note: dict[str, Json] = {_NOTE: True} if noted else {}
    return render_json({_CHAR: names.char, _USER: names.user, **note}, indent=2) + b"\n"


def is_noted(snapshot: "Snapshot") -> bool:
    """Return whether the card's note came into the identity; in a kit from before that it did not."""
    data = snapshot.read(NAMES)
    try:
        return data is not None and as_object(parse_json(data, NAMES)).get(_NOTE) is True
    except ReelError:
        return False


def naming_of(snapshot: "Snapshot") -> NamePair:
    """Return the two names when the card was imported, and the names now.

    Where no file says so, the exemplars that came with the card do, as far as they name them.
    """
    settings = snapshot.settings
    now = Names(settings.name, settings.user)
    kept = _kept(snapshot)
    return NamePair(kept if kept is not None else _heard(snapshot, now), now)


def _kept(snapshot: "Snapshot") -> Names | None:
    data = snapshot.read(NAMES)
    try:
        return read_names(data) if data is not None else None
    except ReelError:
        return None


def read_names(data: bytes) -> Names | None:
    """Return the names in a file by `render_names`, None unless it has both; raises ReelError if damaged."""
    said = as_object(parse_json(data, NAMES))
    names = Names(as_text(said.get(_CHAR)), as_text(said.get(_USER)))
    return names if names.char and names.user else None


def _heard(snapshot: "Snapshot", now: Names) -> Names:
    came = [one for one in snapshot.exemplars.values() if one.source.startswith(FROM)]
    first = (found[1] for one in came if (found := _SPEAKER.match(one.text.strip())) and _greets(one.source))
    char = _likeliest(first, now.char)
    others = (name for one in came if not _greets(one.source) for name in _SPEAKER.findall(one.text))
    return Names(char, _likeliest((name for name in others if name != char), now.user))


def _greets(source: str) -> bool:
    return not source.startswith(f"{FROM}mes_example")


def _likeliest(names: Iterable[str], otherwise: str) -> str:
    """Return the name told most; `otherwise` if that is told at all, or none is."""
    counted = Counter(names)
    return counted.most_common(1)[0][0] if counted and otherwise not in counted else otherwise
