"""Meaning beside words: embedded for what changed, joined to the order, and done without where it fails."""

import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.index import SearchIndex, open_index
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.search import Question, SearchResult
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.recall.embeddings.endpoint import EmbeddingError, Endpoint
from reel_cli.features.recall.embeddings.semantic import PIECE, TapeVectors, choose_embedder, cut_up
from reel_cli.features.recall.embeddings.static import StaticModel
from reel_cli.features.recall.embeddings.store import MOST_PIECES
from tests.support.embedding_server import EmbeddingServer, answer, serve_embeddings, vector

pytest.importorskip(
    "numpy", reason="the arithmetic of embeddings is an extra: pip install 'reel-cli[semantic]'"
)

ONE, TWO, THREE = "2026-02-10-1", "2026-02-11-1", "2026-03-01-1"


def session(name: str, *texts: str) -> bytes:
    roles = ("user", "assistant")
    messages = [Message(roles[n % 2], text, name=("Bo", "Ada")[n % 2]) for n, text in enumerate(texts)]
    return render_session(name, Conversation("messages", messages))


TAPE = {
    ONE: session(ONE, "My sister has a toboggan", "How fast is it"),
    TWO: session(TWO, "The kettle broke this morning", "Tea from a saucepan, then", "My sister laughed"),
    THREE: session(THREE, "We had soup", "Which one"),
}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serve_embeddings() as running:
        yield running


class MeaningIndex:
    """An index with meaning, over a folder that stays."""

    def __init__(self, folder: Path, address: str, tape: Mapping[str, bytes], model: str = "m") -> None:
        self.told: list[str] = []
        self.index: SearchIndex = open_index(folder / ".reel" / "cache" / "search.sqlite")
        stamps = {name: str(len(data)) for name, data in tape.items()}
        self.index.refresh(stamps, tape.__getitem__)
        self.meaning = TapeVectors(
            folder / ".reel" / "cache" / "vectors.sqlite", Endpoint(address, model, 20.0), self.told.append
        )
        self.steps: list[tuple[int, int]] = []
        self.index.use(self.meaning, lambda done, of: self.steps.append((done, of)))

    def find(self, text: str, sessions: Sequence[str] | None = None) -> SearchResult:
        return self.index.find(Question(text, sessions=sessions), threshold=0.0)

    def places(self, text: str, sessions: Sequence[str] | None = None) -> list[tuple[str | None, int | None]]:
        return [(hit.session, hit.message) for hit in self.find(text, sessions).hits]


