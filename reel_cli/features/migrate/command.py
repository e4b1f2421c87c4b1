"""`reel migrate`: show what a newer version of the protocol needs, ask, and do it."""

from typing import TYPE_CHECKING, Any

import typer

from reel_cli.terminal.options import AsJson, DryRun, Sure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from reel_cli.features.migrate.plan import MigrationPlan
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

MOST_FILES, MOST_LINES = 6, 4
"""Maximum number of files shown, and of lines of each; more are counted."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("migrate", epilog="Example:  reel migrate --dry-run")(migrate)


def migrate(
    ctx: typer.Context,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Bring a kit to the protocol version that this program writes.

    Shows what would change, asks, and makes one commit, which reel undo takes back. Nothing is lost by it.
    """
    from reel_cli.features.migrate.plan import plan_migration
    from reel_cli.terminal.change_report import preview_change, report_commit
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    opened.require_repository()
    planned = plan_migration(opened.snapshot)
    commit = None
    if planned.change is not None and not dry_run:
        told = "\n".join(_tell_plan(opened, planned, console.err))
        if not yes and not agreed(console, told, f"Bring it to {planned.to}?", "be done"):
            return
        commit = opened.commit(planned.change).commit
    if as_json:
        console.result_json(_as_json(opened, planned, commit))
    elif planned.change is None:
        console.result("\n".join(_tell_nothing_to_do(console, planned)))
    elif commit is None:
        preview_change(console, "\n".join(_tell_plan(opened, planned, console.out)))
    else:
        report_commit(console, commit, f"This kit is of {planned.to} now")
        console.next_step("To take it back:  reel undo")


def _tell_nothing_to_do(console: "Console", planned: "MigrationPlan") -> "Iterator[str]":
    """Yield that there is nothing to do, and what of a later version the kit holds."""
    told = f"This kit is of {planned.since}, and this program writes {planned.to}"
    if not planned.is_later:
        yield console.wrap(f"{told}: nothing to do.", console.out)
        return
    yield console.wrap(f"{told}. It is read and written all the same: nothing to do.", console.out)
    if planned.unread:
        yield console.wrap("It holds what this version does not know. That is kept as it is:", console.out)
        for one in planned.unread:
            often = f"{one.count:,} times, first in " if one.count > 1 else ""
            yield console.wrap(f"{one.what} ({often}{one.place})", console.out, "  ", "    ")


def _tell_plan(opened: "OpenKit", planned: "MigrationPlan", stream: "TextIO") -> "Iterator[str]":
    """Yield the steps, and what changes in each file."""
    from reel_cli.features.migrate.plan import render_diff

    wrap = opened.console.wrap
    yield wrap(f"This kit is of {planned.since}, and this program writes {planned.to}.", stream)
    for step in planned.steps:
        yield wrap(f"to {step.to}: {step.does}", stream, "  ", "  ")
    shown = render_diff(opened.snapshot, planned.change) if planned.change is not None else ()
    for path, lines in shown[:MOST_FILES]:
        yield path
        for line in lines[:MOST_LINES]:
            yield wrap(line, stream, "  ", "  ")
        if len(lines) > MOST_LINES:
            yield f"  … and {len(lines) - MOST_LINES:,} more lines"
    if len(shown) > MOST_FILES:
        yield wrap(f"… and {len(shown) - MOST_FILES:,} more files (--dry-run --json has them all)", stream)


def _as_json(opened: "OpenKit", planned: "MigrationPlan", commit: str | None) -> dict[str, Any]:
    from reel_cli.features.migrate.plan import render_diff

    shown = render_diff(opened.snapshot, planned.change) if planned.change is not None else ()
    return {
        "commit": commit,
        "from": str(planned.since),
        "to": str(planned.to),
        "steps": [{"to": str(step.to), "does": step.does} for step in planned.steps],
        "files": [{"path": path, "lines": list(lines)} for path, lines in shown],
        "unread": [
            {"what": one.what, "count": one.count, "path": one.path, "line": one.line}
            for one in planned.unread
        ],
    }
