"""Files that git tracks in a kit, read without a process and compared with git's own answer."""

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.git import tracked_files
from reel_cli.core.git.repository import find_repository
from reel_cli.core.git.tracked_files import read_tracked
from tests.support.kit_under_git import KitUnderGit, make_kit


def by_git(kit: KitUnderGit) -> dict[str, str]:
    listed = kit.git("ls-files", "-s", "-z").split("\0")
    rows = [line.partition("\t") for line in listed if line]
    return {name: head.split()[1] for head, _, name in rows if head.startswith("100") and head.endswith(" 0")}


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.fixture
def alone(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> KitUnderGit:
    """A kit whose index must be read here: asking git fails the test."""
    monkeypatch.setattr(tracked_files, "_ask_git", lambda _repo: pytest.fail("git was asked"))
    return kit


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_an_index_of_any_version_is_read_without_git(alone: KitUnderGit, version: str) -> None:
    for number in range(40):
        alone.write(f"ring3/{'x' * number}-ä.md", b"%d" % number)
    alone.git("add", "-A")
    alone.write("later.md", b"x")
    alone.git("add", "-N", "later.md")
    alone.git("update-index", "--index-version", version)
    alone.git("update-index", "--skip-worktree", "kit.yaml")
    alone.git("rm", "-q", "--cached", "ring4/index.md")
    found = read_tracked(alone.repo)
    assert found == {path: blob for path, blob in by_git(alone).items() if path != "later.md"}
    assert ("kit.yaml" in found, "ring4/index.md" in found) == (True, False)


def test_other_forms_are_left_to_git(kit: KitUnderGit) -> None:
    whole = by_git(kit)
    kit.git("update-index", "--split-index")
    assert read_tracked(kit.repo) == whole
    kit.git("update-index", "--no-split-index")
    kit.repo.index.write_bytes(kit.repo.index.read_bytes()[:-1] + b"x")
    assert read_tracked(kit.repo) == whole
    kit.repo.index.write_bytes(b"no index")
    assert read_tracked(kit.repo) == {}
    kit.repo.index.unlink()
    assert read_tracked(kit.repo) == whole


def test_of_a_larger_repository_only_the_kit_is_told(kit: KitUnderGit) -> None:
    kit.write("house/kit.yaml", b"name: Bo\n")
    kit.write("house/ring2/working.md", b"x\n")
    kit.git("add", "-A")
    repo = find_repository(kit.root / "house")
    assert repo is not None
    assert sorted(read_tracked(repo)) == ["kit.yaml", "ring2/working.md"]


@settings(max_examples=200)
@given(data=st.binary(max_size=200), cut=st.integers(0, 400))
def test_a_damaged_index_is_no_trouble(data: bytes, cut: int) -> None:
    entries = tracked_files._entries
    for text in (data, b"DIRC\0\0\0\2\0\0\0\3" + data, (b"DIRC\0\0\0\4\0\0\0\5" + data * 3)[:cut]):
        try:
            list(entries(text, 20, b""))
        except (tracked_files._NotPlainError, struct.error, IndexError, ValueError):
            continue
