"""A real server of chats on a free port of this machine, as LM Studio's and Ollama's papers describe theirs.

It can be told to misbehave: each thing in `script` is done for one question, then it answers as it should.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from reel_cli.features.wire import connect as connecting
from reel_cli.features.wire.connection import Patience
from reel_cli.terminal import clipboard

PIECE = 200
"""In characters, of a reply as it is streamed."""

LMSTUDIO: dict[str, Any] = {
    "/api/v1/models": {
        "models": [
            {"type": "embedding", "key": "text-embedding-nomic", "loaded_instances": []},
            {"type": "llm", "key": "gemma-3-4b", "max_context_length": 131072, "loaded_instances": []},
            {
                "type": "llm",
                "key": "qwen3-8b",
                "max_context_length": 131072,
                "loaded_instances": [{"id": "qwen3-8b", "config": {"context_length": 32768}}],
            },
        ]
    }
}
LMSTUDIO_V0: dict[str, Any] = {
    "/api/v0/models": {
        "object": "list",
        "data": [
            {"id": "gemma-3-4b", "type": "vlm", "state": "not-loaded", "max_context_length": 131072},
            {
                "id": "qwen3-8b",
                "type": "llm",
                "state": "loaded",
                "max_context_length": 40960,
                "loaded_context_length": 16384,
            },
        ],
    }
}
OLLAMA: dict[str, Any] = {
    "/api/ps": {"models": [{"name": "llama3.2:3b", "model": "llama3.2:3b", "context_length": 4096}]},
    "/api/show": {
        "parameters": 'num_ctx                        8192\nstop                           "<|eot_id|>"',
        "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
    },
    "/api/tags": {"models": [{"name": "llama3.2:3b"}, {"name": "qwen3:8b"}]},
}
KOBOLDCPP: dict[str, Any] = {
    "/api/extra/true_max_context_length": {"value": 12288},
    "/api/v1/model": {"result": "koboldcpp/Mistral-7B.Q4_K_M"},
}
OPENAI: dict[str, Any] = {
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "gpt-5.1", "object": "model", "created": 1762560000, "owned_by": "system"},
            {"id": "text-embedding-3-small", "object": "model", "created": 1705948997, "owned_by": "system"},
            {"id": "gpt-5-mini", "object": "model", "created": 1754425928, "owned_by": "system"},
        ],
    }
}
LITELLM: dict[str, Any] = {
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "local", "object": "model", "created": 1677610602, "owned_by": "openai"},
            {"id": "openrouter/*", "object": "model", "created": 1677610602, "owned_by": "openai"},
        ],
    }
}
VLLM: dict[str, Any] = {
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "qwen3-8b", "object": "model", "owned_by": "vllm", "root": "Qwen/Qwen3-8B",
             "parent": None, "max_model_len": 16384, "permission": []},
        ],
    }
}  # fmt: skip
TABBY: dict[str, Any] = {
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": name, "object": "model", "owned_by": "tabbyAPI", "logging": None, "parameters": None}
            for name in ("qwen3-8b-exl3", "gemma-3-12b-exl2")
        ],
    },
    "/v1/model": {"id": "qwen3-8b-exl3", "owned_by": "tabbyAPI", "parameters": {"max_seq_len": 24576}},
}
LLAMA_ROUTER: dict[str, Any] = {
    "/props": {"role": "router", "default_generation_settings": {"params": {}, "n_ctx": 0}},
    "/v1/models": {
        "object": "list",
        "data": [
            {
                "id": "qwen3-8b",
                "owned_by": "llamacpp",
                "status": {"value": "loaded"},
                "meta": {"n_ctx": 8192},
            },
            {"id": "gemma-3-4b", "owned_by": "llamacpp", "status": {"value": "unloaded"}},
        ],
    },
}
"""llama.cpp's server with several models, of which it loads what is asked for."""

Say = Callable[[dict[str, Any]], str]
"""Answer to the body of a question."""
Fault = Callable[["ChatRequest"], None]
"""One question, answered as it should not be."""


def chunk(text: str, **more: object) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None, **more}
    return b"data: " + json.dumps({"object": "chat.completion.chunk", "choices": [choice]}).encode() + b"\n\n"


