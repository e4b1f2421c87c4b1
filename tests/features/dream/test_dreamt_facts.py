"""A dream's facts are weighed against its turns as a page's are: no denial or question becomes one."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.dreaming_persona import have_talk, reply_to


def dream(reel: Reel, facts: str) -> list[str]:
    """Dream of what is new with these facts; what is said of the answer."""
    reel.given("dream", "start", "--yes", "--window", "8k")
    prompt = reel("dream", "next", "--prompt").ok().out
    story = "He told me much that evening, and I listened, and was glad of it until he went to bed."
    kept = reel(
        "dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, story, facts=facts)
    ).ok()
    return [problem["what"] for problem in json.loads(kept.out)["problems"]]


def noted(kit: Path) -> str:
    place = kit / "facts.yaml"
    return place.read_text() if place.exists() else ""


@pytest.mark.needs("review")
def test_a_denial_and_another_persons_illness_wait(reel: Reel, kit: Path) -> None:
    """Dream Weaver §7.e, SRIP-11 §III.5b: a dream's facts are what the user said of themselves."""
    have_talk(reel, kit, "2026-01-09", "I am not allergic to nuts. My son has asthma.", "I see.")
    facts = (
        "constraints | allergy | allergic to nuts | sure | 2026-01-09\n"
        "constraints | illness | has asthma | sure | 2026-01-09"
    )
    dream(reel, facts)
    assert noted(kit) == ""
    shown = " ".join(reel("review").ok().out.split())
    assert "“I am not allergic to nuts.”" in shown
    assert "“My son has asthma.”" in shown


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Do you think I have asthma?", "constraints | illness | has asthma"),
        ("My brother has epilepsy.", "constraints | illness | has epilepsy"),
        ("My sister came. Her birthday is the fourth of May.", "identity | birthday | the fourth of May"),
        ("My boss is 61, imagine.", "identity | age | 61"),
        ("Meine Schwester ist gegen Nüsse allergisch.", "constraints | Nüsse | gegen Nüsse allergisch"),
        ("My sister lives in Graz.", "context | city | Graz"),
        ("Maybe I will move to Rome.", "context | city | Rome"),
        ("Maybe I will move to Rome.", "commitments | move | will move to Rome"),
        ("My neighbour has two cats.", "context | pets | two cats"),
        ("In my novel the hero is a dentist.", "identity | profession | dentist"),
        ("I don't smoke.", "preferences | smoking | smokes"),
        ("You are 34 and I am 52.", "identity | age | 34"),
        ("The girl next door is called Maria.", "identity | name | Maria"),
        ("The doctor ruled out epilepsy.", "constraints | illness | has epilepsy"),
        ("I don't think I have diabetes.", "constraints | illness | has diabetes"),
        ("I almost married Lena.", "relationships | wife | Lena"),
        ("As a child I was afraid of dogs.", "constraints | dogs | afraid of dogs"),
        ("I was nearly a vet.", "identity | role | vet"),
    ],
)
def test_what_was_not_said_of_the_user_is_no_fact(reel: Reel, kit: Path, said: str, fact: str) -> None:
    have_talk(reel, kit, "2026-01-09", "Good evening.", "Good evening.", said, "Hm.")
    dream(reel, f"{fact} | sure | 2026-01-09")
    assert noted(kit) == ""


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (("I'm allergic to nuts.", "Hm."), "constraints | allergy | allergic to nuts"),
        (("I am 53 since yesterday.", "Hm."), "identity | age | 53"),
        (("My sister Rike lives in Graz.", "Hm."), "relationships | sister | Rike, lives in Graz"),
        (("I have a dog.", "What is it called?", "Rex.", "Hm."), "context | dog | Rex"),
        (("Who keeps bees?", "I do not know.", "Rike does.", "Hm."), "relationships | Rike | keeps bees"),
        (
            ("My brother moved to Linz in May.", "Hm.", "He opened a bakery there.", "Fine."),
            "relationships | brother | moved to Linz in May, opened a bakery",
        ),
        (("Ich wohne in Graz.", "Hm."), "context | Stadt | Graz"),
    ],
)
def test_what_was_said_in_one_turn_or_two_is_a_fact(
    reel: Reel, kit: Path, said: tuple[str, ...], fact: str
) -> None:
    have_talk(reel, kit, "2026-01-09", "Good evening.", "Good evening.", *said)
    dream(reel, f"{fact} | sure | 2026-01-09")
    assert noted(kit)
