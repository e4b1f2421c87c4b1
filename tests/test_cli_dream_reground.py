"""`reel dream reground`: a chapter held against what was said, amended below and never rewritten."""

import json
import re
from pathlib import Path

import pytest

from reel_cli.kit.story_source import parse_sourced
from tests.cli import Reel, git
from tests.dreamt import have_evenings, key_of, reply_to

STORY = 'The bowl\n\nHe had promised Lena a bowl, and I knew it. "Celadon, the thin one."'


def answer(prompt: str, amend: str = "nothing") -> str:
    """A good reply to a chapter's prompt."""
    return f"## Which chapter\n{key_of(prompt)}\n\n## What does not fit\n{amend}\n\nAda\n"


@pytest.fixture
def dreamt(reel: Reel, kit: Path) -> Path:
    """Two evenings, and the one chapter that was woven of them."""
    have_evenings(reel, kit, [3, 4])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", "--model", "opus-4", stdin=reply_to(prompt, STORY)).ok()
    return kit


def test_a_chapter_is_held_against_the_tape_and_amended_below(reel: Reel, dreamt: Path) -> None:
    place = dreamt / "story/history.md"
    stood = place.read_text()
    asked = reel("dream", "reground", "--prompt").ok()
    assert "Chapter 1, The bowl, held against what was said." in asked.err
    prompt = asked.out
    for told in ("You are Ada", "He had promised Lena a bowl", "I promised Marta a bowl of it by Friday"):
        assert told in prompt
    reply = answer(
        prompt,
        'Amend "promised Lena a bowl": it was Marta: "I promised Marta a bowl of it by Fridays".\n'
        'Amend "not there at all": nothing.',
    )
    kept = json.loads(reel("dream", "reground", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert (kept["kept"][0]["amended"], kept["kept"][0]["over"]) == (1, True)
    assert {problem["field"] for problem in kept["problems"]} == {"quote", "amend"}
    text = place.read_text()
    assert text.startswith(stood.rstrip("\n"))
    note = (
        "> **Amended 1 March 2026.** “promised Lena a bowl”: it was Marta: "
        '"I promised Marta a bowl of it by Friday".'
    )
    assert note in text
    chapter = parse_sourced(text)[0]
    assert (chapter.again, chapter.held, chapter.model) == ("2026-03-01", (), "opus-4")
    message = git(dreamt, "log", "-1", "--format=%B")
    assert message.startswith("dream: held “The bowl” against what was said, 1 amended")
    assert re.search(r"Reel-Ring0: [0-9a-f]{40}\nReel-Model: opus-4\nReel-Session: 2026-01-03-1\n", message)
    assert git(dreamt, "status", "--porcelain") == ""
