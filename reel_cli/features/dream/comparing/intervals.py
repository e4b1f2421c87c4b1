"""Means with their confidence intervals: Student's t, with only the standard library."""

from collections.abc import Sequence
from functools import cache
from math import atan, cos, fsum, inf, pi, sin, sqrt

from reel_cli.core.frozen import frozen

LEVEL = 0.95
"""Share of intervals, made this way, that hold the true mean in the long run."""
_HALVINGS = 80


@frozen
class Estimate:
    """A mean, and the interval around it; None where `n` values do not bear one.

    They bear none where there are fewer than two, or where all are alike: that says nothing of how far the
    next might lie from them.
    """

    mean: float
    low: float | None
    high: float | None
    n: int

    @property
    def above_zero(self) -> bool | None:
        """Return True if the whole interval is above 0, False if below; None if it includes 0."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return None
        return self.low > 0


def estimate(values: Sequence[float], least: float = -inf, most: float = inf) -> Estimate | None:
    """Return the mean with its t interval at `LEVEL`, cut to the possible range; None for no values."""
    n = len(values)
    if not n:
        return None
    mean = fsum(values) / n
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else 0.0
    if spread < 1e-9:
        return Estimate(mean, None, None, n)
    reach = t_quantile(0.5 + LEVEL / 2, n - 1) * spread / sqrt(n)
    return Estimate(mean, max(float(least), mean - reach), min(float(most), mean + reach), n)


@cache
def t_quantile(share: float, freedom: int) -> float:
    """Return the value below which `share` (from 0.5 to below 1) of Student's t lies; `freedom` is whole."""
    low, high = 0.0, 1.0
    while _below(high, freedom) < share:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _below(middle, freedom) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(t: float, freedom: int) -> float:
    """Return the share of the distribution below t: finite sums of Abramowitz and Stegun, 26.7.3, 26.7.4."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    terms = [] if freedom == 1 else [term]
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        terms.append(term)
    total = sin(angle) * fsum(terms)
    within = 2 / pi * (angle + total) if odd else total
    return (1 + within) / 2
