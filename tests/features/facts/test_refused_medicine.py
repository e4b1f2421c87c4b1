"""A medicine that was offered and refused, or that somebody else takes, is no medicine taken."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.details.another_person import tells_of_another
from reel_cli.features.facts.evidence.details.refused_medicine import find_refusal, find_taker
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

ASPIRIN = "aspirin, 75 mg"


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("The clinic wants me to take aspirin, 75 mg. I said no.", "wants me to take aspirin, 75 mg"),
        ("They want me to take aspirin, 75 mg, but I said no.", "aspirin, 75 mg, but I said no"),
        ("He wanted to put me on aspirin, 75 mg. I refused it.", "wanted to put me on aspirin, 75 mg"),
        ("He offered me aspirin, 75 mg, and I turned it down.", "offered me aspirin, 75 mg"),
        ("He prescribed me aspirin, 75 mg. I have not taken one.", "prescribed me aspirin, 75 mg"),
        ("Margaret takes aspirin, 75 mg. I do not.", "takes aspirin, 75 mg"),
    ],
)
def test_a_medicine_that_was_refused_or_is_anothers_waits(
    reel: Reel, kit: Path, said: str, quoted: str
) -> None:
    say(reel, kit, [("user", said), ("assistant", "Did they hear you?"), ("user", "They wrote it down.")])
    value = "takes aspirin, 75 mg" if quoted.startswith("takes") else ASPIRIN
    extract(reel, f'## What I know for sure\nconstraints | aspirin | {value} | "{quoted}" | 0.9\n\nAda\n')
    assert facts(reel) == {}
    assert len(json.loads(reel("review", "--json").ok().out)) == 1
    # who decides reads the refusal, too
    assert said.removesuffix(" I do not.") in " ".join(reel("review").ok().out.split()).replace(" / ", " ")


def test_a_refusal_is_a_fact_of_its_own(reel: Reel, kit: Path) -> None:
    turns = [
        ("user", "The clinic wants me to take aspirin, 75 mg, but I said no. No aspirin for me, please.")
    ]
    say(reel, kit, [*turns, ("assistant", "No aspirin.")])
    line = 'constraints | aspirin | no aspirin | "No aspirin for me" | 0.9'
    extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
    assert facts(reel) == {"constraints/aspirin": "no aspirin"}


@pytest.mark.parametrize(
    "turns",
    [
        ["They prescribed me aspirin, 75 mg. I haven't taken any."],
        ["They prescribed me aspirin, 75 mg, and I won't take it."],
        ["She'd like me on aspirin, 75 mg. No thank you."],
        ["I was offered aspirin, 75 mg, and declined."],
        ["They want me on aspirin, 75 mg.", "Will you?", "No."],
        ["They talk of aspirin, 75 mg.", "And?", "Well.", "Hm.", "No aspirin for me."],
        ["They prescribed aspirin, 75 mg. The nurse asked if I take it. I said no."],
        ["They prescribed aspirin, 75 mg. I'm not going on it."],
        ["They prescribed aspirin, 75 mg. I refused politely."],
        ["They prescribed aspirin, 75 mg. I won't take any tablets."],
        ["They prescribed aspirin, 75 mg. I'd rather not."],
        ["They prescribed aspirin, 75 mg. I can't face taking it."],
        ["They prescribed aspirin, 75 mg.", "Will you take it?", "No."],
        ["They prescribed aspirin, 75 mg.", "What did you say?", "I said no."],
        ["They prescribed aspirin, 75 mg.", "Would you take it?", "No thanks."],
        ["They prescribed aspirin, 75 mg.", "Are you going to take it?", "Nope."],
        ["They prescribed aspirin, 75 mg.", "Do you want to start it?", "No, I don't."],
        ["They talk of aspirin, 75 mg.", "Would you take aspirin?", "No, thank you."],
        ["They talk of aspirin, 75 mg.", "And?", "Well.", "Would you like some aspirin?", "No thanks."],
        ["They gave me aspirin, 75 mg, for the swelling in my throat. I refused it."],
        ["They gave me aspirin, 75 mg. I fainted. I will never take it again."],
    ],
)
def test_a_refusal_is_read_in_the_turns_around(turns: list[str]) -> None:
    said = [(text, turns[at - 1] if at else "") for at, text in enumerate(turns) if at % 2 == 0]
    assert find_refusal(ASPIRIN, "medicine", ASPIRIN, said) is not None
    assert find_refusal("declined aspirin, 75 mg", "medicine", ASPIRIN, said) is None


@pytest.mark.parametrize(
    "said",
    [
        "I take aspirin, 75 mg. I don't take it with milk.",
        "The doctor put me on aspirin, 75 mg. I did not want it, but I take it.",
        "He offered me aspirin, 75 mg. I said no to the statin.",
        "They prescribed aspirin, 75 mg. I refused at first, but I'm on it now.",
        "I take aspirin, 75 mg. They offered me a bed at the clinic. I said no.",
        "The doctor gave me aspirin, 75 mg. I don't want my daughter to know.",
        "The doctor started me on aspirin, 75 mg. I have not missed one.",
        "The doctor prescribed aspirin, 75 mg. She asked if I smoke. I said no.",
        "The doctor prescribed aspirin, 75 mg. She asked if I smoke and I said no.",
        "The doctor prescribed aspirin, 75 mg. Ruth offered me wine. I said no.",
        "They put me on aspirin, 75 mg. I'm not going on holiday this year.",
        "They put me on aspirin, 75 mg. I wouldn't take ibuprofen on top.",
        "They put me on aspirin, 75 mg. I wouldn't take ibuprofen on top of aspirin.",
        "They put me on aspirin, 75 mg. I turned the invitation down.",
        "They put me on aspirin, 75 mg. I can't face the day.",
        "They put me on aspirin, 75 mg. I'm not going on about it.",
    ],
)
def test_a_medicine_that_is_taken_is_not_refused(said: str) -> None:
    assert find_refusal(ASPIRIN, "medicine", ASPIRIN, [(said, "")]) is None


@pytest.mark.parametrize(
    "asked",
    [
        "Are you scared of taking it?",
        "Do you mind taking it?",
        "Did you forget to take it?",
        "Do you ever forget to take your aspirin?",
        "Would it bother you to take it?",
        "Do you hate taking it?",
        "Have you taken it yet?",
        "Did you take the aspirin today?",
        "Do you have aspirin at home?",
    ],
)
def test_a_no_to_how_a_medicine_is_taken_refuses_nothing(asked: str) -> None:
    said = [("They prescribed aspirin, 75 mg.", ""), ("No.", asked)]
    assert find_refusal(ASPIRIN, "medicine", ASPIRIN, said) is None


def test_a_medicine_that_the_persona_proposed_waits_with_the_no_to_it(reel: Reel, kit: Path) -> None:
    turns = [("user", "I cough."), ("assistant", "Would you take clarithromycin?"), ("user", "No thanks.")]
    say(reel, kit, turns)
    line = 'constraints | medicine | clarithromycin | "Would you take clarithromycin?" | 0.9'
    extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
    assert facts(reel) == {}
    assert "“Would you take clarithromycin? / No thanks.”" in " ".join(reel("review").ok().out.split())


def test_a_no_to_another_question_refuses_no_medicine() -> None:
    said = [("They put me on aspirin, 75 mg.", ""), ("No.", "Do you live alone?")]
    assert find_refusal(ASPIRIN, "medicine", ASPIRIN, said) is None
    said = [("They put me on aspirin, 75 mg.", ""), ("No, thank you.", "Shall we put the radio on?")]
    assert find_refusal(ASPIRIN, "medicine", ASPIRIN, said) is None


@pytest.mark.parametrize(
    ("said", "quoted", "value"),
    [
        (
            "They gave me penicillin as a child and I came out in hives. I will never take it again.",
            "They gave me penicillin as a child and I came out in hives",
            "penicillin",
        ),
        (
            "They gave me penicillin as a child. I will never take it again, I am allergic to it.",
            "They gave me penicillin as a child",
            "penicillin allergy",
        ),
        (
            "The nurse offered me penicillin. I'm allergic to penicillin. I said no.",
            "I'm allergic to penicillin",
            "penicillin",
        ),
        (
            "Ruth gave me a prawn and my throat closed. I never touched one again.",
            "Ruth gave me a prawn and my throat closed",
            "prawn",
        ),
        (
            "They gave me penicillin and I vomited all night. I will never take it again.",
            "They gave me penicillin and I vomited all night",
            "vomited after it",
        ),
        (
            "They gave me penicillin and I passed out. I will never take it again.",
            "They gave me penicillin and I passed out",
            "penicillin, as a child",
        ),
        (
            "They offered me penicillin. It makes me faint. I said no.",
            "They offered me penicillin. / It makes me faint.",
            "it makes her faint",
        ),
    ],
)
def test_what_harms_somebody_is_no_refused_medicine(said: str, quoted: str, value: str) -> None:
    assert find_refusal(value, "penicillin", quoted, [(said, "")]) is None


@pytest.mark.parametrize(
    ("said", "of_another"),
    [
        ("Margaret next door takes aspirin, 75 mg.", True),
        ("My sister takes aspirin, 75 mg.", True),
        ("Margaret takes aspirin, 75 mg. So do I.", False),
        ("Aspirin is on the list: aspirin, 75 mg.", False),
        ("Dr Okafor put me on aspirin, 75 mg.", False),
        ("It takes aspirin, 75 mg, to keep the blood thin.", False),
        ("The clinic needs aspirin, 75 mg, on the card.", False),
        ("My sister is taking aspirin, 75 mg.", True),
        ("Ruth Okafor is taking aspirin, 75 mg.", True),
        ("Ruth's on aspirin, 75 mg.", True),
        ("Ruth is on Aspirin, aspirin, 75 mg.", True),
        ("The doctor gave Ruth aspirin, 75 mg.", True),
        ("Ruth needs to take aspirin, 75 mg.", True),
        ("Type one diabetes needs aspirin, 75 mg.", False),
        ("Whoever cooks needs to know: aspirin, 75 mg.", False),
        ("Thyroid needs aspirin, 75 mg.", False),
        ("Twelve units of aspirin, 75 mg, gets it down.", False),
        ("Twelve gets aspirin, 75 mg.", False),
        ("Cold air gets it going, so aspirin, 75 mg.", False),
        ("Pollen gets it going, so aspirin, 75 mg.", False),
        ("Even a trace of aspirin, 75 mg, gets the throat closing.", False),
        ("Someone needs to carry the aspirin, 75 mg.", False),
        ("Ruth needs to carry the aspirin, 75 mg.", False),
        ("Lupus needs aspirin, 75 mg.", False),
        ("Lupus takes aspirin, 75 mg, and a year of rest.", False),
        ("Marevan takes a week to work, and aspirin, 75 mg, an hour.", False),
        ("Marevan was given instead of aspirin, 75 mg.", False),
        ("Bedtime gets aspirin, 75 mg.", False),
        ("Fibromyalgia needs aspirin, 75 mg.", False),
        ("Grace takes aspirin, 75 mg.", True),
        ("Vera needs to take aspirin, 75 mg.", True),
        ("Simone gets aspirin, 75 mg.", True),
        ("Everyone takes aspirin, 75 mg.", False),
        ("Fever needs aspirin, 75 mg. A fever is no joke.", False),
        ("Choir's on Thursday, and then aspirin, 75 mg.", False),
    ],
)
def test_a_medicine_is_of_whom_its_sentence_names(said: str, *, of_another: bool) -> None:
    assert (find_taker("medicine: Edith takes aspirin", ASPIRIN, said, ["Edith"]) is not None) is of_another


@pytest.mark.parametrize(
    ("key", "of_another"), [("Lupus", True), ("Marevan", True), ("Bedtime", True), ("Solveig", False)]
)
def test_a_key_with_a_capital_is_somebody_only_where_it_is_a_name(key: str, *, of_another: bool) -> None:
    assert tells_of_another("She", "She has it.", f"{key} yes", key, ["Bo"]) is of_another
