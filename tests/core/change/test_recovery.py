import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reel_cli.core.change import recovery, transaction
from reel_cli.core.change.recovery import Recovery, finish
from reel_cli.core.change.transaction import apply_change, recover
from reel_cli.core.errors import StateError
from reel_cli.core.git import index as git_index
from reel_cli.core.git import locks as git_locks
from reel_cli.core.git.index import put_in_index
from reel_cli.core.git.intent import load_intent, save_intent
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import blob_id
from reel_cli.core.values.change import Change
from tests.support.kit_under_git import IDENTITY, START, WHEN, Before, KitUnderGit, make_kit, person_at_work

if TYPE_CHECKING:
    from collections.abc import Callable

WORKING = "ring2/working.md"
TAPE = "tape/2026/2026-02-10-1.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as POSIX does")
def test_killed_at_every_place_once() -> None:
    """The whole measurement is `bench/kill.py`; this is one kit of its four."""
    script = Path(__file__).parents[3] / "bench/kill.py"
    done = subprocess.run(
        [sys.executable, script, "--quick", "--kills", "5"], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1:] == ["kits between: 0  edits harmed: 0  locks left: 0"], done.stderr


class Stop(BaseException):
    """An end of the process that no handler of reel can catch."""


def stop_before(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """End the next transaction before it calls one of its parts, leaving the disk as a kill would."""

    def stop(*_: object, **__: object) -> None:
        raise Stop

    monkeypatch.setattr(transaction, name, stop)


def left_before_the_files(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kit whose change is committed, with none of its files in place."""
    with monkeypatch.context() as patch:
        stop_before(patch, "finish")
        with pytest.raises(Stop):
            kit.apply({WORKING: b"new\n", TAPE: b"said\n", "ring4/index.md": None})
    assert (kit.root / ".reel/state/txn/intent").exists()
    assert kit.read(WORKING) == START[WORKING]
    return kit.repo.head() or ""


def left_before_the_branch(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit whose intent is written, with the branch where it was."""
    with monkeypatch.context() as patch:
        patch.setattr(transaction, "recover_locked", lambda *_: Recovery())
        patch.setattr(transaction._Task, "_move_branch", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            kit.apply({WORKING: b"new\n", TAPE: b"said\n"})
    assert (kit.root / ".reel/state/txn/intent").exists()


def test_with_nothing_left_behind_recovering_is_one_look(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert recover(kit.repo, kit.root) == Recovery()


def test_a_committed_change_is_finished(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    assert recover(kit.repo, kit.root) == Recovery(finished=new)
    assert (kit.read(WORKING), kit.read(TAPE), (kit.root / "ring4").exists()) == (b"new\n", b"said\n", False)
    assert (kit.status(), kit.locks(), kit.repo.head()) == ([], [], new)
    assert recover(kit.repo, kit.root) == Recovery()


def test_the_next_change_finishes_the_one_before(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    left_before_the_files(kit, monkeypatch)
    kit.apply({"ring1/a.md": b"x\n"}, snapshot=kit.snapshot())
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (b"new\n", [], [])


def test_a_change_whose_branch_never_moved_is_discarded(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Before(kit)
    left_before_the_branch(kit, monkeypatch)
    assert recover(kit.repo, kit.root) == Recovery()
    assert before.still()


def test_a_change_with_commits_on_top_is_finished(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.git("commit", "-q", "--allow-empty", "-m", "on top")
    assert recover(kit.repo, kit.root).finished == new
    assert (kit.read(WORKING), kit.locks()) == (b"new\n", [])


def test_a_change_the_person_reset_away_is_named_and_let_go(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.git("reset", "-q", "--hard", "HEAD^")
    kit.git("commit", "-q", "--allow-empty", "-m", "another way")
    before = Before(kit)
    assert recover(kit.repo, kit.root) == Recovery(dropped=new)
    assert before.look()[:4] == before.state[:4]
    assert kit.locks() == []


def test_on_another_branch_nothing_is_put_in_place(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.git("branch", "other")
    new = left_before_the_files(kit, monkeypatch)
    kit.git("symbolic-ref", "HEAD", "refs/heads/other")
    assert recover(kit.repo, kit.root) == Recovery()
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (START[WORKING], [], [])
    assert kit.git("rev-parse", "main").strip() == new


def test_bytes_a_person_wrote_meanwhile_are_kept(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.write(WORKING, b"mine, just now\n")
    assert recover(kit.repo, kit.root) == Recovery(finished=new, kept=(WORKING,))
    assert kit.read(WORKING) == b"mine, just now\n"
    assert (kit.status(), kit.read(TAPE)) == ([f" M {WORKING}"], b"said\n")


def test_bytes_a_person_writes_during_a_change_are_kept(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edited_first(*args: object, **options: object) -> object:
        kit.write(WORKING, b"mine, just now\n")
        return finish(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(transaction, "finish", edited_first)
    applied = kit.apply({WORKING: b"new\n", TAPE: b"said\n"})
    assert applied.kept == (WORKING,)
    assert (kit.read(WORKING), kit.read(TAPE)) == (b"mine, just now\n", b"said\n")
    assert kit.status() == [f" M {WORKING}"]


def test_what_a_person_staged_meanwhile_stays_staged(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    kit.write(WORKING, b"mine\n")
    kit.write("other", b"too\n")
    kit.git("add", WORKING, "other")
    recover(kit.repo, kit.root)
    assert kit.status() == ["A  other", f"M  {WORKING}"]
    assert kit.git("show", f":{WORKING}") == "mine\n"


def test_lost_bytes_of_a_stopped_change_come_from_history(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    for file in (kit.root / ".reel/state/txn").glob("[0-9]*"):
        file.write_bytes(b"")
    recover(kit.repo, kit.root)
    assert (kit.read(WORKING), kit.read(TAPE), kit.status()) == (b"new\n", b"said\n", [])


def test_an_intent_that_reel_did_not_write_does_nothing(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    left_before_the_files(kit, monkeypatch)
    place = kit.root / ".reel/state/txn/intent"
    good = json.loads(place.read_bytes())
    forgeries: list[Callable[[dict[str, Any]], object]] = [
        lambda v: v["targets"][0].update(path="../../escaped"),
        lambda v: v["targets"][0].update(path=".git/hooks/pre-commit"),
        lambda v: v["targets"][0].update(file="../../../kit.yaml"),
        lambda v: v.update(new="--output=x"),
        lambda v: v.update(branch="../../x"),
        lambda v: v.update(version=99),
        lambda v: v.update(targets="x"),
        lambda v: v.pop("base"),
    ]
    for forge in forgeries:
        value = json.loads(json.dumps(good))
        forge(value)
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(value))
        assert recover(kit.repo, kit.root) == Recovery()
        assert not place.exists()
    assert (kit.read(WORKING), kit.read("kit.yaml")) == (START[WORKING], START["kit.yaml"])
    assert not (tmp_path / "escaped").exists()


def test_an_intent_that_the_commit_does_not_bear_out_writes_nothing(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    folder = kit.root / ".reel/state/txn"
    value = json.loads((folder / "intent").read_bytes())
    value["targets"][0]["new"] = blob_id(b"slipped in")
    (folder / value["targets"][0]["file"]).write_bytes(b"slipped in")
    (folder / "intent").write_text(json.dumps(value))
    recover(kit.repo, kit.root)
    assert (kit.read(WORKING), kit.read(TAPE)) == (START[WORKING], b"said\n")


def test_ctrl_c_at_any_call_of_git(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    person_at_work(kit)
    kit.write(WORKING, b"mine\n")
    before = Before(kit)
    real = subprocess.run
    allowed = iter(range(0))

    def interrupted(*args: object, **options: object) -> object:
        if next(allowed, None) is None:
            raise KeyboardInterrupt
        return real(*args, **options)  # type: ignore[call-overload]

    stopped = 0
    while True:
        allowed = iter(range(stopped))
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "run", interrupted)
            try:
                kit.apply({WORKING: b"new\n"})
            except KeyboardInterrupt:
                stopped += 1
            else:
                break
        recover(kit.repo, kit.root)
        assert before.still()
    assert stopped >= 4
    assert (kit.subjects()[0], kit.locks()) == ("checkpoint: a page", [])


# -- others at work -------------------------------------------------------------------------------


def test_a_branch_that_moves_meanwhile_is_built_upon(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[int] = []

    def moving(*args: object) -> None:
        save_intent(*args)  # type: ignore[arg-type]
        if not moved:
            moved.append(1)
            kit.git("commit", "-q", "--allow-empty", "-m", "theirs, just now")

    monkeypatch.setattr(transaction, "save_intent", moving)
    kit.apply({WORKING: b"new\n"})
    assert kit.subjects() == ["checkpoint: a page", "theirs, just now", "init: Ada"]
    assert (kit.status(), kit.locks()) == ([], [])


def test_a_branch_that_never_holds_still(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:

    def moving(*args: object) -> None:
        save_intent(*args)  # type: ignore[arg-type]
        kit.git("commit", "-q", "--allow-empty", "-m", "theirs")

    monkeypatch.setattr(transaction, "save_intent", moving)
    with pytest.raises(StateError, match="kept moving"):
        kit.apply({WORKING: b"new\n"})
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (START[WORKING], [], [])


def test_a_busy_index_leaves_the_rest_to_the_next_command(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_index, "PATIENCE", 0.0)
    monkeypatch.setattr(git_locks, "UNCHANGED_FOR", 0.0)
    monkeypatch.setattr(git_locks, "is_git_at_work", lambda _: True)
    lock = kit.repo.git_dir / "index.lock"
    lock.touch()
    applied = kit.apply({WORKING: b"new\n"})
    assert (kit.repo.head(), kit.read(WORKING)) == (applied.commit, b"new\n")
    assert applied.waits
    assert recover(kit.repo, kit.root) == Recovery(finished=applied.commit, pending=True)
    before = kit.repo.head()
    with pytest.raises(StateError, match="Another git holds the repository's index") as caught:
        kit.apply({WORKING: b"newer\n"})
    assert caught.value.hint is not None
    assert str(lock) in caught.value.hint
    assert (kit.repo.head(), lock.exists()) == (before, True)
    lock.unlink()
    assert recover(kit.repo, kit.root) == Recovery(finished=applied.commit)
    assert (kit.status(), kit.locks()) == ([], [])


@pytest.mark.parametrize("moved", [False, True])
def test_an_empty_lock_of_head_that_another_git_made_stays(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, *, moved: bool
) -> None:
    monkeypatch.setattr(recovery, "LEFT_BEHIND", 0.0)
    monkeypatch.setattr(git_locks, "UNCHANGED_FOR", 0.0)
    monkeypatch.setattr(git_locks, "is_git_at_work", lambda _: True)
    (left_before_the_files if moved else left_before_the_branch)(kit, monkeypatch)
    lock = kit.repo.git_dir / "HEAD.lock"
    lock.touch()
    written = (kit.root / ".reel/state/txn/intent").stat().st_mtime
    os.utime(lock, (written + 5, written + 5))
    recover(kit.repo, kit.root)
    assert lock.exists()
    lock.unlink()
    assert (kit.status(), kit.locks()) == ([], [])


def test_the_locks_of_a_git_that_was_stopped_for_us_go(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "LEFT_BEHIND", 0.0)
    monkeypatch.setattr(git_locks, "UNCHANGED_FOR", 0.0)
    left_before_the_branch(kit, monkeypatch)
    intent = load_intent(kit.root / ".reel/state/txn")
    assert intent is not None
    (kit.repo.git_dir / "refs/heads/main.lock").write_text(intent.new)
    (kit.repo.git_dir / "HEAD.lock").touch()
    recover(kit.repo, kit.root)
    assert (kit.status(), kit.locks()) == ([], [])


def test_an_index_that_git_refreshed_meanwhile(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    def staged_first(*args: object, **options: object) -> object:
        kit.write("other", b"x\n")
        kit.git("add", "other")
        return finish(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(transaction, "finish", staged_first)
    kit.apply({WORKING: b"new\n"})
    assert (kit.status(), kit.locks()) == (["A  other"], [])


def test_where_files_cannot_be_linked_the_index_is_swapped_all_the_same(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    kit.write("other", b"x\n")
    kit.git("add", "other")
    kit.apply({WORKING: b"new\n"})
    assert (kit.status(), kit.locks()) == (["A  other"], [])


def test_putting_entries_in_twice_changes_nothing(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    left_before_the_files(kit, monkeypatch)
    recover(kit.repo, kit.root)
    before = kit.repo.index.read_bytes()
    git = Git(kit.repo.root)
    put_in_index(kit.repo, git, kit.root / ".reel/state", (), None)
    assert kit.repo.index.read_bytes() == before


def test_the_clock_must_not_be_guessed(kit: KitUnderGit) -> None:
    """A time without a zone is the machine's own."""
    seen = kit.snapshot()
    seen.read(WORKING)
    apply_change(
        kit.repo,
        kit.root,
        Change("x", "y", {WORKING: b"z"}),
        seen.seen(),
        when=WHEN.replace(tzinfo=None),
        identity=IDENTITY,
    )
    assert kit.git("log", "-1", "--format=%aI").strip() == "2026-02-10T21:14:00+00:00"
