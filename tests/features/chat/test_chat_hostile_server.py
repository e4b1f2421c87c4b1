"""`reel chat` with servers that answer nonsense: it says why in plain words, and keeps what was said."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from reel_cli.core.tape.session_file import parse_session
from tests.support.chat_server import ChatRequest, ChatServer, Fault, chunk, refuse, serve_unwatched
from tests.support.cli import Reel

SAID = "Is anybody there?"
DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with serve_unwatched(monkeypatch) as running:
        yield running


def raw(*parts: bytes) -> Fault:
    """These bytes, and then the end of the connection."""

    def fault(asked: ChatRequest) -> None:
        for part in parts:
            asked.wfile.write(part)
        asked.close_connection = True

    return fault


def stream(*parts: bytes, head: bytes = b"") -> Fault:
    return raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n" + head + b"\r\n", *parts)


def whole(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).encode()


def ended(running: ChatServer, kit: Path, reel: Reel, fault: Fault) -> tuple[str, str, list[tuple[str, str]]]:
    """Chat once while each answer is such a one; what was shown, what was said of it, and the tape."""
    running.script = [fault] * 3
    done = reel("chat", "--via", running.address, stdin=f"{SAID}\n")
    assert done.code in (0, 1), done.err
    assert "Traceback" not in done.err
    assert "bug" not in done.err
    assert all(line.isprintable() for line in (done.out + done.err).split("\n"))
    path = next(kit.glob("tape/*/*.md"), None)
    if path is None:
        (beside,) = kit.glob(".reel/state/chat-*.md")
        assert beside.read_text() == f"You: {SAID}\n"
        return done.out, done.err, []
    told = [(e.message.role, e.message.text) for e in parse_session(path.read_bytes(), path.name).shown()]
    assert told[0] == ("user", SAID)
    reel("tape", "verify").ok()
    return done.out, done.err, told[1:]


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (raw(b""), "There is no answer from"),
        (raw(b"\0\0\0\0\r\n\r\n"), "There is no answer from"),
        (raw(b"SSH-2.0-OpenSSH_9.6\r\n"), "There is no answer from"),
        (raw(b"HTTP/1.0 200 OK\r\nContent-Length: 9999999999999999\r\n\r\n{}"), "There is no answer from"),
        (raw(b"HTTP/1.0 200 OK\r\nContent-Length: -5\r\n\r\n{}"), "There is no answer from"),
        (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), "There is no answer from"),
        (raw(b"HTTP/1.0 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n{}"), "There is no answer from"),
        (refuse(200, DEEP), "its answer is not JSON"),
        (refuse(200, b"\xff\xfe{"), "its answer is not JSON"),
        (refuse(200, b"{\0}"), "its answer is not JSON"),
        (refuse(200, gzip.compress(whole("Yes.")), Content_Encoding="gzip"), "its answer is not JSON"),
        (refuse(200, b"[]"), "its answer is not a reply"),
        (refuse(200, b'{"choices": [{"message": {"content": 7}}]}'), "its answer is empty"),
        (refuse(302, Location="http://127.0.0.1:1/"), "There is no answer from"),
        (refuse(500, b"\x1b[2J\0" + DEEP), "500"),
        (stream(b"data: " + DEEP + b"\n\n"), "its answer is not JSON"),
        (stream(b"data: \xff\xfe\n\n"), "its answer is not JSON"),
        (stream(chunk("x")[:20]), "There is no answer from"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_said_in_plain_words(
    reel: Reel, kit: Path, server: ChatServer, fault: Fault, why: str
) -> None:
    _, err, told = ended(server, kit, reel, fault)
    assert why in err
    # the second says that the chat ends with no page
    assert err.count("Error: ") <= 2
    assert told == []


@pytest.mark.parametrize(
    ("fault", "kept"),
    [
        (stream(chunk("Yes, I") + b'data: {"error": {"message": "out of \\u001b[1m memory"}}\n\n'), "Yes, I"),
        (stream(chunk("Yes, I") + b"data: " + DEEP + b"\n\n"), "Yes, I"),
        (stream(chunk("Yes, I"), b"data: " + b"x" * 2_500_000), "Yes, I"),
        (stream(chunk("Yes, I"), head=b"Content-Length: 5000000\r\n"), "Yes, I"),
        (stream(chunk("Yes\0, I\x1b[2J"), chunk("", finish_reason="stop")), "Yes, I[2J"),
        (stream(b"event: \xff\n", chunk("Yes."), b"data: [DONE]\n\n" + b"data: no\n\n" * 1000), "Yes."),
        (refuse(200, whole("Yes.")), "Yes."),
    ],
)
def test_what_came_before_it_broke_off_is_kept(
    reel: Reel, kit: Path, server: ChatServer, fault: Fault, kept: str
) -> None:
    out, _, told = ended(server, kit, reel, fault)
    assert [role for role, _ in told] == ["assistant"]
    assert "".join(c for c in told[0][1] if c.isprintable()) == kept
    assert kept[:3] in out
