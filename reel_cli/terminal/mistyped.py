"""Commands that there are none of, each with the one that may be meant."""

import os
import re
from collections.abc import Sequence

from reel_cli.core.errors import UsageError
from reel_cli.core.shell import join
from reel_cli.features.table import ALIASES, COMMANDS, MEANT

ARGUMENT = "ARGUMENTS"
"""The place behind a mistyped command for what was typed behind it."""
LONGEST = 60
"""Characters above which that is not repeated."""
BEYOND = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)", re.DOTALL)
"""Pattern of the message on words that a command does not take."""
LONGEST_NAME = 8
"""Maximum number of words that are tried as the name of one file."""
_UNKNOWN = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
"""The refusal of an unknown word by the library that reads the command line."""


def unknown_command(typed: Sequence[str], names: Sequence[str], rest: Sequence[str] = ()) -> UsageError:
    """Return the refusal of words whose last one is none of the commands that may stand there.

    `rest` is what follows; it is shown behind the command that may be meant, if it fits there.
    """
    from reel_cli.core.nearest import nearest

    *above, word = typed
    begun = [name for name in names if name.startswith(word.casefold())]
    near = begun[0] if len(begun) == 1 else nearest(word, names)
    meant = MEANT.get(" ".join(typed).casefold(), "")
    if not (above or meant or near):
        # a word that is none of the commands, and mistyped besides
        other = nearest(word, [*ALIASES, *MEANT])
        meant = MEANT.get(other or "", "") or (f"reel {other} {ARGUMENT}" if other in ALIASES else "")
    if not meant or ALIASES.get(meant.split()[1], meant.split()[1]) not in COMMANDS:
        meant = " ".join(["reel", *above, near, ARGUMENT]) if near else ""
    shown = " ".join(typed)
    if meant:
        return UsageError(f'No command "{shown}". Did you mean: {_with_rest(meant, rest)}')
    where = " ".join(["reel", "help", *above])
    return UsageError(f'No command "{shown}".', hint=f"{where}  lists what there is")


def _with_rest(meant: str, rest: Sequence[str]) -> str:
    """Return a command with the words that were typed in the place of its one argument."""
    places = [word for word in meant.split() if word.isupper()]
    given = join(rest)
    if len(places) == 1 and given and len(given) <= LONGEST:
        return meant.replace(places[0], given)
    return meant.removesuffix(f" {ARGUMENT}")


def unknown_subcommand(path: str, message: str, names: Sequence[str]) -> UsageError | None:
    """Return the refusal in reel's words of a word that a group does not know; None for another message."""
    found = _UNKNOWN.match(message)
    return unknown_command([*path.split()[1:], found[1]], names) if found is not None else None


def quote_together(arguments: Sequence[str], beyond: str = "") -> str | None:
    """Return a command line with the words in quotes that are one name; None where none are.

    These are words that together are a file where the first alone is none, else the words `beyond` what the
    command takes, with the one before them.
    """
    from reel_cli.core.shell import join

    words = list(arguments)
    spans = [
        (start, end)
        for start in range(len(words))
        for end in range(min(len(words), start + LONGEST_NAME), start + 1, -1)
        if _is_file(" ".join(words[start:end])) and not _is_file(words[start])
    ]
    if not spans and beyond:
        spans = [
            (start - 1, end)
            for start in range(2, len(words))
            for end in range(start + 1, len(words) + 1)
            if " ".join(words[start:end]) == beyond and not words[start - 1].startswith("-")
        ]
    if not spans:
        return None
    start, end = spans[0]
    return join(["reel", *words[:start], " ".join(words[start:end]), *words[end:]])


def _is_file(name: str) -> bool:
    try:
        # of `os.path`, which raise nothing where there is no home
        return os.path.isfile(os.path.expanduser(name))  # noqa: PTH111, PTH113
    except ValueError:
        return False
