"""git's objects of every kind, read raw, one after another by one process."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from reel_cli.core.errors import StateError
from reel_cli.core.git.git_folder import check_for_git
from reel_cli.core.git.process import git_environment, git_options, start_problem
from reel_cli.core.git.tape_history import AS_IT_IS


class ObjectReader:
    """One `git cat-file --batch` in a repository; a context manager."""

    def __init__(self, folder: Path) -> None:
        """Read the objects of the repository whose work tree is `folder`; StateError without git."""
        try:
            self._process = _start(folder, "--batch")
        except OSError as error:
            raise start_problem(error, folder) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()

    def read(self, name: str) -> tuple[str, bytes]:
        """Return an object's kind and bytes; StateError where history has lost it."""
        ask, answer = self._process.stdin, self._process.stdout
        if ask is None or answer is None:
            raise _lost(name)
        with suppress(BrokenPipeError):
            ask.write(name.encode("ascii") + b"\n")
            ask.flush()
        found = _next(answer)
        if found is None or found[0] != name:
            raise _lost(name)
        return found[1], found[2]


def read_all_objects(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield every object that a repository holds, reachable or not: its name, kind and bytes."""
    try:
        process = _start(folder, "--batch-all-objects", "--unordered", "--buffer", "--batch")
    except OSError as error:
        raise start_problem(error, folder) from None
    with process:
        if process.stdout is None:
            return
        while (found := _next(process.stdout)) is not None:
            yield found
    if process.returncode:
        message = "The history of this kit is damaged: not every object of it can be read."
        raise StateError(message, hint="git fsck  says what is missing; a clone or backup has it")


def _start(folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    check_for_git(folder)
    return subprocess.Popen(
        ["git", *git_options(), "cat-file", *options],
        cwd=folder,
        stdin=subprocess.PIPE if "--batch-all-objects" not in options else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=git_environment(AS_IT_IS),
    )


def _next(answer: IO[bytes]) -> tuple[str, str, bytes] | None:
    head = answer.readline().split()
    if len(head) != 3:
        return None
    size = int(head[2])
    data = answer.read(size)
    answer.read(1)
    return (head[0].decode("ascii"), head[1].decode("ascii"), data) if len(data) == size else None


def _lost(name: str) -> StateError:
    message = f"The history of this kit is damaged: {name[:12]} is missing from it."
    return StateError(message, hint="git fsck  says what is missing; a clone or backup has it")
