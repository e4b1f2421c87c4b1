"""Facts of a chat that is taken back: named, in no bundle meanwhile, and there again with it."""

import json
from dataclasses import replace
from pathlib import Path

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts
from reel_cli.features.facts.policy import DREAM, EXTRACTION, PERSON
from tests.support.cli import Reel, git
from tests.support.pages import chat, say

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
    assert "calls" not in taken
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
