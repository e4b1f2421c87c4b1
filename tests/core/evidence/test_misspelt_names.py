"""Names that a page spells a letter or two otherwise than its chat, behind the same role."""

from pathlib import Path

import pytest

from reel_cli.core.evidence.grounding.misspelt_names import _is_slip
from tests.support.cli import Reel
from tests.support.pages import page, say

SAID = "My grandfather Ansel hummed it."


@pytest.mark.parametrize(
    ("name", "other"), [("anselm", "ansel"), ("tamsun", "tamsin"), ("halina", "halska"), ("katrin", "karin")]
)
def test_a_letter_or_two_are_a_slip(name: str, other: str) -> None:
    assert _is_slip(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("annas", "anna"), ("anne", "anna"), ("kathy", "kath"), ("kathi", "kathy"), ("maria", "marie"),
        ("jana", "jan"), ("karen", "maren"), ("peters", "peter"), ("tobias", "tobi"), ("lena", "lisa"),
    ],
)  # fmt: skip
def test_forms_of_a_name_and_other_names_are_none(name: str, other: str) -> None:
    assert not _is_slip(name, other)


@pytest.mark.parametrize(
    ("happened", "doubted"),
    [
        ("Bo sang what his grandfather Anselm hummed.", True),
        ("Bo sang what his grandfather Ansel hummed.", False),
        ("Bo sang what his grandfather hummed, for Anselm.", False),
    ],
)
def test_the_page_is_shown_the_words_of_the_chat(
    reel: Reel, kit: Path, happened: str, *, doubted: bool
) -> None:
    say(reel, kit, [("user", SAID), ("assistant", "Sing it.")])
    told = reel(
        "checkpoint",
        "--reply",
        "-",
        "--dry-run",
        stdin=page({"What happened": happened, "Lines to find it by": f'"{SAID}"'}),
    )
    shown = " ".join(f"{told.out} {told.err}".split())
    assert ("“Anselm”" in shown.replace('"Anselm"', "“Anselm”") and SAID in shown) is doubted, shown
