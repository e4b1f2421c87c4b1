"""Written form of memories, lines and examples, which is the text that counts are kept by."""

from dataclasses import replace

import pytest

from reel_cli.core.pack.render import EDITION, MARKDOWN, PLAIN
from reel_cli.core.pack.words import changed, fold_line, fold_text, spell_date
from reel_cli.core.values.memory import Exemplar, IndexLine, Level, Memory
from reel_cli.core.values.talk import SourceRange

MEMORY = Memory(
    id="M-014",
    title="The letter that wasn't hers",
    level=Level.L1,
    body="unused: the parts are given",
    source=(SourceRange("2026-02-25-1", 1, 12),),
    anchor="open a letter",
    marker="Bo opened with the letter, and kept it.",
    tag="The letter stayed",
)
PARTS = [
    ("", "\n"),
    ("What happened", "\nWe talked.\x1b[31m\r\n\r\n### Then\n\nIt rained.\n\n"),
    ("What matters", "\n- a\n"),
    ("What's unresolved", "\n"),
    ("Retrieval anchors", '\n- "open a letter"\n'),
]


def test_a_memory_is_written_at_three_resolutions() -> None:
    # counts are kept by EDITION: whoever changes what is written here raises it
    assert EDITION == 8
    assert MARKDOWN.memory(MEMORY, PARTS) == (
        (
            "### The letter that wasn't hers (25 February 2026)\n\n"
            "#### What happened\n\n> We talked.[31m\n>\n> ### Then\n>\n> It rained.\n\n"
            "#### What matters\n\n- a\n\n"
        ),
        "- **The letter that wasn't hers** (25 February 2026): Bo opened with the letter, and kept it.\n",
        "- The letter stayed (25 February 2026)\n",
    )
    assert PLAIN.memory(MEMORY, PARTS) == (
        (
            "“The letter that wasn't hers” (25 February 2026)\n\n"
            "What happened\n\n> We talked.[31m\n>\n> ### Then\n>\n> It rained.\n\n"
            "What matters\n\n- a\n\n"
        ),
        "• The letter that wasn't hers (25 February 2026): Bo opened with the letter, and kept it.\n",
        "• The letter stayed (25 February 2026)\n",
    )


def test_what_holds_in_its_place_stands_behind_a_memory_at_each_resolution() -> None:
    marked = replace(MEMORY, no_longer='The letter "was" hers.')
    since = '(Not all of it holds any longer. What holds: The letter "was" hers.)'
    whole, marker, tag = MARKDOWN.memory(marked, PARTS)
    assert whole == f"{MARKDOWN.memory(MEMORY, PARTS)[0]}{since}\n\n"
    assert marker.endswith(f" Bo opened with the letter, and kept it. {since}\n")
    assert tag == f"- The letter stayed (25 February 2026) {since}\n"
    assert MARKDOWN.memory(replace(marked, level=Level.L4), PARTS)[0].endswith(f"{since}\n")


def test_an_l3_is_its_paragraph_and_an_l4_its_line() -> None:
    l3 = MARKDOWN.memory(replace(MEMORY, level=Level.L3), [("", "\nA longer\nparagraph.\n")])
    marker = "- **The letter that wasn't hers** (25 February 2026): A longer paragraph.\n"
    assert l3 == (marker, marker, "- The letter stayed (25 February 2026)\n")
    l4 = MARKDOWN.memory(replace(MEMORY, level=Level.L4), [("", "\nOnly this.\n")])
    assert set(l4) == {"- Only this. (25 February 2026)\n"}


def test_what_is_missing_leaves_no_hole_and_never_an_id() -> None:
    bare = Memory(id="M-014", title="M-014", level=Level.L1, body="", created="soon")
    assert MARKDOWN.memory(bare, [("", "We met.")]) == (
        "### A moment\n\nWe met.\n\n",
        "- Once: We met.\n",
        "- We met.\n",
    )
    assert MARKDOWN.memory(bare, []) == ("### A moment\n\n", "- A moment\n", "- A moment\n")
    assert MARKDOWN.memory(replace(bare, level=Level.L3), []) == ("- A moment\n",) * 3
    assert PLAIN.memory(replace(bare, created="2026-03-01"), [("", "/x")])[0] == "1 March 2026\n\n/x\n\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (IndexLine("M-001", "The lamp", "went out"), '- The lamp: "went out"\n'),
        (IndexLine("M-001", "M-001", "went out"), '- "went out"\n'),
        (IndexLine("M-001", "/The\x07 lamp", ""), "- /The lamp\n"),
        (IndexLine("M-001", "", ""), "- …\n"),
    ],
)
def test_a_line_is_its_description_and_phrase(line: IndexLine, text: str) -> None:
    assert MARKDOWN.line(line) == text


def test_an_exemplar_is_verbatim_under_its_title() -> None:
    exemplar = Exemplar("a", "/The wrong\ntrain", "general", "\n**Bo:** hm.\n\n    code\n")
    assert MARKDOWN.exemplar(exemplar) == "### /The wrong train\n\n**Bo:** hm.\n\n    code\n\n"
    assert PLAIN.exemplar(exemplar).startswith("“/The wrong train”\n\n**Bo:** hm.")


@pytest.mark.parametrize("text", ["x", "x\n", "x  \n\n", "\r\n x\x00\x1b"])
def test_verbatim_text_is_whole_and_its_unit_ends_in_an_empty_line(text: str) -> None:
    unit = MARKDOWN.verbatim("Who you are", text)
    assert unit.startswith(f"## Who you are\n\n{text}")
    assert unit.endswith("\n\n") or text.endswith("\n\n")


def test_folding_takes_controls_and_nothing_else() -> None:
    assert fold_text("a\x00\x1b\x9bb\r\nc\td\re👨‍👩‍👧") == "ab\nc\td\ne👨‍👩‍👧"
    assert fold_line(" a\n\tb\u2028c \x1b d ") == "a b c d"


@pytest.mark.parametrize(
    ("date", "spelt"),
    [
        ("2026-02-05", "5 February 2026"),
        ("2026-12-31T10:00:00Z", "31 December 2026"),
        ("", ""),
        ("2026-13-01", ""),
        ("2026-00-01", ""),
        ("2026-02-xx", ""),
        ("yesterday..", ""),
        ("٢٠٢٦-02-05", ""),
    ],
)
def test_dates_read_like_dates(date: str, spelt: str) -> None:
    assert spell_date(date) == spelt


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("at six", True),
        ("at six till 14 March", True),
        ("at six, as on 4 March 2025", True),
        ("at six from 4 March", False),
        ("at six from 4 March 2026 on", False),
    ],
)
def test_the_day_of_a_change_is_told_unless_its_value_gives_it(now: str, *, told: bool) -> None:
    assert changed("tablets", "2026-03-04", now) == f"tablets{', since 4 March 2026' if told else ''}: {now}"
