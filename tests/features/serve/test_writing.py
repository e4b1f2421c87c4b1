"""A page that a model writes in the browser while one watches, over a real server of chats."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.cli import Reel
from tests.support.pages import chat, page
from tests.support.served_kit import Browser, click_in_process, open_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.chat_server import ChatServer

pytest.importorskip("starlette")
pytest.importorskip("multipart")
pytestmark = pytest.mark.needs("wire")
WRITE, KEEP = "/evening/write", "/evening/keep"
CUT = page().index("## What matters")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[ChatServer]":
    from tests.support.chat_server import serve_unwatched

    with serve_unwatched(monkeypatch) as running:
        running.say = lambda _: page()
        yield running


@pytest.fixture
def served(reel: Reel, kit: Path, server: "ChatServer") -> Browser:
    reel("record", "-", stdin=chat()).ok()
    settings = kit / "kit.yaml"
    settings.write_text(f"{settings.read_text()}\nvia: {{to: '{server.address}'}}\n")
    click_in_process(reel)
    return open_browser(kit)


def test_the_words_are_shown_as_they_come_and_then_looked_over(served: Browser, kit: Path) -> None:
    from tests.support.chat_server import PIECE

    evening = served.ask("/evening")
    assert "It stays on this machine, and you look it over first." in evening.words
    told = served.ask(WRITE, evening.form(WRITE))
    at = next(number for number, piece in enumerate(told.pieces) if "In a few words" in piece)
    assert 'id="over"' not in "".join(told.pieces[: at + len(page()) // PIECE])
    assert "The prompt is sent with the bundle and all 6 messages" in told.words
    assert not (kit / "ring3/M-001.md").exists()
    assert "Kept" in served.ask(KEEP, told.form(KEEP)).words
    assert "He asked instead of guessing." in (kit / "ring3/M-001.md").read_text()


def test_what_is_missing_is_asked_for_by_itself(served: Browser, server: "ChatServer", kit: Path) -> None:
    halves = [page()[:CUT], page()[CUT:]]
    server.say = lambda _: halves.pop(0)
    told = served.ask(WRITE, served.ask("/evening").form(WRITE))
    assert len(server.chats) == 2
    assert "Kept" in served.ask(KEEP, told.form(KEEP)).words
    memory = (kit / "ring3/M-001.md").read_text()
    assert "I said why I was careful" in memory
    assert "He asked instead of guessing." in memory


def test_words_of_a_model_are_only_words(served: Browser, server: "ChatServer") -> None:
    server.say = lambda _: "<script>alert(1)</script></pre>\x1b[31m\u202e" + page()
    told = served.ask(WRITE, served.ask("/evening").form(WRITE))
    seen = told.seen
    assert not seen.crossed
    assert [attrs for tag, attrs in seen.elements if tag == "script"] == [{"src": "/page.js", "defer": None}]
    assert "\x1b" not in told.text
    assert "\u202e" not in told.text


def test_a_model_that_does_not_answer_loses_nothing(served: Browser, server: "ChatServer") -> None:
    from tests.support.chat_server import refuse

    server.script = [refuse(401)]
    told = served.ask(WRITE, served.ask("/evening").form(WRITE))
    assert "could not be asked: it needs another key" in told.words
    assert "Write the page" in served.ask("/evening").text
    refused = served.ask(WRITE, {"tip": "0" * 40})
    assert "Something was changed elsewhere" in refused.words


def test_who_stops_watching_is_not_written_for(served: Browser, server: "ChatServer", kit: Path) -> None:
    from reel_cli.features.serve.evening import EveningPages
    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.writing import WrittenPage
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context
    from tests.support.chat_server import drip

    server.script = [drip]
    make = PageMaker(Context(kit, Console()), read_only=False)
    writing = WrittenPage(kit, server.address, EveningPages(make), brief=False)
    words = iter(writing)
    assert next(words) == "drop "
    words.close()  # type: ignore[attr-defined]
    while writing._words.get() is not None:
        pass
    assert writing.finish().note == "Nobody watches any more."
