"""The one line of recall that a fact is told in: it answers what was asked, or it is not there."""

import json
import os
from pathlib import Path

import pytest

from reel_cli.core.tape.search.fact_answer import EXACT, FactLine, rank_answer, read_question
from tests.features.recall.test_recall import record
from tests.support.cli import Reel

pytestmark = pytest.mark.needs("facts")


def rank(question: str, key: str, line: str, asker: str = "user") -> int:
    category = "own" if line.startswith(("your ", "you ")) else "context"
    return rank_answer(
        read_question(question, ["vera", "bo"], asker), FactLine(f"fact {category}/{key}", key, line)
    )


ANSWERED = [
    ("what is my dog called", "dog", "dog: Biscuit"),
    ("what is my name", "name", "name: Bo Lind"),
    ("what is my dad called", "father's name", "father's name: Bo's father is called Harold"),
    ("what is Ines's husband called", "karl", "Karl: Ines's husband Karl did the rest"),
    ("what did I name the toy dog", "tilly", "Tilly: “I still have the toy dog! I named her Tilly”"),
    ("who is my landlady", "mrs pell", "Mrs Pell: landlady is a retired midwife, Mrs Pell"),
    ("who is Denise", "denise", "Denise is the ward sister where Bo works"),
    (
        "who knows the man with the boat",
        "boat",
        "not Ann knows the man with the boat, it's Alf's coach",
    ),
    ("when is my birthday", "birthday", "birthday: Bo turns 42 on 9 August 2026"),
    ("When is the book due?", "library book", "library book: it is due back by the twenty-first"),
    ("When is the rent due?", "rent", "rent: The rent is due on the first"),
    ("when is the rent due", "rent due", "rent due: first of the month"),
    ("what time is the boat", "boat", "boat's moved. it's sat 25 july now. 2pm at Staithes"),
    (
        "when did Ines visit the lighthouse",
        "trip",
        "trip: Ines took the early ferry and on 3 May 2023 visited the lighthouse",
    ),
    ("where is the studio", "studio", "studio: Cobden Street, Leith"),
    ("where do I work", "work", "work: Bo said on 3 February 2026: “I do nights on 7B”"),
    ("how old is my daughter", "daughter", "Bo's daughter is Aino, who is five (said 2 February 2026)"),
    ("how old is my daughter", "daughter", "Bo's daughter Aino was born on 9 August 2019"),
    ("how old is my son", "son", "son: Alf, born in 2016"),
    ("how heavy is Kolben", "kolben", "Kolben is Bo's dog, a lurcher of 21 kilos"),
    ("how long is the trial", "trial", "trial: four months, till the end of July"),
    ("how much is the hall fee", "hall fee", "hall fee: 21 a session from April"),
    ("how much do the lessons cost me", "swimming", "swimming: lessons are 40 a month"),
    ("how many nights are left", "nights left", "nights left: eight"),
    ("what is Aino allergic to", "aino's allergy", "Aino's allergy: cashews and pistachio"),
    ("what are you reading", "dune", "you are reading Dune by Frank Herbert"),
    ("房租是多少", "房租", "房租: 八百七十块"),
    ("家賃は", "家賃", "家賃: 八万円"),
    ("what did Mr Okafor teach me", "mr okafor", "Mr Okafor: “he'd been teaching me chess at 4am”"),
]


@pytest.mark.parametrize(("question", "key", "line"), ANSWERED)
def test_a_fact_of_the_thing_that_has_what_is_asked_for_answers(question: str, key: str, line: str) -> None:
    assert rank(question, key, line)


