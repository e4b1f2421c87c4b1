"""Embeddings asked of a server that speaks as OpenAI's does: LM Studio, llama.cpp, Ollama.

Nothing here is contacted unless the kit names it. What comes back is untrusted: its size, its time, its
shape and every number are checked, redirects are not followed and no proxy is used.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from math import isfinite
from typing import Any, Final
from urllib.parse import urlsplit

from reel_cli.core.host import is_this_machine
from reel_cli.features.recall.embeddings.store import MOST_DIMENSIONS

BATCH = 32
"""Number of texts sent at a time."""
TIMEOUT = 60.0
"""Seconds a server has for one batch: a model that has to be loaded first takes some."""
MOST_BYTES = 1 << 26
_CHUNK = 1 << 16
ALLOWED = "REEL_EMBEDDINGS_HOST"
"""The environment variable that names a host other than this machine that may be asked."""

_PREFIXES: Final = {
    "nomic": ("search_query: ", "search_document: "),
    "e5": ("query: ", "passage: "),
}
"""Prefixes that models were trained to see before a question and before a text; by a part of the model's
name."""


class EmbeddingError(Exception):
    """Embeddings could not be had; the message ends a sentence: "because ..."."""


class Endpoint:
    """A server's `/v1/embeddings`, at an address like `http://localhost:1234/v1`."""

    def __init__(self, address: str, model: str, timeout: float = TIMEOUT) -> None:
        self._address = address.rstrip("/")
        self._model = model
        self._timeout = timeout
        self.host = urlsplit(address).hostname or ""
        self._before = next((p for part, p in _PREFIXES.items() if part in model.lower()), ("", ""))

    @property
    def name(self) -> str:
        """Return the key of these vectors."""
        return f"{self._address} {self._model}"

    @property
    def shown(self) -> str:
        """Return the name on screen."""
        return self.host

    def check(self) -> str | None:
        """Return a notice to show before it is used; raises EmbeddingError if it may not be used."""
        if is_this_machine(self.host):
            return None
        # an imported kit could name an address of its own
        if os.environ.get(ALLOWED, "").strip().lower() != self.host:
            message = f"it is not this machine; set {ALLOWED}={self.host} to send it what was said"
            raise EmbeddingError(message)
        return f"What was said is sent to {self.host}, which is not this machine, to be embedded."

    def embed(self, texts: Sequence[str], *, question: bool = False) -> list[list[float]]:
        """Return a vector for each text, all of one length; raises EmbeddingError if that fails."""
        before = self._before[0 if question else 1]
        vectors: list[list[float]] = []
        for at in range(0, len(texts), BATCH):
            batch = [before + text for text in texts[at : at + BATCH]]
            vectors += parse_vectors(self._ask(batch), len(batch))
        if len({len(vector) for vector in vectors}) > 1:
            message = "it gave vectors of different lengths"
            raise EmbeddingError(message)
        return vectors

    def _ask(self, texts: Sequence[str]) -> bytes:
        body: dict[str, Any] = {"input": list(texts)}
        if self._model:
            body["model"] = self._model
        request = urllib.request.Request(  # noqa: S310 - the settings let no other scheme through
            f"{self._address}/embeddings",
            data=json.dumps(body).encode("ascii"),
            headers={"Content-Type": "application/json", "Accept": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())
        until = time.monotonic() + self._timeout
        try:
            with opener.open(request, timeout=self._timeout) as answer:
                return _read(answer, until)
        except urllib.error.HTTPError as error:
            with error:
                message = (
                    "it points to another address"
                    if 300 <= error.code < 400
                    else f"it answered with error {error.code}"
                )
            raise EmbeddingError(message) from None
        except TimeoutError:
            message = f"it did not answer within {self._timeout:g} s"
            raise EmbeddingError(message) from None
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            message = f"it did not answer within {self._timeout:g} s" if late else "nothing answers there"
            raise EmbeddingError(message) from None
        except (OSError, ValueError, http.client.HTTPException):
            message = "what it sent broke off or is no HTTP"
            raise EmbeddingError(message) from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirects: text goes only to the address the person wrote."""

    def redirect_request(self, *_: Any) -> None:  # noqa: ANN401
        """Follow none; the answer is an error then."""
        return


def parse_vectors(data: bytes, count: int) -> list[list[float]]:
    """Return an answer's vectors, in the order asked; raises EmbeddingError unless there are `count`."""
    try:
        items = json.loads(data)["data"]
        if len(items) != count:
            message = f"it gave {len(items)} vectors for {count} texts"
            raise EmbeddingError(message)
        found = {int(item.get("index", at)): item["embedding"] for at, item in enumerate(items)}
        vectors = [[float(x) for x in found[at]] for at in range(count)]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        message = "what it answered are no embeddings"
        raise EmbeddingError(message) from None
    for vector in vectors:
        if not 0 < len(vector) <= MOST_DIMENSIONS or not all(map(isfinite, vector)) or not any(vector):
            message = "a vector it gave makes no sense"
            raise EmbeddingError(message)
    return vectors


def _read(answer: http.client.HTTPResponse, until: float) -> bytes:
    """Return the body, within a size and a time however slowly it comes."""
    parts, size = [], 0
    while part := answer.read1(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            message = f"its answer is longer than {MOST_BYTES >> 20} MB"
            raise EmbeddingError(message)
        if time.monotonic() > until:
            raise TimeoutError
    return b"".join(parts)
