"""SRIP-11 §III.5b, Dream Weaver §7.e: what is denied, doubted, dreamt or only somebody's view is no fact."""

from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import CHECKOUT, Reel
from tests.support.pages import say

REPLY = """## What I know for sure
identity | role | vet | Bo is a vet | "I was nearly a vet." | 0.95
identity | profession | teacher | Bo is a teacher | "I stopped being a teacher." | 0.95
constraints | gout | has gout | Bo has gout | "I have gout" | 0.95
preferences | dogs | loves dogs | Bo loves dogs | "I love dogs" | 0.95

Ada
"""


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I don't think I have diabetes.", "constraints|diabetes|has diabetes"),
        ("I doubt that I have gout.", "constraints|gout|has gout"),
        ("I was tested for asthma and it came back negative.", "constraints|asthma|has asthma"),
        ("The doctor ruled out epilepsy.", "constraints|epilepsy|has epilepsy"),
        ("My ex-wife thought I was allergic to cats.", "constraints|cats|allergic to cats"),
        ("You are 34 and I am 52.", "identity|age|34"),
        ("The girl next door is called Maria.", "identity|name|Maria"),
        ("I was told that I have celiac disease, but that was a mistake.", "constraints|celiac|has celiac"),
        ("I stopped being a teacher.", "identity|profession|teacher"),
        ("I almost married Lena.", "relationships|wife|Lena"),
        ("As a child I was afraid of dogs.", "constraints|dogs|afraid of dogs"),
        ("I dreamt that I was a pilot.", "history|pilot|was a pilot"),
        ("I was nearly a vet.", "identity|role|vet"),
        ("Der Arzt hat Epilepsie ausgeschlossen.", "constraints|Epilepsie|hat Epilepsie"),
        ("Das Mädchen von nebenan heißt Maria.", "identity|Name|Maria"),
        ("Früher war ich Lehrer.", "identity|Beruf|Lehrer"),
        ("Ich habe geträumt, ich sei Pilot.", "identity|Rolle|Pilot"),
        ("It isn't true that I am a vegan.", "preferences|diet|vegan"),
        ("Nobody ever said I have lupus.", "constraints|lupus|has lupus"),
        ("I pretended to be a doctor at the party.", "identity|profession|doctor"),
        ("Just kidding, I am a millionaire.", "context|money|millionaire"),
        ("My character Bram is allergic to iron.", "constraints|iron|allergic to iron"),
        ("People always think I am Irish.", "identity|nationality|Irish"),
        ("I am afraid that I will go blind.", "constraints|sight|blind"),
        ("The scan showed no sign of arthritis.", "constraints|arthritis|has arthritis"),
        ("Je ne pense pas avoir la goutte.", "constraints|goutte|a la goutte"),
        ("J'ai rêvé que j'étais pilote.", "identity|métier|pilote"),
        ("Soñé que era piloto.", "identity|profesión|piloto"),
        ("Casi me caso con Lena.", "relationships|esposa|Lena"),
        ("Ich hätte fast Lena geheiratet.", "relationships|Frau|Lena"),
        ("Mein Vater meinte, ich sei faul.", "identity|Art|faul"),
        ("I'm not convinced that I'm lactose intolerant.", "constraints|lactose|lactose intolerant"),
        ("The blood test for Lyme disease was negative.", "constraints|Lyme disease|has Lyme disease"),
        ("They said it was shingles, which turned out to be wrong.", "constraints|shingles|has shingles"),
        ("For years everyone assumed that I was a smoker.", "preferences|smoking|smoker"),
        ("Last night I had a dream in which I was a surgeon.", "identity|profession|surgeon"),
        ("I came close to being a priest.", "identity|role|priest"),
        ("I was close to marrying Lena.", "relationships|wife|Lena"),
        ("When I was little I hated mushrooms.", "preferences|mushrooms|hates mushrooms"),
        ("You're a vegetarian, and I eat everything.", "preferences|diet|vegetarian"),
        ("The man at the bakery is called Piet.", "identity|name|Piet"),
        ("My mother always believed I had rheumatism.", "constraints|rheumatism|had rheumatism"),
        ("I gave up being a nurse.", "identity|profession|nurse"),
        ("I play a blind man in the new piece.", "constraints|sight|blind"),
        ("I'm no longer diabetic, they say.", "constraints|diabetes|diabetic"),
        ("My sister was sure that I had anaemia.", "constraints|anaemia|has anaemia"),
        ("The tests excluded hepatitis.", "constraints|hepatitis|has hepatitis"),
        ("I very nearly moved to Oslo.", "context|city|Oslo"),
        ("It's a rumour that I am divorced.", "relationships|status|divorced"),
        ("Als Kind hatte ich Angst vor Hunden.", "constraints|Hunde|Angst vor Hunden"),
        ("Meine Exfrau dachte, ich sei Alkoholiker.", "constraints|Alkohol|Alkoholiker"),
        ("Ich wäre beinahe Pfarrer geworden.", "identity|Beruf|Pfarrer"),
        ("Du bist 34 und ich bin 52.", "identity|Alter|34"),
        ("Avant, j'étais professeur.", "identity|métier|professeur"),
        ("J'ai failli épouser Lena.", "relationships|femme|Lena"),
        ("La fille d'à côté s'appelle Maria.", "identity|nom|Maria"),
        ("De niño tenía miedo a los perros.", "constraints|perros|miedo a los perros"),
        ("La chica de al lado se llama María.", "identity|nombre|María"),
    ],
)  # fmt: skip
def test_what_is_not_told_as_so_is_no_fact(said: str, fact: str) -> None:
    assert _against(said, fact)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I take metformin twice a day.", "constraints|metformin|takes metformin twice a day"),
        ("I've got a peanut allergy.", "constraints|peanut|peanut allergy"),
        ("We moved to Bristol last spring, my wife and I.", "context|home|Bristol"),
        ("I'm not a morning person.", "preferences|mornings|not a morning person"),
        ("No one calls me Thomas, it is Tom.", "identity|called|Tom"),
        ("The doctor says I have gout.", "constraints|gout|has gout"),
        ("My doctor thinks I have asthma and put me on an inhaler.", "constraints|asthma|has asthma"),
        ("I was tested for asthma and I have it.", "constraints|asthma|has asthma"),
        ("I stopped being a teacher and became a nurse.", "identity|profession|nurse"),
        (
            "I tested negative for celiac and they found a peanut allergy.",
            "constraints|allergy|a peanut allergy",
        ),
        ("The doctor ruled out a stroke and found an epilepsy.", "constraints|epilepsy|an epilepsy"),
        ("I think I am allergic to shellfish.", "constraints|shellfish|allergic to shellfish"),
        ("I have been afraid of dogs since I was a child.", "constraints|dogs|afraid of dogs"),
        ("As a child I lived in Graz.", "history|childhood|lived in Graz as a child"),
        ("I used to be a teacher.", "history|profession|used to be a teacher"),
        ("I stopped smoking.", "preferences|smoking|stopped smoking"),
        ("I almost always take the bus.", "preferences|bus|takes the bus"),
        ("I nearly forgot: I am allergic to eggs.", "constraints|eggs|allergic to eggs"),
        ("I am almost 53.", "identity|age|almost 53"),
        ("My dream is to sail to Norway.", "goals|dream|sail to Norway"),
        ("I am a pilot, I don't just dream of it.", "identity|profession|pilot"),
        ("Früher war ich Lehrer, jetzt bin ich Imker.", "identity|Beruf|Imker"),
        ("Ich bin Lehrer und wohne in Graz.", "identity|Beruf|Lehrer"),
        ("Der Arzt hat Asthma festgestellt.", "constraints|Asthma|hat Asthma"),
        ("Je suis allergique au lait.", "constraints|lait|allergique au lait"),
        ("Soy enfermera desde hace diez años.", "identity|profesión|enfermera"),
        ("You know I am 52.", "identity|age|52"),
        ("The dog is called Bruno.", "context|dog|Bruno"),
        ("My name is Maria and the girl next door is called Rosa.", "identity|name|Maria"),
        ("My wife thinks I should rest, and I do have a bad knee.", "constraints|knee|bad knee"),
        ("I don't doubt it: I have gout.", "constraints|gout|has gout"),
        ("I don't think I told you that I'm diabetic.", "constraints|diabetes|diabetic"),
        ("I'm scared of spiders.", "constraints|spiders|scared of spiders"),
        ("They took me for a fool, but I am a judge.", "identity|profession|judge"),
        ("I'm convinced that I'm lactose intolerant.", "constraints|lactose|lactose intolerant"),
        ("The blood test for Lyme disease was positive.", "constraints|Lyme disease|Lyme disease"),
        ("They found out that I have shingles.", "constraints|shingles|has shingles"),
        ("Everyone knows that I smoke a pipe.", "preferences|smoking|smokes a pipe"),
        ("I am a surgeon and I dream of my patients.", "identity|profession|surgeon"),
        ("I am close to my brother Karl.", "relationships|brother|Karl"),
        ("I was close to an uncle in Leeds.", "relationships|uncle|uncle in Leeds"),
        ("I was very close to a cousin named Ida.", "relationships|cousin|Ida"),
        ("I am close to a lake.", "context|home|close to a lake"),
        ("I am close to a lake.", "context|home|lake"),
        ("I was so close to fainting on 12 units of insulin.", "constraints|insulin|12 units of insulin"),
        ("When I was little I hated mushrooms.", "history|mushrooms|hated mushrooms when he was little"),
        ("You're right, I am a vegetarian.", "preferences|diet|vegetarian"),
        ("My name is Piet, like the man at the bakery.", "identity|name|Piet"),
        ("My mother and I have rheumatism.", "constraints|rheumatism|rheumatism"),
        ("I gave up sugar.", "preferences|sugar|gave up sugar"),
        ("I am blind in my left eye.", "constraints|sight|blind in the left eye"),
        ("I have been diabetic for years, they say it is mild.", "constraints|diabetes|diabetic"),
        ("I am sure that I had measles in 1980.", "history|measles|had measles in 1980"),
        ("The tests showed hepatitis in my blood.", "constraints|hepatitis|hepatitis"),
        ("It is true that I am divorced.", "relationships|status|divorced"),
        ("There is no doubt that I have gout.", "constraints|gout|has gout"),
        ("I wasn't wrong: I am allergic to bees.", "constraints|bees|allergic to bees"),
        ("I stopped to pet the dog, I love dogs.", "preferences|dogs|loves dogs"),
        ("I'm a teacher by day and a baker by night.", "identity|profession|teacher"),
        ("I once lived in Oslo.", "history|Oslo|once lived in Oslo"),
        ("I am afraid of heights.", "constraints|heights|afraid of heights"),
        ("My doctor was right to think that I have anaemia.", "constraints|anaemia|has anaemia"),
        ("Ich habe seit Jahren Rheuma.", "constraints|Rheuma|hat Rheuma"),
        ("Ich habe Angst vor Hunden, schon als Kind.", "constraints|Hunde|Angst vor Hunden"),
        ("Ich bin 52 und du bist 34.", "identity|Alter|52"),
        ("Ich heiße Maria.", "identity|Name|Maria"),
        ("Je suis professeur depuis dix ans.", "identity|métier|professeur"),
        ("Ma femme s'appelle Lena.", "relationships|femme|Lena"),
        ("No dudo que tengo gota.", "constraints|gota|gota"),
        ("Tengo miedo a los perros.", "constraints|perros|miedo a los perros"),
        ("Me llamo María.", "identity|nombre|María"),
    ],
)  # fmt: skip
def test_what_is_told_as_so_is_kept(said: str, fact: str) -> None:
    assert _against(said, fact) == ""


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Ik eet geen vlees.", "preferences|vlees|eet vlees"),
        ("Ik rook niet meer.", "preferences|roken|rook"),
        ("Jeg spiser ikke kød.", "preferences|kød|spiser kød"),
        ("Jag dricker aldrig kaffe.", "preferences|kaffe|dricker kaffe"),
        ("Nem eszem húst.", "preferences|hús|eszem húst"),
        ("Δεν τρώω κρέας.", "preferences|κρέας|τρώω κρέας"),
        ("Moja siostra ma cukrzycę.", "constraints|cukrzyca|cukrzycę"),
        ("Mijn zus is allergisch voor melk.", "constraints|melk|allergisch voor melk"),
        ("Min bror har astma.", "constraints|astma|har astma"),
    ],
)
def test_no_language_loses_a_denial_or_its_owner(said: str, fact: str) -> None:
    """SRIP-11 §III.5b: a value keeps the denial of its words."""
    assert _against(said, fact)


