"""Slips at the command line: several files, one dash, words of other programs."""

import shlex
from pathlib import Path

import pytest

from tests.support.cli import Reel


def hint(err: str) -> str:
    return err.rpartition("  ")[2].strip()


def test_several_files_are_taken_one_at_a_time(reel: Reel, kit: Path) -> None:
    for name, says in (("a b.txt", "hello"), ("c.txt", "bye")):
        (kit.parent / name).write_text(f"Bo: {says}\n\nAda: Good evening.\n")
    told = reel("end", "../a b.txt", "../c.txt", "--dry-run")
    assert told.err.startswith("Error: reel end takes one file at a time, the oldest first.\n")
    reel(*shlex.split(hint(told.err))[1:]).ok()


@pytest.mark.parametrize("words", [("-help",), ("status", "-help"), ("undo", "-dry-run")])
def test_one_dash_too_few_is_told(reel: Reel, kit: Path, words: tuple[str, ...]) -> None:
    told = reel(*words)
    assert hint(told.err) == " ".join(["reel", *words[:-1], f"-{words[-1]}"])
    if "help" in words[-1]:
        reel(*hint(told.err).split()[1:]).ok()


@pytest.mark.parametrize("word", ["all", "--all", "3"])
def test_undo_says_how_several_are_undone(reel: Reel, kit: Path, word: str) -> None:
    assert "goes one change each time; for several, run it again" in reel("undo", word).err


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_there_is_nothing_to_leave(reel: Reel, kit: Path, word: str) -> None:
    assert "so there is nothing to leave" in reel(word).err


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [("p.rtf", b"{\\rtf1 ## In a few words}", "RTF"), ("p.png", b"\x89PNG\r\n\x1a\n\0\0", "an image")],
)
def test_a_page_that_is_no_plain_text_is_named_as_what_it_is(
    reel: Reel, kit: Path, name: str, data: bytes, kind: str
) -> None:
    (kit.parent / name).write_bytes(data)
    reel("record", "-", stdin="Bo: hello\n\nAda: Good evening.\n").ok()
    told = reel("checkpoint", "--reply", f"../{name}").err
    assert kind in told
    assert "not a plain text" in told


@pytest.mark.needs("forgetting")
def test_a_text_is_restored_without_its_ending(reel: Reel, kit: Path) -> None:
    place = kit / "ring1/up-at-five.md"
    place.unlink()
    reel("restore", "ring1/up-at-five").ok()
    assert place.exists()
    assert "There is no memory M-005" in reel("restore", "ring3/M-005").err
