"""A relation of somebody else, and what was claimed wrongly or kept from, are no facts of the user."""

from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

REPLY = """## What I know for sure
relationships | wife | Ruth | Bo's wife is Ruth | "My neighbour's wife is called Ruth." | 0.95
relationships | daughter | Lotte | Bo's daughter is Lotte | "his daughter Lotte" | 0.95
constraints | gout | has gout | Bo has gout | "I was wrongly told that I had gout." | 0.95
identity | temper | shy | Bo is shy | "I am anything but shy." | 0.95
relationships | husband | Anton | Bo's husband is Anton | "My husband's name is Anton." | 0.95

Ada
"""


@pytest.mark.needs("review")
def test_only_the_users_own_relation_is_kept(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5b: the neighbour's wife is no wife of the user."""
    said = (
        "My neighbour's wife is called Ruth. My brother and his daughter Lotte live in Bonn. "
        "I was wrongly told that I had gout. I am anything but shy. My husband's name is Anton."
    )
    say(reel, kit, [("user", said), ("assistant", "I see.")])
    extract(reel, REPLY)
    assert list(facts(reel)) == ["relationships/husband"]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My boss's daughter is called Freya.", "daughter|Freya"),
        ("My cousin and her son Oskar moved to Leeds.", "son|Oskar"),
        ("Our landlord's dog is called Bruno.", "dog|Bruno"),
        ("The daughter of my boss is called Freya.", "daughter|Freya"),
        ("Peter's girlfriend is called Anja.", "girlfriend|Anja"),
        ("She has a cat called Minka.", "cat|Minka"),
        ("Meine Kollegin hat einen Sohn namens Emil.", "Sohn|Emil"),
        ("Der Hund meiner Nachbarin heißt Waldi.", "Hund|Waldi"),
        ("Die Tochter des Nachbarn heißt Lena.", "Tochter|Lena"),
        ("La femme de mon voisin s'appelle Colette.", "femme|Colette"),
        ("Mi jefe tiene una hija que se llama Inés.", "hija|Inés"),
        ("Il marito di mia sorella si chiama Paolo.", "marito|Paolo"),
        ("De dochter van mijn buurman heet Sanne.", "dochter|Sanne"),
        ("A esposa do meu chefe chama-se Beatriz.", "esposa|Beatriz"),
        ("I am late, as she has a cat called Minka.", "cat|Minka"),
        ("I am sure her brother is called Emil.", "brother|Emil"),
    ],
)
def test_anothers_relation_is_not_the_users(said: str, fact: str) -> None:
    assert _against(said, f"relationships|{fact}").endswith("is about somebody else")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My neighbour Hedda is now my wife.", "wife|Hedda"),
        ("My sister's son is called Oskar.", "nephew|Oskar"),
        ("My neighbour's daughter is called Ida.", "neighbour's daughter|Ida"),
        ("Ich habe eine Tochter namens Mathilde.", "Tochter|Mathilde"),
        ("La mujer de mi vida se llama Pilar.", "mujer|Pilar"),
        ("A minha filha chama-se Rita.", "filha|Rita"),
        ("My brother has a cat, and my cat is called Mimi.", "cat|Mimi"),
        ("My boss knows that I have a son called Ansgar.", "son|Ansgar"),
        ("My wife and her dog Pippa live with me.", "dog|Pippa"),
        ("My wife is away. Her dog Pippa is here.", "dog|Pippa"),
        ("My wife, unlike my neighbour's wife, is called Ruth.", "wife|Ruth"),
        ("I adopted my neighbour's dog Rex.", "dog|Rex"),
        ("My friend Piet and his wife came.", "friend|Piet"),
        ("My daughter Lotte and her brother Emil are here.", "son|Emil"),
        ("Ma femme s'appelle Colette et son chien Rex dort ici.", "chien|Rex"),
        ("Bo and his daughter Lotte, that is us.", "daughter|Lotte"),
        ("I'm the son of a teacher.", "family|son of a teacher"),
        ("I'm the son of a teacher.", "son|teacher"),
        ("I'm the wife of a doctor.", "wife|doctor"),
        ("I am her only brother.", "role|only brother"),
        ("Ida is in hospital. I'm her mother.", "role|mother"),
        ("As the son of a teacher, I read early.", "role|son of a teacher"),
        ("It's Mum's dog, but he lives with us now.", "dog|lives with us"),
    ],
)
def test_the_users_own_relation_stays(said: str, fact: str) -> None:
    assert _against(said, f"relationships|{fact}") == ""


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("The clinic mistakenly wrote that I have epilepsy.", "constraints|epilepsy|has epilepsy"),
        ("They falsely claimed I was a thief.", "identity|role|thief"),
        ("They said I was a drunk, quite wrongly.", "identity|role|drunk"),
        ("On m'a dit par erreur que j'avais le diabète.", "constraints|diabète|le diabète"),
        ("I am nowhere near being a good cook.", "identity|skill|good cook"),
        ("I am far from being a millionaire.", "identity|wealth|millionaire"),
        ("I am by no means religious.", "identity|faith|religious"),
        ("Ich bin alles andere als ordentlich.", "identity|Art|ordentlich"),
        ("Je suis loin d'être riche.", "identity|fortune|riche"),
        ("I refuse to be a landlord.", "identity|role|landlord"),
        ("I refuse to be called Tommy.", "identity|name|Tommy"),
        ("I was wrongly diagnosed with asthma.", "constraints|asthma|has asthma"),
        ("Ich weigere mich, Franzi genannt zu werden.", "identity|Name|Franzi"),
        ("I was within an inch of marrying Carla.", "relationships|wife|Carla"),
        ("Ich war kurz davor, Anna zu heiraten.", "relationships|Frau|Anna"),
        ("Estuve a punto de casarme con Pilar.", "relationships|esposa|Pilar"),
    ],
)
def test_what_was_claimed_wrongly_or_kept_from_is_no_fact(said: str, fact: str) -> None:
    assert _against(said, fact)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I was rightly told that I have gout.", "constraints|gout|has gout"),
        ("They wrongly thought that I was well, but I have asthma.", "constraints|asthma|has asthma"),
        ("I was wrongly accused of theft.", "history|accusation|accused of theft"),
        ("I am far from rich.", "identity|wealth|far from rich"),
        ("I live far from my sister Jonna.", "relationships|sister|Jonna"),
        ("I refuse to have my dog Balto clipped.", "relationships|dog|Balto"),
        ("I refuse to be called Tommy, my name is Thomas.", "identity|name|Thomas"),
        ("I refuse to eat meat.", "preferences|meat|refuses to eat meat"),
        (
            "I refuse to have peanuts in the house, the boy is allergic.",
            "constraints|peanuts|peanuts",
        ),
        ("I refuse to be touched on the neck.", "constraints|neck|touched on the neck"),
        ("I refuse to be touched on the neck.", "preferences|neck|touched on the neck"),
        ("I refuse to have anyone smoke near me with asthma.", "constraints|asthma|asthma"),
        ("I refuse to be ashamed of epilepsy.", "constraints|epilepsy|epilepsy"),
        (
            "I was wrongly diagnosed with asthma before they found I have lupus.",
            "constraints|lupus|has lupus",
        ),
        ("The chart says by mistake that I am fine with penicillin.", "constraints|allergy|penicillin"),
        ("I was far from well with asthma.", "constraints|asthma|asthma"),
    ],
)
def test_what_is_so_beside_such_words_stays(said: str, fact: str) -> None:
    assert _against(said, fact) == ""


def _against(said: str, fact: str) -> str:
    category, key, value = fact.split("|")
    turn = Entry(1, Message("user", said, time="2026-02-10T10:00:00Z"))
    borne = UserTurns([turn], "Bo", "Ada", "2026-02-10").bears(value, said)
    assert not borne.why
    return clause_against(category, key, borne, key, ("Ada", "Bo"))
