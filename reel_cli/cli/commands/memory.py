"""`reel memory`: what the persona remembers, and where it comes from."""

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.cli.options import AsJson, At
from reel_cli.model.memory import IndexLine, Level, Memory
from reel_cli.model.moment import day_in_words
from reel_cli.model.tape import SourceRange

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    memory = typer.Typer(
        epilog="Example:  reel memory list",
        help="What the persona remembers.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    memory.command("list", epilog="Example:  reel memory list --level L1 --tag relational")(list_)
    memory.command("show", epilog="Example:  reel memory show M-004")(show)
    app.add_typer(memory, name="memory")


def list_(
    ctx: typer.Context,
    level: Annotated[
        Level | None, typer.Option(case_sensitive=False, help="Only those of this level.")
    ] = None,
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only those with this tag.")] = "",
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """List the memories, oldest first."""
    from reel_cli.flows.memories import list_memories, list_stubs  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    memories = list_memories(opened.snapshot, level=level, tag=tag)
    if as_json:
        opened.console.result_json([_as_json(memory) for memory in memories])
        return
    if memories:
        rows = [(m.id, m.level.value, _day(m), m.title, _marks(m.tags, immune=m.immune)) for m in memories]
        opened.console.result(opened.console.table((), rows))
    elif level or tag:
        opened.console.say("No memory is like that.")
    else:
        opened.console.say("Nothing to remember yet.")
    stubs = list_stubs(opened.snapshot)
    if stubs and not (level or tag):
        what = "is only a line" if len(stubs) == 1 else "are only lines"
        opened.console.say(f"{len(stubs):,} more {what} in the index: {', '.join(s.id for s in stubs[:12])}")
    if memories:
        opened.console.next_step(f"Read one:  reel memory show {memories[-1].id}{opened.again}")


def show(
    ctx: typer.Context,
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="Which one, like M-004.")],
    raw: Annotated[bool, typer.Option("--raw", help="The file itself, as it is.")] = False,
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """Show one memory: its text, where it comes from, its line in the index."""
    from reel_cli.flows.memories import find_memory, touch  # noqa: PLC0415
    from reel_cli.kit.index_file import render_line  # noqa: PLC0415
    from reel_cli.kit.memory_file import memory_path  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    memory, line = find_memory(opened.snapshot, memory_id)
    held = memory or line
    if as_json:
        opened.console.result_json(_details(memory, line))
    elif memory is not None:
        file = opened.snapshot.text(memory_path(memory.id)) or ""
        opened.console.result(file if raw else _page(memory, line))
    elif line is not None:
        opened.console.result(render_line(line) if raw else _stub(line))
    if opened.repository is not None and held is not None and opened.then is None:
        opened.state.note_line(touch(opened.snapshot, held.id, opened.now()))


def _page(memory: Memory, line: IndexLine | None) -> str:
    from reel_cli.kit.index_file import render_line  # noqa: PLC0415

    marks = _marks(memory.tags, immune=memory.immune)
    head = ", ".join(
        part for part in (memory.id, memory.level.value, _day(memory, words=True), marks) if part
    )
    why = f"\nImmune: {memory.immune_reason}" if memory.immune_reason else ""
    source = " · ".join(_stretch(span) for span in memory.source) or ", ".join(memory.sessions)
    index = render_line(line) if line else "no line yet"
    return (
        f"{memory.title}\n{head}{why}\n\n{memory.body.strip()}\n\n"
        f"From the tape: {source or 'nothing is noted'}\nIn the index: {index}"
    )


def _stub(line: IndexLine) -> str:
    from reel_cli.kit.index_file import render_line  # noqa: PLC0415

    where = f"\nOn the tape: {_stretch(line.where)}" if line.where else ""
    return f"{line.description}\nOnly its line is left: {render_line(line)}{where}"


def _details(memory: Memory | None, line: IndexLine | None) -> dict[str, Any]:
    from reel_cli.kit.index_file import render_line  # noqa: PLC0415

    index = render_line(line) if line else None
    if memory is not None:
        return {**_as_json(memory), "text": memory.body, "index": index}
    if line is None:
        return {}
    return {
        "id": line.id,
        "title": line.description,
        "level": "stub",
        "tags": list(line.tags),
        "immune": line.immune,
        "source": [str(line.where)] if line.where else [],
        "anchor": line.anchor,
        "text": "",
        "index": index,
    }


def _as_json(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "title": memory.title,
        "level": memory.level.value,
        "created": memory.created,
        "sessions": list(memory.sessions),
        "source": [str(span) for span in memory.source],
        "tags": list(memory.tags),
        "immune": memory.immune,
        "anchor": memory.anchor,
        "marker": memory.marker,
        "tag": memory.tag,
    }


def _marks(tags: tuple[str, ...], *, immune: bool) -> str:
    return ", ".join(tags) + (" · immune" if immune else "")


def _stretch(span: SourceRange) -> str:
    if not span.last:
        return f"{span.session}, all of it"
    if span.first == span.last:
        return f"{span.session}, message {span.first}"
    return f"{span.session}, messages {span.first} to {span.last}"


def _day(memory: Memory, *, words: bool = False) -> str:
    """The day it was lived, as far as is known."""
    day = memory.order[0] or memory.created[:10]
    try:
        return day_in_words(date.fromisoformat(day)) if words else date.fromisoformat(day).isoformat()
    except ValueError:
        return ""
