"""`reel diff`: what was learnt, changed and lost between two moments."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.errors import UsageError
from reel_cli.core.ports import list_feature_files
from reel_cli.features.table import DIFF_NOW
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.kit.moment_of_kit import KitMoment
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.features.history.diff import Difference, Side
    from reel_cli.features.history.diff_memories import MemoryChange
    from reel_cli.terminal.open_kit import OpenKit

KINDS = ("new", "compressed", "restored", "pruned", "dormant", "gone", "edited")
"""Kinds of changes to a memory, as the JSON names them."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("diff", epilog="Example:  reel diff 2026-02-01 2026-03-01")(diff)


def diff(
    ctx: typer.Context,
    start: Annotated[
        str | None,
        typer.Argument(
            metavar="[FROM]",
            show_default=False,
            help="From the end of this day, or this commit; if not given, before the last chat.",
        ),
    ] = None,
    end: Annotated[
        str | None,
        typer.Argument(
            metavar="[TO]",
            show_default=False,
            help="To the end of this day, or this commit; if not given, now.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what was learnt, changed and let go between two moments.

    Memories are counted as they are packed, with title and day; the ledger counts their text alone.
    """
    from reel_cli.core.kit.moment_of_kit import resolve_at, resolve_last_session
    from reel_cli.features.history.diff import compare
    from reel_cli.features.history.diff_view import render_difference

    opened: OpenKit = ctx.obj.open_kit()
    name = opened.root.resolve().name
    if start is not None:
        early = resolve_at(opened.repository, start, opened.zone, name)
    else:
        newest = opened.snapshot.sessions[-1] if opened.snapshot.sessions else None
        early = resolve_last_session(opened.repository, newest, opened.zone, name)
    late = resolve_at(opened.repository, end, opened.zone, name) if end is not None else None
    if late is not None:
        _require_order(opened, early, late)
    found = compare(
        opened.require_repository(),
        _side(opened, early),
        _side(opened, late),
        late.commit if late is not None else _head(opened),
    )
    if as_json:
        opened.console.result_json(difference_json(found))
        return
    opened.console.result(render_difference(opened, found))


def _require_order(opened: "OpenKit", early: "KitMoment", late: "KitMoment") -> None:
    from reel_cli.core.git.commit_tree import is_before

    turned = is_before(opened.require_repository(), late.commit, early.commit)
    if early.commit != late.commit and turned:
        message = f"{early.asked} is later than {late.asked}."
        raise UsageError(message, hint=f"reel diff {late.asked} {early.asked}")


def _head(opened: "OpenKit") -> str:
    from reel_cli.core.git.revisions import require_history

    return require_history(opened.repository, opened.root.name)[1]


def _side(opened: "OpenKit", then: "KitMoment | None") -> "Side":
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.features.history.diff import side_now, side_then

    repo = opened.require_repository()
    if then is None:
        return side_now(opened.root, repo, _head(opened))
    return side_then(PastGlance(CommitTree(repo, then.commit), opened.root.resolve().name, opened.root), then)


def difference_json(found: "Difference") -> dict[str, Any]:
    """Return a difference as JSON values (public contract)."""
    working, exemplars = found.working, found.exemplars
    return {
        "from": _moment(found.start),
        "to": _moment(found.end),
        "changes": found.changes,
        "uncommitted": found.uncommitted,
        "sessions": [{"session": one.session, "messages": one.after} for one in found.tape.sessions],
        "grown": [
            {"session": one.session, "before": one.before, "after": one.after}
            | ({"was": one.was} if one.was else {})
            for one in found.tape.grown
        ],
        "messages": found.tape.messages,
        "retracted": list(found.tape.retracted),
        "purged": [{"session": session, "messages": count} for session, count in found.tape.purged],
        "reinstated": list(found.tape.reinstated),
        "corrections": found.tape.corrections,
        "grown_up": found.tape.grown_up,
        "checkpoints": list(found.checkpoints),
        "memories": {kind: [_memory(one) for one in found.remembered(kind)] for kind in KINDS},
        "index": {
            "gained": [_line(line) for line in found.index.gained],
            "lost": [_line(line) for line in found.index.lost],
            "changed": [_line(line) for line in found.index.changed],
        },
        "working": {
            "threads": asdict(working.threads),
            "open_loops": asdict(working.loops),
            "state": asdict(working.state) if working.state else None,
            "calibration": asdict(working.calibration) if working.calibration else None,
        },
        **_kinds(found, DIFF_NOW),
        "ring0": [
            {"path": one.path, "added": one.added, "removed": one.removed, "ratified_by": list(one.by)}
            for one in found.ring0
        ],
        "exemplars": {
            "added": list(exemplars.added),
            "removed": list(exemplars.removed),
            "edited": list(exemplars.edited),
            "anchor": asdict(exemplars.anchor) if exemplars.anchor else None,
            "activated": list(exemplars.activated),
            "rested": list(exemplars.rested),
            "ratified_by": list(exemplars.by),
        },
        "settings": [asdict(one) for one in found.settings],
        **_kinds(found, found.other_kinds),
        "tokens": {
            ring: {"before": before, "after": after} for ring, (before, after) in found.tokens.items()
        },
    }


def _kinds(found: "Difference", keys: "Sequence[str]") -> dict[str, object]:
    """Return the differences in the files of features, with empty ones for features without files."""
    empty = {key: value for _, file in list_feature_files() for key, value in file.no_diff.items()}
    there = {key: found.kinds[key].value for key in keys if key in found.kinds}
    return {key: there.get(key, empty.get(key)) for key in keys if key in there or key in empty}


def _moment(then: "KitMoment | None") -> dict[str, str | None]:
    if then is None:
        return {"commit": None, "time": None}
    return {"commit": then.commit, "time": then.recorded.isoformat()}


def _memory(one: "MemoryChange") -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title,
        "from": one.before or None,
        "to": one.after or None,
        "tokens_before": one.tokens_before,
        "tokens_after": one.tokens_after,
        "by_hand": one.by_hand,
        "reason": one.reason,
        "was": one.was or None,
    }


def _line(line: "IndexLine") -> dict[str, Any]:
    return {"id": line.id, "description": line.description, "anchor": line.anchor, "pruned": line.pruned}
