"""Entries of an index file, set here, and compared with what `git update-index` makes of the same file."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.git import index as own_index
from reel_cli.core.git.index import update_entries
from reel_cli.core.git.index_entries import set_entries
from reel_cli.core.git.intent import StagedEntry
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, blob_id
from tests.support.kit_under_git import KitUnderGit, make_kit

NAMES = (
    "a.md",
    "a.md.txt",
    "a/b.md",
    "a/ä.md",
    "a-b.md",
    "kit.yaml",
    "ring4/index.md",
    f"x/{'n' * 4100}",
    "z",
)
ENTRIES = st.one_of(
    st.none(),
    st.builds(
        StagedEntry,
        st.sampled_from(("100644", "100755")),
        st.sampled_from([blob_id(b"%d" % n) for n in range(3)]),
    ),
)
STAMPS = ("--debug", "-s", "-z")


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> KitUnderGit:
    kit = make_kit(tmp_path_factory.mktemp("shared") / "ada")
    # a copy's files are others than those that its index knows
    kit.git("update-index", "--refresh")
    return kit


def beside(kit: KitUnderGit, name: str) -> Path:
    place = kit.root / ".git" / name
    shutil.copy2(kit.repo.index, place)
    return place


def shown(kit: KitUnderGit, index: Path, *how: str) -> str:
    listed = ["git", "ls-files", *how]
    env = {**os.environ, "GIT_INDEX_FILE": str(index)}
    return subprocess.run(listed, cwd=kit.root, env=env, check=True, capture_output=True, text=True).stdout


def by_git(kit: KitUnderGit, index: Path, entries: dict[str, StagedEntry | None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_index, "set_entries", lambda *_: False)
        update_entries(kit.repo, Git(kit.root), index, entries)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.dictionaries(st.sampled_from(NAMES), ENTRIES, min_size=1, max_size=5))
def test_it_becomes_the_index_that_git_makes_of_it(
    shared: KitUnderGit, entries: dict[str, StagedEntry | None]
) -> None:
    here, there = beside(shared, "here"), beside(shared, "there")
    if set_entries(shared.repo, here, entries):
        by_git(shared, there, entries)
        assert shown(shared, here, *STAMPS) == shown(shared, there, *STAMPS)
        assert here.read_bytes() == there.read_bytes()


def test_a_first_index_is_made(kit: KitUnderGit) -> None:
    entry = StagedEntry("100644", blob_id(b"1"))
    here, there = kit.root / ".git/here", kit.root / ".git/there"
    assert set_entries(kit.repo, here, {"a/b": entry, "a.md": entry})
    by_git(kit, there, {"a/b": entry, "a.md": entry})
    assert here.read_bytes() == there.read_bytes()


def in_conflict(kit: KitUnderGit) -> None:
    blob = kit.git("hash-object", "-w", "kit.yaml").strip()
    lines = "".join(f"100644 {blob} {stage}\tkit.yaml\n" for stage in (1, 2, 3))
    subprocess.run(["git", "update-index", "--index-info"], cwd=kit.root, input=lines.encode(), check=True)


def many_files(kit: KitUnderGit) -> None:
    blob = kit.git("hash-object", "-w", "kit.yaml").strip()
    lines = "".join(f"100644 {blob}\tmany/{number}\n" for number in range(1000))
    subprocess.run(["git", "update-index", "--index-info"], cwd=kit.root, input=lines.encode(), check=True)


def damage(kit: KitUnderGit) -> None:
    kit.repo.index.write_bytes(kit.repo.index.read_bytes()[:-1] + b"x")


def add_intent(kit: KitUnderGit) -> None:
    kit.write("later.md", b"x")
    kit.git("add", "-N", "later.md")


OTHER_FORMS: dict[str, Callable[[KitUnderGit], object]] = {
    "names cut off": lambda kit: kit.git("update-index", "--index-version", "4"),
    "two files": lambda kit: kit.git("update-index", "--split-index"),
    "a note on new files": lambda kit: kit.git("update-index", "--untracked-cache"),
    "a file not looked for": lambda kit: kit.git("update-index", "--skip-worktree", "kit.yaml"),
    "a file taken as unchanged": lambda kit: kit.git("update-index", "--assume-unchanged", "kit.yaml"),
    "a file to be added": add_intent,
    "a conflict": in_conflict,
    "many files": many_files,
    "damage": damage,
    "cut off": lambda kit: kit.repo.index.write_bytes(kit.repo.index.read_bytes()[:150]),
    "no index": lambda kit: kit.repo.index.write_bytes(b"no index at all, but some text that is long"),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_an_index_of_another_form_is_left_to_git(kit: KitUnderGit, form: str) -> None:
    OTHER_FORMS[form](kit)
    held = kit.repo.index.read_bytes()
    assert not set_entries(kit.repo, kit.repo.index, {"a.md": StagedEntry("100644", blob_id(b"1"))})
    assert kit.repo.index.read_bytes() == held


@pytest.mark.parametrize("path", ["kit.yaml/a", "ring4", "a/../b", ".git/x", "x/GIT~1", "/a", "a//b"])
def test_a_path_in_anothers_place_and_one_that_is_none_are_left_to_git(kit: KitUnderGit, path: str) -> None:
    assert not set_entries(kit.repo, beside(kit, "here"), {path: StagedEntry("100644", blob_id(b"1"))})


def test_a_change_in_the_moment_of_the_index_is_still_seen(kit: KitUnderGit) -> None:
    # the same size and, as git counts them, the same times: only the index's own time tells it to compare
    kit.write("a.md", b"one")
    kit.git("add", "a.md")
    entry = {"b.md": StagedEntry("100644", blob_id(b"1"))}
    place = kit.root / "a.md"
    found = place.stat()
    place.write_bytes(b"two")
    os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
    os.utime(kit.repo.index, ns=(found.st_atime_ns, found.st_mtime_ns))
    here = beside(kit, "here")
    assert set_entries(kit.repo, here, entry)
    os.utime(here, ns=(found.st_atime_ns, found.st_mtime_ns + 5_000_000_000))
    assert size_of(kit, here, "a.md") == "0"


def test_a_file_as_young_as_the_index_is_compared_and_stays_known(kit: KitUnderGit) -> None:
    kit.write("a.md", b"one")
    kit.git("add", "a.md")
    found = (kit.root / "a.md").stat()
    os.utime(kit.repo.index, ns=(found.st_atime_ns, found.st_mtime_ns))
    here = beside(kit, "here")
    assert set_entries(kit.repo, here, {"b.md": StagedEntry("100644", blob_id(b"1"))})
    assert size_of(kit, here, "a.md") == "3"


def test_the_files_of_a_copied_kit_are_compared(kit: KitUnderGit) -> None:
    shutil.copy2(kit.root / "kit.yaml", kit.root / "new")
    kit.git("update-index", "--refresh")
    (kit.root / "new").replace(kit.root / "kit.yaml")
    written = (kit.root / "kit.yaml").stat().st_mtime_ns
    os.utime(kit.repo.index, ns=(written, written))
    here = beside(kit, "here")
    assert set_entries(kit.repo, here, {"b.md": StagedEntry("100644", blob_id(b"1"))})
    assert (size_of(kit, here, "kit.yaml"), size_of(kit, kit.repo.index, "kit.yaml") == "0") == ("0", False)


def size_of(kit: KitUnderGit, index: Path, path: str) -> str:
    told = shown(kit, index, "--debug", "--", path)
    return told.partition("size: ")[2].split()[0]


def test_the_persons_own_index_is_changed_by_git_alone(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_repo: Repository, index: Path, _entries: object) -> bool:
        message = f"{index} is git's"
        raise AssertionError(message)

    monkeypatch.setattr(own_index, "set_entries", refuse)
    update_entries(kit.repo, Git(kit.root), kit.repo.index, {"a.md": StagedEntry("100644", blob_id(b"1"))})
    assert "a.md" in shown(kit, kit.repo.index)
