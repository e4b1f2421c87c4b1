"""The two sides of what does not agree: where each stands, whether it still does, how it is told."""

from reel_cli.core.files.kit_files import find_value_kind
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID, memory_path
from reel_cli.core.values.review import Side

WORKING_MEMORY = "ring2"
"""Name of working memory as the place of an item."""


def told_side(side: Side) -> str:
    """Return one side in a line: its place, its day, its words."""
    if find_value_kind(side.where) is not None:
        where = "a fact"
    elif side.where == WORKING_MEMORY:
        where = "where things stand"
    else:
        where = "a memory" if MEMORY_ID.fullmatch(side.where) else side.where
    day = read_day(side.day)
    when = f" ({day_in_words(day)})" if day is not None else ""
    return f'{where}{when}: "{one_line(side.says)}"'


def stands(snapshot: Snapshot, side: Side) -> bool:
    """Return whether the words of one side are still held there."""
    kind = find_value_kind(side.where)
    if kind is not None and kind.stands is not None:
        return kind.stands(snapshot, side)
    if side.where == WORKING_MEMORY:
        text = snapshot.text(WORKING) or ""
    else:
        line = snapshot.index.lines.get(side.where)
        text = f"{snapshot.text(memory_path(side.where)) or ''}\n{line.description if line else ''}"
    return _folded(side.says.removesuffix("…")) in _folded(text)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
