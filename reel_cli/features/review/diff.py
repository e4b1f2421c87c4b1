"""Diff of what waits, for a person to read and a program to apply."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from reel_cli.core.values.change import capital, one_line
from reel_cli.features.review.proposals import Kind, WaitingProposal

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

LONGEST = 2_000_000
"""Bytes of both sides above which they are not compared, but shown one after the other."""
_HEADER = re.compile(r"<!-- (\{.*\}) -->")
CONTEXT = 1
CONTEXT_SHOWN = 80
"""Characters of a line that an edit did not touch."""


def render_diff(one: WaitingProposal) -> str:
    """Return a unified diff with its file lines; a note in brackets if there is no text."""
    before, after = one.before or b"", one.after or b""
    if one.kind is Kind.BROKEN:
        return ""
    if one.kind is Kind.CONTRADICTION:
        # nothing is removed or added: two versions stand side by side
        return "".join(f"· {text.decode('utf-8', 'replace')}" for text in (before, after))
    if len(before) + len(after) > LONGEST:
        return _plain(one, before, after)
    try:
        old, new = before.decode(), after.decode()
    except UnicodeDecodeError:
        return "[not text]\n"
    from difflib import unified_diff

    path = one.target or one.path
    lines = unified_diff(
        _lines(old),
        _lines(new),
        f"a/{path}" if one.before is not None else "/dev/null",
        f"b/{path}" if one.after is not None else "/dev/null",
        n=CONTEXT,
    )
    return "".join(_ended(lines))


def _plain(one: WaitingProposal, before: bytes, after: bytes) -> str:
    """Return both texts whole, as a diff in which every line changed."""
    path = one.target or one.path
    told = [f"--- {'a/' + path if one.before is not None else '/dev/null'}"]
    told += [f"+++ {'b/' + path if one.after is not None else '/dev/null'}"]
    old, new = (data.decode("utf-8", "replace").split("\n") for data in (before, after))
    counts = (len(old) - (not old[-1]), len(new) - (not new[-1]))
    told += [f"@@ -{min(1, counts[0])},{counts[0]} +{min(1, counts[1])},{counts[1]} @@"]
    for mark, lines, count in (("-", old, counts[0]), ("+", new, counts[1])):
        told += [f"{mark}{line}" for line in lines[:count]]
        told += ["\\ No newline at end of file"] if count == len(lines) else []
    return "\n".join(told) + "\n"


def changed_lines(diff: str) -> list[str]:
    """Return the diff without file lines and places: removed, added and context lines."""
    lines = diff.removesuffix("\n").split("\n")
    if lines and lines[0].startswith("--- "):
        lines = lines[3:]
    return ["⋯" if line.startswith("@@") else line for line in lines]


def tell_changes(lines: Sequence[str]) -> list[str]:
    """Return the lines of a diff with words for their marks: `was` and `now`, or `new`, or `removed`."""
    told: list[str] = []
    for mark, run in groupby(lines, lambda line: line[:1] in ("-", "+")):
        found = list(run)
        if not mark:
            told += [one_line(line, CONTEXT_SHOWN) if line.startswith(" ") else line for line in found]
            continue
        both = {line[:1] for line in found} == {"-", "+"}
        words = {"-": "was", "+": "now"} if both else {"-": "removed", "+": "new"}
        shown = [line[1:] if both else _name_speaker(line[1:]) for line in found]
        told += [
            f"{words[line[:1]]}: {text}" if text.strip() else ""
            for line, text in zip(found, shown, strict=True)
        ]
    return told


def _name_speaker(line: str) -> str:
    """Return a line, with the header of a recorded message as who speaks."""
    found = _HEADER.fullmatch(line.strip())
    if found is None:
        return line
    try:
        told = json.loads(found[1])
        return f"message {told['n']}, {told.get('name') or told['role']}:"
    except (ValueError, KeyError, TypeError, AttributeError):
        return line


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; only LF ends one, so that none begins without its mark."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _ended(lines: Iterable[str]) -> Iterator[str]:
    """Yield each line with its end; one without an end in the file is marked as git does."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def show_waiting(opened: "OpenKit", one: "WaitingProposal", stream: TextIO, number: int = 0) -> None:
    """Show an item that waits: its name, what it is and why, and all that it would change.

    `number` is its place in the list, 0 where it is shown alone.
    """
    console = opened.console
    lines = tell_changes(changed_lines(render_diff(one)))
    told = f"{capital(one.what)}; {one.why.rstrip('.')}."
    text = "\n".join(
        [
            console.wrap(told, stream, "  "),
            *(console.wrap(line, stream, "    ", "  ").rstrip() for line in lines),
        ]
    )
    console.heading(f"{number}. {one.item}" if number else one.item, stream)
    if stream is console.out:
        console.result(text)
    else:
        console.say(text)
