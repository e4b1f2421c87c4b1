"""`reel apart`: begin a chat that is kept apart from all others, and list those there are."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("apart", epilog="Example:  reel apart roleplay")(apart)


def apart(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The chat to begin.")] = None,
    as_json: AsJson = False,
) -> None:
    """Begin a chat of which no other chat may know; alone, list them.

    It knows what the kit knows, now and later. What is said in it stays in it: add --chat NAME to any
    command to work with it.
    """
    opened: OpenKit = ctx.obj.open_kit()
    if name is None:
        _list(opened, as_json=as_json)
        return
    from reel_cli.features.apart.begin import begin_apart
    from reel_cli.features.apart.view import show_folder

    folder = begin_apart(opened, name.strip())
    console = opened.console
    if as_json:
        console.result_json({"chat": folder.name, "path": str(folder)})
        return
    persona = opened.snapshot.settings.name
    told = (
        f"“{folder.name}” is kept apart, in {show_folder(folder)}."
        f" {persona} knows there what is known here; what is said there stays there."
    )
    console.result(console.wrap(told, console.out))
    console.next_step(f"Next:  reel --chat {folder.name} start")
    console.next_step(f"After the chat:  reel --chat {folder.name} end")


def _list(opened: "OpenKit", *, as_json: bool) -> None:
    from reel_cli.features.apart.view import apart_json, show_apart

    if as_json:
        opened.console.result_json(apart_json(opened))
    else:
        show_apart(opened)
