"""Drift at the terminal: a sparkline and a table, the persona's word beside the number."""

from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.cli.console import columns
from reel_cli.flows.drift import list_moved
from reel_cli.model.drift import FAR, OFF, Standing
from reel_cli.model.moment import day_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.drift import DriftRow

BARS = "▁▂▃▄▅▆▇█"
TOP = 2.0
"""From this distance on a bar is at its highest."""
UNKNOWN = "·"
MARK = "≠"
"""Stands where the persona's word and the number disagree."""
SHOWN = 12
"""So many sessions are shown in the table, the newest."""


def drift_json(rows: "Sequence[DriftRow]") -> "list[dict[str, Any]]":
    """Each session as JSON values, oldest first."""
    return [
        {
            "session": row.session,
            "replies": row.measure.replies,
            "words": row.measure.words,
            "standing": row.measure.standing.value,
            "from_earlier": _rounded(row.measure.earlier),
            "from_exemplars": _rounded(row.measure.exemplars),
            "moved": [one.told for one in row.measure.moved or row.measure.moved_from_exemplars],
            "said": row.said or None,
            "disagrees": row.disagrees,
            "checkpoint": row.checkpoint or None,
        }
        for row in rows
    ]


def _rounded(distance: float | None) -> float | None:
    return None if distance is None else round(distance, 2)


def show_drift(opened: "OpenKit", name: str, rows: "Sequence[DriftRow]") -> None:
    """Show all sessions as a sparkline, the newest in a table."""
    console = opened.console
    if not rows:
        console.result(f"{name}. Nothing is recorded yet.")
        return
    intro = (
        f"How {name} sounds, held against the sessions before: 1 is an ordinary difference, below {OFF}"
        f" is usual, from {FAR} on far."
    )
    parts = [console.wrap(intro, console.out), spark(rows, columns(console.out))]
    shown = rows[-SHOWN:]
    parts.append(_table(opened, shown))
    if len(rows) > len(shown):
        earlier = len(rows) - len(shown)
        parts.append(f"{earlier:,} earlier {'session' if earlier == 1 else 'sessions'}:  --json")
    if any(row.disagrees for row in rows):
        parts.append(console.wrap(f"{MARK}  {name}'s own word and the number disagree.", console.out))
    console.result("\n\n".join(parts))


def spark(rows: "Sequence[DriftRow]", width: int) -> str:
    """The distances as bars, the newest last, as many as fit; a dot where there is nothing to tell."""
    bars = ""
    for row in rows[-width:]:
        far = row.measure.earlier
        bars += UNKNOWN if far is None else BARS[min(int(far / TOP * len(BARS)), len(BARS) - 1)]
    return bars


def _table(opened: "OpenKit", rows: "Sequence[DriftRow]") -> str:
    console = opened.console
    name = opened.snapshot.settings.name if opened.past is None else opened.past.settings.name
    cells = [
        (
            row.session,
            f"{row.measure.replies:,}",
            "" if row.measure.earlier is None else f"{row.measure.earlier:.1f}",
            row.measure.standing.value,
            _moved(row),
            row.said,
            MARK if row.disagrees else "",
        )
        for row in rows
    ]
    header = ("session", "replies", "apart", "", "what moved", f"{name} said", "")
    table = console.table(header, cells, right=(1, 2))
    room = columns(console.out)
    if not console.out.isatty() or max(map(len, table.splitlines())) <= room:
        return table
    lines = []
    for row, (_, replies, apart, standing, moved, said, mark) in zip(rows, cells, strict=True):
        when = day_in_words(date.fromisoformat(row.session[:10]))
        told = [f"{when}: {standing}{f' ({apart})' if apart else ''}", f"{replies} replies"]
        told += [part for part in (moved, said and f"{name} said {said} {mark}".rstrip()) if part]
        lines.append(console.wrap(", ".join(told), console.out, hang="  "))
    return "\n".join(lines)


def _moved(row: "DriftRow") -> str:
    """What moved, where there is something to tell."""
    found = row.measure
    if found.standing is Standing.SHORT:
        return ""
    return list_moved(found.moved or found.moved_from_exemplars)
