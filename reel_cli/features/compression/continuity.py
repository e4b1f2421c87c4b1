"""Phase continuity: how near the persona's thinking stays where its phase changes (SRIP-11 §VI).

The document correlates vectors of reasoning across phases. The persona's pages are its reasoning: the mean
vector of the three before a change is held against that of the three after it, and both against the same
anywhere else. Tried against the cosine of whole phases: that follows their length (.34 to .74 in five kits).
"""

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.memory_stretches import plain_text
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.features.recall.embeddings.whole_texts import cosine, embed_texts
from reel_cli.features.threads.phases import read_phases
from reel_cli.features.threads.survey import read_pages

if TYPE_CHECKING:
    from reel_cli.features.recall.embeddings.semantic import Embedder

MOST_PAGES = 200
"""Number of pages that are embedded, the newest."""
_BESIDE = 3
"""Pages on either side of a change."""


@frozen
class Continuity:
    """The mean cosine where the phase changes; `usual`, that where it does not; None for no such place."""

    changes: int
    value: float | None
    usual: float | None


def measure_continuity(snapshot: Snapshot, embedder: "Embedder") -> Continuity:
    """Return the continuity of a kit's pages; raises EmbeddingError where no embeddings can be had."""
    phases = read_phases(snapshot, standing_sessions(snapshot))
    pages = [page for page in read_pages(snapshot).memories if page.sessions and page.sessions[0] in phases][
        -MOST_PAGES:
    ]
    lived = [phases[page.sessions[0]] for page in pages]
    if len(set(lived)) < 2:
        return Continuity(0, None, None)
    vectors = embed_texts(embedder, [plain_text(page.body) for page in pages])
    changed: list[float] = []
    same: list[float] = []
    for at in range(1, len(pages)):
        before, after = vectors[max(0, at - _BESIDE) : at], vectors[at : at + _BESIDE]
        (same if lived[at - 1] is lived[at] else changed).append(cosine(_mean(before), _mean(after)))
    return Continuity(len(changed), round(fmean(changed), 4), round(fmean(same), 4) if same else None)


def _mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(values) for values in zip(*vectors, strict=True)]