DENIALS = {
    "Arabic": {"ليس لدي ربو.": "constraints|ربو|ربو", "لم أدخن قط.": "preferences|تدخين|أدخن"},
    "Chinese": {"我没有哮喘。": "constraints|哮喘|哮喘"},
    "Danish": {"Jeg spiser ikke kød.": "preferences|kød|spiser kød"},
    "Dutch": {"Ik heb geen astma.": "constraints|astma|astma"},
    "English": {"I don't eat meat.": "preferences|meat|eat meat"},
    "French": {"Je ne mange pas de viande.": "preferences|viande|mange de viande"},
    "German": {"Ich habe kein Asthma.": "constraints|Asthma|Asthma"},
    "Greek": {"Δεν έχω άσθμα.": "constraints|άσθμα|άσθμα", "Ποτέ δεν καπνίζω.": "preferences|καπνός|καπνίζω"},
    "Hebrew": {"אני לא אוכל בשר.": "preferences|בשר|אוכל בשר", "אין לי אסתמה.": "constraints|אסתמה|אסתמה"},
    "Hungarian": {"Nincs asztmám.": "constraints|asztma|asztmám"},
    "Italian": {"Non mangio carne.": "preferences|carne|mangio carne"},
    "Japanese": {"私は肉を食べません。": "preferences|肉|肉を食べ"},
    "Korean": {"저는 천식이 없어요.": "constraints|천식|천식"},
    "Norwegian": {
        "Jeg spiser ikke kjøtt.": "preferences|kjøtt|spiser kjøtt",
        "Jeg røyker aldri.": "preferences|røyk|røyker",
        "Jeg har ingen allergi.": "constraints|allergi|allergi",
    },
    "Polish": {"Nie mam astmy.": "constraints|astma|astmy"},
    "Portuguese": {"Não tenho asma.": "constraints|asma|asma"},
    "Russian": {"Я не ем мясо.": "preferences|мясо|ем мясо", "У меня нет астмы.": "constraints|астма|астмы"},
    "Spanish": {"No tengo asma.": "constraints|asma|asma"},
    "Swedish": {"Jag har ingen astma.": "constraints|astma|astma"},
    "Ukrainian": {"У мене немає астми.": "constraints|астма|астми"},
}


