"""The commands that the program's own texts tell a person to type, and whether they can be typed as printed.

A text sets a command off: it begins a line or stands behind two spaces, and ends with its line or before two
spaces. A command named in passing, as in "Decide in reel review", has one space and is not looked at.
"""

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer

from reel_cli.features.table import COMMANDS
from reel_cli.terminal.app import build_app
from tests.support.cli import CHECKOUT

HOLE = "▢"
"""Stands for a value that is filled in when the program runs."""
_SET_OFF = re.compile(
    r"(?m)(?:^|(?<=  ))((?:cd (?:'[^']*'|\S+) && )?reel (?:--kit (?:'[^']*'|\S+) )?(\S+).*?)(?= *$|  )"
)

_AT_ONCE = {"--help", "-h", "--version", "--install-completion", "--show-completion"}
"""Options that do something as soon as they are parsed."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A text of the program that sets off a command: where it stands, and the command with its holes."""

    place: str
    command: str


@cache
def read_hints() -> Sequence[Hint]:
    """Every command that a text of the program, or the help of a command, sets off."""
    package = CHECKOUT / "reel_cli"
    return [
        *(
            Hint(f"{path.relative_to(package).as_posix()}:{line}", command)
            for path in sorted(package.rglob("*.py"))
            for line, text in _texts(path)
            for command in commands_in(text)
        ),
        *(
            Hint(f"{name} --help", command)
            for name, text in _helps(whole_app(), "reel")
            for command in commands_in(text)
        ),
    ]


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Each string of a module that is not a docstring, with `HOLE` for each value in it."""
    tree = ast.parse(path.read_bytes())
    nodes = list(ast.walk(tree))
    passed = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    passed |= {
        id(part)
        for node in nodes
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node and isinstance(part, (ast.Constant, ast.JoinedStr))
    }
    for node in nodes:
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(str(one.value) if isinstance(one, ast.Constant) else HOLE for one in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _helps(command: Any, name: str) -> Iterator[tuple[str, str]]:
    """Each command's help and epilog, and those of the commands below it."""
    for text in (command.help, command.epilog):
        yield name, text or ""
    for verb, below in getattr(command, "commands", {}).items():
        yield from _helps(below, f"{name} {verb}")


def commands_in(text: str) -> list[str]:
    """The commands that a text sets off, whole."""
    return [command for command, name in _SET_OFF.findall(text) if name in COMMANDS]


@cache
def whole_app() -> Any:
    """The program's own parser."""
    return typer.main.get_command(build_app())


def problem_of(command: str) -> str | None:
    """What the program would have against a command line as it is printed; None where it takes it.

    Nothing is run. A value that the text leaves open (a hole, FILE, ID) is taken for a right one.
    """
    try:
        words = shlex.split(re.split(r" > | < |\s+# ", command.rpartition("&& ")[2])[0])
    except ValueError as error:
        return str(error)
    if stuck := next((word for word in words if re.search(r".[,;:.)]$", word)), None):
        return f"{stuck} would be typed with what stands behind it."
    rest = [word for word in words[1:] if word not in _AT_ONCE]
    group, name, context = whole_app(), "reel", None
    while True:
        try:
            context = group.make_context(name, list(rest), parent=context)
        except Exception as error:  # noqa: BLE001 (click's errors, which have no public names)
            return _complaint(error)
        rest = [*context._protected_args, *context.args] if hasattr(group, "commands") else []
        if not rest or HOLE in rest[0]:
            return None
        name = rest.pop(0)
        if name not in group.commands:
            return f"No such command {name!r}."
        group = group.commands[name]


def _complaint(error: Exception) -> str | None:
    """What an error of the parser says; None where only a value that is open does not suit it."""
    said: str = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "BadParameter" and re.search(rf"{HOLE}|'[A-Z]+'", said):
        return None
    if type(error).__name__ == "NoArgsIsHelpError":
        # it shows its help, as it should
        return None
    # holes at the end may hold options
    return None if re.search(rf"unexpected extra argument.* \({HOLE}+\)", said) else said
