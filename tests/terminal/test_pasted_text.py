"""A text that is pasted where a key or a name is asked for: taken whole, or refused whole, never run."""

import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.terminal.input.given_text import find_typed, read_given
from tests.support.cli import Reel, git
from tests.support.pages import chat, page
from tests.support.terminal_session import Screen

CHAT = (
    "You: I found the brass kettle in the cellar, under the blue tarpaulin.\n"
    f"Ada: {'The one your aunt swore was stolen by the sweep? ' * 110}\n"
    "You: That one.\n"
)
"""A chat with a line longer than a terminal hands over by itself."""
NOTHING = "b''"
MARKED = pytest.mark.parametrize("marked", [True, False], ids=["marked as pasted", "not marked"])


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


def test_a_terminal_that_knows_no_sequences_gets_none(reel: Reel, kit: Path) -> None:
    """They were shown at every question, or a screen reader read them aloud."""
    with Screen(["end"], kit, env={"TERM": "dumb"}) as screen:
        shown = screen.until("\n> ")
        screen.paste(CHAT, marked=False)
        shown += screen.until("[3 lines pasted; press Enter]")
        screen.type("")
        shown += screen.until("Recorded the pasted chat")
        screen.press("\x03")
    assert "\x1b" not in f"{shown}{screen.shown}"


@MARKED
def test_a_chat_pasted_where_its_file_is_asked_for(reel: Reel, kit: Path, *, marked: bool) -> None:
    with Screen(["end"], kit) as screen:
        screen.asked("p: paste it here. q: later.\n> ")
        screen.paste(CHAT, marked=marked)
        screen.until("[3 lines pasted; press Enter]")
        screen.type("")
        screen.until("Recorded the pasted chat")
        screen.asked()
        screen.type("q")
        assert screen.left_for_shell() == NOTHING
    (session,) = (kit / "tape").rglob("*-1.md")
    assert CHAT.split("\n")[1].removeprefix("Ada: ").strip() in session.read_text()


def test_a_text_with_windows_line_ends_is_told_with_its_own_number_of_lines(reel: Reel, kit: Path) -> None:
    with Screen(["end"], kit) as screen:
        screen.asked("p: paste it here. q: later.\n> ")
        # a terminal sends CR for the CR and for the LF of each line end
        screen.paste(CHAT.replace("\n", "\r\n"))
        screen.until("[3 lines pasted; press Enter]")
        screen.type("")
        screen.until("Recorded the pasted chat")
        screen.asked()
        screen.type("q")
    (session,) = (kit / "tape").rglob("*-1.md")
    assert CHAT.split("\n")[1].removeprefix("Ada: ").strip() in session.read_text()


def test_a_long_line_where_a_file_is_asked_for_is_refused_and_nothing_of_it_is_run(
    reel: Reel, kit: Path
) -> None:
    with Screen(["end"], kit) as screen:
        screen.asked()
        screen.paste("touch owned " * 40)
        screen.until("[480 characters pasted; press Enter]")
        screen.type("")
        screen.until("There is no file touch owned")
        screen.asked()
        screen.type("q")
        assert screen.left_for_shell() == NOTHING
    assert not (kit / "owned").exists()


def test_a_name_that_comes_together_with_its_enter_is_an_answer(reel: Reel, kit: Path) -> None:
    (kit.parent / "tonight.txt").write_text(CHAT)
    with Screen(["end"], kit) as screen:
        screen.asked()
        screen.type("../tonight.txt")
        screen.until("Recorded")
        screen.asked()
        screen.type("q")
        assert screen.left_for_shell() == NOTHING


@MARKED
def test_a_page_pasted_where_reel_waits_for_it_is_taken(reel: Reel, told: Path, *, marked: bool) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.paste(page(), marked=marked)
        screen.until(" lines pasted; press Enter]")
        screen.type("")
        screen.asked("/e/n] ")
        screen.type("y")
        screen.until("Kept.")
        assert screen.left_for_shell() == NOTHING
    assert "The letter that wasn't hers" in (told / "ring3/M-001.md").read_text()


@MARKED
def test_a_text_pasted_at_a_question_of_one_key(reel: Reel, told: Path, *, marked: bool) -> None:
    head = git(told, "rev-parse", "HEAD")
    (told.parent / "p.txt").write_text(page())
    with Screen(["checkpoint", "--reply", str(told.parent / "p.txt")], told) as screen:
        screen.asked("/e/n] ")
        screen.paste(f"\n\n{page()}", marked=marked)
        screen.until(" lines pasted; press Enter]")
        screen.type("")
        screen.until("lines were not taken.\n")
        screen.asked("/e/n] ")
        screen.type("n")
        assert screen.left_for_shell() == NOTHING
    assert git(told, "rev-parse", "HEAD") == head


