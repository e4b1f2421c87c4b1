"""`reel status`: how the kit stands, what is due, what waits for a word."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.cli.options import AsJson, At
from reel_cli.errors import ExitCode, UsageError
from reel_cli.model.change import one_line
from reel_cli.model.moment import day_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.cli.console import Console
    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.backup import Backup
    from reel_cli.flows.due import Due
    from reel_cli.flows.status import Status
    from reel_cli.flows.upkeep import Around
    from reel_cli.model.stream import Fullness

RESOLUTIONS = {"L1": "page", "L2": "digest", "L3": "marker", "L4": "tag"}
"""What a memory of each level is called on screen."""
COMMANDS = {
    "checkpoint": "reel checkpoint",
    "consolidation": "reel consolidate",
    "notes": "reel maintain",
    "maintenance": "reel maintain",
    "dream": "reel dream start",
    "shelf": "reel shelf gc",
    "backup": "reel backup FILE",
    "summary": "reel shelf summarize FILE",
}
"""What does the thing that is due."""
WORTH_A_BACKUP = 10
"""From so many sessions on, that there is no backup is said."""
SHOWN = 5
"""So many of a list are shown one by one; more are counted."""


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
        bool, typer.Option("--drift", help="Show how far each session sounds from the ones before.")
    ] = False,
    pulse: Annotated[
        bool,
        typer.Option("--pulse", help="Show how often it recalls, what broke the thread, if a dream is due."),
    ] = False,
    metrics: Annotated[
        bool,
        typer.Option("--metrics", help="Show how well what must be known is known, and what is full."),
    ] = False,
    breath: Annotated[
        bool,
        typer.Option("--breath", help="Show how full the window was, what came in, and what went out."),
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="With --breath: as a picture, in this file.")
    ] = None,
) -> None:
    """Show what the kit holds, what is due, and what waits for your word."""
    if svg is not None and not breath:
        message = "--svg draws what --breath shows."
        raise UsageError(message, hint="add --breath")
    if breath:
        from reel_cli.cli.breath import status_breath  # noqa: PLC0415

        status_breath(ctx.obj.open_kit(), at, svg=svg, as_json=as_json)
        return
    if metrics:
        from reel_cli.cli.metrics_view import show_metrics  # noqa: PLC0415

        show_metrics(ctx.obj.open_kit(), at, as_json=as_json)
        return
    if drift:
        _status_drift(ctx.obj.open_kit(), at, as_json=as_json)
        return
    if pulse:
        from reel_cli.cli.pulse import status_pulse  # noqa: PLC0415

        status_pulse(ctx.obj.open_kit(), at, as_json=as_json)
        return
    from reel_cli.cli.bundle import told_then  # noqa: PLC0415
    from reel_cli.cli.fresh_clone import note_fresh_clone  # noqa: PLC0415
    from reel_cli.flows.status import read_status, read_status_then  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    if due:
        _answer_due(opened, at, as_json=as_json)
        return
    opened.look_back(at)
    if not as_json:
        note_fresh_clone(opened)
    past = opened.past
    around = _around(opened)
    found = read_status(opened.root, around) if past is None else read_status_then(past)
    backup = around.backup if past is None else None
    live = _live(opened) if past is None else None
    if as_json:
        kept = (
            {"at": backup.at, "file": backup.file, "days": backup.days, "current": backup.current}
            if backup
            else None
        )
        stream = {"stream": live[1].as_json(live[0]) if live is not None else None}
        opened.console.result_json({**_as_json(found), "backup": kept, **stream, **told_then(opened)})
    else:
        _show(opened, found, backup, live)


def _live(opened: "OpenKit") -> "tuple[str, Fullness] | None":
    """The chat that is followed just now, and how full its window is; None where none is."""
    if not (opened.state.folder / "stream.json").is_file():
        return None
    from reel_cli.cli.gauging import live_stream  # noqa: PLC0415

    return live_stream(opened)


def _around(opened: "OpenKit") -> "Around":
    """What is known beside the kit's files, for what is due by time and by pressure."""
    from reel_cli.cli.beside import look_beside  # noqa: PLC0415
    from reel_cli.cli.ready import count_ready  # noqa: PLC0415
    from reel_cli.cli.to_collect import list_shelf_due  # noqa: PLC0415
    from reel_cli.flows.backup import last_backup  # noqa: PLC0415
    from reel_cli.flows.upkeep import Around  # noqa: PLC0415
    from reel_cli.kit.maintenance import last_pass  # noqa: PLC0415

    state, repository, now = opened.state, opened.repository, opened.context.now()
    return Around(
        now,
        repository,
        last_backup(state, repository, now),
        last_pass(state) or "",
        lambda snapshot: count_ready(opened, snapshot),
        lambda: list_shelf_due(opened),
        lambda: look_beside(opened),
    )


