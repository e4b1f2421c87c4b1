"""What can go wrong, in words a person can act on."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The process's exit codes (public contract)."""

    DONE = 0
    MENDABLE = 1
    USAGE = 2
    ATTENTION = 3
    BUG = 255


class ReelError(Exception):
    """Something the user can mend: one line, and where there is a mend, a hint."""

    exit_code = ExitCode.MENDABLE

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep `message` (one line, for `Error:`) and `hint` (one line, for `Hint:`)."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class UnusableError(ReelError):
    """A reply that cannot be used as it is; `repair` asks the model for what is missing of it."""

    def __init__(self, message: str, *, hint: str | None = None, repair: str = "") -> None:
        """Keep the prompt for the rest beside the message."""
        super().__init__(message, hint=hint)
        self.repair = repair


class UsageError(ReelError):
    """The command line itself is wrong."""

    exit_code = ExitCode.USAGE


class StateError(ReelError):
    """The kit or git is in a state that needs attention first."""

    exit_code = ExitCode.ATTENTION


class OvertakenError(StateError):
    """Another reel finished a change of the same files first; the same command may do now.

    Raised before anything is written, and only where nobody but reel changed the files.
    """
