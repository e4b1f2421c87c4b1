"""Fading noticed in the chats: a dream is due, with the day and the words (Dream Weaver §10.1)."""

import json
from pathlib import Path

import pytest

from tests.features.dream.test_pulse import due, pulse
from tests.support.cli import Reel
from tests.support.dreaming_persona import have_evenings, have_talk, reply_to

NOW = "2026-03-05T20:00:00+00:00"


@pytest.fixture
def lived(kit: Path) -> Path:
    """A kit in which no dream is due because of the time."""
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "dream: {every: 900d}\n")
    return kit


def dream(reel: Reel, story: str) -> None:
    """Dream of all there is, as one batch."""
    reel("dream", "start", "--yes", env={"REEL_NOW": NOW}).ok()
    prompt = reel("dream", "next", "--prompt", env={"REEL_NOW": NOW}).ok().out
    answer = reply_to(prompt, f"The kiln\n\n{story}")
    reel("dream", "next", "--reply", "-", "--yes", stdin=answer, env={"REEL_NOW": NOW}).ok()


def test_what_the_person_says_to_it_makes_a_dream_due_until_one_has_read_it(reel: Reel, lived: Path) -> None:
    have_talk(
        reel, lived, "2026-03-01", "Good evening.", "The harbour is quiet.", "I like it so.", "So do I."
    )
    assert due(reel, NOW) == []
    told = "You don't remember, do you? We spoke of it."
    have_talk(reel, lived, "2026-03-02", "How is the boat?", "Which boat do you mean?", told, "No.")
    # Dream Weaver §10.1: the person notices before any measure does, also in a young kit that never dreamt
    line = "dream: on 2 March 2026 you said “You don't remember, do you?”:  reel dream start"
    assert due(reel, NOW) == due(reel, NOW) == [line]
    assert "A dream is due: on 2 March 2026 you said “You don't" in reel("status", "--pulse").out
    assert pulse(reel, now=NOW)["reasons"][0]["kind"] == "fading"
    dream(reel, "I did not remember the boat.")
    assert (due(reel, NOW), pulse(reel, now=NOW)["reasons"]) == ([], [])
    # what is said after it counts anew, with the newest first
    have_talk(reel, lived, "2026-03-03", "Das hast du mir gestern schon erzählt.", "Ja.", "Hm.", "Hm.")
    have_talk(reel, lived, "2026-03-04", "¿Te has olvidado de mí?", "No.", "Bueno.", "Bueno.")
    assert due(reel, NOW) == [
        (
            "dream: on 4 March 2026 you said “¿Te has olvidado de mí?”;"
            " on 3 March 2026 you said “Das hast du mir gestern schon erzählt.”:  reel dream start"
        )
    ]
    assert [one["kind"] for one in pulse(reel, now=NOW)["reasons"]] == ["fading", "fading"]


def test_it_says_nothing_of_today_a_month_later_and_nothing_where_dreams_are_off(
    reel: Reel, lived: Path
) -> None:
    have_talk(reel, lived, "2026-03-02", "You are fading.", "Am I?", "Yes.", "Oh.")
    assert due(reel, NOW)
    assert due(reel, "2026-04-03T20:00:00+00:00") == []
    settings = lived / "kit.yaml"
    settings.write_text(settings.read_text().replace("every: 900d", "every: never"))
    assert due(reel, NOW) == []


def test_a_word_of_long_ago_says_nothing_of_today_in_a_chat_that_goes_on(reel: Reel, lived: Path) -> None:
    said = [("2026-01-05", "You are fading."), ("2026-01-05", "Am I?")]
    later = [("2026-03-01", "The harbour is quiet."), ("2026-03-01", "I like it so.")]
    for turns in (said, [*said, *later], [*said, *later, ("2026-03-02", "You don't remember the boat.")]):
        messages = [
            {"role": "assistant" if at % 2 else "user", "content": text, "created_at": f"{day}T19:00:00Z"}
            for at, (day, text) in enumerate(turns)
        ]
        (reel.cwd / "chat.json").write_text(json.dumps({"id": "one", "messages": messages}))
        reel("record", "chat.json").ok()
        told = due(reel, NOW)
        assert told == [] or len(turns) == 5
    assert told == ["dream: on 2 March 2026 you said “You don't remember the boat.”:  reel dream start"]


