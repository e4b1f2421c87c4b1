"""Code blocks in Markdown text: what stands in one is quoted, whatever it looks like."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it stands in a code block; a fence that is never closed opens none."""
    inside = [False] * len(lines)
    opened: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if not fence:
            continue
        if opened is None:
            if fence[1][0] == "~" or "`" not in fence[2]:
                opened = index, fence[1]
        elif fence[1].startswith(opened[1]) and not fence[2].strip():
            inside[opened[0] : index + 1] = [True] * (index + 1 - opened[0])
            opened = None
    return inside