def _answer_due(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    """Say what is due and nothing else, for cron and a shell's prompt."""
    from reel_cli.flows.status import read_due, read_status_then  # noqa: PLC0415

    if at is not None:
        opened.look_back(at)
    found = (
        read_due(opened.root, _around(opened)) if opened.past is None else read_status_then(opened.past).due
    )
    if as_json:
        opened.console.result_json({"due": _due_as_json(found)})
    elif found:
        opened.console.result("\n".join(_plain_due(opened, one) for one in found))
    if found:
        opened.console.flush()
        raise typer.Exit(int(ExitCode.MENDABLE))


def _plain_due(opened: "OpenKit", due: "Due") -> str:
    """One thing that is due, in one line; what was due then is nothing to do now."""
    command = due.command or COMMANDS.get(due.what, "")
    return f"{due.what}: {due.why}" + (f":  {command}" if command and opened.then is None else "")


def _due_as_json(found: "Sequence[Due]") -> list[dict[str, str]]:
    return [{"what": due.what, "why": due.why} for due in found]


def _status_drift(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    from reel_cli.cli.bundle import told_then  # noqa: PLC0415
    from reel_cli.cli.drift import drift_json, show_drift  # noqa: PLC0415
    from reel_cli.flows.drift import read_drift  # noqa: PLC0415
    from reel_cli.kit.glance import Glance  # noqa: PLC0415
    from reel_cli.kit.tree import WorkTree  # noqa: PLC0415

    opened.look_back(at)
    glance = opened.past or Glance(WorkTree(opened.root), opened.root.resolve().name, opened.root)
    name, rows = glance.settings.name, read_drift(glance)
    if as_json:
        opened.console.result_json({"name": name, "drift": drift_json(rows), **told_then(opened)})
    else:
        show_drift(opened, name, rows)


def _as_json(found: "Status") -> dict[str, Any]:
    return {
        "name": found.name,
        "sessions": len(found.sessions),
        "messages": found.messages,
        "memories": dict(found.memories),
        "exemplars": {
            "pool": len(found.pool),
            "active": list(found.active.active),
            "anchor": found.active.anchor,
        },
        "index": {"entries": found.entries, "stubs": found.stubs},
        "rings": {
            ring: {"tokens": share.tokens, "min": share.min, "max": share.max}
            for ring, share in found.rings.items()
        },
        "mature": found.mature,
        "mature_since": found.mature_since or None,
        "maturity": [
            {"criterion": c.criterion, "have": c.have, "need": c.need, "met": c.met} for c in found.maturity
        ],
        "due": _due_as_json(found.due),
        "dream": _dream_as_json(found),
        "review": [one.item for one in found.review],
        "uncommitted": list(found.uncommitted),
        "intake": {"waiting": found.noticed},
        "unread_settings": [key for key, _ in found.unread],
    }


def _dream_as_json(found: "Status") -> dict[str, Any] | None:
    dream = found.dream
    return dream and {"state": dream.state, "left": dream.left, "context": dream.context}


def _show(
    opened: "OpenKit", found: "Status", backup: "Backup | None", live: "tuple[str, Fullness] | None"
) -> None:
    console = opened.console
    parts = [console.wrap(_told(found), console.out), _rings(opened, found)]
    parts += [console.wrap(live[1].told(live[0]), console.out) if live is not None else ""]
    parts += [console.wrap(_on_desk(opened), console.out)]
    parts += [_section(opened, "Due" if opened.then is None else "Due then", _due_lines(opened, found.due))]
    parts += [console.wrap(_noticed(found), console.out) if opened.then is None else ""]
    parts += [console.wrap(_unread(found), console.out)]
    parts += [_section(opened, "Dreaming", _dreaming(opened, found))]
    waiting = "Waiting for your word:  reel review" if opened.then is None else "Waiting for your word then"
    parts += [_section(opened, waiting, _few([w.item for w in found.review]))]
    covered = {one.path for one in found.review} | {one.item for one in found.review}
    rest = [path for path in found.uncommitted if path not in covered]
    parts += [_section(opened, "Not committed", _few(rest))]
    parts += [_section(opened, "Until it is grown up", _growing(opened, found))]
    parts += [console.wrap(_backed_up(found, backup), console.out)]
    console.result("\n\n".join(part for part in parts if part))


def _on_desk(opened: "OpenKit") -> str:
    """What lies on the shelf, in a line; nothing where there is no shelf."""
    from reel_cli.flows.shelf_pack import count_shelf  # noqa: PLC0415

    counts = count_shelf(opened.root, opened.past)
    if counts is None:
        return ""
    pinned = f", {counts.pinned:,} pinned" if counts.pinned else ""
    rest = counts.files - counts.hot
    resting = f"; {rest:,} {'rests' if rest == 1 else 'rest'}" if rest else ""
    return f"On its desk: {_many(counts.files, 'file')}{pinned}{resting}."


def _told(found: "Status") -> str:
    gone = f"; {found.taken_back:,} more taken back" if found.taken_back else ""
    if not found.sessions:
        told = f"{_many(found.taken_back, 'session')} taken back, none counts"
        return f"{found.name}. {told if gone else 'Nothing is recorded yet'}."
    last = day_in_words(date.fromisoformat(found.sessions[-1][:10]))
    sessions, messages = _many(len(found.sessions), "session"), _many(found.messages, "message")
    return f"{found.name}: {sessions}, {messages}, the last on {last}{gone}."


def _backed_up(found: "Status", backup: "Backup | None") -> str:
    """How old the backup is; where there is none, a word on it once there is much to lose."""
    if backup is None:
        return "Not backed up yet:  reel backup FILE" if len(found.sessions) >= WORTH_A_BACKUP else ""
    days = backup.days
    ago = "today" if days == 0 else "yesterday" if days == 1 else f"{days or 0:,} days ago"
    if days is None:
        ago = "on a day ahead of the clock"
    since = "nothing was committed since" if backup.current else "there is more since"
    return f"Backed up {ago}; {since}."


def _rings(opened: "OpenKit", found: "Status") -> str:
    """How full each ring is, in the order of loading."""
    from reel_cli.cli.bundle import LABELS  # noqa: PLC0415

    console = opened.console
    notes = {"1": _voice(found), "3": _levels(found), "4": _lines(found)}
    rings = [ring for ring in LABELS if ring in found.rings]
    plain = [
        (
            LABELS[ring],
            f"{found.rings[ring].tokens:,}",
            f"{found.rings[ring].min:,}–{found.rings[ring].max:,}",
        )
        for ring in rings
    ]
    wide = [(*row, notes.get(ring, "")) for ring, row in zip(rings, plain, strict=True)]
    header = ("", "tokens", "range")
    table = console.table((*header, ""), wide, right=(1, 2))
    if _fits(console, table):
        return table
    told = (f"{LABELS[ring]}: {notes[ring]}" for ring in rings if ring in notes)
    return "\n".join(
        [console.table(header, plain, right=(1, 2)), *(console.wrap(line, console.out) for line in told)]
    )


def _fits(console: "Console", text: str, indent: int = 0) -> bool:
    if not console.out.isatty():
        return True
    from shutil import get_terminal_size  # noqa: PLC0415

    return max(map(len, text.splitlines())) + indent <= get_terminal_size().columns


def _voice(found: "Status") -> str:
    if not found.pool:
        return "no exemplar yet"
    active = len({*found.active.active, *filter(None, [found.active.anchor])}.intersection(found.pool))
    anchor = f", anchored by {found.active.anchor}" if found.active.anchor else ""
    return f"{active} of {_many(len(found.pool), 'exemplar')}{anchor}"


def _levels(found: "Status") -> str:
    kinds = [_many(number, RESOLUTIONS[level]) for level, number in found.memories.items() if number]
    return ", ".join(kinds) or "nothing yet"


def _lines(found: "Status") -> str:
    if not found.entries:
        return "nothing yet"
    stubs = f", {found.stubs:,} of them pruned" if found.stubs else ""
    return f"{_many(found.entries, 'line')}{stubs}"


def _due_lines(opened: "OpenKit", due: "Sequence[Due]") -> list[str]:
    """What is due, each with the command for it; what is due of many sessions, in one line."""
    missing = [one for one in due if one.what == "consolidation" and not one.command]
    rows = [
        (one.what, one.why, one.command or COMMANDS.get(one.what, "")) for one in due if one not in missing
    ]
    if missing:
        told = missing[0].why if len(missing) == 1 else f"no memory of {len(missing):,} sessions yet"
        place = len([one for one in due[: due.index(missing[-1])] if one not in missing])
        rows.insert(place, ("consolidation", told, COMMANDS["consolidation"]))
    if opened.then is not None:
        # what was due then is nothing to do now
        rows = [(what, why, "") for what, why, _ in rows]
    table = opened.console.table((), rows)
    if not rows or _fits(opened.console, table, 2):
        return table.splitlines()
    return [f"{what}: {why}" + (f":  {command}" if command else "") for what, why, command in rows]


def _noticed(found: "Status") -> str:
    """What waits to be decided, which the next page does."""
    if found.noticed is None:
        return "intake.yaml cannot be read, so nothing more is noted in it; why:  reel doctor"
    if not found.noticed:
        return ""
    what = "1 thing that was said" if found.noticed == 1 else f"{found.noticed:,} things that were said"
    return f"{what} may be worth keeping; the next page asks (intake.yaml)."


def _unread(found: "Status") -> str:
    """Settings that are none, so that nobody takes them for set."""
    if not found.unread:
        return ""
    key, near = found.unread[0]
    if len(found.unread) > 1:
        return f"Nothing reads {len(found.unread):,} keys of kit.yaml; which:  reel doctor"
    return f"Nothing reads {one_line(key, 60)} in kit.yaml" + (f"; did you mean {near}?" if near else ".")


def _dreaming(opened: "OpenKit", found: "Status") -> list[str]:
    """A dream that is not done, and a shared context that is out of date, each with what goes on with it."""
    dream = found.dream
    if dream is None:
        return []
    lines = []
    if dream.state != "done" and not (dream.state == "running" and any(d.what == "dream" for d in found.due)):
        told = "under way" if dream.state == "running" else "stopped"
        command = "reel dream next" if dream.state == "running" else "reel dream start"
        left = f", {_many(dream.left, 'session')} left" if dream.left else ""
        lines.append((f"A dream is {told}{left}", command))
    if dream.context == "stale" and (dream.has_context or dream.state != "running"):
        how = "out of date" if dream.has_context else "not there yet"
        lines.append((f"SHARED-CONTEXT.md is {how}", "reel dream context"))
    if opened.then is not None:
        return [told for told, _ in lines]
    shown: list[str] = []
    for told, command in lines:
        whole = f"{told}:  {command}"
        # a command stays in one piece
        shown += [whole] if _fits(opened.console, whole, 2) else [f"{told}:", f"  {command}"]
    return shown


def _growing(opened: "OpenKit", found: "Status") -> list[str]:
    """The cold start's checklist, until it is over."""
    if found.mature:
        return []
    rows = [(c.criterion, f"{c.have:,}", f"of {c.need:,}", "✓" if c.met else "") for c in found.maturity]
    return opened.console.table((), rows, right=(1,)).splitlines()


def _section(opened: "OpenKit", heading: str, lines: "Sequence[str]") -> str:
    if not lines:
        return ""
    console = opened.console
    return "\n".join([heading, *(_indented(console, line) for line in lines)])


def _indented(console: "Console", line: str) -> str:
    """A line under a heading; one that fits keeps its columns."""
    whole = f"  {line}"
    return whole if _fits(console, whole) else console.wrap(line, console.out, "  ")


def _few(names: "Sequence[str]") -> list[str]:
    if len(names) <= SHOWN + 1:
        return [one_line(name) for name in names]
    return [*map(one_line, names[:SHOWN]), f"and {len(names) - SHOWN:,} more"]


def _many(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
