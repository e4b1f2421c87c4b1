"""The trailer of a loss: what is written is what is read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.commit_message import Forgotten, parse_forgotten, render_forgotten
from reel_cli.core.values.change import one_line

WORDS = st.text(max_size=40).map(one_line)


def test_a_loss_as_the_design_writes_it() -> None:
    loss = Forgotten(
        "M-004", "L2", "L3", 231, 74, "2026-02-10-1#12-48", "a" * 40, "190 days, ring 3 over range"
    )
    assert render_forgotten(loss) == (
        f'M-004 L2->L3 231->74 source=2026-02-10-1#12-48 was={"a" * 40} why="190 days, ring 3 over range"'
    )


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(st.integers(1, 99_999).map("M-{:03d}".format), WORDS),
    st.sampled_from(["L1", "L2", "L3", "L4", "stub"]),
    st.sampled_from(["L2", "L3", "L4", "stub", "dormant"]),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.sampled_from(["", "2026-02-10-1#12-48", "2026-02-10-1#1-2,2026-02-11-1#3-9"]),
    st.sampled_from(["", "a" * 40, "b" * 64]),
    WORDS,
    WORDS,
)
def test_a_loss_reads_back_as_it_was_written(
    name: str, before: str, after: str, more: int, less: int, source: str, was: str, why: str, doubted: str
) -> None:
    loss = Forgotten(name, before, after, more, less, source, was, why, doubted)
    line = render_forgotten(loss)
    assert one_line(line) == line
    assert parse_forgotten(line) == loss


@pytest.mark.parametrize("value", ["", "nonsense", "M-004 L2->L3", "M-004 L2->L3 many->few", 'x y "'])
def test_what_is_no_loss(value: str) -> None:
    assert parse_forgotten(value) is None
