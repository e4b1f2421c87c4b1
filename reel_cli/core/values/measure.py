"""One measure of a kit as `reel status --metrics` shows it (SRIP-11 §VI)."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from reel_cli.core.frozen import frozen


class Verdict(StrEnum):
    """Verdicts on a measure."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"
    UNKNOWN = ""


@frozen
class Measure:
    """A measure with what is good; `key` is its name for programs, `short` the document's.

    `shown` is its value on screen, `detail` what it was counted from, or why nothing can be told. `told` are
    its values for a program, `good` says in words what is good.
    """

    key: str
    short: str
    name: str
    value: float | None
    shown: str
    detail: str
    good: str
    verdict: Verdict = Verdict.UNKNOWN
    told: Mapping[str, Any] = field(default_factory=dict)


def judge_value(value: float | None, good: float, fair: float) -> Verdict:
    """Return the verdict on a value; where `good` is below `fair`, less is better."""
    if value is None:
        return Verdict.UNKNOWN
    sign = 1 if good > fair else -1
    if value * sign >= good * sign:
        return Verdict.GOOD
    return Verdict.FAIR if value * sign >= fair * sign else Verdict.POOR
