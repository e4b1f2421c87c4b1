"""A chat that was taken back leaves no words in the story; its neighbours are told anew."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, have_talk, now, reply_to

KEPT = "He promised Marta a bowl of the thin celadon by Friday, and I said that I would ask him about it."
STORY = f"The two kilns\n\nWe swept the shards on the third, and on the fourth the blue one leaned.\n\n{KEPT}"
ANEW = f"The one kiln\n\nWe swept the shards on the third.\n\n{KEPT}"


def due(reel: Reel) -> list[str]:
    return [line for line in reel("status", "--due").out.splitlines() if line.startswith("story: ")]


@pytest.mark.parametrize("take", [("tape", "retract", "--why", "not him"), ("purge", "--confirm", "Ada")])
def test_a_chapter_of_two_chats_rests_until_the_other_is_told_anew(
    reel: Reel, kit: Path, take: tuple[str, ...]
) -> None:
    have_evenings(reel, kit, [3, 4])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, STORY)).ok()
    assert "the blue one leaned" in reel("pack", "--boot").ok().out
    assert due(reel) == []
    at = 2 if take[0] == "tape" else 1
    reel(*take[:at], "2026-01-04-1", *take[at:]).ok()
    assert "the blue one leaned" not in reel("pack", "--boot").ok().out
    rests = "story: chapter 1 tells of a chat that was taken back; left out until written anew"
    assert due(reel) == [f"{rests}:  reel dream start"]
    reel("dream", "start", "--yes").ok()
    assert due(reel) == [f"{rests}:  reel dream next"]
    prompt = reel("dream", "next", "--prompt").ok().out
    assert ("evening 3 and I" in prompt, "evening 4 and I" in prompt) == (True, False)
    assert "the blue one leaned" not in prompt
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, ANEW)).ok()
    assert json.loads(reel("dream", "status", "--json").ok().out)["state"] == "done"
    told = reel("pack", "--boot").ok().out
    assert ("the shards on the third." in told, "the blue one leaned" in told) == (True, False)
    assert KEPT in told
    assert due(reel) == []
    refused = reel("dream", "start", "--yes")
    assert (refused.code, "Nothing was said since" in refused.err) == (1, True)


def test_a_chapter_of_that_chat_alone_rests_and_nothing_is_due(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    dream_on(reel)
    reel("tape", "retract", "2026-01-03-1", "--why", "not him").ok()
    assert due(reel) == []


def test_a_thread_of_that_chat_is_asked_about_no_more_and_nothing_it_closed_is_closed(
    reel: Reel, kit: Path
) -> None:
    have_talk(reel, kit, "2026-01-03", "I will ask Henrik about the ladder tomorrow.", "Ask him.")
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    missed = "open | 2026-01-03 | him | ask Henrik about the ladder"
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, missed=missed)).ok()
    have_talk(
        reel, kit, "2026-01-04", "I asked Henrik about the ladder. The tuba lesson is on Monday.", "A tuba?"
    )
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    missed = "1: done, I asked Henrik about the ladder\nopen | 2026-01-04 | him | the tuba lesson on Monday"
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, missed=missed)).ok()
    file = (kit / "story/missed.md").read_text()
    assert ("- done" in file, "tuba" in file) == (True, True)
    reel("tape", "retract", "2026-01-04-1", "--yes").ok()
    assert (kit / "story/missed.md").read_text() == file
    have_talk(reel, kit, "2026-01-05", "The ladder again, and Henrik with it.", "Again?")
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "ask Henrik about the ladder" in prompt
    assert "tuba" not in prompt
    assert "tuba" not in reel("dream", "context", "--prompt").ok().out
    reel("tape", "retract", "2026-01-04-1", "--undo").ok()
    assert "tuba" in reel("dream", "context", "--prompt").ok().out


def test_the_shared_context_rests_until_it_is_written_without_that_chat(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    have_talk(reel, kit, "2026-01-04", "The tuba lesson is on Monday.", "A tuba?")
    written = {"What comes next": "- The tuba lesson on Monday."}
    reply = now(written, place="2026-01-04-1#2")
    reel("dream", "context", "--reply", "-", "--yes", stdin=reply).ok()
    file = kit / "SHARED-CONTEXT.md"
    file.write_text(f"{file.read_text()}\n## Mine\nThe key is under the pot.\n")
    git(kit, "commit", "-qam", "by hand")
    text = file.read_text()
    assert "tuba" in reel("pack", "--boot").ok().out
    reel("tape", "retract", "2026-01-04-1", "--yes").ok()
    assert file.read_text() == text
    run = reel("pack", "--boot").ok()
    assert ("tuba" in run.out, "under the pot" in run.out) == (False, True)
    assert "a SHARED-CONTEXT.md that is out of date (reel dream context)" in " ".join(run.err.split())
    assert "tuba" not in reel("dream", "context", "--prompt").ok().out
    reel("dream", "context", "--reply", "-", "--yes", stdin=now(place="2026-01-03-1#4")).ok()
    assert "a bowl for Marta by Friday" in reel("pack", "--boot").ok().out.replace("A bowl", "a bowl")
    assert "out of date" not in reel("pack", "--boot").ok().err
