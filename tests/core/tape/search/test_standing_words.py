"""Words of a person that hold always are kept for the requests that they bear on."""

import pytest

from reel_cli.core.tape.search.standing_words import find_standing


@pytest.mark.parametrize(
    "said",
    [
        "Always answer in metric",
        "Please always write in British English",
        "Never speak in riddles",
        "From now on, reply in French",
    ],
)
def test_a_way_to_answer_holds_always(said: str) -> None:
    assert find_standing(f"{said}. The shelf is up.") == [f"{said}."]


@pytest.mark.parametrize("said", ["Always call in the morning.", "Never give in to them.", "Always show up."])
def test_advice_for_life_does_not(said: str) -> None:
    assert find_standing(said) == []


def test_each_sentence_of_a_turn_that_holds_always_is_found() -> None:
    said = "Call me Vi. Never use emoji, please. It rained. ((ooc: fine.))\nFrom now on, answer in metric!"
    assert find_standing(said) == [
        "Call me Vi.",
        "Never use emoji, please.",
        "From now on, answer in metric!",
    ]
    assert find_standing("((always answer in two lines))") == ["always answer in two lines"]
