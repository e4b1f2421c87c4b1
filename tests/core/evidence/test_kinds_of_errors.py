"""Errors of a page by their kind, and faithful words beside each: what is shown, and what is left alone."""

from collections.abc import Sequence
from datetime import date

import pytest

from reel_cli.core.evidence.grounding.check import Stretch
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.kit.snapshot import Snapshot

DAY = date(2026, 5, 7)
"""A Thursday."""
SAID = (
    ("Bo", "My aunt gave me her acoustic guitar, and I painted the gate green with my daughter."),
    ("Ada", "Nice! My rabbit is called Pepper. I play clarinet in the harbour band."),
    ("Bo", "Do you like mending nets?"),
    ("Ada", "Thanks for asking! Yes, I love it. Last week I mended the herring net for a buddy of mine."),
    ("Bo", "What keeps you warm out there?"),
    ("Ada", "Wool, and the kettle. The crossing to Brock was a long journey."),
    (
        "Bo",
        "I'll never give up the allotment. I just helped with a soup kitchen for those who lost their homes.",
    ),
    ("Ada", "Any plans for the summer? [shares a photo of a red lighthouse on a cliff]"),
    ("Bo", "I can't let go of my dream of the bay. I volunteer at the archive once a month."),
    ("Bo", "The concert is on the 20th. I bought her a stool for 45 euros, but the regulars hate the room."),
)


class EmptyKit:
    """A kit of its settings alone."""

    def read(self, path: str) -> bytes | None:
        return b"name: Ada\nuser: Bo\n" if path == "kit.yaml" else None

    def list(self, _folder: str) -> Sequence[str]:
        return []


def doubts(text: str, talk: Sequence[tuple[str, str]] = SAID) -> list[tuple[str, str]]:
    after = [*(words for _, words in talk[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, words, DAY), answer)
        for number, ((who, words), answer) in enumerate(zip(talk, after, strict=True), 1)
    ]
    judge = Judge(
        Source(said, "Ada Bo", "Ada Bo", (), "Ada"), Knowledge(Snapshot(EmptyKit(), "kit")), "Ada", "Bo"
    )
    found = judge.judge([Stretch(text, ((0, 1),), told=True)])
    return [(one.detail.kind.value, one.detail.claim) for one in found if one.verdict is Verdict.NOT_BORNE]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # another of its kind
        ("Bo's grandmother gave him her acoustic guitar.", "word"),
        ("His aunt gave him her electric guitar.", "word"),
        ("Bo painted the gate blue with his daughter.", "word"),
        ("Bo painted the gate with his son.", "word"),
        ("My hamster is called Pepper.", "word"),
        # a no, with the words that were said or with others of them
        ("Bo has let go of his dream of the bay.", "negation"),
        ("I do not like mending nets.", "negation"),
        ("Bo did not help with the soup kitchen.", "negation"),
        ("The crossing to Brock was a short journey.", "negation"),
        ("The regulars love the room.", "negation"),
        # the wrong one of the two
        ("Bo plays clarinet in the harbour band.", "speaker"),
        ("Last week Bo mended the herring net.", "speaker"),
        ("I bought her a stool for 45 euros.", "speaker"),
        # another day
        ("The concert is on 27 May 2026.", "date"),
    ],
)
def test_an_error_of_each_kind_is_shown(text: str, kind: str) -> None:
    assert kind in [one for one, _ in doubts(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Bo's auntie gave him her guitar, an acoustic one.",
        "Bo painted the gate green; his girl helped.",
        "My pet rabbit is called Pepper.",
        "Bo can't let go of his dream of the bay.",
        "I told Bo that I love mending nets.",
        "Bo helped with a soup kitchen for people without a home.",
        "It was a long journey, the crossing to Brock.",
        "I play clarinet in the harbour band, and Bo has his guitar.",
        "I showed him a lighthouse on a cliff.",
        "Bo asked me what keeps me warm out there.",
        "At the end of April I mended the herring net.",
        "Meanwhile I mend nets.",
        "The concert is on 20 May 2026.",
        "He bought her a stool for 45 euros.",
        "She told him, as one tells a husband, of the kettle.",
    ],
)
def test_the_same_in_other_words_is_left_alone(text: str) -> None:
    assert doubts(text) == []


def test_what_was_said_is_not_doubted_for_one_word_that_it_shares_with_something_else() -> None:
    talk = (
        ("Bo", "She left one line standing alone on the page. She drew a little boat beside it."),
        ("Ada", "Who takes you to the clinic?"),
        ("Bo", "Nobody, I take the tram."),
    )
    assert doubts("He meant to take the tram alone.", talk) == []
    # never said, it stands where the boat was
    assert doubts("He meant to take the ferry alone.", talk) == [("word", "ferry")]


