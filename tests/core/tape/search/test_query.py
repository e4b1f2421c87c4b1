"""A question taken apart."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.forms import STOP, things
from reel_cli.core.tape.search.query import MOST_WORDS, Sought, name_words, parse_question
from reel_cli.core.values.search import Question

PEOPLE = name_words([("user", "Bo Lind"), ("assistant", "Ada")])


def take_apart(text: str) -> Sought:
    return parse_question(Question(text), PEOPLE)


def asked(text: str) -> list[str]:
    return [term.word for term in take_apart(text).terms if not term.kind]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What did Ada say about the quince tree?", ["say", "quince", "tree"]),
        ("where is it?", ["where", "is", "it"]),
        ("Ada?", ["ada"]),
        ("tea tea TEA", ["tea"]),
        ("京都 tea", ["tea", "京都"]),
        ("?!", []),
        ("what was the dog called", ["dog"]),
        ("What's the name of the dog?", ["dog"]),
        ("so what is the ferry's name", ["ferry"]),
        ("what did they call the boat?", ["boat"]),
        ("who called the last chapter", ["called", "last", "chapter"]),
        ("what did she call about", ["call"]),
        ("what was it called", ["called"]),
    ],
)
def test_what_is_looked_for_is_what_is_asked_not_how(text: str, words: list[str]) -> None:
    assert asked(text) == words


def test_neighbouring_words_are_a_phrase_and_kinds_bring_their_members() -> None:
    extra = {term.word: term for term in take_apart("Which pets chased the blue kettle?").terms if term.kind}
    assert set(extra) == {"~pets", "pets chased", "blue kettle"}
    assert "dog" in extra["~pets"].forms
    assert extra["blue kettle"].match == '"blue kettle"'
    assert all(term.weight < 1 for term in extra.values())


@pytest.mark.parametrize("word", ["pet", "pets", "countries", "hobby", "instruments"])
def test_a_kind_is_known_in_the_plural_too(word: str) -> None:
    assert things(word)


@pytest.mark.parametrize("word", ["quince", "kettle", "", "ad" * 40])
def test_most_words_are_no_kind(word: str) -> None:
    assert things(word) == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did Ada plant?", {"assistant"}),
        ("Where has bo been", {"user"}),
        ("Did Bo tell Ada?", {"user", "assistant"}),
        ("What did I plant?", set()),
    ],
)
def test_who_is_named_is_known_by_role(text: str, named: set[str]) -> None:
    assert take_apart(text).named == named


def test_several_of_one_role_are_told_apart_by_name() -> None:
    people = name_words([("assistant", "Ada"), ("assistant", "Cy Blue"), ("user", "Bo")])
    assert people["ada"] == {"ada"}
    assert people["cy"] == people["blue"] == {"cy blue"}
    assert people["bo"] == {"user"}


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("What happened in May 2023?", ("2023-05",)),
        ("on 7 June, 2022 or Dec 3rd, 2021", ("2022-06", "2021-12")),
        ("back in September", ("-09",)),
        ("it may march on, in 2023", ()),
        ("in 2023", ()),
        ("May I ask what happened? March on!", ()),
        ("the 3rd of March and May 7", ("-03", "-05")),
    ],
)
def test_a_month_is_one_where_it_is_written_as_one(text: str, months: tuple[str, ...]) -> None:
    assert take_apart(text).months == months


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What happened on 7 May 2023?", ("2023-05-07",)),
        ("on May 7th, or the 12th of March", ("-05-07", "-03-12")),
        ("on 2026-02-10", ("2026-02-10",)),
        ("in May 2023", ()),
        ("7 kettles in May", ()),
    ],
)
def test_a_day_is_one_where_its_month_stands_beside_it(text: str, days: tuple[str, ...]) -> None:
    assert take_apart(text).days == days


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("What did we talk about on 12 May?", True),
        ("What happened in May 2023?", True),
        ("what happened in november?", True),
        ("what happened in may", False),
        ("What did Bo say on 2026-02-10?", True),
        ("What did Bo say about the ferry on 12 May?", False),
        ("What did we talk about?", False),
    ],
)
def test_a_day_may_be_all_that_is_asked_for(text: str, only: bool) -> None:  # noqa: FBT001
    assert take_apart(text).only_dated is only


@pytest.mark.parametrize(
    ("text", "proper"),
    [
        ("Did we go to Paris?", {"paris"}),
        ("Paris was fine. London too", set()),
        ("the 14 kettles", {"14"}),
    ],
)
def test_names_and_numbers_are_marked(text: str, proper: set[str]) -> None:
    assert {term.word for term in take_apart(text).terms if term.proper} == proper


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_every_form_is_quoted_and_nothing_is_looked_for_twice(text: str) -> None:
    sought = take_apart(text)
    assert len({term.word for term in sought.terms}) == len(sought.terms)
    for term in sought.terms:
        # particles may follow a Korean word
        ends = [" *" if any("\uac00" <= one <= "\ud7a3" for one in form) else "" for form in term.forms]
        quoted = (f'"{form}"{end}' for form, end in zip(term.forms, ends, strict=True))
        assert term.match == " OR ".join(quoted)
        assert not any('"' in form for form in term.forms)


def test_a_question_of_any_length_is_taken_apart_at_once() -> None:
    sought = take_apart(" ".join(f"word{n}" for n in range(60_000)))
    assert len([term for term in sought.terms if not term.kind]) == MOST_WORDS
    assert [term.word for term in take_apart("x" * 1_000_000).terms] == ["x" * 200_000]


def test_words_that_say_how_something_is_asked_are_lower_case() -> None:
    assert all(word == word.lower() for word in STOP)


def test_the_words_of_a_question_all_weigh_the_same() -> None:
    weights = {
        term.word: term.weight for term in take_apart("What did we say today about the sourdough").terms
    }
    assert weights["today"] == weights["sourdough"] == 1.0


def test_in_a_long_message_a_word_weighs_less_the_commoner_it_is_anywhere() -> None:
    sought = take_apart(
        "Good evening, everything went really well today, my neighbour brought soup and a sourdough,"
        " Kyle was happy, so shall we continue with number 7?"
    )
    weights = {term.word: term.weight for term in sought.terms}
    assert sought.talking == 1.0
    assert 0 < weights["today"] < weights["neighbour"] < weights["sourdough"]
    # a name or a number was chosen
    assert weights["kyle"] == weights["7"] == 1.0


def test_from_a_question_to_a_message_is_no_leap() -> None:
    words = "kettle copper pantry whistle garden ladder window bottle market basket harbour island boat"
    talking = [take_apart(" ".join(words.split()[:n])).talking for n in range(1, 13)]
    assert talking[7] == 0.0
    assert talking[11] == 1.0
    assert max(b - a for a, b in pairwise(talking)) <= 0.25