@pytest.mark.parametrize("language", DENIALS)
def test_a_denial_is_read_in_each_language_that_is_counted(language: str) -> None:
    """SRIP-11 §III.5b."""
    assert len(DENIALS) == 20
    assert "Denials are read in twenty languages" in (CHECKOUT / "docs/protocols.md").read_text("utf-8")
    for said, fact in DENIALS[language].items():
        assert _against(said, fact)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("لا شك أن لدي ربو.", "constraints|ربو|ربو"),
        ("Нет сомнений, у меня астма.", "constraints|астма|астма"),
        ("Ik eet geen vlees.", "preferences|vlees|geen vlees"),
        ("Jeg spiser ikke kun kød.", "preferences|kød|spiser kød"),
        ("Mam cukrzycę.", "constraints|cukrzyca|cukrzycę"),
        ("Ik ben allergisch voor melk.", "constraints|melk|allergisch voor melk"),
    ],
)
def test_what_other_languages_affirm_is_kept(said: str, fact: str) -> None:
    assert _against(said, fact) == ""


def _against(said: str, fact: str) -> str:
    category, key, value = fact.split("|")
    turn = Entry(1, Message("user", said, time="2026-02-10T10:00:00Z"))
    borne = UserTurns([turn], "Tom", "Ada", "2026-02-10").bears(value, said)
    assert not borne.why
    return clause_against(category, key, borne, key, ["Tom"])


@pytest.mark.needs("review")
def test_a_page_keeps_only_what_is_told_as_so(reel: Reel, kit: Path) -> None:
    said = "I was nearly a vet. I stopped being a teacher. I doubt that I have gout. I love dogs."
    say(reel, kit, [("user", said), ("assistant", "I see.")])
    extract(reel, REPLY)
    assert facts(reel) == {"preferences/dogs": "loves dogs"}
    assert "has gout" in reel("review").ok().out
