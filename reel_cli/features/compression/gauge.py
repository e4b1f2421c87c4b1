"""Measurement of compressions in one kit, by embeddings where it has them, or by words (SRIP-11 §III.6)."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.check import list_said, list_words
from reel_cli.core.evidence.grounding.memory_stretches import plain_text
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.compression import CompressionVerdict
from reel_cli.core.values.memory import Level, Memory, where_of
from reel_cli.core.values.source import session_path
from reel_cli.features.compression.loss import (
    FEWEST_WORDS,
    MOST_APART,
    MOST_UNSAID,
    count_unsaid,
    measure_apart,
)
from reel_cli.features.compression.trailer import WORDS, CompressionFigures, render_figures

if TYPE_CHECKING:
    from reel_cli.features.recall.embeddings.semantic import Embedder

EMBEDDINGS = "embeddings"
_LONG = 1 << 23
"""Bytes of tape above which fading does not wait for a first lattice."""
_BY_MEANING = (Level.L2, Level.L3)
"""Levels whose texts embeddings judge. A tag names an evening and tells nothing of it: of six sound ones five
were over .25 apart from the text before (wordllama), of 74 sound digests and markers none."""


class Gauge:
    """Measurement of compressions in the kit of one snapshot; what was said is read where it is asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._counter = get_tokenizer(snapshot.settings.tokenizer)
        self._tape = TapeEvidence(snapshot)

    def judge(self, memory: Memory, level: Level, body: str) -> CompressionVerdict:
        """Return the figures of a memory's next body at a level, and whether it lost too much."""
        ratio = self._counter.count(body) / max(1, self._counter.count(memory.body))
        before, after = plain_text(memory.body), plain_text(body)
        apart = self._measure_apart(before, after) if level in _BY_MEANING else None
        cohesion = self._cohesion.get(memory.id)
        if apart is not None:
            figures = CompressionFigures(memory.id, ratio, apart, EMBEDDINGS, cohesion)
            why = f"its meaning would change by {apart:.2f}, at most {MOST_APART:g} may"
            return CompressionVerdict(render_figures(figures), why if apart > MOST_APART else "")
        source = self._tape.source(where_of(memory))
        said = list_said(source) if source is not None else frozenset()
        unsaid, words = count_unsaid(after, list_words(before) | said)
        if words < FEWEST_WORDS:
            figures = CompressionFigures(memory.id, ratio, None, cohesion=cohesion)
            return CompressionVerdict(render_figures(figures))
        loss = unsaid / words
        figures = CompressionFigures(memory.id, ratio, loss, WORDS, cohesion)
        why = f"{unsaid:,} of its {words:,} words would be new, and nobody said them"
        return CompressionVerdict(render_figures(figures), why if loss > MOST_UNSAID else "")

    def _measure_apart(self, before: str, after: str) -> float | None:
        """Return the loss by embeddings; None where the kit uses none, or none can be had now."""
        if self._embedder is None:
            return None
        from reel_cli.features.recall.embeddings.endpoint import EmbeddingError

        try:
            return round(max(0.0, measure_apart(self._embedder, before, after)), 4)
        except EmbeddingError:
            # a server that hangs is waited for once
            self._embedder = None
            return None

    @cached_property
    def _cohesion(self) -> Mapping[str, float]:
        """Return the cohesion of each memory's clusters.

        Nothing where the kit is not read from a folder, or its tape is long and has no lattice yet.
        """
        tree = self._snapshot.tree
        if not isinstance(tree, WorkTree):
            return {}
        from reel_cli.features.threads.cohesion import measure_cohesion
        from reel_cli.features.threads.lattice import FILE

        paths = (tree.root / session_path(name) for name in self._snapshot.sessions)
        if not (tree.root / FILE).is_file() and sum(path.stat().st_size for path in paths) > _LONG:
            return {}

        return measure_cohesion(tree.root, self._snapshot).memories

    @cached_property
    def _embedder(self) -> "Embedder | None":
        """Return what makes embeddings, as long as it does."""
        if self._snapshot.settings.embeddings == "off":
            return None
        from reel_cli.features.recall.embeddings.whole_texts import find_embedder

        return find_embedder(self._snapshot)
