"""`reel model detect`."""

from typing import Annotated

import typer

from reel_cli.terminal.options import AsJson, DryRun, Sure


def register(model: typer.Typer) -> None:
    """Add the command to `reel model`."""
    model.command("detect", epilog="Example:  reel model detect --set")(detect)


def detect(
    ctx: typer.Context,
    where: Annotated[
        str,
        typer.Argument(metavar="[APP|URL]", help="Ask only this: lmstudio, ollama, koboldcpp, an address."),
    ] = "",
    model: Annotated[str, typer.Option(metavar="NAME", help="Which model, if several are loaded.")] = "",
    set_window: Annotated[
        bool, typer.Option("--set", help="Set the kit's window to the length it is loaded with.")
    ] = False,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask which model is loaded, and its window. LM Studio, Ollama or KoboldCpp answer; no kit is needed.

    The length it is loaded with counts, not the one it was made for. Nothing of the kit is sent.
    """
    from reel_cli.features.detection.detect import DetectOptions
    from reel_cli.features.detection.detect import detect as detect_

    detect_(ctx.obj, DetectOptions(where, model, set_window, yes, dry_run, as_json))
