"""`reel export card` and `reel export lorebook`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.export_file import Force, Out
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

Memories = Annotated[
    bool, typer.Option("--memories", help="With the persona's own memories, not only the lore.")
]


def register(export: typer.Typer) -> None:
    """Add the exports of what came with a card to `reel export`."""
    for name, command, example in (
        ("card", card, "card --out mira.png"),
        ("lorebook", lorebook, "lorebook --out mira-lore.json"),
    ):
        export.command(name, epilog=f"Example:  reel export {example}")(command)


def card(
    ctx: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="A .png or .json to write; else JSON is printed."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="PNG", help="The picture to put the card into.")
    ] = None,
    memories: Memories = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a character card, version 2 and 3. It is as it came where nothing was changed."""
    from reel_cli.features.cards.card_export import export_card

    if picture is not None and (out is None or out.suffix.lower() != ".png"):
        message = "A picture goes with a card that is written as PNG."
        raise UsageError(message, hint="reel export card --out mira.png --picture face.png")
    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_card(opened, out, picture, lived=memories, force=force, as_json=as_json)


def lorebook(
    ctx: typer.Context,
    lore_only: Annotated[
        bool, typer.Option("--lore-only", help="Leave out the persona's own memories.")
    ] = False,
    out: Out = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write lore and memories as a World Info. Each is found by its anchor phrases."""
    from reel_cli.features.cards.card_export import export_lorebook

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    export_lorebook(opened, out, lived=not lore_only, force=force, as_json=as_json)
