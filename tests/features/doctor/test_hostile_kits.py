"""Kits with a vast line, names that differ only in case, a newline in their path, or a mere touch."""

import os
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat, page
from tests.support.shelf import ready_made

VAST = "x" * 20_000_000
MOST = 16_000
"""Characters: more than a command prints of a kit with one short chat, and far less than the vast line."""


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with a chat, its page, a fact and a recall in the journal."""

    def live() -> None:
        reel("record", "-", stdin=chat()).ok()
        reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
        reel("recall", "penicillin").ok()
        reel("fact", "add", "constraints", "allergy", "penicillin").ok()

    ready_made(kit, "hostile kits", live)
    return kit


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("journal/2026-02.jsonl", '{{"when": "2026-02-25", "what": "{}"}}\n'),
        ("journal/2026-02.jsonl", "{}\n"),
        ("tape/events.md", "\n## 2026-02-28T19:00:00+00:00 flag\n\n{}\n"),
        ("tape/events.md", "{}"),
    ],
    ids=["a row of the journal", "no row of the journal", "a note on the tape", "no note on the tape"],
)
def test_a_line_of_20_mb_ends_in_one_line_or_is_passed_over(
    reel: Reel, lived: Path, path: str, line: str
) -> None:
    (lived / path).parent.mkdir(exist_ok=True)
    with (lived / path).open("a") as file:
        file.write(line.format(VAST))
    git(lived, "add", path)
    git(lived, "commit", "-qm", "a vast line")

    for command in (("status",), ("start",), ("doctor",), ("record", "-")):
        run = reel(*command, stdin=chat(("user", "And?"), ("assistant", "And nothing.")))

        assert run.code in (0, 1, 3)
        assert run.err.count("Error: ") <= 1
        assert "a bug" not in run.err
        assert "x" * 200 not in run.out + run.err
        assert len(run.out + run.err) < MOST


@pytest.mark.parametrize("path", ["tape/2026/2026-02-25-1.md", "ring3/M-001.md", "domain/Quests.yaml"])
def test_files_that_are_one_where_case_is_ignored_are_named(reel: Reel, lived: Path, path: str) -> None:
    place = lived / path
    place.parent.mkdir(exist_ok=True)
    place.write_text(place.read_text() if place.exists() else "")
    other = place.with_name(place.name.swapcase())
    other.write_bytes(place.read_bytes())
    if other.samefile(place):
        pytest.skip("this disk ignores case")

    run = reel("doctor")

    assert run.code == 1
    first, second = sorted((path, other.relative_to(lived).as_posix()))
    told = " ".join(run.out.split()).casefold()
    assert f"{first} and {second} differ only in capitals".casefold() in told


def test_of_a_sound_kit_no_name_is_told(reel: Reel, lived: Path) -> None:
    assert "ignores case" not in reel("doctor").out


def test_a_path_with_a_newline_works_from_the_first_command_to_the_last(reel: Reel) -> None:
    place = reel.cwd / "new\nline"
    reel("init", place, "--template", "companion", "--name", "Ada").ok()
    reel.cwd = place
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("start").ok()
    assert "the letter, 6 messages" in reel("log").ok().out
    reel("status").ok()
    assert reel("doctor").code == 0
    reel("tape", "verify").ok()
    assert git(place, "status", "--porcelain") == ""


def test_nothing_counts_as_edited_that_nobody_edited(reel: Reel, lived: Path) -> None:
    files = [lived / name for name in git(lived, "ls-files", "-z").split("\0") if name]
    for number, file in enumerate(files):
        # the same bytes at another time, some as a new file, as an editor saves them
        data = file.read_bytes()
        if number % 2:
            file.unlink()
            file.write_bytes(data)
        os.utime(file, ns=(number, number))
    # an index as young as the files it lists does not tell whether they changed since
    os.utime(lived / ".git/index", ns=(0, 0))

    for command in (
        ("record", "-"),
        ("fact", "add", "identity", "name", "Marta"),
        ("maintain", "--plan"),
        ("start",),
        ("status",),
    ):
        run = reel(*command, stdin=chat(("user", "And?"), ("assistant", "And nothing."))).ok()
        assert "meanwhile" not in run.err
        assert "by hand" not in run.out + run.err
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    assert "edit: by hand" not in git(lived, "log", "--format=%s")
