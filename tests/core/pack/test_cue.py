"""Mood of a conversation: the classifier, and what a cue touches."""

import pytest

from reel_cli.core.pack.cue import classify, content_words, evidence, moods_of, touches


@pytest.mark.parametrize(
    ("cue", "mood"),
    [
        ("He is angry with me about the deadline", "conflict"),
        ("I disagree, you got that wrong again", "conflict"),
        ("WHY WOULD you say that?!", "conflict"),
        ("haha, that pun was awful", "playful"),
        ("let's play a silly game :)", "playful"),
        ("My mother died in March and I can't stop crying", "emotional"),
        ("I feel so lonely tonight 😢", "emotional"),
        ("I am scared of the operation", "emotional"),
    ],
)
def test_the_clearest_mood_comes_first(cue: str, mood: str) -> None:
    assert next(iter(classify(cue))) == mood
    assert next(iter(moods_of(cue))) == mood


@pytest.mark.parametrize(
    "cue",
    [
        "",
        "what did the residency want from me",
        "chapter four opens with the letter",
        "the timetable for May",
    ],
)
def test_an_ordinary_cue_calls_for_nothing(cue: str) -> None:
    assert moods_of(cue) == {}


def test_a_mood_that_is_denied_does_not_count() -> None:
    assert moods_of("I'm not angry") == {}
    assert moods_of("don’t be angry") == {}
    assert list(moods_of("angry, not sad")) == ["conflict"]


def test_a_stem_does_not_match_inside_another_word() -> None:
    assert classify("we made a madrigal about arguable Sussex") == {
        "conflict": 0,
        "playful": 0,
        "emotional": 0,
    }


def test_two_moods_can_be_called_for_at_once() -> None:
    assert list(moods_of("we were joking and then she was furious")) == ["conflict", "playful"]


def test_a_faint_sign_does_not_count_beside_a_strong_one() -> None:
    assert moods_of("a terrible argument, furious, at night") == {"conflict": ("argument", "furious")}


def test_what_decided_can_be_told() -> None:
    assert evidence("You are WRONG about MARCH, and rude :)") == {
        "conflict": {"wrong": 2, "rude": 2, "capitals": 1},
        "playful": {":)": 2},
        "emotional": {},
    }


def test_a_very_long_cue_is_read_at_once() -> None:
    assert next(iter(classify("angry " * 20_000))) == "conflict"


@pytest.mark.parametrize(
    ("cue", "text", "touched"),
    [
        ("how is the lighthouse draft?", "Lighthouse drafts, chapter four", True),
        ("what about the kettle", "The wrong train", False),
        ("tell me about that thing", "Something about the thing", False),
        ("and the letters?", 'A letter that wasn\'t hers "open a letter"', True),
        ("灯台の話", "灯台と手紙", True),
        ("приют", "Ночь в приюте", False),
        ("ferries", "the ferry", False),
        ("baked", "baking", True),
    ],
)
def test_a_cue_touches_what_shares_a_word_with_it(cue: str, text: str, *, touched: bool) -> None:
    assert touches(content_words(cue), text) is touched


@pytest.mark.parametrize(
    ("cue", "mood"),
    [
        ("No, that's wrong, I never said that", "conflict"),
        ("stop it, you're not listening to me", "conflict"),
        ("You don't understand me", "conflict"),
        ("Nein, das stimmt nicht, das habe ich nie gesagt", "conflict"),
        ("Tu ne m'écoutes pas", "conflict"),
        ("Eso no es verdad, no me escuchas", "conflict"),
        ("Mein Vater ist gestorben", "emotional"),
        ("Je suis triste ce soir", "emotional"),
        ("Cuéntame un chiste", "playful"),
    ],
)
def test_pushback_and_the_plainest_words_of_other_languages_call_for_an_example(cue: str, mood: str) -> None:
    """REEL §4.2: load exemplars by what the talk calls for."""
    assert next(iter(moods_of(cue)), "") == mood


def test_talk_that_only_holds_such_words_is_no_pushback() -> None:
    for cue in (
        "The train will stop at Ely.",
        "He said that is true.",
        "I never meant to be a baker.",
        "I couldn't stop it, the leak went on",
        "I never said it was easy, love",
        "Hör auf mich, bitte",
    ):
        assert "pushing back" not in evidence(cue)["conflict"]
