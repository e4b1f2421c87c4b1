"""`reel serve`: the kit's page alive in the browser, on this machine alone."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reel_cli.terminal.context import Context


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("serve", epilog="Example:  reel serve --read-only")(serve)


def serve(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; else a free one.")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    read_only: Annotated[bool, typer.Option("--read-only", help="To look at alone.")] = False,
) -> None:
    """Show the kit in your browser, and do an evening there, until Ctrl-C.

    The page is for this machine and the browser that opens the printed address. It is not made to be
    reached over a network.
    """
    from reel_cli.features.serve.server import require_extra, run_server

    context: Context = ctx.obj
    require_extra()
    run_server(context.open_kit(), port, opens=not no_open, read_only=read_only)
