"""`reel redo`: do again what was taken back."""

import typer

from reel_cli.terminal.options import DryRun, Sure


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("redo", epilog="Example:  reel redo --dry-run")(redo)


def redo(
    ctx: typer.Context,
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Do again what reel undo took back; asked again, the one before."""
    from reel_cli.features.history.command_undo import carry_out
    from reel_cli.features.history.undo_edit import plan_edit_redo, redo_or_tell
    from reel_cli.features.history.undo_note import plan_note_redo

    carry_out(
        ctx.obj,
        lambda opened: plan_edit_redo(opened) or plan_note_redo(opened),
        redo_or_tell,
        ("Do again", "Done again", "reel undo", "You took this change back", "Make this change again?"),
        yes=yes,
        dry_run=dry_run,
    )
