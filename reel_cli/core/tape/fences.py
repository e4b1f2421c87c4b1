"""Code blocks in Markdown text: what stands in one is quoted, whatever it looks like."""

import re
from collections.abc import Callable, Sequence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is in a code block; an unclosed fence opens none."""
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


FENCE_LINE = re.compile(r"(?m)^ {0,3}(?:```|~~~)")
"""A line that opens or closes a code block, as a quick look tells it."""


def cut_out(
    text: str, opened: re.Pattern[str], closing: Callable[[re.Match[str]], str]
) -> tuple[str, list[tuple[re.Match[str], str]]]:
    """Return the text without its blocks, and each block's opening with its contents.

    `closing` says how a block that was opened so ends; one without its end takes all that follows. What
    looks like an opening inside a code block opens nothing.
    """
    outside: list[str] = []
    blocks: list[tuple[re.Match[str], str]] = []
    at = counted = fences = 0
    for found in opened.finditer(text):
        if found.start() < at:
            continue
        fences += len(FENCE_LINE.findall(text, max(at, counted), found.start()))
        counted = found.start()
        if fences % 2:
            continue
        end = closing(found)
        close = text.find(end, found.end())
        outside.append(text[at : found.start()])
        blocks.append((found, text[found.end() : close if close >= 0 else len(text)]))
        at = close + len(end) if close >= 0 else len(text)
    if not blocks:
        return text, []
    rest = [*outside[1:], text[at:]]
    return "\n\n".join(p for p in (outside[0].rstrip(), *(part.strip() for part in rest)) if p), blocks
