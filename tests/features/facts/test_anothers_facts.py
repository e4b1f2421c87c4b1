"""A question and another person's fact are no fact of the user, on a page and wherever facts are weighed."""

from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.details.asked_claims import is_asked
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.evidence.key_meaning import lacks_meaning
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

SAID = (
    "Do you think I have asthma? Ma soeur est allergique au lait. She is 34. "
    "In my novel the hero is a dentist. My brother lives in Graz."
)
REPLY = """## What I know for sure
constraints | asthma | has asthma | Bo has asthma | "I have asthma" | 0.95
constraints | lait | allergique au lait | Bo est allergique au lait | "est allergique au lait" | 0.95
identity | age | 34 | Bo is 34 | "She is 34" | 0.95
identity | profession | dentist | Bo is a dentist | "In my novel the hero is a dentist." | 0.95
context | city | Graz | Bo lives in Graz | "lives in Graz" | 0.95

Ada
"""


@pytest.mark.needs("review")
def test_what_is_asked_or_of_another_is_no_fact_of_the_user(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5b: facts are taken from what the user stated of themselves."""
    say(reel, kit, [("user", SAID), ("assistant", "I don't know.")])
    extract(reel, REPLY)
    assert facts(reel) == {}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My sister came over. She is 34.", "identity|age|34"),
        ("Rike is 34 and she is a dentist.", "identity|age|34"),
        ("Rike is 34 and she is a dentist.", "identity|profession|dentist"),
        ("Her birthday is the fourth of May.", "identity|birthday|the fourth of May"),
        ("My brother called. He works as a dentist.", "identity|profession|dentist"),
        ("In meinem Roman ist der Held Zahnarzt.", "identity|Beruf|Zahnarzt"),
        ("My neighbour has two cats.", "context|pets|two cats"),
        ("Ma soeur habite Lyon.", "context|ville|Lyon"),
    ],
)
def test_what_is_told_of_somebody_else_is_not_the_users(said: str, fact: str) -> None:
    assert _against(said, fact).endswith("is about somebody else")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My sister came. She is 34.", "identity|Rike's age|34"),
        ("My wife is funny. She calls me Tommy.", "identity|nickname|Tommy"),
        ("Bo is 53, I always say.", "identity|age|53"),
        ("Home is Graz.", "context|city|Graz"),
        ("I write, and in my novel the hero is a dentist.", "identity|profession|write"),
        ("I live in Graz, my sister in Linz.", "context|city|Graz"),
        ("My sister lives with me.", "context|home|lives with his sister"),
    ],
)
def test_what_is_the_users_own_stays(said: str, fact: str) -> None:
    assert _against(said, fact) == ""


def _against(said: str, fact: str) -> str:
    category, key, value = fact.split("|")
    turn = Entry(1, Message("user", said, time="2026-02-10T10:00:00Z"))
    borne = UserTurns([turn], "Bo", "Ada", "2026-02-10").bears(value, said)
    assert not borne.why
    return clause_against(category, key, borne, key)


@pytest.mark.parametrize(
    "question",
    [
        "Do you think I have asthma?",
        "Could it be that I have asthma?",
        "What if I have asthma?",
        "Glaubst du, ich habe Asthma?",
        "Tu crois que j'ai de l'asthme ?",
        "¿Crees que tengo asma?",
        "Você acha que eu tenho asma?",
        "Думаешь, у меня астма?",
    ],
)
def test_a_question_says_nothing(question: str) -> None:
    assert is_asked(question, question)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("I have asthma", "Do you think I should run, as I have asthma?"),
        ("I'm allergic to nuts", "Did I tell you I'm allergic to nuts?"),
        ("I'm a nurse", "You know I'm a nurse, right?"),
        ("my dog Rex", "What shall I do with my dog Rex?"),
    ],
)
def test_what_a_question_takes_for_granted_is_said(words: str, question: str) -> None:
    assert not is_asked(words, question)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("I am 53 since yesterday.", True),
        ("I'm 53 as of today.", True),
        ("I am 53 minutes late.", False),
    ],
)
def test_an_age_may_be_told_with_since_when(said: str, *, says: bool) -> None:
    assert lacks_meaning("age", "53", [said], protects=False) is not says
