"""`reel log`: what was done, change by change."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.files.commit_message import NOTE
from reel_cli.core.moment import moment
from reel_cli.core.rings.losses import ON_SHELF
from reel_cli.core.tape.tape_view import UNTITLED
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import PURGED
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, At

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.features.history.log import LogEntry

FADED = "faded"
"""Kind of change of which several make one pass of maintenance."""
TOGETHER = 3
"""Maximum number of such changes in a row that are listed one by one."""
USUAL = 40
"""Number of changes shown if no limit is given."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("log", epilog="Example:  reel log --forgotten --since 2026-06")(log)


def log(
    ctx: typer.Context,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, metavar="N", help="At most N, the newest.")
    ] = None,
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Only since then: a day, a month or a year.")
    ] = "",
    forgotten: Annotated[
        bool,
        typer.Option("--forgotten", help="Show what was forgotten, and the command that brings it back."),
    ] = False,
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """List what was done, newest first, one line a change."""
    from reel_cli.features.history.log import LogEntry, change_as_json, fold_growth, list_log, since_day

    opened: OpenKit = ctx.obj.open_kit(reading=True)
    then = opened.look_back(at)
    tip = then.commit if then is not None else None
    first = since_day(since) if since else ""
    if forgotten:
        from reel_cli.features.forgetting.loss_table import show_forgotten

        show_forgotten(opened, limit, first, as_json=as_json)
        return
    repo, zone = opened.repository, opened.zone
    if as_json:
        changes = list_log(repo, limit, first, zone, tip) if repo else []
        opened.console.result_json([change_as_json(change) for change in changes])
        return
    most = limit or USUAL
    read, found = most + 1, list[LogEntry]()
    while repo:
        changes = list_log(repo, read, first, zone, tip)
        # a pass can be dated before the chat that it follows
        found = sorted(fold_growth(changes), key=lambda one: moment(one.time), reverse=True)
        if len(found) > most or len(changes) < read:
            break
        read *= 4
    if found:
        opened.console.result(_render(opened, found[:most]))
    elif opened.repository:
        opened.console.say(
            f"Nothing was done since {first}." if first else "Nothing was done to this kit yet."
        )
    if len(found) > most and limit is None:
        opened.console.next_step(f"There is more:  reel log --limit {most * 5}{opened.again}")


def _render(opened: OpenKit, changes: "Sequence[LogEntry]") -> str:
    from reel_cli.features.history.log import names_of

    names = names_of(opened.snapshot, changes, opened.repository)
    rows = [
        (_day(opened, one[0]), one[0].kind, _words(one[0], names) if len(one) == 1 else _pass_in_words(one))
        for one in _passes(changes)
    ]
    table = opened.console.table((), rows)
    if not opened.console.out.isatty():
        return table
    from shutil import get_terminal_size

    width = max(30, get_terminal_size().columns - 1)
    return "\n".join(one_line_kept(line, width) for line in table.splitlines())


def _passes(changes: "Sequence[LogEntry]") -> "list[list[LogEntry]]":
    """Return the changes, those together that a pass of maintenance made one after the other."""
    groups: list[list[LogEntry]] = []
    for change in changes:
        last = groups[-1][-1] if groups else None
        if last is not None and change.kind == last.kind == FADED and change.time[:10] == last.time[:10]:
            groups[-1].append(change)
        else:
            groups.append([change])
    return [one for group in groups for one in ([group] if len(group) > TOGETHER else [[c] for c in group])]


def _pass_in_words(changes: "Sequence[LogEntry]") -> str:
    freed = sum(loss.tokens_before - loss.tokens_after for change in changes for loss in change.forgot)
    memories = sum(_count_memories(change) for change in changes)
    told = (
        "1 memory" if memories == 1 else f"{memories:,} memories" if memories else f"{len(changes):,} steps"
    )
    return f"{told}, {freed:,} tokens let go; which:  reel log --forgotten"


def _count_memories(change: "LogEntry") -> int:
    """Return how many memories or lines of the index a change let fade; notes and files are none."""
    return sum(loss.before not in (NOTE, ON_SHELF) for loss in change.forgot)


def one_line_kept(line: str, width: int) -> str:
    """Return a line cut to the terminal's width, its columns kept."""
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def _day(opened: OpenKit, change: "LogEntry") -> str:
    return datetime.fromisoformat(change.time).astimezone(opened.zone).strftime("%Y-%m-%d %H:%M")


def _words(change: "LogEntry", names: "Mapping[str, str]") -> str:
    words = one_line(change.called(names))
    if not words.startswith(UNTITLED) and PURGED not in words:
        # the title says which chat it is
        words = words.replace(f" ({change.session})", "", 1)
    if not change.forgot:
        return words
    freed = sum(loss.tokens_before - loss.tokens_after for loss in change.forgot)
    memories = _count_memories(change)
    faded = f"{memories:,} faded, " if memories > 1 else ""
    return f"{words}  ({faded}{freed:,} tokens let go)"
