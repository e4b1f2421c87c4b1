"""Files that git tracks in a kit, read without a process and compared with git's own answer."""

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.git import tracked_files
from reel_cli.core.git.repository import find_repository
from reel_cli.core.git.tracked_files import is_as_committed, read_tracked
from tests.support.kit_under_git import START, KitUnderGit, make_kit


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


@pytest.mark.parametrize("blank", [False, True])
def test_an_index_of_plain_files_is_read_at_once(
    alone: KitUnderGit, monkeypatch: pytest.MonkeyPatch, *, blank: bool
) -> None:
    for number in range(40):
        alone.write(f"ring3/{'x' * number}-ä.md", b"%d" % number)
    alone.write("notes/.reel/a.md", b"x")
    alone.git("add", "-A", "-f", "notes")
    alone.git("add", "-A")
    if blank:
        # entries that git never looked at begin with null bytes
        alone.git("read-tree", alone.git("write-tree").strip())
    else:
        monkeypatch.setattr(tracked_files, "_entries", lambda *_: pytest.fail("read one by one"))
    found = read_tracked(alone.repo)
    assert found == {path: blob for path, blob in by_git(alone).items() if path != "notes/.reel/a.md"}
    assert len(found) == len(START) + 40


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


# -- whether anything is staged -------------------------------------------------------------------


def nothing_staged(kit: KitUnderGit) -> bool:
    """Return what the reader says, which must never be more than git itself says."""
    found = is_as_committed(kit.repo, kit.repo.index, kit.repo.head() or "")
    by_itself = kit.git("diff-index", "--cached", "--ita-invisible-in-index", "HEAD", "--") == ""
    assert by_itself or not found
    return found


@pytest.fixture
def deep(kit: KitUnderGit) -> KitUnderGit:
    """A kit with folders whose names sort otherwise than their files', a link and a program."""
    for name in ("a/b/c/d.md", "a/b.md", "a/b/c.md", "a.md", "a-b/c.md", "a0", "ä/ö.md", "a/b/c/e/f.md", "z"):
        kit.write(name, name.encode())
    (kit.root / "link").symlink_to("a.md")
    (kit.root / "z").chmod(0o755)
    kit.git("add", "-A")
    kit.git("commit", "-qm", "more")
    return kit


def test_an_index_as_it_was_committed_needs_no_git(deep: KitUnderGit) -> None:
    assert nothing_staged(deep)
    deep.write("a.md", b"edited, not staged")
    deep.write("untracked.md", b"x")
    assert nothing_staged(deep)


@pytest.mark.parametrize(
    "staging",
    [
        ("add", "a/b/c/d.md"),
        ("rm", "-q", "--cached", "a/b/c/e/f.md"),
        ("update-index", "--chmod=-x", "z"),
        ("mv", "a0", "a1"),
    ],
    ids=lambda words: words[0],
)
def test_whatever_is_staged_is_seen(deep: KitUnderGit, staging: tuple[str, ...]) -> None:
    deep.write("a/b/c/d.md", b"edited")
    deep.git(*staging)
    assert not nothing_staged(deep)
    deep.git("reset", "-q")
    assert nothing_staged(deep)


@pytest.mark.parametrize(
    "other",
    [
        ("update-index", "--split-index"),
        ("update-index", "--index-version", "4"),
        ("update-index", "--skip-worktree", "a.md"),
        ("gc", "-q"),
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_left_to_git(deep: KitUnderGit, other: tuple[str, ...]) -> None:
    deep.git(*other)
    assert not nothing_staged(deep)


def test_a_file_that_shall_be_added_and_one_in_conflict_are_left_to_git(deep: KitUnderGit) -> None:
    deep.write("later.md", b"x")
    deep.git("add", "-N", "later.md")
    assert not nothing_staged(deep)
    deep.git("reset", "-q")
    deep.git("checkout", "-q", "-b", "other")
    deep.write("a.md", b"other")
    deep.git("commit", "-qam", "other")
    deep.git("checkout", "-q", "-")
    deep.write("a.md", b"mine")
    deep.git("commit", "-qam", "mine")
    with pytest.raises(AssertionError):
        deep.git("merge", "-q", "other")
    assert not nothing_staged(deep)


def test_a_damaged_or_missing_index_is_left_to_git(deep: KitUnderGit) -> None:
    whole = deep.repo.index.read_bytes()
    head = deep.repo.head() or ""
    for data in (b"", b"no index", whole[:-1] + b"x", whole[:40], whole[:-60]):
        deep.repo.index.write_bytes(data)
        assert not is_as_committed(deep.repo, deep.repo.index, head)
    deep.repo.index.unlink()
    assert not is_as_committed(deep.repo, deep.repo.index, head)


NAMES = st.lists(st.sampled_from(["a", "b", "a-", "a.", "a0", "A"]), min_size=1, max_size=4).map("/".join)


@settings(max_examples=15)
@given(names=st.sets(NAMES, min_size=1, max_size=8))
def test_any_folders_are_rendered_as_git_does(
    tmp_path_factory: pytest.TempPathFactory, names: set[str]
) -> None:
    kit = make_kit(tmp_path_factory.mktemp("kits") / "ada")
    for name in sorted(names):
        place = kit.root / name
        # a name may be a folder of another; the first has it
        if not place.is_dir() and not any(above.is_file() for above in place.parents):
            kit.write(name, b"x")
    kit.git("add", "-A")
    kit.git("commit", "-qm", "more")
    assert nothing_staged(kit)
