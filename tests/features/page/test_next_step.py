"""Pages that are due: `reel`, `reel status` and `reel end` name the same chat and the same next step."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.features.page.test_due import evening
from tests.features.page.test_owed_pages import HALF_OF, due, more
from tests.support.cli import Reel, Run
from tests.support.growing_kit import TODAY
from tests.support.pages import chat, page
from tests.support.terminal_session import Screen

DAY = "25 February 2026"
ASKS = "Drag the chat's file into this window"
LATER = "2026-03-02-1"
HALF = page(dict.fromkeys(HALF_OF))


def step(reel: Reel) -> str:
    """Return the next step of `reel` alone."""
    return reel().ok().out.rpartition("Next:  ")[2].strip()


def page_due(reel: Reel) -> str:
    """Return the chat of which `reel status` says that a page is due; "" for none."""
    found = [line for line in due(reel) if line.endswith("reel end")]
    assert len(found) <= 1
    return found[0] if found else ""


def end(reel: Reel, typed: str = "q\n") -> str:
    return reel("end", stdin=typed, tty=True).ok().err


def give(reel: Reel, reply: str, *arguments: str) -> Run:
    return reel("checkpoint", *arguments, "--reply", "-", "--yes", stdin=reply)


def consolidate(reel: Reel) -> Run:
    return reel("consolidate", "--reply", "-", "--yes", stdin=page()).ok()


def record(reel: Reel) -> None:
    reel.given("record", "-", stdin=chat())


OPEN: dict[str, Callable[[Reel], object]] = {
    "no page": lambda reel: reel("tape", "list").ok(),
    "a prompt that waits": lambda reel: reel("checkpoint", "--prompt").ok(),
    "part of the page": lambda reel: give(reel, HALF),
    "more was said after it": lambda reel: (
        give(reel, page()).ok(),
        reel("record", "-", stdin=chat(*more(4))).ok(),
    ),
}
DONE: dict[str, Callable[[Reel], object]] = {
    "the page is kept": lambda reel: give(reel, page()).ok(),
    "a short page is kept": lambda reel: give(reel, page(), "--brief"),
    "its memory was made without a page": lambda reel: (
        reel("checkpoint", "--prompt").ok(),
        consolidate(reel),
    ),
    "part of the page, then its memory": lambda reel: (give(reel, HALF), consolidate(reel)),
    "no page is wanted": lambda reel: reel("checkpoint", "--drop").ok(),
    "part of the page, and no page is wanted": lambda reel: (
        give(reel, HALF),
        reel("checkpoint", "--drop").ok(),
    ),
    "part of the page, its memory, and that is enough": lambda reel: (
        give(reel, HALF),
        consolidate(reel),
        reel("checkpoint", "--brief").ok(),
    ),
}


@pytest.mark.parametrize("how", OPEN)
def test_of_a_page_that_is_due_all_three_name_the_chat_and_reel_end(reel: Reel, kit: Path, how: str) -> None:
    record(reel)
    OPEN[how](reel)
    assert step(reel) == "reel end"
    assert TODAY in page_due(reel)
    shown = end(reel)
    assert f"he chat of {DAY}" in shown
    assert ASKS not in shown
    # another evening has begun: that one's chat comes first, and the page has a key
    reel("start").ok()
    shown = end(reel)
    assert ASKS in shown
    assert f"e: go on with the page of the chat of {DAY}." in shown
    assert f"he chat of {DAY} " in end(reel, "e\nq\n").partition("> ")[2]


def test_a_page_given_where_another_chat_is_asked_for_is_taken(reel: Reel, kit: Path) -> None:
    """It was refused with a command that could not be typed there, and had to be pasted once more."""
    record(reel)
    reel("start").ok()
    place = kit.parent / "page.md"
    place.write_text(page())
    shown = end(reel, f"{place}\ny\n")
    assert f"That is a page, so it is taken as the one of the chat of {DAY}." in shown
    assert "reel checkpoint --reply" not in shown
    assert list((kit / "ring3").glob("M-*.md"))


def test_a_page_pasted_where_another_chat_is_asked_for_is_taken(reel: Reel, kit: Path) -> None:
    record(reel)
    reel("start").ok()
    with Screen(["end"], kit) as screen:
        screen.asked()
        screen.paste(page())
        screen.type("")
        shown = screen.until("Keep this?")
        assert f"That is a page, so it is taken as the one of the chat of {DAY}." in " ".join(shown.split())
        screen.close()
    # and it is not lost there either
    assert "neither kept nor declined" in " ".join(reel().out.split())


@pytest.mark.parametrize("how", DONE)
def test_where_no_page_is_due_none_of_the_three_names_one(reel: Reel, kit: Path, how: str) -> None:
    record(reel)
    DONE[how](reel)
    assert step(reel) == "reel start"
    assert page_due(reel) == ""
    shown = end(reel)
    assert ASKS in shown
    assert DAY not in shown


def test_the_evening_after_one_without_its_page_ends_with_its_own_chat(reel: Reel, kit: Path) -> None:
    record(reel)
    end(reel)
    reel("start").ok()
    place = kit.parent / "tonight.json"
    place.write_text(evening(2, "harbour"))
    shown = end(reel, f"{place}\nq\n")
    assert "2026-03-02-1" in reel("tape", "list").ok().out
    assert "paste it into the chat" in shown or "No clipboard here." in shown
    assert "2026-03-02-1" in page_due(reel)
    assert step(reel) == "reel end"
    assert "The page of the chat of 2 March 2026 has not come yet." in end(reel)


def test_hours_after_a_chat_was_recorded_another_is_asked_for_first(reel: Reel, kit: Path) -> None:
    record(reel)
    (session,) = (kit / "tape").rglob(f"{TODAY}.md")
    then = time.time() - 7 * 60 * 60
    os.utime(session, (then, then))
    assert ASKS in end(reel)


def test_a_chat_that_went_on_is_told_with_its_kept_page(reel: Reel, kit: Path) -> None:
    record(reel)
    give(reel, page()).ok()
    reel("record", "-", stdin=chat(*more(4))).ok()
    told = end(reel) + end(reel)
    assert "has not come yet" not in told
    new = f"4 messages came after the page of the chat of {DAY} and are in no memory yet."
    assert told.count(new) == 2


def test_an_older_page_that_never_came_is_the_next_step_and_offered(reel: Reel, kit: Path) -> None:
    record(reel)
    reel("checkpoint", "--prompt").ok()
    reel("record", "-", stdin=evening(2, "harbour")).ok()
    give(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'}), "--session", LATER).ok()
    # one earlier chat without a memory is the next step; the evening itself still asks for tonight's chat
    assert step(reel) == f"reel consolidate {TODAY}"
    assert page_due(reel) == ""
    shown = end(reel)
    assert ASKS in shown
    assert f"e: go on with the page of the chat of {DAY}." in shown
    reel("checkpoint", "--drop", "--session", TODAY).ok()
    assert step(reel) == "reel start"


def test_the_page_of_an_older_chat_recorded_last_is_gone_on_with_everywhere(reel: Reel, kit: Path) -> None:
    """`reel end` named itself as the way on, `reel` and `reel status` named `reel consolidate`."""
    record(reel)
    give(reel, page()).ok()
    place = kit.parent / "earlier.json"
    place.write_text(evening(2, "harbour").replace("2026-03-02", "2026-02-20"))
    told = reel("end", str(place), stdin="q\n", tty=True).ok().err
    assert list((kit / "tape").rglob("2026-02-20-1.md"))
    assert "The prompt is kept. When you have the page:  reel end" in told
    owed = "The page of the chat of 20 February 2026 was asked for and has not come yet."
    assert owed in reel().ok().out
    assert "no memory yet" not in reel().ok().out
    assert step(reel) == "reel end"
    assert page_due(reel).endswith("reel end")
    shown = end(reel)
    assert ASKS not in shown
    assert "The page of the chat of 20 February 2026 has not come yet." in shown
    # once another chat is begun, that one comes first, and the screen says so
    reel("start").ok()
    shown = end(reel)
    assert "The page of the chat of 20 February 2026 has not come yet." in shown
    assert shown.index("If you had a chat since, give that one first.") < shown.index(ASKS)
    assert "e: go on with the page of the chat of 20 February 2026." in shown
    assert step(reel) == "reel end"


def test_an_end_without_a_chat_names_the_page_that_is_due(reel: Reel, kit: Path) -> None:
    record(reel)
    give(reel, page()).ok()
    reel("record", "-", stdin=evening(1, "harbour")).ok()
    give(reel, page({"Lines to find it by": '"harbour 1, and harbour again"'})).ok()
    reel("record", "-", stdin=chat(*more(4))).ok()
    assert step(reel) == f"reel consolidate {TODAY}"
    shown = end(reel)
    assert "Nothing was recorded." in shown
    assert shown.splitlines()[-1] == f"Next:  reel consolidate {TODAY}"


def test_a_page_is_done_without_after_a_question_and_can_come_all_the_same(reel: Reel, kit: Path) -> None:
    record(reel)
    shown = end(reel, "d\n\nq\n")
    assert f"Do without a page of the chat of {DAY}? The chat itself stays. [y/N]" in shown
    assert "The prompt is kept." in shown
    run = reel("end", stdin="d\ny\n", tty=True).ok()
    assert f"No page of the chat of {DAY} is asked for any more; every word of the chat stays." in run.out
    assert f"reel consolidate {TODAY}" in run.err
    give(reel, page(), "--session", TODAY)
    assert list((kit / "ring3").glob("M-*.md"))
    assert json.loads(reel("status", "--due", "--json").out)["due"] == []


def test_a_page_that_is_given_twice_is_told_as_kept(reel: Reel, kit: Path) -> None:
    record(reel)
    give(reel, page()).ok()
    again = give(reel, page())
    assert again.code == 1
    assert f"No chat waits for a page. That of the chat of {DAY} was kept on 1 March 2026." in again.err
    assert "Hint: if this is another chat's, record that first:  reel record FILE" in again.err
    named = give(reel, page(), "--session", TODAY)
    assert "That page is in the kit already" in named.err
    assert "Hint:" not in named.err
    reel("record", "-", "--on", "2026-02-20", stdin="Bo: It rains in Molde.\n\nAda: Then stay in.\n").ok()
    named = give(reel, page(), "--session", TODAY)
    assert "That page is in the kit already" in named.err
    assert "another chat" not in named.err
    assert "Hint:" not in named.err


def test_parts_that_came_are_dropped_with_a_key_or_a_command_and_lie_in_a_file(reel: Reel, kit: Path) -> None:
    record(reel)
    give(reel, HALF)
    shown = end(reel, "d\nback\nd\nanew\nq\n")
    assert shown.count("10 of 15 parts of the page of the chat of") == 2
    assert "What came of the page is dropped." in shown
    (kept,) = (kit / ".reel/state/refused").iterdir()
    assert "The letter that wasn't hers" in kept.read_text()
    assert f"chat {TODAY} has no page yet" in page_due(reel)
    give(reel, HALF)
    asked = reel("checkpoint", "--anew", "--prompt").ok().out
    assert all(f"## {label}" in asked for label in ("What happened", "Am I still myself"))
    assert f"chat {TODAY} has no page yet" in page_due(reel)


@pytest.mark.parametrize("word", ["n", "no", "NO"])
def test_a_no_drops_nothing_of_what_came_of_a_page(reel: Reel, kit: Path, word: str) -> None:
    record(reel)
    give(reel, HALF)
    shown = end(reel, f"d\n{word}\nq\n")
    assert "Drop them?" in shown
    assert "The prompt is kept." in shown
    assert ("is dropped" in shown, "I did not understand" in shown) == (False, False)
    assert "Part of the page of the chat of 25 February 2026 came, 10 of 15 parts." in end(reel)


def test_the_short_page_of_a_chat_whose_memory_is_made_is_no_dead_end(reel: Reel, kit: Path) -> None:
    record(reel)
    give(reel, HALF)
    consolidate(reel)
    run = reel("checkpoint", "--brief").ok()
    assert f"The memory of the chat of {DAY} is made already, so that is enough." in run.err
    assert "nothing to shorten" not in run.err


def test_consolidate_says_which_chat_it_is_about_and_that_any_model_will_do(reel: Reel, kit: Path) -> None:
    record(reel)
    shown = reel("consolidate", stdin="q\n", tty=True).ok().err
    assert shown.startswith(
        f"This makes the memory of the chat of {DAY}. The prompt has what was said, so any chat\n"
        "with any model will do.\n"
    )
    assert "This makes" not in reel("consolidate", "--prompt").ok().err


def test_a_lost_tape_is_told_before_it_is_said_that_there_is_no_chat(reel: Reel, kit: Path) -> None:
    record(reel)
    shutil.rmtree(kit / "tape")
    shown = reel().ok().out
    assert "No chat is recorded yet" not in shown
    assert "missing" in shown.splitlines()[1]
    (kit / "tape").mkdir()


def test_redo_lets_a_chat_that_was_taken_back_count_again(reel: Reel, kit: Path) -> None:
    record(reel)
    reel("tape", "retract", TODAY, "--yes").ok()
    assert "The chat counts again." in str(reel("redo", "--yes").ok())


def test_a_text_is_edited_by_the_words_of_its_title_and_the_notes_by_their_name(
    reel: Reel, kit: Path
) -> None:
    record(reel)
    give(reel, page()).ok()
    shown = reel("edit", "The", "letter", "that", "wasn't", "hers").ok().out
    assert shown.strip().endswith("ring3/M-001.md")
    assert reel("edit", "notes").ok().out.strip().endswith("ring2/working.md")
