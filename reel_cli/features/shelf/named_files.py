"""Shelf files named in a chat, as people and models write their names."""

from collections.abc import Iterable, Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.shelf.files import list_shelf

TELLING = 5
"""A file's name of fewer characters, or without an ending, may be any word."""
_AROUND = "\"'`*_()[]{}<>.,;:!?…“”‘’«»"


def find_named(snapshot: Snapshot, said: Iterable[str]) -> Sequence[str]:
    """Return the paths of files named in what was said, by name or by the end of their path."""
    text = "\n".join(said).casefold()
    words = {word.rpartition("/")[2].strip(_AROUND) for word in text.split() if "." in word}
    words = {word for word in words if "." in word}
    if not words:
        return ()
    names = {path: path.rpartition("/")[2].casefold() for path in list_shelf(snapshot)}
    telling = {path: name for path, name in names.items() if len(name) >= TELLING and "." in name.strip(".")}
    return [path for path, name in telling.items() if (name in text if " " in name else name in words)]
