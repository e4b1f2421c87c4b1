"""Lock files that a stopped git left: deleted where they are ours or old, named where they stay."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reel_cli.core.files.private import mark_own
from reel_cli.core.git import locks as git_locks
from tests.support.cli import Reel, git
from tests.support.shelf import copy_kit

KIT = Path(__file__).parents[3] / "kits" / "ada"
SESSION = "2025-09-14-1"
LOCKS = (
    *("index.lock", "HEAD.lock", "packed-refs.lock", "packed-refs.new", "config.lock"),
    *("refs/heads/main.lock", "objects/info/commit-graph.lock"),
)
needs_processes = pytest.mark.skipif(
    not Path("/proc/self/comm").exists(), reason="elsewhere any git on the machine may hold a lock"
)


class Stop(BaseException):
    """Ends a command as a kill does, past every handler."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def kit(reel: Reel, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if not (shelf / "ada").exists():
        reel("init", shelf / "ada", "--template", KIT).ok()
    kit = reel.cwd / "ada"
    copy_kit(shelf / "ada", kit)
    reel.cwd = kit
    monkeypatch.setattr(git_locks, "UNCHANGED_FOR", 0.0)
    return kit


def stop(*_: object, **__: object) -> None:
    raise Stop


def leave(kit: Path, *locks: str, age: float = 0.0) -> list[Path]:
    """Leave git's locks, as a git does that is killed while it holds them."""
    left = [kit / ".git" / lock for lock in locks]
    for lock in left:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
        made = lock.stat().st_mtime - age
        os.utime(lock, (made, made))
    return left


