"""A fact that tells a plan or a duty as done is kept in the words that were said, or waits beside them."""

from pathlib import Path

import pytest

from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


def test_a_duty_told_as_done_is_kept_in_the_words_that_were_said(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I have to send the lease tomorrow."), ("assistant", "Good luck.")])
    reply = (
        "## What I know for sure\n"
        "history | lease | sent the lease | Bo sent the lease | "
        '"I have to send the lease tomorrow" | 0.95\n\nAda\n'
    )
    extract(reel, reply)
    assert facts(reel) == {"history/lease": "I have to send the lease tomorrow."}
    assert "statement" not in (kit / "facts.yaml").read_text()


def test_a_duty_in_too_many_words_is_not_kept(reel: Reel, kit: Path) -> None:
    said = "We are planning to take a long trip in the month of June to explore a new city and have some fun."
    say(reel, kit, [("user", said), ("assistant", "Nice.")])
    reply = row("history", "trip", "took a long trip", said)
    made = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert facts(reel) == {}
    assert "does not say that it was done" in made.err


DUTY = ("user", "I have to send the lease tomorrow.")


@pytest.mark.parametrize(
    ("talk", "kept"),
    [
        ([DUTY, ("assistant", "Do it now."), ("user", "All right, I sent it.")], "sent the lease"),
        ([DUTY, ("assistant", "And?"), ("user", "Done.")], "sent the lease"),
        # of something before, and of the other
        ([("user", "Done."), ("assistant", "Good."), DUTY], DUTY[1]),
        ([DUTY, ("assistant", "I sent the lease, you wait.")], DUTY[1]),
    ],
)
def test_a_duty_is_kept_as_done_where_its_speaker_says_so_later(
    reel: Reel, kit: Path, talk: list[tuple[str, str]], kept: str
) -> None:
    say(reel, kit, [*talk, ("assistant", "Well.")] if talk[-1][0] == "user" else talk)
    extract(reel, row("history", "lease", "sent the lease", "I have to send the lease tomorrow"))
    assert facts(reel) == {"history/lease": kept}


def test_the_personas_own_plan_is_no_deed_either(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Good morning."), ("assistant", "I'll bake a cake tonight.")])
    extract(reel, row("own", "cake", "baked a cake", "I'll bake a cake tonight"))
    assert facts(reel) == {"own/cake": "I'll bake a cake tonight."}
