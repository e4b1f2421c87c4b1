"""The kinds of kit file of which a kit has some, asked together, of one moment or of two."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from reel_cli.core.files.kit_files import KitFileKind, Retold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import list_feature_files, resolve
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.kit.past import BlobGlance

T = TypeVar("T")

SHOWN = 12
"""Maximum number of a kind reported one by one; more are counted, and are in the JSON."""
LONGEST = 200
"""Characters shown of a passage before and after."""


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


class KindDiff(NamedTuple):
    """Differences in the files of one kind: its key and value in the JSON, its section on screen."""

    key: str
    value: object
    heading: str
    lines: Sequence[str]


def compare_kinds(start: "BlobGlance", end: "BlobGlance", changed: Collection[str]) -> dict[str, KindDiff]:
    """Return what is different in the files of features, by key; `changed` are the paths that differ."""
    compare = dict.fromkeys(kind.diff for kind in find_kinds(start, end) if kind.diff is not None)
    return {found.key: found for one in compare for found in [one(start, end, changed)]}


def tell_few(items: Sequence[T], tell: Callable[[T], str]) -> list[str]:
    """Return each thing in words, or the first of many and how many more there are."""
    if len(items) <= SHOWN + 1:
        return [tell(one) for one in items]
    return [*(tell(one) for one in items[:SHOWN]), f"and {len(items) - SHOWN:,} more (--json has them all)"]


def tell_passage(name: str, before: str, after: str) -> Iterator[str]:
    """Yield a passage before and after, a line each."""
    yield f"{name}, before: {one_line(before, LONGEST) or 'nothing'}"
    yield f"{name}, after: {one_line(after, LONGEST) or 'nothing'}"
