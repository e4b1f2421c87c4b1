"""`reel diff`: what was learnt, changed and lost between two moments."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.commit_message import Forgotten, render_forgotten
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import Level
from tests.support.cli import Reel, git
from tests.support.lived_kit import BUS, DREAM, LETTER, PAGE, PHONE
from tests.support.past import at, commit, head, keep, make_past, record

RATIFY = ("--as", "Bo Lind <bo@example.org>", "--yes")
NEW = replace(DREAM, id="M-004", title="The blue coat", uid="u4", marker="A coat, blue.", tag="The coat")


@pytest.fixture
def past(reel: Reel, tmp_path: Path) -> Path:
    """The kit with a past; days are told in UTC."""
    return make_past(reel, tmp_path / "ada")


def difference(reel: Reel, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("diff", *arguments, "--json").ok().out)
    return found


def ids(found: dict[str, Any], kind: str) -> list[str]:
    return [one["id"] for one in found["memories"][kind]]


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def set_working(kit: Path, threads: list[str], loops: list[str], state: str, calibration: str) -> None:
    listed = {name: "".join(f"- {x}\n" for x in items) for name, items in (("t", threads), ("l", loops))}
    (kit / "ring2/working.md").write_text(
        f"## Active threads\n\n{listed['t']}\n## State\n\n{state}\n\n"
        f"## Open loops\n\n{listed['l']}\n## Calibration\n\n{calibration}\n"
    )


def test_without_moments_it_is_since_before_the_last_session(reel: Reel, past: Path) -> None:
    found = difference(reel)
    assert found["from"]["commit"] == git(past, "rev-parse", "HEAD~1").strip()
    assert found["to"] == {"commit": None, "time": None}
    assert (found["changes"], found["uncommitted"], found["messages"]) == (1, 0, 4)
    assert found["sessions"] == [{"session": BUS, "messages": 4}]
    # a session that goes on is still the last one, from its first commit on
    chat = json.loads((past.parent / "evening-2.json").read_text())
    chat["messages"] += [{"role": "user", "content": "One more."}, {"role": "assistant", "content": "Yes."}]
    (past.parent / "evening-2.json").write_text(json.dumps(chat))
    at(reel, "2026-02-27T10:00:00+00:00", "record", past.parent / "evening-2.json").ok()
    again = difference(reel)
    assert again["from"] == found["from"]
    assert again["sessions"] == [{"session": BUS, "messages": 6}]
    grown = difference(reel, "HEAD~1")
    assert (grown["sessions"], grown["messages"]) == ([], 2)
    assert grown["grown"] == [{"session": BUS, "before": 4, "after": 6}]


def test_nothing_at_all(reel: Reel, past: Path) -> None:
    assert head(past)
    done = reel("diff", "HEAD").ok()
    assert "Nothing is different." in done.out
    found = difference(reel, "HEAD", "HEAD")
    assert found["from"] == found["to"]
    assert (found["changes"], found["messages"]) == (0, 0)
    assert all(not value for value in found["memories"].values())


def test_the_kit_before_any_session(reel: Reel, tmp_path: Path) -> None:
    at(reel, "2026-02-01T12:00:00+00:00", "init", tmp_path / "eve", "--template", "companion").ok()
    reel.cwd = tmp_path / "eve"
    found = difference(reel)
    assert (found["changes"], found["sessions"]) == (0, [])


def test_days_and_commits_name_the_moments(reel: Reel, past: Path) -> None:
    found = difference(reel, "2026-02-11", "2026-02-25")
    assert found["sessions"] == [{"session": LETTER, "messages": 6}]
    assert ids(found, "new") == ["M-001", "M-003"]
    assert found["changes"] == 2
    shown = reel("diff", "2026-02-11", "2026-02-25").ok().out
    assert shown.startswith("From the end of 11 February 2026 (")
    assert " to the end of 25 February 2026 (" in shown.splitlines()[0]
    same = difference(reel, "HEAD~3", "HEAD~1")
    assert {k: v for k, v in same.items() if k != "from"} == {k: v for k, v in found.items() if k != "from"}
    assert head(past)


def test_moments_in_the_wrong_order_are_refused(reel: Reel, past: Path) -> None:
    assert head(past)
    done = reel("diff", "2026-02-25", "2026-02-11")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "Error: 2026-02-25 is later than 2026-02-11.\nHint: reel diff 2026-02-11 2026-02-25\n"
    )


@pytest.mark.parametrize("text", ["--output=x", "HEAD:kit.yaml", "nowhere", "2025-01-01"])
def test_what_is_no_moment_is_refused(reel: Reel, past: Path, text: str) -> None:
    done = reel("diff", "--", text)
    assert done.code in (1, 2)
    assert done.out == ""
    assert not (past / "x").exists()


def test_a_kit_without_history_has_no_past(reel: Reel, past: Path) -> None:
    shutil.rmtree(past / ".git")
    assert reel("diff").code == 3


def test_made_immune_is_not_rewritten_by_hand_and_a_line_brought_back_not_learnt(
    reel: Reel, past: Path
) -> None:
    reel("memory", "immune", "M-003").ok()
    found = difference(reel, "HEAD~1", "HEAD")["memories"]["edited"]
    assert [(one["id"], one["by_hand"], one["reason"]) for one in found] == [("M-003", False, "immune now")]
    reel("forget", "M-003", "--yes").ok()
    reel("forget", "M-003", "--yes").ok()
    reel("restore", "M-003").ok()
    told = reel("diff", "HEAD~1", "HEAD").ok().out
    assert "New memories" not in told
    assert "Brought back\n  M-003  " in told


def test_what_became_of_memories(reel: Reel, past: Path) -> None:
    start = head(past)
    keep(past, NEW, replace(NEW, id="M-005", title="Gone again"), replace(NEW, id="M-006", title="Level"))
    middle = commit(past, "three more", "2026-03-01T09:00:00Z")
    # compressed, pruned, gone, made finer, edited by hand
    keep(past, replace(PAGE, level=Level.L3, body="\nHe asked, and nothing was there.\n"))
    loss = Forgotten("M-001", "L1", "L3", 90, 20, reason="190 days, ring 3 over range")
    (past / "ring3/M-003.md").unlink()
    edit(past / INDEX, "| emotional | not immune", "| emotional | not immune, pruned")
    (past / "ring3/M-005.md").unlink()
    index = [line for line in (past / INDEX).read_text().splitlines() if not line.startswith("M-005")]
    (past / INDEX).write_text("\n".join(index) + "\n")
    keep(past, replace(NEW, id="M-006", title="Level", level=Level.L2, body="\n## What happened\n\nMore.\n"))
    edit(past / "ring3/M-004.md", "The blue coat", "The green coat")
    commit(past, "maintain: a few", "2026-03-02T09:00:00Z", "-m", f"Reel-Forgot: {render_forgotten(loss)}")
    found = difference(reel, middle)
    assert {kind: ids(found, kind) for kind in found["memories"]} == {
        "new": [],
        "compressed": ["M-001"],
        "restored": ["M-006"],
        "pruned": ["M-003"],
        "dormant": [],
        "gone": ["M-005"],
        "edited": ["M-004"],
    }
    compressed = found["memories"]["compressed"][0]
    assert (compressed["from"], compressed["to"], compressed["reason"]) == (
        "L1",
        "L3",
        "190 days, ring 3 over range",
    )
    assert compressed["tokens_before"] > compressed["tokens_after"]
    pruned = found["memories"]["pruned"][0]
    assert (pruned["from"], pruned["to"], pruned["tokens_after"]) == ("L3", "stub", None)
    assert found["memories"]["edited"][0]["by_hand"] is True
    assert [line["id"] for line in found["index"]["lost"]] == ["M-005"]
    whole = difference(reel, start)
    assert ids(whole, "new") == ["M-004", "M-006"]
    assert ids(whole, "gone") == []
    # and the other way round: what was let go comes back
    git(past, "checkout", "-q", middle, "--", "ring3", "ring4")
    commit(past, "put back", "2026-03-03T09:00:00Z")
    back = difference(reel, "HEAD~1", "HEAD")
    assert ids(back, "restored") == ["M-001", "M-003"]
    assert ids(back, "compressed") == ["M-006"]


def test_a_stub_that_leaves_the_index_sleeps_and_what_reel_kept_is_not_by_hand(
    reel: Reel, past: Path
) -> None:
    (past / "ring3/M-003.md").unlink()
    edit(past / INDEX, "| emotional | not immune", "| emotional | not immune, pruned")
    commit(past, "pruned", "2026-03-01T09:00:00Z")
    index = [line for line in (past / INDEX).read_text().splitlines() if not line.startswith("M-003")]
    (past / INDEX).write_text("\n".join(index) + "\n")
    edit(past / "ring3/M-001.md", "The phone number test", "The number")
    message = "Reel-Op: consolidate\nReel-Memory: M-001 L1 100"
    commit(past, "consolidate: again", "2026-03-02T09:00:00Z", "-m", message)
    found = difference(reel, "HEAD~1", "HEAD")
    assert ids(found, "dormant") == ["M-003"]
    assert [(one["id"], one["by_hand"]) for one in found["memories"]["edited"]] == [("M-001", False)]


def test_tokens_are_those_of_status(reel: Reel, past: Path) -> None:
    def rings(*arguments: str) -> dict[str, int]:
        told = json.loads(reel("status", "--json", *arguments).ok().out)["rings"]
        return {ring: told[ring]["tokens"] for ring in told}

    keep(past, NEW)
    for _ in range(2):
        found = difference(reel, "2026-02-11")
        assert {ring: pair["before"] for ring, pair in found["tokens"].items()} == rings("--at", "2026-02-11")
        assert {ring: pair["after"] for ring, pair in found["tokens"].items()} == rings()
    assert ids(found, "new") == ["M-001", "M-003", "M-004"]
    sizes = sum(one["tokens_after"] for one in found["memories"]["new"])
    assert sizes == found["tokens"]["3"]["after"]
    assert "\ntokens in a bundle " in reel("diff").ok().out


def test_working_memory_in_words(reel: Reel, past: Path) -> None:
    set_working(past, ["the residency, due in April", "the ferry"], ["gloves?"], "Calm.", "Short.")
    commit(past, "before", "2026-03-01T09:00:00Z")
    set_working(past, ["the residency, due in late April", "the coat"], [], "Restless.", "Short.")
    found = difference(reel, "HEAD")["working"]
    assert found == {
        "threads": {
            "opened": ["the coat"],
            "closed": ["the ferry"],
            "reworded": [
                {"before": "the residency, due in April", "after": "the residency, due in late April"}
            ],
        },
        "open_loops": {"opened": [], "closed": ["gloves?"], "reworded": []},
        "state": {"before": "Calm.", "after": "Restless."},
        "calibration": None,
    }
    shown = reel("diff", "HEAD").ok().out
    assert "1 file is not committed yet." in shown
    for line in (
        "new: the coat",
        "done: the ferry",
        "no longer open: gloves?",
        "State, after: Restless.",
    ):
        assert f"  {line}\n" in shown


def test_who_it_is_changes_when_it_is_ratified_and_by_whom(reel: Reel, past: Path) -> None:
    identity = past / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nShe collects timetables.\n")
    assert difference(reel, "HEAD")["ring0"] == []
    at(reel, "2026-03-03T09:00:00+00:00", "review", "accept", "ring0/identity.md", *RATIFY).ok()
    found = difference(reel, "2026-03-02")
    assert found["ring0"] == [
        {"path": "ring0/identity.md", "added": 2, "removed": 0, "ratified_by": ["Bo Lind"]}
    ]
    assert difference(reel, "2026-02-01", "2026-03-02")["ring0"] == []
    assert (
        "ring0/identity.md: 2 lines added, 0 removed; approved by Bo Lind" in reel("diff", "2026-03-02").out
    )


def test_examples_and_settings(reel: Reel, past: Path) -> None:
    slug = min(path.stem for path in (past / "ring1").glob("*.md"))
    added = (past / f"ring1/{slug}.md").read_text()
    (past / "ring1/brand-new.md").write_text(added)
    edit(past / f"ring1/{slug}.md", "\n\n", "\n\nmore\n\n")
    edit(past / "kit.yaml", "timezone: UTC", "timezone: UTC\nprune:\n  idle_sessions: 12")
    found = difference(reel, "HEAD")
    assert found["exemplars"]["added"] == ["brand-new"]
    assert found["exemplars"]["edited"] == [slug]
    assert found["settings"] == [{"key": "prune.idle_sessions", "before": "", "after": "12"}]
    assert "  prune.idle_sessions: not set → 12\n" in reel("diff", "HEAD").ok().out


def test_what_was_taken_back_and_put_right(reel: Reel, past: Path) -> None:
    at(reel, "2026-03-01T09:00:00+00:00", "tape", "correct", f"{PHONE}#5", "it left at one").ok()
    at(reel, "2026-03-01T10:00:00+00:00", "tape", "retract", BUS, "--why", "a test").ok()
    found = difference(reel, "2026-02-28")
    assert (found["retracted"], found["corrections"], found["messages"]) == ([BUS], 1, 0)
    at(reel, "2026-03-02T10:00:00+00:00", "tape", "retract", BUS, "--undo").ok()
    assert difference(reel, "2026-03-01")["reinstated"] == [BUS]
    assert difference(reel, "2026-02-28")["reinstated"] == []
    assert head(past)


@pytest.mark.parametrize("columns", [80, 50])
def test_it_is_calm_on_a_narrow_screen(reel: Reel, past: Path, columns: int) -> None:
    long = "a thread that goes on for longer than any screen is wide, and then for a while after that"
    set_working(past, [long, "x"], ["y"], long, long)
    keep(past, replace(NEW, title=long))
    record(reel, past, 0, "2026-03-01T09:00:00+00:00")
    done = reel("diff", "2026-02-11", tty=True, env={"COLUMNS": str(columns)}).ok()
    assert done.err == ""
    assert max(map(len, done.out.splitlines())) <= columns
    headings = [line for line in done.out.splitlines()[3:] if line and not line.startswith(" ")]
    assert [word for word in headings if word in ("Recorded", "New memories", "Where things stand")] == [
        "Recorded",
        "New memories",
        "Where things stand",
    ]


def test_it_writes_nothing(reel: Reel, past: Path) -> None:
    before, log = git(past, "status", "--porcelain", "--ignored"), head(past)
    touches = past / ".reel/state/touches.jsonl"
    noted = touches.read_bytes() if touches.exists() else b""
    reel("diff", "2026-02-01").ok()
    assert (git(past, "status", "--porcelain", "--ignored"), head(past)) == (before, log)
    assert (touches.read_bytes() if touches.exists() else b"") == noted


def test_control_codes_in_a_kit_do_not_reach_the_terminal(reel: Reel, past: Path) -> None:
    set_working(past, ["a\x1b[31mred"], [], "\x1b]0;x\x07", "c")
    done = reel("diff", "HEAD", tty=True).ok()
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
