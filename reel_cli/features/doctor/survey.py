"""One look at everything that can be wrong with a kit and the place it is kept in."""

import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.change.preflight import require_branch
from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import OTHERS
from reel_cli.core.files.state import State
from reel_cli.core.finding import INTEGRITY, KINDS, Finding
from reel_cli.core.git.git_folder import ForeignRepositoryError, command_for_history
from reel_cli.core.git.guard import CALL, HOOKS, Guard, look_at_guard
from reel_cli.core.git.identity import author_identity
from reel_cli.core.git.locks import find_locks, is_git_at_work, is_old
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repair import find_index_damage
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.checkup import CheckScope, Stage, run_checks
from reel_cli.core.kit.creation import Place, warnings
from reel_cli.core.kit.kit_damage import is_half_merged
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.shell import quote_path
from reel_cli.features.doctor.contents import find_unreadable, lacks_rings, look_at_contents, look_at_damage
from reel_cli.features.doctor.git_rules import look_at_git_rules
from reel_cli.features.doctor.leftovers import find_git_leftovers, find_leftovers, is_sound, list_caches

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

OLDEST_GIT = (2, 31)
DELETE = "del" if os.name == "nt" else "rm"
LARGE_CACHE = 512 * 1024 * 1024
"""Bytes above which the size of a cache is reported."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """The findings, worst first, and what was checked; `guard` is `on`, `off` or `none`."""

    findings: Sequence[Finding]
    git: str
    guard: str

    @property
    def well(self) -> bool:
        """Return whether there are no findings except hints."""
        return all(finding.hint_only for finding in self.findings)


def examine(  # noqa: PLR0913 (the kit, its place, and how closely to look)
    snapshot: Snapshot,
    kit: Path,
    repo: "Repository | None",
    *,
    now: datetime,
    shown: str,
    deep: bool = False,
    kinds: Collection[str] = KINDS,
    advance: Callable[[float], None] | None = None,
) -> Checkup:
    """Look at git, the repository, the guard, the folder, and what the kit holds; nothing is changed.

    `shown` is what to call the kit's folder. With `deep`, all objects of the repository are read, and the
    tape is held against all of its history. Only findings of these `kinds` are looked for; files that
    cannot be read are told of in any case. `advance` is told of each memory that is held against the tape.
    """
    version, problems = _git(kit)
    findings = list(problems)
    guard = "none"
    whole = INTEGRITY in kinds
    if version and whole:
        findings += _identity(snapshot, repo)
        if repo is None:
            findings.append(_without_repository(kit))
        else:
            findings += _repository(repo, deep=deep)
            findings += look_at_git_rules(snapshot, kit, repo)
            if not repo.prefix:
                seen = look_at_guard(repo)
                guard = "on" if seen.on else "off"
                findings += _guard(seen)
    if whole:
        findings += _folder(kit, repo if version else None, shown)
        findings += _leftovers(kit, repo, now)
    if version and repo is not None and is_half_merged(repo):
        # a file in conflict belongs to neither side
        return Checkup(sorted(findings, key=lambda f: f.hint_only), version, guard)
    history = repo if version else None
    damage, lost = look_at_damage(snapshot, kit, history)
    contents: Sequence[Finding]
    if whole:
        contents = look_at_contents(CheckScope(snapshot, kit, history, deep, kinds, damage))
    else:
        contents = find_unreadable(snapshot)
    if whole:
        # a file's own check says more about it
        told_of = {one.where for one in contents}
        findings += [one for one in lost if one.where not in told_of]
    if not (whole and lacks_rings(damage)) and not any(one.check == "file" for one in contents):
        scope = CheckScope(snapshot, kit, history, deep, kinds, damage, advance)
        run_checks(scope, Stage.PATTERNS)
        found = scope.found
        # an invented phrase and a dangling line are reported once
        told = {one.where for one in found if one.kind != INTEGRITY}
        contents = [one for one in contents if one.check != "tape" or one.where not in told]
        findings += found
    findings += contents
    findings = without_consequences(findings, [*damage.missing, *damage.damaged])
    return Checkup(sorted(findings, key=lambda f: f.hint_only), version, guard)


def without_consequences(findings: Sequence[Finding], lost: Sequence[str]) -> list[Finding]:
    """Return findings without those that speak of a chat whose file is lost; the loss tells how many follow.

    Their own mends, such as another pointer, would do harm once the file is back.
    """
    chats = [path.rpartition("/")[2].removesuffix(".md") for path in lost if _is_chat(path)]
    if not chats:
        return list(findings)
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, chats))})(?![\w-])")
    losses = [one for one in findings if one.at in lost or any(path in one.what for path in lost)]
    losses = losses or [one for one in findings if "missing" in one.what and one.check in ("tape", "file")]
    follow = [one for one in findings if losses and one not in losses and named.search(one.what)]
    if not follow:
        return list(findings)
    many = "1 other finding follows" if len(follow) == 1 else f"{len(follow):,} other findings follow"
    told = replace(
        losses[0], what=f"{losses[0].what}; {many} from that, and {_GOES[len(follow) == 1]} with it"
    )
    left = [one for one in findings if one not in follow]
    counts = [one for one in left if _COUNTS.match(one.what) and one.mend in {other.mend for other in follow}]
    # `3 more like that` says nothing where those that it counts on are gone
    bare = [one for one in counts if not any(one.mend == other.mend for other in left if other is not one)]
    return [told if one is losses[0] else one for one in left if one not in bare]


_COUNTS = re.compile(r"(?:and )?[\d,]+ more\b.* like that$")


_GOES = ("go", "goes")


def _is_chat(path: str) -> bool:
    return path.startswith("tape/") and path.endswith(".md") and path != EVENTS


def _without_repository(kit: Path) -> Finding:
    """Return the reason why a kit has no repository that it can be recorded in."""
    try:
        find_repository(kit)
    except ForeignRepositoryError as error:
        return Finding("repository", _plain(error), error.hint or "")
    what = "the kit has no history (git), so nothing can be recorded in it"
    return Finding("repository", what, command_for_history(kit))


def _git(kit: Path) -> tuple[str, Sequence[Finding]]:
    try:
        told = git_process(kit, "--version")
    except ReelError as error:
        return "", [Finding("git", _plain(error), error.hint or "")]
    found = re.search(rb"(\d+)\.(\d+)[\w.]*", told.stdout)
    if told.returncode or found is None:
        return "", [Finding("git", "git is installed, but does not run", "see what  git --version  says")]
    version = found[0].decode("ascii", "replace")
    if (int(found[1]), int(found[2])) < OLDEST_GIT:
        wanted = ".".join(map(str, OLDEST_GIT))
        return version, [
            Finding("git", f"git is {version}; reel needs {wanted} or newer", "install a newer git")
        ]
    return version, []


def _identity(snapshot: Snapshot, repo: "Repository | None") -> Iterator[Finding]:
    try:
        author = snapshot.settings.author
    except ReelError:
        # kit.yaml is reported as a file that cannot be read, and the author may stand there
        return
    try:
        author_identity(repo, author)
    except ReelError as error:
        yield Finding("identity", _plain(error), error.hint or "")


def _locks(repo: "Repository") -> Iterator[Finding]:
    """Yield each lock of git's with its age and the command that removes it: `--fix` only takes old ones."""
    found = find_locks(repo)
    alive = is_git_at_work(repo) if found else None
    now = time.time()
    for lock in found:
        made = _tell_age(now - lock.made)
        what = f"another git command is running, or one was stopped and left {lock.path.name} ({made})"
        removes = alive is False and is_old(lock, now)
        command = "reel doctor --fix" if removes else f"{DELETE} {quote_path(lock.path)}"
        when = "once the git command in this kit is done" if alive else "if no git command is running"
        yield Finding("lock", what, f"{when}:  {command}")


