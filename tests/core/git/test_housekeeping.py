"""git's own housekeeping: where it runs, what it keeps, and that it ends."""

from itertools import count, islice
from pathlib import Path

import pytest

from reel_cli.core.git.housekeeping import tidy_history
from reel_cli.core.git.repository import blob_id, find_repository
from tests.support.kit_under_git import KitUnderGit, make_kit, run


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


def packs(kit: KitUnderGit) -> int:
    return len(list((kit.root / ".git/objects/pack").glob("*.pack")))


def grow_untidy(kit: KitUnderGit) -> None:
    """As much as it takes for git to find a tidying worth while: it looks into one folder of 256."""
    run(kit.root, "config", "gc.auto", "1")
    known = (b"%d\n" % number for number in count())
    for data in islice((data for data in known if blob_id(data).startswith("17")), 2):
        kit.apply({"ring2/working.md": data})


def test_git_packs_where_it_finds_that_worth_while_by_the_persons_own_setting(kit: KitUnderGit) -> None:
    assert tidy_history(kit.repo)
    assert packs(kit) == 0
    grow_untidy(kit)
    assert tidy_history(kit.repo)
    assert packs(kit) == 1
    assert run(kit.root, "fsck", "--strict") == ""


def test_what_the_branch_once_had_stays(kit: KitUnderGit) -> None:
    lost = kit.apply({"ring2/working.md": b"an evening that was reset away\n"}).commit
    run(kit.root, "reset", "-q", "--hard", "HEAD~1")
    for setting in ("gc.reflogExpire", "gc.reflogExpireUnreachable", "gc.pruneExpire"):
        run(kit.root, "config", setting, "now")
    grow_untidy(kit)
    assert tidy_history(kit.repo)
    assert packs(kit) == 1
    assert run(kit.root, "cat-file", "-t", lost).strip() == "commit"


def test_a_larger_repository_and_a_second_work_tree_are_left_alone(tmp_path: Path, kit: KitUnderGit) -> None:
    grow_untidy(kit)
    run(kit.root, "worktree", "add", "-q", str(tmp_path / "second"))
    second = find_repository(tmp_path / "second")
    assert second is not None
    assert not tidy_history(second)
    inner = make_kit(kit.root / "inner", enclosing=kit.root)
    assert not tidy_history(inner.repo)
    assert packs(kit) == 0


def test_git_that_takes_too_long_is_stopped(
    kit: KitUnderGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\ntrap 'echo > ../stopped; exit 1' TERM\nsleep 60 &\nwait\n")
    (slow / "git").chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(slow), prepend=":")
        assert not tidy_history(kit.repo, longest=0.3)
    assert (tmp_path / "stopped").exists()


def test_no_git_at_all_is_no_fault(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        assert not tidy_history(kit.repo)
