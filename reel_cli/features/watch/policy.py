"""Follow chat files as they are written: which to read, and when. Times go in, decisions come out.

Nothing here reads a file or a clock: what is seen is told with `look`, what became of a reading with one of
the verdicts below it. Times are seconds of a clock that never goes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reel_cli.core.frozen import frozen

UNANSWERED = 5
"""So many times the usual quiet is waited for an answer to what the person said last."""
TRIES = 4
"""So often a file that cannot be read is tried before it is told of: apps take a moment to save."""
FIRST_RETRY = 2.0
LONGEST_RETRY = 60.0
"""In seconds; each try waits twice as long as the one before."""


@frozen
class Mark:
    """What tells one state of a file from the next."""

    size: int
    mtime_ns: int
    inode: int = 0


@dataclass(slots=True)
class _Chat:
    """One file that is followed; `due` is when to read it, None where there is nothing new in it."""

    mark: Mark | None
    changed: float = 0.0
    due: float | None = None
    tries: int = 0
    waited: bool = False
    """Whether it was given longer already, for an answer to come."""
    told: set[str] = field(default_factory=set)
    fault: str = ""
    """Why it could not be read, where it was given up until it changes."""
    was_read: bool = False


class Watch:
    """What is known of the files that are followed."""

    def __init__(self, idle: float) -> None:
        """Take a chat for quiet when it has not changed for `idle` seconds."""
        self.idle = idle
        self.away = False
        """Whether there was nothing to look at when it was last tried."""
        self._chats: dict[str, _Chat] = {}
        self._began = False

    def begin(self, now: float, found: Mapping[str, Mark], present: Iterable[str] = ()) -> None:
        """Take what is there as it stands; of it, only what is `present` is to be read."""
        self._chats = {path: _Chat(mark, now) for path, mark in found.items()}
        self._began = True
        for path in present:
            if path in self._chats:
                self._chats[path].due = now

    def look(self, now: float, found: Mapping[str, Mark] | None) -> None:
        """Tell what lies in the folder now; None where the folder itself is not there."""
        self.away = found is None
        for path, mark in (found or {}).items():
            chat = self._chats.get(path)
            if chat is None:
                chat = self._chats[path] = _Chat(None)
            if chat.mark != mark:
                chat.mark, chat.changed, chat.due = mark, now, now + self.idle
                chat.tries, chat.waited, chat.told, chat.fault = 0, False, set(), ""

    def due(self, now: float) -> Sequence[str]:
        """What to read now, longest waiting first."""
        return [path for path in self.waiting() if (self._chats[path].due or 0.0) <= now]

    def waiting(self) -> Sequence[str]:
        """Everything that changed and is not recorded yet, longest waiting first."""
        found = [(chat.changed, path) for path, chat in self._chats.items() if chat.due is not None]
        return [path for _, path in sorted(found)]

    def __len__(self) -> int:
        """How many files are followed."""
        return len(self._chats)

    def faults(self) -> Mapping[str, str]:
        """The files that were given up, and why each could not be read."""
        return {path: chat.fault for path, chat in self._chats.items() if chat.fault}

    # -- what became of a reading --------------------------------------------------------------

    def settle(self, path: str, mark: Mark) -> None:
        """It is on the tape as it was when it had `mark`; what was written since is still to come."""
        chat = self._chats[path]
        chat.was_read = True
        if chat.mark == mark:
            chat.due = None

    def drop(self, path: str) -> None:
        """It is gone; should it return, it is looked at again."""
        chat = self._chats[path]
        chat.due, chat.mark = None, None

    def wait_for_answer(self, path: str) -> bool:
        """Whether to let it be for now, as the person's last words have no answer yet; once only."""
        chat = self._chats[path]
        if chat.waited:
            return False
        chat.waited = True
        chat.due = chat.changed + self.idle * UNANSWERED
        return True

    def try_later(self, path: str, now: float) -> bool:
        """It could not be recorded now. Whether it has been tried often enough to tell of it."""
        chat = self._chats[path]
        chat.due = now + min(FIRST_RETRY * 2**chat.tries, LONGEST_RETRY)
        chat.tries = min(chat.tries + 1, 30)
        return chat.tries >= TRIES

    def unreadable(self, path: str, now: float, why: str) -> bool:
        """It could not be read: tried again a few times, then given up until it changes.

        Whether to tell of that at once: only where it was read before, as a folder may hold anything.
        """
        if not self.try_later(path, now):
            return False
        chat = self._chats[path]
        chat.due, chat.fault = None, why
        return chat.was_read

    def tell(self, path: str, what: str) -> bool:
        """Whether `what` is news about this file: the same is told once, until it changes."""
        told = self._chats[path].told
        if what in told:
            return False
        told.add(what)
        return True
