"""A chat that is killed, at any point: whatever was shown or sent is on the tape after the next command."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from reel_cli.features.watch.chat_spool import read_spool
from tests.support import killed_chat
from tests.support.chat_server import ChatServer, serve_unwatched
from tests.support.cli import Reel, git
from tests.support.killed_chat import lost, strike, twice, waiting


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setattr("tests.support.chat_server.PIECE", 9)
    with serve_unwatched(monkeypatch) as running:
        running.say = killed_chat.answer
        yield running


@pytest.mark.parametrize(
    ("number", "at"),
    [
        *((signal.SIGKILL, at) for at in (17, 33, 61, 93)),
        *((signal.SIGTERM, at) for at in (47, 93)),
        (signal.SIGHUP, 93),
    ],
)
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


def test_half_a_file_of_a_chat_is_read_as_far_as_it_goes_or_not_at_all() -> None:
    lines = [
        {"reel": 1, "format": "chat", "key": "chat:x", "started": None, "inode": 7, "base": 0},
        {"at": 0, "message": {"role": "user", "text": "Hello", "kind": "said"}},
        {"try": "qwen", "time": "2026-01-01T10:00:00Z"},
        {"words": "Well, it was a long"},
        {"try": "qwen", "time": "2026-01-01T10:00:05Z"},
        {"words": "Well"},
    ]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    whole = read_spool(data + b'{"words": " hal', 7)
    assert whole is not None
    assert ([m.text for m in whole.messages], whole.half, whole.own) == (
        ["Hello"],
        "Well, it was a long",
        True,
    )
    copied = read_spool(data, 8)
    assert copied is not None
    assert not copied.own
    for odd in (
        b"",
        b"{}\n",
        b"[1]\n",
        data.replace(b'"base": 0', b'"base": Infinity'),
        b"[" * 99999 + b"\n",
    ):
        assert read_spool(odd, 7) is None
    assert read_spool(data + b'{"at": -1, "message": {}}\n', 7) is None
