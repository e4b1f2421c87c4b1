"""The shelf's part of `reel status`: how much lies on the desk, and what of it is due."""

from collections.abc import Sequence

from reel_cli.core.values.due import Due
from reel_cli.terminal.status_parts import StatusPart, StatusScope


def _text(scope: StatusScope) -> str:
    from reel_cli.features.shelf.bundle_parts import count_shelf

    opened = scope.opened
    counts = count_shelf(opened.root, opened.past)
    if counts is None:
        return ""
    pinned = f", {counts.pinned:,} pinned" if counts.pinned else ""
    rest = counts.files - counts.hot
    resting = f"; {rest:,} set aside" if rest else ""
    files = f"{counts.files:,} file{'' if counts.files == 1 else 's'}"
    return opened.console.wrap(f"On the shelf: {files}{pinned}{resting}.", opened.console.out)


def _due(scope: StatusScope) -> Sequence[Due]:
    """Return what can be put away, what taught nothing yet, and what is to be summed up."""
    from reel_cli.features.shelf.collecting.view import list_shelf_due

    due = list(list_shelf_due(scope.opened))
    if (scope.opened.root / "shelf").is_dir():
        from reel_cli.features.shelf.summaries.due import due_of, wanted_now

        due += due_of(wanted_now(scope.opened.root))
    return due


ON_DESK = StatusPart(40, _text, due=_due)
