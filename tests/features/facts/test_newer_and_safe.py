"""A newer sure fact stands before an unsure one; a price and a visit are no danger; whose a fact is."""

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.held_facts import part_facts
from reel_cli.features.facts.policy import EXTRACTION, OWN, PERSONA, current_facts, is_rule, protects


def test_a_newer_sure_fact_stands_before_one_that_was_set_aside() -> None:
    aside = Fact(
        OWN, "ladder", "lent since autumn", "0.35", "2026-05-13-1#22", "2026-05-13", origin=EXTRACTION
    )
    back = Fact(
        OWN,
        "ladder",
        "brought back, and lent again",
        "1",
        "2026-08-02-1#4",
        "2026-08-02",
        origin=EXTRACTION,
        said_by=PERSONA,
    )
    assert current_facts([aside, back]) == [back]
    # what the user said for sure, no telling of the persona replaces
    said = Fact("context", "ladder", "hers", "1", "2026-05-13-1#22", "2026-05-13", origin=EXTRACTION)
    told = Fact(
        "context", "ladder", "his", "1", "2026-08-02-1#4", "2026-08-02", origin=EXTRACTION, said_by=PERSONA
    )
    assert current_facts([said, told]) == [said]


@pytest.mark.parametrize(
    ("fact", "safe"),
    [
        (("constraints", "roof", "Staffan from the mainland, 6800"), False),
        (("constraints", "roof", "on, paid 8200"), False),
        (("constraints", "window", "a quote of €450, in May"), False),
        (("relationships", "Dr Sorrell", "allergy clinic, Thursday 16 July, about penicillin"), False),
        (("constraints", "throat", "no prawns, no shellfish; pen in moped box"), True),
        (("constraints", "shut hatch", "don't ask about the brother"), True),
        (("constraints", "stairs", "none after the operation in May"), True),
        (("constraints", "emergency", "ring 8200"), True),
        (("constraints", "loans", "never more than €100 to Micke"), True),
        (("constraints", "platelets", "a count of 8200, in May"), True),
        (("relationships", "Dr Lal", "review on 21 May, takes penicillin off the list"), True),
        (("relationships", "Ida", "type 1 diabetes, clinic every May"), True),
        (("relationships", "son", "peanut allergy, review in May"), True),
        (("relationships", "Max", "carries an epipen, clinic on Monday"), True),
        (("context", "insulin", "12 units, clinic on Friday"), True),
        (("context", "asthma", "severe, inhaler at night, clinic review in October"), True),
        (("context", "medication", "ramipril each morning, review in March"), True),
        (("context", "medication", "review in March"), True),
        (("context", "Dr Sorrell", "allergy clinic on 16 July"), False),
        (("constraints", "fluid limit", "1500"), True),
        (("constraints", "lithium level", "1200"), True),
        (("constraints", "alarm", "4711"), True),
        (("constraints", "peanuts", "deadly; pays 30 euros for safe flour"), True),
        (("constraints", "wheelchair", "uses one, ramp cost 300 euros"), True),
        (("constraints", "gambling", "limit 50 euros a week"), True),
        (("constraints", "roof", "Asbestos in it, 8200"), True),
        (("constraints", "roof", "Staffan, 8200, October; Hampus broke an arm"), False),
        (("constraints", "kitchen", "quote of 4500 euros, by March"), False),
        (("constraints", "roof", "yellow house, Stefan from the mainland, 6800, July"), True),
        (("constraints", "lump", "Pricka, under the front leg, walnut; vet 9 July"), True),
        (("constraints", "knee", "left knee, no operation; brace only for lifting"), True),
        (("constraints", "back", "two discs; lift nothing over five kilos"), True),
        (("constraints", "back", "lift at most 5 kg"), True),
        (("constraints", "knee", "left, nicht belasten, kein Joggen"), True),
        (("constraints", "hip", "metal implant, MRI unsafe"), True),
        (("constraints", "windows", "300 euros, keep them locked, Otto climbs out"), True),
        (("commitments", "weekly jab", "every Monday for diabetes"), True),
        (("constraints", "wrist", "a metal plate; only 2 kg"), True),
        (("constraints", "weight", "below 52, call Dr Amsel"), True),
        (("constraints", "knee", "must not kneel"), True),
        (("constraints", "leg", "if it is hot and hard she must go at once"), True),
        (("constraints", "back", "can't lift the boy"), True),
        (("relationships", "Dr Sorrell", "allergy clinic, moved to Thursday 30 July, 9.15"), True),
        (("commitments", "Anselme on the 22nd", "Friday 22 May 2026, to change the propranolol"), True),
        (("commitments", "ring the surgery", "he will ring them by 8 May about the asthma review"), True),
        (("commitments", "allergy clinic", "Dr Sethi, 10 September"), True),
        (("commitments", "allergy clinic", "10 September: allergic to penicillin"), True),
        (("commitments", "insulin", "from 3 May 12 units in the evening"), True),
    ],
)
def test_a_price_alone_keeps_nobody_safe(fact: tuple[str, str, str], *, safe: bool) -> None:
    assert protects(Fact(*fact)) == safe


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (("identity", "home", "Norrskata, 140 in winter"), "island is Norrskata you wont know it"),
        (("relationships", "Ruben", "Efe's boy; spelt R-U-B-E-N"), "it's R-U-B-E-N. no E at the front."),
        (
            ("history", "hives", "as a child of five she learned to hear whether a hive is well"),
            "you knock once and listen. short buzz good",
        ),
        (("preferences", "joke", "selling the shop was a joke"), "JOKE. your face. nobody's sold anything"),
    ],
)
def test_what_is_told_of_somebody_else_is_no_question_of_who_the_persona_is(
    fact: tuple[str, str, str], words: str
) -> None:
    one = Fact(*fact)
    assert part_facts([one], {one: words}, "Marrow") == ([one], [])


def test_what_the_persona_is_told_of_itself_waits() -> None:
    one = Fact("identity", "home", "the island")
    assert part_facts([one], {one: "You live on the island."}, "Marrow") == ([], [one])


@pytest.mark.parametrize(
    ("fact", "rule"),
    [
        (("constraints", "father", "please don't ask about my dad"), True),
        (("constraints", "no drownings", "no bodies, no wrecks with people"), True),
        (("constraints", "throat", "no prawns, no shellfish; pen in moped box"), False),
        (("constraints", "safe word", "when she says red, stop"), False),
        (("preferences", "name", "call me Tam"), False),
    ],
)
def test_a_rule_of_ones_own_is_no_safety(fact: tuple[str, str, str], *, rule: bool) -> None:
    assert is_rule(Fact(*fact, "1")) is rule
