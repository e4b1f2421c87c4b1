"""Upkeep that is due by pressure, by time and by age, beside the sessions' pages (REEL §4.7, §6.2, §6.7)."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import MUST_STAY, PART
from reel_cli.core.files.commit_message import OP as OP_KEY
from reel_cli.core.frozen import frozen
from reel_cli.core.git.history import SESSION_FILE
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words, days_since, moment
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.bundle import Share
from reel_cli.core.values.due import Due
from reel_cli.features.history.backup import Backup

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

LOOKED_AT = 8
"""Number of commits that mention the operation and are checked before all are: some only quote it."""
OP = "maintain"
BACKUP_AGE = 30
"""Days after which a backup that does not hold everything is due again."""
Fading = Callable[[Snapshot], int | None]
"""Function that returns how many memories and lines are ready to recede; None if unknown. Called only if
needed."""
EDITION = 1
"""Version of the rules; raised when the same kit would be planned otherwise."""


@frozen
class UpkeepCommit:
    """A commit by its full id, and when it was made (ISO 8601, the committer's clock)."""

    commit: str
    at: str


def last_done(repo: Repository, op: str) -> UpkeepCommit | None:
    """Return the newest commit of an operation on the kit; None if there is none, or no history.

    One that only lays suggestions by for a person counts for none, nor does one of a part of maintenance.
    """
    if repo.head() is None:
        return None
    found, listed = _find_done(repo, op, LOOKED_AT)
    if found is None and listed == LOOKED_AT:
        found, _ = _find_done(repo, op, -1)
    return found


def _find_done(repo: Repository, op: str, most: int) -> tuple[UpkeepCommit | None, int]:
    """Return the newest commit of an operation among so many (-1 for all), and how many mention it."""
    listed = git_process(
        repo.root,
        *("log", f"--max-count={most}", f"--grep=^{OP_KEY}: {op}$", "-z"),
        f"--format=%H%x00%cI%x00%(trailers:key={OP_KEY},valueonly,unfold)%x00%s"
        f"%x00%(trailers:key={PART},valueonly,unfold)",
        *("HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    rows = list(zip(*(parts[n::5] for n in range(5)), strict=False))
    for commit, at, told, subject, part in rows:
        if told.split() == [op] and not subject.endswith(MUST_STAY) and not part.strip():
            return UpkeepCommit(commit, at), len(rows)
    return None, len(rows)


def commit_at(repo: Repository, when: datetime) -> str | None:
    """Return the newest commit not made after a moment; None where there is none."""
    listed = git_process(repo.root, "rev-list", "--max-count=1", f"--before={when.isoformat()}", "HEAD", "--")
    found = listed.stdout.decode("ascii", "replace").strip()
    return found if is_commit_id(found) else None


def sessions_then(repo: Repository, commit: str) -> Collection[str]:
    """Return the sessions that stood on the tape in a commit (a full id), by name."""
    listed = Git(repo.root)(
        "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", f"{repo.prefix}tape/"
    )
    names = (os.fsdecode(name)[len(repo.prefix) :] for name in listed.split(b"\0"))
    return {name.rpartition("/")[2].removesuffix(".md") for name in names if SESSION_FILE.fullmatch(name)}


def not_known(_snapshot: Snapshot) -> int | None:
    """Return None, for a kit whose memories are not looked through."""
    return None


@frozen
class UpkeepFacts:
    """The facts known beside a kit's files, all optional.

    `passed` is when maintenance was last gone through to its end (ISO 8601) as this machine notes it: one
    that let nothing go leaves no commit.
    """

    now: datetime | None = None
    repo: Repository | None = None
    backup: Backup | None = None
    passed: str = ""
    fading: Fading = not_known
    parts: Callable[[Snapshot, bool], Sequence[Due]] = lambda _snapshot, _cold: ()
    """Function that returns what features find due, by whether the kit is in its cold start."""
    exchanges: Sequence[Mapping[str, Any]] = ()
    """The exchanges under way, newest first: of a page that came through in part the rest is due."""
    asked: str | None = None
    """The earlier session whose page `reel end` goes on with."""
    start: tuple[str, str] = ("", "")
    """The bundle that was handed out last, and when a session was last started."""


def list_upkeep(
    snapshot: Snapshot, rings: Mapping[str, Share], around: UpkeepFacts, *, cold: bool
) -> Sequence[Due]:
    """Return what is due for the rings (all their tokens, with their ranges) and for the whole kit."""
    due: list[Due] = []
    notes = rings["2"]
    if notes.tokens > notes.max:
        due.append(
            Due("notes", f"the notes take {notes.tokens:,} tokens; their share is {notes.max:,} at most")
        )
    if not cold and (why := _maintenance(snapshot, rings["3"], around)):
        due.append(Due("maintenance", why))
    due += around.parts(snapshot, cold)
    backup = around.backup
    if backup is not None and not backup.current and (backup.days is None or backup.days >= BACKUP_AGE):
        old = (
            f"is {backup.days:,} days old" if backup.days is not None else "has a date that is still to come"
        )
        due.append(Due("backup", f"the last one {old}, and there is more since"))
    return due


def _maintenance(snapshot: Snapshot, memories: Share, around: UpkeepFacts) -> str:
    """Return why the past should be looked through now; "" if there is no reason."""
    late = _late(snapshot, around)
    heavy = memories.tokens > memories.max
    if not (late or heavy):
        return ""
    ready = around.fading(snapshot)
    reasons = []
    # where nothing more can fade, being over its range cannot be mended
    if heavy and ready != 0:
        reasons.append(f"memories take {memories.tokens:,} tokens; their share is {memories.max:,} at most")
    if ready and (heavy or late):
        reasons.append(
            f"{ready:,} {'is' if ready == 1 else 'are'} ready to fade" if heavy else _many_ready(ready)
        )
    return "; ".join([*reasons, *([late] if late else [])])


def _late(snapshot: Snapshot, around: UpkeepFacts) -> str:
    """Return why it is due by the kit's schedule; "" if it is not, or no schedule applies.

    Where the last time is dated ahead of the clock, one of the two is wrong, and it is time again as soon as
    a session was recorded since: neither waiting for that day nor every day.
    """
    settings, repo, now = snapshot.settings, around.repo, around.now
    every_days, every_sessions = settings.maintain_every
    if repo is None or now is None or not (every_days or every_sessions):
        return ""
    standing = standing_sessions(snapshot)
    last = _last(repo, now, around.passed)
    if last is None:
        return _never_yet(standing, now, every_days, every_sessions)
    days = days_since(last.at, now)
    if every_days and days is not None and days >= every_days:
        return f"last done {days:,} days ago"
    if days is not None and not every_sessions:
        return ""
    fresh = len(set(standing).difference(sessions_then(repo, last.commit) if last.commit else ()))
    if every_sessions and fresh >= every_sessions:
        return f"{fresh:,} chat{'' if fresh == 1 else 's'} since it was last done"
    if days is None and fresh:
        return f"last done on {day_in_words(last.at.date())}, a date that is still to come"
    return ""


@frozen
class _Last:
    """The last time maintenance was done, and a commit that holds what the tape held then."""

    at: datetime
    commit: str | None


def _last(repo: Repository, now: datetime, passed: str) -> _Last | None:
    """Return the last time, by history or this machine's note: the later not ahead of the clock."""
    done = last_done(repo, OP)
    by_history = _Last(moment(done.at), done.commit) if done is not None else None
    here = moment(passed)
    if not passed or here.year == 1 or days_since(here, now) is None:
        return by_history
    if by_history is not None and by_history.at >= here and days_since(by_history.at, now) is not None:
        return by_history
    return _Last(here, commit_at(repo, here))


def _never_yet(standing: Sequence[str], now: datetime, every_days: int, every_sessions: int) -> str:
    """Return why the first time has come: measured from the first session not dated ahead of the clock."""
    told = f"never done, in {len(standing):,} chat{'' if len(standing) == 1 else 's'}"
    if every_sessions and len(standing) >= every_sessions:
        return told
    if not (every_days and standing):
        return ""
    ages = [age for day in map(_day, standing) if day.year > 1 and (age := days_since(day, now)) is not None]
    return told if not ages or max(ages) >= every_days else ""


def _many_ready(ready: int) -> str:
    return "1 memory is ready to fade" if ready == 1 else f"{ready:,} memories are ready to fade"


def _day(session: str) -> datetime:
    return moment(session[:10])


def gather_facts(opened: "OpenKit") -> UpkeepFacts:
    """Return the facts known beside the kit's files, for what is due by time and by pressure."""
    from reel_cli.features.fading.pass_file import last_pass
    from reel_cli.features.history.backup import last_backup
    from reel_cli.features.page.owed_pages import find_at_once
    from reel_cli.terminal.status_parts import StatusScope, find_parts

    def find_due(snapshot: Snapshot, cold: bool) -> Sequence[Due]:  # noqa: FBT001 (the survey calls it)
        scope = StatusScope(opened, snapshot, cold)
        return find_parts(scope).due(scope)

    state, repository, now = opened.state, opened.repository, opened.context.now()
    return UpkeepFacts(
        now,
        repository,
        last_backup(state, repository, now),
        last_pass(state) or "",
        lambda snapshot: count_ready(opened, snapshot),
        find_due,
        tuple(state.exchanges().values()),
        find_at_once(opened),
        state.last_bundle(),
    )


def count_ready(opened: "OpenKit", snapshot: "Snapshot") -> int | None:
    """Return how many steps down maintenance would take now; None if the kit has unreadable files.

    `snapshot` is a glance at the kit as it lies on disk, in which what was read of it is read already.
    """
    from reel_cli.core.kit.kit_note import note_kit
    from reel_cli.features.fading.pass_file import pass_under_way

    def count() -> int:
        from reel_cli.features.fading.fading import Move
        from reel_cli.features.fading.maintenance_pass import Pass

        down = (Move.DESCEND, Move.PRUNE, Move.SLEEP)
        return sum(step.move in down for step in Pass(opened, glance=snapshot, checked=False).found.steps)

    try:
        if pass_under_way(opened.state) is not None:
            # whether the pass goes on depends on the time and on its progress, so its count is not kept
            return count()
        return note_kit(opened.root, f"ready {EDITION}", _facts(opened), count)
    except ReelError:
        return None


def _facts(opened: "OpenKit") -> list[str]:
    """Return what the count depends on beside the files: the day, history, and uncommitted uses."""
    from reel_cli.core.rings.losses import is_shallow

    repository = opened.repository
    history = ["no history"]
    if repository is not None:
        history = [repository.head() or "", repository.prefix, str(is_shallow(repository))]
    return [opened.now().date().isoformat(), *history, *opened.state.pending_touches()]
