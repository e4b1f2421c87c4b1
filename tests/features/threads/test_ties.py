"""Threads that go on: which page each of them has in a bundle, and what is said of it."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.holdings import Tie
from reel_cli.features.threads.ties import MOST, SaidOfPages, choose_ties
from tests.features.threads.test_threads import meridian  # noqa: F401 (a fixture)
from tests.support.cli import Reel

PAGES = {
    "M-009": "Rain on Sunday: we sat inside and played cards.",
    "M-008": "The rent of the flat: the landlord raised it.",
    "M-007": "Chess: Ada lost twice to Bo.",
    "M-006": "The flat in Harbour Street: keys from the landlord, and the rent.",
    "M-005": "The flat is wanted, the landlord asks for the rent of a year.",
    "M-004": "Chess: a new board.",
    "M-003": "Bo asks a landlord about a flat in Harbour Street.",
}
LOOPS = ["Whether the landlord of the flat lowers the rent."]


def test_of_one_thread_one_page_comes_first_and_those_that_repeat_it_do_not() -> None:
    ties = choose_ties(PAGES, LOOPS, ("Ada", "Bo"))
    # all three pages share as much with the loop, and the newest of them tells it
    assert [(tie.id, tie.beginning) for tie in ties] == [("M-008", "M-003")]
    assert ties[0].last == "M-008"
    assert ties[0].thread in ("flat", "landlord", "rent")


def test_what_was_said_last_goes_on_behind_open_loops() -> None:
    pages = {"M-010": "The chess board fell, and Ada laughed.", **PAGES}
    assert [tie.id for tie in choose_ties(pages, LOOPS, ("Ada", "Bo"))] == ["M-008", "M-004"]
    assert [tie.id for tie in choose_ties(pages, (), ("Ada", "Bo"))] == ["M-004"]


def test_one_word_and_the_names_of_those_who_talk_are_no_thread() -> None:
    assert choose_ties(PAGES, ["Whether Bo and Ada play."], ("Ada", "Bo")) == []
    assert choose_ties({}, LOOPS, ()) == []
    assert choose_ties({"M-001": "The flat, the rent, the landlord."}, LOOPS, ()) == []


def test_a_word_on_a_thread_goes_before_what_the_pages_have() -> None:
    # one page says nothing that the loop says, and was said to belong to the flat
    said = SaidOfPages("flat", "the move", members=frozenset({"M-004"}), others=frozenset({"M-008"}))
    ties = choose_ties(PAGES, ["Who pays for the flat?"], ("Ada", "Bo"), [said])
    assert [(tie.thread, tie.id) for tie in ties] == [("the move", "M-006")]
    assert (ties[0].beginning, ties[0].last) == ("M-003", "M-006")
    # its name in a loop is enough, where no page has a word of it
    named = SaidOfPages("quay", "the boatyard", members=frozenset({"M-004"}))
    ties = choose_ties(PAGES, ["Who sweeps the boatyard?"], (), [named])
    assert [(tie.thread, tie.id) for tie in ties] == [("the boatyard", "M-004")]


def test_what_is_no_thread_carries_none() -> None:
    loops = ["Whether Bo gets a new chess board."]
    pages = {**PAGES, "M-002": "A chess board of walnut."}
    assert choose_ties(pages, loops, ("Ada", "Bo"))
    none = [SaidOfPages(word, is_none=True) for word in ("chess", "board")]
    assert choose_ties(pages, loops, ("Ada", "Bo"), none) == []


def test_no_more_pages_come_first_than_a_small_bundle_has_room_for() -> None:
    pages = {
        f"M-{number:03}": f"kiln{number:03}a glaze{number:03}b".translate(_LETTERS) for number in range(40)
    }
    assert len(choose_ties(pages, list(pages.values()), ())) == MOST


_LETTERS = str.maketrans("0123456789", "bcdfghjklm")


@pytest.mark.usefixtures("meridian")
def test_a_bundle_says_why_a_memory_came_first(reel: Reel, meridian: Path) -> None:  # noqa: F811
    plain = json.loads(reel("pack", "--window", "5k", "--json").ok().out)
    assert not any("goes on" in line for line in plain["chosen"])
    reel("config", "pack.threads", "yes").ok()
    packed = reel("pack", "--window", "5k", "--explain", "--json").ok()
    told = json.loads(packed.out)
    lines = [line for line in told["chosen"] if "goes on with: " in line]
    assert lines
    assert all(line in packed.err for line in lines)
    full = {item["id"] for item in told["loaded"] if item["ring"] == "3" and item["resolution"] != "tag"}
    assert {line.partition(":")[0] for line in lines} <= full
    # the same kit and options give the same bytes, with a catalog or without, now or later
    (meridian / ".reel" / "cache" / "catalog.sqlite").unlink(missing_ok=True)
    assert json.loads(reel("pack", "--window", "5k", "--json").ok().out) == told
    assert (
        json.loads(reel("pack", "--window", "5k", "--at", "HEAD", "--json").ok().out)["text"] == told["text"]
    )
    # in a larger window all memories have room, and nothing is otherwise
    assert not any(
        "goes on" in x for x in json.loads(reel("pack", "--window", "32k", "--json").ok().out)["chosen"]
    )


def test_a_bundle_heeds_what_was_said_of_threads(reel: Reel, meridian: Path) -> None:  # noqa: F811
    def chosen() -> list[str]:
        told = json.loads(reel("pack", "--window", "5k", "--json").ok().out)["chosen"]
        return [line for line in told if "goes on with: " in line]

    reel("config", "pack.threads", "yes").ok()
    before = chosen()
    first, _, name = before[0].partition(": goes on with: ")
    (meridian / "threads.yaml").write_text(f"{name}: the long night\n")
    assert any(line.endswith("goes on with: the long night") for line in chosen())
    (meridian / "threads.yaml").write_text(f"{name}: none\n")
    assert not any(line.endswith(f": {name}") for line in chosen())
    # a chat that does not belong to it takes its page along
    page = (meridian / "ring3" / f"{first}.md").read_text()
    chat = page.partition("\nsessions: [")[2].partition("]")[0]
    (meridian / "threads.yaml").write_text(f"{name}: {{not: [{chat}]}}\n")
    assert before[0] not in chosen()


def test_the_names_are_those_the_pages_write() -> None:
    pages = {"M-002": "Late again.", "M-001": "The Harbour Street flat."}
    assert choose_ties(pages, ["Harbour Street: who has the keys?"], ()) == [
        Tie("Harbour Street", "M-001", "M-001", "M-001")
    ]
