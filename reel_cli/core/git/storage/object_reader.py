"""git's objects of every kind, read raw, one after another by one process."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from reel_cli.core.errors import StateError
from reel_cli.core.git.git_folder import check_for_git
from reel_cli.core.git.process import AS_IT_IS, git_environment, git_options, start_problem

LOST_HINT = "git fsck  says what is missing; a clone or backup has it"


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
        self.close()

    def close(self) -> None:
        """End the process."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # git may be gone already
                    stream.close()
        self._process.wait()

    def read(self, name: str) -> tuple[str, bytes]:
        """Return an object's kind and bytes; StateError where history has lost it."""
        found = self.ask(name)
        data = None if found is None else self.take(found[1])
        if found is None or data is None:
            message = f"The history of this kit is damaged: {name[:12]} is missing from it."
            raise StateError(message, hint=LOST_HINT)
        return found[0], data

    def ask(self, name: str) -> tuple[str, int] | None:
        """Return the kind and size of an object by its full id, of which `take` then has the bytes.

        None where history has lost it.
        """
        ask, answer = self._process.stdin, self._process.stdout
        if ask is None or answer is None:
            return None
        with suppress(BrokenPipeError):  # then there is no answer either
            ask.write(name.encode("ascii") + b"\n")
            ask.flush()
        head = _read_head(answer)
        return None if head is None or head[0] != name else head[1:]

    def take(self, size: int) -> bytes | None:
        """Return the bytes of the object that was asked for last; None where they are cut off."""
        answer = self._process.stdout
        return None if answer is None else _read_body(answer, size)


def read_all_objects(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield every object that a repository holds, reachable or not: its name, kind and bytes."""
    try:
        process = _start(folder, "--batch-all-objects", "--unordered", "--buffer", "--batch")
    except OSError as error:
        raise start_problem(error, folder) from None
    with process:
        if process.stdout is None:
            return
        while (head := _read_head(process.stdout)) is not None:
            name, kind, size = head
            data = _read_body(process.stdout, size)
            if data is None:
                break
            yield name, kind, data
    if process.returncode:
        message = "The history of this kit is damaged: not every object of it can be read."
        raise StateError(message, hint=LOST_HINT)


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


def _read_head(answer: IO[bytes]) -> tuple[str, str, int] | None:
    """Return the name, kind and size that git says of an object; None where it has none to tell of."""
    head = answer.readline().split()
    return (head[0].decode("ascii"), head[1].decode("ascii"), int(head[2])) if len(head) == 3 else None


def _read_body(answer: IO[bytes], size: int) -> bytes | None:
    data = answer.read(size)
    answer.read(1)
    return data if len(data) == size else None
