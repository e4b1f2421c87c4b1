"""Facts beside a kit's files, from this machine and history (dreams, purges), for whether a dream is due."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from reel_cli.core.files.commit_message import OP, UNDOES, list_undone
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository, is_commit_id

if TYPE_CHECKING:
    from reel_cli.core.git.last_proof import ProofRecord
    from reel_cli.terminal.open_kit import OpenKit

Keep = Callable[[str, str, Callable[[], list[Any]]], list[Any]]
"""Function that returns the value stored under a name for some plain JSON, else the made one."""


DREAM, PURGE = "dream", "purge"
_BATCH = f"{DREAM}: batch "
"""Beginning of a batch's commit subject."""
_HELD = f"{DREAM}: held "
"""Beginning of the subject of a chapter that was held against the tape again."""


class OutsideFacts(NamedTuple):
    """The facts known beside a kit's files, each looked up only if needed.

    `marks` is what history tells (None: nothing), `touches` are journal lines that no commit holds yet,
    `verified` how it went when the tape was last proven on this machine. `keep` has what was made of one
    state of history, and of what is told beside it, from one time to the next.
    """

    now: datetime
    marks: "Callable[[], Marks | None]" = lambda: None
    touches: Callable[[], Sequence[str]] = tuple
    verified: "Callable[[], ProofRecord | None]" = lambda: None
    keep: Keep = lambda _kind, _told, make: make()


def look_beside(opened: "OpenKit") -> OutsideFacts:
    """Return the facts known beside the kit's files, for whether a dream is due."""
    then = opened.then
    if then is not None:
        # a look back must not see what is pending or noted on this machine today
        return OutsideFacts(then.recorded, lambda: _marks(opened))

    def verified() -> Any:  # noqa: ANN401 (imported where it is read)
        from reel_cli.core.git.last_proof import ProofRecord, last_verified
        from reel_cli.core.moment import moment
        from reel_cli.features.dream.pulse.altered_tape import recall_put_back
        from reel_cli.terminal.kit_warnings import look_at_altered

        look_at_altered(opened)
        known, back = last_verified(opened.state), recall_put_back(opened)
        if not back or (known is not None and moment(known.failed) >= moment(back)):
            return known
        return ProofRecord("", 0, back) if known is None else known._replace(failed=back)

    def keep(kind: str, told: str, make: Callable[[], list[Any]]) -> list[Any]:
        from reel_cli.core.kit.head_note import HistoryNote

        repository = opened.repository
        return (
            HistoryNote(kind, make, told).recall(opened.root, repository)
            if repository is not None
            else make()
        )

    now = opened.context.now()
    return OutsideFacts(now, lambda: _marks(opened), opened.state.pending_touches, verified, keep)


def _marks(opened: "OpenKit") -> "Marks":
    """Return the dreams and purges in history; read once a commit."""
    from reel_cli.core.kit.head_note import HistoryNote

    repository = opened.repository
    if repository is None:
        return Marks()
    if opened.then is not None:
        return read_marks(repository, opened.then.commit)

    def make() -> list[list[list[Any]]]:
        found = read_marks(repository)
        return [
            [[one.at, list(one.sessions)] for one in kind] for kind in (found.woven, found.purged, found.held)
        ]

    kinds = HistoryNote("steps of dreams", make).recall(opened.root, repository)
    return Marks(*(tuple(StoryMark(at, tuple(sessions)) for at, sessions in kind) for kind in kinds))


class StoryMark(NamedTuple):
    """A step that changed the story or its ground: when (ISO 8601), and the sessions it was about."""

    at: str
    sessions: tuple[str, ...] = ()


@frozen
class Marks:
    """Woven batches, purges, and chapters that were held against the tape again, each newest first."""

    woven: Sequence[StoryMark] = ()
    purged: Sequence[StoryMark] = ()
    held: Sequence[StoryMark] = ()

    @property
    def dreams(self) -> Sequence[str]:
        """Return when batches were woven."""
        return tuple(one.at for one in self.woven)

    @property
    def purges(self) -> Sequence[str]:
        """Return when something was purged."""
        return tuple(one.at for one in self.purged)


def read_marks(repo: Repository, tip: str | None = None) -> Marks:
    """Return the steps of dreams up to `tip` (a full id; None: HEAD); empty if history cannot be read.

    A step that was taken back is none, and neither is a dream that was only begun or stopped.
    """
    head = tip if tip is not None else repo.head()
    if head is None or not is_commit_id(head):
        return Marks()
    keys = (OP, UNDOES, "Reel-Session")
    fields = ("%H", "%cI", "%s", *(f"%(trailers:key={key},valueonly,unfold)" for key in keys))
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{OP}: \\(dream\\|purge\\|undo\\|redo\\)$", "-z"),
        f"--format={'%x00'.join(fields)}",
        *(head, "--", *([repo.prefix] if repo.prefix else [])),
    )
    if listed.returncode:
        return Marks()
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    width = len(fields)
    rows = [parts[at : at + width] for at in range(0, len(parts) - width + 1, width)]
    undone = list_undone((row[0], row[4].split()) for row in rows)
    told = [row[1:] for row in rows if row[0] not in undone]

    def marks(wanted: str, start: str = "") -> tuple[StoryMark, ...]:
        return tuple(
            StoryMark(at, tuple(sessions.split()))
            for at, subject, op, _, sessions in told
            if op.strip() == wanted and subject.startswith(start) and (sessions.strip() or not start)
        )

    return Marks(marks(DREAM, _BATCH), marks(PURGE), marks(DREAM, _HELD))
