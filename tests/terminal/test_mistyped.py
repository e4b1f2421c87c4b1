"""Commands that there are none of: the one that is meant is named, whatever was mistyped."""

import pytest

from reel_cli.features.table import COMMANDS
from reel_cli.terminal.mistyped import unknown_command

FACT = ("list", "add", "drop", "extract", "history")


@pytest.mark.parametrize(
    ("typed", "rest", "meant"),
    [
        (["ed"], ["identity"], "reel edit identity"),
        (["undoo"], [], "reel undo"),
        (["find"], ["poems"], "reel recall"),
        (["serach"], ["poems"], "reel search poems"),
        (["note"], [], "reel edit now"),
        (["ex"], [], ""),
        (["xyzzy"], [], ""),
    ],
)
def test_the_command_that_is_meant_is_named(typed: list[str], rest: list[str], meant: str) -> None:
    told = str(unknown_command(typed, list(COMMANDS), rest))
    assert told == f'No command "{typed[0]}".' + (f" Did you mean: {meant}" if meant else "")


@pytest.mark.needs("facts")
def test_a_word_of_a_group_leads_to_the_command_for_it() -> None:
    assert "reel fact drop KEY" in str(unknown_command(["fact", "forget"], FACT))
    assert "reel fact list" in str(unknown_command(["fact", "show"], FACT))
    assert "reel fact history" in str(unknown_command(["fact", "hist"], FACT))
