"""The door to what stands beside the rings: rows that were asked for, files on the shelf."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reel_cli.core.pack.budget import Budget
    from reel_cli.core.pack.loading import Loading
    from reel_cli.core.pack.units import Writer
    from reel_cli.features.shelf.bundle import OnShelf
    from reel_cli.features.shelf.row import Shelved
    from reel_cli.features.tables.bundle import LookedUp
    from reel_cli.features.tables.row_request import AskedRow


def look_up_rows(  # noqa: PLR0913 (what was asked for, how it is written, and the room for it)
    made: "Loading",
    rows: "Sequence[AskedRow] | None",
    budget: "Budget",
    writer: "Writer",
    rest: int,
    since: Mapping[str, str] | None = None,
) -> "LookedUp | None":
    """The rows that were asked for, as far as they fit, and their account; None where none was asked for."""
    if rows is None:
        return None
    from reel_cli.features.tables.bundle import RING, look_up

    found = look_up(rows, budget.domain, rest, writer, since)
    made.shares = {**made.shares, RING: budget.domain}
    made.marks.update(found.marks)
    for ids, reason in found.left:
        made.left.add(RING, ids, reason)
    return found


def take_from_shelf(  # noqa: PLR0913 (what lies there, how it is written, and the room for it)
    made: "Loading",
    shelved: "Shelved | None",
    budget: "Budget",
    writer: "Writer",
    rest: int,
    since: Mapping[str, str] | None = None,
) -> "OnShelf | None":
    """What lies on the shelf, as far as it fits, and its account; None where nothing does."""
    if shelved is None:
        return None
    from reel_cli.features.shelf.bundle import RING, lay_out

    found = lay_out(shelved, budget.shelf, rest, writer, since)
    made.shares = {**made.shares, RING: budget.shelf}
    made.marks.update(found.marks)
    made.warnings += found.told
    for ids, reason in found.left:
        made.left.add(RING, ids, reason)
    return found
