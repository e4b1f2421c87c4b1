"""Open threads that were spoken of again, or whose day has passed: the prompt asks how they stand."""

import json
from pathlib import Path

import pytest

from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.dream.dream import Status, Thread
from reel_cli.features.dream.story.mentions import Mention, passed_day, tell_mentions
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_talk, key_of, reply_to

ASKED = "These threads are open, and were spoken of again, or their day has passed."
STORIES = (
    "It was an evening like any other, and he went home early.",
    "He came back late, and the lamp stood where it always stands.",
    "We spoke little then, and what we spoke of was the weather.",
    "There was frost on the window, so the two of us looked at that.",
)
PIANO = "new: 2026-01-03 · Bo · to have the old piano tuned"


def begin(reel: Reel, window: str = "8k") -> str:
    """Begin a dream of what is new, and return its prompt."""
    reel.given("dream", "start", "--yes", "--window", window)
    return reel("dream", "next", "--prompt").ok().out


def answer(reel: Reel, prompt: str, missed: str) -> list[str]:
    """Keep an answer with these threads; what is said of it."""
    reply = reply_to(prompt, STORIES[int(key_of(prompt).partition("-")[0]) - 1], missed)
    kept = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply).ok()
    return [problem["what"] for problem in json.loads(kept.out)["problems"]]


def asked_in(prompt: str) -> str:
    """Return the part of a prompt that asks about open threads; "" for none."""
    _, found, rest = prompt.partition(ASKED)
    return rest.partition("\n\nAs you go")[0] if found else ""


def threads(kit: Path) -> str:
    return (kit / "story/missed.md").read_text()


@pytest.fixture
def dreamt(reel: Reel, kit: Path) -> Path:
    """One evening with a thread that was dropped."""
    have_talk(reel, kit, "2026-01-03", "The old piano must be tuned, I will see to it.", "Do that.")
    prompt = begin(reel)
    assert asked_in(prompt) == ""
    assert answer(reel, prompt, PIANO) == []
    return kit


def test_a_thread_that_is_spoken_of_again_is_asked_about_with_the_turn(reel: Reel, dreamt: Path) -> None:
    have_talk(
        *(reel, dreamt, "2026-01-05", "Rain.", "And wind. I swept the yard."),
        *("The piano was tuned today, it is an old one but sounds new.", "How good."),
    )
    asked = asked_in(begin(reel))
    assert (
        "\n1. 2026-01-03 · Bo · to have the old piano tuned\n"
        "   - 5 January 2026, Bo: “The piano was tuned today, it is an old one but sounds new.”" in asked
    )
    assert "yard" not in asked


def test_a_word_for_the_thing_itself_is_enough_beside_what_was_to_be_done_and_when(
    reel: Reel, kit: Path
) -> None:
    """Dream Weaver §3.3: `I let the bike be` is said of the promise to fix it on Sunday."""
    have_talk(reel, kit, "2026-01-03", "I will fix the bike on Sunday.", "Do that.")
    answer(reel, begin(reel), "new: 2026-01-03 · Bo · to fix the bike on Sunday")
    have_talk(reel, kit, "2026-01-07", "And I let the bike be.", "Fine.")
    assert "   - 7 January 2026, Bo: “And I let the bike be.”" in asked_in(begin(reel))


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [
        # `live` has the root of `Liv`
        ("I live here, it comes with the work.", False),
        # a name alone is said of many matters
        ("Liv has a cold.", False),
        ("The letter for Aunt Liv is in the post.", True),
    ],
)
def test_a_name_is_heard_as_it_is_written_and_not_alone(
    reel: Reel, kit: Path, said: str, *, is_asked: bool
) -> None:
    have_talk(reel, kit, "2026-01-03", "I still owe my aunt Liv the letter.", "Write it.")
    answer(reel, begin(reel), "new: 2026-01-03 · Bo · the letter to aunt Liv")
    have_talk(reel, kit, "2026-01-07", said, "Fine.")
    assert (asked_in(begin(reel)) != "") is is_asked


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [
        ("You never told me the stars.", True),
        ("You still owe me the stars.", True),
        ("Du wolltest mir die stars zeigen.", True),
        ("The stars are bright.", False),
        ("You never told me the way.", False),
    ],
)
def test_one_word_is_enough_where_the_owner_is_reminded(
    reel: Reel, kit: Path, said: str, *, is_asked: bool
) -> None:
    """Dream Weaver §3.3."""
    have_talk(reel, kit, "2026-01-03", "I know no stars.", "I will teach you their names.")
    answer(reel, begin(reel), "new: 2026-01-03 · Ada · to teach Bo the names of the stars")
    have_talk(reel, kit, "2026-01-07", "Snow fell on the yard.", "It did.", said, "I see.")
    assert (f"Bo: “{said}”" in asked_in(begin(reel))) is is_asked


