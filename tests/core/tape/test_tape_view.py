"""Views of the tape: the words by which a chat without a title is called."""

import pytest

from reel_cli.core.tape.tape_view import OPENING, opening_of


@pytest.mark.parametrize(
    ("said", "called"),
    [
        ("Did the ferry come?", "Did the ferry come?"),
        (
            "I painted the boat bottle green, with two white stripes.",
            "I painted the boat bottle green, with…",
        ),
        ("If anything happens, ring my sister: 0171 2345678.", "If anything happens, ring my sister…"),
        ("昨日の夜は" * 12, "昨日の夜は" * 7 + "昨日の夜…"),
        ("See https://example.org/a/very/long/address/of/a/page", "See https://example.org/a/very/long/add…"),
    ],
)
def test_a_chat_is_called_by_its_first_words_cut_between_two(said: str, called: str) -> None:
    assert opening_of(said) == called
    assert len(called) <= OPENING
