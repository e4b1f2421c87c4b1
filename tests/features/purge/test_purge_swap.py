"""A purge that is stopped: the kit is before or after it, and the next command says and settles which."""

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.git import lock
from reel_cli.features.purge import swap as purge_swap
from reel_cli.features.purge.new_history import FreshHistory
from reel_cli.features.purge.swap import PLAN, purge_folder
from tests.support.cli import Reel, git
from tests.support.lived_kit import live
from tests.support.purge_traces import traces, words_of_files
from tests.support.shelf import copy_kit

STAIR = "a stair that was never built"
BY_HAND = f"by hand: {STAIR}\n"
WRITES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "subprocess.Popen", "shutil.copyfile")
PLACES = (3, 37, 80, 99, 104, 125, 165, 205)
"""At which of its writes it is killed; `REEL_EVERY_WRITE=1` tries every one."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def lived(reel: Reel, shelf: Path) -> Path:
    """A kit with three evenings, a tag and an edit by hand, all of which hold the text."""
    if not (shelf / "ada").exists():
        reel("init", shelf / "ada", "--template", "companion", "--name", "Ada").ok()
        live(reel, shelf / "ada")
        git(shelf / "ada", "tag", "-a", "mark", "-m", STAIR)
        with (shelf / "ada/ring2/working.md").open("a") as file:
            file.write(BY_HAND)
    kit = reel.cwd / "ada"
    copy_kit(shelf / "ada", kit)
    reel.cwd = kit
    return kit


class Stop(BaseException):
    """An end of the process that no handler of reel can catch, in a purge."""


def stop(*_: object, **__: object) -> None:
    raise Stop


def purge(reel: Reel) -> None:
    reel("purge", "--match", STAIR, "--confirm", "Ada").ok()


def state(kit: Path) -> tuple[object, ...]:
    return git(kit, "rev-parse", "HEAD", "mark"), words_of_files(kit), git(kit, "status", "--porcelain")


def is_after(kit: Path) -> bool:
    assert traces(kit, STAIR) == []
    assert git(kit, "status", "--porcelain") == ""
    assert (kit / "ring2/working.md").read_text().endswith("by hand: _purged_\n")
    git(kit, "fsck", "--strict")
    return not purge_folder(kit).exists()


# -- killed at any of its writes --------------------------------------------------------------------


def killed_at(kit: Path, place: int) -> bool:
    """Run a purge in a process that is killed at its nth write; whether it lived through."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _purge_until(kit, place)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)


def _purge_until(kit: Path, place: int) -> None:
    from reel_cli.terminal.app import run

    os.chdir(kit)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    count = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in WRITES or (event == "open" and _writes(arguments)):
            count += 1
            if count == place:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    os._exit(run(["purge", "--match", STAIR, "--confirm", "Ada"]))


def _writes(arguments: tuple[Any, ...]) -> bool:
    return isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as POSIX does")
def test_killed_at_any_write_the_kit_is_before_or_after(reel: Reel, lived: Path, tmp_path: Path) -> None:
    before = state(lived)
    kept = tmp_path / "kept"
    shutil.move(lived, kept)
    found = set()
    places = range(1, 400) if os.environ.get("REEL_EVERY_WRITE") else PLACES
    for place in places:
        shutil.rmtree(lived, ignore_errors=True)
        copy_kit(kept, lived)
        through = killed_at(lived, place)
        # to git itself it is a sound repository at any moment
        git(lived, "status")
        git(lived, "fsck", "--connectivity-only")
        assert reel("tape", "verify").code == 0
        if state(lived) == before:
            found.add("before")
            assert not purge_folder(lived).exists()
            assert not list((lived / ".git/objects/pack").iterdir())
        else:
            found.add("after")
            assert is_after(lived)
        if through:
            break
    assert found == {"before", "after"}


# -- stopped between its steps ------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["_lay_objects", "write_private"])
def test_stopped_before_the_branch_moves_nothing_has_changed(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before = state(lived)
    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, step, stop)
        with pytest.raises(Stop):
            reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert purge_folder(lived).exists()
    done = reel("status").ok()
    assert "A purge that was stopped had changed nothing yet." in done.err
    assert state(lived) == before
    assert not purge_folder(lived).exists()
    purge(reel)
    assert is_after(lived)


