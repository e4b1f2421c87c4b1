"""Whole commands, run in this process, with everything they print caught in its order."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pytest

from reel_cli.terminal.app import run
from tests.support.forked_program import run_forked
from tests.support.shelf import ready_made

CHECKOUT = Path(__file__).resolve().parents[2]

TAKEN_AWAY = os.environ.get("REEL_TAKEN_AWAY", "").split()
"""The features that `tools/take_away.py` deleted before this run, and their commands."""
OWN = ("PYTEST_CURRENT_TEST",)
"""Variables that are others in each test and that no command reads."""
Typed = str | bytes
"""Standard input of a command."""


@dataclass(frozen=True, slots=True)
class Run:
    """Exit code and output of one command.

    `screen` is both streams as a person sees them, in order: ("out" or "err", text) pairs.
    """

    code: int
    out: str
    err: str
    screen: tuple[tuple[str, str], ...] = ()

    def ok(self) -> Self:
        """The same run, if it went well; else the test fails, showing what it said."""
        assert self.code == 0, f"exit {self.code}\n{self.out}{self.err}"
        return self


class _Tap(io.BufferedIOBase):
    """A stream that notes each write in a list it shares with the other stream."""

    def __init__(self, name: str, written: list[tuple[str, bytes]], *, tty: bool) -> None:
        super().__init__()
        self.name = name
        self._written = written
        self._tty = tty

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._tty

    def write(self, data: object) -> int:
        chunk = bytes(memoryview(data))  # type: ignore[arg-type]
        self._written.append((self.name, chunk))
        return len(chunk)


class _Keyboard(io.BytesIO):
    def __init__(self, data: bytes, *, tty: bool) -> None:
        super().__init__(data)
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


@dataclass
class Reel:
    """The program, as a function: `reel("pack", "--window", "8k")`.

    `cwd` and `env` are what each call starts from; a call's own win. `tty=True` makes all three
    streams a terminal, so that `stdin` is what a person types in answer to questions.
    """

    monkeypatch: pytest.MonkeyPatch
    cwd: Path
    env: dict[str, str] = field(default_factory=dict)

    def __call__(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: Typed = "",
        env: Mapping[str, str] | None = None,
        tty: bool = False,
    ) -> Run:
        """Run the program in this process; a bug in it fails the test with its own traceback."""
        written: list[tuple[str, bytes]] = []
        typed = stdin.encode() if isinstance(stdin, str) else stdin
        with self.monkeypatch.context() as patch:
            patch.chdir(cwd or self.cwd)
            for key, value in {"REEL_DEBUG": "1", **self.env, **(env or {})}.items():
                patch.setenv(key, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(_Keyboard(typed, tty=tty), "utf-8"))
            for name, stream in (("out", "stdout"), ("err", "stderr")):
                tap = _Tap(name, written, tty=tty)
                patch.setattr(sys, stream, io.TextIOWrapper(tap, "utf-8", newline="\n", write_through=True))
            try:
                code = run([str(argument) for argument in arguments])
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
        screen = tuple((name, data.decode("utf-8", "replace")) for name, data in written)
        if not arguments and "home" in TAKEN_AWAY:
            pytest.skip("uses what was taken away: what `reel` alone says")
        if code == 2 and any(f'No command "{name}"' in text for name in TAKEN_AWAY for _, text in screen):
            pytest.skip("uses what was taken away")
        return Run(
            code,
            "".join(text for name, text in screen if name == "out"),
            "".join(text for name, text in screen if name == "err"),
            screen,
        )

    def given(
        self,
        *arguments: str,
        stdin: Typed = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Run:
        """Have a kit as the command leaves it, which must go well: a test's beginning, not its subject.

        Where it was run before in such a kit, with the same words and settings, its result is copied. Returns
        what it printed then.
        """
        home = os.environ["HOME"]
        settings = {**os.environ, **self.env, **(env or {})}
        known = sorted(
            (name, value.replace(home, "~")) for name, value in settings.items() if name not in OWN
        )
        git_settings = Path(home, "gitconfig")
        held = git_settings.read_text() if git_settings.exists() else None
        what = repr((arguments, stdin, known, held))
        kit = cwd or self.cwd
        return ready_made(kit, what, lambda: self(*arguments, stdin=stdin, env=env, cwd=kit).ok())

    def process(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: Typed = "",
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Run the program as a process of its own, piped."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=cwd or self.cwd,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **self.env, **(env or {})},
            capture_output=True,
            check=False,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def forked(
        self,
        *arguments: str | Path,
        stdin: Typed = "",
        env: Mapping[str, str] | None = None,
        prepare: Callable[[], object] = int,
    ) -> Run:
        """Run the program as a process of its own, piped, where it is no matter how Python begins."""
        code, out, err = run_forked(
            tuple(map(str, arguments)),
            self.cwd,
            stdin.encode() if isinstance(stdin, str) else stdin,
            {**os.environ, **self.env, **(env or {})},
            prepare,
        )
        return Run(code, out.decode(), err.decode())

    @staticmethod
    def command(*arguments: str | Path) -> Sequence[str]:
        """The argument list that starts the program."""
        return [sys.executable, "-m", "reel_cli", *map(str, arguments)]


def git(folder: Path, *arguments: str) -> str:
    """Return what a git command in `folder` prints; it must go well."""
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout
