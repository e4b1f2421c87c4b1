"""The one line of recall that a fact is told in: it answers what was asked, or it is not there."""

import json
import os
import re
from pathlib import Path

import pytest

from reel_cli.features.facts.answering.fact_answer import rank_answer
from reel_cli.features.facts.answering.fact_line import EXACT, FactLine
from reel_cli.features.facts.answering.fact_question import read_question
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts
from tests.features.recall.test_recall import record
from tests.support.cli import Reel

pytestmark = pytest.mark.needs("facts")


def rank(question: str, key: str, line: str, asker: str = "user") -> int:
    category = "own" if line.startswith(("your ", "you ")) else "context"
    return rank_answer(
        read_question(question, ["vera", "bo"], asker), FactLine(f"fact {category}/{key}", key, line)
    )


ANSWERED = [
    ("which drug may I not take", "ibuprofen", "ibuprofen: must not take ibuprofen"),
    ("which painkiller must I not take", "ibuprofen", "ibuprofen: must not take ibuprofen"),
    ("how much ramipril", "blood pressure medicine", "blood pressure medicine: Bo takes ramipril 5 mg daily"),
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
    ("how much bisoprolol do I take", "bisoprolol", "bisoprolol, 5 mg in the morning"),
    ("How much bisoprolol do I take now?", "bisoprolol", "bisoprolol, 5 mg in the morning"),
    ("what dose of bisoprolol am I on", "bisoprolol", "bisoprolol, 5 mg in the morning"),
    ("what's my bisoprolol dose", "bisoprolol", "bisoprolol, 5 mg in the morning"),
    ("how many mg of bisoprolol should I take?", "bisoprolol", "bisoprolol: 5 since 3 May 2023"),
    ("how much bisoprolol do I take", "bisoprolol", "bisoprolol: they took me off the bisoprolol"),
    ("how often do I take bisoprolol", "bisoprolol", "bisoprolol, 5 mg in the morning"),
    ("when do I take the bisoprolol", "bisoprolol", "bisoprolol, 5 mg at bedtime"),
    ("what do we pay for swimming", "swimming", "swimming: lessons are 40 a month"),
    ("how much was the repair", "repair", "repair: four hundred and sixty, not 640"),
    ("how much do I work", "work", "work: 80 percent from 2 May"),
    ("what time do I sign", "signing", "signing: on the 1st of December at ten"),
    ("when do the pens come", "pen's coming", "pen's coming: 22nd with the ten o'clock ferry"),
    ("when is the check-up", "check-up", "check-up: may, someone new"),
    ("when was the operation", "operation", "operation: done, monday 11 may"),
    ("when did my father die", "father", "Bo's father Nils was a fisherman and died in 2011"),
    ("when was Ines born", "ines's birthday", "Ines's birthday: 21 june"),
    ("how long did you row", "rowing", "you rowed from 1969 to 1993"),
    ("what happens at Christmas", "christmas", "Ines comes to Bo for Christmas, 22 to 28 December"),
    ("what does Ines pay each month, and until when?", "loan", "loan: “Ines pays 250 a month”"),
    ("do I drink coffee after all", "after all coffee", "after all coffee: only before noon"),
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
    ("when was the operation done", "operation", "operation: done, all went well"),
    ("how much bisoprolol do I take", "bisoprolol", "bisoprolol: on an empty stomach since 3 May 2023"),
    ("how much was the boat", "boat", "boat: 52 foot 6, narrow"),
    ("how much did I get for the boat", "boat", "boat: narrowboat, 52 foot 6, 1983"),
    ("why do I take bisoprolol", "bisoprolol", "bisoprolol: 5 mg since Monday 20 July"),
    ("how old is Ines", "ines's price", "Ines's price: 162 000"),
    # only what was asked
    ("what do I do to escape reality", "reminders", "reminders: a way to escape reality"),
    ("我的房租", "房租", "房租: 我的房租"),
]


