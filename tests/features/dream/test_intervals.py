"""Means with intervals, compared with tables and worked examples."""

import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.dream.comparing.intervals import Estimate, estimate, t_quantile


@pytest.mark.parametrize(
    ("freedom", "table"),
    [
        (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (10, 2.2281),
        (19, 2.0930), (29, 2.0452), (30, 2.0423), (59, 2.0010), (120, 1.9799), (1000, 1.9623),
    ],
)  # fmt: skip
def test_the_quantiles_are_those_of_the_tables(freedom: int, table: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(table, abs=6e-5)


@pytest.mark.parametrize(
    ("share", "freedom", "table"), [(0.5, 7, 0.0), (0.95, 6, 1.9432), (0.995, 12, 3.0545), (0.9, 1, 3.0777)]
)
def test_other_shares_too(share: float, freedom: int, table: float) -> None:
    assert t_quantile(share, freedom) == pytest.approx(table, abs=6e-5)


def test_an_example_worked_by_hand() -> None:
    # mean 3.6, standard deviation 1.1402, standard error 0.5099; 2.7764 times that is 1.4157
    found = estimate([5, 4, 3, 4, 2])
    assert found is not None
    assert (found.mean, found.n) == (3.6, 5)
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (2.1843, 5.0157)
    assert found.above_zero is True


def test_it_is_cut_to_what_a_mark_can_be() -> None:
    found = estimate([5, 4, 3, 4, 2], 1, 5)
    assert found is not None
    assert (round(found.low or 0, 4), found.high) == (2.1843, 5.0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], None),
        ([4], Estimate(4, None, None, 1)),
        ([4, 4, 4], Estimate(4, None, None, 3)),
        ([1 / 3, 1 / 3, 1 / 3], Estimate(1 / 3, None, None, 3)),
    ],
)
def test_what_bears_no_interval_has_none(values: list[float], expected: Estimate | None) -> None:
    assert estimate(values) == expected
    assert expected is None or expected.above_zero is None


def test_which_side_of_zero() -> None:
    signs = [estimate(values) for values in ([1, 2, 1, 2], [-1, -2, -1, -2], [-1, 1, -1, 1])]
    assert [one.above_zero for one in signs if one] == [True, False, None]


@given(st.lists(st.integers(1, 5), min_size=2, max_size=30))
@settings(max_examples=60, deadline=None)
def test_the_interval_is_even_around_the_mean_and_as_wide_as_it_should_be(marks: list[int]) -> None:
    found = estimate(marks)
    assert found is not None
    assert found.mean == pytest.approx(statistics.fmean(marks))
    if len(set(marks)) == 1:
        assert found.low is None
        return
    assert found.low is not None
    assert found.high is not None
    reach = t_quantile(0.975, len(marks) - 1) * statistics.stdev(marks) / len(marks) ** 0.5
    assert found.mean - found.low == pytest.approx(reach)
    assert found.high - found.mean == pytest.approx(reach)
