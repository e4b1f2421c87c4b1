import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.values.change import Change
from tests.support.kit_under_git import START, Before, KitUnderGit, make_kit

WORKING = "ring2/working.md"
TAPE = "tape/2026/2026-02-10-1.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.mark.parametrize(
    ("path", "then", "happened"),
    [
        (WORKING, b"edited\n", "was edited"),
        (WORKING, None, "was deleted"),
        (TAPE, b"new\n", "appeared"),
    ],
)
def test_a_file_that_changed_meanwhile_stops_the_change(
    kit: KitUnderGit, path: str, then: bytes | None, happened: str
) -> None:
    seen = kit.snapshot()
    for name in (WORKING, TAPE):
        seen.read(name)
    if then is None:
        (kit.root / path).unlink()
    else:
        kit.write(path, then)
    before = Before(kit)
    with pytest.raises(StateError) as caught:
        kit.apply({WORKING: b"reel's\n", TAPE: b"said\n"}, snapshot=seen)
    assert caught.value.message == f"{path} {happened} meanwhile; nothing was changed."
    assert caught.value.exit_code == 3
    assert before.still()


def test_a_target_that_was_never_read_must_be_new(kit: KitUnderGit) -> None:
    before = Before(kit)
    with pytest.raises(StateError, match=f"^{WORKING} appeared meanwhile"):
        kit.apply({WORKING: b"x"}, snapshot=kit.snapshot())
    assert before.still()


def test_what_the_operation_read_besides_must_still_hold(kit: KitUnderGit) -> None:
    before = Before(kit)
    change = Change("checkpoint", "x", {TAPE: b"said"}, reads={"kit.yaml": b"name: Other\n"})
    with pytest.raises(StateError, match=r"^kit\.yaml was edited meanwhile"):
        kit.apply_change(change)
    assert before.still()
    kit.apply_change(Change("checkpoint", "x", {TAPE: b"said"}, reads={"kit.yaml": START["kit.yaml"]}))


def merging(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "-b", "side")
    kit.write("a.txt", b"side\n")
    kit.git("add", "a.txt")
    kit.git("commit", "-qm", "side")
    kit.git("checkout", "-q", "main")
    kit.write("a.txt", b"main\n")
    kit.git("add", "a.txt")
    kit.git("commit", "-qm", "main")
    kit.git("merge", "side", check=False)


def rebasing(kit: KitUnderGit) -> None:
    merging(kit)
    kit.git("merge", "--abort")
    kit.git("rebase", "side", check=False)


def picking(kit: KitUnderGit) -> None:
    merging(kit)
    kit.git("merge", "--abort")
    kit.git("cherry-pick", "side", check=False)


def bisecting(kit: KitUnderGit) -> None:
    kit.git("bisect", "start")


def in_conflict(kit: KitUnderGit) -> None:
    """As a stash leaves it: a conflict in the index, and nothing under way."""
    merging(kit)
    for mark in ("MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"):
        (kit.repo.git_dir / mark).unlink()


def detached(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "--detach")


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (merging, "A merge is under way"),
        (rebasing, "A rebase is under way"),
        (picking, "A cherry-pick is under way"),
        (bisecting, "A bisection is under way"),
        (in_conflict, "a.txt is in conflict"),
        (detached, "This repository is not on a branch"),
    ],
)
def test_a_repository_in_between_is_left_alone(
    kit: KitUnderGit, state: Callable[[KitUnderGit], None], message: str
) -> None:
    state(kit)
    before = Before(kit)
    with pytest.raises(StateError, match=f"^{message}.*nothing was changed") as caught:
        kit.apply({WORKING: b"reel's\n"})
    assert caught.value.hint is not None
    assert before.still()


@pytest.mark.parametrize(
    "path",
    [
        *("../x", "/etc/x", "a/../../x", "a//b", "./a", "", ".", "a/", ".git/config", "ring0/.GIT/x"),
        *(".reel/state/x", "a\nb", "a\\b", "C:x", "a\0b", "a/."),
    ],
)
def test_no_path_leaves_the_kit(kit: KitUnderGit, path: str) -> None:
    before = Before(kit)
    with pytest.raises(ReelError, match="not the name of a file inside a kit"):
        kit.apply_change(Change("x", "y", {path: b"x"}), kit.snapshot())
    assert before.still()


def test_no_write_goes_through_a_link(kit: KitUnderGit, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (kit.root / "tape").symlink_to(tmp_path / "out")
    (kit.root / "ring1").mkdir()
    (kit.root / "ring1/a.md").symlink_to(kit.root / "kit.yaml")
    for path, named in ((TAPE, "tape is not a plain folder"), ("ring1/a.md", "ring1/a.md is not a plain")):
        with pytest.raises(StateError, match=f"^{named}"):
            kit.apply({path: b"x"}, snapshot=kit.snapshot())
    assert list((tmp_path / "out").iterdir()) == []
    assert kit.read("kit.yaml") == START["kit.yaml"]


def test_reels_own_folder_may_not_be_a_link(kit: KitUnderGit, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    state = kit.root / ".reel/state"
    shutil.rmtree(state)
    state.symlink_to(tmp_path / "out")
    with pytest.raises(StateError, match=r"\.reel/state is a link"):
        kit.apply({WORKING: b"x"})
    assert list((tmp_path / "out").iterdir()) == []
