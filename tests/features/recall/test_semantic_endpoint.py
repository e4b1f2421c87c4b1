"""Embeddings asked of a server: in batches, and with nothing it sends believed."""

import json
import socket
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.host import is_this_machine
from reel_cli.features.recall.embeddings import endpoint as semantic_endpoint
from reel_cli.features.recall.embeddings.endpoint import (
    ALLOWED,
    BATCH,
    EmbeddingError,
    Endpoint,
    parse_vectors,
)
from tests.support.embedding_server import EmbeddingServer, answer, serve_embeddings, vector, well


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serve_embeddings() as running:
        yield running


def trouble(server: EmbeddingServer, texts: Sequence[str] = ("a sledge",), timeout: float = 20.0) -> str:
    with pytest.raises(EmbeddingError) as caught:
        Endpoint(server.address, "m", timeout).embed(texts)
    return str(caught.value)


def test_texts_are_sent_in_batches_and_come_back_in_order(server: EmbeddingServer) -> None:
    texts = [f"text {n}" for n in range(2 * BATCH + 3)]
    assert Endpoint(f"{server.address}/", "bge-m3").embed(texts) == [vector(text) for text in texts]
    assert [len(batch) for batch in server.asked] == [BATCH, BATCH, 3]
    assert server.texts == texts
    assert {body["model"] for body in server.bodies} == {"bge-m3"}
    assert set(server.paths) == {"/v1/embeddings"}


def test_the_index_says_which_text_a_vector_is_of(server: EmbeddingServer) -> None:
    def backwards(texts: Sequence[str]) -> tuple[int, bytes]:
        items = [{"index": n, "embedding": vector(text)} for n, text in enumerate(texts)]
        return 200, json.dumps({"data": items[::-1]}).encode()

    server.say = backwards
    assert Endpoint(server.address, "").embed(["one", "two"]) == [vector("one"), vector("two")]
    assert "model" not in server.bodies[0]


@pytest.mark.parametrize(
    ("model", "before"),
    [
        ("text-embedding-nomic-embed-text-v1.5", ("search_query: ", "search_document: ")),
        ("multilingual-e5-small", ("query: ", "passage: ")),
        ("bge-m3", ("", "")),
    ],
)
def test_a_model_sees_what_it_was_trained_on(
    server: EmbeddingServer, model: str, before: tuple[str, str]
) -> None:
    endpoint = Endpoint(server.address, model)
    endpoint.embed(["sledge"], question=True)
    endpoint.embed(["sledge"])
    assert server.texts == [f"{words}sledge" for words in before]


def test_any_text_can_be_sent(server: EmbeddingServer) -> None:
    texts = ["", "\0\x1b[2J", "\ud800", "雪", '"}]']
    assert len(Endpoint(server.address, "m").embed(texts)) == len(texts)
    assert server.texts == texts


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_an_error_is_said_by_its_number(server: EmbeddingServer, status: int) -> None:
    server.say = lambda _: (status, b"\x1b[31mno such model")
    assert trouble(server) == f"it answered with error {status}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_what_was_said_follows_no_redirect(server: EmbeddingServer, status: int) -> None:
    server.say = lambda _: (status, b"")
    server.headers = {"Location": f"{server.address}/elsewhere"}
    assert trouble(server) == "it points to another address"
    assert server.paths == ["/v1/embeddings"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "what it answered are no embeddings"),
        (b"<html>hello</html>", "what it answered are no embeddings"),
        (b"[" * 200_000, "what it answered are no embeddings"),
        (b"[]", "what it answered are no embeddings"),
        (b'{"data": null}', "what it answered are no embeddings"),
        (b'{"data": [7]}', "what it answered are no embeddings"),
        (b'{"data": [{"index": 3, "embedding": [1]}]}', "what it answered are no embeddings"),
        (answer(["AACAPw=="]), "what it answered are no embeddings"),
        (answer([[1, None]]), "what it answered are no embeddings"),
        (answer([[10**400]]), "what it answered are no embeddings"),
        (answer([]), "it gave 0 vectors for 1 texts"),
        (answer([[1], [2]]), "it gave 2 vectors for 1 texts"),
        (answer([[]]), "a vector it gave makes no sense"),
        (answer([[0, 0]]), "a vector it gave makes no sense"),
        (answer([[float("nan"), 1]]), "a vector it gave makes no sense"),
        (answer([[float("-inf"), 1]]), "a vector it gave makes no sense"),
        (answer([[1] * 9000]), "a vector it gave makes no sense"),
    ],
    ids=range(17),
)
def test_an_answer_that_is_none_is_refused(server: EmbeddingServer, data: bytes, message: str) -> None:
    server.say = lambda _: (200, data)
    assert trouble(server) == message


def test_vectors_are_all_of_one_length(server: EmbeddingServer) -> None:
    server.say = lambda texts: (200, answer([[1.0] * (n + 1) for n in range(len(texts))]))
    assert trouble(server, ["one", "two"]) == "it gave vectors of different lengths"


def test_a_huge_answer_is_not_read_to_its_end(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic_endpoint, "MOST_BYTES", 1 << 20)
    server.say = lambda _: (200, b" " * (1 << 21))
    assert trouble(server) == "its answer is longer than 1 MB"


def test_a_server_that_does_not_answer_is_left(server: EmbeddingServer) -> None:
    def late(texts: Sequence[str]) -> tuple[int, bytes]:
        server.closing.wait()
        return well(texts)

    server.say = late
    assert trouble(server, timeout=0.1) == "it did not answer within 0.1 s"
    server.closing.set()


def test_a_port_where_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(EmbeddingError, match="nothing answers there"):
        Endpoint(f"http://127.0.0.1:{port}/v1", "m").embed(["a"])


@pytest.mark.parametrize(
    ("host", "mine"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost.example.org", False),
        ("192.168.1.20", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_which_addresses_are_this_machine(host: str, mine: bool) -> None:  # noqa: FBT001
    assert is_this_machine(host) is mine


def test_another_machine_is_asked_only_where_the_person_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Endpoint("http://example.org:1234/v1", "m")
    monkeypatch.delenv(ALLOWED, raising=False)
    with pytest.raises(EmbeddingError, match=r"not this machine; set REEL_EMBEDDINGS_HOST=example\.org"):
        there.check()
    monkeypatch.setenv(ALLOWED, "example.com")
    with pytest.raises(EmbeddingError):
        there.check()
    monkeypatch.setenv(ALLOWED, "example.org")
    assert there.check() == (
        "What was said is sent to example.org, which is not this machine, to be embedded."
    )
    assert Endpoint("http://localhost:1234/v1", "m").check() is None


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["data", "index", "embedding", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | JSON.map(lambda v: json.dumps({"data": v}).encode()), st.integers(1, 3))
def test_whatever_comes_back_is_vectors_or_refused(data: bytes, count: int) -> None:
    try:
        vectors = parse_vectors(data, count)
    except EmbeddingError:
        return
    assert len(vectors) == count
    assert all(vector and any(vector) for vector in vectors)