def test_a_paste_is_taken_away_with_one_backspace_and_short_ones_are_typed(reel: Reel, told: Path) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.paste("a page\nof another evening\n")
        screen.press("\x7f")
        screen.paste("q")
        screen.type("")
        screen.until("The prompt is kept.")
        assert screen.left_for_shell() == NOTHING


EARLY = "What you typed before this question was not taken."


def test_keys_typed_before_they_are_asked_for_answer_nothing(reel: Reel, told: Path) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.press("x\rq\r")
        screen.until("I did not understand “x”.")
        screen.until(EARLY)
        screen.asked()
        screen.type("q")
        screen.until("The prompt is kept.")
        assert screen.left_for_shell() == NOTHING


def test_a_key_just_before_a_paste_answers_and_the_paste_does_not_answer_the_next_question(
    reel: Reel, told: Path
) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        lines = page().replace("\n", "\r")
        screen.press(f"x\r\x1b[200~{lines}\x1b[201~")
        screen.until("I did not understand “x”.")
        screen.until(EARLY)
        screen.asked()
        screen.paste(page())
        screen.until(" lines pasted; press Enter]")
        screen.type("")
        screen.asked("/e/n] ")
        screen.type("n")
        assert screen.left_for_shell() == NOTHING


@pytest.mark.parametrize("early", ["cd ilse\r", "cd il", "y\rn\rcd ilse\r"])
def test_a_line_typed_while_a_command_begins_is_no_name(reel: Reel, tmp_path: Path, early: str) -> None:
    with Screen(["init", "vera", "--template", "companion"], tmp_path) as screen:
        screen.press(early)
        screen.until(EARLY)
        screen.asked("] ")
        screen.type("Vera")
        screen.asked("call you? [Bo] ")
        screen.type("")
        screen.until("Made vera")
    assert "name: Vera\n" in (tmp_path / "vera/kit.yaml").read_text()