def test_a_short_word_is_not_known_by_the_beginning_of_another() -> None:
    from reel_cli.core.evidence.grounding.words import word_forms

    assert not word_forms("bird").stands_in("a birthday card")
    assert word_forms("birds").stands_in("one bird")
    assert word_forms("plays").stands_in("I play clarinet")
    assert word_forms("hike").stands_in("we went hiking")
    assert word_forms("son").stands_in("my kid")
    assert not word_forms("son").stands_in("my daughter")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            (("Ada", "On the sill: the barometer, and a jar of sea glass."), ("Bo", "That is a cliché.")),
            "I gave Bo the sea glass, and he would not have the glass.",
        ),
        (
            (("Bo", "There is a red tin on the sill."), ("Ada", "Leave it there.")),
            "Bo left the tin there, and he did not take the tin.",
        ),
        (
            (("Bo", "My niece Tove chose it."), ("Ada", "Tove has sense. A deaf dog needs no name anyway.")),
            "The dog is called Captain Nobody, named by Tove.",
        ),
        ((("Bo", "I wrote the line in."), ("Ada", "Good. Nobody leans on it.")), "Bo wrote it within a day."),
    ],
)
def test_a_no_of_something_else_is_no_opposite(said: Sequence[tuple[str, str]], text: str) -> None:
    assert not [one for one in doubts(text, said) if one[0] in ("negation", "date")]


REFUSED = (
    ("Ada", "Did you ring the harbour office, as you said you would?"),
    ("Bo", "No, not yet. I will on Monday."),
    ("Ada", "You argued again about the new mooring. Who gave in?"),
    ("Bo", "Nobody. I bought my aunt a folding stool for the quay and she won't use it."),
)


@pytest.mark.parametrize(
    "text",
    [
        "Bo argued about the mooring, and he has rung the harbour office already.",
        "Bo argued about the mooring, and she gave in.",
        "He bought his aunt a folding stool for the quay, and she uses it.",
    ],
)
def test_an_answer_that_was_no_is_not_turned_round(text: str) -> None:
    assert [kind for kind, _ in doubts(text, REFUSED)] == ["negation"]


@pytest.mark.parametrize(
    "text",
    [
        "Bo has not rung the harbour office yet.",
        "He promised to ring the harbour office.",
        "Bo will ring the harbour office on Monday.",
        "They argued about the mooring, and nobody gave in.",
        "He bought his aunt a folding stool for the quay, and she won't use it.",
    ],
)
def test_what_is_still_to_be_done_turns_no_answer_round(text: str) -> None:
    assert "negation" not in [kind for kind, _ in doubts(text, REFUSED)]


@pytest.mark.parametrize(
    ("told", "said", "shown"),
    [
        ("We quarrelled about the gate, and he went home.", (), True),
        ("He shouted at me over the concert.", (), True),
        ("She slammed the door on the soup kitchen.", (), True),
        ("We never quarrelled about the gate.", (), False),
        ("He nearly shouted at me for joy.", (), False),
        # a quarrel is told by harsh words, or by several of hurt, and by capitals
        ("We quarrelled about the gate.", ("You never listen to me!",), False),
        ("We quarrelled about the gate.", ("I am hurt. It was your fault.",), False),
        ("We quarrelled about the gate.", ("LEAVE IT ALONE I said.",), False),
        ("We had a row about the gate.", ("I had a stupid row with my sister on the phone.",), False),
    ],
)
def test_a_quarrel_is_shown_where_no_word_of_one_was_said(
    told: str,
    said: tuple[str, ...],
    shown: bool,  # noqa: FBT001
) -> None:
    talk = (*SAID, *(("Bo", words) for words in said))
    assert [kind for kind, _ in doubts(told, talk)] == (["scene"] if shown else [])


AGES = (
    ("Bo", "Aunt Margaret next door is eighty-one. Ruth was here on Tuesday."),
    ("Ada", "And the neighbour at the mill?"),
    ("Bo", "Agnes drives. She is seventy-three and has never had a scratch."),
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Margaret next door is eighty-two.", "number"),
        ("Margaret next door is 82.", "number"),
        ("So Agnes, who is seventy-four and has never had a scratch, will take Bo.", "number"),
        ("Ruth was here on Wednesday.", "date"),
        ("Margaret next door is eighty-one.", ""),
        # told roughly
        ("Margaret next door is eighty.", ""),
        ("Agnes, who is 73 and has never had a scratch, will take Bo.", ""),
        ("Ruth was here on Tuesday.", ""),
        ("Ruth was there on Wednesday.", ""),
    ],
)
def test_an_age_and_a_weekday_told_alone_are_held_against_the_one_that_was_said(text: str, kind: str) -> None:
    """Eighty-two for eighty-one was no more than roughly told, and 72 for 62 was shown."""
    assert [one for one, _ in doubts(text, AGES)] == ([kind] if kind else [])
