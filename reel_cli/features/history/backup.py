"""Back up a kit: its whole history in one file, and when that was last done."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from reel_cli.core.change.hand_edits import list_uncommitted
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.moment import days_since, moment, stamp
from reel_cli.features.history.backup_file import write_bundle


@frozen
class BackedUp:
    """A backup that was made: its size in bytes, the commit it goes up to, and what no commit holds."""

    file: Path
    size: int
    commit: str
    uncommitted: Sequence[str]


def back_up(  # noqa: PLR0913 (one file, and all that is known of it)
    repo: Repository, kit: Path, state: State, file: Path, *, replace: bool, now: datetime
) -> BackedUp:
    """Write the backup and remember it; ReelError or StateError where it cannot be made."""
    target = file.absolute()
    commit = repo.head() or ""
    size = write_bundle(repo, kit, target, replace=replace)
    state.save_backup(stamp(now), str(target), commit)
    return BackedUp(target, size, commit, list(list_uncommitted(repo)))


@frozen
class Backup:
    """The last backup: when (ISO 8601), where to, how many days ago, and whether all is in it since.

    `days` is None where it is dated ahead of the clock.
    """

    at: str
    file: str
    days: int | None
    current: bool


def last_backup(state: State, repo: Repository | None, now: datetime) -> Backup | None:
    """Return the last backup; None if there was none."""
    known = state.last_backup()
    if known is None:
        return None
    days = days_since(moment(known["at"]), now)
    current = repo is not None and repo.head() == known["commit"]
    return Backup(known["at"], known["file"], days, current)
