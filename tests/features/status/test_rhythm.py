"""Breathing out in `reel status --due`: a full window, a long chat, its end, a wish for room."""

import json
from pathlib import Path

from reel_cli.core.values.fullness import Fullness
from tests.support.cli import Reel
from tests.support.pages import page

DAY = "2026-02-25"
WORDS = "The ferry stops in chapter three. " * 120
FULL = "took 80 % of the window, over 80 %"
MINUTES = 45
"""Minutes of a chat that is not long."""


def grow(reel: Reel, kit: Path, turns: int, minutes: int, size: str = WORDS) -> None:
    """Record one chat of so many exchanges, its last message so many minutes after its first."""
    times = [f"{DAY}T{19 + at // 60:02}:{at % 60:02}:00+00:00" for at in (0, minutes)]
    messages = [
        {"role": role, "content": f"{number}: {size}", "created_at": times[number > 0 or role == "assistant"]}
        for number in range(turns)
        for role in ("user", "assistant")
    ]
    place = kit.parent / "chat.json"
    place.write_text(json.dumps({"title": "t", "created_at": times[0], "messages": messages}))
    reel("record", place, cwd=kit).ok()


def pages_due(reel: Reel) -> list[str]:
    return [line for line in reel("status", "--due").out.splitlines() if line.startswith("page")]


def test_a_session_that_fills_its_window_says_so_and_names_its_command(reel: Reel, kit: Path) -> None:
    """MEMORY-MGMT §6.c: breathe out at 80 % full, after long sessions."""
    reel("config", "window", "8k").ok()
    grow(reel, kit, 2, MINUTES)
    assert pages_due(reel) == [f"page: chat {DAY}-1 has no page yet:  reel end"]
    # a talk of another session does not count towards this one's window
    grow(reel, kit, 4, MINUTES)
    (due,) = pages_due(reel)
    assert due.startswith(f"page: chat {DAY}-1 has no page yet; it took ")
    assert due.endswith(" % of the window, over 80 %:  reel end")
    # its page is the breath; what is said after it is measured anew
    answer = {"Lines to find it by": '"The ferry stops in chapter three"', "What has shifted": "steady"}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(answer)).ok()
    assert pages_due(reel) == []
    told = json.loads(reel("status", "--breath", "--json").ok().out)["next"]
    assert not any(one["due"] for one in told)
    grow(reel, kit, 5, MINUTES)
    (due,) = pages_due(reel)
    assert due.startswith(f"page: {DAY}-1 has gone on since its page; it took ")
    told = json.loads(reel("status", "--breath", "--json").ok().out)["next"]
    assert [(one["trigger"], one["command"]) for one in told if one["due"]] == [("budget", "reel end")]


def test_the_bundle_that_a_chat_began_from_counts_towards_its_window(reel: Reel, kit: Path) -> None:
    reel("config", "window", "8k").ok()
    (kit / "ring2/working.md").write_text("The ferry stops in chapter three. " * 20)
    grow(reel, kit, 3, MINUTES)
    assert pages_due(reel) == [f"page: chat {DAY}-1 has no page yet:  reel end"]
    (before,) = json.loads(reel("status", "--breath", "--json").ok().out)["sessions"]
    assert before["bundle"] == 0
    # a chat that was over before anything was started has no bundle that is known
    reel("start", env={"REEL_NOW": "2026-02-26T08:00:00+00:00"}).ok()
    assert json.loads(reel("status", "--breath", "--json").ok().out)["sessions"] == [before]
    reel("start", env={"REEL_NOW": f"{DAY}T18:59:00+00:00"}).ok()
    told = json.loads(reel("status", "--breath", "--json").ok().out)
    (after,) = told["sessions"]
    assert after["bundle"] > 500
    assert after["used"] == after["bundle"] + before["turns"]
    (full,) = [one for one in told["next"] if one["trigger"] == "budget"]
    share = f"took {after['used'] * 100 // 8_192} % of the window, over 80 %"
    assert full["why"] == f"{DAY}-1 {share}"
    assert full["command"] == "reel end"
    assert pages_due(reel) == [f"page: chat {DAY}-1 has no page yet; it {share}:  reel end"]


def test_a_session_that_goes_on_for_long_says_so(reel: Reel, kit: Path) -> None:
    grow(reel, kit, 2, 75, "Yes.")
    assert pages_due(reel) == [f"page: chat {DAY}-1 has no page yet; it went on for 1 h 15 min:  reel end"]


def test_a_chat_that_is_followed_names_its_command_from_80_percent_on(reel: Reel, kit: Path) -> None:
    chat = kit.parent / "ferry.json"
    chat.write_text("{}")
    state = kit / ".reel/state/stream.json"
    for tokens, full in ((7_900, False), (8_000, True)):
        note = {"path": str(chat), "title": "ferry", "when": "2026-03-01T19:30:00+00:00"}
        told = Fullness(1_000, tokens - 1_000, 10, 10_000, 8_500)
        state.write_text(json.dumps({**note, "full": list(told)}))
        assert ("reel keep" in reel("status").ok().out) is full
        assert ("window: ferry takes 80 % of it:  reel keep\n" in reel("status", "--due").out) is full
        # before anything is recorded, too
        breath = reel("status", "--breath").ok().out
        assert breath.startswith("Ada. Nothing is recorded yet.")
        assert (f"  now: the chat that goes on {FULL}:  reel keep\n" in breath) is full


def test_a_cap_below_the_window_is_what_fills_up(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.b: the cap is the owner's choice, the window the model's."""
    chat = kit.parent / "ferry.json"
    chat.write_text("{}")
    note = {"path": str(chat), "title": "ferry", "when": "2026-03-01T19:30:00+00:00"}
    told = Fullness(1_000, 3_500, 10, 4_096, 8_500, 32_768)
    (kit / ".reel/state/stream.json").write_text(json.dumps({**note, "full": list(told)}))
    due = reel("status", "--due").out
    assert "cap: ferry takes 109 % of it:  reel keep\n" in due
    assert "window" not in due
    assert "took 109 % of the cap, over 80 %:  reel keep" in reel("status", "--breath").ok().out


def test_what_the_persona_asks_to_clear_away_is_due(reel: Reel, kit: Path) -> None:
    (kit.parent / "log.txt").write_text("an old log\n")
    reel("shelf", "add", "../log.txt").ok()
    (kit / "cold.yml").write_text(
        "protocol: MEMORY-MGMT/0.1\ntrigger_gc: true\nevict:\n"
        '  - path: "shelf/log.txt"\n    why: "outdated"\n    suggested_action: "archive"\n'
    )
    reel("review", "accept", "cold.yml", "--yes")
    due = reel("status", "--due").out
    assert "the persona asks for it:  reel shelf gc" in due
    assert "now: the advice is to clear away soon:  reel shelf gc" in reel("status", "--breath").ok().out
    # MEMORY-MGMT §6: what nothing can be done about is due nowhere
    reel("shelf", "gc", "--yes").ok()
    (kit / "cold.yml").write_text("protocol: MEMORY-MGMT/0.1\ntrigger_gc: true\nevict:\n")
    reel("review", "accept", "cold.yml", "--yes")
    assert "There is nothing to put away." in reel("shelf", "gc", "--dry-run").ok().err
    assert "reel shelf gc" not in reel("status", "--due").out
    assert "reel shelf gc" not in reel("status", "--breath").ok().out
