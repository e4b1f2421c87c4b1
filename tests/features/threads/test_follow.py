"""`reel recall --thread`: a moment with what led there and what came of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.recall.recall_query import course_asked
from reel_cli.features.threads.lattice import FILE
from reel_cli.terminal.console import Console
from tests.features.threads.test_threads import meridian, snapshot, threads  # noqa: F401 (a fixture)
from tests.support.cli import Reel
from tests.support.shelf import ready_made


def recall(reel: Reel, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(reel("recall", *words, "--json").ok().out)
    return told


@pytest.mark.usefixtures("meridian")
def test_what_led_there_and_what_came_of_it_stand_in_order(reel: Reel) -> None:
    """A query goes to the nearest point and along its edges (SRIP-11 §III.3)."""
    told = recall(reel, "Dara", "--thread")
    chats = [hit["session"] for hit in told["hits"]]
    assert chats == sorted(chats)
    assert len(set(chats)) > 2
    assert told["thread"] == "dara"
    assert "thread" not in recall(reel, "Dara")


@pytest.mark.usefixtures("meridian")
def test_words_side_by_side_are_followed_together(reel: Reel) -> None:
    """A query of two words goes along what has both, and is called by both (SRIP-11 §III.3)."""
    told = recall(reel, "pump", "room", "--thread")
    assert told["thread"] == "pump room"
    alone = recall(reel, "room", "--thread")
    assert {hit["session"] for hit in told["hits"]} != {hit["session"] for hit in alone["hits"]}
    assert all("pump" in hit["text"].casefold() for hit in told["hits"])


def test_two_rare_words_of_a_phrase_are_followed_together(reel: Reel, tmp_path: Path) -> None:
    """A campaign for office is the campaign and the office, also where nobody says both at once."""
    root = tmp_path / "race"
    evenings = ["The campaign begins, with leaflets.", "The campaign is slow.", "The office is near now."]
    evenings += ["I lost the office by nine votes.", "The leaflets are recycled."]

    def make() -> None:
        reel("init", str(root), "--name", "Ada").ok()
        for number, text in enumerate([*evenings, *("Plum jam again." for _ in range(5))], start=1):
            said = Conversation("messages", [Message("user", text), Message("assistant", "I see.")])
            path = root / session_path(f"2026-03-{number:02}-1")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(render_session(path.stem, said))

    ready_made(root, "a campaign for office", make)
    reel.cwd = root
    told = recall(reel, "what became of the campaign for office?")
    assert told["thread"] == "campaign for office"
    assert [hit["session"][8:10] for hit in told["hits"]] == ["01", "02", "03", "04"]
    assert "It is another time that office came up." in [hit.get("reason") for hit in told["hits"]]
    # each word of it alone is followed as before
    assert len(recall(reel, "what became of the office?")["hits"]) == 2


@pytest.mark.usefixtures("meridian")
def test_a_question_for_the_course_follows_it_by_itself(reel: Reel) -> None:
    told = reel("recall", "what", "became", "of", "Dara?").ok()
    days = [line for line in told.out.splitlines() if line.endswith("in the night:")]
    assert days[0].startswith("15 July 2025")
    assert days[-1].startswith("19 December 2025")
    assert "In the order in which" in told.err


@pytest.mark.usefixtures("meridian")
def test_each_moment_but_the_best_says_why_it_is_there(reel: Reel) -> None:
    """The subgraph is told with its edges (SRIP-11 §III.3)."""
    told = recall(reel, "Dara", "--thread")
    reasons = [hit.get("reason", "") for hit in told["hits"]]
    assert reasons.count("") == 1
    assert "Both speak of Nwosu, pump and Holm." in reasons
    assert all(
        f"({reason})" in hit["text"] for reason, hit in zip(reasons, told["hits"], strict=True) if reason
    )
    assert not any("reason" in hit for hit in recall(reel, "Dara")["hits"])


@pytest.mark.parametrize(("page", "day"), [("M-006", "15 July"), ("M-010", "3 September")])
def test_a_page_that_names_another_evening_is_the_reason(
    reel: Reel,
    meridian: Path,  # noqa: F811
    page: str,
    day: str,
) -> None:
    path = meridian / "ring3" / f"{page}.md"
    path.write_text(
        path.read_text().replace("## Retrieval", f"- As on {day}, she was awake.\n\n## Retrieval", 1)
    )
    reasons = [hit.get("reason", "") for hit in recall(reel, "Dara", "--thread")["hits"]]
    wanted = f"The page of the later chat speaks of the earlier: “As on {day}, she was awake”."
    assert wanted in reasons


@pytest.mark.usefixtures("meridian")
def test_of_a_few_moments_the_newest_and_the_first_are_among_them(reel: Reel) -> None:
    every = [hit["session"] for hit in recall(reel, "Dara", "--thread")["hits"]]
    few = [hit["session"] for hit in recall(reel, "Dara", "--thread", "-n", "3")["hits"]]
    assert {every[0], every[-1]} <= set(few)
    assert few == sorted(few)


@pytest.mark.usefixtures("meridian")
def test_what_came_up_once_is_told_alone(reel: Reel) -> None:
    told = recall(reel, "what", "became", "of", "the", "oxygen")
    assert len({hit["session"] for hit in told["hits"]}) <= 3


@pytest.mark.usefixtures("meridian")
@pytest.mark.parametrize("room", [60, 150, 400])
def test_a_budget_keeps_the_moment_and_the_ends(reel: Reel, room: int) -> None:
    told = recall(reel, "Dara", "--thread", "--tokens", str(room))
    text = "\n\n".join(hit["text"] for hit in told["hits"])
    assert get_tokenizer("o200k_base").count(text) <= room


def test_what_no_longer_holds_travels_with_the_moment(reel: Reel, meridian: Path) -> None:  # noqa: F811
    path = meridian / "ring3" / "M-010.md"
    text = path.read_text()
    path.write_text(text.replace("---\n", '---\nno_longer: "Dara runs the rig now"\n', 1))
    told = "".join(hit["text"] for hit in recall(reel, "Dara", "--thread")["hits"])
    assert "What holds: Dara runs the rig now" in told


@pytest.mark.parametrize(
    ("query", "matter"),
    [
        ("How did the move to Brno come about?", "the move to Brno"),
        ("what became of the flat", "the flat"),
        ("What happened to Max?", "Max"),
        ("since when is John running for office", "John running for office"),
        ("Tell me, how has her mother been?", "her mother"),
        ("what did Netta cook", ""),
        ("how did you sleep", ""),
    ],
)
def test_questions_for_the_course_of_a_matter(query: str, matter: str) -> None:
    assert course_asked(query) == matter


@pytest.mark.usefixtures("meridian")
@pytest.mark.parametrize("size", [("-n", "30"), ("--tokens", "2000")])
def test_after_a_course_that_leaves_room_comes_what_else_was_found(reel: Reel, size: tuple[str, str]) -> None:
    told = recall(reel, "What happened to Dara?", *size)
    chats = [hit["session"] for hit in told["hits"]]
    assert chats[: told["course"]] == sorted(chats[: told["course"]])
    assert told["course"] < len(chats)
    shown = [
        (hit["session"], turn)
        for hit in told["hits"]
        if hit["span"]
        for turn in range(hit["span"][0], hit["span"][1] + 1)
    ]
    assert len(set(shown)) == len(shown)
    screen = reel("recall", "What happened to Dara?", *size).ok().out
    if size[0] == "--tokens":
        assert get_tokenizer("o200k_base").count(screen) <= 2000


@pytest.mark.usefixtures("meridian")
def test_the_screen_says_where_the_course_ends(reel: Reel) -> None:
    said = reel("recall", "What happened to Dara?", "-n", "30").ok().err
    assert "then comes what else was found" in said
    assert "In the order in which “dara” came up." in reel("recall", "Dara", "--thread", "-n", "30").ok().err


def test_a_first_reading_for_a_thread_says_how_far_it_is(reel: Reel, meridian: Path) -> None:  # noqa: F811
    told: list[tuple[str, int]] = []

    @contextmanager
    def counting(_console: Console, what: str) -> Iterator[Callable[[int, int], None]]:
        yield lambda _done, total: told.append((what, total))

    chats = len(standing_sessions(snapshot(meridian)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Console, "counting", counting)
        for words in (("recall", "Dara", "--thread"), ("why", "M-006"), ("memory", "threads")):
            (meridian / FILE).unlink(missing_ok=True)
            recall(reel, "Dara")
            told.clear()
            reel(*words, "--json").ok()
            assert set(told) == {("Reading the recorded chats", chats)}


def test_a_look_back_leaves_the_present_threads_as_they_are(reel: Reel, meridian: Path) -> None:  # noqa: F811
    chat = meridian / "chat.md"
    said = "Ruth: Dara came to the gate again.\n\nMeridian: Dara at the gate.\n\n"
    for length in (1, 3):
        # the same chat, gone on
        chat.write_text(said * length)
        reel("record", str(chat), "--yes").ok()
    now = threads(reel, "Dara")
    (meridian / FILE).unlink()
    then = recall(reel, "Dara", "--thread", "--at", "HEAD~1")
    assert then["thread"] == "dara"
    assert threads(reel, "Dara") == now
