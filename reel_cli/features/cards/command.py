"""`reel import`: lore and memories from other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import AsJson, DryRun, Sure

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    import_ = typer.Typer(
        epilog="Example:  reel import lorebook harbour.json",
        help="Import lore, memories and notes from other programs.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("lorebook", lorebook, "lorebook harbour.json"),
        ("memories", memories, "memories ~/notes/ada"),
    ):
        import_.command(name, epilog=f"Example:  reel import {example}")(command)
    app.add_typer(import_, name="import")


def lorebook(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A World Info, a character book, or a card.")],
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take in a lorebook, each entry by its keys."""
    from reel_cli.features.cards.import_walk import ImportOptions, import_lorebook

    opened: OpenKit = ctx.obj.open_kit()
    import_lorebook(opened, file, ImportOptions(yes=yes, dry_run=dry_run, as_json=as_json))


def memories(
    ctx: typer.Context,
    source: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="An export, a text with one a line, or notes.")
    ],
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take in what another program remembered, or notes."""
    from reel_cli.features.cards.import_walk import ImportOptions, import_memories

    opened: OpenKit = ctx.obj.open_kit()
    import_memories(opened, source, ImportOptions(yes=yes, dry_run=dry_run, as_json=as_json))
