"""Commands that there are none of, each with the one that may be meant."""

import os
import re
from collections.abc import Mapping, Sequence

from reel_cli.core.errors import UsageError
from reel_cli.core.shell import join
from reel_cli.features.table import ALIASES, COMMANDS

MEANT: Mapping[str, str] = {
    **dict.fromkeys(("load", "begin", "open", "paste", "copy", "prompt"), "reel start"),
    **dict.fromkeys(("save", "stop", "finish", "done"), "reel end"),
    **dict.fromkeys(("find", "grep", "ask", "look"), "reel recall"),
    **dict.fromkeys(("decide", "pending"), "reel review"),
    **dict.fromkeys(("approve", "accept"), "reel review accept ITEM"),
    "reject": "reel review reject ITEM",
    **dict.fromkeys(("new", "create", "setup", "make"), "reel init"),
    **dict.fromkeys(("info", "state", "due"), "reel status"),
    **dict.fromkeys(("list", "ls", "memories"), "reel memory list"),
    "pin": "reel memory pin ID",
    "unpin": "reel memory unpin ID",
    **dict.fromkeys(("show", "read", "cat"), "reel memory show ID"),
    **dict.fromkeys(("remember", "know", "learn"), "reel fact add CATEGORY KEY VALUE"),
    "card": "reel export card",
    **dict.fromkeys(("lorebook", "lore"), "reel export lorebook"),
    **dict.fromkeys(("browse", "html", "web"), "reel view"),
    **dict.fromkeys(("facts", "fact show", "fact get"), "reel fact list"),
    **dict.fromkeys(("fact forget", "fact delete", "fact remove"), "reel fact drop KEY"),
    **dict.fromkeys(("memory forget", "memory delete", "memory remove"), "reel forget ID"),
    **dict.fromkeys(("memory edit", "note edit"), "reel edit MEMORY"),
    **dict.fromkeys(("exemplar edit", "example edit"), "reel edit voice"),
    **dict.fromkeys(("delete", "remove", "rm", "drop", "discard"), "reel forget ID"),
    **dict.fromkeys(("erase", "wipe"), "reel purge"),
    **dict.fromkeys(("settings", "set", "configure", "options", "rename"), "reel config"),
    **dict.fromkeys(("window", "tokenizer", "context"), "reel model"),
    **dict.fromkeys(("bundle",), "reel pack"),
    **dict.fromkeys(("history", "changes", "journal"), "reel log"),
    **dict.fromkeys(("revert", "back", "rollback"), "reel undo"),
    **dict.fromkeys(("repair", "fix", "check", "mend"), "reel doctor"),
    **dict.fromkeys(("upgrade", "update", "convert"), "reel migrate"),
    **dict.fromkeys(("page", "summarize", "summary"), "reel checkpoint"),
    **dict.fromkeys(("identity", "character"), "reel edit identity"),
    **dict.fromkeys(("note", "notes", "now", "working"), "reel edit now"),
    **dict.fromkeys(("voice", "examples"), "reel example list"),
    **dict.fromkeys(("sessions", "session", "chats", "transcript"), "reel tape list"),
    **dict.fromkeys(("talk",), "reel chat"),
    **dict.fromkeys(("compress", "clean", "fade"), "reel maintain"),
    **dict.fromkeys(("story", "sleep"), "reel dream"),
    "tell": "reel share M-004 --with KIT",
    **dict.fromkeys(("personas", "home", "where"), "reel kits"),
    **dict.fromkeys(("manual", "man", "docs", "usage", "commands"), "reel help"),
}
"""The commands that people mean by words that are none."""
LEAVING = ("quit", "exit", "leave", "close", "bye")
"""Words by which people leave programs that stay open."""
ONE_STEP: Mapping[str, str] = {
    name: f"{name}  goes one change each time; for several, run it again"
    for name in ("reel undo", "reel redo")
}
"""The hint for commands of which people expect that they take back several changes, or all."""
ARGUMENT = "ARGUMENTS"
"""The place behind a mistyped command for what was typed behind it."""
LONGEST = 60
"""Characters above which that is not repeated."""
BEYOND = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)", re.DOTALL)
"""Pattern of the message on words that a command does not take."""
LONGEST_NAME = 8
"""Maximum number of words that are tried as the name of one file."""
SHORT = 2
"""Letters up to which a word is like too many others to be one of them, mistyped."""
_UNKNOWN = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
"""The refusal of an unknown word by the library that reads the command line."""


