"""The kinds of kit file of which a kit has some, asked together."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from reel_cli.core.files.kit_files import KitFileKind, Retold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import list_feature_files, resolve


def find_kinds(*sides: Snapshot) -> Iterator[KitFileKind]:
    """Yield how each kind of file is read of which one of these snapshots has some, in the table's order."""
    there = [
        (feature, file) for feature, file in list_feature_files() if file.kind and _has(file.path, sides)
    ]
    yield from dict.fromkeys(resolve(feature, file.kind) for feature, file in there)


def _has(path: str, sides: Sequence[Snapshot]) -> bool:
    if path.endswith("/"):
        return any(side.list(path) for side in sides)
    return any(side.read(path) is not None for side in sides)


def find_retold(
    snapshot: Snapshot, struck: Mapping[str, Collection[int]], *, whole: bool = False
) -> Sequence[Retold]:
    """Return what tells in its own words of messages: their numbers, by session.

    With `whole`, the sessions are purged, and what a person said there goes by itself.
    """
    found = [
        one
        for kind in find_kinds(snapshot)
        if kind.retold
        for one in kind.retold(snapshot, struck, whole=whole)
    ]
    return sorted(found, key=lambda one: not one.line)
