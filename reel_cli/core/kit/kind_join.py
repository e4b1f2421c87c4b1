"""One file of two machines' versions of it, as its kind of kit file joins them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen

MergeTexts = Callable[[bytes, bytes, bytes], bytes | None]
"""Function that merges this side's, the common and the other side's text; None if both changed the same
place."""


@frozen
class KindJoin:
    """A file that both machines changed: its three versions, None where there was none.

    `whose` are the words for this side and the other; `joined` reads what other files are to be, `sides` what
    they are on this side, on the other, and in common; `is_free` says whether a file can have a name without
    another's being lost.
    """

    path: str
    ours: bytes | None
    theirs: bytes | None
    base: bytes | None
    merge: MergeTexts
    whose: tuple[str, str]
    joined: Callable[[str], bytes | None]
    is_free: Callable[[str, bytes], bool]
    sides: Callable[[str], tuple[bytes | None, bytes | None, bytes | None]]

    @property
    def both(self) -> tuple[bytes, bytes] | None:
        """The two versions; None where one side took the file away."""
        return None if self.ours is None or self.theirs is None else (self.ours, self.theirs)

    def texts(self) -> tuple[str, str, str]:
        """Return this side's, the other's and the common text, as `text_in` does."""
        return text_in(self.ours), text_in(self.theirs), text_in(self.base)


class JoinedFiles(NamedTuple):
    """Bytes to write, by path (None for no file), with notices for the person."""

    files: Mapping[str, bytes | None]
    notes: Sequence[str] = ()


BY_HAND = JoinedFiles({})
"""The answer for a file that only a person can settle."""


def text_in(data: bytes | None) -> str:
    """Return a file's text, "" for none; ReelError for other than UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        message = "A file of the kit is not UTF-8 text on one of the two machines."
        raise ReelError(message, hint="git merge --abort  goes back; fix it there, then pull again") from None