def unknown_command(typed: Sequence[str], names: Sequence[str], rest: Sequence[str] = ()) -> UsageError:
    """Return the refusal of words whose last one is none of the commands that may stand there.

    `rest` is what follows; it is shown behind the command that may be meant, if it fits there.
    """
    from reel_cli.core.nearest import nearest

    *above, word = typed
    if not above and word.casefold() in LEAVING:
        message = f'No command "{word}". reel does not stay open, so there is nothing to leave.'
        return UsageError(message, hint="to record a chat that is over:  reel end")
    begun = [name for name in names if name.startswith(word.casefold())]
    near = begun[0] if len(begun) == 1 else nearest(word, names)
    meant = MEANT.get(" ".join(typed).casefold(), "")
    if not (above or meant or near) and len(word) > SHORT:
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


def unknown_subcommand(
    path: str, message: str, names: Sequence[str], arguments: Sequence[str] = ()
) -> UsageError | None:
    """Return the refusal in reel's words of a word that a group does not know; None for another message.

    `arguments` are all that was typed; what follows the word is shown behind the command that may be meant.
    """
    found = _UNKNOWN.match(message)
    if found is None:
        return None
    above = path.split()[1:]
    at = next((at for at, word in enumerate(arguments) if at and word == found[1]), len(arguments))
    return unknown_command([*above, found[1]], names, arguments[at + 1 :])


def quote_together(arguments: Sequence[str], beyond: str = "", command: str = "") -> str | None:
    """Return a command line with the words in quotes that are one name; None where none are.

    These are words that together are a file where the first alone is none, else the words `beyond` what the
    `command` takes, with the one before them, where that is no word of its own.
    """
    words = list(arguments)
    spans = [
        (start, end)
        for start in range(len(words))
        for end in range(min(len(words), start + LONGEST_NAME), start + 1, -1)
        if _is_file(" ".join(words[start:end])) and not _is_file(words[start])
    ]
    if not spans and beyond:
        name = command.rpartition(" ")[2]
        first = words.index(name) + 2 if name in words else 2
        spans = [
            (start - 1, end)
            for start in range(first, len(words))
            for end in range(start + 1, len(words) + 1)
            if " ".join(words[start:end]) == beyond and not words[start - 1].startswith("-")
        ]
    if not spans:
        return None
    start, end = spans[0]
    return join(["reel", *words[:start], " ".join(words[start:end]), *words[end:]])


def one_at_a_time(arguments: Sequence[str], beyond: str, command: str) -> UsageError | None:
    """Return the refusal of several files that a `command` takes one of; None where they are no files."""
    words = list(arguments)
    name = command.rpartition(" ")[2]
    first = next((at for at, word in enumerate(words) if at and _is_file(word)), 0)
    later = [word for word in words[first + 1 :] if _is_file(word)]
    if name not in words or not first or not later or later[0] not in beyond:
        return None
    way = join(["reel", *(word for word in words if word not in later)])
    return UsageError(f"{command} takes one file at a time, the oldest first.", hint=f"for the first:  {way}")


def single_dash(arguments: Sequence[str], options: Sequence[str]) -> str | None:
    """Return the command line with two dashes before an option that was typed with one; None for none."""
    for at, word in enumerate(arguments):
        if word.startswith("-") and f"-{word}" in options:
            return join(["reel", *arguments[:at], f"-{word}", *arguments[at + 1 :]])
    return None


def _is_file(name: str) -> bool:
    try:
        # of `os.path`, which raise nothing where there is no home
        return os.path.isfile(os.path.expanduser(name))  # noqa: PTH111, PTH113
    except ValueError:
        return False
