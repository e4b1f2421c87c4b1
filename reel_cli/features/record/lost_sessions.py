"""Sessions that a commit took from the tape, found without reading all of its past; how they come back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.tape.renumbered_names import read_renumbered
from reel_cli.core.tape.twins import rename_session
from reel_cli.core.values.change import Change
from reel_cli.core.values.source import NewNames
from reel_cli.core.values.talk import session_of, session_path

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.tape_history import CommitLine, Step


@dataclass(frozen=True, slots=True)
class LostSession:
    """A session that is not there any more as one commit had it: its path, its blob, the commit that took it.

    `merge` says that the commit joined two sides and left out what one of them had.
    """

    path: str
    blob: str
    commit: "CommitLine"
    merge: bool

    @property
    def session(self) -> str:
        """Return the session's name."""
        return session_of(self.path) or self.path

    @property
    def what(self) -> str:
        """Return what happened to it, in words."""
        when = f"{self.commit.short}, {self.commit.time[:10]}"
        if self.merge:
            return f"chat {self.session} of one machine was left out when two were made one ({when})"
        return f"chat {self.session} was deleted, and that was committed ({when})"

    @property
    def mend(self) -> str:
        """Return the command that brings it back."""
        if self.merge:
            return "reel doctor --fix  brings it back"
        return f"reel restore {self.session}"


def find_lost(snapshot: Snapshot, repo: "Repository") -> Sequence[LostSession]:
    """Return sessions deleted in a commit, or left out by a merge; raises StateError if git fails.

    What lies there uncommitted is not looked at here, nor whether what is there is as it was recorded.
    """
    from reel_cli.core.git.tape_history import Blobs, is_beginning, name_commits, read_sizes
    from reel_cli.core.git.tape_history import read_takings as read

    steps = [step for step in read(repo) if session_of(step.path) is not None]
    files = {path: data for path in {s.path for s in steps} if (data := snapshot.read(path)) is not None}
    last: dict[tuple[str, str], Step] = {}
    sizes = read_sizes(repo, [step.before for step in steps if step.before is not None])
    for step in steps:
        now = files.get(step.path)
        if step.before is None or (now is not None and not step.merge):
            continue
        if now is None or not is_beginning(repo, now, step.before, sizes.get(step.before)):
            last[step.path, step.before] = step
    if not last:
        return ()
    kept = read_renumbered(repo, steps, snapshot.read, Blobs(repo))
    gone = [step for step in last.values() if not kept.keeps(step)]
    names = name_commits(repo, [step.commit for step in gone if step.commit is not None])
    return [
        LostSession(step.path, step.before, names[step.commit], step.merge)
        for step in gone
        if step.before is not None and step.commit is not None
    ]


def plan_bringing_back(snapshot: Snapshot, repo: "Repository | None") -> Change | None:
    """Plan to restore sessions that a merge left out, if their name is taken under another.

    Where what was committed in their place is no session at all, as with the marks of a conflict, one of
    them takes that place. None where none was left out; StateError where history has lost one.
    """
    if repo is None:
        return None
    from reel_cli.core.git.tape_history import Blobs

    lost = [one for one in find_lost(snapshot, repo) if one.merge]
    if not lost:
        return None
    blobs = Blobs(repo)
    writes: dict[str, bytes | None] = {}
    names: list[tuple[str, str]] = []
    taken = set(snapshot.sessions)
    for one in lost:
        data = blobs.read(one.blob)
        if prove(data, one.path).line is not None:
            continue
        now = writes.get(one.path) or snapshot.read(one.path)
        name = one.session
        if now is None or prove(now, one.path).line is not None:
            writes[one.path] = data
        else:
            day = name[:10]
            number = max(int(other[11:]) for other in taken if other[:10] == day) + 1
            name = f"{day}-{number}"
            writes[session_path(name)] = rename_session(data, one.path, name)
        taken.add(name)
        names.append((one.session, name))
    if not names:
        return None
    trailers = [pair for old, new in names for pair in NewNames({old: new}).trailers()]
    told = ", ".join(old if old == new else f"{old}, as {new}" for old, new in names)
    sessions = [("Reel-Session", new) for _, new in names]
    return Change("tape", f"bring back what a merge left out ({told})", writes, (*sessions, *trailers))


def has_committed_marks(snapshot: Snapshot) -> bool:
    """Return whether a file beside the tape, or a broken session, holds conflict markers."""
    for folder in ("ring2", "ring3", "ring4", "checkpoints", "story", "tape"):
        for path in snapshot.list(folder):
            data = snapshot.read(path) or b""
            if has_marks(data) and (folder != "tape" or prove(data, path).line is not None):
                return True
    return False
