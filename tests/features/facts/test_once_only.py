"""Values that a chat limits to one time: beside the rule, never in its place, and in no note."""

from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.details.once_only import find_limit, goes_on, is_of_once
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import page, say

RULE = "Ruth comes on Sunday, every week"
NAMES = "## What I know for sure\n"
SAYS = 'relationships | daughter | {} | "{}" | 0.95\n\nAda\n'
MOVED = "Ruth cannot come this Sunday, she comes on Saturday instead. Only this week."


def _know_rule(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", f"My daughter {RULE}."), ("assistant", "Good.")])
    extract(reel, NAMES + SAYS.format(RULE, RULE))
    assert facts(reel) == {"relationships/daughter": RULE}


@pytest.mark.parametrize(
    ("said", "value", "kept"),
    [
        (MOVED, "Ruth comes on Saturday", "Ruth comes on Saturday, only this week"),
        (MOVED, "Ruth comes on Saturday, only this week", "Ruth comes on Saturday, only this week"),
        (MOVED[:-16], "Ruth comes on Saturday", "Ruth comes on Saturday, instead of this Sunday"),
        (
            "Ruth comes on Saturday, just this once.",
            "Ruth comes on Saturday",
            "Ruth comes on Saturday, just this once",
        ),
    ],
)  # fmt: skip
def test_what_is_so_once_stands_beside_the_rule(
    reel: Reel, kit: Path, said: str, value: str, kept: str
) -> None:
    _know_rule(reel, kit)
    say(reel, kit, [("user", said), ("assistant", "Saturday, then.")], 12)
    quoted = "she comes on Saturday instead" if "instead" in said else "Ruth comes on Saturday"
    extract(reel, NAMES + SAYS.format(value, quoted))
    assert facts(reel) == {"relationships/daughter": RULE, "relationships/daughter-14-february-2026": kept}


def test_a_new_rule_takes_the_place_of_the_old_one(reel: Reel, kit: Path) -> None:
    _know_rule(reel, kit)
    say(reel, kit, [("user", "Ruth comes on Saturday from now on."), ("assistant", "Saturday, then.")], 12)
    extract(
        reel, NAMES + SAYS.format("Ruth comes on Saturday from now on", "Ruth comes on Saturday from now on")
    )
    assert "Saturday" in facts(reel)["relationships/daughter"]
    assert "Sunday" not in facts(reel)["relationships/daughter"]


def test_a_note_keeps_the_rule_where_a_chat_tells_of_one_week(reel: Reel, kit: Path) -> None:
    said = [("user", f"My daughter {RULE}."), ("assistant", "Since when?")]
    fact = SAYS.partition("\n")[0]
    for day, quoted, value, notes in (
        (10, RULE, RULE, "1. still\nnew: his daughter Ruth comes every Sunday\nstate: Well."),
        (12, "she comes on Saturday instead", "Ruth comes on Saturday", "1. still\n2. still\nstate: Well."),
    ):
        say(reel, kit, said, day)
        reel("checkpoint", "--prompt").ok()
        told = {"My notes": notes, "What I know for sure": fact.format(value, quoted)}
        told |= {"Lines to find it by": f'"{quoted}"', "What has shifted": '"Since when?"\nsteady'}
        reel("checkpoint", "--reply", "-", "--yes", stdin=page(told)).ok()
        assert "his daughter Ruth comes every Sunday" in (kit / "ring2" / "working.md").read_text()
        said = [("user", MOVED), ("assistant", "Since when?")]
    assert facts(reel)["relationships/daughter"] == RULE


@pytest.mark.parametrize(
    ("words", "said", "limit"),
    [
        ("she comes on Saturday", ["She comes on Saturday this time."], "this time"),
        ("she comes on Saturday", ["She comes on Saturday.", "Only this week."], "only this week"),
        ("choir is on Thursday", ["Choir is on Thursday for this week."], "for this week"),
        ("on Saturday", ["Not this Sunday. She comes on Saturday instead."], "instead of this Sunday"),
        ("she comes on Saturday", ["She comes on Saturday instead of Sunday."], ""),
        ("she comes on Saturday", ["She comes on Saturday from now on. Only this week she skips."], ""),
        ("she comes on Saturdays", ["She comes on Saturdays, not just this week."], ""),
        ("she comes on Saturday", ["She comes on Saturday.", "I read only this week what Tom wrote."], ""),
        ("she comes on Saturday", ["She comes on Saturday. I have met her only once."], ""),
        ("she comes on Saturday", ["She comes on Saturday. Just once."], "just once"),
    ],
)  # fmt: skip
def test_a_limit_is_read_in_the_words_around(words: str, said: list[str], limit: str) -> None:
    assert find_limit(words, said) == limit


def test_a_rule_is_not_over_because_it_rests_once() -> None:
    assert goes_on(RULE)
    assert goes_on("Ruth comes on Sunday")
    assert not goes_on("dentist on Tuesday 10 March at nine")
    assert is_of_once("Ruth cannot come this Sunday", [MOVED])
    assert not is_of_once("Ruth does not come any more", ["Ruth does not come any more."])
    assert not is_of_once("From this Sunday on she stays away", ["From this Sunday on she stays away."])


@pytest.mark.parametrize(
    "said",
    [
        "I gave up choir this week.",
        "Choir folded this month.",
        "I left the choir this month.",
        "I resigned this week.",
        "The doctor took me off it this week.",
        "They cancelled the Tuesday class this month and it is finished.",
        "I cancelled my place in the choir this week.",
        "I left the choir. I sang there just once.",
    ],
)
def test_a_real_end_is_no_exception(said: str) -> None:
    assert not is_of_once(said.partition(". ")[0], [said])


@pytest.mark.parametrize(
    "said",
    [
        "Choir is cancelled this week.",
        "Ruth is off this Sunday.",
        "The pool is closed this week.",
        "Ruth took this Sunday off.",
        "Choir is done in the small hall this week.",
    ],
)
def test_what_rests_this_week_goes_on(said: str) -> None:
    assert is_of_once(said, [said])
