"""A chat that was taken back leaves no words in the story; its neighbours are told anew."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.dreaming_persona import dream_on, have_evenings, reply_to

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
