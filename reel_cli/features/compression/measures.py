"""Semantic loss, cohesion and phase continuity of a kit, for `reel status --metrics` (SRIP-11 §VI)."""

from collections.abc import Iterator
from statistics import fmean
from typing import TYPE_CHECKING

from reel_cli.core.git.history import read_trailers
from reel_cli.core.values.measure import Measure, Verdict, judge_value
from reel_cli.features.compression.gauge import EMBEDDINGS
from reel_cli.features.compression.loss import MOST_APART, MOST_UNSAID
from reel_cli.features.compression.trailer import COMPRESSION, CompressionFigures, parse_figures

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

MORE_COHESIVE = 1.2
"""Times as heavy as between any two ribs that edges within clusters are where threads hold together: it was
1.2 to 2.1 in five kits."""
CONTINUOUS, BROKEN = 0.9, 0.75
"""Shares of the likeness within a phase that there is where it changes: good, and fair. The document takes a
drift above .25 for a break (SRIP-11 §V, `structural`)."""
_NAMES = {frozenset([False]): "new words as memories fade", frozenset([True]): "lost as memories fade"}
"""The loss's names by whether all of it was measured by embeddings: by words it is what nobody said."""
_CONTINUITY = ("phase_continuity", "PC", "alike across phases")
_COHESION = ("topology_cohesion", "TC", "threads hold together")
_STAYS_ALIKE = "nine tenths of what it is within a phase; below three quarters the thread breaks"
_HOLDS = f"{MORE_COHESIVE:g} times that of any two parts of chats; below theirs a thread is one by name only"


def list_measures(opened: "OpenKit") -> Iterator[Measure]:
    """Yield the three measures of a kit as it is, or as it was at the moment that is looked at."""
    tip = opened.then.commit if opened.then is not None else None
    told = map(parse_figures, read_trailers(opened.repository, COMPRESSION, tip))
    yield measure_loss([figures for figures in told if figures is not None])
    yield _measure_cohesion(opened)
    yield _measure_continuity(opened)


def measure_loss(figures: list[CompressionFigures]) -> Measure:
    """Return the mean loss of the compressions in a history, and the worst."""
    losses = [(one.loss, one.unit) for one in figures if one.loss is not None]
    limits = {EMBEDDINGS: MOST_APART}
    over = sum(loss > limits.get(unit, MOST_UNSAID) for loss, unit in losses)
    value = round(fmean(loss for loss, _ in losses), 4) if losses else None
    worst = max((loss for loss, _ in losses), default=None)
    verdict = Verdict.UNKNOWN
    if value is not None:
        verdict = Verdict.POOR if over * 10 > len(losses) else Verdict.FAIR if over else Verdict.GOOD
    units = frozenset(unit == EMBEDDINGS for _, unit in losses)
    many = "1 shorter text" if len(losses) == 1 else f"{len(losses):,} shorter texts"
    return Measure(
        *("semantic_loss", "SL", _NAMES.get(units, "new or lost as memories fade")),
        value,
        "–" if value is None else f"{value:.2f}",
        f"{many}, the worst {worst:.2f}" if worst is not None else "nothing measured has faded yet",
        f"none above {MOST_UNSAID:g} (share of new words) or {MOST_APART:g} (by embeddings);"
        " with more than one in ten too much is lost",
        verdict,
        {
            "value": value,
            "worst": worst,
            "compressions": len(figures),
            "ratio": round(fmean(one.ratio for one in figures), 4) if figures else None,
            "over": over,
        },
    )


def _measure_cohesion(opened: "OpenKit") -> Measure:
    if opened.then is not None:
        return _unknown(*_COHESION, "not measured of the past", _HOLDS)
    from reel_cli.features.threads.cohesion import measure_cohesion

    with opened.console.waiting("Looking for threads"):
        found = measure_cohesion(opened.root, opened.snapshot)
    if found.value is None or found.usual is None:
        return _unknown(*_COHESION, "too few chats for a cluster", _HOLDS)
    verdict = judge_value(found.value / max(0.01, found.usual), MORE_COHESIVE, 1.0)
    return Measure(
        *_COHESION,
        found.value,
        f"{found.value:.1f}",
        f"{'1 cluster' if found.clusters == 1 else f'{found.clusters:,} clusters'};"
        f" any two parts of chats {found.usual:.1f}",
        _HOLDS,
        verdict,
        {"value": found.value, "usual": found.usual, "clusters": found.clusters},
    )


def _measure_continuity(opened: "OpenKit") -> Measure:
    if opened.then is not None:
        return _unknown(*_CONTINUITY, "not measured of the past", _STAYS_ALIKE)
    if opened.snapshot.settings.embeddings == "off":
        why = "needs embeddings (recall.embeddings)"
        return _unknown(*_CONTINUITY, why, _STAYS_ALIKE)
    from reel_cli.features.compression.continuity import measure_continuity
    from reel_cli.features.recall.embeddings.endpoint import EmbeddingError
    from reel_cli.features.recall.embeddings.whole_texts import find_embedder

    embedder = find_embedder(opened.snapshot)
    if embedder is None:
        return _unknown(*_CONTINUITY, "needs embeddings made on this machine", _STAYS_ALIKE)
    try:
        found = measure_continuity(opened.snapshot, embedder)
    except EmbeddingError as error:
        return _unknown(*_CONTINUITY, f"{embedder.shown} gave no embeddings: {error}", _STAYS_ALIKE)
    if found.value is None or found.usual is None:
        return _unknown(*_CONTINUITY, "too few chats: only one phase yet", _STAYS_ALIKE)
    return Measure(
        *_CONTINUITY,
        found.value,
        f"{found.value:.2f}",
        f"{found.changes:,} change{'s' if found.changes > 1 else ''}; within a phase {found.usual:.2f}",
        _STAYS_ALIKE,
        judge_value(found.value / max(0.01, found.usual), CONTINUOUS, BROKEN),
        {"value": found.value, "usual": found.usual, "changes": found.changes},
    )


def _unknown(key: str, short: str, name: str, why: str, good: str) -> Measure:
    return Measure(key, short, name, None, "–", why, good, told={"value": None, "why": why})
