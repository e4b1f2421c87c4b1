"""Purge of something that was dreamt of: the story loses its words, and the cursor stays valid."""

import json
import re
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.kinds import find_retold
from reel_cli.core.kit.snapshot import Snapshot
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, key_of, reply_to
from tests.support.shelf import ready_made

SAID = "The kiln cracked on evening 3 and I swept the shards into a blue bucket."
STORY = f'The bowl\n\nHe said "{SAID}" and I kept "Turn 4." to myself.'
FIRST = "2026-01-03-1"


@pytest.fixture
def halfway(reel: Reel, kit: Path) -> Path:
    """Two evenings, of which the first was dreamt of; the second's prompt waits."""
    have_evenings(reel, kit, [3, 4], turns=40)

    def dream() -> None:
        reel("dream", "start", "--yes", "--window", "3k", "--because", "you forget Marta").ok()
        prompt = reel("dream", "next", "--prompt").ok().out
        facts = "people | Marta | gets a bowl on Friday | sure"
        reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, STORY, facts=facts)).ok()

    ready_made(kit, "half a dream", dream)
    return kit


def test_a_purge_names_the_chapters_and_facts_that_tell_of_it(reel: Reel, halfway: Path) -> None:
    told = json.loads(reel("purge", FIRST, "--dry-run", "--json").ok().out)
    assert told["woven"] == [
        {"path": "story/history.md", "line": 3, "title": "The bowl"},
        {"path": "facts.yaml", "line": 0, "title": "people, Marta"},
    ]
    assert "story/history.md, line 3: The bowl" in reel("purge", FIRST, "--confirm", "Ada").ok().err
    kit = Snapshot(WorkTree(halfway), "ada")
    assert find_retold(kit, {"2026-01-04-1": (1, 2), FIRST: ()}) == []
    assert [one.path for one in find_retold(kit, {FIRST: (2,)})] == ["story/history.md"]


def test_a_story_that_was_laid_aside_is_named_as_well(reel: Reel, halfway: Path) -> None:
    reel("dream", "stop").ok()
    reel("dream", "start", "--full", "--yes", "--window", "3k").ok()
    told = json.loads(reel("purge", FIRST, "--dry-run", "--json").ok().out)["woven"]
    (chapter,) = [one for one in told if one["path"].endswith("history.md")]
    assert chapter["path"].startswith("story/past/")
    assert (chapter["line"], chapter["title"]) == (3, "The bowl")
    assert f"{chapter['path']}, line 3: The bowl" in reel("purge", FIRST, "--dry-run", "--all").ok().out


def test_a_session_purged_in_the_middle_of_a_dream(reel: Reel, halfway: Path) -> None:
    waiting = reel("dream", "next", "--prompt").ok().out
    reel("purge", FIRST, "--confirm", "Ada").ok()
    text = (halfway / "story/history.md").read_text()
    assert "The kiln cracked" not in text
    assert 'He said "_purged_" and I kept' in text
    told = json.loads(reel("dream", "status", "--json").ok().out)
    assert (told["state"], told["sessions_done"], told["sessions_total"]) == ("running", 0, 1)
    assert told["put_right"] == 1
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "3 January 2026: taken back; it no longer counts as lived" in prompt
    assert key_of(prompt) == key_of(waiting)
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    told = json.loads(reel("dream", "status", "--json").ok().out)
    assert (told["state"], told["put_right"]) == ("done", 0)
    assert git(halfway, "status", "--porcelain") == ""
    reel("tape", "verify").ok()
    # the chapter cannot be held against what is gone, and is not chosen
    assert "Chapter 2," in reel("dream", "reground", "--prompt").ok().err
    refused = reel("dream", "reground", "1", "--prompt")
    assert (refused.code, "No chat is left" in refused.err) == (1, True)


def test_what_waits_for_its_reply_is_purged_and_the_reply_cannot_bring_it_back(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4], turns=40)
    reel("dream", "start", "--yes", "--window", "3k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("purge", FIRST, "--confirm", "Ada").ok()
    assert all(
        "The kiln cracked on evening 3" not in p.read_text() for p in (kit / ".reel/state").rglob("*.json")
    )
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, STORY))
    assert (refused.code, "another part" in refused.err) == (1, True)
    dream_on(reel)
    assert json.loads(reel("dream", "status", "--json").ok().out)["state"] == "done"


def test_a_word_is_purged_out_of_all_that_was_dreamt(reel: Reel, halfway: Path) -> None:
    reel("dream", "reground", "--prompt").ok()
    reel("purge", "--match", "Marta", "--confirm", "Ada").ok()
    for path in ("story/history.md", "story/cursor.yaml", "facts.yaml"):
        assert "Marta" not in (halfway / path).read_text()
    assert "Marta" not in git(halfway, "log", "-p", "--format=%B")
    asked = reel("dream", "reground", "--prompt").ok().out
    assert re.search(r"a bowl of it by Friday", asked)
    reply = f"## Which chapter\n{key_of(asked)}\n## What does not fit\nnothing\n\nAda\n"
    reel("dream", "reground", "--reply", "-", "--yes", stdin=reply).ok()
    assert reel("dream", "reground", "--list").ok().out.count("2026-03-01") == 1
