"""Errors in words a person can act on, and the exit codes."""

import errno
from enum import IntEnum

NO_MEMORY = "There is not enough memory to go on; what is committed stays."
NO_MEMORY_HINT = "close other programs, then run the command again"
_SHORT = (
    *("out of memory", "cannot allocate memory", "failed to map segment", "can't start new thread"),
    *("without exception set", "without setting an exception", "module 'hashlib' has no attribute"),
)
"""Messages by which sqlite, the dynamic loader, threads and Python's imports report that memory ran out.

Python's hashlib passes over a hash that it has no memory to load, and then does without its name.
"""


class ExitCode(IntEnum):
    """The process's exit codes (public contract)."""

    DONE = 0
    MENDABLE = 1
    USAGE = 2
    ATTENTION = 3
    BUG = 255


class ReelError(Exception):
    """An error that the user can fix: a one-line message, and a hint if there is a way to fix it."""

    exit_code = ExitCode.MENDABLE

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep `message` (one line, for `Error:`) and `hint` (one line, for `Hint:`)."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class UnusableError(ReelError):
    """A reply that cannot be used as it is; `repair` asks the model for what is missing of it."""

    def __init__(self, message: str, *, hint: str | None = None, repair: str = "", kept: str = "") -> None:
        """Keep the prompt for the rest beside the message, and a line on where the reply lies."""
        super().__init__(message, hint=hint)
        self.repair = repair
        self.kept = kept


class NoSpeakerError(ReelError):
    """A text that was given as a chat and in which nobody is seen to speak."""

    def __init__(self, message: str, text: str, *, hint: str | None = None) -> None:
        """Keep the text, so that it can be told what it is instead."""
        super().__init__(message, hint=hint)
        self.text = text


class UsageError(ReelError):
    """The command line itself is wrong."""

    exit_code = ExitCode.USAGE


class StateError(ReelError):
    """The kit or git is in a state that needs attention first."""

    exit_code = ExitCode.ATTENTION


class OvertakenError(StateError):
    """An error for when another reel changed the same files first; the same command may succeed now.

    Raised before anything is written, and only where nobody but reel changed the files.
    """


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error, or one of its causes, says that memory ran out."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or (isinstance(seen, OSError) and seen.errno == errno.ENOMEM):
            return True
        # read only the system's message, never text that a person gave
        told = "" if isinstance(seen, ReelError) else str(seen).lower()[:400]
        # a generator that has no memory left to end is told by Python itself, with a traceback
        for sign in _SHORT:
            if sign in told:
                return True
        seen = seen.__cause__ or seen.__context__
    return False


class PointedError(ReelError):
    """A problem at one place of a text that was given: `at` is the place in `text`, in characters."""

    def __init__(self, message: str, text: str, at: int, *, hint: str | None = None) -> None:
        """Keep where it went wrong, so that it can be pointed at."""
        super().__init__(message, hint=hint)
        self.text = text
        self.at = at
