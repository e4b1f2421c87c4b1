"""Maintenance serves the window the kit is packed for: a bundle with room keeps what it shows."""

import json
from pathlib import Path
from typing import Any

from reel_cli.core.values.memory import memory_path
from tests.support.cli import Reel
from tests.support.faded_kit import Year, memory, of_every_age


def plan(reel: Reel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("maintain", "--plan", "--json").ok().out)
    return found


def test_nothing_is_pruned_that_the_bundle_has_room_for(reel: Reel, tmp_path: Path) -> None:
    kit = of_every_age().make(tmp_path / "ada")
    reel.cwd = kit.root
    assert "M-001" not in [one["id"] for one in plan(reel)["due"]]
    told = reel("maintain", "--auto").ok()
    assert "M-001" not in told.out
    assert (kit.root / memory_path("M-001")).exists()
    kept = {one["id"]: one["why"] for one in plan(reel)["kept"]}
    assert (kept["M-001"], kept["M-006"]) == ("chats still begin with it", "pinned")
    assert "M-001 (chats still begin with it)" in reel("maintain", "--plan").ok().out


def test_the_plan_goes_by_the_bundle_that_is_packed(reel: Reel, tmp_path: Path) -> None:
    levels = ["L4"] * 134 + ["L3"] * 33 + ["L1"] * 33
    held = [memory(n + 1, level, evening=n * 24 // len(levels)) for n, level in enumerate(levels)]
    reel.cwd = Year(held, settings="window: 8k\n").make(tmp_path / "ada").root
    found = plan(reel)
    packed = json.loads(reel("pack", "--json").ok().out)
    told = {one["id"] for one in packed["loaded"] if one["ring"] == "3"}
    assert {one["id"] for one in found["kept"] if one["why"] == "chats still begin with it"} <= told
    assert not told & {one["id"] for one in found["due"] if one["move"] == "prune"}


def test_pages_that_a_small_bundle_tells_in_a_line_do_not_fade_for_want_of_room(
    reel: Reel, tmp_path: Path
) -> None:
    kit = Year([memory(n, "L2", evening=24 - n) for n in range(1, 8)], settings="window: 8k\n").make(
        tmp_path / "ada"
    )
    reel.cwd = kit.root
    found = plan(reel)
    assert (found["due"], found["ring3"]["tokens"] < found["ring3"]["max"]) == ([], True)


def test_a_kit_whose_bundle_cannot_be_packed_is_looked_through_all_the_same(
    reel: Reel, tmp_path: Path
) -> None:
    year = of_every_age()
    year.settings = "window: 8k\nlive: 0.99\n"
    reel.cwd = year.make(tmp_path / "ada").root
    assert reel("pack").code == 1
    assert "M-005" in [one["id"] for one in plan(reel)["due"]]


def test_the_plan_says_what_each_of_its_sums_counts(reel: Reel, tmp_path: Path) -> None:
    """REEL §6.7: a bundle has a memory in short, and a step counts the whole file of it."""
    held = [memory(n + 1, "L3", evening=n % 24) for n in range(120)]
    reel.cwd = Year(held, settings="window: 8k\n").make(tmp_path / "ada").root
    ring = plan(reel)["ring3"]
    assert ring["tokens"] > ring["max"]
    told = " ".join(reel("maintain", "--plan").ok().out.split())
    share = (
        f"In a bundle the memories take {ring['tokens']:,} tokens; their share is {ring['max']:,} at most."
    )
    assert share in told
    assert "Below, each is counted as its file has it." in told
