"""Code fences in a reply: those that wrap the answer, and those that belong to it."""

import re
from collections.abc import Sequence

from reel_cli.core.frozen import frozen

_FENCE = re.compile(r"[ \t>]{0,40}(`{3,}|~{3,})[ \t]*([\w+-]{0,40})[ \t]*")


@frozen
class Fence:
    """One fence: its opening line, its closing line (None where it is never closed)."""

    first: int
    last: int | None

    def holds(self, line: int) -> bool:
        """Return whether the line is inside the fence."""
        return self.first < line and (self.last is None or line < self.last)


@frozen
class _Mark:
    line: int
    ticks: str
    indent: int
    named: bool


def is_fence(line: str) -> bool:
    """Return whether the line opens or closes a code fence."""
    return ("```" in line or "~~~" in line) and bool(_FENCE.fullmatch(line))


def find_fences(lines: Sequence[str], first_label: int) -> tuple[Fence | None, list[Fence]]:
    """Return the fence around the whole answer, if any, and the other fences, in order.

    A fence is around the whole when it opens before the first label and what lies between it and
    the last fence line, or the end, pairs up by itself.
    """
    marks = [
        _Mark(number, found[1], found.start(1), bool(found[2]))
        for number, line in enumerate(lines)
        if ("```" in line or "~~~" in line) and (found := _FENCE.fullmatch(line))
    ]
    if marks and marks[0].line < first_label:
        inner = marks[1:]
        if inner and not inner[-1].named and inner[-1].line > first_label and _pairs_up(inner[:-1]):
            return Fence(marks[0].line, inner[-1].line), _pair(inner[:-1])
        if len(inner) % 2 == 0 and _pairs_up(inner):
            return Fence(marks[0].line, None), _pair(inner)
    return None, _pair(marks)


def _pairs_up(marks: Sequence[_Mark]) -> bool:
    return all(fence.last is not None for fence in _pair(marks))


def _pair(marks: Sequence[_Mark]) -> list[Fence]:
    found: list[Fence] = []
    opened: _Mark | None = None
    for mark in marks:
        if opened is None:
            opened = mark
        elif not mark.named and mark.ticks.startswith(opened.ticks) and mark.indent <= opened.indent + 1:
            found.append(Fence(opened.line, mark.line))
            opened = None
    if opened is not None:
        found.append(Fence(opened.line, None))
    return found
