"""The other forms of a word, which the stemmer does not know."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.forms import bases, forms


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("go", "went"),
        ("went", "gone"),
        ("buying", "bought"),
        ("teaches", "taught"),
        ("married", "marriage"),
        ("marriage", "marry"),
        ("carry", "carriage"),
        ("decision", "decide"),
        ("decided", "decision"),
        ("describe", "description"),
        ("identify", "identification"),
        ("colours", "color"),
        ("organize", "organise"),
        ("biologist", "biology"),
        ("photography", "photograph"),
        ("friendship", "friend"),
        ("happiness", "happy"),
        ("deaths", "die"),
        ("children", "kid"),
        ("mothers", "mum"),
        ("wolves", "wolf"),
        ("three", "3"),
        ("2nd", "two"),
        ("tuesdays", "tue"),
        ("stories", "story"),
        ("donkey", "mule"),
    ],
)
def test_a_word_stands_for_its_other_forms(asked: str, said: str) -> None:
    assert said in {asked, *forms(asked), *bases(asked)}


@pytest.mark.parametrize(
    ("asked", "other"),
    [("ice", "ise"), ("sat", "saturday"), ("sun", "sunday"), ("only", "on"), ("tree", "ter")],
)
def test_a_word_does_not_stand_for_what_merely_looks_like_it(asked: str, other: str) -> None:
    assert other not in forms(asked)


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=60))
def test_a_word_is_the_first_of_its_forms_and_none_is_empty_or_twice_there(word: str) -> None:
    made = forms(word)
    assert made[0] == word
    assert all(made)
    assert len(set(made)) == len(made)
    assert len(made) < 40


def test_a_word_of_any_length_costs_nothing() -> None:
    assert forms("ing" * 70_000) == ("ing" * 70_000,)