def test_what_no_word_finds_is_found_by_meaning(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    try:
        assert asked.places("sleigh")[0] == (ONE, 1)
        assert asked.told == []
    finally:
        asked.index.close()
    with open_index(tmp_path / "alone.sqlite") as alone:
        alone.refresh(dict.fromkeys(TAPE, "1"), TAPE.__getitem__)
        assert alone.find(Question("sleigh"), threshold=0.0).hits == []


def test_meaning_orders_what_words_cannot_tell_apart(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    assert asked.places("sister sleigh")[0] == (ONE, 1)
    best = asked.find("sister sleigh").hits
    assert [hit.score for hit in best] == sorted((hit.score for hit in best), reverse=True)
    assert best[0].score == 1.0
    asked.index.close()


def test_it_looks_only_where_it_is_told_to(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    assert {session for session, _ in asked.places("sleigh sister", [TWO, THREE])} <= {TWO, THREE}
    assert asked.places("sleigh sister", []) == []
    asked.index.close()


def test_how_sure_to_be_is_up_to_the_words(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    with open_index(tmp_path / "alone.sqlite") as alone:
        alone.refresh(dict.fromkeys(TAPE, "1"), TAPE.__getitem__)
        for text in ("sister", "sleigh", "the kettle this morning", ""):
            plain = alone.find(Question(text), threshold=0.0).hits
            mine = asked.find(text).hits
            assert max((h.confidence for h in mine), default=0.0) == max(
                (h.confidence for h in plain), default=0.0
            )
    asked.index.close()


def test_a_turn_is_embedded_once_and_with_its_speaker(server: EmbeddingServer, tmp_path: Path) -> None:
    MeaningIndex(tmp_path, server.address, TAPE).index.close()
    assert sorted(server.texts) == sorted(
        [
            "Bo: My sister has a toboggan",
            "Ada: How fast is it",
            "Bo: The kettle broke this morning",
            "Ada: Tea from a saucepan, then",
            "Bo: My sister laughed",
            "Bo: We had soup",
            "Ada: Which one",
        ]
    )
    server.asked.clear()
    again = MeaningIndex(tmp_path, server.address, TAPE)
    assert (server.texts, again.steps) == ([], [])
    again.places("sleigh")
    assert server.texts == ["sleigh"]
    again.index.close()


def test_only_what_changed_is_embedded_anew(server: EmbeddingServer, tmp_path: Path) -> None:
    MeaningIndex(tmp_path, server.address, TAPE).index.close()
    server.asked.clear()
    grown = {
        ONE: TAPE[ONE],
        TWO: session(TWO, "The kettle broke this morning", "Tea, then", "My sister laughed"),
    }
    asked = MeaningIndex(tmp_path, server.address, grown)
    assert server.texts == ["Ada: Tea, then"]
    assert asked.steps == [(0, 1), (1, 1)]
    assert {s for s, _ in asked.places("toboggan kettle soup tea")} == {ONE, TWO}
    asked.index.close()


def test_an_index_built_anew_needs_no_new_vectors(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    before = asked.places("sister sleigh")
    asked.index.close()
    (tmp_path / ".reel" / "cache" / "search.sqlite").unlink()
    server.asked.clear()
    again = MeaningIndex(tmp_path, server.address, dict(reversed(TAPE.items())))
    assert server.texts == []
    assert again.places("sister sleigh") == before
    again.index.close()


def test_another_model_embeds_everything_anew(server: EmbeddingServer, tmp_path: Path) -> None:
    MeaningIndex(tmp_path, server.address, TAPE).index.close()
    server.asked.clear()
    MeaningIndex(tmp_path, server.address, TAPE, model="another").index.close()
    assert len(server.texts) == 7


def test_vectors_of_another_length_by_the_same_name_are_made_anew(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    MeaningIndex(tmp_path, server.address, TAPE).index.close()
    server.say = lambda texts: (200, answer([vector(text, 16) for text in texts]))
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    assert asked.places("sleigh")[0] == (ONE, 1)
    assert asked.told == []
    asked.index.close()


def test_an_interrupted_embedding_goes_on_where_it_was(server: EmbeddingServer, tmp_path: Path) -> None:
    index = open_index(tmp_path / "search.sqlite")
    index.refresh(dict.fromkeys(TAPE, "1"), TAPE.__getitem__)

    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    path = tmp_path / "vectors.sqlite"
    with pytest.raises(KeyboardInterrupt):
        index.use(TapeVectors(path, Endpoint(server.address, "m"), print), stop)
    assert len(server.texts) in (4, 5)
    index.use(TapeVectors(path, Endpoint(server.address, "m"), print))
    assert sorted(server.texts) == sorted(set(server.texts))
    assert len(server.texts) == 7
    index.close()


def test_a_server_that_fails_leaves_the_words(server: EmbeddingServer, tmp_path: Path) -> None:
    server.say = lambda _: (500, b"")
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    assert asked.places("kettle")[0] == (TWO, 1)
    assert asked.places("toboggan")[0] == (ONE, 1)
    assert asked.told == [
        "127.0.0.1 gave no embeddings, so words alone were searched: it answered with error 500."
    ]
    assert len(server.asked) == 1  # it is not asked again
    asked.index.close()


def test_a_server_that_fails_on_the_question_leaves_the_words(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    server.say = lambda _: (200, answer([[float("nan")]]))
    assert asked.places("kettle")[0] == (TWO, 1)
    assert asked.told == [
        "127.0.0.1 gave no embeddings, so words alone were searched: a vector it gave makes no sense."
    ]
    asked.index.close()


def test_a_damaged_file_of_vectors_is_made_anew(server: EmbeddingServer, tmp_path: Path) -> None:
    MeaningIndex(tmp_path, server.address, TAPE).index.close()
    path = tmp_path / ".reel" / "cache" / "vectors.sqlite"
    path.write_bytes(path.read_bytes()[:2000])
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    assert asked.places("sleigh")[0] == (ONE, 1)
    assert asked.told == []
    asked.index.close()


def test_a_tape_without_a_turn(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, {})
    assert asked.places("sleigh") == []
    empty = MeaningIndex(tmp_path / "other", server.address, {ONE: session(ONE)})
    assert empty.places("sleigh") == []
    assert asked.told == empty.told == []
    asked.index.close()
    empty.index.close()


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=" ab\n雪", max_size=3 * PIECE))
def test_a_turn_is_cut_without_losing_a_word(text: str) -> None:
    pieces = cut_up(text)
    assert all(0 < len(piece) <= PIECE for piece in pieces)
    assert "".join(pieces) == (text.strip() or "-")


def test_a_very_long_turn_is_looked_at_up_to_a_point() -> None:
    pieces = cut_up("word " * 1_000_000)
    assert len(pieces) == MOST_PIECES
    assert all(len(piece) <= PIECE for piece in pieces)


def test_the_settings_choose_what_embeds() -> None:
    assert choose_embedder("off", "m") is None
    assert isinstance(choose_embedder("static", ""), StaticModel)
    endpoint = choose_embedder("http://localhost:1234/v1", "nomic")
    assert isinstance(endpoint, Endpoint)
    assert endpoint.name == "http://localhost:1234/v1 nomic"


def test_the_static_model_knows_a_sledge_from_a_kettle() -> None:
    pytest.importorskip("wordllama", reason="the static model is an extra: pip install 'reel-cli[semantic]'")
    handlers = list(logging.root.handlers)
    model = StaticModel()
    assert model.check() is None
    assert logging.root.handlers == handlers
    made = model.embed(
        ["a sledge in the snow", "sledding down the hill in winter", "the kettle is broken", ""]
    )

    def near(one: Sequence[float], other: Sequence[float]) -> float:
        size = (sum(x * x for x in one) * sum(x * x for x in other)) ** 0.5
        return float(sum(x * y for x, y in zip(one, other, strict=True)) / size)

    assert near(made[0], made[1]) > near(made[0], made[2])
    assert all(x == x for x in made[3])  # noqa: PLR0124 - a number, not NaN


def test_the_static_model_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "wordllama", None)
    with pytest.raises(EmbeddingError, match="it is not installed"):
        StaticModel().check()


def test_the_words_find_the_same_while_the_index_is_rebuilt(server: EmbeddingServer, tmp_path: Path) -> None:
    asked = MeaningIndex(tmp_path, server.address, TAPE)
    path = tmp_path / ".reel" / "cache" / "search.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("DROP TABLE facts")
    file.close()
    assert asked.places("sleigh")[0] == (ONE, 1)
    asked.index.close()
