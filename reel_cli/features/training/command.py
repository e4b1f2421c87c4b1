"""`reel export training`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.export_file import Force
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(export: typer.Typer) -> None:
    """Add the export of conversations to train on to `reel export`."""
    export.command("training", epilog="Example:  reel export training --out training --window 16k")(training)


def training(
    ctx: typer.Context,
    window: Annotated[str | None, typer.Option(metavar="N", help="Largest sample: 8k, 16k, 32768.")] = None,
    validation: Annotated[
        int, typer.Option(metavar="PERCENT", help="Share held back for validation, by chat.")
    ] = 10,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The number that decides which samples are chosen, and which chats are set aside.",
        ),
    ] = 0,
    every: Annotated[bool, typer.Option("--all", help="Every sample, whatever the proportions.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where to write; else only show what there is."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write conversations to train a model on. They are the kit's own, as JSON lines of messages."""
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.features.training.walk import export_training

    opened: OpenKit = ctx.obj.open_kit()
    room = parse_tokens(window) if window is not None else None
    export_training(
        opened,
        out,
        window=room,
        validation=validation,
        seed=seed,
        every=every,
        force=force,
        as_json=as_json,
    )