def test_a_thread_nobody_speaks_of_is_not_asked_about(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-05", "Rain, and an old song on the radio.", "I swept the yard.")
    assert asked_in(begin(reel)) == ""


def test_what_the_rest_of_its_own_stretch_says_closes_a_thread_that_quotes_it(reel: Reel, kit: Path) -> None:
    """Dream Weaver §3.3: a reply that begins a thread may not have read on to where it ends."""
    have_talk(reel, kit, "2026-01-03", "The old piano must be tuned, I will see to it.", "Do that.")
    have_talk(reel, kit, "2026-01-04", "Is the old piano tuned, you ask? All done, it sings.", "Good.")
    answer(reel, begin(reel), PIANO)
    have_talk(reel, kit, "2026-01-09", "Rain.", "I swept the yard.")
    prompt = begin(reel)
    assert "4 January 2026, Bo: “Is the old piano tuned, you ask?”" in asked_in(prompt)
    assert answer(reel, prompt, '1: done, "All done, it sings."') == []
    assert "\n   - done · 2026-01-04 · " in threads(kit)


def test_it_is_asked_about_where_a_chapter_of_other_days_came_before_its_own(reel: Reel, kit: Path) -> None:
    """Whichever chapter began it, and on whichever of its days: nobody has asked about it yet."""
    have_talk(reel, kit, "2026-01-02", "Rain.", "I swept the yard.")
    answer(reel, begin(reel), "nothing")
    have_talk(reel, kit, "2026-01-03", "The old piano must be tuned, I will see to it.", "Do that.")
    have_talk(reel, kit, "2026-01-04", "The old piano is tuned.", "Good.")
    answer(reel, begin(reel), PIANO)
    have_talk(reel, kit, "2026-01-09", "Snow.", "At last.")
    assert "4 January 2026, Bo: “The old piano is tuned.”" in asked_in(begin(reel))


def test_threads_of_a_day_that_two_chapters_read_are_not_asked_about_twice(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-03", "The old piano must be tuned, I will see to it.", "Do that.")
    answer(reel, begin(reel), PIANO)
    have_talk(reel, kit, "2026-01-03", "Is the old piano tuned, you ask?", "Well?")
    have_talk(reel, kit, "2026-01-05", "The old piano is not tuned yet.", "Do that.")
    prompt = begin(reel)
    assert "5 January 2026, Bo: “The old piano is not tuned yet.”" in asked_in(prompt)
    answer(reel, prompt, "nothing")
    have_talk(reel, kit, "2026-01-09", "Snow.", "At last.")
    assert asked_in(begin(reel)) == ""


def test_in_a_chat_that_goes_on_later_each_turn_has_its_own_day(reel: Reel, kit: Path) -> None:
    """An app's chat may go on for months: what is said in it then is no word of its first evening."""

    def talk(*said: tuple[str, str]) -> None:
        messages = [
            {
                "role": "assistant" if at % 2 else "user",
                "content": words,
                "created_at": f"{day}T19:00:00Z",
            }
            for at, (day, words) in enumerate(said)
        ]
        place = kit.parent / "talk.json"
        place.write_text(json.dumps({"id": said[0][1], "messages": messages}))
        reel("record", place, cwd=kit).ok()

    began = (
        ("2026-01-03", "The old piano must be tuned before the tenth of January."),
        ("2026-01-03", "Do that."),
    )
    talk(*began)
    day = "until 10 January 2026"
    answer(reel, begin(reel), f"{PIANO}\nnew: 2026-01-03 · Bo · the church door, {day}")
    later = (("2026-02-28", "The old piano is tuned."), ("2026-02-28", "And the stove smokes."))
    talk(*began, *later)
    prompt = begin(reel)
    assert "\n   - 28 February 2026, Bo: “The old piano is tuned.”" in asked_in(prompt)
    assert f"church door, {day}\n   - Its day has passed: 10 January 2026." in asked_in(prompt)
    closing = '1: done, "The old piano is tuned."\n2: let go, it is past\nnew: Bo · the smoking stove'
    assert answer(reel, prompt, closing) == []
    assert "\n   - done · 2026-02-28 · " in threads(kit)
    assert "\n   - let go · 2026-01-10 · " in threads(kit)
    assert "3. open · 2026-02-28 · Bo · the smoking stove\n" in threads(kit)


def test_a_word_that_many_messages_have_is_no_sign_of_a_thread(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-03", "The piano.", "What of it?")
    answer(reel, begin(reel), "new: 2026-01-03 · Bo · the piano")
    have_talk(reel, kit, "2026-01-05", "The piano again.", "Snow fell on the yard where the sparrows sleep.")
    prompt = begin(reel)
    assert "Bo: “The piano again.”" in asked_in(prompt)
    answer(reel, prompt, "nothing")
    have_talk(reel, kit, "2026-01-07", *["I played the piano.", "The piano, then."] * 3)
    assert asked_in(begin(reel)) == ""


def test_of_more_threads_than_there_is_room_for_the_newest_are_asked_about() -> None:
    found = [
        Mention(Thread(number, Status.OPEN, "2026-01-03", "Bo", f"matter {number}"), ("He said so.",))
        for number in range(1, 5)
    ]
    counter = get_tokenizer("o200k_base")
    whole = tell_mentions(found, 1_000, counter)
    assert whole.startswith("1. 2026-01-03 · Bo · matter 1\n   - He said so.\n2. ")
    last_two = whole[whole.index("3. ") :]
    assert tell_mentions(found, counter.count(last_two) + 2, counter) == last_two
    assert tell_mentions(found, 1, counter) == ""


def test_a_question_of_the_persona_is_told_with_its_answer(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-05", "Rain.", "Did you have the old piano tuned?", "Yes, on Monday.")
    asked = asked_in(begin(reel))
    assert "Ada: “Did you have the old piano tuned?”\n   - 5 January 2026, Bo: “Yes, on Monday.”" in asked


def test_a_thread_whose_day_has_passed_is_asked_about_and_may_be_let_go(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-03", "I go to the sea from 10 to 12 January 2026.", "Bring me a shell.")
    answer(reel, begin(reel), "new: 2026-01-03 · Bo · a shell from the sea, 10 to 12 January 2026")
    have_talk(reel, kit, "2026-01-11", "Rain.", "I swept the yard.")
    prompt = begin(reel)
    assert asked_in(prompt) == ""
    assert "stays open" in answer(reel, prompt, "1: let go, his journey is over")[0]
    have_talk(reel, kit, "2026-01-20", "Rain again.", "And wind.")
    prompt = begin(reel)
    assert "\n   - Its day has passed: 12 January 2026." in asked_in(prompt)
    assert "stays open" in answer(reel, prompt, "1: done, he brought it")[0]
    have_talk(reel, kit, "2026-01-21", "Snow.", "At last.")
    prompt = begin(reel)
    assert asked_in(prompt) == ""
    assert answer(reel, prompt, "1: let go, his journey is over") == []
    assert "\n   - let go · 2026-01-12 · his journey is over\n" in threads(kit)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("a shell from the sea, 10 to 12 January 2026", "2026-01-12"),
        # many Mondays come
        ("the class on Monday", ""),
        # the day on which it was broken is not the day by which it is due
        ("never to call the boat a tub; I broke it on the 13th of January", ""),
        ("the plans promised for 13 January 2026", "2026-01-13"),
        ("the lease until 12 March 2026", ""),
    ],
)
def test_a_weekday_alone_is_no_day_that_passes(text: str, day: str) -> None:
    assert passed_day(Thread(1, Status.OPEN, "2026-01-03", "Bo", text), "2026-02-01") == day


def test_of_several_people_only_those_are_heard_whom_a_thread_names(reel: Reel, kit: Path) -> None:
    def talk(day: str, who: str, *said: str) -> None:
        messages = [
            {
                "role": "assistant" if at % 2 else "user",
                "content": words,
                "created_at": f"{day}T19:00:00+00:00",
                **({} if at % 2 else {"name": who}),
            }
            for at, words in enumerate(said)
        ]
        place = kit.parent / f"{who}-{day}.json"
        place.write_text(json.dumps({"title": f"{who} {day}", "messages": messages}))
        reel("record", place, cwd=kit).ok()

    text = (kit / "kit.yaml").read_text().replace("user: Bo", "user: Kenta and Liam")
    (kit / "kit.yaml").write_text(text)
    git(kit, "commit", "-qam", "two people")
    talk("2026-01-03", "Kenta", "The old piano must be tuned.", "Do that.")
    talk("2026-01-03", "Liam", "My back hurts.", "Rest.")
    answer(reel, begin(reel), "new: 2026-01-03 · Kenta · the old piano is to be tuned")
    talk("2026-01-05", "Liam", "The old piano was tuned.", "How good.")
    prompt = begin(reel)
    assert asked_in(prompt) == ""
    answer(reel, prompt, "nothing")
    talk("2026-01-06", "Kenta", "They tuned the old piano.", "How good.")
    assert "6 January 2026, Kenta: “They tuned the old piano.”" in asked_in(begin(reel))


@pytest.mark.parametrize(
    ("said", "is_kept"),
    [
        (("I tried the wine.", "Good."), False),
        (("I tried the wine.", "I'll ask you about the wine tomorrow."), True),
        (("Ask me about the wine when I was there.", "Good."), True),
    ],
)
def test_what_only_the_persona_asks_itself_is_no_thread(
    reel: Reel, kit: Path, said: tuple[str, ...], *, is_kept: bool
) -> None:
    have_talk(reel, kit, "2026-01-03", *said)
    question = "I never asked how the wine was"
    assert answer(reel, begin(reel), f"new: 2026-01-03 · Ada · {question}\n{PIANO}") == []
    first = f"1. open · 2026-01-03 · Ada · {question}\n" if is_kept else ""
    number = 2 if is_kept else 1
    assert threads(kit) == f"# Missed\n\n{first}{number}. open · {PIANO.removeprefix('new: ')}\n"
    advice = kit / "story/how-we-remember.md"
    assert is_kept or advice.read_text().endswith(f"\n\n{question}\n")


def test_a_word_for_no_owner_is_no_part_of_a_thread(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-03", "The old piano must be tuned.", "Do that.")
    answer(reel, begin(reel), "new: 2026-01-03 · unclear · to have the old piano tuned")
    assert threads(kit).endswith("1. open · 2026-01-03 · unclear · to have the old piano tuned\n")


def test_the_next_prompt_asks_what_of_the_story_does_not_agree(reel: Reel, dreamt: Path) -> None:
    """Two chapters that contradict each other stand side by side only in the prompt that holds both."""
    have_talk(reel, dreamt, "2026-01-05", "Rain.", "And wind.")
    prompt = begin(reel)
    assert "or two sentences do not agree, give that a line of its own" in prompt
    assert prompt.index(STORIES[0]) < prompt.index("and whose words show it")