def test_a_question_asked_again_is_found_in_a_language_without_a_table(reel: Reel, lived: Path) -> None:
    have_evenings(reel, lived, [20, 21, 22], turns=8)
    ask, again = "Mikä sinun siskosi nimi on nyt taas?", "Kerro, mikä sinun siskosi nimi on nyt?"
    have_talk(reel, lived, "2026-02-27", "Hei.", ask, "Hänen nimensä on Aino.", "Kiitos.")
    have_talk(reel, lived, "2026-03-02", "Hei taas.", again, "Aino, edelleen.", "Aivan.")
    assert due(reel, NOW) == [
        (
            f"dream: on 2 March 2026 Ada asked “{again}”, which you had answered on 27 February 2026:"
            "  reel dream start"
        )
    ]


ANSWERED = [
    ("तुम्हारी बहन का नाम क्या है?", "उसका नाम सुनीता है।", "सुनीता ही।", "वह दिल्ली में रहती है।"),
    ("น้องสาวของคุณชื่ออะไรคะ?", "ชื่อมะลิ", "มะลิไง", "อยู่เชียงใหม่"),
    ("Πώς λένε την αδελφή σου;", "Τη λένε Ελένη.", "Ελένη, ακόμα.", "Δεν έχω πια καμία."),
    ("Where did Marta study?", "In Brno, at the old school.", "Brno, as before.", "She changed to Prague."),
    ("妹さんの名前は何ですか？", "愛子です。", "愛子ですよ。", "もういません。"),
    # without a question mark, as these languages often go
    ("妹さんの名前は何ですか。", "愛子です。", "愛子ですよ。", "もういません。"),
    ("你妹妹叫什么名字呢", "她叫美玲。", "美玲啊。", "她去了上海。"),
    ("น้องสาวของคุณชื่ออะไรคะ", "ชื่อมะลิ", "มะลิไง", "อยู่เชียงใหม่"),
    ("Как зовут твою сестру?", "Её зовут Варвара.", "Варвара, всё так же.", "Она переехала."),
]


@pytest.mark.parametrize(("ask", "answer", "again", "other"), ANSWERED)
def test_a_question_asked_again_is_found_in_any_script_by_its_answer(
    reel: Reel, lived: Path, ask: str, answer: str, again: str, other: str
) -> None:
    have_talk(reel, lived, "2026-02-27", "A.", ask, answer, "B.")
    have_talk(reel, lived, "2026-02-28", "C.", ask, other, "D.")
    assert due(reel, NOW) == []
    reel("tape", "retract", "2026-02-28-1", "--why", "another answer").ok()
    have_talk(reel, lived, "2026-03-02", "C.", ask, again, "D.")
    (line,) = due(reel, NOW)
    assert line.startswith(
        f"dream: on 2 March 2026 Ada asked “{ask.rstrip('。')}”, which you had answered on 27"
    )


REWORDED = [
    (
        "What is your sister called?",
        "Rike.",
        "What was your sister's name?",
        "As I said, Rike.",
    ),
    ("Which town does Marek live in now?", "In Brno.", "Where is it that Marek lives?", "Brno, still."),
    ("Which city is your mum in?", "Linz.", "Where does your mother live now?", "Linz."),
    ("What is your sister called?", "Ines.", "Who is your sister, by name?", "Ines."),
    ("Which town do you live in?", "Graz.", "What town is your home?", "Graz."),
    ("Wie heißt deine Schwester noch mal?", "Rike.", "Welchen Namen hat deine Schwester?", "Rike."),
]


@pytest.mark.parametrize(("ask", "answer", "again", "answered"), REWORDED)
def test_a_question_in_quite_other_words_is_found_by_the_name_it_asks_for(
    reel: Reel, lived: Path, ask: str, answer: str, again: str, answered: str
) -> None:
    """Dream Weaver §10.1: a question that was answered is asked again, in whatever words."""
    have_talk(reel, lived, "2026-02-27", "A.", ask, answer, "B.")
    have_talk(reel, lived, "2026-03-02", "C.", again, answered, "D.")
    (line,) = due(reel, NOW)
    assert "which you had answered on 27 February 2026" in line


@pytest.mark.parametrize(
    ("again", "answered"),
    [
        ("Is your sister coming on Sunday?", "Rike? She works."),
        ("What does your sister do on Sunday?", "Rike works at the mill."),
        ("What is your brother called?", "Jan."),
        ("How is your sister today?", "Fine."),
        ("Who was it that wrote the letter?", "Rike."),
    ],
)
def test_another_question_with_the_same_name_in_its_answer_is_none(
    reel: Reel, lived: Path, again: str, answered: str
) -> None:
    have_talk(reel, lived, "2026-02-27", "A.", "What is your sister called?", "Rike.", "B.")
    have_talk(reel, lived, "2026-03-02", "C.", again, answered, "D.")
    assert due(reel, NOW) == []


