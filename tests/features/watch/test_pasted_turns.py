"""A conversation as it is pasted: lines go in, turns come out."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.formats.pasted.speaker_lines import People
from reel_cli.features.watch.pasted_turns import PastedTurns

PEOPLE = People.named(("Bo",), ("Ada",))


def turns(text: str, *, last: str = "assistant") -> list[tuple[str, str]]:
    """All turns of a text."""
    pasted = PastedTurns(PEOPLE, last=last)
    return [(turn.role, turn.text) for turn in [*pasted.feed(text), *pasted.close()]]


def test_a_speaker_begins_a_turn() -> None:
    told = "You: Is it thick?\n\nAda: Thick enough.\n\nFor a hare.\n**Bo:** And us?\nModel: X1\n"
    assert turns(f"{told}Assistant:\nNo.") == [
        ("user", "Is it thick?"),
        ("assistant", "Thick enough.\n\nFor a hare."),
        ("user", "And us?\nModel: X1"),
        ("assistant", "No."),
    ]
    assert turns("System: You are Ada.\nHello.\n.\nHi.") == [
        ("system", "You are Ada.\nHello."),
        ("user", "Hi."),
    ]


def test_without_speakers_they_take_turns() -> None:
    assert turns("one\n.\n\ntwo\nlines\n.\n.\nthree") == [
        ("user", "one"),
        ("assistant", "two\nlines"),
        ("user", "three"),
    ]
    assert turns("one", last="user") == [("assistant", "one")]
    assert turns("Carla: a stranger\nis text") == [("user", "Carla: a stranger\nis text")]


def test_code_is_text_whatever_it_looks_like() -> None:
    code = "Look:\n```\nYou: not a turn\n.\n```\nso."
    assert turns(f"{code}\nAda: Yes.") == [("user", code), ("assistant", "Yes.")]
    # a block that is never closed is none
    assert turns("You: a\n```\nb\nAda: c\nYou: d") == [
        ("user", "a\n```\nb"),
        ("assistant", "c"),
        ("user", "d"),
    ]


def test_a_name_alone_waits_for_its_words() -> None:
    pasted = PastedTurns(PEOPLE)
    assert (pasted.feed("Ada: "), pasted.close()) == ([], [])
    assert (pasted.speaker, pasted.open) == ("assistant", None)
    assert pasted.feed("so it goes\n\n") == []
    assert (pasted.blank, pasted.open) == (True, ("assistant", "so it goes"))
    assert (pasted.close(), pasted.speaker) == ([("assistant", "so it goes")], "user")
    pasted.feed("typed wrogn")
    pasted.cut(3)
    pasted.feed("ong")
    assert pasted.open == ("user", "typed wrong")
    pasted.forget()
    assert pasted.close() == []


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(["You: a", "Ada: b", "c", "", ".", "```", " d"]), max_size=12), st.integers(1, 7)
)
def test_however_it_is_cut_the_same_turns_come_and_no_word_is_lost(lines: list[str], size: int) -> None:
    text = "\n".join(lines)
    whole = turns(text)
    pasted = PastedTurns(PEOPLE)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    cut = [tuple(turn) for piece in pieces for turn in pasted.feed(piece)]
    assert [*cut, *map(tuple, pasted.close())] == whole
    assert "".join(t for _, t in whole).count("c") == lines.count("c")
    assert all(words.strip() for _, words in whole)