@pytest.mark.parametrize(("question", "key", "line"), NOT_ANSWERED)
def test_a_fact_that_does_not_say_it_or_is_of_another_thing_is_no_answer(
    question: str, key: str, line: str
) -> None:
    assert not rank(question, key, line)


CARDS = [
    ("what's my cat called", "Trygve: grey cat, 12, half a pill morning and evening"),
    ("who is Trygve", "Trygve: grey cat, 12, half a pill morning and evening"),
    ("how old is Trygve", "Trygve: grey cat, 12, half a pill morning and evening"),
    ("what's the name of Ines's surgeon?", "Nyhagen: Tone, Ines's surgeon in Bergen"),
    ("who is my surgeon", "Nyhagen: her surgeon, right knee"),
    ("who is my landlord", "Mr Pell: landlord, lives below"),
    ("who is my doctor", "Rasmussen is Bo's doctor"),
    ("who owns the clinic", "Torben: owns the clinic, hums"),
    ("who is Torben", "Torben: owns the clinic, hums"),
    ("where does Solveig live", "Solveig: older sister, 63, Bergen"),
    ("how old is Solveig", "Solveig: older sister, sixty-three, Bergen"),
    ("who goes to my mother every Wednesday", "Kari Moen goes to Bo's mother every Wednesday"),
]
NO_CARDS = [
    ("who is my surgeon", "Nyhagen: Tone, Ines's surgeon in Bergen"),
    ("who is my doctor", "Rasmussen is Ines's doctor"),
    ("what is my dog called", "Solveig: older sister, has a dog"),
    ("what is the name of the ferry", "Jon: son, cook on the ferry"),
    ("who is my cat", "Cat: Biscuit ran away"),
    ("who is Per", "Per: died in May"),
    ("where does Solveig live", "Solveig comes home to Bo on Mondays"),
    ("what is Solveig's cat called", "Trygve: grey cat, 12"),
    ("who is my landlady", "Mr Pell: the landlady's nephew"),
]


@pytest.mark.parametrize(("question", "line"), CARDS)
def test_a_fact_about_somebody_tells_by_its_name_who_that_is(question: str, line: str) -> None:
    assert _card(question, line)


@pytest.mark.parametrize(("question", "line"), NO_CARDS)
def test_a_fact_about_somebody_tells_no_name_of_another_thing(question: str, line: str) -> None:
    assert not _card(question, line)


def _card(question: str, line: str) -> bool:
    key = line.partition(": ")[0] if ": " in line else re.match(r"\w+(?: [A-Z]\w+)*", line)[0]  # type: ignore[index]
    asked = read_question(question, ["vera", "bo"], "user")
    fact = FactLine(f"fact relationships/{key.lower()}", key.lower(), line)
    return bool(rank_answer(asked, fact)) and not asked.lacking(fact.words())


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


DOSES = ("2.5 mg in the morning", "5 mg in the morning")


def _doses(reel: Reel, kit: Path) -> None:
    """A medicine whose dose was raised, noted from two evenings."""
    for day, dose in zip(("2026-02-10-1", "2026-02-12-1"), DOSES, strict=True):
        record(kit, day, f"The heart people say bisoprolol {dose}.", "Noted.")
        reel("fact", "add", "constraints", "bisoprolol", dose, "--source", f"{day}#1", "--yes").ok()


def _first(reel: Reel, question: str) -> str:
    return reel("recall", question).ok().out.splitlines()[0]


def test_a_dose_comes_first_and_what_it_was_before_where_that_is_asked_for(reel: Reel, kit: Path) -> None:
    _doses(reel, kit)
    now, before = f"Known by heart: bisoprolol: {DOSES[1]}", f"; before, until 12 February 2026: {DOSES[0]}"
    for asked in (
        "how much bisoprolol do I take",
        "what dose of bisoprolol am I on now?",
        "which medicines do I take",
        "which medicine does Bo take",
        "when do I take bisoprolol",
    ):
        told = _first(reel, asked)
        assert told.startswith(now), asked
        assert DOSES[0] not in told, asked
    for asked in (
        "how much bisoprolol did I use to take",
        "how much bisoprolol was I on before?",
        "do I still take 2.5 mg of bisoprolol",
    ):
        assert _first(reel, asked).startswith(now), asked
        assert before in reel("recall", asked).ok().out.replace("\n  ", " "), asked
    for other in (
        "how much bisoprolol does Ines take",
        "how much aspirin do I take",
        "how much aspirin did I use to take",
        "which medicines does Ines take",
        "how much bisoprolol might Ines take",
        "do I still smoke",
    ):
        assert not reel("recall", other).out.startswith("Known by heart"), other


def test_a_question_in_the_past_tense_is_answered_by_what_held_then(reel: Reel, kit: Path) -> None:
    for day, told in (("2026-02-10-1", "24 June, six weeks"), ("2026-02-12-1", "somebody new, in a year")):
        record(kit, day, f"The check-up is {told}.", "Noted.")
        reel("fact", "add", "context", "check-up", told, "--source", f"{day}#1").ok()
    told = reel("recall", "when was the six-week check-up").ok().out.replace("\n  ", " ")
    assert told.startswith("Known by heart: check-up: 24 June, six weeks")
    assert ", until 12 February 2026; since then: somebody new, in a year" in told


def test_what_still_holds_is_told_beside_what_held(reel: Reel, kit: Path) -> None:
    for day, told in (("2026-02-10-1", "on Thursdays, second row"), ("2026-02-12-1", "on Tuesdays now")):
        record(kit, day, f"Choir is {told}.", "Noted.")
        reel("fact", "add", "preferences", "choir", told, "--source", f"{day}#1").ok()
    told = reel("recall", "is choir still on Thursdays?").ok().out.replace("\n  ", " ")
    assert told.startswith("Known by heart: choir: on Tuesdays now")
    assert "before, until 12 February 2026: on Thursdays, second row" in told
    # a taste is no rule for what else is asked
    for other in ("should I bring the stool to choir", "what did we say about choir rows"):
        assert not reel("recall", other).out.startswith("Known by heart"), other
    # what was let go is told no more
    reel("fact", "drop", "choir", "--yes").ok()
    assert "Known by heart" not in reel("recall", "is choir still on Thursdays?").out


def _stopped(reel: Reel, kit: Path) -> None:
    """A medicine whose dose was raised, and which was stopped in a third chat."""
    _doses(reel, kit)
    stop = "And the doctor stopped the bisoprolol. I take nothing now."
    record(kit, "2026-02-14-1", stop, "Watch your heart for a week.")
    ended = Fact(
        "constraints", "bisoprolol", DOSES[1], source="2026-02-14-1#1", when="2026-02-14", origin="person",
        dropped="its page says that it is over", evidence="the doctor stopped the bisoprolol",
    )  # fmt: skip
    text = add_facts((kit / "facts.yaml").read_text(encoding="utf-8"), [ended])
    (kit / "facts.yaml").write_text(text, encoding="utf-8")


STOPPED = "Over since 14 February 2026: bisoprolol: 5 mg in the morning (“the doctor stopped the bisoprolol”)"


def test_what_is_over_is_told_before_the_moments(reel: Reel, kit: Path) -> None:
    """Once it was over, recall told only the oldest dose, as if it stood."""
    _stopped(reel, kit)
    for asked in (
        "what medicine do I take",
        "how much bisoprolol do I take",
        "am I still on bisoprolol",
        "which medicine does Bo take",
    ):
        first, gap = reel("recall", asked).ok().out.replace("\n  ", " ").split("\n")[:2]
        assert (first, gap) == (STOPPED, ""), asked
    found = json.loads(reel("recall", "--json", "what medicine do I take").ok().out)
    assert (found["known"], found["over"]) == (None, {"id": "constraints/bisoprolol", "text": STOPPED})
    for other in (
        "how much aspirin do I take",
        "which medicine does Ines take",
        "which medicine do you take",
    ):
        assert json.loads(reel("recall", "--json", other).out)["over"] is None, other


