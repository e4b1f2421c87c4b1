"""A page that gives the number of one note and the words of another."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from reel_cli.core.files.working_file import is_starting_item, read_items
from tests.support.cli import Reel
from tests.support.pages import page, say

NOTES = (
    "Who Bo is to Ada: the one passenger she minds losing.",
    "The two pages after the knot.",
    "The draft for Oda Lindqvist, by 9 May 2026.",
)
SAID = [
    ("user", "I cut the two pages. And the draft for Oda is due on the thirtieth of May now."),
    ("assistant", "Both pages. Good."),
]


@pytest.mark.parametrize(("note", "starts"), [("Who Bo is to Ada.", True), (NOTES[0], False)])
def test_a_note_that_a_kit_begins_with_is_another_once_a_page_says_more(note: str, *, starts: bool) -> None:
    assert is_starting_item(note) is starts


def _answer(reel: Reel, kit: Path, verdicts: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return what is shown of a page that gives these verdicts, and the notes after it."""
    say(reel, kit, [("user", "The draft and the two pages, and who I am."), ("assistant", "Yes.")])
    notes = "\n".join(["1. still", *(f"new: {note}" for note in NOTES)])
    first = page({"My notes": notes, "Lines to find it by": '"The draft and the two pages"'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=first).ok()
    say(reel, kit, SAID, 20)
    asked = reel("checkpoint", "--prompt").ok().out
    numbers = {note: found[1] for note in NOTES if (found := re.search(rf"(\d+)\. {re.escape(note)}", asked))}
    told = "\n".join(f"{numbers[note]}. {verdict}" for note, verdict in verdicts.items())
    second = page({"My notes": told, "Lines to find it by": '"I cut the two pages"'})
    reply = kit.parent / "page.md"
    reply.write_text(second, encoding="utf-8")
    run = reel("checkpoint", "--reply", reply, stdin="y\n", tty=True).ok()
    kept = (kit / "ring2" / "working.md").read_text(encoding="utf-8")
    return " ".join((run.out + run.err).split()), [item.text for item in read_items(kept)]


def test_a_change_with_the_number_of_another_note_changes_the_one_that_it_is_about(
    reel: Reel, kit: Path
) -> None:
    """`3. changed: The draft for Oda Lindqvist, by 30 May 2026.`, where 3 was who Bo is."""
    changed = "The draft for Oda Lindqvist, by 30 May 2026."
    shown, after = _answer(reel, kit, {NOTES[0]: f"changed: {changed}", NOTES[1]: "still", NOTES[2]: "still"})
    assert {NOTES[0], NOTES[1], changed} <= {*after}
    assert NOTES[2] not in after
    assert f"changed: “{NOTES[2]}” to “{changed}”" in shown
    assert f"kept as it was, since the change given for it is about something else: {NOTES[0]}" in shown


def test_a_note_closed_with_words_about_another_that_stays_is_left_open(reel: Reel, kit: Path) -> None:
    shown, after = _answer(
        reel, kit, {NOTES[0]: 'closed "I cut the two pages."', NOTES[1]: "still", NOTES[2]: "still"}
    )
    assert {*NOTES} <= {*after}
    told = "still open, since the words given for it are about something else:"
    assert f"{told} {NOTES[0]} (“I cut the two pages.”, more likely for “{NOTES[1]}”)" in shown


def test_a_note_closed_with_words_that_have_none_of_it_is_shown_with_them(reel: Reel, kit: Path) -> None:
    shown, after = _answer(
        reel, kit, {NOTES[0]: 'closed "I cut the two pages."', NOTES[1]: 'closed "I cut the two pages."'}
    )
    assert f"closed: {NOTES[0]} (“I cut the two pages”)" in shown
    assert NOTES[0] not in after


def test_words_of_an_earlier_chat_that_close_a_note_are_told_with_their_chat(reel: Reel, kit: Path) -> None:
    """“The draft and the two pages” was said ten days before, and was told as never said."""
    earlier = "The draft and the two pages, and who I am."
    shown, after = _answer(
        reel, kit, {NOTES[0]: f'closed "{earlier}"', NOTES[1]: 'closed "the pages are burnt"'}
    )
    assert NOTES[0] not in after
    where = "which stands in the chat of 10 February 2026, not in this one"
    assert f"“{NOTES[0]}” is closed with “{earlier}”, {where}" in shown
    assert f"closed, with words of the chat of 10 February 2026: {NOTES[0]}" in shown
    assert f"“{NOTES[1]}” is closed with “the pages are burnt”, which is not in this chat" in shown
    assert f"closed, with words that are not in this chat: {NOTES[1]}" in shown
