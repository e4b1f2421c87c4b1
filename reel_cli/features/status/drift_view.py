"""Drift at the terminal: a sparkline and a table, the persona's word beside the number."""

from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.core.moment import day_in_words
from reel_cli.features.page.drift.measure import FAR, OFF, TOLD, SessionDrift, list_moved
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.page.drift.sessions import DriftRow
    from reel_cli.terminal.open_kit import OpenKit

BARS = "▁▂▃▄▅▆▇█"
TOP = 2.0
"""Distance from which a bar is at its highest."""
UNKNOWN = "·"
SPARK = "The chats, oldest first (a dot: too early or too little to tell):"
MARK = "≠"
"""Sign that the persona's word and the number disagree."""
IN_SHORT = {SessionDrift.EARLY: "too early", SessionDrift.SHORT: "too little"}
"""Short forms for a column without much room."""
SHOWN = 12
"""Maximum number of sessions in the table, the newest."""


def drift_json(rows: "Sequence[DriftRow]") -> "list[dict[str, Any]]":
    """Return each session as JSON values, oldest first."""
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
        f"How {name} sounds, held against the chats before: 1 is an ordinary difference, below {OFF}"
        f" is usual, from {FAR} on far."
    )
    parts = [console.wrap(intro, console.out)]
    if any(row.measure.earlier is not None for row in rows):
        # alone, a row of dots and bars says nothing to who hears it
        parts.append(f"{SPARK}\n{spark(rows, columns(console.out))}")
    shown = rows[-SHOWN:]
    parts.append(_table(opened, name, shown))
    if len(rows) > len(shown):
        earlier = len(rows) - len(shown)
        parts.append(f"{earlier:,} earlier {'chat' if earlier == 1 else 'chats'}:  --json")
    if any(row.disagrees for row in rows):
        parts.append(console.wrap(f"{MARK}  {name}'s own word and the number disagree.", console.out))
    console.result("\n\n".join(parts))


def spark(rows: "Sequence[DriftRow]", width: int) -> str:
    """Return the distances as bars, newest last, as many as fit; a dot for nothing to show."""
    bars = ""
    for row in rows[-width:]:
        far = row.measure.earlier
        bars += UNKNOWN if far is None else BARS[min(int(far / TOP * len(BARS)), len(BARS) - 1)]
    return bars


def _table(opened: "OpenKit", name: str, rows: "Sequence[DriftRow]") -> str:
    """Return the rows in columns, with fewer details on a narrow terminal; else as sentences."""
    console = opened.console
    room = columns(console.out)
    for most in (TOLD, 1):
        cells = [_cells(row, most) for row in rows]
        heads = ("session", "replies", "apart", "standing", "what moved", f"{name} said")
        # a column in which nothing stands is left out
        used = [at for at in range(len(heads)) if any(row[at] for row in cells)]
        right = [place for place, at in enumerate(used) if at in (1, 2)]
        picked = [[row[at] for at in used] for row in cells]
        table = console.table([heads[at] for at in used], picked, right=right)
        if not console.out.isatty() or max(map(len, table.splitlines())) <= room:
            return table
    return "\n".join(console.wrap(_sentence(name, row), console.out, hang="  ") for row in rows)


def _cells(row: "DriftRow", most: int) -> tuple[str, ...]:
    found = row.measure
    apart = "" if found.earlier is None else f"{found.earlier:.1f}"
    standing = IN_SHORT.get(found.standing, found.standing.value)
    return row.session, f"{found.replies:,}", apart, standing, _moved(row, most), _word(row)


def _sentence(name: str, row: "DriftRow") -> str:
    found = row.measure
    when = day_in_words(date.fromisoformat(row.session[:10]))
    apart = "" if found.earlier is None else f" ({found.earlier:.1f})"
    replies = f"{found.replies:,} {'reply' if found.replies == 1 else 'replies'}"
    told = [f"{when}: {found.standing.value}{apart}", replies, _moved(row, TOLD)]
    told += [f"{name} said {_word(row)}"] if row.said else []
    return ", ".join(part for part in told if part)


def _word(row: "DriftRow") -> str:
    """Return the persona's word, marked if the number contradicts it."""
    return f"{row.said} {MARK}" if row.disagrees else row.said


def _moved(row: "DriftRow", most: int) -> str:
    """Return what moved; "" if too little was said."""
    found = row.measure
    if found.standing is SessionDrift.SHORT:
        return ""
    return list_moved(found.moved or found.moved_from_exemplars, most)