def test_what_was_typed_before_an_editor_opens_does_not_reach_it(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    got = tmp_path / "got"
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\ntimeout 0.3 cat > {got}\n")
    editor.chmod(0o700)
    with Screen(["edit", "now"], kit, {"VISUAL": str(editor)}) as screen:
        screen.press("dd:wq\r")
        screen.until("What you typed before the editor opened was not taken.")
        assert screen.left_for_shell() == NOTHING
    assert got.read_text() == ""


@MARKED
def test_a_second_enter_after_a_paste_keeps_nothing_unread(reel: Reel, told: Path, *, marked: bool) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.paste(page(), marked=marked)
        screen.until(" lines pasted; press Enter]")
        screen.press("\r\r\r")
        screen.asked("/e/n] ")
        time.sleep(0.5)
        screen.type("n")
        assert "Kept" not in screen.until("[0]")
    assert not (told / "ring3/M-001.md").exists()


def test_ctrl_c_in_a_paste_leaves_none_of_it_to_the_shell(reel: Reel, told: Path) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.press("\x03")
        screen.press("touch owned\r" * 2000)
        screen.until("Stopped. Nothing was changed.")
        screen.until("[130]")
        assert screen.left_for_shell() == NOTHING


def _go_on_after(screen: Screen, what: str) -> Sequence[str]:
    """Stop before Enter; return the words of the command that goes on."""
    screen.press("\x03")
    screen.until(f"{what} is not lost. To go on with it:")
    told = screen.until("[130]").removesuffix("[130]")
    assert screen.left_for_shell() == NOTHING
    return told.split()[1:]


@MARKED
@pytest.mark.parametrize("short", [False, True], ids=["a whole page", "a short page"])
def test_a_page_pasted_and_not_sent_is_kept_where_ctrl_c_stops_it(
    reel: Reel, told: Path, *, marked: bool, short: bool
) -> None:
    with Screen(["checkpoint", *(["--brief"] if short else [])], told) as screen:
        screen.asked()
        screen.paste(page(), marked=marked)
        screen.until(" lines pasted; press Enter]")
        command = _go_on_after(screen, "The page")
    assert "The letter that wasn't hers" in (told / command[-1]).read_text()
    reel(*command, "--yes").ok()
    assert "The letter that wasn't hers" in (told / "ring3/M-001.md").read_text()


def test_a_page_whose_paste_has_not_ended_is_kept_as_far_as_it_came(reel: Reel, told: Path) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        lines = page().replace("\n", "\r")
        screen.press(f"\x1b[200~{lines}")
        time.sleep(0.5)
        command = _go_on_after(screen, "The page")
    assert "The letter that wasn't hers" in (told / command[-1]).read_text()


def test_a_chat_pasted_and_not_sent_is_kept_where_ctrl_c_stops_it(reel: Reel, kit: Path) -> None:
    with Screen(["end"], kit) as screen:
        screen.asked("p: paste it here. q: later.\n> ")
        screen.paste(CHAT)
        screen.until("[3 lines pasted; press Enter]")
        command = _go_on_after(screen, "The chat")
    reel(*command, stdin="").ok()
    (session,) = (kit / "tape").rglob("*-1.md")
    assert CHAT.split("\n")[1].removeprefix("Ada: ").strip() in session.read_text()


def test_p_says_how_a_pasted_chat_ends_and_ctrl_c_keeps_it(reel: Reel, kit: Path) -> None:
    with Screen(["end"], kit) as screen:
        screen.asked("p: paste it here. q: later.\n> ")
        screen.type("p")
        screen.until("Paste the whole chat now, and press Enter.")
        screen.asked()
        screen.paste(CHAT)
        screen.until("[3 lines pasted; press Enter]")
        command = _go_on_after(screen, "The chat")
    assert (kit / command[-1]).read_text().startswith("You: I found the brass kettle")
    with Screen(["end"], kit) as screen:
        screen.asked()
        screen.type("p")
        screen.asked()
        screen.paste(CHAT)
        screen.until("[3 lines pasted; press Enter]")
        screen.type("")
        screen.until("Recorded the pasted chat")
        screen.asked()
        screen.type("q")


@pytest.mark.parametrize("command", ["end -", "record -", "checkpoint --reply -"])
def test_a_text_that_ctrl_c_stops_on_standard_input_is_kept(reel: Reel, told: Path, command: str) -> None:
    with Screen([*command.split()], told) as screen:
        screen.until("Paste or type the text, press Enter, then Ctrl-D.\n")
        screen.press(CHAT.partition("Ada:")[0])
        time.sleep(0.5)
        screen.press("\x03")
        shown = screen.until("[130]")
    assert "What came is kept. To read it:  more" in shown
    (kept,) = (told / ".reel/state/refused").iterdir()
    assert "brass kettle" in kept.read_text()


def test_a_key_that_ctrl_c_stops_before_its_enter_is_no_page(reel: Reel, told: Path) -> None:
    with Screen(["checkpoint"], told) as screen:
        screen.asked()
        screen.paste("q")
        screen.press("\x03")
        assert "is not lost" not in screen.until("[130]")
    assert not (told / ".reel/state/refused").exists()


def test_an_error_leaves_nothing_that_was_pasted_to_the_shell(reel: Reel, kit: Path) -> None:
    with Screen(["record", "no such file"], kit) as screen:
        screen.press("touch owned\r" * 20)
        screen.until("There is no file no such file.")
        screen.until("[1]")
        assert screen.left_for_shell() == NOTHING


def test_the_mark_of_ctrl_d_does_not_stand_before_what_is_said_next(reel: Reel, kit: Path) -> None:
    with Screen(["record", "-"], kit) as screen:
        screen.until("Paste or type the text, press Enter, then Ctrl-D.\n")
        screen.press("You: Good evening.\nAda: Good evening.\n\x04")
        shown = screen.until("Recorded")
        assert "^DRecorded" not in shown
        assert shown.endswith("\r  \rRecorded")


@pytest.mark.parametrize("name", ["w" * 300, "w/" * 5000, "a\0b", "~nobody-here/x", "a\nb"])
def test_no_text_that_is_no_name_raises_an_error(name: str) -> None:
    assert find_typed(name) is None


@pytest.mark.parametrize("name", ["w" * 900, "a\0b"])
def test_a_text_in_place_of_a_name_is_told_as_no_file(reel: Reel, told: Path, name: str) -> None:
    for command in (("end", name), ("checkpoint", "--reply", name)):
        run = reel(*command)
        assert (run.code, "There is no file" in run.err, "w" * 201 in run.err) == (1, True, False), run.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the owner of everything may look everywhere")
def test_a_folder_that_may_not_be_looked_into_is_no_error(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        assert find_typed(str(closed / "x")) is None
        with pytest.raises(Exception, match="cannot be read: Permission denied"):
            read_given(str(closed / "x"))
    finally:
        closed.chmod(stat.S_IRWXU)
