"""Facts of a chat that is taken back: named, in no bundle meanwhile, and there again with it."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts
from reel_cli.features.facts.policy import DREAM, EXTRACTION, PERSON
from tests.features.facts.test_fact_extract import extract, row
from tests.features.facts.test_told_facts import accept_fact
from tests.features.facts.test_waiting_changes import WORDS, have_dose
from tests.support.cli import Reel, git
from tests.support.pages import chat, page, say

SESSION = "2026-02-25-1"


def test_a_fact_of_it_is_in_no_bundle_until_the_chat_counts_again(reel: Reel, kit: Path) -> None:
    said, told, own = "the ticket is for the 14th", "Marta draws at night", "rings on Sundays"
    reel("record", "-", stdin=chat()).ok()
    facts = [
        Fact("context", "ticket", "no ticket yet", "0.9", "", "2026-01-02", origin=EXTRACTION),
        Fact("context", "ticket", said, "0.95", f"{SESSION}#1", SESSION[:10], "no ticket yet", EXTRACTION),
        Fact("relationships", "Marta", told, "high", f"{SESSION}#3", SESSION[:10], origin=DREAM),
        Fact("context", "calls", own, "1", f"{SESSION}#1", SESSION[:10], origin=PERSON),
    ]
    (kit / "facts.yaml").write_text(add_facts("", facts))
    git(kit, "add", "facts.yaml")
    git(kit, "commit", "-qm", "by hand")

    def known() -> str:
        text: str = json.loads(reel("pack", "--json").ok().out)["text"]
        return text.partition("What you know by heart")[2].partition("\n## ")[0]

    before = known()
    assert said in before
    assert told in before
    taken = reel("tape", "retract", SESSION).ok().err
    assert "In no bundle while their chat does not count: " in taken
    assert "relationships/marta (" in taken
    assert "Decided by you, so it stays as it is: calls (rings on Sundays)" in taken
    assert "To take that back:  reel fact drop context/calls" in taken
    assert "the next dream corrects it" not in taken
    left = known()
    assert said not in left
    assert told not in left
    assert "no ticket yet" in left
    assert own in left
    rests = {one["id"]: one["why"] for one in json.loads(reel("fact", "list", "--json").ok().out)}
    assert rests["relationships/marta"] == "its chat was taken back"
    assert told in reel("fact", "history", "relationships/marta").ok().out
    reel("doctor").ok()
    again = reel("tape", "retract", SESSION, "--undo").ok().err
    assert "Known by heart again: " in again
    assert known() == before


def test_a_fact_of_another_chat_is_not_told_of(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "On Friday, 13 February, I go to Whitby."), ("assistant", "Good.")])
    fact = Fact("commitments", "Whitby", "13 February 2026, one night", "0.9", f"{SESSION}#1", SESSION[:10])
    (kit / "facts.yaml").write_text(add_facts("", [replace(fact, origin=EXTRACTION)]))
    git(kit, "add", "facts.yaml")
    git(kit, "commit", "-qm", "by hand")
    say(reel, kit, [("user", "Home again."), ("assistant", "Good.")], 20)
    told = reel("tape", "retract", "2026-02-20-1").ok().err
    told += reel("tape", "retract", "2026-02-20-1", "--undo").ok().err
    assert "whitby" not in told.casefold()


def write_facts(kit: Path, facts: list[Fact]) -> None:
    (kit / "facts.yaml").write_text(add_facts("", facts))
    git(kit, "add", "facts.yaml")
    git(kit, "commit", "-qm", "by hand")


def known(reel: Reel) -> dict[str, str]:
    rows = json.loads(reel("fact", "list", "--json").ok().out)
    return {one["id"]: one["value"] for one in rows if not one["why"]}


OLD, NEW = "metoprolol 50 mg", "bisoprolol 1.5 mg at night"
FIRST, LATER = "2026-02-10-1", "2026-02-20-1"


def have_swap(reel: Reel, kit: Path) -> None:
    """Have a medicine that a later chat ends, and one begun there, both accepted by the person."""
    say(reel, kit, [("user", "I take metoprolol, 50 mg."), ("assistant", "Good.")])
    say(reel, kit, [("user", "Off the metoprolol; bisoprolol at night."), ("assistant", "Noted.")], 20)
    ended = Fact("constraints", "metoprolol", "50 mg", "0.9", f"{LATER}#1", "2026-02-20", origin=PERSON)
    write_facts(kit, [
        Fact("constraints", "metoprolol", "50 mg", "0.9", f"{FIRST}#1", "2026-02-10", origin=EXTRACTION),
        replace(ended, dropped="its page says that it is over", evidence="Off the metoprolol"),
        replace(ended, key="bisoprolol", value="1.5 mg", evidence="bisoprolol at night"),
        replace(ended, key="aspirin", value="75 mg", replaces="100 mg"),
    ])  # fmt: skip


def test_what_a_person_accepted_of_it_rests_and_what_it_ended_holds_again(reel: Reel, kit: Path) -> None:
    have_swap(reel, kit)
    before = known(reel)
    assert before == {"constraints/bisoprolol": "1.5 mg", "constraints/aspirin": "75 mg"}
    looked = reel("tape", "retract", LATER, "--dry-run").ok()
    assert looked.out == f"{LATER} would be taken back (--dry-run).\n"
    told = " ".join(looked.err.split())
    assert "Would be in no bundle while their chat does not count: constraints/bisoprolol (1.5 mg" in told
    assert "Would be known by heart again: constraints/metoprolol (50 mg" in told
    assert "--undo" not in told
    assert told.endswith("Nothing was changed (--dry-run).")
    assert known(reel) == before
    taken = " ".join(reel("tape", "retract", LATER).ok().err.split())
    assert known(reel) == {"constraints/metoprolol": "50 mg"}
    looked = reel("tape", "retract", LATER, "--undo", "--dry-run").ok()
    assert looked.out == f"{LATER} would count again (--dry-run).\n"
    assert "Would be over or replaced by what was said there: " in " ".join(looked.err.split())
    assert "In no bundle while their chat does not count: constraints/bisoprolol (1.5 mg" in taken
    assert "Known by heart again: constraints/metoprolol (50 mg" in taken
    bundle = reel("pack").ok().out.partition("you know by heart")[2]
    assert "bisoprolol" not in bundle.partition("\n## ")[0]
    assert "Off the metoprolol" not in reel("recall", "metoprolol").ok().out
    again = " ".join(reel("tape", "retract", LATER, "--undo").ok().err.split())
    assert known(reel) == before
    assert "Over or replaced by what was said there: constraints/metoprolol (50 mg" in again


def test_what_a_person_decided_by_hand_stays_and_each_command_takes_it_back(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(reel, kit, [("user", "I take metoprolol, 50 mg."), ("assistant", "Good.")])
    say(reel, kit, [("user", "Off the metoprolol; bisoprolol at night."), ("assistant", "Noted.")], 20)
    write_facts(kit, [Fact("constraints", "metoprolol", "50 mg", "0.9", f"{FIRST}#1", "2026-02-10")])
    monkeypatch.setenv("REEL_NOW", "2026-02-20T21:00:00+00:00")
    reel("fact", "drop", "metoprolol", "--yes").ok()
    reel("fact", "add", "constraints", "bisoprolol", "1.25 mg at night", "--source", f"{LATER}#1").ok()
    looked = reel("tape", "retract", LATER, "--dry-run").ok().err
    assert "so it would stay as it is: metoprolol (let go: 50 mg)" in " ".join(looked.split())
    assert "reel fact" not in looked
    taken = reel("tape", "retract", LATER).ok().err
    told = " ".join(taken.split())
    assert "stays as it is: metoprolol (let go: 50 mg), bisoprolol (1.25 mg at night)" in told
    commands = [line.partition(":  ")[2] for line in taken.splitlines() if line.startswith("To take that")]
    for command in commands:
        reel(*shlex.split(command)[1:], "--yes").ok()
    assert known(reel) == {"constraints/metoprolol": "50 mg"}


def have_marked_allergy(reel: Reel, kit: Path) -> Path:
    """Have a memory of an allergy that a later chat took back; return its file, which is marked."""
    happened, said = "Bo told me that Dan is allergic to penicillin.", "Dan is allergic to penicillin"
    say(reel, kit, [("user", f"{said}."), ("assistant", "Noted.")])
    reel("checkpoint", "--prompt").ok()
    line = f'constraints | Dan\'s allergy | allergic to penicillin | "{said}" | 1'
    told = page({
        "What happened": happened, "What I know for sure": line, "Lines to find it by": f'"{said}"',
    })  # fmt: skip
    reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    words = "Dan is not allergic to penicillin, it was the sulfa."
    say(reel, kit, [("user", words), ("assistant", "Oh.")], 20)
    line = f'constraints | Dan\'s allergy | sulfa, not penicillin | "{words}" | 1'
    extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
    accept_fact(reel)
    [memory] = [one for one in sorted(kit.glob("ring3/M-*.md")) if happened in one.read_text()]
    assert SULFA in memory.read_text()
    return memory


SULFA = 'no_longer: "Dan\'s allergy: sulfa, not penicillin"'


def test_a_mark_of_an_earlier_memory_goes_with_the_chat_and_comes_back(reel: Reel, kit: Path) -> None:
    memory = have_marked_allergy(reel, kit)
    reel("tape", "retract", LATER).ok()
    assert known(reel) == {"constraints/dan's-allergy": "allergic to penicillin"}
    assert "no_longer" not in memory.read_text()
    reel("tape", "retract", LATER, "--undo").ok()
    assert SULFA in memory.read_text()
    reel("undo", "--yes").ok()
    assert "no_longer" not in memory.read_text()
    assert f"reel tape retract {LATER} --undo" in reel("redo").err
    reel("tape", "retract", LATER, "--undo").ok()
    assert SULFA in memory.read_text()
    reel("doctor").ok()


def test_a_change_that_waits_is_not_told_once_its_chat_was_taken_back(reel: Reel, kit: Path) -> None:
    have_dose(reel, kit)
    extract(reel, row("context", "blood pressure medicine", "ramipril 2.5 mg at night", WORDS))
    assert "not settled: a later chat" in reel("pack").ok().out
    reel("tape", "retract", LATER).ok()
    assert "not settled: a later chat" not in reel("pack").ok().out
    waiting = " ".join(reel("review").ok().out.split())
    assert "was taken back, and what is kept of it counts only once that does" in waiting


@pytest.mark.needs("forgetting")
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_memory_that_comes_back_has_the_mark_of_today(reel: Reel, kit: Path, *, by_hand: bool) -> None:
    memory = have_marked_allergy(reel, kit)

    def let_go() -> None:
        if by_hand:
            memory.unlink()
        else:
            reel("forget", memory.stem, "--yes").ok()

    let_go()
    reel("tape", "retract", LATER).ok()
    reel("restore", memory.stem).ok()
    assert "no_longer" not in memory.read_text()
    assert not git(kit, "status", "--porcelain", "ring3").strip()
    assert "sulfa" not in reel("pack").ok().out
    let_go()
    reel("tape", "retract", LATER, "--undo").ok()
    reel("restore", memory.stem).ok()
    assert SULFA in memory.read_text()
    assert not git(kit, "status", "--porcelain", "ring3").strip()
    reel("doctor").ok()
