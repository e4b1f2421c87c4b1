"""Similarity in meaning between a question and each turn, by embeddings; optional, off by default.

Vectors are kept for what stands on the tape and made for what changed only; a question is set against all of
them by brute force. Whatever goes wrong on the way is said in a line, and words alone decide.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from reel_cli.core.tape.search.overview import PLACES, PLACES_BITS, Overview, read_facts
from reel_cli.core.tape.search.query import clean
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.features.recall.embeddings.endpoint import EmbeddingError, Endpoint
from reel_cli.features.recall.embeddings.static import StaticModel
from reel_cli.features.recall.embeddings.store import KEY_BYTES, MOST_PIECES, Block, VectorFile

SHARE = 0.3
"""Weight of likeness in meaning relative to words."""
BY_MOMENT, BY_SESSION = 0.5, 0.5
"""Shares of a turn's likeness that come from the turns beside it, and from its session's likest. These
three were chosen on LoCoMo and RealMem together, with MiniLM; with a conversation or person left out, it
comes out at .2 to .4, and over those left out every figure is better (bench/results-embeddings.md)."""

PIECE = 1_000
"""Characters a turn is cut at: what is averaged over more says nothing."""
QUESTION = 2_000
CANDIDATES = 200
"""Maximum number of turns considered for their meaning alone."""
_ROWS_AT_A_TIME = 1 << 14
_AT_HAND = 1 << 25
"""Number of values up to which vectors are kept as the processor multiplies them, at four times the room."""


class Embedder(Protocol):
    """A source of vectors for texts; each method raises EmbeddingError if it fails."""

    @property
    def name(self) -> str:
        """Return the key of these vectors; vectors of another are discarded."""

    @property
    def shown(self) -> str:
        """Return the name on screen."""

    def check(self) -> str | None:
        """Make ready; what the person should be told before it is used."""

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Sequence[float]]:
        """Return a vector for each text, all of one length."""


@dataclass(frozen=True, slots=True)
class _VectorTable:
    """Vectors of all turns: their index, rows, where each row's pieces begin, the pieces, their lengths."""

    overview: Overview
    rows: Any
    starts: Any
    vectors: Any
    lengths: Any


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of turns to a question: rows, ascending, and for each from 0 to 1 (the nearest)."""

    rows: Any
    values: Any

    def best(self, count: int) -> list[int]:
        """Return the nearest rows."""
        order = (-self.values).argsort(kind="stable")[:count]
        return [int(row) for row in self.rows[order]]

    def of(self, rows: Iterable[int]) -> dict[int, float]:
        """Return the similarity of these rows; 0 for one that has none."""
        import numpy as np

        wanted = np.array(sorted(rows), dtype=np.int64)
        if not len(self.rows) or not len(wanted):
            return dict.fromkeys(wanted.tolist(), 0.0)
        at = np.minimum(np.searchsorted(self.rows, wanted), len(self.rows) - 1)
        found = np.where(self.rows[at] == wanted, self.values[at], 0.0)
        return dict(zip(wanted.tolist(), found.tolist(), strict=True))


def choose_embedder(setting: str, model: str) -> Embedder | None:
    """Return the embedder that the kit's settings name: `off`, `static`, or an address."""
    if setting == "off":
        return None
    return StaticModel() if setting == "static" else Endpoint(setting, model)


def add_meaning(file: sqlite3.Connection, ranked: Ranking, likeness: Likeness) -> None:
    """Score turns by words and by meaning together; those near in meaning alone join them."""
    rows = set(ranked.scores) | set(likeness.best(CANDIDATES))
    missing = [row for row in rows if row not in ranked.facts]
    ranked.facts = {**ranked.facts, **read_facts(file, missing)}
    near = likeness.of(row for row in rows if row in ranked.facts)
    added = {row: (1 - SHARE) * ranked.scores.get(row, 0.0) + SHARE * value for row, value in near.items()}
    best = max(added.values(), default=0.0) or 1.0
    ranked.scores = {row: value / best for row, value in added.items() if value > 0}


