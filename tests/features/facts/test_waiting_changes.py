"""Changes that wait: a bundle quotes what the chat said, and no value that only a page has."""

import json
from pathlib import Path

from tests.features.facts.test_fact_extract import extract, row
from tests.support.cli import Reel
from tests.support.pages import page, say

CHANGED = (
    "The amlodipine gave me swollen ankles, so she stopped it. I take ramipril instead, 2.5 mg at night."
)
WORDS = "ramipril instead, 2.5 mg at night"


TAKES = "amlodipine 10 mg in the morning"
BAN = "I must not take ibuprofen"


def have_dose(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", f"I take {TAKES}. {BAN}."), ("assistant", "Good.")])
    ban = f'constraints | ibuprofen | must not take ibuprofen | "{BAN}" | 1'
    extract(
        reel, row("context", "blood pressure medicine", TAKES, TAKES).replace("\n\nAda", f"\n{ban}\n\nAda")
    )
    say(reel, kit, [("user", CHANGED), ("assistant", "Since when?")], 20)


def test_a_dose_that_the_chat_does_not_say_is_told_as_no_words_of_it(reel: Reel, kit: Path) -> None:
    have_dose(reel, kit)
    told = extract(reel, row("context", "blood pressure medicine", "ramipril 25 mg at night", WORDS))
    assert "the page says 25, the chat says 2.5" in json.dumps(told)
    bundle = reel("pack").ok().out
    assert "amlodipine 10 mg in the morning" in bundle
    assert f"a later chat, 20 February 2026, says “{WORDS}”)" in bundle
    assert "25 mg" not in bundle
    waiting = " ".join(reel("review").ok().out.split())
    assert f"says only “{WORDS}” (the page says 25, the chat says 2.5)" in waiting


def test_words_about_another_thing_end_no_ban(reel: Reel, kit: Path) -> None:
    have_dose(reel, kit)
    reply = page(
        {
            "What I know for sure": 'constraints | ibuprofen | over | "so she stopped it"',
            "Lines to find it by": f'"{WORDS}"', "What has shifted": '"Since when?"\nsteady',
        }
    )  # fmt: skip
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=reply).ok()
    shown = " ".join(f"{run.out} {run.err}".split())
    assert "ibuprofen: over" in shown
    assert "so she stopped it.” does not name it" in shown
    ban = next(line for line in reel("pack").ok().out.splitlines() if line.startswith("- ibuprofen: "))
    assert "not settled" not in ban
    assert "which does not name “ibuprofen”" in " ".join(reel("review").ok().out.split())
