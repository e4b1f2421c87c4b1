"""Words on the screen that are cut so that they read whole: a changed line, a title, a group's help."""

import pytest

from reel_cli.features.page.first_clause import ROOM, first_clause
from reel_cli.terminal.decisions.changed_words import mark_changes
from tests.support.cli import Reel

LEAD = (
    "I keep the tin on the shelf above the stove and count the lamps before I go up the stairs to the light. "
    * 3
)


def test_of_a_long_line_the_changed_words_are_shown_and_marked() -> None:
    was, now = f"was: {LEAD}I would rather marry the tin.", f"now: {LEAD}I would sooner marry the tin."
    found = mark_changes(["context", was, now])
    assert found[0] == "context"
    assert found[1].endswith("I would [rather] marry the tin.")
    assert found[2].endswith("I would [sooner] marry the tin.")
    assert max(map(len, found)) < 120


def test_short_lines_and_other_lines_stand_as_they_are() -> None:
    for lines in (
        ["was: a lamp", "now: a light"],
        [f"was: {LEAD}", f"now: {'nothing of it is the same here. ' * 8}"],
        [f"new: {LEAD}"],
        [],
    ):
        assert mark_changes(lines) == lines


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Bo came by. He stayed.", "Bo came by"),
        ("Dr. Okafor took Jo off the pills. It held.", "Dr. Okafor took Jo off the pills"),
        ("Bo saw Mrs. Lind. She stayed.", "Bo saw Mrs. Lind"),
        ("On 3 March 2026 Vera had written the landing. It held.", "Vera had written the landing"),
        (
            "Lene answered twenty, cold, and had said it before I could ask whether he was awake at all.",
            "Lene answered twenty, cold…",
        ),
        (
            "Kim wrote Rust until three in the morning with Hob on the keyboard and no tea in the house.",
            "Kim wrote Rust until three in the morning with Hob…",
        ),
    ],
)
def test_a_title_that_is_made_of_a_text_reads_whole(text: str, title: str) -> None:
    assert first_clause(text) == title
    assert len(first_clause("x" * 500)) <= ROOM + 1


@pytest.mark.parametrize("group", ["memory", "fact", "example", "tape", "shelf", "dream", "export", "model"])
def test_no_line_of_a_group_s_help_is_cut(reel: Reel, group: str) -> None:
    lines = reel(group, "--help").ok().out.splitlines()
    assert not [line for line in lines[1:] if line.endswith("...")]
