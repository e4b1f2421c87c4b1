"""Things that stay open from one use to the next while a command runs."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from threading import local
from typing import Protocol


class Closeable(Protocol):
    """A thing that is closed when the command ends."""

    def close(self) -> object:
        """Let go of it."""
        ...


Kept = MutableMapping[object, Closeable]


class _Thread(local):
    kept: Kept | None = None


_thread = _Thread()


@contextmanager
def command_scope() -> Iterator[None]:
    """Let the code of this thread keep things open; close them at the end."""
    outer, _thread.kept = _thread.kept, {}
    kept = _thread.kept
    try:
        yield
    finally:
        _thread.kept = outer
        for one in kept.values():
            one.close()


def kept_open() -> Kept | None:
    """Return what this thread keeps open, to add to it and to take from it; None where no command runs."""
    return _thread.kept
