"""`reel view`: one web page of a kit, to look at and to keep."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("view", epilog="Example:  reel view ~/ada.html")(view)


def view(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The file to write; alone, NAME.html beside the kit's folder."),
    ] = None,
    without: Annotated[
        Literal["tape"] | None,
        typer.Option("--without", metavar="tape", help="Leave out what was said word for word."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is no such page.")] = False,
) -> None:
    """Write all of the kit as one web page, to look at and to keep.

    What is going on, the life, every chat: it opens in any browser, needs no network, and can be printed.
    """
    from reel_cli.features.view.gather import read_page
    from reel_cli.features.view.html import is_page, render_page
    from reel_cli.terminal.export_file import write_export

    opened: OpenKit = ctx.obj.open_kit(reading=True)
    target = file or opened.root.resolve().parent / f"{opened.root.resolve().name}.html"
    ours = target.is_file() and is_page(target.read_bytes()[:2_000])
    page = read_page(opened, tape=without is None)
    write_export(opened, target, render_page(page).encode(), force=force or ours)
    console = opened.console
    if page.tape:
        console.say(f"Wrote {target}: {page.name}'s page, with {_count(len(page.chats), page.too_long)}.")
        console.say("It holds everything that was said: keep it where you keep your diary.")
    else:
        console.say(f"Wrote {target}: {page.name}'s page, without what was said word for word.")
        console.say(
            "Memories and examples may still quote it: look through it before you show it to anybody."
        )
    console.next_step(f"Open it in your browser:  {target.resolve().as_uri()}")


def _count(chats: int, too_long: int) -> str:
    """Return how many chats are on the page."""
    told = f"{chats:,} chat{'' if chats == 1 else 's'}"
    return f"the newest {chats - too_long:,} of {told}" if too_long else told
