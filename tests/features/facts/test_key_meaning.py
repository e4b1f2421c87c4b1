"""A value that was said is no fact where nobody said what its name means: it waits or is set aside."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.key_meaning import lacks_meaning
from tests.features.facts.test_fact_extract import aside, extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

TALK = [
    ("user", "I read all of it. At Tylova she put me right, the stop moved in 1968."),
    ("assistant", "Then she rode it with you. How was Irena?"),
    (
        "user",
        "She cried in the car, in the good way. We ate the noodles cold on a bench. The word was relief.",
    ),
    ("assistant", "On purpose?"),
    ("user", "Tomorrow I tune at nine, so page one is Friday. I never got the tickets for the ferry."),
]


def test_a_fact_whose_name_nobody_spoke_of_is_none_however_many_there_are(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    told = [
        row("constraints", "allergy", "noodles", "We ate the noodles cold on a bench"),
        row("relationships", "wife", "Irena", "How was Irena?"),
        row("identity", "birth year", "1968", "the stop moved in 1968"),
        row("commitments", "wedding", "on Friday", "so page one is Friday"),
        row("constraints", "medicine", "relief", "The word was relief"),
        row("constraints", "never eats", "the noodles cold", "We ate the noodles cold on a bench"),
        row("context", "bench", "ate the noodles cold", "We ate the noodles cold on a bench"),
    ]
    problems = str(extract(reel, "\n".join(told))["problems"])
    assert sorted(facts(reel)) == ["context/bench"]
    assert "“the stop moved in 1968” does not say that it is the birth year" in problems
    waiting = str(json.loads(reel("review", "--json").ok().out))
    named = ("allergy", "medicine", "never eats")
    assert sorted(aside(reel)) == ["commitments/wedding", "identity/birth-year", "relationships/wife"]
    assert [name for name in named if f"{name}: " not in waiting] == []
    assert (
        "noodles" not in reel("pack").ok().out.partition("What you know for sure")[2].partition("allergy")[2]
    )


def test_what_protects_another_is_not_said_of_the_speaker(reel: Reel, kit: Path) -> None:
    said = "I'm allergic to walnuts, so my cousin Agnes baked without. Agnes can't eat eggs."
    talk = [("user", said), ("assistant", "Noted.")]
    say(reel, kit, talk)
    told = [
        row("constraints", "Agnes's allergy", "allergic to walnuts", "I'm allergic to walnuts"),
        row("constraints", "Agnes's eggs", "can't eat eggs", "Agnes can't eat eggs"),
        row("constraints", "walnuts", "allergic to walnuts", "I'm allergic to walnuts"),
    ]
    problems = str(extract(reel, "\n".join(told))["problems"])
    assert sorted(facts(reel)) == ["constraints/agnes's-eggs", "constraints/walnuts"]
    assert "is said of the one who speaks, not of Agnes" in problems
    assert "Agnes's allergy: " in str(json.loads(reel("review", "--json").ok().out))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("wife", "Irena", "My wife Irena says hello."),
        ("wife", "Irena", "Irena and I have been married for nine years."),
        ("wife's name", "Irena", "Meine Frau heißt Irena."),
        ("Irena's age", "34", "Irena is 34 now."),
        ("age", "34", "I'm 34, since you ask"),
        ("birthday", "1 May", "I turn forty on the first of May."),
        ("wedding", "on Friday", "We marry on Friday."),
        ("allergy", "noodles", "Noodles make my throat swell."),
        ("allergies", "nuts", "I can't eat nuts."),
        ("Aino's allergy", "cashews", "Just cashews, and she can eat hazelnuts."),
        ("medicine", "warfarin", "I take warfarin in the evening."),
        ("medication", "insulin", "The doctor gave me insulin."),
        ("Kalle's medicine", "tilidine 100, twice a day", "Sitting up now. Tilidine 100, twice a day."),
        ("アレルギー", "エビ", "エビは食べられないんだ。"),
        ("never eats", "fish", "I don't touch fish."),
        ("city", "Brno", "The train to Brno was late."),
    ],
)
def test_a_name_may_be_meant_in_many_words(key: str, value: str, said: str) -> None:
    assert not lacks_meaning(key, value, [said], protects=True)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("age", "34", "Page 34 is done, and tram 34 was late."),
        ("wife", "Irena", "Irena called on Wed to say that the window sticks."),
        ("allergy", "noodles", "I had no time, so we had noodles."),
        ("never eats", "fish", "We had fish. I never found the tickets."),
    ],
)
def test_another_meaning_is_none(key: str, value: str, said: str) -> None:
    assert lacks_meaning(key, value, [said], protects=True)


def test_what_is_said_of_a_thing_that_is_known_needs_no_name(reel: Reel, kit: Path) -> None:
    """A wedding whose barn was booked twice kept its old day: nobody had said “wedding” that evening."""
    talk = [("user", "Merle's wedding is on 17 May, in a barn near Lüneburg."), ("assistant", "Noted.")]
    say(reel, kit, talk, day=1)
    extract(reel, row("commitments", "wedding", "17 May, a barn near Lüneburg", talk[0][1]))
    moved = "So now the 7th of June, a Saturday, still that barn."
    say(reel, kit, [("user", f"The barn is booked twice. {moved}"), ("assistant", "Good.")], day=9)
    extract(reel, row("commitments", "wedding", "7th of June, a Saturday", moved))
    assert facts(reel)["commitments/wedding"] == "a barn near Lüneburg; 7th of June, a Saturday"


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        # what makes it an allergy was said two turns before, and a bare question goes on from there
        (("She swells up like a bun, Elsie does.", "From hazelnuts?", "From any nut."), False),
        (("Elsie's allergic, remember.", "To what?", "Any nut. Cashews, the lot."), False),
        # another question begins something else
        (("She swells up like a bun, Elsie does.", "What did you eat?", "Any nut there was."), True),
        (("She swells up like a bun, Elsie does.", "How are the squirrels in the park?", "Any nut."), True),
    ],
)
def test_what_a_name_says_may_stand_before_the_question_that_is_answered(
    reel: Reel, kit: Path, said: tuple[str, str, str], *, waits: bool
) -> None:
    say(reel, kit, [("assistant", "And?"), *zip(("user", "assistant", "user"), said, strict=True)])
    extract(reel, row("constraints", "Elsie's allergy", "any nut", said[2].partition(".")[0]))
    assert sorted(facts(reel)) == ([] if waits else ["constraints/elsie's-allergy"])
    waiting = str(json.loads(reel("review", "--json").ok().out))
    assert ("Elsie's allergy" in waiting) is waits


def test_a_name_that_says_whose_it_is_has_no_article(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    told = row("constraints", "Irena's allergy", "noodles", "We ate the noodles cold on a bench")
    assert "does not say that it is Irena's allergy" in str(extract(reel, told)["problems"])


@pytest.mark.parametrize("key", ["Captain: grapefruit", "Captain's diet"])
def test_whom_the_turn_before_names_is_meant(reel: Reel, kit: Path, key: str) -> None:
    asked = "Shall I put the Captain down for breakfast?"
    say(reel, kit, [("assistant", asked), ("user", "Yes. But no grapefruit for him.")])
    extract(reel, row("constraints", key, "no grapefruit for the Captain", "no grapefruit for him"))
    assert [*facts(reel).values()] == ["no grapefruit for the Captain"]
