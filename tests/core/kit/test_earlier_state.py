"""`--at`: the persona as it was then, and nothing of later, and nothing written."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.kit.past import CACHE
from tests.support.cli import Reel, git
from tests.support.lived_kit import BUS, LETTER, PAGE, PHONE
from tests.support.past import FIRST, REMEMBERED, SECOND, at, commit, head, keep, make_past, record

RATIFY = ("--as", "Bo Lind <bo@example.org>", "--yes")


@pytest.fixture
def past(reel: Reel, tmp_path: Path) -> Path:
    """The kit with a past; days are told in UTC."""
    return make_past(reel, tmp_path / "ada")


def answer(reel: Reel, *arguments: str) -> Any:
    return json.loads(reel(*arguments, "--json").ok().out)


def state(kit: Path) -> dict[str, bytes]:
    """Everything in the kit but its caches."""
    return {
        path.relative_to(kit).as_posix(): path.read_bytes()
        for path in sorted(kit.rglob("*"))
        if path.is_file() and "cache" not in path.parts and ".git" not in path.parts
    }


# -- which moment ---------------------------------------------------------------------------------


def test_a_day_means_its_end_and_one_line_says_so(reel: Reel, past: Path) -> None:
    done = reel("status", "--at", "2026-02-24").ok()
    commit = git(past, "rev-list", "--max-count=1", "--before=2026-02-24T23:59:59Z", "HEAD").strip()
    assert done.err == f"As of 24 February 2026, end of day (UTC): {commit[:7]}, recorded 12 February.\n"
    assert done.out.startswith("Ada: 1 chat, 6 messages, the last on 10 February 2026.")


def test_a_month_is_its_last_day(reel: Reel, past: Path) -> None:
    done = reel("log", "--at", "2026-02").ok()
    assert done.err.startswith(f"As of 28 February 2026, end of day (UTC): {head(past)[:7]}, ")


def test_the_day_is_that_of_the_kits_zone(reel: Reel, tmp_path: Path) -> None:
    kit = make_past(reel, tmp_path / "ada", zone="Europe/Helsinki")
    early = reel("status", "--at", "2026-02-10").ok()
    late = reel("status", "--at", "2026-02-11").ok()
    assert "(Europe/Helsinki)" in early.err
    assert early.out.startswith("Ada. Nothing is recorded yet.")
    assert late.out.startswith("Ada: 1 chat")
    assert late.err.endswith("recorded 11 February.\n")
    assert kit.is_dir()


def test_the_machines_zone_is_named_where_the_kit_has_none(reel: Reel, past: Path) -> None:
    text = (past / "kit.yaml").read_text().replace("timezone: UTC\n", "")
    (past / "kit.yaml").write_text(text)
    assert "end of day (this machine's zone, UTC)" in reel("log", "--at", "2026-02-12").ok().err


@pytest.mark.parametrize("name", ["HEAD~1", "HEAD^", "second", "v1", "v1~1^0", "whole", "beginning", "@~1"])
def test_a_commit_may_be_named_in_any_of_gits_ways(reel: Reel, past: Path, name: str) -> None:
    git(past, "branch", "second", "HEAD~1")
    git(past, "tag", "-a", "-m", "x", "v1", "HEAD" if "~" in name else "HEAD~1")
    wanted = git(past, "rev-parse", "HEAD~1").strip()
    asked = {"whole": wanted, "beginning": wanted[:9]}.get(name, name)
    assert answer(reel, "status", "--at", asked)["at"]["commit"] == wanted
    assert answer(reel, "status", "--at", asked)["sessions"] == 2


@pytest.mark.parametrize(
    "text",
    ["--all", "-n1", "HEAD:kit.yaml", ":/record", "HEAD@{1}", "a..b", "", " ", "x y", "2026-02-30", "^HEAD"],
)
def test_nothing_else_that_git_understands_is_taken(reel: Reel, past: Path, text: str) -> None:
    before = head(past)
    done = reel("status", f"--at={text}")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert head(past) == before


def test_what_names_nothing_is_said_so(reel: Reel, past: Path) -> None:
    assert head(past)
    done = reel("pack", "--at", "nowhere")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: There is no commit, branch or tag 'nowhere' here.\nHint: write a day")
    done = reel("pack", "--at", "HEAD~99")
    assert done.err.startswith("Error: History does not go back as far as HEAD~99.\n")


def test_a_day_before_the_first_commit_names_the_first(reel: Reel, past: Path) -> None:
    first = git(past, "rev-list", "--max-parents=0", "HEAD").strip()
    done = reel("pack", "--at", "2026-01-31")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "Error: ada was not there yet on 31 January 2026; "
        f"its first commit is of 1 February 2026 ({first[:7]}).\n"
        f"Hint: the earliest moment there is:  {first[:7]}\n"
    )


def test_a_kit_that_is_not_under_git_has_no_past(reel: Reel, past: Path) -> None:
    shutil.rmtree(past / ".git")
    done = reel("pack", "--at", "2026-02-12")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: ada has no history (git) yet, so only its present state is known.\n")


def test_history_counts_and_not_clocks_that_run_backwards(reel: Reel, past: Path) -> None:
    (past / "later.txt").write_text("x")
    commit(past, "a clock in the future", "2027-05-01T00:00:00Z")
    (past / "later.txt").write_text("y")
    back = commit(past, "a clock set back", "2026-02-26T12:00:00Z")
    assert answer(reel, "status", "--at", "2026-02-27")["at"]["commit"] == back
    assert answer(reel, "status", "--at", "2026-02-25")["sessions"] == 2


def test_a_merge_is_of_the_day_on_which_it_was_made(reel: Reel, past: Path) -> None:
    git(past, "checkout", "-q", "-b", "elsewhere", "HEAD~2")
    (past / "note.txt").write_text("from another machine")
    commit(past, "from another machine", "2026-02-13T09:00:00Z")
    git(past, "checkout", "-q", "main")
    git(past, "merge", "-q", "--no-commit", "elsewhere")
    merged = commit(past, "merged", "2026-03-03T09:00:00Z")
    before = answer(reel, "status", "--at", "2026-02-13")["at"]["commit"]
    assert git(past, "show", "-s", "--format=%s", before).strip() == "two things to remember"
    assert answer(reel, "status", "--at", "2026-03-03")["at"]["commit"] == merged


def test_a_shallow_clone_says_what_it_does_not_hold(reel: Reel, past: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{past}", "clone")
    done = reel("pack", "--at", "2026-02-12", cwd=clone)
    assert done.code == 1
    assert done.err.startswith(
        "Error: This clone does not go back to 12 February 2026; its oldest commit is of "
    )
    assert "Hint: fetch the older ones with  git fetch --unshallow\n" in done.err
    assert (
        reel("pack", "--at", "2026-02-25", cwd=clone).ok().out == reel("pack", "--at", "2026-02-25").ok().out
    )


def test_a_kit_in_a_subdirectory_of_a_repository(reel: Reel, past: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    (outer / "other.txt").write_text("x")
    commit(outer, "before the kit", "2026-01-01T00:00:00Z")
    shutil.copytree(past, outer / "kits/ada", ignore=shutil.ignore_patterns(".git", ".reel"))
    made = commit(outer, "the kit", "2026-03-01T00:00:00Z")
    inside = outer / "kits/ada"
    record_bytes = reel("pack", cwd=inside).ok().out
    keep(inside, replace(PAGE, id="M-009"))
    (outer / "other.txt").write_text("y")
    commit(outer, "more", "2026-03-02T00:00:00Z")
    (outer / "other.txt").write_text("z")
    commit(outer, "not the kit's", "2026-03-03T00:00:00Z")
    done = reel("pack", "--at", "2026-03-01", cwd=inside).ok()
    assert done.err.startswith(f"As of 1 March 2026, end of day (UTC): {made[:7]}, ")
    assert done.out == record_bytes
    early = reel("pack", "--at", "2026-02-01", cwd=inside)
    assert early.err.startswith(
        "Error: ada was not there yet on 1 February 2026; its first commit is of 1 March"
    )
    without = reel("pack", "--at", "HEAD~3", cwd=inside)
    assert (without.code, without.err) == (
        1,
        "Error: HEAD~3 is a commit without this kit.\nHint: reel log --json  lists the commits of this kit\n",
    )


# -- the same bytes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--window", "128k", "--cue", "the ferry"), ("--format", "text")])
def test_packing_then_gives_the_bytes_of_then(reel: Reel, past: Path, options: Sequence[str]) -> None:
    then, first = head(past), reel("pack", *options).ok().out
    keep(past, replace(PAGE, title="Another"))
    identity = past / "ring0/identity.md"
    identity.write_text(identity.read_text() + "\nShe is taller now.\n")
    commit(past, "by hand", "2026-03-05T09:00:00Z")
    reel("review", "accept", "ring0/identity.md", *RATIFY).ok()
    (past / "ring2/working.md").write_text("## State\n\nAll is different.\n")
    (past / "kit.yaml").write_text((past / "kit.yaml").read_text().replace("Ada", "Eve"))
    commit(past, "everything else", "2026-03-06T09:00:00Z")
    assert reel("pack", *options).ok().out != first
    for _ in range(2):
        # the second time from what was kept of the first
        assert reel("pack", *options, "--at", then).ok().out == first
        assert reel("pack", *options, "--at", "2026-02-28").ok().out == first
    (past / ".reel/cache" / CACHE).write_bytes(b"not a database at all" * 400)
    assert reel("pack", *options, "--at", then).ok().out == first


def test_ring_0_is_the_one_that_was_in_force(reel: Reel, past: Path) -> None:
    identity = past / "ring0/identity.md"
    original = identity.read_text()
    identity.write_text(original + "\nShe collects timetables.\n")
    edited = commit(past, "not ratified", "2026-03-02T09:00:00Z")
    told = reel("pack").ok()
    assert "timetables" not in told.out
    at(reel, "2026-03-03T09:00:00+00:00", "review", "accept", "ring0/identity.md", *RATIFY).ok()
    assert "timetables" in reel("pack").ok().out
    then = reel("pack", "--at", edited).ok()
    assert then.out == told.out
    assert "timetables" in reel("pack", "--at", "2026-03-03").ok().out


def test_an_uncommitted_edit_is_not_of_any_moment(reel: Reel, past: Path) -> None:
    first = reel("pack").ok().out
    (past / "ring2/working.md").write_text("## State\n\nAll is different.\n")
    assert reel("pack", "--at", "HEAD").ok().out == first


# -- recall ---------------------------------------------------------------------------------


def places(reel: Reel, *arguments: str) -> list[tuple[str, int]]:
    return [(hit["session"], hit["message"]) for hit in answer(reel, "recall", *arguments)["hits"]]


def test_recall_then_knows_nothing_of_later(reel: Reel, past: Path) -> None:
    assert head(past)
    assert places(reel, "penicillin")[0][0] == LETTER
    assert places(reel, "penicillin", "--at", "2026-02-12") == []
    assert places(reel, "ferry gloves", "--at", "2026-02-12")[0][0] == PHONE
    assert places(reel, "tram", "--at", "2026-02-25") == []
    assert places(reel, "tram", "--at", "HEAD")[0][0] == BUS
    # and back again, by the same index
    assert places(reel, "tram", "--at", "2026-02-25") == []


def test_recall_answers_as_it_did_then(reel: Reel, past: Path) -> None:
    queries = ("a stair that was never built", "the ferry", "walrus orchestra", "chapter four", "Bo")
    reel.cwd = past
    at_head = {query: answer(reel, "recall", query, "--explain") for query in queries}
    then = head(past)
    record(reel, past, 0, "2026-03-02T09:00:00+00:00")
    place = past.parent / "later.json"
    place.write_text(
        json.dumps(
            {
                "created_at": "2026-03-04T19:00:00+00:00",
                "messages": [
                    {"role": "user", "name": "Chapter", "content": "The ferry again, and the stair."},
                    {"role": "assistant", "content": "The walrus orchestra took the ferry."},
                ],
            }
        )
    )
    at(reel, "2026-03-04T20:00:00+00:00", "record", place).ok()
    at(reel, "2026-03-04T21:00:00+00:00", "tape", "correct", f"{PHONE}#5", "it left at one").ok()
    assert places(reel, "the ferry", "--at", "HEAD")[0][0] == "2026-03-04-1"
    for query, told in at_head.items():
        again = answer(reel, "recall", query, "--explain", "--at", then)
        assert again.pop("at")["commit"] == then
        assert again == told
    assert "it left at one" not in reel("recall", "ferry gloves noon", "--at", then).ok().out


def test_messages_that_came_later_in_the_same_session_are_not_known(reel: Reel, past: Path) -> None:
    then = head(past)
    place = past.parent / "evening-2.json"
    chat = json.loads(place.read_text())
    chat["messages"] += [
        {"role": "user", "content": "One more thing, about the marmalade."},
        {"role": "assistant", "content": "Marmalade it is."},
    ]
    place.write_text(json.dumps(chat))
    at(reel, "2026-02-27T10:00:00+00:00", "record", place).ok()
    assert places(reel, "marmalade")[0][0] == BUS
    assert places(reel, "marmalade", "--at", then) == []


# -- the other commands -----------------------------------------------------------------------


def test_memories_as_they_were(reel: Reel, past: Path) -> None:
    (past / "ring3/M-003.md").unlink()
    page = past / "ring3/M-001.md"
    old = page.read_text()
    page.write_text(old.replace("The phone number test", "Renamed"))
    commit(past, "by hand", "2026-03-05T09:00:00Z")
    assert [m["title"] for m in answer(reel, "memory", "list")] == ["Renamed"]
    assert [m["id"] for m in answer(reel, "memory", "list", "--at", "2026-02-12")] == ["M-003", "M-001"]
    assert answer(reel, "memory", "list", "--at", "2026-02-11") == []
    assert reel("memory", "show", "1", "--raw", "--at", "2026-02-12").ok().out == old
    gone = reel("memory", "show", "M-001", "--at", "2026-02-11")
    assert (gone.code, gone.err.splitlines()[1]) == (1, "Error: There is no memory M-001.")


def test_log_and_tape_end_there(reel: Reel, past: Path) -> None:
    whole = answer(reel, "log")
    then = answer(reel, "log", "--at", "2026-02-24")
    assert then == whole[2:]
    assert answer(reel, "log", "--at", "2026-02-24", "--limit", "1") == whole[2:3]
    assert [s["session"] for s in answer(reel, "tape", "list", "--at", "2026-02-25")] == [PHONE, LETTER]
    assert "penicillin" in reel("tape", "show", LETTER, "--at", "2026-02-25").ok().out
    none = reel("tape", "show", LETTER, "--at", "2026-02-24")
    assert none.code == 1
    assert f"There is no recorded chat {LETTER}." in none.err
    assert head(past)


def test_status_tells_what_was_due_then(reel: Reel, past: Path) -> None:
    (past / "ring3/M-001.md").write_text("---\nid: [\n---\nhalf a file\n")
    commit(past, "broken", "2026-03-05T09:00:00Z")
    now, then = answer(reel, "status"), answer(reel, "status", "--at", "2026-02-24")
    assert (now["sessions"], then["sessions"]) == (3, 1)
    assert then["memories"] == {"L1": 1, "L2": 0, "L3": 1, "L4": 0}
    # the memory of most of that chat was made without a page, so its end alone was due
    assert [(due["what"], due["why"]) for due in then["due"]] == [
        ("consolidation", "chat 2026-02-10-1 has no memory of its end yet")
    ]
    broken = answer(reel, "status", "--at", "HEAD")
    assert broken["due"][0]["what"] == "mend"
    assert {k: v for k, v in broken.items() if k not in ("at", "review")} == {
        k: v for k, v in now.items() if k != "review"
    }
    shown = reel("status", "--at", "2026-02-24").ok().out
    assert "Due then" in shown
    assert "reel checkpoint" not in shown


# -- nothing is written -----------------------------------------------------------------------


def test_looking_back_writes_nothing(reel: Reel, past: Path) -> None:
    before, log = state(past), head(past)
    for command in (
        ("pack",),
        ("pack", "--json"),
        ("status",),
        ("recall", "ferry"),
        ("recall", "a stair that was never built"),
        ("memory", "list"),
        ("memory", "show", "M-001"),
        ("log",),
        ("tape", "list"),
        ("tape", "show", PHONE),
    ):
        reel(*command, "--at", "2026-02-12").ok()
        assert state(past) == before, command
    assert head(past) == log
    assert git(past, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "command",
    [
        ("checkpoint",),
        ("consolidate",),
        ("end",),
        ("start",),
        ("record", "x.json"),
        ("review",),
        ("undo",),
        ("recall", "ferry", "--promote"),
        ("recall", "ferry", "--promote", "exemplar"),
        ("pack", "--since-last"),
    ],
)
def test_what_would_change_or_ask_refuses_to_look_back(
    reel: Reel, past: Path, command: Sequence[str]
) -> None:
    before = head(past)
    done = reel(*command, "--at", "2026-02-12")
    assert (done.code, done.out) == (2, "")
    assert head(past) == before


def test_times_of_the_story_are_those_of_its_commits(past: Path) -> None:
    told = git(past, "log", "--reverse", "--format=%cI").split()
    assert [t[:16] for t in told[-4:]] == [FIRST[:16], REMEMBERED[:16], SECOND[:16], "2026-02-26T10:00"]
