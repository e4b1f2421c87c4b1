"""`reel memory`: what the persona remembers, and where it comes from."""

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.values.change import name_some
from reel_cli.core.values.memory import SHARED, IndexLine, Level, Memory, is_brought
from reel_cli.core.values.talk import SourceRange
from reel_cli.terminal.options import AsJson, At, DryRun, Why

if TYPE_CHECKING:
    from reel_cli.core.values.change import Change
    from reel_cli.terminal.open_kit import OpenKit

LEVELS = {
    "L1": "Full pages",
    "L2": "Shorter pages",
    "L3": "A few lines",
    "L4": "One line",
}
"""Headings of a long list, by level."""
FORMS = {"L1": "full page", "L2": "shorter page", "L3": "a few lines", "L4": "one line"}
"""Words for the text that is left of a memory, by level."""
FADED = {"L2": "a shorter page", "L3": "a few lines", "L4": "one line"}
"""Words for what a memory fades to, by level."""
KEPT = "kept for good"
"""Mark of a memory that is immune."""
MOST_TOGETHER = 7
"""Maximum number of memories that are listed without headings."""
NAMED = 12
"""Maximum number of lines without a memory that are named."""
Names = Annotated[
    list[str], typer.Argument(metavar="ID|TITLE...", help="Which ones, like M-004, or by words of the title.")
]


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
    for verb, command, example in (
        ("pin", pin, "pin M-004"),
        ("unpin", unpin, "unpin M-004"),
        ("immune", immune, 'immune M-004 --why "it is who she is"'),
    ):
        memory.command(verb, epilog=f"Example:  reel memory {example}")(command)
    for register_some in bring("memory_commands"):
        register_some(memory)
    app.add_typer(memory, name="memory")


