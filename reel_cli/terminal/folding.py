"""The width of a terminal, and lines folded to it: between words, never inside a command to copy."""

import os
from collections.abc import Iterator, Sequence
from typing import TextIO

from reel_cli.core.frozen import late

PROGRAMS = frozenset(("reel", "git", "cd", "mkdir", "pip", "pipx", "ollama", "tmux"))
"""Programs whose command lines stay in one piece."""
_WORD = late(r"(\s*)(\S+)")
_ARGUMENT = late(r"""--?\w|["'<./~]|[A-Z]+(?:_[A-Z]+)*\b(?![a-z])|\S*[\d/]""")
_OPTION = late(r"--\w")
_WEIGHTLESS = ("Mn", "Me", "Cf")


def cells(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    from unicodedata import category, east_asian_width

    if category(char) in _WEIGHTLESS:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def fold(text: str, width: int, indent: str = "", hang: str = "", *, prose: bool = False) -> str:
    """Return one line folded to `width` columns; lines after the first have `hang` behind their indent.

    What cannot be folded between words stays in one piece, however long: a command, a path, a link. Such a
    piece is copied whole from a terminal. Chinese and Japanese, written without spaces, fold anywhere. In
    `prose`, which was said or is told to a model, no words are a command.
    """
    if len(indent) + cells(text) <= width:
        return f"{indent}{text}"
    lines: list[str] = []
    line, begun = indent, False
    for gap, piece in _WORD.findall(text) if prose else _pieces(text):
        if not begun or cells(line) + len(gap) + cells(piece) <= width:
            line += gap + piece if begun else piece
        else:
            lines.append(line)
            before = indent + hang
            line = (before if len(before) + cells(piece) <= width else indent) + piece
        begun = True
        while rest := _beyond(line, width):
            lines.append(line[: -len(rest)])
            # a line that is no wider than its indent would never end
            line = (indent + hang if len(indent + hang) + 1 < width else "") + rest
    return "\n".join([*lines, line])


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is not folded, each with the spaces before it: words, and whole command lines."""
    words = _WORD.findall(text)
    at = 0
    while at < len(words):
        gap, piece = words[at]
        last = _command_end(words, at)
        yield gap, piece + "".join("".join(word) for word in words[at + 1 : last])
        at = last


def _command_end(words: Sequence[tuple[str, str]], at: int) -> int:
    """Return where the command that begins here ends; the next word where none does.

    Two spaces or a parenthesis set a command off from a sentence. Without them it goes on as long as its
    words look like arguments.
    """
    gap, word = words[at]
    apart = at == 0 or len(gap) > 1 or word.startswith("(")
    if word.lstrip("(“`") not in PROGRAMS and not (apart and _OPTION.match(word)):
        return at + 1
    if at == 0 and word == "reel" and not _is_command(words[1:2]):
        # a sentence that begins with the program's name
        return at + 1
    last = at + 1
    quoted = single = False
    for space, next_word in words[last:]:
        if not (quoted or single) and (len(space) > 1 or words[last - 1][1].endswith((",", ";", ")"))):
            break
        if not (quoted or single or apart or last == at + 1 or _ARGUMENT.match(next_word)):
            break
        quoted ^= next_word.count('"') % 2 == 1
        # an apostrophe within a word begins nothing; a command's own quoting stands at the ends of words
        ended = len(next_word) > 1 and next_word.rstrip(".,;:)").endswith("'")
        single = (single or next_word.startswith("'")) and not ended
        last += 1
    return last


def _is_command(behind: Sequence[tuple[str, str]]) -> bool:
    """Return whether what stands behind the program's name is a command of it, an option, or nothing."""
    from reel_cli.features.table import ALIASES, COMMANDS

    return all(word.startswith("-") or word in COMMANDS or word in ALIASES for _, word in behind)


def _beyond(line: str, width: int) -> str:
    """Return what of a line is beyond its width, if a wide character lets it be cut there; else ""."""
    used = 0
    for at, char in enumerate(line):
        used += _cell(char)
        if used > width:
            return line[at:] if at and (_cell(char) > 1 or _cell(line[at - 1]) > 1) else ""
    return ""


def fold_own(line: str, width: int, *, prose: bool = False) -> str:
    """Return a line folded, its continuation two columns further in than an indented line."""
    if cells(line) <= width:
        return line
    bare = line.lstrip(" ")
    indent = line[: len(line) - len(bare)]
    return fold(bare, width, indent, "  " if indent and not prose else "", prose=prose)


def columns(stream: TextIO) -> int:
    """Return the width of the stream's terminal, at least 20; the other stream may be piped."""
    from shutil import get_terminal_size

    if not os.environ.get("COLUMNS"):
        try:
            told = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            told = 0
        # some terminals do not know their width, and report 0
        if told:
            return max(20, told)
    return max(20, get_terminal_size().columns)
