"""All that a yes would keep, on the screen before the question."""

import re
from collections import Counter
from typing import TYPE_CHECKING

from reel_cli.kit.snapshot import INDEX
from reel_cli.model.memory import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reel_cli.cli.context import OpenKit
    from reel_cli.model.change import Change

NOTED = ("journal/", "tape/")
"""What reel notes by itself: when something was used, and the chat itself, which was recorded as it was."""
_WORD = re.compile(r"\w+")
_KEY = re.compile(r"(?:- )?([a-z_0-9]+):(?: |$)")
_BY_REEL = frozenset(
    (
        "id",
        "uid",
        "level",
        "created",
        "session",
        "sessions",
        "source",
        "model",
        "ring0",
        "span",
        "at",
        "immune",
    )
)
"""Keys whose values reel sets itself, or has told above."""
_AS_GIVEN = re.compile(r"^reply: \|[-+]?$", re.MULTILINE)
"""Where in a self-assessment the reply begins, of which all above is made."""


def show_in_full(opened: "OpenKit", change: "Change") -> None:
    """Show each line that a change would put into the kit and that is not on the screen yet."""
    console = opened.console
    seen = _words(console.seen)
    told = False
    for path, lines in _added(opened, change):
        fresh = []
        for line in lines:
            parts = [words for part in _parts(path, line) if (words := _words(part))]
            if any(f" {words} " not in f" {seen} " for words in parts):
                fresh.append(line)
                seen = f"{seen} {_words(line)}"
        if not fresh:
            continue
        if not told:
            console.say("All else that would be kept:")
            told = True
        console.say(f"  {path}")
        for line in fresh:
            console.say(f"    {line}")
    if told:
        console.say()


def _parts(path: str, line: str) -> list[str]:
    """The parts of a line to look for on the screen; of an index line those that are not reel's own."""
    if path != INDEX:
        return [line]
    return [part for part in line.partition(" <!-- ")[0].split(" | ")[1:] if part != "not immune"]


def _added(opened: "OpenKit", change: "Change") -> "Iterator[tuple[str, list[str]]]":
    for path, data in change.writes.items():
        if data is None or path.startswith(NOTED):
            continue
        before = Counter(_lines(path, (opened.snapshot.read(path) or b"").decode("utf-8", "replace")))
        lines = []
        for line in _lines(path, data.decode("utf-8", "replace")):
            if before[line]:
                before[line] -= 1
            elif _words(line):
                lines.append(line)
        yield path, lines


def _lines(path: str, text: str) -> "Iterator[str]":
    """A file's lines as a person reads them: of its front matter only what reel does not set itself."""
    given = _AS_GIVEN.search(text) if path.startswith("checkpoints/") else None
    if given is not None:
        head, body = "", text[given.end() :]
    elif path.endswith((".yaml", ".yml")):
        head, body = text, ""
    else:
        end = text.find("\n---\n", 3) if text.startswith("---\n") else -1
        head, body = text[: max(0, end)], text[max(0, end) :]
    for line in head.split("\n"):
        key = _KEY.match(line.strip())
        if key is None or key[1] not in _BY_REEL:
            yield line.strip() if key is None or key[1] == "tags" else line.strip()[key.end() :]
    yield from (line.strip() for line in body.split("\n") if line.removeprefix("## ") not in FIELDS)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
