"""`reel memory`: what the persona remembers, and where it comes from."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.cli.context import OpenKit
from reel_cli.errors import ReelError
from reel_cli.model.memory import IndexLine, Level, Memory

if TYPE_CHECKING:
    from reel_cli.kit.snapshot import Snapshot


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    memory = typer.Typer(help="What the persona remembers.", no_args_is_help=True, rich_markup_mode=None)
    memory.command("list", epilog="Example:  reel memory list --level L1 --tag relational")(list_memories)
    memory.command("show", epilog="Example:  reel memory show M-004")(show_memory)
    app.add_typer(memory, name="memory")


def list_memories(
    ctx: typer.Context,
    level: Annotated[Level | None, typer.Option(case_sensitive=False, help="Only those of this level.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only those with this tag.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer a program.")] = False,
) -> None:
    """List the memories, oldest first."""
    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    memories = [
        memory
        for memory in opened.snapshot.memories.values()
        if level in (None, memory.level) and (tag is None or tag.casefold() in map(str.casefold, memory.tags))
    ]
    if as_json:
        opened.console.result_json([_as_json(memory) for memory in memories])
        return
    _show_list(opened, memories, filtered=level is not None or tag is not None)


def show_memory(
    ctx: typer.Context,
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="Which one, like M-004.")],
    raw: Annotated[bool, typer.Option("--raw", help="The file itself, byte for byte.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer a program.")] = False,
) -> None:
    """Show one memory: its text, where it comes from, its line in the index."""
    from reel_cli.flows.memories import find_memory, touch  # noqa: PLC0415
    from reel_cli.kit.memory_file import memory_path  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    memory, line = find_memory(opened.snapshot, memory_id)
    if memory is None:
        _show_line_only(opened, line, raw=raw, as_json=as_json)
    elif raw:
        opened.console.result(opened.snapshot.text(memory_path(memory.id)) or "")
    elif as_json:
        opened.console.result_json({**_as_json(memory), "text": memory.body, "index": _render(line)})
    else:
        _show(opened, memory, line)
    if opened.repository is not None:
        opened.state.note([touch(opened.snapshot, memory.id if memory else line.id, opened.now())])
