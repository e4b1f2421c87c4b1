"""Files as a prompt shows them: whole where there is room, else beginning, outline and end."""

import re
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.shelf.summaries.reply import Paper
from reel_cli.features.shelf.summaries.sources import SummarizedFile, text_reader

LONGEST_LINE = 4_000
"""Characters of a longer line that are shown, from its beginning."""
MOST_OUTLINE = 60
LARGE = 4 * 1024 * 1024
"""Bytes of a file above which its middle is not read."""
_READ = 65_536
_HEADING = re.compile(
    r"#{1,6}[ \t]+\S.*|(?:async )?def \w+.*|class \w+.*|(?:export )?(?:async )?function \w+.*"
    r"|(?:pub )?(?:fn|struct|enum|impl|trait) \w+.*|\[[^\]]{1,60}\][ \t]*"
)
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file as it is shown; `left` is how many of its lines are left out."""

    paper: Paper
    left: int = 0


def show_papers(sources: Sequence[SummarizedFile], room: int) -> list[ShownFile]:
    """Return all of the files in `room` characters: short ones whole, the rest share what is left."""
    shares: dict[str, int] = {}
    rest, left = room, len(sources)
    for taken in sorted(sources, key=lambda one: one.size):
        shares[taken.path] = min(taken.size + 1, rest // left)
        rest -= shares[taken.path]
        left -= 1
    return [show_paper(taken, shares[taken.path]) for taken in sources]


def show_paper(taken: SummarizedFile, room: int) -> ShownFile:
    """Return one file in `room` characters; it is read once, and only the shown parts are kept.

    Of a very long one only both ends are read.
    """
    if taken.size > max(LARGE, 16 * room) and not _is_wide(taken):
        return _show_ends(taken, room)
    head: list[str] = []
    tail: deque[tuple[int, str]] = deque()
    outline: list[tuple[int, str]] = []
    spent = kept = number = 0
    whole = taken.size <= room
    first, last = room * 6 // 10, room * 25 // 100
    full = False
    with closing(text_reader(taken)) as opened:
        while line := opened.readline(_READ):
            number += 1
            text = _shown_line(line)
            while len(line) == _READ and not line.endswith("\n"):
                # the rest of a line of any length is skipped
                line = opened.readline(_READ)
            if whole or (not full and spent + len(text) < first):
                head.append(text)
                spent += len(text) + 1
                continue
            full = True
            tail.append((number, text))
            kept += len(text) + 1
            if len(outline) < MOST_OUTLINE and _HEADING.fullmatch(text[:200]):
                outline.append((number, one_line(text, 100)))
            while kept > last and tail:
                kept -= len(tail.popleft()[1]) + 1
    about = f"{tell_many(number, 'line')}, {taken.size:,} bytes"
    name = one_line(taken.path)
    start, end = len(head) + 1, tail[0][0] - 1 if tail else number
    if end < start:
        return ShownFile(Paper(name, about, "\n".join([*head, *(text for _, text in tail)])))
    inside = [f"  line {at:,}: {text}" for at, text in outline if at <= end]
    gap = f"(Lines {start:,} to {end:,} are left out here."
    outline_of = ["Their headings:", *inside] if inside else []
    middle = ["", gap, *outline_of, "What follows is the end of it.)", ""]
    text = "\n".join([*head, *middle, *(text for _, text in tail)])
    return ShownFile(Paper(name, f"{about}, not all of them here", text), end - start + 1)


def _is_wide(taken: SummarizedFile) -> bool:
    with closing(taken.open()) as opened:
        return opened.read(2) in (b"\xff\xfe", b"\xfe\xff")


def _show_ends(taken: SummarizedFile, room: int) -> ShownFile:
    """Return the beginning and the end of a file, without reading what lies between."""
    first, last = room * 6 // 10, room * 25 // 100
    with closing(taken.open()) as opened:
        head = opened.read(first).decode("utf-8-sig", "replace")
        opened.seek(taken.size - last)
        tail = opened.read(last).decode("utf-8", "replace")
    begins = [_shown_line(line) for line in head.split("\n")]
    # both are cut in the middle of a line
    begins = begins[:-1] or begins
    ends = [_shown_line(line) for line in tail.removesuffix("\n").split("\n")][1:]
    start, end = len(begins) + 1, taken.lines - len(ends)
    about = f"{tell_many(taken.lines, 'line')}, {taken.size:,} bytes, not all of them here"
    gap = f"(Lines {start:,} to {end:,} are left out here. What follows is the end of it.)"
    if end < start:
        # the lines are so long that none of them is whole
        gap = "(What lies between is left out here. What follows is the end of it.)"
    text = "\n".join([*begins, "", gap, "", *ends])
    return ShownFile(Paper(one_line(taken.path), about, text), max(1, end - start + 1))


def _shown_line(line: str) -> str:
    plain = _CONTROL.sub(" ", line.rstrip("\r\n"))
    if len(plain) <= LONGEST_LINE:
        return plain
    return f"{plain[:LONGEST_LINE]} (… the line goes on)"
