"""Two facts that do not agree about one thing that protects somebody: the newer is told, and reel asks."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts
from reel_cli.features.facts.policy import EXTRACTION
from reel_cli.features.facts.replaced.clashing_facts import find_clashes
from tests.features.facts.test_bundle import packed, with_facts
from tests.support.cli import Reel


def fact(key: str, value: str, day: str, statement: str = "", category: str = "constraints") -> Fact:
    return Fact(
        category, key, value, "0.9", f"{day}-1#3", day, origin=EXTRACTION, statement=statement, evidence=value
    )


STINGS = fact("wasp stings", "allergic to stings, pen in the till drawer under the twenties", "2026-05-05")
PEN = fact("wasp pen", "new pen, in the apron pocket", "2026-09-06", "Bo's wasp pen is in the apron pocket")
CASHEW = fact("cashew", "allergic to cashew, with an EpiPen in the hall drawer", "2026-05-04")
EPIPEN = fact("EpiPen", "in the running belt, out of the hall drawer for good", "2026-08-02")
PREVENTER = fact("asthma", "has asthma, preventer 100 micrograms", "2026-05-04")
DOSE = fact("preventer", "200 micrograms", "2026-07-17")
SATCHEL = fact("adrenaline pens", "one in the satchel, one on a hook", "2026-05-05")
KEYS = fact("the shop", "keys in the till drawer", "2026-05-05", category="context")
PAIRS = [
    ([STINGS, PEN], "reel fact add constraints 'wasp stings' 'allergic to stings'"),
    ([EPIPEN, CASHEW], "reel fact add constraints cashew 'allergic to cashew'"),
    ([PREVENTER, DOSE], "reel fact add constraints asthma 'has asthma'"),
]


@pytest.mark.parametrize(("facts", "mend"), PAIRS)
def test_the_older_of_two_is_marked_and_asked_about(facts: Sequence[Fact], mend: str) -> None:
    kit = with_facts(facts)
    assert [one.mend for one in find_clashes(kit.snapshot())] == [mend]
    lines = [line for line in packed(kit, window=8192).text.splitlines() if line.startswith("- ")]
    assert len([line for line in lines if ": no longer so" in line]) == 1


def test_two_doses_of_one_medicine_do_not_agree_unless_a_person_kept_both() -> None:
    older = fact("mother's ramipril", "10 mg of ramipril in the morning", "2026-05-05")
    newer = fact("ramipril dose", "2.5 mg of ramipril in the evening", "2026-05-06")
    kit = with_facts([older, newer])
    assert [(one.was, one.now) for one in find_clashes(kit.snapshot())] == [(older, newer)]
    assert find_clashes(with_facts([older, replace(newer, origin="person")]).snapshot()) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # of another thing, of another kind, and where the newer says nothing of a place
        (STINGS, fact("diabetes kit", "in the fridge, by the milk", "2026-09-06")),
        (STINGS, fact("wasp pen", "expires in May 2027", "2026-09-06")),
        (STINGS, fact("wasp pen", "the old one lies in the till drawer too", "2026-09-06")),
        # two of one kind
        (SATCHEL, fact("pen", "in the satchel", "2026-09-06")),
        # nobody's safety
        (KEYS, fact("keys", "in the apron pocket", "2026-09-06", category="context")),
        # said on one day
        (STINGS, fact("wasp pen", "in the apron pocket", "2026-05-05")),
    ],
)  # fmt: skip
def test_two_that_may_both_be_so_are_left_alone(older: Fact, newer: Fact) -> None:
    assert find_clashes(with_facts([older, newer]).snapshot()) == []


@pytest.mark.needs("home", "doctor")
def test_reel_and_doctor_offer_the_mend_and_it_works(reel: Reel, kit: Path) -> None:
    facts = [replace(one, source="") for one in (STINGS, PEN)]
    (kit / "facts.yaml").write_text(add_facts("", facts), encoding="utf-8")
    told = "facts do not agree, and bundles tell the newer: “wasp stings” says “pen in the till drawer"
    mend = PAIRS[0][1]
    for command in ((), ("doctor",)):
        shown = " ".join(reel(*command).out.split())
        assert told in shown
        assert mend in shown
    # at a terminal it asks before it replaces what keeps somebody safe
    reel(*shlex.split(mend)[1:], stdin="y\n", tty=True).ok()
    assert "do not agree" not in reel().ok().out
