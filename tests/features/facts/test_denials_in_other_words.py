"""A no that was said in other words: who is kept from eating gets nothing to eat."""

from pathlib import Path

import pytest

from reel_cli.features.facts.reply import ToldFact, fault_of
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.parametrize(
    ("asked", "said", "value", "evidence"),
    [
        ("What do you do with a clockmaker? You're never on time.",
         "It's his kidneys, they think. Blood test on Friday, the 27th, at nine. Keep him from eating.",
         "kidneys, they think; blood test on Friday the 27th at nine, nothing to eat",
         "It's his kidneys, they think. Blood test on Friday, the 27th, at nine"),
        ("How is she?", "The vet comes at six. Keep her off the stairs till then.",
         "the vet comes at six, no stairs till then", "The vet comes at six"),
    ],
)  # fmt: skip
def test_a_value_may_deny_what_somebody_is_kept_from(
    reel: Reel, kit: Path, asked: str, said: str, value: str, evidence: str
) -> None:
    say(
        reel,
        kit,
        [("user", "so."), ("assistant", asked), ("user", said), ("assistant", "Said, and put down.")],
    )
    extract(reel, row("relationships", "Dudo's health", value, evidence))
    assert facts(reel) == {"relationships/dudo's-health": value}


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("staples", "out on 26 May, 27 of them", True),
        ("the hens", "eggs every day, four of them", True),
        ("the two pens", "one in each bag, both of these", True),
        ("knee", "27 of them", False),
        ("staples", "he asked for it", False),
    ],
)
def test_a_name_of_several_says_what_them_is(key: str, value: str, *, kept: bool) -> None:
    assert (fault_of(ToldFact("context", key, value), ["context"]) == "") == kept


@pytest.mark.parametrize(
    ("said", "value", "evidence", "shown"),
    [
        (
            "Edvin was my assistant, a man from Smola. Edvin went to Canada in '84. He writes at Christmas.",
            "assistant from Smola, to Canada in '82, writes at Christmas",
            "Edvin went to Canada in '84. He writes at Christmas",
            "it says “'84”",
        ),
    ],
)
def test_a_wrong_number_that_is_left_out_of_a_value_is_shown(
    reel: Reel, kit: Path, said: str, value: str, evidence: str, shown: str
) -> None:
    say(reel, kit, [("user", "Tell me of him."), ("assistant", said), ("user", "Good.")])
    told = extract(reel, row("own", "Edvin", value, evidence))
    [what] = [one["what"] for one in told["problems"] if "quiet" not in one]  # type: ignore[attr-defined]
    assert what.endswith(f"does not say; {shown}")
