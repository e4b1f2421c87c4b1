"""`reel status --metrics` of a kit with facts."""

import json
from pathlib import Path
from typing import Any

from tests.features.facts.test_fact_extract import REPLY, TALK, extract, row
from tests.support.cli import Reel, git
from tests.support.pages import say


def metrics(reel: Reel, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("status", "--metrics", "--json", *more).ok().out)
    return found


def test_of_the_facts_of_a_new_kit_nothing_is_claimed(reel: Reel, kit: Path) -> None:
    found = metrics(reel)
    assert found["anchor_recall_integrity"]["value"] is None
    assert found["fact_extraction_rate"] == {"value": None, "facts": 0, "refused": 0, "attempts": 0}
    assert found["fact_coverage"]["value"] == 0
    shown = reel("status", "--metrics").ok().out
    assert "none are declared yet" in shown
    assert "never asked yet" in shown


def test_what_is_measured_of_a_kit_with_facts(reel: Reel, kit: Path) -> None:
    """SRIP-11 §VII: promise a tenfold saving and reliable facts."""
    say(reel, kit, TALK)
    start = git(kit, "rev-parse", "HEAD").strip()
    assert metrics(reel)["turns"] == {"all": 2, "gone_through": 0}
    extract(reel, REPLY)
    say(reel, kit, [("user", "I am allergic to nuts."), ("assistant", "Noted.")] * 3, 20)
    extract(reel, "nothing")
    say(reel, kit, [("user", "Good morning."), ("assistant", "Tea?")], 21)
    found = metrics(reel)
    assert found["anchor_recall_integrity"] == {
        "value": 1.0,
        "retrieved": 2,
        "declared": 2,
        "missing": [],
        "problem": None,
    }
    assert found["fact_extraction_rate"] == {"value": 1.0, "facts": 2, "refused": 6, "attempts": 2}
    assert found["fact_coverage"]["known"] == ["identity", "constraints"]
    assert found["fact_coverage"]["value"] == 2 / 7
    assert found["turns"] == {"all": 6, "gone_through": 5}
    bundle = json.loads(reel("pack", "--json").ok().out)
    kept = sum(item["tokens"] for item in bundle["loaded"] if item["ring"] not in ("0", "1", "frame"))
    small = found["compression_ratio"]
    assert small["retained"] == kept
    assert small["value"] == kept / small["said"]
    assert found["full"]["facts_held"] == {"taken": 2, "most": 10_000}
    assert found["full"]["facts"] == {"taken": bundle["rings"]["facts"]["tokens"], "most": 655}
    assert found["full"]["bundle"] == {"taken": bundle["tokens"], "most": 4096}
    # what an undone commit told is not counted, and a moment of the past is measured as it was
    assert metrics(reel, "--at", start)["turns"] == {"all": 2, "gone_through": 0}
    assert metrics(reel, "--at", start)["anchor_recall_integrity"]["declared"] == 0
    shown = reel("status", "--metrics").ok().out
    assert "2 kept and 6 refused, asked 2 times; 1 of 6 turns to go through" in shown
    assert "Nothing is known yet of: context, relationships" in shown


def test_a_fact_that_is_set_aside_covers_no_kind(reel: Reel, kit: Path) -> None:
    (kit / "facts.yaml").write_text(
        "- category: commitments\n  key: tax report\n  value: finish by 15 March 2026\n  confidence: 0.35\n"
    )
    found = metrics(reel)
    assert (found["fact_coverage"]["value"], found["fact_coverage"]["known"]) == (0, [])
    assert found["anchor_recall_integrity"]["declared"] == 0


def test_a_fact_that_no_bundle_can_hold_is_missing(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "allergic to penicillin"))
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "live: 0.99\n")
    found = metrics(reel)["anchor_recall_integrity"]
    assert (found["value"], found["missing"]) == (0.0, ["constraints/allergy"])
    assert "tokens; an 8K window leaves 81" in found["problem"]
    assert "nothing can be packed" in reel("status", "--metrics").ok().out


def test_a_dreams_fact_for_which_there_is_no_room_is_named(reel: Reel, kit: Path) -> None:
    long = "and so on " * 130
    (kit / "facts.yaml").write_text(
        "".join(f"- {{key: k{n}, value: {long}, confidence: high}}\n" for n in range(9))
    )
    found = metrics(reel)["anchor_recall_integrity"]
    assert 0 < found["value"] < 1
    assert len(found["missing"]) == 9 - found["retrieved"]
