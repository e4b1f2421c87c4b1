"""`reel undo`: take back reel's last change."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import DryRun

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("undo", epilog="Example:  reel undo --dry-run")(undo)


def undo(
    ctx: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Take it back unasked.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Take back reel's last change, with a new one; asked again, the one before it."""
    from reel_cli.core.change.preflight import require_branch
    from reel_cli.features.history.undo import undo_last

    # the next command records a chat that was killed; that change is not the one to undo
    ctx.obj.takes_up = False
    opened: OpenKit = ctx.obj.open_kit()
    repository = opened.require_repository()
    # a file in conflict would otherwise count as changed since
    require_branch(repository)
    taken = undo_last(repository, opened.snapshot)
    if dry_run:
        opened.console.result(f"This would take back: {taken.what}")
    else:
        asks = opened.console.interactive and not yes
        if asks and not opened.console.confirm(f"Take back: {taken.what}?"):
            opened.console.say("Nothing was changed.")
            return
        commit = opened.commit(taken.change).commit
        done = f"Committed {commit[:7]}. Took back: {taken.what}"
        opened.console.result(opened.console.wrap(done, opened.console.out))
    for line in taken.told():
        opened.console.say(line)
    if not dry_run:
        opened.console.next_step(
            f"It is all in the history still; to have it back:  git revert --no-edit {commit[:7]}"
        )
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
