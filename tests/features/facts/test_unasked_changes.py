"""A short page has no facts: a dose that its chat changes waits, and is not passed over."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message, Session
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.unasked_changes import find_unasked
from reel_cli.features.facts.policy import EXTRACTION
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

TAKES = "I take bisoprolol, 2.5 mg in the morning."


def known(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", TAKES), ("assistant", "Noted.")])
    extract(reel, row("context", "bisoprolol", "2.5 mg in the morning", TAKES.rstrip(".")))


BRIEF = "## What happened\nBo told me of the pills.\n\n## What matters\nHe is well.\n\n## My notes\n"


def keep_short(reel: Reel, notes: str = "1. still") -> str:
    reel("checkpoint", "--brief", "--prompt").ok()
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=f"{BRIEF}{notes}\n\nAda\n").ok()
    return " ".join(f"{run.out} {run.err}".split())


def waiting(reel: Reel) -> list[str]:
    return [one["now"] for one in json.loads(reel("review", "--json").ok().out) if one["kind"] == "fact"]


def test_a_short_page_says_that_it_asks_for_no_facts(reel: Reel, kit: Path) -> None:
    known(reel, kit)
    say(reel, kit, [("user", "They doubled the bisoprolol to 5 mg today."), ("assistant", "I see.")], 20)
    told = keep_short(reel)
    assert "A short page asks for no facts. It says otherwise of bisoprolol: decide in reel review" in told
    say(reel, kit, [("user", "It rains."), ("assistant", "I see.")], 22)
    told = keep_short(reel)
    assert "A short page asks for no facts. To ask for the rest" in told
    assert "no facts" in " ".join(reel("checkpoint", "--help").ok().out.split())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("They doubled the bisoprolol to 5 mg today.", True),
        ("I am off the bisoprolol since Monday.", True),
        ("The bisoprolol is 5 mg now.", True),
        ("I take bisoprolol, 5 mg in the morning now, not 2.5.", True),
        ("Bisoprolol in the evening now, 2.5 mg.", True),
        ("I took my bisoprolol, 2.5 mg, as ever.", False),
        ("Should I stop the bisoprolol?", False),
        ("Maybe they would raise the bisoprolol to 5 mg.", False),
        ("I stopped at the shop.", False),
    ],
)
def test_a_dose_that_a_short_page_passes_over_waits(reel: Reel, kit: Path, said: str, *, told: bool) -> None:
    known(reel, kit)
    say(reel, kit, [("user", said), ("assistant", "I see.")], 20)
    words = keep_short(reel)
    assert ("a fact: context, bisoprolol: " in words) is told
    assert facts(reel) == {"context/bisoprolol": "2.5 mg in the morning"}
    packed = reel("pack").ok().out.partition("by heart")[2]
    assert ("(not settled: a later chat" in packed) is told
    assert (f"says “{said.rstrip('.')}”" in packed) is told


def test_a_note_that_names_the_medicine_tells_of_what_a_turn_gives_a_dose(reel: Reel, kit: Path) -> None:
    known(reel, kit)
    say(reel, kit, [("user", "They put me up, 5 mg since today."), ("assistant", "I see.")], 20)
    assert "a fact: context, bisoprolol: " in keep_short(reel, "new: The bisoprolol is 5 mg now.")
    assert "says “They put me up, 5 mg since today”" in reel("pack").ok().out


def test_a_dose_that_nobody_said_waits_for_nobody(reel: Reel, kit: Path) -> None:
    known(reel, kit)
    say(reel, kit, [("user", "All as ever."), ("assistant", "I see.")], 20)
    assert "a fact: " not in keep_short(reel, "new: The bisoprolol is 5 mg now.")


def test_the_same_dose_found_again_waits_once(reel: Reel, kit: Path) -> None:
    known(reel, kit)
    say(reel, kit, [("user", "The bisoprolol is 5 mg now."), ("assistant", "I see.")], 20)
    keep_short(reel)
    extract(reel, row("context", "bisoprolol", "5 mg in the morning", "The bisoprolol is 5 mg now"))
    assert len([one for one in json.loads(reel("review", "--json").ok().out) if "fact" in one["item"]]) == 1


def test_a_wish_to_forget_is_no_fact_to_know_by_heart(reel: Reel, kit: Path) -> None:
    wish = "Please always leave her out, I'd rather you forgot her too."
    say(reel, kit, [("user", f"I live in Rome. {wish}"), ("assistant", "Yes.")])
    extract(reel, row("context", "city", "Rome", "I live in Rome"))
    assert not any("forgot" in value for value in facts(reel).values())


MIGRAINE = Fact(
    "constraints", "migraine", "migraine with aura; candesartan 4 mg in the morning, no late nights; "
    "amitriptyline stopped", "0.9", "2026-02-10-1#1", "2026-02-10", origin=EXTRACTION,
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("stop being polite about it", False),
        ("The migraine did not stop me.", False),
        ("I am off late nights.", False),
        ("I stopped the candesartan.", True),
        ("Candesartan is 8 mg now.", True),
        ("For the migraine it is 8 mg now.", True),
    ],
)
def test_a_dose_gives_way_to_a_dose_or_to_its_end(said: str, *, told: bool) -> None:
    session = Session("2026-02-20-1", None, "text", entries=(Entry(1, Message("user", said)),))
    assert [one.value for one in find_unasked([MIGRAINE], session)] == ([said.rstrip(".")] if told else [])


RAMIPRIL = Fact(
    "context", "ramipril", "1.25 mg, one at night", "0.9", "2026-03-03-1#3", "2026-03-03", origin=EXTRACTION
)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (("And I stopped the ramipril.",), [("ramipril", "over")]),
        (
            ("And I stopped the ramipril.", "Losartan 25 mg, one in the morning, from Friday."),
            [("ramipril", "over"), ("losartan", "25 mg, one in the morning, from Friday")],
        ),
        (
            ("I stopped the ramipril and take losartan, 25 mg at night.",),
            [("ramipril", "over"), ("losartan", "25 mg at night")],
        ),
        (("I stopped the ramipril.", "My sister Ruth takes losartan, 25 mg."), [("ramipril", "over")]),
        (("Losartan 25 mg, one in the morning.",), []),
        (
            ("I switched the ramipril to the evening.",),
            [("ramipril", "I switched the ramipril to the evening")],
        ),
    ],
)
def test_a_stopped_medicine_is_over_and_the_next_one_is_named(
    said: tuple[str, ...], found: list[tuple[str, str]]
) -> None:
    entries = tuple(Entry(at, Message("user", text)) for at, text in enumerate(said, 3))
    changes = find_unasked([RAMIPRIL], Session("2026-03-05-1", None, "text", entries=entries))
    assert [(one.key, "over" if one.dropped else one.value) for one in changes] == found
    assert {one.replaces for one in changes if one.dropped} <= {RAMIPRIL.value}


def test_an_accepted_end_lets_go_of_the_medicine(reel: Reel, kit: Path) -> None:
    known(reel, kit)
    say(reel, kit, [("user", "And I stopped the bisoprolol."), ("assistant", "I see.")], 20)
    assert "a fact: context, bisoprolol: over" in keep_short(reel)
    (one,) = json.loads(reel("review", "--json").ok().out)
    assert "for somebody to decide" not in one["why"]
    reel("review", "accept", one["item"], "--yes").ok()
    assert facts(reel) == {}


def test_a_value_that_ends_with_a_stop_gets_no_second_one(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    reel("fact", "add", "context", "ramipril", "2.5 mg in the morning.").ok()
    done = reel("fact", "add", "context", "ramipril", "1.25 mg at night.", "--yes").ok()
    told = " ".join(f"{done.out} {done.err}".split())
    assert "Noted: ramipril: 1.25 mg at night. Until now it was: 2.5 mg in the morning." in told
    assert ".." not in told
