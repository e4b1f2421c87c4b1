"""Things in a turn that may be worth remembering: found where they are, and nothing elsewhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.intake.detection import LOOKED_AT, MOST, notice, weight_of
from reel_cli.features.intake.entry import LONGEST


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("My name is Marta Lind.", "something about who they are"),
        ("My sister Ines called.", "something about who they are"),
        ("I’m 52, since you ask.", "something about who they are"),
        ("I’m allergic to penicillin.", "something about health or limits"),
        ("I can't eat nuts, ever.", "something about health or limits"),
        ("I promise I'll be there.", "a promise"),
        ("I'll call her tomorrow.", "a promise"),
        ("The surgery is on May 14.", "an appointment"),
        ("Dentist at 3 pm.", "an appointment"),
        ("The check-up is on 2 February.", "an appointment"),
        ("It is a check-up on 2 Feb about my blood pressure.", "something about health or limits"),
        ("The party was moved to Friday.", "an appointment"),
        ("Please remember: never show me the ending.", "asked to be remembered"),
        ("Please remember never to call her that.", "asked to be remembered"),
        ("Ines is pregnant.", "something that happened in their life"),
        ("My dad has a meeting next week.", "an appointment"),
        ("No, I said Thursday.", "a correction"),
        ("Actually, it's the left knee.", "a correction"),
        ("I never said Tuesday.", "a correction"),
        ("I'll tell you tomorrow.", "a promise"),
        ("That's not what I meant.", "a correction"),
        ("Please remember that she hates coffee.", "asked to be remembered"),
        ("Keep in mind I leave early.", "asked to be remembered"),
        ("I've decided to quit.", "a decision"),
        ("My grandma passed away.", "something that happened in their life"),
        ("I am so scared of it.", "a strong feeling"),
        ("I hate my job so much, I am completely desperate.", "a strong feeling"),
        ("I'm in utter despair over it.", "a strong feeling"),
        ("My favourite tea is rooibos.", "a habit or a taste"),
    ],
)
def test_what_may_matter(said: str, why: str) -> None:
    assert [(one.words, one.why) for one in notice(f"Well. {said} Anyway!")] == [(said, why)]
    assert weight_of(why) > 0


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Good morning! How are you today?",
        "Do you remember that evening in Rome?",
        "I'll never forget it, and I remember her well.",
        "I'm 100% behind you. Me too!",
        "I'm completely desperate for coffee.",
        "No, I haven't. No, it's just… No, not really. Actually, that's so nice.",
        "What did you promise her? Will I call her tomorrow?",
        "> I promise I'll call.",
        "```\nmy name is Marta\n```",
        "His birthday was on Tuesday. The interview went well on Monday.",
        "My friend is so kind. We met on Friday.",
        # an idiom is no promise, and what corrects nothing no correction
        "And I'll tell you, it's been no picnic. I'll tell you what, it's late.",
        "It's gorgeous out, actually, it's been like that all week.",
        "We were all thinking of it. I never said. I didn't say anything.",
    ],
)
def test_small_talk_goes_by(said: str) -> None:
    assert list(notice(said)) == []


def test_of_the_persona_s_words_only_promises() -> None:
    assert [one.why for one in notice("My name is Ada. I promise. I am so scared.", own=True)] == [
        "a promise"
    ]


def test_the_weightiest_two_in_the_order_they_were_said() -> None:
    said = "I prefer tea. I promise to call. I quit. I'm allergic to nuts."
    assert [one.words for one in notice(said)] == ["I promise to call.", "I'm allergic to nuts."]


def test_a_bare_promise_is_of_the_sentence_before_it() -> None:
    said = "Nobody has the recipe written. I'll write you that. Not today. Promise."
    assert [one.words for one in notice(said)] == ["I'll write you that. Not today. Promise."]
    assert [one.words for one in notice("I'll be there on Friday. I promise.")] == [
        "I'll be there on Friday. I promise."
    ]


def test_a_question_without_its_mark_promises_nothing() -> None:
    assert not notice("what do i owe you for the winter.")
    assert notice("I owe you for the winter.")


def test_a_long_sentence_is_quoted_around_what_matters() -> None:
    said = "word " * 200 + "and I promise you the moon " + "word " * 200
    (one,) = notice(said)
    assert len(one.words) <= LONGEST
    assert "I promise you the moon" in one.words
    assert one.words in " ".join(said.split())
    assert list(notice("x" * LOOKED_AT + " I promise.")) == []


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *("i promise", "my name is", "no, ", "remember that", "meeting on friday", "allergic to"),
                *("```", ">", "\n", ". ", "? ", "’", "\x1b", "é", " ", "z" * 300),
            ]
        ),
        max_size=60,
    ).map("".join)
)
def test_whatever_comes_in_what_is_quoted_was_said(text: str) -> None:
    found = notice(text)
    assert len(found) <= MOST
    for one in found:
        assert 0 < len(one.words) <= LONGEST
        assert one.words in " ".join(text.split())
