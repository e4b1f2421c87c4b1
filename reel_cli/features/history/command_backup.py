"""`reel backup`: the whole history in one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.shell import join
from reel_cli.core.values.change import name_some
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 3
"""Maximum number of edited files named; more are counted."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("backup", epilog="Example:  reel backup /media/stick/ada.bundle")(backup)


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write all of the kit and its history into one file, and prove it."""
    from reel_cli.features.history.backup import back_up

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    repository = opened.require_repository()
    done = back_up(repository, opened.root, opened.state, file, replace=force, now=opened.now())
    if as_json:
        console.result_json(
            {
                "file": str(done.file),
                "bytes": done.size,
                "commit": done.commit,
                "not_in_it": list(done.uncommitted),
            }
        )
        return
    told = f"Wrote {file}, {_size(done.size)}: the whole history, read back and complete."
    console.result(console.wrap(told, console.out))
    if repository.prefix:
        console.say(
            f"The kit is part of a larger git repository ({repository.root.name}); the file holds all of it."
        )
    if done.uncommitted:
        names = name_some(done.uncommitted, NAMED)
        console.say(f"Not in it, because they are not committed: {names}.")
    waiting = len(opened.state.exchanges())
    prompts = (
        f" ({waiting:,} {'prompt waits' if waiting == 1 else 'prompts wait'} for a reply)" if waiting else ""
    )
    either = " either" if done.uncommitted else ""
    console.say(f"Not in it{either}: .reel/, which holds only caches and prompts{prompts}.")
    console.say("Only you can read the file. It is not encrypted.")
    clone = join(["git", "clone", str(file), opened.root.resolve().name])
    console.next_step(f"To restore it in a new folder:  {clone}")
    mend = f"cd {join([opened.root.resolve().name])} && reel doctor --fix --guard on"
    console.next_step(f"Then, so that only you can open it:  {mend}")


def _size(size: int) -> str:
    return f"{size / 2**20:,.1f} MB" if size >= 2**20 else f"{max(1, round(size / 1024)):,} KB"
