"""Memories and chats that a commit made by hand took from the kit: the files on the disk do not show it."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import day_in_words
from reel_cli.core.shell import join
from reel_cli.core.values.change import one_line
from reel_cli.core.values.due import KitWarning
from reel_cli.core.values.memory import is_brought, memory_path

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot

GONE = "gone"
_NAMED = 5
"""Maximum number of memories or chats that one command brings back."""


def find_gone(snapshot: "Snapshot", repo: "Repository | None") -> Sequence[KitWarning]:
    """Return one line for the memories that are gone and one for the chats, with the command for each.

    What is left of them shows it: a line of the index that leads nowhere, the page of a chat that is not on
    the tape. Git's history is read only where there is such a page.
    """
    found = [
        ("memory", "memories", [(name, f"“{title}”") for name, title in _memories(snapshot, repo)]),
        ("chat", "chats", [(name, f"of {_day(name)}") for name in _chats(snapshot, repo)]),
    ]
    return [_tell(one, several, gone, repo) for one, several, gone in found if gone]


def _memories(snapshot: "Snapshot", repo: "Repository | None") -> Sequence[tuple[str, str]]:
    """Return ID and title of each memory of which there is only a line that leads nowhere."""
    from reel_cli.core.git.tracked_files import read_tracked
    from reel_cli.core.rings.losses import MEMORIES, list_deleted

    # a file that git still has is missing from the disk, which is told elsewhere
    tracked = read_tracked(repo) if repo is not None else ()
    found = [
        line
        for line in snapshot.index.lines.values()
        if line.where is None and not line.pruned and not is_brought(line.tags)
        if (path := memory_path(line.id)) not in tracked and snapshot.read(path) is None
    ]
    if found and repo is not None:
        # a line that a person typed, to find a moment by, never had a file
        once = list_deleted(repo, MEMORIES)
        found = [line for line in found if memory_path(line.id) in once]
    return [(line.id, one_line(line.description, 60)) for line in found]


def _chats(snapshot: "Snapshot", repo: "Repository | None") -> Sequence[str]:
    """Return the chats that have a page and are not on the tape any more."""
    there = frozenset(snapshot.sessions)
    gone = [one for path in snapshot.checkpoints if (one := _session_of(path)) not in there]
    if repo is None or not gone:
        return list(dict.fromkeys(gone))
    from reel_cli.features.record.lost_sessions import find_lost

    try:
        return list(dict.fromkeys(one.session for one in find_lost(snapshot, repo) if not one.merge))
    except ReelError:
        # what is wrong with the history, the doctor says
        return ()


def _tell(one: str, several: str, gone: Sequence[tuple[str, str]], repo: "Repository | None") -> KitWarning:
    """Return one warning for all of these, each given by its name and in words."""
    told = f"the {one} {gone[0][1]} is gone"
    if len(gone) > 1:
        told = f"{len(gone):,} {several} are gone, the first {gone[0][1]}"
    # without a history there is nothing to bring them back from
    mend = join(["reel", "restore", *(name for name, _ in gone[:_NAMED])]) if repo is not None else ""
    return KitWarning(GONE, told, mend)


def _session_of(path: str) -> str:
    return path.rpartition("/")[2].rsplit(".", 2)[0]


def _day(session: str) -> str:
    return day_in_words(date.fromisoformat(session[:10]))