NOT_ANSWERED = [
    # no name, no day, no place, no amount
    ("what was the boat called", "boat", "boat's moved. it's sat 25 july now. 2pm at Staithes"),
    ("what is my flat called", "flat application", "flat application: Bo has put in for it"),
    ("what is my flat called", "flat", "Bo has lived for years in a flat in Cobden Street above the mill"),
    ("what is my dog called", "dog", "dog: Lovely animal that sleeps all day"),
    ("who knows the man with the boat", "boat", "boat: 52 foot long, needs paint"),
    ("how many nights are left", "nights left", "nights left: noted on 9 August 2026"),
    ("what is my son called", "son", "Bo's son's cram school fees"),
    ("what is my daughter called", "daughter's birthday", "Bo celebrated her daughter's birthday in May"),
    ("when was the skin test", "skin test", "skin test: cashew big, peanut nothing (said 15 March 2026)"),
    ("how old is Biscuit", "biscuit", "Biscuit is 6.2 kilos"),
    ("how old is Biscuit", "biscuit", "Biscuit was born in a barn, and came on 3 May 2023"),
    ("how much was the boat", "boat", "boat: narrowboat, 52 foot 6, 1983"),
    ("how many turtles do I have", "turtles", "turtles: Bo has had turtles for 3 years"),
    ("why did I close the account", "account", "account: Bo had to close the account"),
    ("who is Clive", "clive", "Clive's phone number, because they're now friends"),
    # of another thing, or of somebody else
    ("how old am I", "son", "son: Alf, nine years old"),
    ("what is my salary", "salary uplift", "salary uplift: a 20% minimum uplift"),
    ("when is the rent due", "rent", "rent: it is due to the man on the first floor"),
    ("when did I row", "rowing", "rowing: Bo rowed for the first time"),
    ("when is my birthday", "dad's birthday", "dad's birthday: on 15 March 2026 was dad's 75th"),
    ("who is my favorite player", "signed ball", "signed ball: signed by their favorite player, Bo's prize"),
    ("who is your favorite hero", "favorite hero", "favorite hero: Spider-Man is Bo's favorite"),
    ("what is my wife called", "wife", "your wife is Ines (you said so on 3 May 2023)"),
    ("what book am I reading", "fantasy books", "fantasy books: Reading a fantasy book helps Bo"),
    ("how is the boat", "toy boat", "toy boat: broken in two"),
    ("what is my hobby", "garden", "garden: Bo's hobby shed leaks"),
    ("how much was the 2021 rent", "rent", "rent: 870"),
    ("which was my second race", "first race", "first race: the harbour mile, won"),
    # only what was asked
    ("what do I do to escape reality", "reminders", "reminders: a way to escape reality"),
    ("我的房租", "房租", "房租: 我的房租"),
]


@pytest.mark.parametrize(("question", "key", "line"), NOT_ANSWERED)
def test_a_fact_that_does_not_say_it_or_is_of_another_thing_is_no_answer(
    question: str, key: str, line: str
) -> None:
    assert not rank(question, key, line)


def test_whose_a_thing_is_depends_on_who_asks() -> None:
    own = ("brother", "your brother Emil was a sailor (you said so on 3 May 2023)")
    assert rank("what was your brother called", *own) == EXACT
    assert rank("what was my brother called", *own, asker="assistant") == EXACT
    assert not rank("what was my brother called", *own)
    assert rank("what was my brother called", *own, asker="") == EXACT


def test_the_line_names_what_it_is_about_and_is_not_there_in_doubt(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "The boat's moved, it's 25 July now.", "Noted.", "Rent is 870.", "Oh.")
    for category, key, value, at in (
        ("commitments", "boat trip", "moved to 25 July, from Staithes", 1),
        ("context", "gross salary", "600 a week before tax", 3),
        ("context", "net salary", "400 a week", 3),
        ("context", "rent", "870", 3),
    ):
        reel("fact", "add", category, key, value, "--source", f"2026-02-10-1#{at}").ok()
    assert reel("recall", "how much is the rent").ok().out.startswith("Known by heart: rent: 870\n")
    assert reel("recall", "when is the boat trip").ok().out.startswith("Known by heart: boat trip: moved to")
    for doubtful in ("what is the boat called", "what was the boat trip called", "what is my salary"):
        assert "Known by heart" not in reel("recall", doubtful).out


def test_a_moment_whose_fact_was_replaced_since_says_so(reel: Reel, kit: Path) -> None:
    """Asked for in other words, only the old day was told, and it was certain."""
    asked, old, new = "when do I see the widower", "2026-02-10-1", "2026-02-12-1"
    record(
        kit, old, "I see a widower on Thursday at two.", "And are you nervous?", "Tea is at four.", "Good."
    )
    record(kit, new, "My Thursday is moved to Friday at ten.", "A better hour.")
    meeting = ("fact", "add", "commitments", "first meeting")
    reel(*meeting, "Thursday at two", "--source", f"{old}#1").ok()
    assert "since then" not in reel("recall", asked).ok().out
    reel(*meeting, "Friday at ten", "--source", f"{new}#1").ok()
    told = reel("recall", asked).ok().out
    since = "(since then: first meeting: Friday, 13 February 2026, at ten"
    assert f"I see a widower on Thursday at two.\n{since}" in told
    assert since in json.loads(reel("recall", "--json", asked).ok().out)["hits"][0]["text"]
    # neither where the fact is told already, nor beside other words, nor where its evening was taken back
    known = reel("recall", "when is my first meeting", "-n", "5").ok().out
    assert (known.count("Friday, 13 February 2026, at ten"), "since then" in known) == (1, False)
    assert "since then" not in reel("recall", "when is tea").ok().out
    reel("tape", "retract", new).ok()
    assert "since then" not in reel("recall", asked).ok().out


