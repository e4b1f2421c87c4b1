"""Losses that a migration would cause: what no step from version to version may take from a kit."""

import re
from collections.abc import Iterator, Mapping

from reel_cli.core.kit.snapshot import Snapshot

_WORD = re.compile(rb"[\w\x80-\xff]+|[^\w\s\x80-\xff]")
_UNTOUCHED = ("ring0/", "ring1/")
"""Folders that change only by a person's word (REEL §3.4)."""


def find_losses(
    before: Snapshot, writes: Mapping[str, bytes | None], *, additive: bool
) -> Iterator[tuple[str, str]]:
    """Yield each file of which something would be lost, with the loss in words.

    A file may move: then its bytes stand elsewhere. With `additive`, each word that stood in a file must
    stand in it still, in the same order, as a minor version asks for; the line with the version is exempt.
    """
    written = {data for data in writes.values() if data is not None}
    for path, new in sorted(writes.items()):
        old = before.read(path)
        if old is None or old == new:
            continue
        if new is None:
            if old not in written:
                yield path, "would be deleted"
        elif path.startswith("tape/") and not new.startswith(old):
            yield path, "would be altered, and the tape only grows"
        elif path.startswith(_UNTOUCHED):
            yield path, "would change, and only your word changes that"
        elif additive and not _still_holds(new, old):
            yield path, "would lose some of its words"


def _still_holds(new: bytes, old: bytes) -> bool:
    """Return whether all words of a text stand in another, in their order."""
    words = iter(_WORD.findall(_without_version(new)))
    return all(word in words for word in _WORD.findall(_without_version(old)))


def _without_version(text: bytes) -> bytes:
    return re.sub(rb"(?m)^protocol:.*$", b"", text)
