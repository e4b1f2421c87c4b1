"""A command of reel's typed where reel waits for an answer."""

from pathlib import Path

import pytest

from reel_cli.core.values.settings import is_hardly_name
from reel_cli.terminal.console import is_command, tell_unknown
from tests.support.cli import Reel
from tests.support.pages import chat, page


@pytest.mark.parametrize("line", ["reel undo", "reel end '../chats/nova evening 1.txt'", "$ reel start"])
def test_a_command_is_no_answer(line: str) -> None:
    assert is_command(line)
    assert "was not run" in tell_unknown(line)


@pytest.mark.parametrize("line", ["reel", "the reel broke", "reel it in,\nshe said", "y"])
def test_other_words_are_no_command(line: str) -> None:
    assert not is_command(line)


@pytest.mark.parametrize("line", ["reel undo", f"reel end '../chats/{'a very long name ' * 6}.txt'"])
def test_at_the_page_it_says_where_one_is(reel: Reel, kit: Path, line: str) -> None:
    reel.given("record", "-", stdin=chat())
    told = reel("end", tty=True, stdin=f"{line}\nq\n").err
    assert "so this was not run (q goes back to the shell)" in told
    assert "That is no page" not in told


@pytest.mark.usefixtures("kit")
def test_where_a_chat_is_asked_for_it_is_no_file(reel: Reel) -> None:
    told = reel("end", tty=True, stdin="reel undo\ny\nq\n").err
    assert "(q goes back to the shell): “reel undo”" in told
    assert told.count("q: later") == 2


@pytest.mark.parametrize("name", ["clear; reel strat", "reel edit identity", "cd ada", "ls"])
def test_a_command_is_hardly_a_name(name: str) -> None:
    assert is_hardly_name(name)


@pytest.mark.parametrize("name", ["Ada", "Reeler", "Claire", "Mary Ann", "Reelin Jones"])
def test_a_name_is_one(name: str) -> None:
    assert not is_hardly_name(name)


def test_the_same_page_for_another_chat_is_worth_a_look(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    other = kit.parent / "other.txt"
    other.write_text("Bo: the bees are back.\n\nAda: So it is spring.\n")
    reel("record", other, env={"REEL_NOW": "2026-02-27T22:00:00+01:00"}).ok()
    told = reel("checkpoint", "--reply", "-", "--yes", stdin=page())
    assert "kept already" in told.err
