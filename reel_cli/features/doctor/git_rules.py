"""Rules given to git that a kit never has: to ignore the tape, to filter it, to show another one."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.finding import Finding
from reel_cli.core.git.process import git_process
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.values.talk import session_path

if TYPE_CHECKING:
    from pathlib import Path

    from reel_cli.core.git.repository import Repository


def look_at_git_rules(snapshot: Snapshot, kit: "Path", repo: "Repository") -> Iterator[Finding]:
    """Yield findings on git rules and replacements that affect the tape, but alter no record."""
    newest = session_path(snapshot.sessions[-1]) if snapshot.sessions else EVENTS
    path = repo.prefix + newest
    tape = f"{repo.prefix}tape"
    ignored = git_process(repo.root, "ls-files", "-c", "-i", "--exclude-standard", "--", tape)
    if ignored.stdout.strip():
        mend = f"delete that rule; to find it:  git check-ignore -v --no-index {path}"
        yield _finding("a rule makes git ignore the recorded chats", mend)
    told = git_process(repo.root, "check-attr", "-z", "filter", "--", path).stdout.split(b"\0")
    if len(told) > 2 and told[2] not in (b"unset", b"unspecified"):
        name = os.fsdecode(told[2])
        mend = "delete it from .gitattributes, also below tape/, and from .git/info/attributes"
        yield _finding(f"a rule makes git put the recorded chats through the filter {name!r}", mend)
    marks = git_process(repo.root, "ls-files", "-v", "--", tape).stdout.splitlines()
    if any(line[:1].islower() or line[:1] == b"S" for line in marks):
        mend = "git update-index --no-assume-unchanged --no-skip-worktree -- tape/*/*"
        yield _finding("git was told not to look at files of recorded chats", mend)
    if git_process(repo.root, "replace", "-l").stdout.strip():
        yield _finding("git shows other objects in place of some (git replace)", "git replace -d NAME")
    if (repo.common_dir / "info/grafts").exists():
        yield _finding("git was given another history (.git/info/grafts)", "delete that file")
    linked = [one for one in map(session_path, snapshot.sessions) if _has_two_names(kit / one)]
    if linked:
        mend = "replace it with a copy that no other program changes"
        yield _finding(f"{linked[0]} has a second name on this disk (a hard link)", mend)


def _finding(what: str, mend: str) -> Finding:
    return Finding("git", what, mend, hint_only=True)


def _has_two_names(file: "Path") -> bool:
    try:
        return file.lstat().st_nlink > 1
    except OSError:
        return False
