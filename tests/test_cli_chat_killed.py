"""A chat that is killed, at any point: whatever was shown or sent is on the tape after the next command."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import killed_chat
from tests.chat_server import ChatServer, serve_unwatched
from tests.cli import Reel, git
from tests.killed_chat import lost, strike, twice, waiting


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setattr("tests.chat_server.PIECE", 9)
    with serve_unwatched(monkeypatch) as running:
        running.say = killed_chat.answer
        yield running


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
@pytest.mark.parametrize("at", [3, 17, 33, 47, 61, 93])
def test_what_was_shown_is_on_the_tape_after_the_next_command(
    reel: Reel, kit: Path, server: ChatServer, number: signal.Signals, at: int
) -> None:
    struck = strike(kit, server, at, number)
    assert struck is not None
    if number is signal.SIGKILL:
        assert struck.code == -signal.SIGKILL
    else:
        assert struck.code in (128 + number, -number), struck.err
    reel("status").ok()
    assert not lost(kit, struck), (struck.out, struck.err)
    assert not twice(kit)
    assert not waiting(kit)
    assert not git(kit, "status", "--porcelain")
    reel("tape", "verify").ok()
