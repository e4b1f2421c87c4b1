"""A short page has no facts: a dose that its chat changes is named, and not passed over."""

from pathlib import Path

import pytest

from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

TAKES = "I take bisoprolol, 2.5 mg in the morning."


def known(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", TAKES), ("assistant", "Noted.")])
    extract(reel, row("context", "bisoprolol", "2.5 mg in the morning", TAKES.rstrip(".")))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("They doubled the bisoprolol to 5 mg today.", True),
        ("I am off the bisoprolol since Monday.", True),
        ("The bisoprolol is 5 mg now.", True),
        ("I took my bisoprolol, 2.5 mg, as ever.", False),
        ("Should I stop the bisoprolol?", False),
        ("I stopped at the shop.", False),
    ],
)
def test_a_dose_that_a_short_page_passes_over_is_named(
    reel: Reel, kit: Path, said: str, *, told: bool
) -> None:
    known(reel, kit)
    say(reel, kit, [("user", said), ("assistant", "I see.")], 20)
    reel("checkpoint", "--brief", "--prompt").ok()
    kept = "## What happened\nBo told me of the pills.\n\n## What matters\nHe is well.\n\n"
    kept += "## My notes\n1. still\n\nAda\n"
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=kept)
    words = " ".join(f"{run.out} {run.err}".split())
    assert ("bisoprolol: “2.5 mg in the morning” is known by heart, and this chat says" in words) is told
    assert ("reel fact extract" in words) is told
    assert facts(reel) == {"context/bisoprolol": "2.5 mg in the morning"}


def test_a_wish_to_forget_is_no_fact_to_know_by_heart(reel: Reel, kit: Path) -> None:
    wish = "Please always leave her out, I'd rather you forgot her too."
    say(reel, kit, [("user", f"I live in Rome. {wish}"), ("assistant", "Yes.")])
    extract(reel, row("context", "city", "Rome", "I live in Rome"))
    assert not any("forgot" in value for value in facts(reel).values())
