"""The list of what is not committed is git's, and is noted while nothing that git looks at has changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli import __version__
from reel_cli.core.files.catalog_store import open_store
from reel_cli.core.kit.hand_edits import list_uncommitted
from reel_cli.features.status import uncommitted_files
from reel_cli.features.status.uncommitted_files import UncommittedFiles
from tests.support.kit_under_git import KitUnderGit, make_kit

MEMORY = "ring3/M-001.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    kit = make_kit(tmp_path / "ada")
    kit.apply({MEMORY: b"one\n", "tape/2026/2026-02-25-1.md": b"said\n"})
    kit.write("notes/deep/mine.md", b"mine\n")
    (kit.root / "notes/empty").mkdir()
    open_store(kit.root).close(keep=False)
    settle(kit.root)
    return kit


def settle(root: Path) -> None:
    """Wait until the file system's clock is ahead of every file."""
    youngest = max(place.lstat().st_ctime_ns for place in root.rglob("*"))
    probe = root / ".reel/probe"
    probe.write_text("")
    while probe.stat().st_mtime_ns <= youngest:
        probe.write_text("")


def read(kit: KitUnderGit) -> dict[str, str]:
    """Return the listing as a command has it, held against git's own."""
    listed = UncommittedFiles(kit.root, kit.repo).wait()
    assert listed == list_uncommitted(kit.repo)
    return {path: kind.value for path, kind in listed.items()}


def read_noted(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> dict[str, str] | None:
    """Return the listing that is noted; None where git is asked for it."""

    def ask(_: object) -> None:
        raise LookupError

    with monkeypatch.context() as patch:
        patch.setattr(uncommitted_files, "list_uncommitted", ask)
        try:
            listed = UncommittedFiles(kit.root, kit.repo).wait()
        except LookupError:
            return None
    return {path: kind.value for path, kind in listed.items()}


def overwrite(kit: KitUnderGit, path: str, data: bytes) -> None:
    """Write into the file itself, as some editors do; its folder does not change."""
    place = kit.root / path
    assert place.stat().st_size == len(data)
    with place.open("r+b") as file:
        file.write(data)


CHANGES: dict[str, Callable[[KitUnderGit], object]] = {
    "a memory overwritten": lambda kit: overwrite(kit, MEMORY, b"two\n"),
    "a memory replaced": lambda kit: kit.write(MEMORY, b"longer\n"),
    "a memory gone": lambda kit: (kit.root / MEMORY).unlink(),
    "a memory more": lambda kit: kit.write("ring3/M-002.md", b"more\n"),
    "a chat overwritten": lambda kit: overwrite(kit, "tape/2026/2026-02-25-1.md", b"SAID\n"),
    "kit.yaml overwritten": lambda kit: overwrite(kit, "kit.yaml", b"name: Bob\n"),
    "a file at the top": lambda kit: kit.write("todo.md", b"more\n"),
    "a file in a folder": lambda kit: kit.write("notes/deep/more.md", b"more\n"),
    "a file in an empty folder": lambda kit: kit.write("notes/empty/more.md", b"more\n"),
    "a file gone": lambda kit: (kit.root / "notes/deep/mine.md").unlink(),
    "a file renamed": lambda kit: (kit.root / MEMORY).rename(kit.root / "ring3/M-003.md"),
    "executable": lambda kit: (kit.root / MEMORY).chmod(0o755),
    "staged": lambda kit: kit.git("add", "notes"),
    "taken out of the index": lambda kit: kit.git("rm", "-q", "--cached", MEMORY),
    "committed": lambda kit: (kit.git("add", "notes"), kit.git("commit", "-q", "-m", "mine")),
    "the last commit taken back": lambda kit: kit.git("reset", "-q", "--soft", "HEAD~1"),
    "ignored by the kit": lambda kit: kit.write(".gitignore", b".reel/\nnotes/\n"),
    "ignored by the repository": lambda kit: kit.write(".git/info/exclude", b"notes/\n"),
    "ignored by a person": lambda kit: ignore(kit, "notes/\n"),
    "file modes ignored": lambda kit: kit.git("config", "core.fileMode", "false"),
    "a repository inside": lambda kit: kit.git("init", "-q", "notes/deep"),
}


SAME = ("staged", "executable", "file modes ignored", "a repository inside")
"""Changes that may leave the listing as it was."""


def ignore(_: KitUnderGit, text: str) -> None:
    place = Path(os.environ["HOME"], ".config/git/ignore")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def test_what_git_listed_is_noted(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(kit) == {"notes/deep/mine.md": "new"}
    assert read_noted(kit, monkeypatch) == {"notes/deep/mine.md": "new"}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_seen(kit: KitUnderGit, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read(kit)
    assert read_noted(kit, monkeypatch) == before
    CHANGES[what](kit)
    after = read(kit)
    assert after != before or what in SAME
    settle(kit.root)
    assert read(kit) == after == read(kit)


def test_a_file_as_young_as_the_look_is_not_trusted(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.write(MEMORY, b"two\n")
    ahead = (kit.root / MEMORY).stat().st_mtime_ns + 10**12
    os.utime(kit.root / MEMORY, ns=(ahead, ahead))
    assert read(kit)[MEMORY] == "changed"
    assert read_noted(kit, monkeypatch) is None


def test_a_damaged_note_is_made_again(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    read(kit)
    for value in ("nonsense", '{"facts": 1}', '{"other": 1}', "[]"):
        store = open_store(kit.root)
        store.keep(uncommitted_files.NOTE, __version__, value)
        store.close(keep=True)
        assert read_noted(kit, monkeypatch) is None
        assert read(kit) == {"notes/deep/mine.md": "new"}
        assert read_noted(kit, monkeypatch) == {"notes/deep/mine.md": "new"}


def test_a_kit_inside_a_larger_repository_is_listed_by_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.core.git.repository import init_repository

    init_repository(tmp_path / "home")
    kit = make_kit(tmp_path / "home/ada", enclosing=tmp_path / "home")
    open_store(kit.root).close(keep=False)
    settle(kit.root)
    for _ in range(2):
        assert read(kit) == {}
        assert read_noted(kit, monkeypatch) is None
