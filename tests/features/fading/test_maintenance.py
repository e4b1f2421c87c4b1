"""Temporary state of maintenance: damage to it costs nothing."""

from pathlib import Path

import pytest

from reel_cli.core.files.state import State
from reel_cli.features.fading.pass_file import FILE, UnderWay, end_pass, last_pass, pass_under_way, save_pass

BEGUN = UnderWay("2026-03-01T20:00:00Z", "a" * 40, {"3": 1_000, "4": 50})


def test_a_pass_is_remembered_until_it_ends_and_then_when_it_did(tmp_path: Path) -> None:
    state = State(tmp_path)
    assert (pass_under_way(state), last_pass(state)) == (None, None)
    save_pass(state, BEGUN)
    assert (pass_under_way(State(tmp_path)), last_pass(state)) == (BEGUN, None)
    end_pass(state, "2026-03-01T20:05:00Z")
    assert (pass_under_way(state), last_pass(state)) == (None, "2026-03-01T20:05:00Z")
    save_pass(state, BEGUN)
    assert (pass_under_way(state), last_pass(state)) == (BEGUN, "2026-03-01T20:05:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"pass": [], "at": 3}',
        '{"pass": {"begun": 1, "commit": "a", "rings": {}}}',
        '{"pass": {"begun": "", "commit": "a", "rings": {"3": "x"}}}',
        '{"pass": {"begun": "", "commit": "a", "rings": {"3": true}}}',
        '{"pass": {"begun": "", "commit": "a"}}',
        "[" * 100_000,
    ],
    ids=range(9),
)
def test_what_is_damaged_is_as_good_as_nothing(tmp_path: Path, text: str) -> None:
    state = State(tmp_path)
    end_pass(state, "")
    (state.folder / FILE).write_text(text)
    assert (pass_under_way(state), last_pass(state)) == (None, None)
    save_pass(state, BEGUN)
    assert pass_under_way(state) == BEGUN


def test_where_nothing_can_be_written_the_end_of_a_pass_is_not_noted(tmp_path: Path) -> None:
    (tmp_path / ".reel").write_text("a file")
    end_pass(State(tmp_path), "2026-03-01T20:05:00Z")
    assert last_pass(State(tmp_path)) is None
