"""Slips of a dream's reply: an item that nobody spoke of, front matter, two corrections as one."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.dreaming_persona import have_evenings, have_talk, key_of, reply_to

STORY = "The bowl\n\nWe swept the shards into a red bucket. Marta wanted a cup."
FRONT = "---\ntitle: The kiln\ndate: 2026-01-03\ntags:\n  - kiln\n---\n"


def begin(reel: Reel, kit: Path) -> str:
    have_evenings(reel, kit, [3, 4])
    reel("dream", "start", "--yes", "--window", "3k").ok()
    return reel("dream", "next", "--prompt").ok().out


def look(reel: Reel, reply: str) -> list[str]:
    told = reel("dream", "next", "--reply", "-", "--yes", "--dry-run", stdin=reply).ok().err
    return [line.strip() for line in told.splitlines()]


def test_an_item_that_nobody_spoke_of_is_left_out_and_said(reel: Reel, kit: Path) -> None:
    prompt = begin(reel, kit)
    lines = "new: 2026-01-04 · Ada · repaint the submarine\nnew: 2026-01-03 · Bo · the bowls for Marta"
    told = look(reel, reply_to(prompt, STORY, missed=lines))
    assert "Missed: 2026-01-03 · Bo · the bowls for Marta" in told
    why = "“repaint the submarine” is left out: nothing of it was spoken of in these chats"
    assert [line for line in told if "submarine" in line] == [why]


def test_an_item_in_another_language_than_the_chats_is_kept(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-03", "Ich muss das Boot noch streichen.", "Mach das bis Freitag.")
    reel("dream", "start", "--yes", "--window", "3k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    story = "The boat\n\nHe wanted to give the hull another coat, and I said by the weekend."
    told = look(reel, reply_to(prompt, story, missed="new: 2026-01-03 · Bo · repaint the hull"))
    assert "Missed: 2026-01-03 · Bo · repaint the hull" in told


@pytest.mark.parametrize("title", ["", "The bowl\n\n"])
def test_front_matter_is_no_part_of_the_story(reel: Reel, kit: Path, title: str) -> None:
    told = look(reel, reply_to(begin(reel, kit), f"{FRONT}\n{title}We swept the shards."))
    assert f"The story goes on: {title.strip() or 'The kiln'} (4 words)" in told
    assert "We swept the shards." in told


@pytest.mark.parametrize(
    "between", ["\n\nAmend ", "\n", "\n- ", "\nAlso, ", "; amend ", ". ", " and ", "; und "]
)
def test_two_corrections_are_two_however_they_are_set_down(reel: Reel, kit: Path, between: str) -> None:
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(begin(reel, kit), STORY)).ok()
    have_evenings(reel, kit, [9])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    both = f'Amend "a red bucket": a blue bucket{between}"Marta wanted a cup": she was promised a bowl'
    wanted = [
        "Amended: “a red bucket”: a blue bucket",
        "Amended: “Marta wanted a cup”: she was promised a bowl",
    ]
    told = look(reel, reply_to(prompt, f"Two\n\nI was there.\n\n{both}"))
    assert [line for line in told if line.startswith("Amended")] == wanted
    asked = reel("dream", "reground", "1", "--prompt").ok().out
    reply = f"## Which chapter\n{key_of(asked)}\n## What does not fit\n{both}\n\nAda\n"
    shown = reel("dream", "reground", "--reply", "-", "--yes", "--dry-run", stdin=reply).ok().err
    assert [line.strip() for line in shown.splitlines() if "Amended" in line] == wanted


def test_a_story_that_is_a_list_is_said_to_be_one(reel: Reel, kit: Path) -> None:
    """Dream Weaver §8.1: a list of topics is a summary, and no story."""
    have_evenings(reel, kit, [1])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    said = "The story is a list of points; it was asked for in paragraphs"
    story = "The kiln\n\n- I swept with him, in my way.\n- He was tired of it.\n- We said good night."
    assert said in look(reel, reply_to(prompt, story))
    assert said not in look(reel, reply_to(prompt, f"{story}\n\nAnd I was glad of the evening."))
