"""Compression ratio and the three measures of facts, each with what is good (SRIP-11 §VI)."""

from collections.abc import Iterator

from reel_cli.core.values.measure import Measure, Verdict, judge_value
from reel_cli.features.status.metrics import LONG, Metrics

ENOUGH = (0.9, 0.5)
"""Shares of facts in a bundle that are good and fair."""
ASKED = (1.0, 0.3)
"""Facts for each time that they were asked for."""
BROAD = (0.7, 0.4)
"""Shares of the kinds of facts: five of the document's seven are good, three fair."""
SMALL = (0.1, 0.25)
"""Shares of a long life's tokens that are kept at hand."""
_TENTH = 0.1


def list_own_measures(found: Metrics) -> Iterator[Measure]:
    """Yield the measures that need only the kit and its bundle; without a feature for facts, the first."""
    yield _compression(found)
    recall, told, cover = found.recall, found.extraction, found.coverage
    if cover.value is None:
        return
    yield Measure(
        *("anchor_recall_integrity", "ARI", "facts in a bundle"),
        recall.value,
        share(recall.value),
        _of(recall.declared - len(recall.missing), recall.declared),
        "9 of 10; with less than half, recall has to find too much",
        judge_value(recall.value, *ENOUGH),
    )
    yield Measure(
        *("fact_extraction_rate", "FER", "facts each time asked"),
        told.value,
        "–" if told.value is None else f"{told.value:.1f}",
        _asked(found),
        f"1 or more; below {ASKED[1]:g} they are asked for in vain",
        judge_value(told.value, *ASKED),
    )
    yield Measure(
        *("fact_coverage", "FC", "kinds of facts known"),
        cover.value,
        share(cover.value),
        _of(len(cover.known), len(cover.known) + len(cover.unknown)),
        "5 of the usual 7; with less than 3 little is known, unless there is no more to know",
        judge_value(cover.value, *BROAD) if recall.declared else Verdict.UNKNOWN,
    )


def _compression(found: Metrics) -> Measure:
    small = found.compression
    long = found.turns >= LONG
    early = "" if long else "; too few chats"
    if not small.said:
        detail = "nothing was said yet"
    elif small.retained is None:
        detail = "nothing can be packed"
    elif small.retained > small.said:
        detail = f"{small.retained:,} tokens tell of the {small.said:,} said"
    else:
        detail = f"{small.retained:,} tokens of {small.said:,}{early}"
    return Measure(
        *("compression_ratio", "CR", "kept of what was said"),
        small.value,
        # an evening is there as a page, word for word and as a line: no share of it
        "all" if small.value is not None and small.value > 1 else share(small.value),
        detail,
        f"a tenth or less, from {LONG:,} turns on; above a quarter too much is kept at hand",
        judge_value(small.value, *SMALL) if long else Verdict.UNKNOWN,
    )


def share(value: float | None) -> str:
    """Return a share in percent; a dash if nothing is known."""
    if value is None:
        return "–"
    return f"{value * 100:.0f} %" if value >= _TENTH or not value else f"{value * 100:.2g} %"


def _of(some: int, many: int) -> str:
    return f"{some:,} of {many:,}" if many else "none are declared yet"


def _asked(found: Metrics) -> str:
    told = found.extraction
    if not told.attempts:
        return f"never asked yet; {found.turns:,} turns to go through" if found.turns else "never asked yet"
    times = "once" if told.attempts == 1 else f"{told.attempts:,} times"
    left = found.turns - found.gone
    rest = f"; {left:,} of {found.turns:,} turns to go through" if left else ""
    return f"{told.kept:,} kept and {told.refused:,} refused, asked {times}{rest}"
