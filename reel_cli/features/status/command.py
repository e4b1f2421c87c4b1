"""`reel status`: how the kit stands, what is due, what waits for a word."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ExitCode, UsageError
from reel_cli.features.status.view import COMMANDS, called, due_json, in_order, show_status, status_json
from reel_cli.terminal.options import AsJson, At

if TYPE_CHECKING:
    from reel_cli.core.values.due import Due
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("status", epilog="Example:  reel status")(status)


def status(
    ctx: typer.Context,
    as_json: AsJson = False,
    at: At = None,
    due: Annotated[
        bool,
        typer.Option("--due", help="Only what is due, one line each; exits with 1 where something is."),
    ] = False,
    drift: Annotated[
        bool, typer.Option("--drift", help="Show how far each chat sounds from the ones before.")
    ] = False,
    pulse: Annotated[
        bool,
        typer.Option("--pulse", help="Show how often it recalls, what broke the thread, if a dream is due."),
    ] = False,
    metrics: Annotated[
        bool,
        typer.Option("--metrics", help="Show how good its memory is by each measure, and what is full."),
    ] = False,
    breath: Annotated[
        bool,
        typer.Option("--breath", help="Show how full the window was, what came in, and what went out."),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show how full it is, and when memories begin to fade.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="With --breath: as a picture, in this file.")
    ] = None,
) -> None:
    """Show what the kit holds, what is due, and what waits for you."""
    if svg is not None and not breath:
        message = "--svg draws what --breath shows."
        raise UsageError(message, hint="add --breath")
    if breath:
        from reel_cli.features.status.breath_view import status_breath

        status_breath(ctx.obj.open_kit(reading=True), at, svg=svg, as_json=as_json)
        return
    if metrics:
        from reel_cli.features.status.metrics_view import show_metrics

        show_metrics(ctx.obj.open_kit(reading=True), at, as_json=as_json)
        return
    if drift:
        _status_drift(ctx.obj.open_kit(reading=True), at, as_json=as_json)
        return
    if pulse:
        from reel_cli.core.ports import bring

        for show in bring("pulse"):
            show(ctx.obj.open_kit(reading=True), at, as_json=as_json)
        return
    from reel_cli.features.status.uncommitted_files import UncommittedFiles

    opened: OpenKit = ctx.obj.open_kit(reading=True)
    repo = opened.repository
    edits = UncommittedFiles(opened.root, repo) if repo is not None and at is None and not due else None
    from reel_cli.features.status.survey import read_status, read_status_then
    from reel_cli.features.status.upkeep import gather_facts
    from reel_cli.terminal.kit_warnings import list_warnings, note_fresh_clone, warnings_json
    from reel_cli.terminal.status_parts import StatusScope, find_parts

    if due:
        _answer_due(opened, at, as_json=as_json)
        return
    opened.look_back(at)
    if not as_json:
        note_fresh_clone(opened)
    past = opened.past
    around = gather_facts(opened)
    with opened.console.waiting("Looking"):
        found = read_status(opened.root, around, edits) if past is None else read_status_then(past)
    backup = around.backup if past is None else None
    scope = StatusScope(opened, found.snapshot, not found.mature, found.due)
    parts = find_parts(scope)
    if as_json:
        kept = (
            {"at": backup.at, "file": backup.file, "days": backup.days, "current": backup.current}
            if backup
            else None
        )
        told = {**status_json(found), **parts.json(scope), "backup": kept}
        told["warnings"] = warnings_json(list_warnings(opened, found.stamps))
        opened.console.result_json({**in_order(told), **opened.told_then()})
    else:
        show_status(found, backup, scope, parts, every=every)


def _answer_due(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    """Print what is due and nothing else, for cron and a shell's prompt."""
    from reel_cli.features.status.survey import read_due, read_status_then
    from reel_cli.features.status.upkeep import gather_facts

    if at is not None:
        opened.look_back(at)
    else:
        from reel_cli.core.kit.kit_damage import find_damage
        from reel_cli.terminal.kit_warnings import watch_tape

        # a change of the tape that only this command saw is remembered once it is put right
        watch_tape(opened, find_damage(opened.root, opened.repository, quick=True))
    found = (
        read_due(opened.root, gather_facts(opened))
        if opened.past is None
        else read_status_then(opened.past).due
    )
    if as_json:
        opened.console.result_json({"due": due_json(found)})
    elif found:
        opened.console.result("\n".join(tell_due(opened, one) for one in found), whole=True, steps=True)
    if found:
        opened.console.flush()
        raise typer.Exit(int(ExitCode.MENDABLE))


def tell_due(opened: "OpenKit", due: "Due") -> str:
    """Return one due thing, in one line; for the past, without a command."""
    command = due.command or COMMANDS.get(due.what, "")
    return f"{called(due)}: {due.why}" + (f":  {command}" if command and opened.then is None else "")


def _status_drift(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.glance import Glance
    from reel_cli.features.page.drift.sessions import read_drift
    from reel_cli.features.status.drift_view import drift_json, show_drift

    opened.look_back(at)
    glance = opened.past or Glance(WorkTree(opened.root), opened.root.resolve().name, opened.root)
    name, rows = glance.settings.name, read_drift(glance)
    if as_json:
        opened.console.result_json({"name": name, "drift": drift_json(rows), **opened.told_then()})
    else:
        show_drift(opened, name, rows)
