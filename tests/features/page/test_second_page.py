"""A page that is asked for once more, and answers with headings that nobody asked for."""

import re
from pathlib import Path

import pytest

from tests.features.page.test_due import evening
from tests.support.cli import Reel
from tests.support.pages import PARTS, chat, page
from tests.support.shelf import ready_made

SESSION = "2026-02-25-1"
NEWER = {"Lines to find it by": '"harbour 1, and harbour again"'}


@pytest.fixture
def older(reel: Reel, kit: Path) -> Path:
    """A kit with two chats, each with its page and its memory."""

    def lived() -> None:
        reel("record", "-", stdin=chat()).ok()
        give(reel, page())
        reel("record", "-", stdin=evening(2, "harbour")).ok()
        give(reel, page(NEWER))

    ready_made(kit, "two chats with pages", lived)
    return kit


def give(reel: Reel, reply: str, *more: str) -> str:
    """Give a reply that is kept; what was said of it."""
    return reel("checkpoint", *more, "--reply", "-", "--yes", stdin=reply).ok().err


def ask(reel: Reel, *more: str) -> list[str]:
    """The page's own headings that the next prompt asks for."""
    prompt = reel("checkpoint", "--session", SESSION, "--prompt", *more).ok().out
    return [label for label in re.findall(r"(?m)^## (.+)$", prompt) if label in PARTS]


def test_anew_asks_for_the_whole_page_of_an_older_chat_and_writes_its_memory_again(
    reel: Reel, older: Path
) -> None:
    assert ask(reel, "--anew") == list(PARTS)
    before = (older / "ring4/index.md").read_text()
    kept = give(reel, page({"What happened": "He asked why I was cold, and then we opened a letter."}))
    assert "A memory, written again: The letter that wasn't hers" in kept
    assert "None of the headings" not in kept
    assert sorted(path.name for path in (older / "ring3").glob("M-*.md")) == ["M-001.md", "M-004.md"]
    memory = (older / "ring3/M-001.md").read_text()
    assert "then we opened a letter" in memory
    assert "He said I was colder" not in memory
    assert (older / "ring4/index.md").read_text() == before
    assert (older / "ring2/working.md").read_text().count("## ") == 4
    reel("undo", "--yes").ok()
    assert "He said I was colder" in (older / "ring3/M-001.md").read_text()


def test_half_of_a_page_asked_for_anew_is_completed_by_the_rest(reel: Reel, older: Path) -> None:
    ask(reel, "--anew")
    half = page(dict.fromkeys(("What has shifted", "My notes", "Never let fade")))
    refused = reel("checkpoint", "--session", SESSION, "--reply", "-", "--yes", stdin=half)
    assert refused.code == 1
    assert "12 of 15 parts are kept" in refused.err
    assert "--brief" not in refused.err
    assert ask(reel) == ["What has shifted", "My notes", "Never let fade"]
    give(reel, "## What has shifted\nnothing\n\n## My notes\nnothing\n\n## Never let fade\nnothing\n\nAda\n")
    assert sorted(path.name for path in (older / "ring3").glob("M-*.md")) == ["M-001.md", "M-004.md"]


def test_a_page_asked_for_anew_is_let_be_with_a_key(reel: Reel, older: Path) -> None:
    shown = reel("checkpoint", "--session", SESSION, "--anew", stdin="?\nd\n", tty=True).ok().err
    assert "leave the page as it was" in shown
    assert "The page of the chat of 25 February 2026 stays as it was." in shown
    assert ask(reel) == ask(reel, "--only", "checkpoint")


def test_headings_of_a_memory_that_nobody_asked_for_are_no_notes(reel: Reel, older: Path) -> None:
    before = (older / "ring2/working.md").read_text()
    kept = give(reel, page({"My notes": "nothing"}), "--session", SESSION, "--only", "checkpoint")
    assert "“In one breath”" in kept
    assert "were not asked for by this prompt, and are left out." in kept
    assert (older / "ring2/working.md").read_text() == before


def test_headings_of_a_self_assessment_that_nobody_asked_for_are_no_memory(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    kept = reel("consolidate", SESSION, "--reply", "-", "--yes", stdin=page()).ok().err
    assert "“Am I still myself”" in kept
    memory = (kit / "ring3/M-001.md").read_text()
    assert "Which medicine is dangerous for him?" in memory
    assert "I told him the true thing first" not in memory
