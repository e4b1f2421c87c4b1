"""Take back reel's last change, with a new one; nothing leaves history."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.files.commit_message import UNDOES
from reel_cli.core.git.history import plan_undo
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.features.history.log import read_words

NAMED = 4
"""So many files are named; of more, only how many."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The change that takes one back; `what` is that one in the log's words."""

    change: Change
    what: str
    again: tuple[str, ...]
    """Files that are as they were before it."""
    back: tuple[str, ...]
    """Files it took away, which are there again."""
    gone: tuple[str, ...]
    """Files it brought, which are out of the kit again."""

    def told(self) -> Sequence[str]:
        """What taking it back does, one line a kind."""
        kinds = ((self.back, "back"), (self.again, "as before"), (self.gone, "out of the kit again"))
        return [
            f"{_names(paths)} {'is' if len(paths) == 1 else 'are'} {how}." for paths, how in kinds if paths
        ]


def undo_last(repo: Repository, snapshot: Snapshot) -> Undo:
    """Plan to take back the last change not taken back yet.

    Raises ReelError where there is none, or it only let the tape grow.
    """
    change = plan_undo(repo, snapshot)
    before = {path: snapshot.read(path) for path in change.writes}
    shown = [path for path in sorted(before) if not path.startswith("journal/")]
    return Undo(
        change,
        read_words(repo, snapshot, next(value for key, value in change.trailers if key == UNDOES)),
        again=tuple(p for p in shown if before[p] is not None and change.writes[p] is not None),
        back=tuple(p for p in shown if before[p] is None),
        gone=tuple(p for p in shown if change.writes[p] is None),
    )


def _names(paths: Sequence[str]) -> str:
    if len(paths) > NAMED:
        return f"{len(paths)} files"
    return " and ".join(filter(None, [", ".join(paths[:-1]), paths[-1]]))
