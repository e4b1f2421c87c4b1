"""`stream.md`: what a kept conversation goes on from, as a file."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.markdown import plain_chapter
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.stream.files import parse_stream, render_stream
from reel_cli.features.stream.stream import KeptConversation

KEPT = KeptConversation(
    "2026-02-10-1",
    48,
    "We spoke of the kiln.",
    "2026-02-10T20:14:00Z",
    2,
    (SourceRange("2026-02-09-1", 1, 60), SourceRange("2026-02-10-1", 1, 48)),
    ("No adverbs.",),
    400,
)
TEXT = """\
---
session: 2026-02-10-1
upto: 48
at: "2026-02-10T20:14:00Z"
keeps: 2
whole: ["2026-02-09-1#1-60", "2026-02-10-1#1-48"]
overlap: 400
---

## To keep to

- No adverbs.

## The conversation so far

We spoke of the kiln.
"""


def test_as_a_file() -> None:
    assert render_stream(KEPT) == TEXT
    assert parse_stream(TEXT) == KEPT


def test_what_a_person_added_stays() -> None:
    before = TEXT.replace("keeps: 2\n", "keeps: 2\nmood: calm # mine\n").replace(
        "## To keep to", "## Mine\n\nA note.\n\n## To keep to"
    )
    later = render_stream(replace(KEPT, upto=60, pinned=(), overlap=None), before)
    assert "mood: calm # mine\n" in later
    assert "## Mine\n\nA note.\n\n## The conversation so far\n" in later
    assert (parse_stream(later).upto, parse_stream(later).overlap) == (60, None)
    assert "To keep to" not in later


LINES = st.lists(
    st.sampled_from(
        ["## Title", "```", "~~~ py", "<script>", "<!-- no", "-->", "- a", "---", "===", "# x", ""]
    )
    | st.text(max_size=20),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(
    LINES, st.lists(st.sampled_from(["Be short.", "```", "<pre>", "## No", "- a"]), max_size=3, unique=True)
)
def test_whatever_a_model_wrote_nothing_of_it_is_lost(lines: list[str], pinned: list[str]) -> None:
    summary = plain_chapter("\n".join(lines)).strip()
    kept = replace(KEPT, summary=summary or "x", pinned=tuple(pinned))
    text = render_stream(kept)
    assert parse_stream(text) == replace(kept, pinned=tuple(line.removeprefix("- ") for line in pinned)) or (
        parse_stream(text) == kept
    )
    assert render_stream(kept, text) == text


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("session: 2026-02-10-1", "session: today", "it does not say which messages"),
        ("upto: 48", "upto: many", "it does not say which messages"),
        ("keeps: 2", "keeps: two", "keeps and overlap are numbers"),
        ("We spoke of the kiln.", "", "nothing stands under “The conversation so far”"),
        ("---\nsession", "session", "it does not say which messages"),
    ],
)
def test_what_cannot_be_read_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(ReelError, match=why):
        parse_stream(TEXT.replace(old, new, 1))
