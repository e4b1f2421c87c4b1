"""A glance at a memory sees what reading it does."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory, render_memory
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit import glance, kit_damage
from reel_cli.core.kit.glance import Glance, glance_at_memory, note_files
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import Memory, memory_path
from tests.support.kit_under_git import KitUnderGit, make_kit
from tests.support.kits_at_random import Files, kits, memories


def seen(memory: Memory) -> tuple[object, ...]:
    return memory.id, memory.level, memory.sessions, memory.source


@settings(max_examples=100, deadline=None)
@given(memories(4))
def test_a_memory_as_reel_writes_it(held: list[Memory]) -> None:
    for memory in held:
        path, text = memory_path(memory.id), render_memory(memory)
        assert seen(glance_at_memory(text, path)) == seen(parse_memory(text, path))


@pytest.mark.parametrize(
    "front",
    [
        "",
        "level: L3\n",
        "id: M-001\nlevel: l2\nsessions:\n  - 2026-02-10-1\nsource: 2026-02-10-1#1-2\n",
        "id: M-001\nlevel: L1\nsessions: []\nsource: [2026-02-10-1#1-2]\n",
        "id: M-001\nlevel: L1\nsessions: [2026-02-10-1]\nsource: []\n",
        "id: M-001\nlevel: L1\nsessions: [2026-02-10-1]\nsource: [nonsense, 2026-02-11-1#1]\n",
        "id: M-001\nlevel: L1\nsessions: [nonsense]\nsource: [2026-02-11-1#1]\n",
        "id: M-001\nlevel: L1\nlevel: L2\nsessions: [2026-02-10-1]\nsource: [2026-02-11-1#1]\n",
        'id: "M-001"\nlevel: "L4"\nsessions: ["2026-02-10-1"]\nsource: ["2026-02-10-1#1-2"]\n',
        "title: |\n  level: L1\nid: M-001\nlevel: L2\nsessions: [2026-02-10-1]\nsource: [2026-02-10-1]\n",
    ],
)
def test_a_memory_as_a_person_may_write_it(front: str) -> None:
    text = f"---\n{front}---\nlevel: L4\nsessions: [2020-01-01-1]\n"
    assert seen(glance_at_memory(text, "ring3/M-001.md")) == seen(parse_memory(text, "ring3/M-001.md"))


def test_a_broken_one_is_refused() -> None:
    with pytest.raises(ReelError):
        glance_at_memory("---\nid: M-002\nlevel: L1\n---\n", "ring3/M-001.md")


@settings(max_examples=30, deadline=None)
@given(kits())
def test_a_whole_kit(files: Files) -> None:
    expected = {key: seen(memory) for key, memory in Snapshot(files, "x").memories.items()}
    assert {key: seen(memory) for key, memory in Glance(files, "x").memories.items()} == expected


def test_notes_are_made_anew_only_for_what_changed(tmp_path: Path) -> None:
    (tmp_path / "kit.yaml").write_text("name: Ada\n", encoding="utf-8")
    paths = [f"ring3/M-00{number}.md" for number in (1, 2, 3)]
    (tmp_path / "ring3").mkdir()
    for path in paths:
        (tmp_path / path).write_text("one", encoding="utf-8")
    made: list[str] = []

    def make(path: str) -> str:
        made.append(path)
        return (tmp_path / path).read_text(encoding="utf-8")

    settle(tmp_path)
    assert note_files(tmp_path, "words", paths, make) == dict.fromkeys(paths, "one")
    assert note_files(tmp_path, "words", paths, make) == dict.fromkeys(paths, "one")
    assert made == paths
    (tmp_path / paths[1]).write_text("two", encoding="utf-8")
    (tmp_path / paths[0]).unlink()
    settle(tmp_path)
    made.clear()
    assert note_files(tmp_path, "words", paths[1:], make) == {paths[1]: "two", paths[2]: "one"}
    assert made == [paths[1]]
    assert note_files(tmp_path, "other", paths[1:], lambda _: 1) == {paths[1]: 1, paths[2]: 1}


def settle(kit: Path) -> None:
    """Let the files be older than the catalog's clock: what was written just now is not trusted yet."""
    probe = kit / "probe"
    newest = max(file.stat().st_ctime_ns for file in kit.rglob("*"))
    probe.touch()
    while probe.stat().st_mtime_ns <= newest:
        probe.touch()
    probe.unlink()


def test_where_nothing_can_be_kept_notes_are_made_each_time(tmp_path: Path) -> None:
    (tmp_path / ".reel").write_text("in the way", encoding="utf-8")
    (tmp_path / "a").write_text("x", encoding="utf-8")
    assert note_files(tmp_path, "words", ["a"], lambda path: f"{path}!") == {"a": "a!"}


def test_a_glance_at_a_folder_keeps_its_notes(tmp_path: Path) -> None:
    (tmp_path / "kit.yaml").write_text("name: Ada\n", encoding="utf-8")
    (tmp_path / "ring3").mkdir()
    text = "---\nid: M-001\nlevel: L3\nsessions: [2026-02-10-1]\nsource: [2026-02-10-1#1-2]\n---\nx\n"
    (tmp_path / "ring3/M-001.md").write_text(text, encoding="utf-8")
    settle(tmp_path)
    first = Glance(WorkTree(tmp_path), "x", tmp_path).memories
    again = Glance(WorkTree(tmp_path), "x", tmp_path)
    assert again.memories == first
    assert again.seen() == {}


