"""Other names that somebody goes by: a question with one name is led to the turns with the other."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Message, session_path
from tests.support.cli import Reel

TALK = "2026-02-10-1"
BETWEEN = ("The river is up.", "Is it?", "It rained.", "Much?", "All night.", "Ah.")


def ask(reel: Reel, kit: Path, said: Sequence[str], query: str) -> list[int]:
    """Return the messages of what is found in a talk with these turns."""
    talk = [Message(("user", "assistant")[at % 2], text) for at, text in enumerate(said)]
    path = kit / session_path(TALK)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(render_session(TALK, Conversation("messages", talk)))
    found = json.loads(reel("recall", "--json", query).ok().out)
    return [hit["message"] for hit in found["hits"]]


@pytest.mark.parametrize(
    ("told", "said", "query"),
    [
        ("My sister Jana is coming.", "Jana plays the cello now.", "what instrument does my sister play"),
        ("Jana, my sister, is coming.", "Jana plays the cello now.", "which instrument has my sister"),
        ("My mother Nuala is well.", "Mam has her cataract in May.", "when is Nuala's cataract"),
        ("Dr. Okafor was kind.", "Okafor wants a scan of my heart.", "what does the doctor scan"),
        ("My boat is called Gudrun.", "Gudrun leaks at the stern.", "where does the boat leak"),
        (
            "Beatrice is six; we call her Bee.",
            "Bee lost a tooth on Sunday.",
            "when did Beatrice lose that tooth",
        ),
        ("Meine Schwester Jana kommt.", "Jana spielt jetzt Cello.", "was spielt die Schwester"),
        ("Ma sœur s'appelle Jana.", "Jana joue du violoncelle.", "de quoi joue la sœur"),
    ],
)
def test_a_question_finds_the_turn_by_the_other_name(
    reel: Reel, kit: Path, told: str, said: str, query: str
) -> None:
    found = ask(reel, kit, (told, "Oh!", *BETWEEN, said), query)
    assert found[:1] == [9]


def test_a_word_that_two_people_go_by_is_nobodys_name(reel: Reel, kit: Path) -> None:
    said = (
        "My sister Jana is coming.",
        "Oh!",
        "My sister Ines stays.",
        *BETWEEN,
        "Jana bakes.",
        "Jana swims.",
    )
    assert not {10, 11} & set(ask(reel, kit, said, "where is my sister"))


def test_a_question_costs_the_same_where_turns_are_chapters(reel: Reel, kit: Path) -> None:
    asked = "does Edda mind that Ragna, Sunniva, Torleif and Oddny call the boat a wreck"
    names = ("Edda and Ragna call. ", "Sunniva calls Torleif, and Oddny has a boat, which is a wreck. ")
    chapter = "".join(names) + "The Rain Fell On The Roof Of The Old House By The Lake all night " * 600
    said = [f"{at}. {chapter}{''.join(names)}" for at in range(30)]
    ask(reel, kit, said, asked)
    began = time.process_time()
    ask(reel, kit, said, asked)
    assert time.process_time() - began < 2


def test_where_somebody_comes_from_is_no_name(reel: Reel, kit: Path) -> None:
    said = ("My dad Tom is old.", "Oh!", "My dad is Irish.", *BETWEEN, "Tom mends clocks.", "Irish coffee.")
    assert ask(reel, kit, said, "what does my dad do")[:1] == [10]
