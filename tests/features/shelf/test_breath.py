"""`reel status --breath`: what came in, what went out, and when it is due; and the same as a picture."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.session_size import SessionSize
from reel_cli.features.status.breath import BreathRecord
from reel_cli.features.status.breath_picture import draw_breathing
from reel_cli.features.status.breath_policy import (
    Acts,
    Breath,
    NewestSession,
    Trigger,
    in_columns,
    list_next,
)
from reel_cli.features.status.breath_view import plot
from tests.support.cli import Reel, git
from tests.support.pages import say

NOW = NewestSession("2026-02-10-1", 2_000, 10_000, 10, 0, 1_000, 20, open=False, going=False, asked=False)


def breath(place: int, used: int, out: int = 0) -> Breath:
    name = f"2026-01-{place % 28 + 1:02}-{place // 28 + 1}"
    return Breath(name, SessionSize(0, used, 1), Acts(pages=out), name)


def test_what_is_due_next_is_told_for_each_of_the_four_triggers() -> None:
    assert [(one.trigger, one.due) for one in list_next(NOW)] == [(trigger, False) for trigger in Trigger]
    assert list_next(NOW)[0].why == "2026-02-10-1 took 20 % of the window; at 80 %, some 60 more messages on"
    full = NewestSession("s", 8_000, 10_000, 9, 9, 8_000, 75, open=True, going=True, asked=True)
    assert [(one.trigger.value, one.why, one.command) for one in list_next(full) if one.due] == [
        ("budget", "the chat that goes on took 80 % of the window, over 80 %", "reel keep"),
        ("length", "s went on for 1 h 15 min without a page", "reel end"),
        ("request", "the advice is to clear away soon", "reel shelf gc"),
    ]
    over = NewestSession("s", 10, 10_000, 1, 1, 10, None, open=True, going=False, asked=False)
    assert [one.trigger.value for one in list_next(over) if one.due] == ["phase"]


def test_the_plot_fills_from_below_and_has_its_line_at_80_percent() -> None:
    lines = plot([breath(0, 1_000), breath(1, 500, out=2), breath(2, 0)], 1_000)
    assert lines[0] == "100 %  █"
    assert lines[2] == " 80 %  █╌╌"
    assert lines[5] == "       ██"
    assert lines[-3:] == ["   in  █▄·", "  out  ·█·", "       2026-01-01-1 to 2026-01-03-1"]
    assert plot([breath(0, 10)], 1_000)[:3] == [" 80 %  ╌", "    ⋮", "       ▁"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 9)), max_size=400), st.integers(1, 200))
def test_nothing_that_went_out_is_lost_between_columns(told: list[tuple[int, int]], most: int) -> None:
    """MEMORY-MGMT §6.b: count what was condensed or put away."""
    every = [breath(place, used, out) for place, (used, out) in enumerate(told)]
    shown = in_columns(every, most)
    assert len(shown) <= most
    assert sum(one.acts.out for one in shown) == sum(out for _, out in told)
    assert sum(one.tokens_in for one in shown) == sum(used for used, _ in told)
    assert max((one.used for one in shown), default=0) == max((used for used, _ in told), default=0)
    if shown:
        assert all(len(line) <= 7 + len(shown) for line in plot(shown, 1_000)[:-1])
    picture = ET.fromstring(draw_breathing(BreathRecord("A <&> B", 1_000, every, Acts(), ())))  # noqa: S314
    assert picture.tag.endswith("svg")


def test_a_life_of_two_sessions(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §6.a: count what a session brings in."""
    assert reel("status", "--breath").ok().out == "Ada. Nothing is recorded yet.\n"
    (kit.parent / "plan.md").write_text("The ferry stops in chapter three.\n" * 40)
    bundle = json.loads(reel("pack", "--json").ok().out)
    said = [
        ("user", f"{bundle['text']}\nHello, Ada."),
        ("assistant", "Hello."),
        ("user", "A long word. " * 60),
    ]
    say(reel, kit, [*said, ("assistant", "Yes.")])
    reel("shelf", "add", "../plan.md").ok()
    reel("shelf", "drop", "plan.md", "--yes").ok()
    found = json.loads(reel("status", "--breath", "--json").ok().out)
    (one,) = found["sessions"]
    assert abs(one["bundle"] - bundle["tokens"]) < 10
    assert one["used"] == one["bundle"] + one["turns"]
    assert one["in"] == {"tokens": one["turns"], "memories": 0, "shelved": 1}
    assert (one["out"]["dropped"], one["out"]["forgotten"]) == (1, 0)
    assert one["out"]["freed"] > 200
    assert [(two["trigger"], two["due"]) for two in found["next"]] == [
        ("budget", False),
        ("length", False),
        ("phase", True),
        ("request", False),
    ]
    # what is taken back did not happen
    reel("undo").ok()
    again = json.loads(reel("status", "--breath", "--json").ok().out)["sessions"][0]
    assert (again["out"]["dropped"], again["out"]["freed"]) == (0, 0)
    run = reel("status", "--breath", "--svg", "../b.svg").ok()
    assert "1 file onto the shelf" in run.out
    assert "is over and has no page yet:  reel end" in run.out
    assert all(len(line) <= 100 for line in run.out.splitlines())
    assert ET.fromstring((kit.parent / "b.svg").read_text()).tag.endswith("svg")  # noqa: S314
    then = git(kit, "rev-parse", "HEAD~3").strip()
    past = json.loads(reel("status", "--breath", "--at", then, "--json").ok().out)
    assert past["next"] == []
    assert reel("status", "--svg", "x.svg").code == 2
    assert reel("status", "--breath", "--svg", "none/x.svg").code == 1


def test_a_kit_made_from_another_breathes_on_from_its_last_chat(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Hello, Ada."), ("assistant", "Hello.")])
    again = kit.parent / "again"
    reel("init", again, "--template", kit, cwd=kit.parent).ok()
    (kit.parent / "plan.md").write_text("The ferry stops in chapter three.\n" * 40)
    reel("shelf", "add", kit.parent / "plan.md", cwd=again).ok()
    reel("shelf", "drop", "plan.md", "--yes", cwd=again).ok()
    (one,) = json.loads(reel("status", "--breath", "--json", cwd=again).ok().out)["sessions"]
    assert (one["in"]["shelved"], one["out"]["dropped"]) == (1, 1)