@contextmanager
def git_at_work(folder: Path) -> Iterator[None]:
    """Have a git alive in a folder; one that has answered, for until then it may not bear its name yet."""
    command = ["git", "cat-file", "--batch-check"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as alive:
        assert alive.stdin is not None
        assert alive.stdout is not None
        alive.stdin.write(b"HEAD\n")
        alive.stdin.flush()
        assert alive.stdout.readline()
        yield


def stop_purge(reel: Reel, at: str) -> None:
    """Purge a session, and stop where purge_swap calls the function with that name."""
    from reel_cli.features.purge import swap as purge_swap

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(purge_swap, at, stop)
        with pytest.raises(Stop):
            reel("purge", SESSION, "--confirm", "Ada")


@needs_processes
@pytest.mark.parametrize("locks", [("index.lock",), LOCKS], ids=["the index's", "all"])
@pytest.mark.parametrize("at", ["_lay_objects", "_drop_old_objects"])
def test_a_stopped_purge_leaves_no_lock_behind(
    reel: Reel, kit: Path, at: str, locks: tuple[str, ...]
) -> None:
    stop_purge(reel, at)
    left = leave(kit, *locks)
    told = reel("status").ok()
    done = at == "_drop_old_objects"
    assert ("is finished now" in told.err) == done
    assert [lock.name for lock in left if lock.exists()] == []
    reel("tape", "verify").ok()
    reel("forget", "M-012", "--yes").ok()
    assert git(kit, "status", "--porcelain") == ""
    assert (f"session: {SESSION}" in git(kit, "log", "-p", "--all")) or done


@needs_processes
def test_a_lock_that_a_living_git_holds_stays_and_is_named(reel: Reel, kit: Path) -> None:
    stop_purge(reel, "_drop_old_objects")
    (kit / ".git/index").touch()
    (left,) = leave(kit, "packed-refs.lock")
    # git itself waits a second for it, each time
    git(kit, "config", "core.packedRefsTimeout", "10")
    with git_at_work(kit):
        for command in (("status",), ("tape", "verify")):
            done = reel(*command)
            assert "packed-refs.lock is there" in done.err
            assert str(left) in done.err
            assert "not as recorded" not in done.out
            assert done.code == 0, command
        told = reel("doctor")
        assert "left packed-refs.lock" in told.out
        refused = reel("forget", "M-012", "--yes")
        assert (refused.code, str(left) in refused.err) == (3, True)
        assert left.exists()
    reel("forget", "M-012", "--yes").ok()
    assert not left.exists()


@needs_processes
def test_a_git_at_work_in_another_repository_is_no_matter(reel: Reel, kit: Path) -> None:
    stop_purge(reel, "_drop_old_objects")
    (left,) = leave(kit, "packed-refs.lock")
    other = kit.with_name(f"{kit.name}-other")
    git(kit.parent, "init", "-q", str(other))
    with git_at_work(other):
        assert "is finished now" in reel("status").ok().err
    assert not left.exists()


@needs_processes
def test_a_lock_from_before_stays_for_it_is_not_ours(reel: Reel, kit: Path) -> None:
    (left,) = leave(kit, "config.lock", age=5)
    reel("forget", "M-012", "--yes").ok()
    assert left.exists()


@needs_processes
def test_doctor_names_locks_and_removes_the_old_ones(reel: Reel, kit: Path) -> None:
    old = leave(kit, "index.lock", "refs/heads/main.lock", age=7200)
    (young,) = leave(kit, "index.lock.lock")
    named = reel("doctor")
    assert named.code == 1
    assert "left index.lock" in named.out
    assert "left main.lock" in named.out
    refused = reel("forget", "M-012", "--yes")
    assert (refused.code, str(old[1]) in refused.err) == (3, True)
    mended = reel("doctor", "--fix")
    assert f"Removed {old[0]}" in mended.err
    assert ([lock.exists() for lock in old], young.exists()) == ([False, False], True)
    reel("forget", "M-012", "--yes").ok()


@needs_processes
@pytest.mark.parametrize(
    ("age", "told"), [(0.0, "index.lock ("), (125.0, "(2 minutes old)"), (7200.0, "(2 hours old)")]
)
def test_what_doctor_says_of_a_lock_removes_it_as_typed(reel: Reel, kit: Path, age: float, told: str) -> None:
    (lock,) = leave(kit, "index.lock", age=age)
    found = json.loads(reel("doctor", "--json").out)["findings"]
    (named,) = [one for one in found if one["check"] == "lock"]
    assert told in named["evidence"]
    when, _, command = named["mend"].partition(":  ")
    assert when == "if no git command is running"
    first, *rest = command.split()
    if age > 3600:
        assert first == "reel"
        reel(*rest)
    else:
        subprocess.run([first, *rest], check=True)
    assert not lock.exists()
    left = json.loads(reel("doctor", "--json").out)["findings"]
    assert [one for one in left if one["check"] == "lock"] == []


@needs_processes
def test_a_change_that_waits_for_a_lock_is_told_once_a_command(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reel.cwd / "chat.txt").write_text("User: hello\n\nAda: the boat was called Perhaps\n")
    monkeypatch.setattr(git_locks, "is_git_at_work", lambda _: True)
    (lock,) = leave(kit, "index.lock")
    for command in (
        ("record", "chat.txt"),
        ("status",),
        ("end", "chat.txt"),
        ("doctor",),
        ("doctor", "--fix"),
    ):
        run = reel(*command)
        said = " ".join(run.err.split())
        assert said.count("index gets these files later. What to do: reel doctor") == 1, (command, said)
    told = " ".join(reel("doctor").out.split())
    assert "run any reel command" not in told
    assert "the next reel command finishes it" in told
    lock.unlink()
    assert "index" not in reel("status").ok().err
    assert git(kit, "status", "--porcelain", "--untracked-files=no") == ""


def test_where_processes_cannot_be_seen_nothing_is_removed(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_locks, "is_git_at_work", lambda _: None)
    left = leave(kit, "config.lock", age=7200)
    reel("doctor", "--fix")
    assert left[0].exists()


@pytest.mark.parametrize(("listed", "alive"), [("init\ngit\n", True), ("init\nzsh\n", False), ("", True)])
def test_without_proc_any_git_counts_as_at_work(
    monkeypatch: pytest.MonkeyPatch, listed: str, *, alive: bool
) -> None:
    monkeypatch.setattr(git_locks, "PROCESSES", (sys.executable, "-c", f"print({listed!r}, end='')"))
    assert git_locks._is_any_git_alive() == alive


def test_a_purge_is_not_discarded_where_git_cannot_answer(reel: Reel, kit: Path) -> None:
    stop_purge(reel, "_drop_old_objects")
    settings = kit.parent / "broken"
    settings.write_text("[bro ken\n")
    # a tip beyond the purge's own: git itself has to say what it holds
    git(kit, "commit", "-q", "--allow-empty", "--no-verify", "-m", "by hand")
    healthy = dict(reel.env)
    reel.env["GIT_CONFIG_GLOBAL"] = str(settings)
    assert "git cannot read its settings" in reel("status").err
    reel.env = healthy
    assert "is finished now" in reel("status").ok().err
    reel("tape", "verify").ok()
    assert git(kit, "fsck", "--no-dangling", "--no-progress") == ""


def test_a_move_that_was_never_made_raises_no_alarm(reel: Reel, kit: Path) -> None:
    (reel.cwd / "chat.txt").write_text("User: hello\n\nAda: the boat was called Perhaps\n")
    before = git(kit, "rev-parse", "HEAD").strip()
    reel("record", "chat.txt").ok()
    made = git(kit, "rev-parse", "HEAD").strip()
    logs = [kit / ".git/logs" / name for name in ("HEAD", "refs/heads/main")]
    told = [log.read_text() for log in logs]
    git(kit, "reset", "--hard", "-q", before)
    for log, text in zip(logs, told, strict=True):
        log.write_text(text)
    # a kill between git's log and the branch leaves this, and reel's own note of what it was doing
    assert "no longer part of the history" in reel("tape", "verify").out
    txn = kit / ".reel/state/txn"
    txn.mkdir()
    mark_own(txn)
    intent = f'"version": 1, "branch": "refs/heads/main", "base": "{before}", "new": "{made}", "targets": []'
    (txn / "intent").write_text("{" + intent + ', "index_was": null}')
    reel("tape", "verify").ok()
    assert made not in logs[0].read_text() + logs[1].read_text()


def test_a_commit_that_the_branch_has_left_is_told_of_all_the_same(reel: Reel, kit: Path) -> None:
    (reel.cwd / "chat.txt").write_text("User: hello\n\nAda: the boat was called Perhaps\n")
    before = git(kit, "rev-parse", "HEAD").strip()
    reel("record", "chat.txt").ok()
    made = git(kit, "rev-parse", "HEAD").strip()
    git(kit, "reset", "--hard", "-q", before)
    txn = kit / ".reel/state/txn"
    txn.mkdir()
    intent = f'"version": 1, "branch": "refs/heads/main", "base": "{before}", "new": "{made}", "targets": []'
    (txn / "intent").write_text("{" + intent + ', "index_was": null}')
    told = reel("tape", "verify")
    assert "no longer part of the history" in told.out