class ChatRequest(BaseHTTPRequestHandler):
    """One question, and the ways to answer it."""

    running: "ChatServer"

    def do_GET(self) -> None:
        self._note({})
        self._told()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(body)
        if not self.path.endswith("/chat/completions"):
            self._told()
            return
        running = self.running
        running.chats.append(body)
        # whoever asked may have gone
        with suppress(OSError):
            (running.script.pop(0) if running.script else whole)(self)

    def _note(self, body: dict[str, Any]) -> None:
        self.body = body
        self.running.paths.append(self.path)
        self.running.keys.append(self.headers.get("Authorization", ""))

    def _told(self) -> None:
        found = self.running.knows.get(self.path)
        self.answer(404 if found is None else 200, json.dumps(found or {"error": "no such path"}).encode())

    def answer(self, status: int, data: bytes, kind: str = "application/json", **headers: str) -> None:
        """An answer in one piece."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin(self) -> None:
        """The head of a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class ChatServer:
    """The running server: `chats` are the bodies it got, `say` answers them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.knows: Mapping[str, Any] = LMSTUDIO
        self.say: Say = lambda _: "Ada"
        self.script: list[Fault] = []
        self.chats: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.answers_as = ""
        """The name that its answers give the model; "" for none."""
        self.closing = Event()

    def sent(self, at: int = -1) -> list[tuple[str, str]]:
        """The messages of one question, as (role, content)."""
        return [(one["role"], one["content"]) for one in self.chats[at]["messages"]]


def whole(asked: ChatRequest) -> None:
    """As it should be: a comment, a thought, the words, why it ended, what it took, the end."""
    text = asked.running.say(asked.body)
    asked.begin()
    asked.wfile.write(
        b": keep-alive\n\n" + chunk("", delta={"role": "assistant", "reasoning_content": "Hm."})
    )
    for at in range(0, len(text), PIECE):
        asked.wfile.write(chunk(text[at : at + PIECE]))
    asked.wfile.write(chunk("", delta={}, finish_reason="stop"))
    named = {"model": asked.running.answers_as} if asked.running.answers_as else {}
    ended = json.dumps({**named, "choices": [], "usage": {"prompt_tokens": 100000}})
    asked.wfile.write(f"data: {ended}\n\ndata: [DONE]\n\n".encode())


def unstreamed(asked: ChatRequest) -> None:
    """A server that answers in one piece whatever it is asked for."""
    message = {"role": "assistant", "content": asked.running.say(asked.body)}
    asked.answer(200, json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode())


def cut_off(share: float, why: str = "") -> Fault:
    """The stream ends after a share of the words; with `why` the server says so itself."""

    def fault(asked: ChatRequest) -> None:
        text = asked.running.say(asked.body)
        asked.begin()
        asked.wfile.write(chunk(text[: int(len(text) * share)]))
        if why:
            asked.wfile.write(chunk("", delta={}, finish_reason=why) + b"data: [DONE]\n\n")

    return fault


def refuse(status: int, data: bytes = b"", **headers: str) -> Fault:
    """An error, with a body and headers."""
    return lambda asked: asked.answer(status, data, **headers)


def garbage(asked: ChatRequest) -> None:
    """A stream of what is no JSON."""
    asked.begin()
    asked.wfile.write(b"data: {half\n\ndata: [DONE]\n\n")


def drip(asked: ChatRequest) -> None:
    """A word now and then, and never an end, until whoever asked has gone."""
    asked.begin()
    while not asked.running.closing.is_set():
        asked.wfile.write(chunk("drop "))
        asked.running.closing.wait(0.001)  # else it is a flood


@contextmanager
def serve_chats() -> Iterator[ChatServer]:
    """Serve until the block is left."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

    class Handler(ChatRequest):
        pass

    with Quiet(("127.0.0.1", 0), Handler) as listening:
        server = ChatServer(f"http://127.0.0.1:{listening.server_address[1]}")
        Handler.running = server
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            listening.shutdown()
            thread.join()


@contextmanager
def serve_unwatched(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """Serve; another try is made at once, and there is no clipboard."""
    monkeypatch.setattr(connecting, "PATIENCE", Patience(sleep=lambda _: None))
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    monkeypatch.setattr(clipboard, "paste", lambda: None)
    with serve_chats() as running:
        yield running