def many(tmp_path: Path) -> KitUnderGit:
    """A kit under git with three memories, at rest."""
    kit = make_kit(tmp_path / "ada")
    for number in (1, 2, 3):
        kit.write(f"ring3/M-00{number}.md", memory(number, "L1"))
    kit.git("add", "-A")
    kit.git("commit", "-qm", "memories")
    settle(kit.root)
    return kit


def memory(number: int, level: str) -> bytes:
    front = f"id: M-00{number}\nlevel: {level}\nsessions: [2026-02-10-1]\nsource: [2026-02-10-1#1-2]\n"
    return f"---\n{front}---\nWords.\n".encode()


def levels(kit: KitUnderGit, made: list[str]) -> list[str]:
    def read(rings: Snapshot) -> list[str]:
        made.append("made")
        return [one.level.value for one in rings.memories.values()]

    return list(Glance(WorkTree(kit.root), "Ada", kit.root).note_rings("levels", read))


@pytest.mark.parametrize("how", ["edited in place", "added", "taken away"])
def test_what_is_kept_of_the_rings_is_that_of_the_files(tmp_path: Path, how: str) -> None:
    kit, made = many(tmp_path), list[str]()
    assert levels(kit, made) == levels(kit, made) == ["L1", "L1", "L1"]
    assert made == ["made"]
    place = kit.root / "ring3" / "M-002.md"
    before = place.stat()
    if how == "edited in place":
        with place.open("r+b") as file:
            file.write(memory(2, "L4"))
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        wanted = ["L1", "L4", "L1"]
    elif how == "added":
        kit.write("ring3/M-004.md", memory(4, "L2"))
        wanted = ["L1", "L1", "L1", "L2"]
    else:
        place.unlink()
        wanted = ["L1", "L1"]
    assert levels(kit, made) == wanted


def test_of_a_file_just_written_nothing_is_kept(tmp_path: Path) -> None:
    kit, made = many(tmp_path), list[str]()
    later = (kit.root / "ring3" / "M-001.md").stat().st_mtime_ns + 10**12
    os.utime(kit.root / "ring3" / "M-001.md", ns=(later, later))
    assert levels(kit, made) == levels(kit, made)
    assert made == ["made", "made"]


def test_a_look_at_a_large_folder_finds_what_changed_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kit_damage, "MANY", 2)
    kit = many(tmp_path)
    assert not kit_damage.find_damage(kit.root, kit.repo)
    with monkeypatch.context() as patch:
        patch.setattr(kit_damage, "_read_tracked", lambda _repo: pytest.fail("all files were listed"))
        assert not kit_damage.find_damage(kit.root, kit.repo)
    place = kit.root / "ring3" / "M-002.md"
    before = place.stat()
    with place.open("r+b") as file:
        file.write(b"\0" * before.st_size)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert list(kit_damage.find_damage(kit.root, kit.repo).damaged) == ["ring3/M-002.md"]
    assert list(kit_damage.find_damage(kit.root, kit.repo).damaged) == ["ring3/M-002.md"]
    place.unlink()
    assert kit_damage.find_damage(kit.root, kit.repo).missing == ["ring3/M-002.md"]


def test_of_a_folder_that_is_as_it_was_no_file_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, looked = many(tmp_path), list[str]()
    assert not kit_damage.find_damage(kit.root, kit.repo)
    look = kit_damage._look_at

    def noted(folder: Path, path: str, entry: "os.DirEntry[str] | None") -> os.stat_result | None:
        looked.append(path)
        return look(folder, path, entry)

    monkeypatch.setattr(kit_damage, "_look_at", noted)
    assert not kit_damage.find_damage(kit.root, kit.repo, quick=True)
    assert not [path for path in looked if "/" in path]
    place = kit.root / "ring3" / "M-002.md"
    before = place.stat()
    with place.open("r+b") as file:
        file.write(b"\0" * before.st_size)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert list(kit_damage.find_damage(kit.root, kit.repo, quick=True).damaged) == ["ring3/M-002.md"]


def test_what_is_missing_of_a_large_kit_is_known_without_reading_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = many(tmp_path)
    kit.write("tape/notes.md", b"one")
    kit.git("add", "-A")
    kit.git("commit", "-q", "-m", "notes")
    monkeypatch.setattr(kit_damage, "MANY", 2)
    monkeypatch.setattr(kit_damage, "LARGE_INDEX", 0)

    def missing(*under: str) -> list[str]:
        return list(kit_damage.list_missing(kit.root, kit.repo, under=under))

    assert not kit_damage.find_damage(kit.root, kit.repo)
    with monkeypatch.context() as patch:
        patch.setattr(kit_damage, "_read_tracked", lambda _repo: pytest.fail("all files were listed"))
        assert missing() == missing("ring3/") == []
        (kit.root / "tape/notes.md").unlink()
        assert missing() == ["tape/notes.md"]
        assert missing("ring3/") == []
    (kit.root / "ring3/M-002.md").unlink()
    assert missing() == ["ring3/M-002.md", "tape/notes.md"]
    assert missing("ring3/") == ["ring3/M-002.md"]
    kit.git("rm", "-q", "ring3/M-002.md")
    assert missing() == ["tape/notes.md"]


def test_a_note_on_the_rings_is_looked_up_once_a_glance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = make_kit(tmp_path / "ada", start={"ring3/M-001.md": memory(1, "L1")})
    one = Glance(WorkTree(kit.root), "Ada", kit.root)

    def read(rings: Snapshot) -> list[str]:
        return [held.level.value for held in rings.memories.values()]

    assert one.note_rings("levels", read) == ["L1"]
    monkeypatch.setattr(glance, "_note_rings", None)
    assert one.note_rings("levels", read) == ["L1"]
