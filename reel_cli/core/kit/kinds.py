"""The kinds of kit file of which a kit has some, asked together."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from reel_cli.core.files.kit_files import KitFileKind, Retold, find_kind, list_kit_files
from reel_cli.core.kit.snapshot import Snapshot


def find_kinds(*sides: Snapshot) -> Iterator[KitFileKind]:
    """Yield how each kind of file is read of which one of these snapshots has some, in the table's order."""
    there = {path.partition("/")[0] for side in sides for path in side.list("")}
    kinds = (find_kind(file.path) for file in list_kit_files() if file.kind and file.name in there)
    yield from {id(kind): kind for kind in kinds if kind is not None}.values()


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
