"""`reel mcp`: the kit as a server for LM Studio, Claude Desktop and others; its place in their lists."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.terminal.options import DryRun, Sure

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    epilog = "Example:  reel mcp install lmstudio"
    mcp = typer.Typer(
        epilog=epilog,
        help="Let a chat program with MCP read the kit, recall, and hand pages in.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    mcp.callback(epilog=epilog)(serve_kit)
    mcp.command("install", epilog="Example:  reel mcp install claude --dry-run")(install)
    app.add_typer(mcp, name="mcp")


def serve_kit(
    ctx: typer.Context,
    setup: Annotated[
        bool, typer.Option("--setup", help="Show for each program how to make it start this.")
    ] = False,
) -> None:
    """Let a chat program with MCP read the kit, recall, and hand pages in; it starts this by itself."""
    if ctx.invoked_subcommand is not None:
        if setup:
            message = "--setup stands alone."
            raise UsageError(message, hint="reel mcp --setup")
        return
    from reel_cli.features.mcp.server import require_extra, serve

    context: Context = ctx.obj
    root = context.kit_root()
    if setup:
        _show_setups(context.console, root.resolve())
        return
    require_extra()
    if context.console.interactive:
        context.console.say("This waits for a chat program to speak to it; Ctrl-C ends it.")
        context.console.next_step("To have one start it by itself:  reel mcp --setup")
    serve(root)


def _show_setups(console: "Console", root: Path) -> None:
    """Show for each program what to do there, and the line that is copied."""
    from reel_cli.features.mcp.client_list import list_setups, make_entry
    from reel_cli.features.mcp.server import has_extra

    for at, (title, what, line) in enumerate(
        list_setups(_usual_name(root), make_entry(sys.executable, root))
    ):
        told = console.accent(title, console.out)
        console.result(f"{chr(10) if at else ''}{told}: {what}", steps=True)
        if line:
            console.result(line, whole=True)
    if not has_extra():
        console.next_step("The server itself needs one more package:  pip install 'reel-cli[mcp]'")


def _usual_name(root: Path) -> str:
    """Return the name a kit has in a program's list, if it is given no other."""
    from reel_cli.core.files.exemplar_file import slugify

    return f"reel-{slugify(root.name)}"[:40].rstrip("-")


def install(
    ctx: typer.Context,
    client: Annotated[Literal["lmstudio", "claude"], typer.Argument(help="Which program.")],
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="The kit's name there; if not given, reel- and its folder's name."),
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The program's list of servers, if it is elsewhere."),
    ] = None,
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Put the kit into a program's list of MCP servers. Shows what changes first; all else stays as it is."""
    from reel_cli.features.mcp.client_list import (
        LMSTUDIO,
        NAME,
        Client,
        deep_link,
        find_client,
        make_entry,
        put_entry,
    )
    from reel_cli.features.mcp.server import has_extra

    context: Context = ctx.obj
    console = context.console
    root = context.kit_root().resolve()
    called = name or _usual_name(root)
    if not NAME.fullmatch(called):
        message = f"{called!r} is not a name for a server."
        raise UsageError(message, hint="letters, digits, - and _:  --name reel-ada")
    found = find_client(client, Path.home(), os.environ)
    place = Client(found.title, file.absolute(), file.absolute().parent) if file is not None else found
    entry = make_entry(sys.executable, root)
    if not place.home.is_dir():
        if client == LMSTUDIO:
            console.say(f"The link that LM Studio opens:  {deep_link(called, entry)}")
        message = f"{place.title} does not seem to be here: there is no folder {place.home}."
        raise ReelError(message, hint="if its list is elsewhere:  --file FILE")
    target = place.config.resolve()
    before = _read(target)
    after = put_entry(before, called, entry, str(target))
    if after == before:
        console.result(f"{called} is in {target} already.")
        return
    _show(console, target, before, after)
    if client == LMSTUDIO:
        console.say()
        console.say("Or open this link instead, and LM Studio asks you itself:")
        console.say(f"  {deep_link(called, entry)}")
        console.say()
    if dry_run:
        console.say("Nothing was changed (--dry-run).")
        return
    if not yes:
        if not console.interactive:
            message = "Nothing was written: without a terminal, reel cannot ask you."
            raise ReelError(message, hint="add --yes to write it, or --dry-run to only look")
        if not console.confirm(f"Write this into {place.title}'s list?"):
            console.say("Nothing was changed.")
            return
    if _read(target) != before:
        message = f"{target} changed meanwhile, so it was left as it is."
        raise ReelError(message, hint="run this again")
    _write(target, after)
    console.result(f"Wrote {called} into {target}")
    if not has_extra():
        console.next_step("The server itself needs one more package:  pip install 'reel-cli[mcp]'")
    console.next_step(f"Restart {place.title}, or let it read its list again.")


def _read(path: Path) -> bytes | None:
    from reel_cli.features.mcp.client_list import LONGEST

    try:
        with path.open("rb") as file:
            return file.read(LONGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise ReelError(message, hint="check who owns the file") from None


def _write(path: Path, data: bytes) -> None:
    """Write another program's file whole or not at all, with the mode it has."""
    from reel_cli.core.files.private import OWNER_FILE, write_new

    fresh = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        write_new(fresh, data, OWNER_FILE)
        if path.exists():
            fresh.chmod(path.stat().st_mode & 0o7777)
        fresh.replace(path)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        raise ReelError(message, hint="check who owns the folder") from None
    finally:
        fresh.unlink(missing_ok=True)


def _show(console: "Console", path: Path, before: bytes | None, after: bytes) -> None:
    """Show what changes, and nothing around it: the file may hold other programs' keys."""
    from difflib import unified_diff

    old, new = ((data or b"").decode("utf-8", "replace").splitlines() for data in (before, after))
    console.heading(str(path))
    for line in list(unified_diff(old, new, n=0, lineterm=""))[2:]:
        if not line.startswith("@@"):
            console.say(f"  {line}")