def test_a_fact_put_right_from_the_same_words_is_no_change_since(reel: Reel, kit: Path) -> None:
    session = "2026-02-10-1"
    record(kit, session, "I see a widower on Friday at ten, no longer at two.", "And are you nervous?")
    meeting = ("fact", "add", "commitments", "first meeting")
    reel(*meeting, "Friday at two", "--source", f"{session}#1").ok()
    reel(*meeting, "Friday at ten", "--source", f"{session}#1").ok()
    assert "since then" not in reel("recall", "when do I see the widower").ok().out
    reel(*meeting, "Monday at noon").ok()
    assert "(since then: first meeting: " in reel("recall", "when do I see the widower").ok().out


def test_facts_replaced_are_read_once_while_none_changes(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(kit, "2026-02-10-1", "I see a widower on Friday at two.", "And are you nervous?")
    meeting = ("fact", "add", "commitments", "first meeting")
    reel(*meeting, "Friday at two", "--source", "2026-02-10-1#1").ok()
    reel(*meeting, "Monday at noon").ok()
    past = kit.joinpath("facts.yaml").stat().st_mtime - 60
    os.utime(kit / "facts.yaml", (past, past))
    asked = "when do I see the widower"
    told = [reel("recall", asked).ok().out for _ in range(3)]
    assert told[0] == told[1] == told[2]
    assert "(since then: first meeting: " in told[0]
    with monkeypatch.context() as unread:
        # a file that nobody parses needs no parser
        unread.setattr("reel_cli.features.facts.files.parse_facts", None)
        assert reel("recall", asked).ok().out == told[0]
    reel(*meeting, "Tuesday at noon").ok()
    assert "(since then: first meeting: Tuesday, " in reel("recall", asked).ok().out


def test_the_next_of_several_is_the_first_that_is_still_to_come(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "The dentist and the eye clinic both wrote.", "When do they want you?")
    for key, value in (
        ("dentist appointment", "on 20 March 2026 at nine"),
        ("eye clinic appointment", "on 3 March 2026 at two"),
        ("bank appointment", "on 2 February 2026"),
    ):
        reel("fact", "add", "commitments", key, value).ok()
    for asked in ("when is my next appointment", "when is the next appointment?"):
        told = reel("recall", asked).ok().out
        assert "eye clinic appointment: " in told
        assert "20 March" not in told
    # of two on one day neither is the next
    reel("fact", "add", "commitments", "vet appointment", "on 3 March 2026 at four").ok()
    assert "appointment" not in reel("recall", "when is my next appointment").ok().out
    # and no other thing is one
    assert "March" not in reel("recall", "when is my next shift").ok().out


QUESTIONS = [
    ("where do I live", "how old am I?", "what do I do for a living"),
    ("wo wohne ich eigentlich", "Wie alt bin ich?", "was bin ich von Beruf"),
    ("où est-ce que j'habite ?", "quel âge ai-je ?", "quel est mon métier ?"),
    ("¿Dónde vivo?", "¿cuántos años tengo?", "¿en qué trabajo?"),
    ("onde eu moro?", "quantos anos eu tenho?", "qual é a minha profissão?"),
    ("dove vivo?", "quanti anni ho?", "che lavoro faccio?"),
    ("где я живу?", "сколько мне лет?", "кем я работаю?"),
    ("私はどこに住んでいますか", "私は何歳ですか", "私の仕事は何ですか"),
    ("我住在哪里?", "我今年多大了?", "我是做什么工作的?"),
]


def test_a_question_about_oneself_is_answered_by_what_the_fact_is_called(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-20-1", "We walked along the river with Wim.", "I would love to. Was it cold?")
    facts = ("identity/city/York", "identity/age/52", "identity/profession/cellist", "own/city/Leith")
    for one in (*facts, "relationships/home/Ines lives in Lund"):
        reel("fact", "add", *one.split("/")).ok()
    for asked in QUESTIONS:
        for question, value in zip(asked, ("York", "52", "cellist"), strict=True):
            run = reel("recall", question).ok()
            assert run.out.splitlines()[0].endswith(value), question
            assert "did you mean" not in run.err
    for question in ("where does Ines live", "how old is Wim", "what do I do about the river"):
        assert not reel("recall", question).out.startswith(("city: ", "age: ", "profession: ")), question
