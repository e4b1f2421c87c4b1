"""Keys that a person can press, told in words that read well in print and aloud."""

from collections.abc import Iterable

from reel_cli.terminal.console import Console
from reel_cli.terminal.folding import cells, columns

PROMPT = ">"
"""Sign behind which a person types."""


def say_keys(console: Console, keys: Iterable[tuple[str, str]]) -> None:
    """Write the keys with their words in few lines; no key is parted from its words.

    A sentence that names its key itself comes with "" for it.
    """
    width = columns(console.err)
    line = ""
    for key, words in keys:
        told = f"{key}: {words}." if key else f"{words}."
        if line and cells(line) + 1 + cells(told) > width:
            console.say(line)
            line = ""
        line = f"{line} {told}" if line else told
    console.say(line)
