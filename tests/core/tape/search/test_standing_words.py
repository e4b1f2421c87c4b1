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
    assert find_standing(f"{said}. The shelf is up.") == f"{said}."


@pytest.mark.parametrize("said", ["Always call in the morning.", "Never give in to them.", "Always show up."])
def test_advice_for_life_does_not(said: str) -> None:
    assert find_standing(said) == ""
