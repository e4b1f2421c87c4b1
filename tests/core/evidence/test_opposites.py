"""Clauses that say the opposite of what was said, and clauses of the same words that do not."""

from datetime import date
from time import process_time

import pytest

from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.opposites import opposites
from reel_cli.core.evidence.grounding.polarity import comes_then
from reel_cli.core.evidence.grounding.quantities import misnumbers
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn

SAID = (
    ("Bo", "Niels is not coming, he can't get off work. The rain's stopped. Old Birk whistled."),
    ("Ada", "I can see the bay from the loft. The regulars hate the rye. So the title stays."),
    ("Bo", "The drill hall has no heating since the flood. I rowed round the island, and I wasn't sick."),
    ("Ada", "Did you ring the harbour office, as you said you would?"),
    ("Bo", "No, not yet. I bought my aunt a folding stool for the quay and she won't use it."),
    ("Ada", "You argued about the mooring again. Who gave in?"),
    ("Bo", "Nobody. I mended the harbour radio with a silver wire. And Pim's ladder."),
    ("Ada", "You waved at him, with no ladder. I hate not being on the ice."),
    ("Bo", "Wish I had a trainer lined up. Mutti says nonsense, Anke is coming at Easter."),
    ("Ada", "Do you like mending nets?"),
    ("Bo", "Yes, I love it. If I win, I'll buy the house."),
    ("Ada", "You never locked the shed in winter. I never want to lose that view."),
    ("Bo", "I sold the dory to a man from Marstal haha."),
    ("Ada", "The tester was due in the post."),
    ("Bo", "I know the flags, but not the codes. I like the tide but not my boat."),
)


def found(text: str) -> list[str]:
    after = [*(words for _, words in SAID[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, words, date(2026, 5, 7)), answer)
        for number, ((who, words), answer) in enumerate(zip(SAID, after, strict=True), 1)
    ]
    source = Source(said, "Ada Bo", "Ada Bo", (), "Ada")
    return [f"{one.said.text}" for one in opposites(text, source, "Ada", "Bo")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Niels comes too, since he got off work.", "Niels is not coming, he can't get off work."),
        ("By then the rain had not stopped.", "The rain's stopped."),
        ("Birk stood there, and old Birk did not whistle.", "Old Birk whistled."),
        ("I can't see the bay from the loft.", "I can see the bay from the loft."),
        ("The regulars love the rye.", "The regulars hate the rye."),
        ("The title goes.", "So the title stays."),
        ("He knows the codes but not the flags.", "I know the flags, but not the codes."),
        (
            "They sing in the school, as the drill hall has heating.",
            "The drill hall has no heating since the flood.",
        ),
        (
            "He rowed round the island, and he was sick all the way.",
            "I rowed round the island, and I wasn't sick.",
        ),
        ("Bo has rung the harbour office.", "No, not yet."),
        ("They argued about the mooring, and she gave in.", "Nobody."),
        ("Bo did not mend the harbour radio.", "I mended the harbour radio with a silver wire."),
        ("Bo does not like mending nets.", "Yes, I love it."),
        ("Bo locked the shed in winter.", "You never locked the shed in winter."),
    ],
)
def test_the_same_clause_with_the_other_sense_is_found(text: str, said: str) -> None:
    assert found(text) == [said]


@pytest.mark.parametrize(
    "text",
    [
        # in one clause the talk only names the thing
        "Pim still has no ladder.",
        "He likes the tide but not his boat.",
        # the no is about something narrower than what was said
        "Bo did not mend the harbour radio with copper.",
        "Niels is coming at Easter, after the fair.",
        "It did not stop at noon.",
        # the same sense in other words, and a wish
        "Ada hates being off the ice.",
        "Bo has no trainer lined up.",
        # what somebody else holds, what was only due, what was said in jest, or only supposed
        "Anke is not coming at Easter.",
        "The tester is not in the post.",
        "Bo did not sell the dory.",
        "He does not win, he does not buy the house.",
        # what may be done yet, and what each said of himself
        "Bo will ring the harbour office on Monday.",
        "I was sick.",
        # a feeling, and a question
        "I never want to lose her.",
        "Did Birk not whistle?",
    ],
)
def test_what_is_not_about_the_same_thing_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_a_long_message_is_compared_in_little_time() -> None:
    things = ("harbour", "boat", "letter", "kiln", "garden", "chapter", "ferry", "window", "ladder", "piano")
    deeds = ("sold", "bought", "found", "lost", "painted", "moved", "kept")
    said = " ".join(
        f"She {deeds[n % 7]} the {things[n % 10]} and never {deeds[n % 5]} {n % 83 + 7} {things[n % 9]}s."
        for n in range(800)
    )
    page = "She never found the kiln. She sold 400 windows and kept the ladder. She lost 300 letters."
    source = Source([look_at_turn(Turn(1, "Bo", said, date(2026, 5, 12)))], who="Bo")
    begun = process_time()
    found = [*opposites(page, source, "Ada", "Bo"), *misnumbers(page, [*numbers(page, page)], source)]
    assert process_time() - begun < 3
    assert found


@pytest.mark.parametrize(("until", "doubted"), [("til mid august", False), ("today", True)])
def test_what_is_denied_until_a_time_comes_then(until: str, *, doubted: bool) -> None:
    turns = ("I got a quote for a mast, 540. I haven't decided.", f"ok. so not deciding {until}.")
    said = [look_at_turn(Turn(at, "Bo", words, date(2026, 5, 7))) for at, words in enumerate(turns, 1)]
    source = Source(said, "Ada Bo", "Ada Bo", (), "Ada")
    text = "A mast would cost 540, and my counsel was not to sign, so he decides in mid August."
    assert bool([*opposites(text, source, "Ada", "Bo")]) is doubted


@pytest.mark.parametrize(
    ("turn", "comes"),
    [
        ("I haven't decided till August.", True),
        ("we dont decide until August", True),
        ("I want to decide until August.", False),
        ("The patient decided until August.", False),
        ("I went and decided until August.", False),
    ],
)
def test_no_word_that_ends_like_a_denial_denies_until_a_time(turn: str, *, comes: bool) -> None:
    assert comes_then("he decides in August", [turn]) is comes
