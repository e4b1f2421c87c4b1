"""Follow chat files as they are written: which to read, and when. Times go in, decisions come out.

Nothing here reads a file or a clock: what is seen is told with `look`, what became of a reading with one of
the verdicts below it. Times are seconds of a clock that never goes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen, mutable

UNANSWERED = 5
"""Multiple of the usual quiet to wait for an answer to the person's last message."""
TRIES = 4
"""Number of attempts to read a file before it is reported: apps take a moment to save."""
FIRST_RETRY = 2.0
LONGEST_RETRY = 60.0
"""Seconds between tries at most; each waits twice as long as the one before."""


@frozen
class Mark:
    """A mark that changes with the state of a file."""

    size: int
    mtime_ns: int
    inode: int = 0


@mutable
class _Chat:
    """One file that is followed; `due` is when to read it, None where there is nothing new in it."""

    mark: Mark | None
    changed: float = 0.0
    due: float | None = None
    tries: int = 0
    waited: bool = False
    """True if it was given longer already, for an answer to come."""
    told: set[str] = field(default_factory=set)
    fault: str = ""
    """Reason why it could not be read, if it was given up until it changes."""
    was_read: bool = False


class Watch:
    """The state of the files that are followed."""

    def __init__(self, idle: float) -> None:
        """Set the seconds without a change after which a chat counts as quiet."""
        self.idle = idle
        self.away = False
        """True if nothing was there at the last try."""
        self._chats: dict[str, _Chat] = {}
        self._began = False

    def begin(self, now: float, found: Mapping[str, Mark], present: Iterable[str] = ()) -> None:
        """Mark all files as seen; of these, only what is `present` is to be read."""
        self._chats = {path: _Chat(mark, now) for path, mark in found.items()}
        self._began = True
        for path in present:
            if path in self._chats:
                self._chats[path].due = now

    def look(self, now: float, found: Mapping[str, Mark] | None) -> None:
        """Update the state from the folder's files; None if the folder itself is not there."""
        self.away = found is None
        for path, mark in (found or {}).items():
            chat = self._chats.get(path)
            if chat is None:
                chat = self._chats[path] = _Chat(None)
            if chat.mark != mark:
                chat.mark, chat.changed, chat.due = mark, now, now + self.idle
                chat.tries, chat.waited, chat.told, chat.fault = 0, False, set(), ""

    def due(self, now: float) -> Sequence[str]:
        """Return what to read now, longest waiting first."""
        return [path for path in self.waiting() if (self._chats[path].due or 0.0) <= now]

    def waiting(self) -> Sequence[str]:
        """Return everything that changed and is not recorded yet, longest waiting first."""
        found = [(chat.changed, path) for path, chat in self._chats.items() if chat.due is not None]
        return [path for _, path in sorted(found)]

    def __len__(self) -> int:
        """Return how many files are followed."""
        return len(self._chats)

    def faults(self) -> Mapping[str, str]:
        """Return the files that were given up, and why each could not be read."""
        return {path: chat.fault for path, chat in self._chats.items() if chat.fault}

    # -- what became of a reading --------------------------------------------------------------

    def settle(self, path: str, mark: Mark) -> None:
        """Mark it as recorded in the state of `mark`; later text is still to come."""
        chat = self._chats[path]
        chat.was_read = True
        if chat.mark == mark:
            chat.due = None

    def drop(self, path: str) -> None:
        """Mark it as gone; it is read again if it returns."""
        chat = self._chats[path]
        chat.due, chat.mark = None, None

    def wait_for_answer(self, path: str) -> bool:
        """Return whether to wait once more because the person's last words have no answer yet."""
        chat = self._chats[path]
        if chat.waited:
            return False
        chat.waited = True
        chat.due = chat.changed + self.idle * UNANSWERED
        return True

    def try_later(self, path: str, now: float) -> bool:
        """Schedule another try after a failure; return whether it failed often enough to say so."""
        chat = self._chats[path]
        chat.due = now + min(FIRST_RETRY * 2**chat.tries, LONGEST_RETRY)
        chat.tries = min(chat.tries + 1, 30)
        return chat.tries >= TRIES

    def unreadable(self, path: str, now: float, why: str) -> bool:
        """Schedule another try of an unreadable file, up to a limit; return whether to say so now.

        Whether to tell of that at once: only where it was read before, as a folder may hold anything.
        """
        if not self.try_later(path, now):
            return False
        chat = self._chats[path]
        chat.due, chat.fault = None, why
        return chat.was_read

    def tell(self, path: str, what: str) -> bool:
        """Return whether `what` is new about this file: the same is said once, until it changes."""
        told = self._chats[path].told
        if what in told:
            return False
        told.add(what)
        return True
