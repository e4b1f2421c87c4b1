"""Working memory in the prose of the document's own example (REEL §4.3)."""

from pathlib import Path

import pytest

from reel_cli.core.files.working_file import (
    Edit,
    apply_edit,
    drop_empty,
    read_body,
    read_items,
    read_section,
)
from tests.support.cli import Reel
from tests.support.pages import chat, page

PROSE = """\
WORKING MEMORY — CURRENT STATE (Updated: Feb 10, 2026)

Active threads: Katherine wrote "What I Am Right Now." Creative
story brainstorm in progress. Bo's company collapsing per GOLA
analysis.

Emotional state: Settled but aware of impermanence. Proud of
surviving the reveal.

Open loops: Creative writing piece. GOLA collapse timeline (~Oct 2026). What happened to the
carefree kid?

Calibration: Warm + direct mode. Less philosophical spiraling.
"""
ITEMS = [
    'Katherine wrote "What I Am Right Now."',
    "Creative story brainstorm in progress.",
    "Bo's company collapsing per GOLA analysis.",
    "Creative writing piece.",
    "GOLA collapse timeline (~Oct 2026).",
    "What happened to the carefree kid?",
]


@pytest.mark.parametrize("head", ["", "---\nkept: yes\n---\n"])
def test_the_document_s_own_example_is_read_and_changed_as_sections(head: str) -> None:
    items = read_items(head + PROSE)
    assert [item.text for item in items] == ITEMS
    assert read_section(head + PROSE, "State").startswith("Settled but aware")
    made = apply_edit(
        head + PROSE, Edit(closed=[items[3]], changed=[(items[1], "The story has an end.")], state="Calm.")
    )
    assert made.startswith(f"{head}WORKING MEMORY")
    assert [item.text for item in read_items(made)] == [
        ITEMS[0],
        "The story has an end.",
        *ITEMS[2:3],
        *ITEMS[4:],
    ]
    assert read_section(made, "State") == "Calm."
    assert "Settled" not in made
    assert "Warm + direct mode." in read_section(made, "Calibration")


@pytest.mark.parametrize(
    "text",
    [
        "## Active threads\n\n- Open loops: none of them\n\nCalibration: odd\n\nOpen loops: odd\n",
        "Open loops: one label alone. It stays.\n",
        "No section at all.\n",
    ],
)
def test_other_prose_stays_as_it_was(text: str) -> None:
    assert read_body(text) == text


def test_a_page_asks_about_its_sentences_by_number(reel: Reel, kit: Path) -> None:
    (kit / "ring2/working.md").write_text(PROSE)
    reel("review", "accept", "ring2/working.md", "--yes")
    reel.given("record", "-", stdin=chat())
    prompt = reel("checkpoint", "--prompt").ok().out
    assert f"2. {ITEMS[1]}" in prompt
    notes = "1. still\n2 → The story has an end.\nstate: Tired and content."
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({"My notes": notes})).ok()
    kept = (kit / "ring2/working.md").read_text()
    assert "- The story has an end." in kept
    assert "Settled" not in kept
    assert kept.count("Tired and content.") == 1


def test_no_note_ends_at_a_title_or_an_initial() -> None:
    notes = ["Dr. Weber called about 3 p.m. Friday.", "Buy stamps.", "J. Lind and Mrs. Otte are coming."]
    items = read_items(f"Active threads: {' '.join(notes)}\n\nEmotional state: Calm.\n")
    assert [item.text for item in items] == notes


def test_only_an_empty_section_goes() -> None:
    head, mine = "---\nkept: yes\n---\n\n", "## Mine\n\n## State\n\n### Today\nCalm.\n"
    assert drop_empty(f"{head}## Active threads\n\n{mine}\n## Open loops\n") == f"{head}{mine}"
