"""All that a yes would keep, on the screen before the question."""

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reel_cli.cli.context import OpenKit
    from reel_cli.model.change import Change

NOTED = ("journal/", "tape/")
"""What reel notes by itself: when something was used, and the chat itself, which was recorded as it was."""
_WORD = re.compile(r"\w+")
_BY_REEL = re.compile(r"[\s-]*(?:id|uid|level|created|sessions?|source|model|ring0|span|at|tokenizer|drawn):")
"""Keys whose values reel sets itself."""


def show_in_full(opened: "OpenKit", change: "Change") -> None:
    """Show each line that a change would put into the kit and that is not on the screen yet."""
    console = opened.console
    seen = _words(console.seen)
    told = False
    for path, lines in _added(opened, change):
        fresh = [line for line in lines if f" {_words(line)} " not in f" {seen} "]
        if not fresh:
            continue
        if not told:
            console.say("All else that would be kept:")
            told = True
        console.say(f"  {path}")
        for line in fresh:
            console.say(f"    {line.strip()}")
        seen = f"{seen} {_words(' '.join(fresh))}"
    if told:
        console.say()


def _added(opened: "OpenKit", change: "Change") -> "Iterator[tuple[str, list[str]]]":
    for path, data in change.writes.items():
        if data is None or path.startswith(NOTED):
            continue
        before = Counter((opened.snapshot.read(path) or b"").decode("utf-8", "replace").splitlines())
        lines = []
        for line in data.decode("utf-8", "replace").splitlines():
            if before[line]:
                before[line] -= 1
            elif _words(line) and not _BY_REEL.match(line):
                lines.append(line)
        yield path, lines


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
