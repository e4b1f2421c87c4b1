"""Texts of a kit saved by other programs: line ends, byte order marks, UTF-16."""

from pathlib import Path

import pytest

from reel_cli.core.change.edited_texts import plain_text
from tests.support.cli import Reel, git

SAVED = {
    "windows": lambda text: text.replace("\n", "\r\n").encode(),
    "mark": lambda text: text.encode("utf-8-sig"),
    "both": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16 windows": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
}


@pytest.mark.parametrize("how", SAVED)
def test_any_form_is_the_same_text(how: str) -> None:
    assert plain_text(SAVED[how]("Über\n\nalles\n")) == "Über\n\nalles\n".encode()


def test_what_is_no_text_stays() -> None:
    for data in (b"\xff\xfe\x00", b"\xff\xfe\x00\xd8", b"a\0b", b"", b"a\rb"):
        assert plain_text(data) == data


@pytest.mark.parametrize("how", SAVED)
@pytest.mark.parametrize("path", ["ring0/identity.md", "ring2/working.md", "kit.yaml"])
def test_a_text_saved_otherwise_is_no_edit(reel: Reel, kit: Path, path: str, how: str) -> None:
    place = kit / path
    was = place.read_bytes()
    place.write_bytes(SAVED[how](was.decode()))
    assert reel("doctor").ok().out == "No problem found.\n"
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    assert place.read_bytes() == was
    assert git(kit, "status", "--porcelain") == ""


@pytest.mark.parametrize("how", SAVED)
def test_only_the_edit_is_shown_and_committed(reel: Reel, kit: Path, how: str) -> None:
    working = kit / "ring2/working.md"
    mine = f"{working.read_text()}\n- buy milk\n"
    working.write_bytes(SAVED[how](mine))
    shown = reel("review").ok().out
    assert "new: - buy milk" in shown
    assert "was:" not in shown
    reel("review", "accept", "ring2/working.md", "--yes").ok()
    assert git(kit, "show", "HEAD:ring2/working.md") == mine
    assert "\r" not in reel("pack").ok().out


def test_a_text_that_history_has_so_stays(reel: Reel, kit: Path) -> None:
    working = kit / "ring2/working.md"
    data = SAVED["windows"](working.read_text())
    working.write_bytes(data)
    git(kit, "commit", "-qam", "windows", "--no-verify")
    reel("review").ok()
    assert working.read_bytes() == data


def test_a_large_folder_is_looked_through_at_a_review(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.core.change.edited_texts.MANY", 0)
    working = kit / "ring2/working.md"
    was = working.read_bytes()
    working.write_bytes(SAVED["windows"](was.decode()))
    reel("status").ok()
    assert working.read_bytes() != was
    reel("review").ok()
    assert working.read_bytes() == was
