"""The program, killed in the middle of what it does."""

import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

WRITES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "subprocess.Popen")
"""Python's audit events that count as a write, beside opening a file for it."""


def killed_at(at: int, cwd: Path, *arguments: str, also: Collection[str] = ()) -> int:
    """Run `reel` in a process that is killed as it is about to write for the `at`th time.

    `also` are further audit events that count as writes. Returns the exit code, negative where it was killed.
    """
    child = os.fork()
    if child == 0:
        _run_until(at, cwd, arguments, {*WRITES, *also})
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _run_until(at: int, cwd: Path, arguments: tuple[str, ...], writes: Collection[str]) -> NoReturn:
    code = 99
    try:
        from reel_cli.terminal.app import run

        os.chdir(cwd)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, "r" if n == 0 else "w") for n in (0, 1, 2))
        left = at

        def watch(event: str, given: tuple[Any, ...]) -> None:
            nonlocal left
            if event in writes or (event == "open" and _is_write(given)):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        code = run(arguments)
    finally:
        os._exit(code)


def _is_write(given: tuple[Any, ...]) -> bool:
    return isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR))
