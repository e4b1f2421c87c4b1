"""A step that the program tells one to take works as it is printed."""

import pytest

from tests.support.hints import HOLE, commands_in, problem_of, read_hints

NO_STEPS = {("features/shelf/plan_add.py", "reel shelf add")}
"""Texts that are a command's name and tell nobody to type it: what a file of the shelf says made it."""


@pytest.mark.needs
def test_every_command_that_the_program_s_texts_set_off_can_be_typed_as_it_stands() -> None:
    wrong = [
        f"{hint.place}: {hint.command.replace(HOLE, '…')}: {problem}"
        for hint in read_hints()
        if (hint.place.partition(":")[0], hint.command) not in NO_STEPS
        and (problem := problem_of(hint.command))
    ]
    assert wrong == []


def test_the_look_at_hints_knows_a_wrong_one() -> None:
    assert len(read_hints()) > 500
    assert commands_in("see it:  reel memory show M-1  or  reel tape list") == [
        "reel memory show M-1",
        "reel tape list",
    ]
    assert commands_in("Next:  cd 'my kit' && reel start") == ["cd 'my kit' && reel start"]
    assert commands_in("Decide in reel review, reel has a bug") == []
    for right in (
        "reel memory show M-1",
        f"reel recall {HOLE} --copy",
        "reel record FILE",
        "cd x && reel end",
    ):
        assert problem_of(right) is None
    for wrong in (
        *("reel memory show", "reel memory shw M-1", "reel start --colour red", "reel log , then"),
        *("reel tape show 'unclosed", "reel dream next, or", "reel restore M-1 --level L9"),
    ):
        assert problem_of(wrong)
