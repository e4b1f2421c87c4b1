"""A real server of embeddings on a free port of this machine, which can be told to misbehave."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Say = Callable[[Sequence[str]], tuple[int, bytes]]
"""Answer to texts: the status and the body."""

ALIKE = {"sleigh": "sledge", "toboggan": "sledge", "snow": "winter", "hill": "winter"}
"""Words that the server takes for one another."""


def vector(text: str, size: int = 32) -> list[float]:
    """The same for the same words, in any order: a hash a word, added up."""
    total = [0.0] * size
    for word in "".join(c if c.isalnum() else " " for c in text.lower()).split():
        digest = blake2b(ALIKE.get(word, word).encode(), digest_size=size).digest()
        total = [a + b - 127.5 for a, b in zip(total, digest, strict=True)]
    return total if any(total) else [1.0] * size


def answer(vectors: Sequence[object]) -> bytes:
    return json.dumps({"data": [{"index": n, "embedding": v} for n, v in enumerate(vectors)]}).encode()


def well(texts: Sequence[str]) -> tuple[int, bytes]:
    return 200, answer([vector(text) for text in texts])


class EmbeddingServer:
    """The running server: `asked` are the batches it got, `say` answers them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[list[str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.say: Say = well
        self.headers: dict[str, str] = {}
        self.closing = Event()

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.asked for text in batch]


@contextmanager
def serve_embeddings() -> Iterator[EmbeddingServer]:
    """Serve until the block is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.paths.append(self.path)
            server.bodies.append(body)
            server.asked.append(body["input"])
            status, data = server.say(body["input"])
            try:
                self.send_response(status)
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # whoever asked has gone

        def do_GET(self) -> None:
            server.paths.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

    with Quiet(("127.0.0.1", 0), Handler) as listening:
        server = EmbeddingServer(f"http://127.0.0.1:{listening.server_address[1]}/v1")
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            listening.shutdown()
            thread.join()
