"""A server on this machine that speaks as OpenAI's does, with answers that are known beforehand."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

MODEL = "harbour-1"
ANSWERS = {
    "Who came by today?": (
        "Good evening. The rope was still wet – from the *tide*, I think.\n\n"
        "#### How I know\n\n> the bell rang twice\n\nThe café was closed."
    ),
    "And what did she say?": "Kaya. She said the mooring would not hold past Tuesday.",
}
"""Each question and its answer; in one are a heading and a quotation, by which some files mark who speaks."""
OTHERWISE, AGAIN = "I will remember it.", "Or I will forget it."
"""Answers to anything else, and to the very same chat sent once more."""


class LocalServer:
    """The running server: its address, and the chats that were sent to it."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/v1"
        self.chats: list[list[dict[str, Any]]] = []

    def answer(self, body: dict[str, Any]) -> str:
        """Return the answer to the newest question of a chat."""
        messages = body.get("messages", [])
        again = bool(self.chats) and messages == self.chats[-1]
        self.chats.append(messages)
        asked = next((text_of(one) for one in reversed(messages) if one.get("role") == "user"), "")
        return next(
            (answer for question, answer in ANSWERS.items() if question in asked),
            AGAIN if again else OTHERWISE,
        )


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message, which some programs send in parts."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@contextmanager
def serve_answers() -> Iterator[LocalServer]:
    """Serve until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            row = {"id": MODEL, "object": "model", "created": 1762560000, "owned_by": "local"}
            self._send(200 if self.path.endswith("/models") else 404, {"object": "list", "data": [row]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self.path.endswith("/chat/completions"):
                self._send(404, {"error": {"message": "no such path"}})
                return
            text = running.answer(body)
            size = sum(len(text_of(one)) for one in body.get("messages", [])) // 4
            usage = {"prompt_tokens": size, "completion_tokens": 20, "total_tokens": size + 20}
            about = {"id": "chatcmpl-1", "created": 1762560000, "model": body.get("model", MODEL)}
            if not body.get("stream"):
                message = {"role": "assistant", "content": text}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                self._send(200, {**about, "object": "chat.completion", "choices": [choice], "usage": usage})
                return
            about["object"] = "chat.completion.chunk"
            deltas: list[tuple[dict[str, str], str | None]] = [({"role": "assistant", "content": ""}, None)]
            deltas += [({"content": text[at : at + 20]}, None) for at in range(0, len(text), 20)]
            deltas.append(({}, "stop"))
            chunks = [
                {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": why}]}
                for delta, why in deltas
            ]
            if (body.get("stream_options") or {}).get("include_usage"):
                chunks.append({**about, "choices": [], "usage": usage})
            lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
            self._write(200, "".join([*lines, "data: [DONE]\n\n"]).encode(), "text/event-stream")

        def _send(self, status: int, value: dict[str, Any]) -> None:
            self._write(status, json.dumps(value).encode(), "application/json")

        def _write(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        running = LocalServer(listening.server_address[1])
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            listening.shutdown()
            thread.join()
