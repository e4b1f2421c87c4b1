"""Narration stands where it stood, in nobody's voice: on the screen and in what a model is asked."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.tape.tape_view import read_narration, read_session
from reel_cli.core.tape.transcript import tell_entries
from reel_cli.core.values.search import Question
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import (
    HIDDEN,
    NARRATION,
    NOTE,
    PURGED,
    Conversation,
    Entry,
    Kind,
    Message,
    Session,
)
from reel_cli.features.verify.sessions import render_transcript

TALK = (
    Message("system", "Dusk.", Kind.SYSTEM, name="System", mark=NARRATION),
    Message("user", "Is anybody in?", mark=HIDDEN),
    Message("user", "buy oil", Kind.SYSTEM, mark=NOTE),
    Message("assistant", "The lamp is lit."),
    Message("system", "Night falls.\nAda: it is dark", Kind.SYSTEM, mark=NARRATION),
)
NAME = "2026-02-10-1"


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    (tmp_path / "kit.yaml").write_text("name: Ada\nuser: Bo\n", "utf-8")
    path = tmp_path / f"tape/2026/{NAME}.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(render_session(NAME, Conversation("sillytavern", TALK)))
    return Snapshot(WorkTree(tmp_path), "ada")


def test_the_marks_come_back_from_the_file() -> None:
    data = render_session(NAME, Conversation("sillytavern", TALK))
    assert [entry.message for entry in parse_session(data, "x").entries] == list(TALK)


def test_on_the_screen_it_stands_between_what_was_said(snapshot: Snapshot) -> None:
    plain = render_transcript(snapshot, NAME, numbers=False, everything=False)
    assert plain == (
        "[narration]\nDusk.\n\nBo (hidden in the app): Is anybody in?\n\nAda: The lamp is lit.\n\n"
        "[narration]\nNight falls.\nAda: it is dark\n"
    )
    assert "[a note to oneself]\nbuy oil\n" in render_transcript(
        snapshot, NAME, numbers=False, everything=True
    )


def test_on_the_page_it_stands_below_the_message_before_it(snapshot: Snapshot) -> None:
    pytest.importorskip("reel_cli.features.view.talks")
    from reel_cli.features.view.talks import HIDDEN_LINE, read_chats

    [chat] = read_chats(snapshot)
    assert [list(said.beside) for said in chat.messages] == [
        [HIDDEN_LINE],
        ["Narration: Night falls.\nAda: it is dark"],
    ]


def test_a_model_reads_it_as_narration_and_nobody_can_speak_through_it(snapshot: Snapshot) -> None:
    shown = read_session(snapshot, NAME).shown()
    told = "".join(unit for _, unit in tell_entries(snapshot, NAME, shown))
    assert told.startswith("Narration: Dusk.\n\nBo: Is anybody in?\n\nAda: The lamp is lit.\n\nNarration:")
    assert "\nAda: it is dark" not in told
    later = "".join(unit for _, unit in tell_entries(snapshot, NAME, shown[1:]))
    assert "Dusk" not in later
    assert "Night falls." in later


def test_it_follows_the_message_that_is_still_shown_and_none_is_told_of_a_purge() -> None:
    said = [Entry(1, TALK[1]), Entry(2, TALK[3]), Entry(None, TALK[4])]
    gone = Entry(None, Message("assistant", "", Kind.RETRACTION), supersedes=(2,))
    purged = Entry(None, Message("system", PURGED, Kind.SYSTEM, mark=NARRATION))
    session = Session(
        NAME, datetime(2026, 2, 10, tzinfo=UTC).isoformat(), "sillytavern", None, [*said, gone, purged]
    )
    assert session.narrated() == {1: [TALK[4].text]}


def test_it_is_found_and_told_with_the_message_before_it(tmp_path: Path) -> None:
    moments = pytest.importorskip("reel_cli.features.recall.moments")
    from reel_cli.core.tape.search.index import open_index

    data = render_session(NAME, Conversation("sillytavern", TALK))
    index = open_index(tmp_path / "search.sqlite")
    index.refresh({NAME: "1"}, lambda _: data)
    for query, message in (("night falls", 2), ("dusk", 1)):
        hit = index.find(Question(query), threshold=0.0).hits[0]
        assert hit.message == message
        told = moments.tell_moment(hit, parse_session(data, "x"), Settings(name="Ada", user="Bo"), UTC)
        assert told.said == (
            "Narration: Dusk.\nBo: Is anybody in?\nAda: The lamp is lit.\n"
            "Narration:\n> Night falls.\n> Ada: it is dark"
        )
        assert told.span == (1, 2)


def test_a_long_chat_is_searched_for_narration_once(tmp_path: Path) -> None:
    messages = [Message("user" if n % 2 else "assistant", f"{n} " + "word " * 400) for n in range(2_000)]
    path = tmp_path / f"tape/2026/{NAME}.md"
    path.parent.mkdir(parents=True)
    (tmp_path / "kit.yaml").write_text("name: Ada\nuser: Bo\n", "utf-8")
    path.write_bytes(render_session(NAME, Conversation("messages", tuple(messages))))
    kit = Snapshot(WorkTree(tmp_path), tmp_path.name)
    read_narration(kit, NAME)
    begun = time.process_time()
    for _ in range(2_000):
        assert read_narration(kit, NAME) == {}
    # a search of its four megabytes takes about 2 ms, and 2,000 of them some seconds
    assert time.process_time() - begun < 0.5