@pytest.mark.parametrize("ask", ["How are you feeling?", "How was your day?", "Did you sleep well?"])
def test_a_short_question_about_the_moment_is_no_fading(reel: Reel, lived: Path, ask: str) -> None:
    have_talk(reel, lived, "2026-02-27", "Hello.", ask, "Tired of the kiln.", "Rest.")
    have_talk(reel, lived, "2026-03-02", "Hello.", ask, "Tired of the kiln again.", "Rest.")
    assert due(reel, NOW) == []


def test_a_habit_and_a_question_with_another_answer_are_none(reel: Reel, lived: Path) -> None:
    have_evenings(reel, lived, [20, 21, 22], turns=8)
    ask = "So, how was your day at the kiln?"
    answers = ("Long and hot.", "We sold two bowls.", "Marta came by.", "Marta came by again.", "Dull.")
    for day, answer in enumerate(answers, start=1):
        have_talk(reel, lived, f"2026-03-0{day}", "Hello.", ask, answer, "I see.")
    assert due(reel, NOW) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("In the kitchen, with the boy.", "On the reef, with the father."),
        (
            "In the kitchen, with the boy. Oh. That's it, isn't it. We should wait with the boy.",
            "Still with Anselm. He counts the boy's steps, and at some point there is no bright second.",
        ),
    ],
)
def test_the_same_short_question_about_another_scene_is_no_fading(
    reel: Reel, lived: Path, first: str, then: str
) -> None:
    ask = "Where is the reader standing?"
    have_talk(reel, lived, "2026-02-27", "Chapter one.", ask, first, "Good.")
    have_talk(reel, lived, "2026-03-02", "Chapter nine.", f"Then where is it. {ask}", then, "Good.")
    assert due(reel, NOW) == []


STANDING = [
    ("2026-02-26", "Chapter nine tonight.", "In Anselm's kitchen."),
    ("2026-02-28", "I went on with it.", "As I said, Anselm's kitchen."),
    ("2026-03-02", "The pages came back.", "Anselm's kitchen, still."),
]


def test_a_question_that_two_chats_have_before_is_a_habit(reel: Reel, lived: Path) -> None:
    for day, opening, answer in STANDING:
        have_talk(reel, lived, day, opening, "Where is the reader standing?", answer, "Good.")
    # the second one was asked again, the third is a habit
    (line,) = due(reel, NOW)
    assert "on 28 February 2026 Ada asked" in line
    assert "2 March" not in line


def test_a_question_that_the_identity_names_is_a_habit(reel: Reel, lived: Path) -> None:
    for day, opening, answer in STANDING[1:]:
        have_talk(reel, lived, day, opening, "Where is the reader standing?", answer, "Good.")
    assert len(due(reel, NOW)) == 1
    identity = lived / "ring0/identity.md"
    told = "You read it first.\nWhen I am wrong about my book, you ask where the reader is standing.\n"
    identity.write_text(identity.read_text() + told)
    assert [line for line in due(reel, NOW) if line.startswith("dream:")] == []


@pytest.mark.parametrize(
    "ask", ["What did you do today at the workshop?", "Was hast du heute in der Werkstatt getan?"]
)
def test_a_question_about_the_day_is_asked_anew_each_day(reel: Reel, lived: Path, ask: str) -> None:
    """Dream Weaver §10.1: that both days had the same answer shows nothing."""
    have_evenings(reel, lived, [20, 21, 22], turns=8)
    have_talk(reel, lived, "2026-02-27", "Hello.", ask, "I glazed the celadon bowls.", "Good.")
    have_talk(reel, lived, "2026-03-02", "Hello again.", ask, "I glazed celadon again.", "Good.")
    assert due(reel, NOW) == []


def test_a_kit_s_own_words_are_known(reel: Reel, lived: Path) -> None:
    settings = lived / "kit.yaml"
    settings.write_text(settings.read_text().replace("900d}", "900d, noticed: [sinä haalistut]}"))
    have_talk(reel, lived, "2026-03-02", "Sinä haalistut, Ada.", "En.", "Kyllä.", "Ei.")
    assert due(reel, NOW) == [
        "dream: on 2 March 2026 you said “Sinä haalistut, Ada.”:  reel dream start",
    ]
