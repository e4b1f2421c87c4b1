"""Facts beside a kit's files, from this machine and history, for whether a dream is due."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from reel_cli.core.git.last_proof import Verified
    from reel_cli.features.dream.marks import Marks
    from reel_cli.terminal.open_kit import OpenKit


Keep = Callable[[str, str, Callable[[], list[Any]]], list[Any]]
"""Function that returns the value stored under a name for some plain JSON, else the made one."""


class OutsideFacts(NamedTuple):
    """The facts known beside a kit's files, each looked up only if needed.

    `marks` is what history tells (None: nothing), `touches` are journal lines that no commit holds yet,
    `verified` how it went when the tape was last proven on this machine. `keep` has what was made of one
    state of history, and of what is told beside it, from one time to the next.
    """

    now: datetime
    marks: "Callable[[], Marks | None]" = lambda: None
    touches: Callable[[], Sequence[str]] = tuple
    verified: "Callable[[], Verified | None]" = lambda: None
    keep: Keep = lambda _kind, _told, make: make()


def look_beside(opened: "OpenKit") -> OutsideFacts:
    """Return the facts known beside the kit's files, for whether a dream is due."""
    then = opened.then
    if then is not None:
        # looking back, what is pending or noted on this machine is not of that moment
        return OutsideFacts(then.recorded, lambda: _marks(opened))

    def verified() -> Any:  # noqa: ANN401 (imported where it is read)
        from reel_cli.core.git.last_proof import last_verified

        return last_verified(opened.state)

    def keep(kind: str, told: str, make: Callable[[], list[Any]]) -> list[Any]:
        from reel_cli.core.kit.head_note import note_history

        repository = opened.repository
        return note_history(opened.root, repository, kind, make, told) if repository is not None else make()

    now = opened.context.now()
    return OutsideFacts(now, lambda: _marks(opened), opened.state.pending_touches, verified, keep)


def _marks(opened: "OpenKit") -> "Marks":
    """Return the dreams and purges in history; read once a commit."""
    from reel_cli.core.kit.head_note import note_history
    from reel_cli.features.dream.marks import Marks, read_marks

    repository = opened.repository
    if repository is None:
        return Marks()
    if opened.then is not None:
        return read_marks(repository, opened.then.commit)

    def make() -> list[list[str]]:
        found = read_marks(repository)
        return [list(found.dreams), list(found.purges)]

    dreams, purges = note_history(opened.root, repository, "dreams", make)
    return Marks(tuple(dreams), tuple(purges))