class TapeVectors:
    """The vectors of one kit's tape, and what makes them."""

    def __init__(self, path: Path, embedder: Embedder, say: Callable[[str], None]) -> None:
        """Keep the vectors in a file (`.reel/cache/vectors.sqlite`); `say` is told what happens."""
        self._say = say
        self._embedder = embedder
        self._kept: VectorFile | None = None
        self._loaded: _VectorTable | None = None
        try:
            try:
                import numpy as np  # noqa: F401
            except ImportError:
                message = "numpy is not installed:  pip install numpy"
                raise EmbeddingError(message) from None
            if notice := embedder.check():
                say(notice)
            self._kept = VectorFile(path, embedder.name)
        except EmbeddingError as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the file."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def refresh(
        self, file: sqlite3.Connection, progress: Callable[[int, int], None] | None = None
    ) -> list[str]:
        """Embed what changed in the index; the sessions that were. What is done stays, interrupted or not."""
        if self._kept is None:
            return []
        kept = self._kept.stamps()
        stand = {
            name: (number, stamp)
            for number, name, stamp in file.execute("SELECT number, id, stamp FROM sessions")
        }
        for name in kept.keys() - stand.keys():
            self._kept.remove(name)
        due = [name for name, (_, stamp) in stand.items() if kept.get(name) != stamp]
        try:
            for at, name in enumerate(due):
                if progress:
                    progress(at, len(due))
                number, stamp = stand[name]
                _embed_session(self._kept, self._embedder, name, stamp, _read_turns(file, number))
        except EmbeddingError as error:
            self._give_up(error)
            return []
        if progress and due:
            progress(len(due), len(due))
        if due:
            self._loaded = None
        return due

    def join(
        self,
        file: sqlite3.Connection,
        overview: Overview,
        ranked: Ranking,
        text: str,
        allowed: Collection[int] | None,
    ) -> None:
        """Adjust ranked turns by meaning; they stay as they are if that is not available."""
        near = self.ask(file, overview, text, allowed)
        if near is not None:
            add_meaning(file, ranked, near)

    def ask(
        self, file: sqlite3.Connection, overview: Overview, text: str, allowed: Collection[int] | None
    ) -> Likeness | None:
        """Return the similarity of the turns in the sessions `allowed` (None: all); None if unavailable."""
        if self._kept is None:
            return None
        try:
            (vector,) = self._embedder.embed([clean(text)[:QUESTION]], question=True)
            if self._kept.dimensions and len(vector) != self._kept.dimensions:
                # the server has another model under this name now
                self._kept.empty()
                self._loaded = None
            if self._loaded is None or self._loaded.overview is not overview:
                self.refresh(file)
                self._loaded = self._load(overview)
        except EmbeddingError as error:
            self._give_up(error)
            return None
        if self._kept is None or self._loaded is None:
            return None
        return _compare(vector, self._loaded, allowed)

    def _give_up(self, error: EmbeddingError) -> None:
        self.close()
        self._say(f"{self._embedder.shown} gave no embeddings, so words alone were searched: {error}.")

    def _load(self, overview: Overview) -> "_VectorTable | None":
        """Return all vectors, by row."""
        import numpy as np

        if self._kept is None:
            return None
        rows, counts, vectors = [], [], []
        dimensions = self._kept.dimensions
        for number in sorted(overview.names):
            block = self._kept.read(overview.names[number])
            if block is None:
                # an unreadable entry is made anew next time
                self._kept.remove(overview.names[number])
            elif block.pieces:
                rows.append(np.arange(len(block.pieces), dtype=np.int64) + number * PLACES)
                counts.append(np.frombuffer(block.pieces, dtype=np.uint8))
                vectors.append(np.frombuffer(block.vectors, dtype=np.int8).reshape(-1, dimensions))
        if not rows or not dimensions:
            return None
        ends = np.cumsum(np.concatenate(counts), dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        whole = np.concatenate(vectors)
        if whole.size <= _AT_HAND:
            whole = whole.astype(np.float32)
        lengths = np.empty(len(whole), dtype=np.float32)
        for at in range(0, len(whole), _ROWS_AT_A_TIME):
            some = whole[at : at + _ROWS_AT_A_TIME].astype(np.float32, copy=False)
            lengths[at : at + _ROWS_AT_A_TIME] = np.sqrt(np.einsum("ij,ij->i", some, some))
        return _VectorTable(overview, np.concatenate(rows), starts, whole, np.maximum(lengths, 1.0))


def _read_turns(file: sqlite3.Connection, number: int) -> list[str]:
    """Return the texts to embed for the turns of a session, with their speakers."""
    rows = file.execute(
        "SELECT name, body FROM facts JOIN turns ON turns.rowid = facts.rowid"
        " WHERE facts.rowid BETWEEN ? AND ? ORDER BY facts.rowid",
        (number * PLACES, (number + 1) * PLACES - 1),
    )
    return [f"{who}: {body}" if who else body for who, body in rows]


def _embed_session(kept: VectorFile, embedder: Embedder, name: str, stamp: str, turns: Sequence[str]) -> None:
    """Embed the turns of a session that are not embedded yet."""
    import numpy as np

    dimensions = kept.dimensions
    block = kept.read(name)
    known = dict(block.by_key(dimensions)) if block is not None else {}
    keys = [blake2b(text.encode(), digest_size=KEY_BYTES).digest() for text in turns]
    new = {key: cut_up(text) for key, text in zip(keys, turns, strict=True) if key not in known}
    texts = [piece for pieces in new.values() for piece in pieces]
    if texts:
        made = np.asarray(embedder.embed(texts), dtype=np.float32)
        if dimensions and made.shape[1] != dimensions:
            kept.empty()
            message = "its vectors are of another length than before; ask again and all is embedded anew"
            raise EmbeddingError(message)
        dimensions = made.shape[1]
        longest = np.maximum(np.abs(made).max(axis=1, keepdims=True), 1e-30)
        small = np.rint(made / longest * 127).astype(np.int8)
        at = 0
        for key, pieces in new.items():
            known[key] = small[at : at + len(pieces)].tobytes()
            at += len(pieces)
    counts = bytes(len(known[key]) // dimensions for key in keys)
    kept.write(name, stamp, Block(b"".join(keys), counts, b"".join(known[key] for key in keys)), dimensions)


def cut_up(text: str) -> list[str]:
    """Return a turn in pieces short enough for a vector, cut between words if possible."""
    text = text.strip() or "-"
    pieces: list[str] = []
    while len(text) > PIECE and len(pieces) < MOST_PIECES - 1:
        end = text.rfind(" ", PIECE // 2, PIECE)
        end = PIECE if end < 0 else end
        pieces.append(text[:end])
        text = text[end:]
    return [*pieces, text[:PIECE]]


def _compare(question: Sequence[float], loaded: _VectorTable, allowed: Collection[int] | None) -> Likeness:
    """Return each turn's best cosine over its pieces, adjusted by its neighbours and session."""
    import numpy as np

    rows, vectors = loaded.rows, loaded.vectors
    asked = np.asarray(question, dtype=np.float32)
    asked /= np.linalg.norm(asked) or 1.0
    near = np.empty(len(vectors), dtype=np.float32)
    for at in range(0, len(vectors), _ROWS_AT_A_TIME):
        some = vectors[at : at + _ROWS_AT_A_TIME].astype(np.float32, copy=False)
        near[at : at + _ROWS_AT_A_TIME] = some @ asked
    near /= loaded.lengths
    turns = np.maximum.reduceat(near, loaded.starts)
    if allowed is not None:
        kept = np.isin(rows >> PLACES_BITS, np.array(list(allowed), dtype=np.int64))
        rows, turns = rows[kept], turns[kept]
    if not len(rows):
        return Likeness(rows, turns)
    turns = np.maximum((turns - turns.mean()) / (turns.std() or 1.0), 0.0)
    follows = np.diff(rows) == 1
    around, beside = turns.copy(), np.ones(len(rows))
    around[1:] += np.where(follows, turns[:-1], 0)
    around[:-1] += np.where(follows, turns[1:], 0)
    beside[1:] += follows
    beside[:-1] += follows
    turns = (1 - BY_MOMENT) * turns + BY_MOMENT * around / beside
    first = np.flatnonzero(np.concatenate([[True], np.diff(rows >> PLACES_BITS) != 0]))
    likest = np.repeat(np.maximum.reduceat(turns, first), np.diff(np.append(first, len(rows))))
    turns = (1 - BY_SESSION) * turns + BY_SESSION * likest
    return Likeness(rows, turns / (turns.max() or 1.0))
