"""A reply of several pages is cut where its pages are, in whatever dress their headings come."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.exchange.page_rewrite import WHOLE_PARTS, read_rewriting
from reel_cli.core.exchange.pages import part_pages
from reel_cli.core.exchange.schema import CONSOLIDATION

TITLES = ("The letter", "The wrong bus", "Nobody yet")
BODIES = ("## What happened\nHe wrote it.", "It came late, and we laughed.\n\nTwice.", "Who, what, by when.")


def _dressed(form: str) -> str:
    return "\n\n".join(
        form.format(n=number, title=title) + f"\n{body}"
        for number, (title, body) in enumerate(zip(TITLES, BODIES, strict=True), start=1)
    )


@pytest.mark.parametrize(
    "form",
    [
        "# Page {n}: {title}",
        "## Page {n}",
        "**Page {n}: {title}**",
        "**Page {n} – {title}**\n",
        "=== Page {n}: {title} ===",
        "PAGE {n}. {title}",
        "Page {n}:",
        "[Page {n}]",
        "### {n}. {title}",
        "{n}. {title}",
        "# {title}",
        "> # Page {n}: {title}",
        "# 📄 Page {n}: {title}",
        "# Page {n}: {title} (25 February 2026)",
        "Memory #{n}: {title}",
    ],
)
def test_pages_are_known_by_their_headings(form: str) -> None:
    parted = part_pages(f"Gladly.\n\n{_dressed(form)}\n\nAda", TITLES)

    pages = {number: text.strip() for number, text in parted.pages.items()}
    assert pages == {1: BODIES[0], 2: BODIES[1], 3: f"{BODIES[2]}\n\nAda"}
    assert parted.problems == ()


@pytest.mark.parametrize(
    "made",
    [
        {"pages": [{"page": n, "title": t, "What happened": "x"} for n, t in enumerate(TITLES, start=1)]},
        {f"page_{n}": {"what_happened": "x"} for n in (1, 2, 3)},
        [{"page": n, "what_happened": "x"} for n in (1, 2, 3)],
        [{"title": t, "what_happened": "x"} for t in TITLES],
        {
            "Page 1: The letter": {"what_happened": "x"},
            "Page 2": {"what_happened": "x"},
            "3": {"what happened": "x"},
        },
    ],
)
def test_pages_in_json_are_read_as_headings(made: object) -> None:
    reply = f"Here it is:\n```json\n{json.dumps(made, indent=1)}\n```"

    parted = part_pages(reply, TITLES)

    assert {n: text.split("\n")[:2] for n, text in parted.pages.items()} == {
        n: [parted.pages[n].split("\n")[0], "x"] for n in (1, 2, 3)
    }
    assert all(text.casefold().startswith("## what happened") for text in parted.pages.values())


def test_of_two_pages_under_one_heading_neither_is_taken() -> None:
    parted = part_pages("# Pages 1 and 2\nAll of it.\n# Page 3: Nobody yet\nWho.", TITLES)

    assert parted.pages == {3: "Who."}
    assert [problem.field for problem in parted.problems] == ["page.1", "page.2"]


def test_a_number_and_a_title_that_name_different_pages_are_both_doubted() -> None:
    parted = part_pages("# Page 2: The letter\nx\n# Page 3: Nobody yet\ny", TITLES)

    assert parted.pages == {3: "y"}
    assert {problem.field for problem in parted.problems} == {"page.1", "page.2"}


@pytest.mark.parametrize(
    "reply",
    [
        "# Page 1: The wrong train\nx",
        "**Memory 4 — the wrong train (M-007)**\nx",
        "## The wrong train\nx\n# Page 2: The letter\ny",
        '{"pages": [{"number": 1, "title": "The wrong train", "text": "x"}]}',
    ],
)
def test_the_titles_that_were_not_asked_for_are_told(reply: str) -> None:
    assert part_pages(reply, TITLES, strangers=["The wrong train", "A heron"]).strangers == (
        "The wrong train",
    )


def test_a_page_nobody_asked_for_is_named_and_left_out() -> None:
    parted = part_pages("# Page 1\na\n# Page 9: The end\nb", TITLES)

    assert parted.pages == {1: "a"}
    assert [problem.what for problem in parted.problems] == [
        "a page that was not asked for (The end) is left out"
    ]


def test_of_a_draft_and_what_is_meant_the_last_is_taken() -> None:
    parted = part_pages("# Page 1\nfirst try\n# Page 2\nb\n# Page 1\nas meant", TITLES)

    assert parted.pages == {1: "as meant", 2: "b"}
    assert [problem.field for problem in parted.problems] == ["page.1"]


@pytest.mark.parametrize("form", ["# Page {n}: {title}", "## Page {n}", "# {title}", "{title}"])
def test_a_line_of_the_text_that_is_a_title_parts_nothing(form: str) -> None:
    said = "He found the line:\nThe letter\nThe wrong bus\nIt stayed."
    reply = "\n\n".join(
        form.format(n=n, title=title) + f"\n{said}" for n, title in enumerate(TITLES[:2], start=1)
    )
    if form == "{title}":
        # nothing else heads the second page
        assert part_pages(reply, TITLES[:1]).pages == {1: reply.partition("\n")[2]}
    else:
        assert part_pages(reply, TITLES[:2]).pages == {1: said, 2: said}


@pytest.mark.parametrize(
    "line",
    [
        "The letter",
        "What matters",
        "Tags",
        "Kind",
        "Lines to find it by",
        "Retrieval anchors",
        "In one breath",
    ],
)
@pytest.mark.parametrize("key", ["matters", "unresolved", "marker"])
def test_a_line_of_the_text_with_a_label_s_words_parts_no_page(line: str, key: str) -> None:
    told = {"happened": "He went.", "changed": "nothing", "matters": "A.", "unresolved": "B.", "marker": "C."}
    told[key] = f"{told[key]}\n{line}\nIt stayed."
    parts = [f"## {CONSOLIDATION[part].label}\n{text}" for part, text in told.items()]
    reply = "\n".join(["# Page 1: The letter", *parts, "", "Ada"])
    [one], _, _ = read_rewriting(reply, TITLES[:1], [WHOLE_PARTS], prompt="", names=["Ada"])
    assert one.reading is not None
    assert one.reading.text(key).splitlines()[1:] == [line, "It stayed."]


def test_a_reply_to_one_page_needs_no_heading() -> None:
    assert part_pages("It came late.", TITLES[:1]).pages == {1: "It came late."}


def test_the_prompt_pasted_back_is_no_answer() -> None:
    prompt = (
        "Ada, pages are to be written again.\n\n=== Page 1: The letter ===\nx\n\nKeep these headings.\nSign."
    )

    assert part_pages(prompt, TITLES[:1], prompt).is_prompt
    assert part_pages(f"{prompt}\n\n# Page 1: The letter\nHe wrote.", TITLES[:1], prompt).pages == {
        1: "He wrote."
    }


PROSE = st.lists(
    st.sampled_from(["I", "went", "home", "page", "2", "of", "the", "book", "later.", "and", "3:", "said"]),
    min_size=1,
    max_size=30,
).map(lambda words: "We " + " ".join(words))


@settings(max_examples=100, deadline=None)
@given(st.lists(PROSE, min_size=1, max_size=5), st.sampled_from(["# Page {}: {}", "**Page {}: {}**"]))
def test_prose_about_pages_parts_nothing(bodies: list[str], form: str) -> None:
    titles = [f"Title of number {chr(65 + n)}" for n in range(len(bodies))]
    reply = "\n\n".join(
        f"{form.format(n, title)}\n{body}"
        for n, (title, body) in enumerate(zip(titles, bodies, strict=True), start=1)
    )

    assert part_pages(reply, titles).pages == dict(enumerate(bodies, start=1))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400), st.lists(st.text(max_size=12), min_size=1, max_size=3))
def test_any_text_at_all_is_read_without_a_fault(reply: str, titles: list[str]) -> None:
    assert set(part_pages(reply, titles).pages) <= set(range(1, len(titles) + 1))
