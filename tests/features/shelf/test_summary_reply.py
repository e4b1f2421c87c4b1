"""The page of a summary, read in whatever shape it comes; and the prompt that asks for it."""

import pytest

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.shelf.summaries.reply import (
    Paper,
    find_unborne,
    read_summary_page,
    render_summary_prompt,
    shares_nothing,
    style_texts,
)
from reel_cli.features.shelf.summaries.summary import Style

BODY = "- The ferry stops in chapter three.\n- Ines finds 12 letters."
WHOLE = f"## Title\nThe plan\n\n## Gist\nThe ferry stops.\n\n## Summary\n{BODY}\n\nAda"
PROMPT = render_summary_prompt(
    "Ada",
    "Nell",
    "You are Ada.",
    [Paper("shelf/plan.md", "3 lines", "The ferry.\n=== not the end")],
    "bullet",
    60,
)


def test_the_prompt_has_ring_0_and_papers_that_nothing_in_them_can_close() -> None:
    assert "You are Ada." in PROMPT
    rule = "===="
    whole = f"\n{rule} shelf/plan.md (3 lines) {rule}\n```\nThe ferry.\n=== not the end\n```\n"
    assert f"{whole}{rule} The end of shelf/plan.md {rule}\n" in PROMPT
    assert find_prompt(f"hello\n{PROMPT}") is not None
    assert set(style_texts()) == {style.value for style in Style}
    texts = {render_summary_prompt("A", "B", "", [], style, 60) for style in style_texts()}
    assert len(texts) == len(Style)


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE,
        f"Sure, here is the summary:\n\n{WHOLE}",
        f"```markdown\n{WHOLE}\n```",
        WHOLE.replace("## Title\n", "**Title:** ").replace("## Gist\n", "**Gist:** ").replace("## ", "### "),
        WHOLE.replace("## Title\n", "Title: ")
        .replace("## Gist\n", "gist: ")
        .replace("## Summary", "SUMMARY:"),
        "".join(f"> {line}\n" for line in WHOLE.split("\n")),
        f"<think>\n## Summary\nno, not this\n</think>\n{WHOLE}",
        f"{PROMPT}\n{WHOLE}",
        WHOLE.replace("\n\nAda", "\n\n— **Ada**\n\n---\n"),
        WHOLE.replace("Nothing", "").replace("\n", "\r\n"),
    ],
)
def test_the_page_is_read_in_any_shape(reply: str) -> None:
    page = read_summary_page(reply, PROMPT, "Ada")
    assert (page.refusal, page.title, page.gist, page.body) == ("", "The plan", "The ferry stops.", BODY)
    assert page.problems == ()


def test_a_page_without_headings_is_the_summary() -> None:
    page = read_summary_page(f"# What it comes to\n\n{BODY}", "", "Ada")
    assert page.body == f"# What it comes to\n\n{BODY}"
    front = read_summary_page(f"---\nsummary_of: [x]\nstyle: bullet\n---\n\n{BODY}", "", "Ada")
    assert front.body == BODY


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (PROMPT, "That is the prompt itself, not the answer to it."),
        ("ok", "That reply has no summary in a form that reel can read."),
        (
            "## Title\nx\n\n## Gist\n\n## Summary\n\nAda",
            "That reply has no summary in a form that reel can read.",
        ),
        (
            "## In a few words\nThe ferry\n\n## What happened\nIt stopped in chapter three.\n\nAda",
            "That answers another prompt: nobody asked here for “In a few words”.",
        ),
        ("<think>\nlet me see", "The answer breaks off before the summary."),
        (f"## Summary\n{'x ' * 60_000}", "That is 120,000 characters long, which is not a summary."),
    ],
)
def test_what_is_no_summary_is_refused(reply: str, why: str) -> None:
    assert read_summary_page(reply, PROMPT, "Ada").refusal == why


def test_without_a_prompt_that_waits_the_prompt_is_no_summary_either() -> None:
    page = read_summary_page(PROMPT, "", "Ada")
    assert (page.refusal, page.is_prompt) == ("That is the prompt itself, not the answer to it.", True)
    assert read_summary_page(f"{PROMPT}\n{WHOLE}", "", "Ada").body == BODY
    # one heading that another prompt has as well is a heading
    assert read_summary_page(f"## What changed\n{BODY}", "", "Ada").refusal == ""


def test_a_page_that_is_not_signed_may_be_cut_off() -> None:
    (problem,) = read_summary_page(WHOLE.removesuffix("\n\nAda"), PROMPT, "Ada").problems
    assert problem.what == "Ada's name is not on its last line: perhaps the answer was cut off."


def test_any_words_are_no_summary() -> None:
    shown = "The ferry stops in chapter three. Ines finds 12 letters on 2026-02-10."
    assert not shares_nothing("In chapter three Ines stays ashore, for no ship sails.", shown)
    assert shares_nothing("I had eggs for breakfast, and the weather was lovely all morning.", shown)
    assert not shares_nothing("Good morning.", shown)
    assert not shares_nothing(
        "\u6e21\u8f2a\u306f\u4e09\u7ae0\u3067 \u6b62 \u307e \u308b \u3002 \u306f", shown
    )


def test_what_the_papers_do_not_bear_is_told() -> None:
    shown = "The ferry stops in chapter three. Ines finds 12 letters on 2026-02-10."
    assert find_unborne("- Ines finds twelve letters on 10 February 2026.", shown, "Ada Nell") == []
    found = find_unborne("- Ines and Margot find 14 letters.\n- Nell says so.", shown, "Ada Nell")
    assert [(one.field, one.what) for one in found] == [
        ("grounding.number", "“14” is a number that is not there."),
        ("grounding.name", "“Margot” is a name that is not there."),
    ]
