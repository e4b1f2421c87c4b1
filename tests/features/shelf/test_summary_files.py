"""Summaries as files: written, read back, and what in them is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.names import clean_name
from reel_cli.features.shelf.summaries.files import (
    is_source_path,
    is_summary_path,
    parse_summary,
    render_summary,
)
from reel_cli.features.shelf.summaries.summary import Style, Summary, SummarySource

PATH = "summaries/any.md"
names = st.text(min_size=1, max_size=40).filter(
    lambda name: name.replace("/", "").strip(". ") and ".." not in name and not name.startswith("/")
)
words = st.text(max_size=200).map(one_line)


@settings(max_examples=60, deadline=None)
@given(st.lists(names, min_size=1, max_size=4), words, words, st.sampled_from(Style))
def test_what_is_written_is_read_back(given: list[str], title: str, body: str, style: Style) -> None:
    """MEMORY-MGMT §4.b: write front matter, findings and references."""
    try:
        paths = list(dict.fromkeys(f"shelf/{clean_name(name)}" for name in given))
    except ReelError:
        return
    assert all(map(is_source_path, paths))
    sources = tuple(SummarySource(path, "ab" * 32) for path in paths)
    summary = Summary(PATH, sources, "2026-03-01T20:00:00Z", style.value, title, body, "Ada")
    text = render_summary(summary)
    read = parse_summary(text, PATH)
    assert (read.sources, read.style, read.created, read.by) == (sources, style.value, summary.created, "Ada")
    assert read.body == body.strip("\n")
    assert render_summary(read) == render_summary(parse_summary(render_summary(read), PATH))


def test_a_summary_by_hand_needs_only_its_sources() -> None:
    read = parse_summary("---\nsummary_of: [shelf/a.md, shelf/b.md]\n---\n\nBoth.\n", PATH)
    assert (read.paths, read.style, read.title, read.body) == (
        ("shelf/a.md", "shelf/b.md"),
        "bullet",
        "any",
        "Both.",
    )
    assert read.made_of("shelf/a.md") == ""
    tail = parse_summary(
        "---\nsummary_of: [shelf/a.md]\n---\nA.\n\n---\nMore.\n\n---\nReferences:\n- x\n", PATH
    )
    assert tail.body == "A.\n\n---\nMore."


@pytest.mark.parametrize(
    "head",
    [
        "",
        "summary_of: []",
        "summary_of: [../kit.yaml]",
        "summary_of: [shelf/../kit.yaml]",
        "summary_of: [tape/2026/2026-01-01-1.md]",
        "summary_of: [shelf/]",
        'summary_of: ["shelf/a\\nb"]',
        "summary_of: [" + ", ".join(f"shelf/{n}" for n in range(300)) + "]",
        "summary_of: &a [*a]",
    ],
)
def test_what_is_of_no_file_of_the_shelf_is_refused(head: str) -> None:
    with pytest.raises(ReelError, match=r"summaries/any\.md"):
        parse_summary(f"---\n{head}\n---\nwords\n", PATH)


def test_only_pages_in_the_folder_are_summaries() -> None:
    good, bad = "summaries/a/b.md", ("summaries/../a.md", "summaries/a.txt", "a.md", "summaries/a\nb.md")
    assert is_summary_path(good)
    assert not any(map(is_summary_path, bad))