def test_a_moment_whose_fact_is_over_says_so(reel: Reel, kit: Path) -> None:
    _stopped(reel, kit)
    since = "(since then: bisoprolol: over since 14 February 2026 (“the doctor stopped the bisoprolol”))"
    told = reel("recall", "the heart people", "-n", "5").ok().out.replace("\n  ", " ")
    for dose in DOSES:
        assert f"Bo: The heart people say bisoprolol {dose}.\n{since}" in told


def test_a_fact_that_was_let_go_by_hand_says_since_when(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "Choir is on Thursdays.", "Noted.")
    reel("fact", "add", "preferences", "choir", "on Thursdays", "--source", "2026-02-10-1#1").ok()
    reel("fact", "drop", "choir", "--yes").ok()
    told = _first(reel, "when is choir")
    assert re.fullmatch(r"Let go on \d+ \w+ 2026: choir: on Thursdays", told)
    reel("fact", "add", "preferences", "choir", "on Tuesdays").ok()
    assert _first(reel, "when is choir").startswith("Known by heart: choir: on Tuesdays")


def test_promises_are_told_by_who_gave_them(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "I promise you the song.", "And I owe you a story.")
    reel("fact", "add", "commitments", "song", "Bo promised to write down the song").ok()
    reel("fact", "add", "own", "story", "owes Bo the story of the goat").ok()
    mine, yours = "Known by heart: song: Bo promised", "Known by heart: story: of Ada: owes Bo the story"
    for asked in ("what did I promise you", "what have I promised you about the song?"):
        assert _first(reel, asked).startswith(mine), asked
    for asked in ("what do you owe me", "is there something you still owe me?"):
        assert _first(reel, asked).startswith(yours), asked
    for other in ("what did you promise me for the winter", "what did Ines promise me"):
        assert not reel("recall", other).out.startswith("Known by heart"), other


def test_a_rule_answers_whether_something_may_be_done(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "Ring Ines only after five.", "I will tell them.")
    reel("fact", "add", "constraints", "ringing Ines", "not before five", "--source", "2026-02-10-1#1").ok()
    for asked in ("may I ring Ines at two in the afternoon?", "when can I ring Ines"):
        assert _first(reel, asked).startswith("Known by heart: ringing Ines: not before five"), asked
    assert not reel("recall", "may I ring Tore").out.startswith("Known by heart")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("is she allergic to penicillin", False),
        ("is my mother allergic to penicillin", False),
        ("what is she allergic to", False),
        ("am I allergic to penicillin", True),
        ("what am I allergic to", True),
    ],
)
def test_a_limit_of_another_person_and_thing_is_no_answer(question: str, *, answers: bool) -> None:
    told = FactLine("fact constraints/allergy", "allergy", "allergy: Bo is allergic to hazelnuts only")
    assert bool(rank_answer(read_question(question, ["vera", "bo"], "user"), told)) is answers


def test_the_nearest_moment_has_the_value_that_replaced_what_it_says(reel: Reel, kit: Path) -> None:
    first, then = "2026-02-10-1", "2026-02-12-1"
    record(kit, first, "The metoprolol is 50 mg in the morning.", "Noted.", "Tea now.", "Yes.")
    record(kit, then, "They took me down to half of it.", "25, then.", "Just so.", "Noted.")
    for value, source in (("50 mg in the morning", f"{first}#1"), ("25 mg", f"{then}#1")):
        reel("fact", "add", "context", "metoprolol", value, "--source", source, "--yes").ok()
    told = reel("recall", "which dose of the zebra medicine in the morning").ok()
    assert "Nothing certain enough was found" in f"{told.out}{told.err}"
    assert "50 mg in the morning" in told.err
    assert "(since then: metoprolol: 25 mg" in told.err
