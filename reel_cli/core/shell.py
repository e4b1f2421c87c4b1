"""Words of a command as a person types them in their own shell."""

import os
from collections.abc import Iterable
from pathlib import Path

_ACTIVE = frozenset('"$`\\!')
"""Characters that mean something to a shell within double quotes."""


def quote(word: object) -> str:
    """Return a word as one word of a command line, in quotes where it needs them."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline([str(word)])
    import shlex

    if str(word).splitlines() not in ([], [str(word)]):
        # a line break within quotes would end the line that shows the command
        plain = str(word).replace("\\", "\\\\").replace("'", "\\'")
        return "$'" + "".join(c if c >= " " else f"\\x{ord(c):02x}" for c in plain) + "'"
    if "'" in str(word) and not _ACTIVE.intersection(str(word)):
        return f'"{word}"'
    return shlex.quote(str(word))


def quote_path(path: object) -> str:
    """Return a path as one word of a command line that is not taken for an option."""
    text = str(path)
    return quote(f"./{text}" if text.startswith("-") and text != "-" else text)


def from_here(path: Path) -> Path:
    """Return a path from the current folder where it lies below that; it fits on a line sooner."""
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):
        return path


def join(words: Iterable[object]) -> str:
    """Return words as a command line."""
    return " ".join(map(quote, words))
