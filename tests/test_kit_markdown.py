"""Sections and items as a Markdown parser sees them, whichever way they are read."""

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.kit.markdown import _parsed_items, _plain_items, list_items, split_sections

SECTIONS = ("Active threads", "Open loops")
LINES = st.sampled_from(
    [
        "", "", "## Active threads", "## Open loops", "## State", "# Title", "- one thing", "- another: thing", "* star",
        "+ plus", "1. first", "  - nested", "   more of it", "a paragraph", "lazy words", "> quoted", "```", "---", "===",
        "<!-- aside -->", "- `code`", "-no bullet", "- ", "\\# escaped", "- **bold** words", "[link]: x", "- - twice", "- 1. both",
        "- # heading", "- > quote", "- ---", "- [x] box", "## Open loops ##", "##  Open loops", "####### seven", "\tindented",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=14).map("\n".join))
def test_the_plain_way_reads_what_the_parser_reads_or_leaves_it_to_it(text: str) -> None:
    plain = _plain_items(text, SECTIONS)
    if plain is not None:
        assert [(i.section, i.text, i.lines) for i in plain] == [
            (i.section, i.text, i.lines) for i in _parsed_items(text, SECTIONS)
        ]


def test_items_are_found_wherever_lists_and_fences_stand() -> None:
    text = "## Active threads\n\n- one\n  goes on\n- two\n\n```\n## Open loops\n- not one\n```\n\n## Open loops\n* three\n"
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
