"""What changed between two moments on the shelf, counted."""

from collections.abc import Mapping
from dataclasses import dataclass

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
    """Those that went."""


def compare_shelf(before: Mapping[str, str], after: Mapping[str, str], changed: set[str]) -> ShelfChange:
    """What became of the files; `before` and `after` are blobs by path, `changed` the paths that differ."""
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
            # its page stayed: a summary stands for it, or did
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
