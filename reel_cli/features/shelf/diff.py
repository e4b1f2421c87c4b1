"""Changes of the shelf between two moments, counted."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from reel_cli.core.kit.kinds import KindDiff, tell_few
from reel_cli.core.kit.past import BlobGlance
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.shelf_file import SHELF, file_of, is_sidecar
from reel_cli.features.shelf.summaries.files import is_summary_path


@dataclass(frozen=True, slots=True)
class ShelfChange:
    """The files that came, changed and went, by their paths; `noted`: only the page about them changed."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    summed_up: tuple[str, ...] = ()
    """The summaries that were made, or made anew."""
    unsummed: tuple[str, ...] = ()
    """IDs of the summaries that were removed."""


def compare_shelf(start: BlobGlance, end: BlobGlance, changed: Collection[str]) -> KindDiff:
    """Return what came onto the shelf, changed there and left it."""
    change = find_changes(start.ids, end.ids, changed)
    kinds = (
        ("added", change.added),
        ("changed", change.changed),
        ("taken off", change.dropped),
        ("noted anew", change.noted),
        ("summed up", change.summed_up),
        ("summaries gone", change.unsummed),
    )
    lines = [f"{words}: {', '.join(tell_few(paths, _name))}" for words, paths in kinds if paths]
    value = {what: list(paths) for what, paths in asdict(change).items()}
    return KindDiff("shelf", value, "On the shelf", lines)


def _name(path: str) -> str:
    return one_line(path.removeprefix("shelf/"))


def find_changes(
    before: Mapping[str, str], after: Mapping[str, str], changed: Collection[str]
) -> ShelfChange:
    """Return what became of the files; `before` and `after` are blobs by path."""
    touched = {
        file_of(path) if is_sidecar(path) else path for path in changed if path.startswith(f"{SHELF}/")
    }
    found: dict[str, list[str]] = {"added": [], "changed": [], "dropped": [], "noted": []}
    for path in sorted(touched):
        was, now = _has(before, path), _has(after, path)
        kind = "noted"
        if was != now:
            kind = "added" if now else "dropped"
        elif (path in before) != (path in after):
            # its page stayed, for a summary stands or stood for it
            kind = "added" if path in after else "dropped"
        elif before.get(path) != after.get(path):
            kind = "changed"
        found[kind].append(path)
    told = sorted(path for path in changed if is_summary_path(path))
    made = tuple(path for path in told if path in after)
    gone = tuple(path for path in told if path not in after)
    kinds = {kind: tuple(paths) for kind, paths in found.items()}
    return ShelfChange(**kinds, summed_up=made, unsummed=gone)


def _has(ids: Mapping[str, str], path: str) -> bool:
    return path in ids or f"{path}.meta.yml" in ids
