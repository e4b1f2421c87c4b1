"""A note on a whole kit is trusted only while nothing it was made of has changed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.catalog_store import open_store
from reel_cli.core.kit.kit_note import PLACES, note_kit

FILES = [
    "kit.yaml",
    "checkpoints/2026-02-25-1.1.yaml",
    "journal/2026-02.jsonl",
    "ring1/an-evening.md",
    "ring3/M-001.md",
    "ring4/index.md",
    "tape/events.md",
    "tape/2026/2026-02-25-1.md",
]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    for path in FILES:
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("one\n")
    open_store(tmp_path).close(keep=False)
    settle(tmp_path)
    return tmp_path


def settle(kit: Path) -> None:
    """Put the catalog's clock ahead of every file, as a moment's waiting would."""
    stand_still = max(path.lstat().st_ctime_ns for path in kit.rglob("*"))
    while probe(kit) <= stand_still:
        pass


def probe(kit: Path) -> int:
    place = kit / ".reel/probe"
    place.write_text("")
    return place.stat().st_mtime_ns


class Made:
    """Makes another note each time."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


def add(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("more\n")


CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    *((f"{path} written", lambda kit, path=path: add(kit / path)) for path in FILES),
    *((f"{path} gone", lambda kit, path=path: (kit / path).unlink()) for path in FILES),
    ("a memory more", lambda kit: add(kit / "ring3/M-002.md")),
    ("another year", lambda kit: add(kit / "tape/2027/2027-01-01-1.md")),
    ("renamed", lambda kit: (kit / "ring3/M-001.md").rename(kit / "ring3/M-003.md")),
    ("a folder gone", lambda kit: (kit / "journal").rename(kit / "old")),
]


def test_what_was_noted_is_told_again(kit: Path) -> None:
    make = Made()
    assert [note_kit(kit, "n", ["a"], make) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(("what", "change"), CHANGES, ids=[what for what, _ in CHANGES])
def test_any_change_of_a_file_makes_it_anew(kit: Path, what: str, change: Callable[[Path], object]) -> None:
    make = Made()
    assert note_kit(kit, "n", ["a"], make) == 1
    change(kit)
    settle(kit)
    assert [note_kit(kit, "n", ["a"], make) for _ in range(2)] == [2, 2]


def test_the_same_size_and_an_old_date_do_not_hide_a_change(kit: Path) -> None:
    make = Made()
    place = kit / "ring3/M-001.md"
    before = place.stat()
    assert note_kit(kit, "n", [], make) == 1
    place.write_text("two\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    settle(kit)
    assert note_kit(kit, "n", [], make) == 2


def test_other_facts_and_another_kind_are_other_notes(kit: Path) -> None:
    make = Made()
    assert note_kit(kit, "n", ["monday", "x"], make) == 1
    assert note_kit(kit, "n", ["tuesday", "x"], make) == 2
    assert note_kit(kit, "n", ["tuesday", "x"], make) == 2
    assert note_kit(kit, "m", ["tuesday", "x"], make) == 3
    assert note_kit(kit, "n", ["tuesday", "x"], make) == 2


def test_what_is_not_looked_at_changes_nothing(kit: Path) -> None:
    make = Made()
    assert note_kit(kit, "n", [], make) == 1
    add(kit / "ring2/working.md")
    add(kit / "notes.txt")
    assert note_kit(kit, "n", [], make) == 1
    assert {path.split("/")[0] for path in FILES} == set(PLACES)


def test_a_file_as_young_as_the_clock_is_not_trusted(kit: Path) -> None:
    make = Made()
    far = (kit / "ring3/M-001.md").stat().st_mtime_ns + 10**12
    os.utime(kit / "ring3/M-001.md", ns=(far, far))
    assert [note_kit(kit, "n", [], make) for _ in range(2)] == [1, 2]


@pytest.mark.parametrize("place", ["ring3", "ring3/M-002.md", "tape/2027"])
def test_where_there_is_a_link_nothing_is_kept(kit: Path, tmp_path: Path, place: str) -> None:
    make = Made()
    (kit / "elsewhere").mkdir()
    if place == "ring3":
        (kit / "ring3").rename(kit / "away")
    (kit / place).symlink_to(kit / "elsewhere")
    settle(kit)
    assert [note_kit(kit, "n", [], make) for _ in range(2)] == [1, 2]


def test_where_no_catalog_can_be_had_it_is_made_each_time(kit: Path) -> None:
    (kit / ".reel").rename(kit / "other")
    (kit / ".reel").symlink_to(kit / "other")
    make = Made()
    assert [note_kit(kit, "n", [], make) for _ in range(2)] == [1, 2]


def test_a_damaged_note_is_made_anew(kit: Path) -> None:
    make = Made()
    assert note_kit(kit, "n", [], make) == 1
    store = open_store(kit)
    store.rows("UPDATE kept SET value = '7' WHERE name = 'kit n'")
    store.close(keep=True)
    assert [note_kit(kit, "n", [], make) for _ in range(2)] == [2, 2]


def test_what_cannot_be_made_is_not_kept(kit: Path) -> None:
    def fail() -> int:
        message = "not today"
        raise ValueError(message)

    with pytest.raises(ValueError, match="not today"):
        note_kit(kit, "n", [], fail)
    assert note_kit(kit, "n", [], Made()) == 1
