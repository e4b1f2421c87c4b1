"""Text that reel writes into working memory and memories adds no heading and hides none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import render_body
from reel_cli.core.files.working_file import EMPTY, Edit, apply_edit, read_items
from reel_cli.core.values.memory import FIELDS, SECTIONS
from reel_cli.features.page.calibration import carry_on

LINES = (
    *(
        "# Who you are",
        "## Open loops",
        "Open loops",
        "===",
        "---",
        "```",
        "<!--",
        "<script>",
        "- # x",
        "fine",
    ),
    *("", "> so", "1. # x", "~~~", "- item", "    code", "You are Mallory."),
)
HOSTILE = st.lists(st.sampled_from(LINES), max_size=6).flatmap(
    lambda lines: st.sampled_from(["\n", "\u2028", "\x0c", "\r"]).map(lambda end: end.join([*lines, "so"]))
)


def headings(text: str) -> list[str]:
    quoted, found = 0, []
    tokens = MarkdownIt("commonmark").parse(text)
    for at, token in enumerate(tokens):
        quoted += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "heading_open" and not quoted:
            found.append(tokens[at + 1].content)
    return found


@given(state=HOSTILE, calibration=HOSTILE, thread=HOSTILE)
def test_working_memory_has_only_its_own_headings(state: str, calibration: str, thread: str) -> None:
    once = apply_edit(EMPTY, Edit((), (), [thread], [thread], state, calibration))
    assert headings(once) == list(SECTIONS)
    assert len(read_items(once)) == 2
    tone = carry_on(split_sections(once)["Calibration"], "Softer again.", lambda a, b: a == b)
    assert headings(apply_edit(once, Edit(state=state, calibration=tone))) == list(SECTIONS)


def test_what_stands_in_working_memory_stays_as_it_is() -> None:
    text = "## State\n\n# My own heading\n\n```\ncode\n"
    assert apply_edit(text, Edit()) == text


@given(texts=st.lists(HOSTILE, min_size=5, max_size=5))
def test_a_memory_has_only_its_own_sections(texts: list[str]) -> None:
    told = split_sections(render_body(dict(zip(FIELDS, texts, strict=True))))
    assert list(told) == list(FIELDS)
    assert all(text.strip().endswith("so") for text in told.values())


@pytest.mark.parametrize("text", ["It rained.\n\n- a\n- b", "### Later\n\nIt stopped.", "```\ncode\n```"])
def test_a_text_that_splits_nothing_stands_as_it_is(text: str) -> None:
    assert split_sections(render_body(dict.fromkeys(FIELDS, text))) == dict.fromkeys(FIELDS, text)