def list_(
    ctx: typer.Context,
    level: Annotated[
        Level | None,
        typer.Option(
            case_sensitive=False,
            help="Only those of this level: L1 full pages, L2 shorter, L3 a few lines, L4 one line.",
        ),
    ] = None,
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only those with this tag, like relational.")] = "",
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """List the memories, oldest first."""
    from reel_cli.core.kit.kit_damage import list_missing
    from reel_cli.core.rings.read_memory import list_memories

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    memories = list_memories(opened.snapshot, level=level, tag=tag)
    pinned = _pinned(opened)
    if as_json:
        opened.console.result_json([_as_json(memory, pinned) for memory in memories])
        return
    if memories:
        grouped = len(memories) > MOST_TOGETHER
        groups = (
            [[m for m in memories if m.level.value == form] for form in LEVELS] if grouped else [memories]
        )
        for group in filter(None, groups):
            if grouped:
                opened.console.heading(LEVELS[group[0].level.value], opened.console.out)
            rows = [(m.id, _day(m), m.title, _marks(m, pinned, form=not grouped)) for m in group]
            opened.console.result(opened.console.listing(rows, 2))
    elif level or tag:
        faded = (
            f"No memory has faded to {FADED[level.value]}"
            if level and level.value in FADED and not tag
            else ""
        )
        opened.console.say(f"{faded}." if faded else "No memory matches that.")
    elif not list_missing(opened.root, opened.repository, under=("ring3/",)):
        opened.console.say("There are no memories yet.")
    if not (level or tag):
        _tell_lines_left(opened, others=" more" if memories else "")
    if memories:
        opened.console.next_step(f"Read one:  reel memory show {memories[-1].id}{opened.again}")


def _tell_lines_left(opened: "OpenKit", others: str) -> None:
    """Count the lines that help recall a whole memory; name the memories of which only the line is left.

    Those whose file somebody took are told apart from both.
    """
    from reel_cli.core.files.kit_files import name_missing, restore_command
    from reel_cli.core.kit.kit_damage import list_missing
    from reel_cli.core.rings.read_memory import list_stubs

    console = opened.console
    lost = () if opened.then is not None else list_missing(opened.root, opened.repository, under=("ring3/",))
    if lost:
        console.say(f"{name_missing(lost)}:  {restore_command(lost)}")
    stubs = [stub for stub in list_stubs(opened.snapshot) if f"ring3/{stub.id}.md" not in lost]
    gone = [stub.id for stub in stubs if stub.pruned]
    if lines := len(stubs) - len(gone):
        places = "1 place" if lines == 1 else f"{lines:,} places"
        console.say(f"The numbers between are of {places} in the chats, which reel recall finds.")
    if gone:
        console.say(f"{len(gone):,}{others} with only a line left: {name_some(gone, NAMED)}")


def show(
    ctx: typer.Context,
    memory_id: Annotated[
        str, typer.Argument(metavar="ID|TITLE", help="Which one, like M-004, or by words of the title.")
    ],
    raw: Annotated[bool, typer.Option("--raw", help="The file itself, as it is.")] = False,
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """Show one memory. With its text come where it is from and words that find it."""
    from reel_cli.core.files.index_file import render_line
    from reel_cli.core.kit.kit_damage import list_missing
    from reel_cli.core.rings.read_memory import find_memory, touch
    from reel_cli.core.values.memory import memory_path

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    memory, line = find_memory(opened.snapshot, memory_id)
    held = memory or line
    pinned = _pinned(opened)
    if as_json:
        opened.console.result_json(_details(memory, line, pinned))
    elif memory is not None:
        file = opened.snapshot.text(memory_path(memory.id)) or ""
        opened.console.result(file if raw else _page(memory, line, pinned), verbatim=raw)
    elif line is not None:
        opened.console.result(render_line(line) if raw else _stub(line, pinned))
    if line is not None and memory is None and not as_json and opened.then is None:
        path = memory_path(line.id)
        if line.pruned or list_missing(opened.root, opened.repository, under=(path,)):
            opened.console.next_step(f"To have it back:  reel restore {line.id}")
    if memory is not None and not as_json and opened.then is None:
        _tell_page(opened, memory)
    if opened.repository is not None and held is not None and opened.then is None:
        opened.state.note_line(touch(opened.snapshot, held.id, opened.now()))


def _tell_page(opened: "OpenKit", memory: "Memory") -> None:
    """Report that a memory is of a short page, whose rest can be asked for."""
    from reel_cli.features.page.short_page import find_short_memory

    for session in memory.sessions[:1]:
        short = find_short_memory(opened.snapshot, session)
        if short is not None and short.id == memory.id:
            opened.console.next_step(f"It is of a short page. The rest:  reel checkpoint --session {session}")


def pin(
    ctx: typer.Context, names: Names, why: Why = "", dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Pin memories: they do not fade."""
    _decide(ctx.obj.open_kit(), names, why, pin=True, dry_run=dry_run, as_json=as_json)


def unpin(
    ctx: typer.Context, names: Names, why: Why = "", dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Unpin memories: they may fade again."""
    _decide(ctx.obj.open_kit(), names, why, pin=False, dry_run=dry_run, as_json=as_json)


def immune(
    ctx: typer.Context,
    memory_id: Annotated[
        str, typer.Argument(metavar="ID|TITLE", help="Which one, like M-004, or by words of the title.")
    ],
    off: Annotated[bool, typer.Option("--off", help="Let it fade to a line again.")] = False,
    why: Why = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Keep a memory for good; it may still get shorter. With --off, no longer."""
    from reel_cli.core.rings.pins import require_reason
    from reel_cli.features.fading.immunity import plan_immunity

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    planned = plan_immunity(opened.snapshot, memory_id, immune=not off, why=require_reason(why))
    is_so = f"no longer {KEPT}" if off else KEPT
    told = f"{planned.title} ({planned.id}) is {is_so}"
    _apply(
        opened,
        planned.change,
        told,
        dry_run=dry_run,
        as_json=as_json,
        more={"id": planned.id, "immune": not off},
    )


def _decide(
    opened: "OpenKit", names: list[str], why: str, *, pin: bool, dry_run: bool, as_json: bool
) -> None:
    from reel_cli.core.rings.pins import plan_pins, require_reason
    from reel_cli.core.rings.read_memory import list_titles, memory_name, settle_memories

    opened.require_repository()
    reason = require_reason(why)
    names = settle_memories(opened.snapshot, names)
    change, fresh = plan_pins(opened.snapshot, names, pin=pin, why=reason, now=opened.now())
    word = "pinned" if pin else "no longer pinned"
    titles, typed = list_titles(opened.snapshot), {memory_name(name) for name in names}
    shown = [one if one in typed else f"{titles[one]} ({one})" for one in fresh or names]
    told = f"{', '.join(shown)} {'is' if len(shown) == 1 else 'are'} {word}"
    _apply(opened, change, told, dry_run=dry_run, as_json=as_json, more={"ids": list(fresh), "pinned": pin})


def _apply(
    opened: "OpenKit",
    change: "Change | None",
    told: str,
    *,
    dry_run: bool,
    as_json: bool,
    more: dict[str, Any],
) -> None:
    """Commit what is decided, if anything is, and say so."""
    from reel_cli.terminal.change_report import report_commit

    console = opened.console
    commit = opened.commit(change).commit if change is not None and not dry_run else None
    if as_json:
        console.result_json({"commit": commit, **more})
    elif change is None:
        console.say(f"{told.replace(' no longer ', ' not ')}, so nothing was changed.")
    else:
        planned = told.replace(" is ", " would be ", 1).replace(" are ", " would be ", 1)
        report_commit(console, commit, told, f"{planned}.")


def _pinned(opened: "OpenKit") -> frozenset[str]:
    from reel_cli.core.files.ledger_file import read_ledger
    from reel_cli.core.rings.pins import find_pinned

    return find_pinned(read_ledger(opened.snapshot))


def tell_memory(opened: "OpenKit", name: str) -> str:
    """Return one memory as `reel memory show` prints it, noted as read; ReelError where there is none."""
    from reel_cli.core.rings.read_memory import find_memory, touch

    memory, line = find_memory(opened.snapshot, name)
    if opened.repository is not None and (held := memory or line) is not None:
        opened.state.note_line(touch(opened.snapshot, held.id, opened.now()))
    pinned = _pinned(opened)
    if memory is not None:
        return _page(memory, line, pinned)
    return _stub(line, pinned) if line is not None else ""


def _page(memory: Memory, line: IndexLine | None, pinned: frozenset[str]) -> str:
    head = ", ".join(filter(None, (memory.id, _day(memory, words=True), _marks(memory, pinned))))
    why = f": {memory.immune_reason}" if memory.immune_reason else ""
    source = " · ".join(_stretch(span) for span in memory.source) or ", ".join(memory.sessions)
    nothing = "none, it was imported" if is_brought(memory.tags) else "not noted"
    nothing = "none in this kit, another persona shared it" if SHARED in memory.tags else nothing
    found = f"\nFound by: {_words(line)}" if line else "\nIt has no line yet to be found by."
    return f"{memory.title}\n{head}{why}\n\n{memory.body.strip()}\n\nMade from: {source or nothing}{found}"


def _stub(line: IndexLine, pinned: frozenset[str]) -> str:
    where = f"\nMade from: {_stretch(line.where)}" if line.where else ""
    pin = "\nPinned: the line stays." if line.id in pinned else ""
    gone = line.pruned or line.where is None
    told = "Only its line is left" if gone else "A line that leads to this moment, and never was more"
    return f"{line.description}\n{told} ({line.id}). Found by: {_words(line)}{where}{pin}"


def _words(line: IndexLine) -> str:
    """Return the words that find a memory: those said, or its own."""
    return f'"{line.anchor}"' if line.anchor else line.description


def _details(memory: Memory | None, line: IndexLine | None, pinned: frozenset[str]) -> dict[str, Any]:
    from reel_cli.core.files.index_file import render_line

    index = render_line(line) if line else None
    if memory is not None:
        return {**_as_json(memory, pinned), "text": memory.body, "index": index}
    if line is None:
        return {}
    return {
        "id": line.id,
        "title": line.description,
        "level": "stub",
        "tags": list(line.tags),
        "immune": line.immune,
        "pinned": line.id in pinned,
        "source": [str(line.where)] if line.where else [],
        "anchor": line.anchor,
        "text": "",
        "index": index,
    }


def _as_json(memory: Memory, pinned: frozenset[str]) -> dict[str, Any]:
    return {
        "id": memory.id,
        "title": memory.title,
        "level": memory.level.value,
        "created": memory.created,
        "sessions": list(memory.sessions),
        "source": [str(span) for span in memory.source],
        "tags": list(memory.tags),
        "immune": memory.immune,
        "pinned": memory.id in pinned,
        "anchor": memory.anchor,
        "marker": memory.marker,
        "tag": memory.tag,
    }


def _marks(memory: Memory, pinned: frozenset[str], *, form: bool = True) -> str:
    flags = [FORMS[memory.level.value]] if form else []
    flags += ["pinned"] if memory.id in pinned else []
    flags += [KEPT] if memory.immune else []
    return ", ".join(flags)


def _stretch(span: SourceRange) -> str:
    if not span.last:
        return f"{span.session}, all of it"
    if span.first == span.last:
        return f"{span.session}, message {span.first}"
    return f"{span.session}, messages {span.first} to {span.last}"


def _day(memory: Memory, *, words: bool = False) -> str:
    """Return the day it was lived, if known."""
    day = memory.order[0] or ("" if is_brought(memory.tags) else memory.created[:10])
    try:
        return day_in_words(date.fromisoformat(day)) if words else date.fromisoformat(day).isoformat()
    except ValueError:
        return ""
