"""`reel undo` and `reel log` name the facts, notes and examples that were decided on."""

import re
from pathlib import Path

import pytest

from reel_cli.core.files.review_file import render_proposal
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from tests.support.cli import Reel, git
from tests.support.pages import chat

NOW = "# Now\n\n## Active threads\n\n## Open loops\n- whether he buys the ticket\n- the loan of the boat\n"
CLOSING = "- whether he buys the ticket\n"
SIDES = (Side("M-001", "the ferry leaves at noon"), Side("M-002", "the ferry leaves at nine"))
QUARREL = "two things that did not agree (“the ferry leaves at noon”, “the ferry leaves at nine”)"
FACT = "- category: constraints\n  key: {}\n  value: {}\n  source: 2026-02-25-1#5\n  origin: extraction\n"
FACTS = FACT.format("allergy", "allergic to penicillin") + FACT.format("city", "lives in Turku")


def propose(kit: Path, kind: ReviewKind, text: str = "", **more: object) -> None:
    """Have something wait for a decision."""
    proposal = Proposal("p", kind, "2026-02-25-1", "2026-02-25T20:00:00Z", "a title", text, **more)  # type: ignore[arg-type]
    (kit / "ring2/working.md").write_text(NOW, encoding="utf-8")
    (kit / "review").mkdir(exist_ok=True)
    (kit / "review/p.md").write_text(render_proposal(proposal), encoding="utf-8")
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "something waits")


def undone(reel: Reel) -> str:
    """Take the decision back; what the screen and the log say of it, which is the same."""
    asked = reel("undo", tty=True, stdin="y\n").ok()
    told = " ".join(asked.out.split()).removeprefix("Took back: ")
    assert told in " ".join(asked.err.split()), "it is named before it is asked about"
    (line,) = (one for one in reel("log").ok().out.splitlines() if "  undone  " in one)
    assert line.partition("undone")[2].strip() == told
    assert f"Done again: {told}" in " ".join(reel("redo", "--yes").ok().out.split())
    reel("undo", "--yes").ok()
    return told


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel.given("record", "-", stdin=chat())
    return kit


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("accept", "a note closed: “whether he buys the ticket”"),
        ("reject", "not taken: a title: “whether he buys the ticket”"),
    ],
)
def test_a_note(reel: Reel, told: Path, word: str, named: str) -> None:
    propose(told, ReviewKind.CLOSING, CLOSING)
    reel("review", word, "p").ok()
    assert undone(reel) == named


@pytest.mark.needs("facts")
@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("accept", "2 facts known by heart: “allergy: allergic to penicillin”, “city: lives in Turku”"),
        ("reject", "not taken: a title: “allergy: allergic to penicillin”, “city: lives in Turku”"),
    ],
)
def test_facts(reel: Reel, told: Path, word: str, named: str) -> None:
    propose(told, ReviewKind.FACT, FACTS)
    reel("review", word, "p").ok()
    assert undone(reel) == named
    assert not (re.search("penicillin|Turku", git(told, "log", "--format=%B")))


@pytest.mark.needs("facts")
@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("y", "a fact known by heart: “allergy: allergic to penicillin”"),
        ("n", "not taken: “allergy: allergic to penicillin”"),
    ],
)
def test_one_of_two_facts(reel: Reel, told: Path, key: str, named: str) -> None:
    propose(told, ReviewKind.FACT, FACTS)
    reel("review", tty=True, stdin=f"s\n{key}\nj\n\ny\n").ok()
    assert undone(reel) == named


@pytest.mark.needs("contradictions")
@pytest.mark.parametrize(
    ("choice", "named"),
    [
        (
            ("accept", "p", "--holds", "both"),
            f"{QUARREL}: both stand",
        ),
        (
            ("reject", "p"),
            f"{QUARREL}: not a contradiction",
        ),
    ],
)
def test_two_things_that_do_not_agree(reel: Reel, told: Path, choice: tuple[str, ...], named: str) -> None:
    propose(told, ReviewKind.CONTRADICTION, "They differ.\n", sides=SIDES)
    reel("review", *choice).ok()
    assert undone(reel) == named


@pytest.mark.needs("threads")
def test_a_thread(reel: Reel, told: Path) -> None:
    propose(told, ReviewKind.THREAD, "ferry:\n  theme: The ferry\n  members: [2026-02-25-1]\n")
    reel("review", "accept", "p").ok()
    assert undone(reel) == "a chat goes on with a thread: “The ferry”"


def test_an_example(reel: Reel, told: Path) -> None:
    text = "> Fine. Chapter four.\n\nThen let her read it standing up.\n"
    propose(told, ReviewKind.EXEMPLAR, text, source="2026-02-25-1#3-4")
    reel("review", "accept", "p").ok()
    assert undone(reel) == '"a title" is an example now'