def _tell_age(seconds: float) -> str:
    """Return an age in words, in its largest whole unit."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count = int(seconds // length)
        if count:
            return f"{count:,} {unit}{'' if count == 1 else 's'} old"
    return "just made"


def _repository(repo: "Repository", *, deep: bool) -> Iterator[Finding]:
    try:
        require_branch(repo)
        repo.head()
    except ReelError as error:
        what = _plain(error).removesuffix("; nothing was changed")
        yield Finding("repository", what, error.hint or "")
    damage = find_index_damage(repo)
    if damage is not None:
        yield Finding("repository", _plain(damage), damage.hint or "")
    yield from _locks(repo)
    if (repo.common_dir / "shallow").exists():
        yield Finding(
            "repository",
            "this copy of the kit lacks the older history",
            "git fetch --unshallow",
            hint_only=True,
        )
    kept = git_process(repo.root, "check-attr", "-z", "text", "--", f"{repo.prefix}{EVENTS}")
    if kept.returncode == 0 and not kept.stdout.endswith(b"\0unset\0"):
        what = "git may change line ends in the recorded chats: .gitattributes does not forbid it"
        yield Finding("repository", what, "add the line  tape/** -text  to .gitattributes", hint_only=True)
    if deep:
        told = git_process(repo.root, "fsck", "--no-progress", "--no-dangling", "--full")
        if told.returncode:
            first = (told.stdout + told.stderr).decode("utf-8", "replace").strip().partition("\n")[0]
            what = f"the repository is damaged: {first.removeprefix('error: ')}"
            yield Finding(
                "repository", what, "git fsck  says what is missing; a copy or a backup may have it"
            )


def _guard(guard: Guard) -> Iterator[Finding]:
    if guard.on and not guard.whole:
        what = "the guard is from an older reel, or does not watch merges"
        yield Finding("guard", what, "reel doctor --guard on", hint_only=True)
    elif not guard.on and (guard.foreign or guard.elsewhere is not None):
        whose = (
            f"git looks for hooks in {guard.elsewhere}"
            if guard.elsewhere
            else f"there is another {HOOKS[0]} hook"
        )
        what = f"the guard is off: {whose}"
        yield Finding(
            "guard", what, f"reel doctor --guard on  then write into that hook:  {CALL}", hint_only=True
        )
    elif not guard.on:
        what = "the guard is off: a plain git commit could alter recorded chats"
        yield Finding("guard", what, "reel doctor --guard on", hint_only=True)


def _folder(kit: Path, repo: "Repository | None", shown: str) -> Iterator[Finding]:
    if os.name != "nt" and kit.stat().st_mode & OTHERS:
        what = "other accounts on this machine can read the kit's folder"
        yield Finding("private", what, "reel doctor --fix")
    for line in warnings(Place(kit.resolve(), repo), shown):
        yield Finding("private", line.rstrip("."), "", hint_only=True)


def _leftovers(kit: Path, repo: "Repository | None", now: datetime) -> Iterator[Finding]:
    if repo is not None and State(kit).has_intent():
        yield Finding(
            "unfinished",
            "a command was stopped before it was done, and this one could not finish it",
            "once nothing else here is in its way, the next reel command finishes it",
        )
    left = find_leftovers(kit, now)
    if left:
        many = "file" if len(left) == 1 else "files"
        yield Finding(
            "leftovers",
            f"{len(left):,} {many} of a command that was stopped are in .reel",
            "reel doctor --fix",
        )
    half = find_git_leftovers(repo.common_dir, now) if repo is not None else ()
    if half:
        size = sum(path.lstat().st_size for path in half)
        many, lie = ("one file", "lies") if len(half) == 1 else (f"{len(half):,} files", "lie")
        what = f"{many} that a stopped git command never finished {lie} in its folder, {size:,} bytes"
        yield Finding("leftovers", what, "reel doctor --fix")
    for cache in list_caches(kit):
        name = cache.relative_to(kit).as_posix()
        if not is_sound(cache):
            yield Finding(
                "cache", f"{name} is damaged; it can be made again and nothing is lost", "reel doctor --fix"
            )
        elif cache.stat().st_size > LARGE_CACHE:
            size = cache.stat().st_size >> 20
            yield Finding(
                "cache",
                f"{name} takes {size:,} MB",
                f"delete it; reel makes it again:  rm {name}",
                hint_only=True,
            )


def _plain(error: ReelError) -> str:
    return error.message.rstrip(".")
