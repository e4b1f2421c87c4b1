"""Questions that a page foresaw, in other words than were said, and the turns that answer them."""

import json
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.search import Hit
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from reel_cli.features.recall.moment_reader import MomentReader
from tests.support.cli import Reel

FERRY, MILL = "2026-02-10-1", "2026-02-12-1"


def keep_page(kit: Path, number: int, session: str, said: Sequence[str], asked_as: Sequence[str]) -> None:
    """Put a talk on the kit's tape, and a memory of it whose phrase stands in its first message."""
    talk = [Message(("user", "assistant")[at % 2], text) for at, text in enumerate(said)]
    path = kit / session_path(session)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(render_session(session, Conversation("messages", talk)))
    memory = Memory(
        f"M-{number:03}",
        "An evening",
        Level.L1,
        render_body(dict.fromkeys(FIELDS, ".")),
        anchor=said[0],
        marker="All of it in a breath.",
        source=(SourceRange(session, 1, len(said)),),
        asked_as=tuple(asked_as),
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / f"ring3/{memory.id}.md").write_text(render_memory(memory))


def test_a_word_of_a_note_alone_comes_behind_the_name_that_was_said(kit: Path) -> None:
    """Of `bisoprolol dose` the first hit was a talk of soup, to which the page's own `dose` led."""
    glance = Glance(WorkTree(kit), "kit")
    session = "2026-02-10-1"
    said = ("My doctor started me on bisoprolol.", "Take it.", "Ruth brings soup.", "And opinions.")
    keep_page(kit, 1, session, said, ["How much is the dose?"])
    reader = MomentReader(glance, UTC, [session], {}, lambda _: None)
    named = Hit(session, 1, (1, 1), 0.9, 0.28, messages=(1,), terms=("bisoprolol",))
    led = Hit(session, 3, (3, 3), 1.0, 0.3, messages=(3,), terms=("dose",), lead="M-001")
    assert [(one.message, one.confidence) for one in reader.said_first([led, named], "bisoprolol dose")] == [
        (1, 0.28),
        (3, 0.28),
    ]


def first_message(reel: Reel, query: str) -> tuple[str, int]:
    """Return the session and the message of what is told first."""
    hit = json.loads(reel("recall", "--json", query).ok().out)["hits"][0]
    return hit["session"], hit["message"]


def test_a_foreseen_question_leads_to_the_turn_of_its_page_that_answers_it(reel: Reel, kit: Path) -> None:
    ferry = ("The wind took the lantern.", "Light it.", "I brought oil, four flasks.", "We are even.")
    mill = ("A grey man sleeps in the loft of the mill.", "Go by water, on Sunday.")
    keep_page(kit, 1, FERRY, [*ferry, *mill], ["Where does the limping stranger sleep?"])
    assert first_message(reel, "where does the limping stranger sleep") == (FERRY, 5)


def test_a_question_foreseen_word_for_word_comes_before_one_that_shares_a_word(reel: Reel, kit: Path) -> None:
    fare = ("Three silver to cross.", "For a mule?", "He kicks, and pays.", "You only talk.")
    name = ("Left hand low on the oar.", "My mule is called Bishop, by the way.", "He looks like one.")
    keep_page(kit, 1, FERRY, fare, ["What did the passage for man and animal cost?"])
    keep_page(kit, 2, MILL, name, ["What is the animal called?"])
    assert first_message(reel, "What is the animal called?") == (MILL, 2)


def test_a_foreseen_question_of_another_matter_leads_nowhere(reel: Reel, kit: Path) -> None:
    said = ("The kestrel nests in the belfry.", "Lovely!", "It eats voles.", "Poor voles.")
    keep_page(kit, 1, FERRY, said, ["Which bird of prey lives in the church tower?"])
    found = json.loads(reel("recall", "--json", "which train goes to the airport tomorrow").ok().out)
    assert found["hits"] == []


def test_a_foreseen_question_that_shares_one_unsaid_word_leads_nowhere(reel: Reel, kit: Path) -> None:
    said = ("Whose coat is it?", "Hers. She spent two weeks labelling the freezer.", "I'm sure.", "Tea?")
    pain = ("I get migraines, because of the light, so I stop at nine.", "Nine it is.")
    keep_page(kit, 1, FERRY, [*said, *pain], ["What does Bo do because of his headaches?"])
    song = ("The knees held, this morning.", "Who would you like to hear laugh next?")
    keep_page(kit, 2, MILL, song, ["How did the appointment with the client go?"])
    for query in ("what headaches do I have", "when is my next appointment"):
        assert json.loads(reel("recall", "--json", query).ok().out)["hits"] == [], query
    assert first_message(reel, "what does Bo do because of his headaches")[0] == FERRY
    assert first_message(reel, "how did the appointment with the client go")[0] == MILL
