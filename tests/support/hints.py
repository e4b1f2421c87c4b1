"""The commands that the program's own texts tell a person to type, and whether they can be typed as printed.

A text sets a command off: it begins a line or stands behind two spaces, and ends with its line or before two
spaces. A command named in passing, as in "Decide in reel review", has one space and is not looked at.
"""

import ast
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer

from reel_cli.core.files.private import MARK, mark_own
from reel_cli.features.table import ALIASES, COMMANDS
from reel_cli.terminal.app import build_app
from tests.support.cli import CHECKOUT, Reel, Run

HOLE = "▢"
"""Stands for a value that is filled in when the program runs."""
_WORD = r"""(?:'[^']*'|"[^"]*"|[^\s'"])+"""
_SET_OFF = re.compile(rf"(?m)(?:^|(?<=  ))((?:cd {_WORD} && )?reel (?:--kit {_WORD} )?(\S+).*?)(?= *$|  )")

_STUCK = re.compile(rf"{HOLE}(?=--)|(?<=[a-z]){HOLE}")
"""A hole for options, if any, that is filled in with a blank of theirs."""
AT_TERMINAL = {"COLUMNS": "400", "VISUAL": "true"}
"""A terminal on which no line is folded, and an editor that changes nothing."""
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
            for command in commands_in(re.sub(r"(?<!\n)\n(?!\n)", " ", text))
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
    """Return the objection of the program to a command line as printed; None where it takes it.

    Nothing is run. A value that the text leaves open (a hole, FILE, ID) is taken for a right one.
    """
    try:
        words = shlex.split(re.split(r" > | < |\s+# ", _STUCK.sub("", command).rpartition("&& ")[2])[0])
    except ValueError as error:
        return str(error)
    if stuck := next((word for word in words if re.search(r"^[,;]$|.[,;:.)]$", word)), None):
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
        name = ALIASES.get(name, name) if context.parent is None else name
        if name not in group.commands:
            return f"No such command {name!r}."
        group = group.commands[name]


def _complaint(error: Exception) -> str | None:
    """Return an error of the parser in words; None where only an open value does not suit it."""
    said: str = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "BadParameter" and re.search(rf"{HOLE}|'[A-Z]+'", said):
        return None
    if type(error).__name__ == "NoArgsIsHelpError":
        # it shows its help, as it should
        return None
    # holes at the end may hold options
    return None if re.search(rf"unexpected extra argument.* \({HOLE}+\)", said) else said


# -- followed -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """A command that a screen set off, and what came of typing it there."""

    command: str
    done: Run

    @property
    def said(self) -> str:
        """The error that it ended with, and the hint; else its exit code."""
        found = re.search(r"Error: .*(?:\nHint: .*)?", self.done.err)
        return found[0].replace("\n", " | ") if found else f"exit {self.done.code}"


def follow(reel: Reel, before: Run, given: Mapping[str, str], seen: set[str]) -> Iterator[Step]:
    """Type each command that a screen set off, as it stands, where it was shown; then all is as it was.

    `given` says what a person puts in the place of FILE and the like. They say yes to all that is asked.
    Steps in `seen` are passed over, and new ones are added.
    """
    notices = re.sub(r"(?m)^(Error|Hint): ", "", before.err)
    for command in dict.fromkeys(commands_in(f"{notices}\n{before.out}")):
        if command not in seen and " --reply " not in command and "--tokenizer FILE" not in command:
            seen.add(command)
            with _as_it_was(reel.cwd):
                yield Step(command, _type_in(reel, command, given))


def _type_in(reel: Reel, command: str, given: Mapping[str, str]) -> Run:
    """Run a command line as a shell would."""
    folder, _, rest = command.rpartition(" && ")
    words = [given.get(word, word) for word in shlex.split(re.split(" > ", rest)[0])[1:]]
    cwd = reel.cwd / shlex.split(folder)[1] if folder else reel.cwd
    answers = "\n" * 9 if words[0] == "init" else "y\n" * 9
    return reel(*words, cwd=cwd, tty=True, stdin=answers, env=AT_TERMINAL)


@contextmanager
def _as_it_was(folder: Path) -> Iterator[None]:
    """Let things happen in a copy of a test's folder that lies where the folder did."""
    while folder.name != "work":
        folder = folder.parent
    aside = folder.with_name("aside")
    folder.rename(aside)
    try:
        shutil.copytree(aside, folder, symlinks=True)
        for state in folder.glob("*/*/.reel/state"):
            (state / MARK).unlink(missing_ok=True)
            mark_own(state)
        yield
    finally:
        shutil.rmtree(folder)
        aside.rename(folder)
