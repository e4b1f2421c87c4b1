"""Nothing that came of a chat which was taken back alone is told to a model, in any way out of the kit."""

import json
import time
from pathlib import Path

import pytest

from reel_cli.core.pack import resting_parts
from tests.support.cli import Reel
from tests.support.pages import chat, page, say

SESSION = "2026-02-25-1"
THEIRS = ("penicillin", "residency", "forty pages", "buys the ticket", "close to a deadline", "coat on")
"""Words that are nowhere but in that chat and its page."""
WAYS = (
    ("pack",),
    ("pack", "--boot"),
    ("pack", "--window", "64k"),
    ("export", "card", "--memories"),
    ("recall", "penicillin residency forty pages ticket deadline coat"),
    ("recall", "--tag", "relational", "the letter"),
    ("export", "letter"),
    ("export", "text"),
    ("export", "lorebook"),
)


@pytest.fixture
def kept(reel: Reel, kit: Path) -> Path:
    """A kit with two chats, each with its page, and an example out of the second."""
    say(reel, kit, [("user", "The heron is back on the weir."), ("assistant", "Then count it.")], 10)
    heron = {
        "In a few words": "The heron",
        "What happened": "The heron is back on the weir.",
        "What's unresolved": "- the heron's count",
        "Lines to find it by": '"heron is back on the weir"',
        "My notes": "new: the heron is back",
        "What has shifted": "steady",
        "In one breath": "The heron is back.",
        "What may be asked later": "What is on the weir?",
    }
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(heron)).ok()
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    reel("example", "add", "--from", f"{SESSION}#3-4", "--title", "Standing up").ok()
    return kit


def told(reel: Reel, way: tuple[str, ...]) -> str:
    run = reel(*way)
    assert run.code in (0, 1), run.err
    return run.out


def test_none_of_it_is_told_until_its_chat_counts_again(reel: Reel, kept: Path) -> None:
    before = {way: told(reel, way) for way in WAYS}
    assert sum(any(word in text for word in THEIRS) for text in before.values()) > len(WAYS) // 2
    files = {one: one.read_bytes() for one in kept.rglob("ring*/*") if one.is_file()}
    reel("tape", "retract", SESSION, "--yes").ok()
    for way in WAYS:
        text = told(reel, way)
        assert [word for word in THEIRS if word in text] == [], way
    assert "the heron is back" in told(reel, ("pack",))
    assert {one: one.read_bytes() for one in files} == files
    reel("tape", "retract", SESSION, "--undo").ok()
    assert {way: told(reel, way) for way in WAYS} == before


@pytest.mark.parametrize("alone", [(), ("--only", "consolidation")])
def test_notes_that_got_their_day_or_came_with_a_memory_alone_rest_too(
    reel: Reel, kept: Path, alone: tuple[str, ...]
) -> None:
    """REEL §4.6: a note stands with its day as a date, and a memory alone notes what it leaves open."""
    session = say(reel, kept, [("user", "My sister comes tomorrow."), ("assistant", "Put barley on.")], 26)
    noted = {
        "In a few words": "The sister",
        "What happened": "The user's sister comes tomorrow.",
        "What's unresolved": "- whether the barley is enough on Friday\n- what the sister says next week",
        "Lines to find it by": '"My sister comes tomorrow"',
        "In one breath": "A sister, and barley.",
        "My notes": "new: the sister comes tomorrow\nstate: Waiting for the sister tomorrow, and M-003.",
        "How I was": "Quiet, with barley.",
        "What has shifted": "steady",
        "What may be asked later": "Who came?",
    }
    reel("checkpoint", *alone, "--reply", "-", "--yes", stdin=page(noted)).ok()
    assert "barley" in told(reel, ("pack",))
    run = reel("tape", "retract", session, "--yes").ok()
    assert "whether the barley is enough on Friday" in run.err
    for way in WAYS:
        text = told(reel, way)
        assert [word for word in ("barley", "sister") if word in text] == [], way
    say(reel, kept, [("user", "The heron left."), ("assistant", "So count none.")], 27)
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "the heron is back" in prompt
    assert "barley" not in prompt


def test_the_account_of_a_bundle_names_it(reel: Reel, kept: Path) -> None:
    reel("tape", "retract", SESSION, "--yes").ok()
    left = json.loads(reel("pack", "--json").ok().out)["left_out"]
    assert {(one["ring"], one["id"]) for one in left if one["reason"] == "its chat was taken back"} >= {
        ("3", "M-002"),
        ("4", "M-002"),
    }


def test_taking_it_back_names_what_rests_and_an_anchor_of_it(reel: Reel, kept: Path) -> None:
    name = next(path.stem for path in (kept / "ring1").glob("*.md") if "standing" in path.stem)
    reel("example", "anchor", name).ok()
    err = reel("tape", "retract", SESSION, "--yes").ok().err
    assert "in no bundle, and still there: M-002" in err
    assert "Examples from it, in no bundle either: “Standing up”" in err
    assert "take another:  reel example anchor NAME" in err
    assert "coat on" not in reel("pack").ok().out


def test_what_rests_is_looked_for_again_only_where_a_file_changed(
    reel: Reel, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel("tape", "retract", SESSION, "--yes").ok()
    # a file as young as the catalog's clock is not trusted
    time.sleep(0.05)
    before = told(reel, ("pack",))
    with monkeypatch.context() as patch:
        patch.setattr(resting_parts, "_find_resting", lambda _: pytest.fail("looked for again"))
        assert told(reel, ("pack",)) == before
    memory = kept / "ring3/M-001.md"
    theirs = memory.read_text(encoding="utf-8").replace("2026-02-10-1", SESSION)
    with memory.open("r+", encoding="utf-8") as file:
        file.write(theirs)
    left = json.loads(reel("pack", "--json").ok().out)["left_out"]
    assert {one["id"] for one in left if one["reason"] == "its chat was taken back"} >= {"M-001", "M-002"}


def test_a_purge_in_the_second_in_which_a_chat_was_taken_back_brings_nothing_back(
    reel: Reel, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REEL_NOW", "2026-03-02T20:00:00+00:00")
    reel("tape", "retract", SESSION, "--yes").ok()
    reel("purge", "--match", "weir", "--confirm", "Ada").ok()
    text = told(reel, ("pack",))
    assert [word for word in THEIRS if word in text] == []
    reel("tape", "retract", SESSION, "--undo").ok()
    reel("purge", "--match", "forty pages", "--confirm", "Ada").ok()
    reel("tape", "retract", SESSION, "--yes").ok()
    text = told(reel, ("pack",))
    assert [word for word in THEIRS if word in text] == []
    assert "taken back" in reel("why", SESSION).ok().out
