"""After a purge, undo and the table of losses promise nothing that cannot come back."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import chat, page

SESSION = "2026-02-25-1"
SOME = "all of it can come back, but not what was purged."


@pytest.fixture
def kept(reel: Reel, kit: Path) -> Path:
    """A kit with a chat and its memory."""
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    return kit


def test_the_preview_warns_that_undo_ends_there_and_undo_says_it_too(reel: Reel, kept: Path) -> None:
    told = reel("purge", SESSION, "--dry-run").ok().out
    assert "  afterwards, reel undo cannot take back what was done before it\n" in told
    reel("purge", SESSION, "--confirm", "Ada").ok()
    assert reel("undo").err == (
        "Error: A purge cannot be undone, and reel undo does not go back beyond it.\n"
        "Hint: to bring back what was let go:  reel log --forgotten  ; to see the rest:  reel log\n"
    )


@pytest.mark.parametrize("what", [(SESSION,), ("--match", "penicillin never")])
def test_a_memory_comes_back_without_what_was_purged(reel: Reel, kept: Path, what: tuple[str, ...]) -> None:
    reel("forget", "M-001", "--yes").ok()
    assert reel("log", "--forgotten").ok().out.endswith("; all of it can come back.\n")
    reel("purge", *what, "--confirm", "Ada").ok()
    table = reel("log", "--forgotten").ok().out
    assert "reel restore M-001  (without what was purged)\n" in table
    assert table.endswith(f"; {SOME}\n")
    reel("restore", "M-001").ok()
    assert "purged" not in reel("log", "--forgotten").ok().out


def test_a_line_that_lost_nothing_is_told_as_before(reel: Reel, kept: Path) -> None:
    reel("forget", "M-001", "--yes").ok()
    reel("purge", "--match", "with her coat on", "--confirm", "Ada").ok()
    assert reel("log", "--forgotten").ok().out.endswith("; all of it can come back.\n")


@pytest.mark.needs("facts")
def test_a_fact_that_went_with_its_chat_does_not_come_back(reel: Reel, kept: Path) -> None:
    reel("fact", "add", "context", "residency", "forty pages", "--source", f"{SESSION}#5").ok()
    reel("fact", "add", "context", "city", "Turku").ok()
    reel("fact", "drop", "residency", "--yes").ok()
    reel("purge", SESSION, "--confirm", "Ada").ok()
    table = reel("log", "--forgotten").ok().out
    assert "  purged, for good\n" in table
    assert "reel fact history" not in table
    assert table.endswith("; what was purged does not come back.\n")
    reel("fact", "drop", "city", "--yes").ok()
    table = reel("log", "--forgotten").ok().out
    assert "“Turku”: " in table
    assert "reel fact add context city Turku\n" in table
    assert table.endswith(f"; {SOME}\n")
