"""Sections and items as a Markdown parser sees them, whichever way they are read."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.files.markdown import _parsed_items, _plain_items, list_items, split_sections

SECTIONS = ("Active threads", "Open loops")
LINES = st.sampled_from(
    (Path(__file__).parents[2] / "fixtures" / "markdown_lines.txt").read_text(encoding="utf-8").split("\n")
)
"""Lines of every kind that Markdown reads in a way of its own, and empty ones."""


@given(st.lists(LINES, max_size=14).map("\n".join))
def test_the_plain_way_reads_what_the_parser_reads_or_leaves_it_to_it(text: str) -> None:
    plain = _plain_items(text, SECTIONS)
    if plain is not None:
        assert [(i.section, i.text, i.lines) for i in plain] == [
            (i.section, i.text, i.lines) for i in _parsed_items(text, SECTIONS)
        ]


def test_items_are_found_wherever_lists_and_fences_stand() -> None:
    fence = "```\n## Open loops\n- not one\n```"
    text = f"## Active threads\n\n- one\n  goes on\n- two\n\n{fence}\n\n## Open loops\n* three\n"
    assert [(i.section, i.text) for i in list_items(text, SECTIONS)] == [
        ("Active threads", "one goes on"),
        ("Active threads", "two"),
        ("Open loops", "three"),
    ]


def test_a_heading_in_a_fence_is_no_section() -> None:
    text = "## What happened\n\nHe sent this:\n\n```\n## What changed\n```\n\n## What matters\n\nAll of it.\n"
    assert dict(split_sections(text)) == {
        "What happened": "He sent this:\n\n```\n## What changed\n```",
        "What matters": "All of it.",
    }
