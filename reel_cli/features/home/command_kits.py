"""`reel kits`: the kits of this machine, with their last talk and what waits in them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.features.home.summary import KitSummary
    from reel_cli.terminal.context import Context


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("kits", epilog="Example:  reel kits")(kits)


def kits(
    ctx: typer.Context,
    drop: Annotated[
        Path | None,
        typer.Option("--drop", metavar="FOLDER", help="Take a folder off the list; the folder stays."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the kits of this machine: their last chat, and what waits."""
    if drop is not None:
        _drop(ctx.obj, drop)
        return
    from reel_cli.features.home.overview import row_of
    from reel_cli.features.home.places import is_kit, list_known, open_beside, show_path
    from reel_cli.features.home.summary import summarize

    context: Context = ctx.obj
    console = context.console
    found = list_known(context.kit_option or Path.cwd())
    with console.progress("Looking at the kits", len(found)) as advance:
        told = []
        for place in found:
            told.append(
                (place, summarize(open_beside(context, place), beside=True) if is_kit(place) else None)
            )
            advance(1)
    if as_json:
        console.result_json([_as_json(place, one) for place, one in told])
    elif not told:
        console.say("No kit was used on this machine yet.")
        console.next_step("Make one:  reel init ada --template companion --name Ada")
    else:
        rows = [
            (one.name, show_path(place), *row_of(one))
            if one
            else (place.name, show_path(place), "is gone", "")
            for place, one in told
        ]
        console.result(console.listing(rows, 2))
        if any(one is None for _, one in told):
            console.next_step("A kit that was moved is listed again after any command in its new folder.")
            gone = next(show_path(place) for place, one in told if one is None)
            console.next_step(f"To take one that is gone off the list:  reel kits --drop {gone}")


def _drop(context: "Context", folder: Path) -> None:
    from reel_cli.core.kit.known_kits import drop_kit

    if not drop_kit(folder.expanduser()):
        message = f"{folder} is not on the list of kits."
        raise ReelError(message, hint="to see the list:  reel kits")
    context.console.result(f"{folder} is off the list; nothing in it was changed.")


def _as_json(place: Path, summary: "KitSummary | None") -> dict[str, object]:
    if summary is None:
        return {"name": place.name, "path": str(place), "there": False}
    return {
        "name": summary.name,
        "path": str(place),
        "there": True,
        "chats": summary.chats,
        "first": summary.first or None,
        "last": summary.last or None,
        "waiting": summary.waiting,
        "problems": [{"kind": one.kind, "text": one.text, "mend": one.mend} for one in summary.problems],
    }
