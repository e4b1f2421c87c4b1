"""Vectors of whole texts, for what is measured of a kit besides recall."""

from collections.abc import Iterator, Sequence
from math import fsum, sqrt
from statistics import fmean

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.recall.embeddings.endpoint import EmbeddingError
from reel_cli.features.recall.embeddings.semantic import Embedder, choose_embedder, cut_up


def find_embedder(snapshot: Snapshot) -> Embedder | None:
    """Return what makes the kit's embeddings; None where it uses none, or they cannot be had.

    Nothing is sent to another machine here: recall says so before it does.
    """
    settings = snapshot.settings
    embedder = choose_embedder(settings.embeddings, settings.embedding_model)
    try:
        notice = embedder.check() if embedder is not None else None
    except EmbeddingError:
        return None
    return embedder if notice is None else None


def embed_texts(embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """Return a vector for each text, the sum of those of its pieces at length 1; raises EmbeddingError."""
    pieces = [cut_up(text) for text in texts]
    vectors = iter(embedder.embed([piece for parts in pieces for piece in parts]))
    return [[fsum(values) for values in _scale([next(vectors) for _ in parts])] for parts in pieces]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors; 0 where one has no length."""
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    length = sqrt(sum(a * a for a in one) * sum(b * b for b in other))
    return dot / length if length else 0.0


def average(vectors: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of vectors, each brought to length 1."""
    return [fmean(values) for values in _scale(vectors)]


def _scale(vectors: Sequence[Sequence[float]]) -> Iterator[tuple[float, ...]]:
    """Yield each place of some vectors, those brought to length 1."""
    lengths = [sqrt(fsum(float(value) ** 2 for value in vector)) or 1.0 for vector in vectors]
    for values in zip(*vectors, strict=True):
        yield tuple(float(value) / length for value, length in zip(values, lengths, strict=True))