@pytest.mark.parametrize(
    "step",
    ["_move_names", "_put_in_place", "_drop_leftovers", "_drop_old_objects", "empty_private", "_drop_folder"],
)
def test_stopped_after_the_branch_moved_the_next_command_finishes_it(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, step, stop)
        with pytest.raises(Stop):
            reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert (purge_folder(lived) / PLAN).exists()
    done = reel("status").ok()
    assert "A purge that was stopped is finished now." in done.err
    assert is_after(lived)
    reel("tape", "verify").ok()


def left_after_the_branch(reel: Reel, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, "finish_purge", stop)
        with pytest.raises(Stop):
            reel("purge", "--match", STAIR, "--confirm", "Ada")


def test_a_commit_made_on_top_meanwhile_stays(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_after_the_branch(reel, monkeypatch)
    git(lived, "reset", "-q")
    git(lived, "commit", "-q", "--allow-empty", "-m", "on top")
    reel("status").ok()
    assert git(lived, "log", "-2", "--format=%s").splitlines() == [
        "on top",
        "purge: a text, out of 1 message of 2026-02-10-1",
    ]
    assert is_after(lived)


def test_a_file_edited_meanwhile_keeps_its_words(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_after_the_branch(reel, monkeypatch)
    (lived / "ring2/working.md").write_text("mine\n")
    reel("status").ok()
    assert (lived / "ring2/working.md").read_text() == "mine\n"
    assert git(lived, "status", "--porcelain") == " M ring2/working.md\n"
    assert traces(lived, STAIR) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plan: plan.write_text("{}"),
        lambda plan: plan.write_text("not json"),
        lambda plan: plan.write_text(plan.read_text().replace('"refs/heads/main"', '"../../x"')),
        lambda plan: plan.write_text(plan.read_text().replace("ring2/working.md", "../outside.md")),
    ],
)
def test_a_plan_that_is_not_one_is_let_go(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], object]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, "_holds", lambda *_: False)
        patch.setattr(purge_swap, "recover_purge_locked", stop)
        patch.setattr(purge_swap, "finish_purge", stop)
        patch.setattr("reel_cli.core.git.process.Git.__call__", _no_update_ref(patch))
        patch.setattr("reel_cli.features.purge.plan.recover_purge_locked", lambda *_: None)
        with pytest.raises(Stop):
            reel("purge", "--match", STAIR, "--confirm", "Ada")
    before = state(lived)
    spoil(purge_folder(lived) / PLAN)
    reel("status").ok()
    assert state(lived) == before
    assert not purge_folder(lived).exists()
    assert not (lived.parent / "outside.md").exists()


def _no_update_ref(_patch: pytest.MonkeyPatch) -> Callable[..., bytes]:
    from reel_cli.core.git.process import Git

    real = Git.__call__

    def call(self: Git, *args: str, **more: Any) -> bytes:
        if "core.logAllRefUpdates=false" in args:
            raise Stop
        return real(self, *args, **more)

    return call


def test_a_branch_that_moved_on_before_is_let_be(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = purge_swap._lay_objects

    def lay(*arguments: Any) -> None:
        real(*arguments)
        git(lived, "commit", "-q", "--allow-empty", "-m", "meanwhile")

    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, "_lay_objects", lay)
        done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert done.code == 3
    assert git(lived, "log", "-1", "--format=%s") == "meanwhile\n"
    assert not purge_folder(lived).exists()
    assert not list((lived / ".git/objects/pack").iterdir())
    purge(reel)
    assert is_after(lived)


def test_a_full_disk_before_the_branch_moves_changes_nothing(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(lived)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", full)
        done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert (done.code, done.err.splitlines()[0]) == (3, "Error: The disk is full.")
    assert state(lived) == before
    assert not purge_folder(lived).exists()


def test_a_full_disk_after_it_leaves_the_rest_to_the_next_command(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(purge_swap, "write_new", full)
        done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert done.code == 3
    assert "The disk is full. The purge has begun and is not finished." in done.err
    reel("status").ok()
    assert is_after(lived)


def test_ctrl_c_while_the_history_is_made_anew_changes_nothing(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(lived)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FreshHistory, "seal", interrupt)
        done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert done.code == 130
    assert "Stopped. Nothing was changed." in done.err
    assert state(lived) == before
    assert not purge_folder(lived).exists()


def test_another_reel_at_work_is_waited_for_and_then_told(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(lived)
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    with lock.hold_lock(lived):
        done = reel("purge", "--match", STAIR, "--confirm", "Ada")
    assert done.code == 3
    assert "Another reel is at work on this kit" in done.err
    assert state(lived) == before
