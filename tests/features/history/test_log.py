"""`reel log`, whole commands: what was done, for a person and for a program."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from tests.support.cli import Reel, git
from tests.support.pages import chat, page

KEYS = ["commit", "time", "op", "subject", "session", "memories", "forgot"]


def log(reel: Reel, *more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(reel("log", "--json", *more).ok().out)
    return found


def commit(kit: Path, message: str) -> None:
    (kit / "notes.txt").write_text(message, encoding="utf-8")
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "-m", message)


def test_the_log_of_a_day(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    found = log(reel)
    assert [list(one) for one in found] == [KEYS] * 3
    assert [one["op"] for one in found] == ["checkpoint", "record", "init"]
    assert [one["session"] for one in found] == ["2026-02-25-1", "2026-02-25-1", None]
    assert [one["memories"] for one in found] == [["M-001"], [], []]
    assert [one["forgot"] for one in found] == [[], [], []]
    assert found[0]["commit"] == git(kit, "rev-parse", "HEAD").strip()
    assert all(one["time"].startswith("2026-03-01T20:00:00") for one in found)
    assert found[0]["subject"] == git(kit, "log", "-1", "--format=%s").strip()


def test_one_line_a_change_in_words(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    commit(kit, "tidied up")
    lines = reel("log").ok().out.splitlines()
    assert [re.split(r"  +", line)[:2] for line in lines] == [
        [lines[0][:16], "by hand"],
        ["2026-03-01 20:00", "recorded"],
        ["2026-03-01 20:00", "made"],
    ]
    assert lines[0].endswith("tidied up")


def test_a_chat_has_one_name_in_record_list_and_log(reel: Reel, kit: Path, tmp_path: Path) -> None:
    file = tmp_path / "evening.md"
    file.write_text("You: Did the ferry come?\n\nAssistant: Late, and empty.\n")
    name = "“Did the ferry come?”"
    assert reel("record", file, "--dry-run").ok().out.startswith(f"{name}: new, 2 of 2 messages")
    assert reel("record", file).ok().out == f"Recorded {name} as 2026-03-01-1, 2 messages.\n"
    assert reel("record", file).ok().out.startswith(f"{name} is recorded already (2026-03-01-1)")
    assert reel("tape", "list").ok().out.splitlines()[1] == f"2026-03-01-1         2  {name}"
    assert reel("log").ok().out.splitlines()[0].endswith(f"recorded  {name}, 2 messages")
    # what was said goes into no commit's subject
    assert git(kit, "log", "-1", "--format=%s").strip() == ("record: 2026-03-01-1, 2 messages")


def test_a_chat_that_was_renamed_is_called_by_its_newest_name(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("record", "-", stdin=chat(title="The ticket")).ok()
    assert reel("tape", "list").ok().out.splitlines()[1].endswith("  The ticket")
    assert [line.split("  ")[-1].split(", ")[0] for line in reel("log").ok().out.splitlines()[:2]] == [
        "The ticket", "The ticket",
    ]  # fmt: skip
    assert log(reel)[1]["subject"].startswith("record: 2026-02-25-1, ")
    (kit / "tape/events.md").write_text("not events\n")
    assert "recorded  the letter, " in reel("log").ok().out


def test_the_order_is_that_of_the_days_that_are_shown(reel: Reel, kit: Path) -> None:
    for day in (9, 5, 7):
        reel(
            "fact", "add", "pet", f"cat {day}", "Jim", env={"REEL_NOW": f"2026-03-0{day}T09:00:00+00:00"}
        ).ok()
    days = [line[:16] for line in reel("log").ok().out.splitlines()]
    assert days == [*(f"2026-03-0{day} 09:00" for day in (9, 7, 5)), "2026-03-01 20:00"]


def test_of_several_chats_the_untitled_have_their_file_named(reel: Reel, kit: Path, tmp_path: Path) -> None:
    for n in (1, 2):
        (tmp_path / f"{n}.md").write_text(f"You: Ferry {n}?\n\nAssistant: Late {n}.\n")
    told = reel("record", tmp_path / "1.md", tmp_path / "2.md").ok().out
    assert told == (
        "Recorded 1.md, “Ferry 1?”, as 2026-03-01-1, 2 messages.\n"
        "Recorded 2.md, “Ferry 2?”, as 2026-03-01-2, 2 messages.\n"
    )


def test_a_commit_by_hand_has_no_operation(reel: Reel, kit: Path) -> None:
    commit(kit, "record: not by reel")
    (newest, *_) = log(reel)
    assert newest["op"] is None
    assert newest["subject"] == "record: not by reel"


def test_what_was_let_go_is_read_from_the_trailers(reel: Reel, kit: Path) -> None:
    commit(
        kit,
        "maintain: two fade\n\n"
        "Reel-Op: maintain\n"
        "Reel-Memory: M-004 L3 74\n"
        "Reel-Forgot: M-004 L2->L3 231->74 source=2026-02-10-1#12-48,2026-02-11-1#1-3"
        f' was={"a" * 40} why="190 days, \\"ring 3\\" over range"\n'
        f'Reel-Forgot: "shelf/a b.md" stub->dormant 14->0 was={"b" * 40} why="12 sessions idle"\n'
        "Reel-Forgot: nonsense\n",
    )
    (newest, *_) = log(reel)
    assert newest["memories"] == ["M-004"]
    assert newest["forgot"] == [
        {
            "id": "M-004",
            "from": "L2",
            "to": "L3",
            "tokens_before": 231,
            "tokens_after": 74,
            "reason": '190 days, "ring 3" over range',
            "was": "a" * 40,
            "source": "2026-02-10-1#12-48,2026-02-11-1#1-3",
        },
        {
            "id": "shelf/a b.md",
            "from": "stub",
            "to": "dormant",
            "tokens_before": 14,
            "tokens_after": 0,
            "reason": "12 sessions idle",
            "was": "b" * 40,
            "source": "",
        },
    ]
    assert "(2 faded, 171 tokens let go)" in reel("log").ok().out
    for more in ("three", "four", "five"):
        commit(kit, f"maintain: {more}\n\nReel-Op: maintain\nReel-Forgot: M-00{len(more)} L2->L3 9->4\n")
    # a pass counts the memories, not the changes: an older reel let several fade in one
    assert "5 memories, 186 tokens let go; which:  reel log --forgotten" in reel("log").ok().out


def test_a_chat_that_grew_turn_by_turn_is_one_line(reel: Reel, kit: Path) -> None:
    turns = [{"role": "user", "content": f"Turn {n} of the kiln."} for n in range(6)]
    for many in (3, 4, 6):
        reel("record", "-", stdin=json.dumps({"messages": turns[:many]})).ok()
    reel("record", "-", stdin=json.dumps({"messages": [*turns[:5], {**turns[5], "content": "Other."}]})).ok()
    lines = [line[18:] for line in reel("log").ok().out.splitlines()]
    assert lines[0] == "recorded  “Turn 0 of the kiln.”, corrected, 1 message"
    assert lines[1] == "recorded  “Turn 0 of the kiln.”, 6 messages"
    assert [line.split()[0] for line in lines[2:]] == ["made"]
    assert reel("log", "--limit", "2").ok().out.splitlines()[1][18:] == lines[1]
    assert len(json.loads(reel("log", "--json").ok().out)) == 5


def test_a_limit(reel: Reel, kit: Path) -> None:
    for number in range(4):
        commit(kit, f"change {number}")
    assert [one["subject"] for one in log(reel, "--limit", "2")] == ["change 3", "change 2"]
    assert len(reel("log", "--limit", "3").ok().out.splitlines()) == 3
    assert reel("log", "--limit", "0").code == 2


def test_there_is_more_than_is_shown(reel: Reel, kit: Path) -> None:
    for number in range(41):
        git(kit, "commit", "-q", "--allow-empty", "-m", f"change {number}")
    done = reel("log").ok()
    assert len(done.out.splitlines()) == 40
    assert done.err == "There is more:  reel log --limit 200\n"
    assert len(log(reel)) == 42


def test_a_kit_that_is_not_under_git_has_no_log(reel: Reel, kit: Path) -> None:
    shutil.rmtree(kit / ".git")
    done = reel("log").ok()
    assert done.out == ""
    assert "has no history (git) yet" in done.err
    assert log(reel) == []


def test_control_codes_in_a_subject_do_not_reach_the_screen(reel: Reel, kit: Path) -> None:
    commit(kit, "red \x1b[31m and \x07 bell")
    done = reel("log").ok()
    assert "\x1b" not in done.out
    assert "\x07" not in done.out


def test_on_a_narrow_terminal_each_change_stays_on_its_line(reel: Reel, kit: Path) -> None:
    commit(kit, "a very long account of what was tidied up and why it had to be done today")
    done = reel("log", tty=True, env={"COLUMNS": "50"}).ok()
    lines = done.out.splitlines()
    assert len(lines) == 2
    assert max(map(len, lines)) <= 50
