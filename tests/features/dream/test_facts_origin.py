"""Facts parted by where they come from: what is a person's stays letter for letter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.earlier_story import part_facts, together
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts, parse_facts

DREAMT = "- category: craft\n  key: glaze\n  value: celadon\n  origin: dream\n"
MINE = "# from the doctor\n# in May\n- key: bread\n  value: no rye\n  note: ask him\n"


def test_what_has_no_origin_or_another_is_the_persons_comments_and_all() -> None:
    other = "- key: tea\n  value: black\n  origin: person\n"
    head = "# what we know\n\n"
    parted = part_facts(head + DREAMT + MINE + DREAMT + other)
    assert parted == (head + MINE + other, DREAMT + DREAMT, 2)


def test_an_origin_inside_a_text_is_none() -> None:
    text = "- key: bread\n  value: |\n    rye\n    origin: dream\n"
    assert part_facts(text) == (text, "", 0)


@pytest.mark.parametrize("text", ["", "[]\n", "# nothing yet\n", "[{key: a, value: b, origin: dream}]\n"])
def test_what_is_laid_out_otherwise_is_left_whole(text: str) -> None:
    assert part_facts(text) == (text, "", 0)


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(ReelError):
        part_facts("key: bread\n")


_WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(Fact, _WORDS, _WORDS, _WORDS, origin=st.sampled_from(["dream", "person"]))))
def test_nothing_goes_and_nothing_stands_twice(facts: list[Fact]) -> None:
    text = add_facts("", facts)
    parted = part_facts(text)
    assert parse_facts(parted.kept) == [fact for fact in facts if fact.origin != "dream"]
    assert parse_facts(parted.noted) == [fact for fact in facts if fact.origin == "dream"]
    assert sorted(together(parted.noted, parted.kept).splitlines()) == sorted(text.splitlines())
