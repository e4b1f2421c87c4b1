"""Memories that must stay: proposed by the persona, decided by a person, at once or in `reel review`."""

import json
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import memory_path
from tests.support.cli import Reel
from tests.support.faded_kit import Year, memory
from tests.support.kit_under_git import KitUnderGit

pytestmark = pytest.mark.usefixtures("no_room")

ANSWER = """\
## What must stay
1. may fade: the lamp was mended, and nothing hangs on that evening any more
2. same
3. keep whole, because it is where he said what the letter was

Ada
"""
"""To the prompt of `kept`: M-002 and M-003 are immune, M-001 would be pruned next."""


@pytest.fixture
def kept(reel: Reel, tmp_path: Path) -> KitUnderGit:
    made = Year(
        [
            memory(1, "L4", evening=0),
            memory(2, "L2", evening=1, immune=True, immune_reason="it came first"),
            memory(3, "L3", evening=2, tags=("identity",)),
            memory(4, "L1", evening=23),
        ]
    ).make(tmp_path / "ada")
    reel.cwd = made.root
    return made


def ask(reel: Reel) -> str:
    return reel("maintain", "--only", "whole", "--prompt").ok().out


def immune(kit: KitUnderGit, name: str) -> tuple[bool, str, tuple[str, ...]]:
    path = memory_path(name)
    found = parse_memory(kit.read(path).decode(), path)
    return found.immune, found.immune_reason, found.tags


def test_the_prompt_lists_them_with_how_they_stand(reel: Reel, kept: KitUnderGit) -> None:
    told = ask(reel)
    assert told.startswith("Ada, one question before you sleep: which of your memories must stay")
    lines = [line for line in told.splitlines() if line[:2] in ("1.", "2.", "3.", "4.")]
    assert [line.partition("[now: ")[2] for line in lines] == [
        "kept for good, because it came first]",
        "kept for good]",
        "may fade]",
    ]
    assert not any(word in told for word in ("M-002", "ring 3", "immun"))


def test_a_pass_asks_once_in_a_season_what_must_stay(reel: Reel, kept: KitUnderGit) -> None:
    """REEL §6.7: the pass goes through the flags of immunity too, when that was not done for long."""
    due = "It is time to ask Ada which memories must never fade"
    assert due in reel("maintain", "--plan").ok().out
    prompt = reel("maintain", "--prompt").ok().out
    assert prompt == ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    assert due not in reel("maintain", "--plan").ok().out
    assert "There is nothing to ask the persona now." in reel("maintain", "--prompt").err
    reel("maintain", "--auto").ok()
    for now, again in (("2026-05-20", False), ("2026-06-01", True)):
        told = reel("maintain", "--plan", env={"REEL_NOW": f"{now}T20:00:00+00:00"}).ok().out
        assert (due in told) is again


def test_that_a_memory_is_old_keeps_it_from_nothing(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    told = reel(
        "maintain", "--reply", "-", stdin="## What must stay\n3. keep whole, it is the oldest\n\nAda\n"
    )
    assert "Evening 1: its age is no reason, so it stays as it is" in told.out + told.err
    assert kept.subjects()[0] != "maintain: 1 suggestion on what must stay"


@pytest.mark.parametrize("more", [(), ("--yes",)], ids=["", "yes"])
def test_without_a_terminal_nothing_is_decided_and_each_waits(
    reel: Reel, kept: KitUnderGit, more: tuple[str, ...]
) -> None:
    ask(reel)
    before = {name: immune(kept, name) for name in ("M-001", "M-002", "M-003")}
    told = reel("maintain", "--reply", "-", *more, stdin=ANSWER).ok()
    assert told.out == (
        "Evening 2 (M-002) may fade after all\n"
        "  because the lamp was mended, and nothing hangs on that evening any more\n"
        "Evening 1 (M-001) must stay\n"
        "  because it is where he said what the letter was\n"
    )
    assert told.err == "Each waits for your decision:  reel review\n"
    assert {name: immune(kept, name) for name in before} == before
    assert kept.subjects()[0] == "maintain: 2 suggestions on what must stay"
    trailers = kept.git("log", "-1", "--format=%(trailers:only)").splitlines()
    assert trailers[0] == "Reel-Op: maintain"
    assert trailers[1].startswith("Reel-Ring0: ")
    assert sorted(kept.git("diff", "--name-only", "HEAD^").splitlines()) == [
        "review/whole-M-001.md",
        "review/whole-M-002.md",
    ]
    assert kept.read("review/whole-M-002.md").decode() == (
        '---\nkind: immunity\ntitle: Evening 2\nsession: ""\nmade: "2026-03-01T20:00:00Z"\n'
        "memory: M-002\nimmune: no\n---\n"
        "the lamp was mended, and nothing hangs on that evening any more\n"
    )
    assert list(State(kept.root).exchanges()) == []
    status = json.loads(reel("status", "--json").ok().out)
    assert status["review"] == ["whole-M-001", "whole-M-002"]


def test_a_program_gets_what_waits(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    looked = json.loads(reel("maintain", "--reply", "-", "--json", "--dry-run", stdin=ANSWER).ok().out)
    assert (looked["commit"], kept.changes, kept.status()) == (None, 1, [])
    found = json.loads(reel("maintain", "--reply", "-", "--json", stdin=ANSWER).ok().out)
    assert found == {
        "commit": kept.repo.head(),
        "kept": [],
        "left": [],
        "review": [
            {
                "item": "whole-M-002",
                "id": "M-002",
                "immune": False,
                "why": "the lamp was mended, and nothing hangs on that evening any more",
            },
            {
                "item": "whole-M-001",
                "id": "M-001",
                "immune": True,
                "why": "it is where he said what the letter was",
            },
        ],
        "problems": [],
        "repair": "",
    }


def test_each_is_shown_and_accepted_or_rejected(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    shown = reel("review", "show", "whole-M-002").ok().out
    assert shown.startswith(
        "whole-M-002\n  Evening 2 (M-002) may fade after all; Ada says why: the lamp was mended, and nothing"
    )
    assert "\n    was: immune: yes\n" in shown
    assert "\n    now: immune: no\n" in shown
    (one,) = [o for o in json.loads(reel("review", "--json").ok().out) if o["item"] == "whole-M-001"]
    assert (one["kind"], one["what"]) == ("immunity", "Evening 1 (M-001) must stay")
    assert one["diff"].startswith("--- a/ring3/M-001.md\n+++ b/ring3/M-001.md\n")
    reel("review", "accept", "whole-M-001", "--yes").ok()
    assert kept.subjects()[0] == "review: made immune: M-001"
    assert immune(kept, "M-001")[:2] == (True, "it is where he said what the letter was")
    assert "M-001 | Evening 1 |" in kept.read("ring4/index.md").decode()
    assert "| immune" in next(
        line for line in kept.read("ring4/index.md").decode().splitlines() if line.startswith("M-001")
    )
    reel("review", "reject", "whole-M-002", "--yes").ok()
    assert immune(kept, "M-002")[:2] == (True, "it came first")
    assert json.loads(reel("review", "--json").ok().out) == []


def test_what_is_taken_back_loses_the_tag_that_alone_kept_it(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    answer = "## What must stay\n2. may fade: who I am has moved on from that evening\n"
    reel("maintain", "--reply", "-", stdin=answer).ok()
    assert immune(kept, "M-003")[2] == ("identity",)
    reel("review", "accept", "whole-M-003", "--yes").ok()
    assert immune(kept, "M-003") == (False, "", ())
    assert "because" not in kept.subjects()[0]
    assert "who I am has moved on" in kept.git("log", "-1", "--format=%B")


def test_what_was_decided_otherwise_meanwhile_is_only_taken_off_the_list(
    reel: Reel, kept: KitUnderGit
) -> None:
    ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    reel("memory", "immune", "M-002", "--off").ok()
    reel("forget", "M-001", "--yes").ok()
    shown = reel("review").ok().out
    assert "it is so already, so this can be dropped" in shown
    before = immune(kept, "M-002")
    reel("review", "accept", "whole-M-002", "--yes").ok()
    assert kept.subjects()[0] == "review: nothing to do any more for M-002"
    assert immune(kept, "M-002") == before


def test_nothing_is_let_go_that_may_have_to_stay(reel: Reel, kept: KitUnderGit) -> None:
    """REEL §3.3: until a person decides, the fuller text stays."""
    due = json.loads(reel("maintain", "--plan", "--json").ok().out)["due"]
    assert "M-001" in [step["id"] for step in due]
    ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    due = json.loads(reel("maintain", "--plan", "--json").ok().out)["due"]
    assert "M-001" not in [step["id"] for step in due]
    reel("maintain", "--auto", "--beyond-limit").ok()
    assert kept.read(memory_path("M-001"))
    reel("review", "reject", "whole-M-001", "--yes").ok()
    reel("maintain", "--auto", "--beyond-limit").ok()
    assert not (kept.root / memory_path("M-001")).exists()


@pytest.mark.parametrize("asleep", [False, True])
def test_what_must_stay_comes_back_where_it_was_let_go(
    reel: Reel, kept: KitUnderGit, *, asleep: bool
) -> None:
    """REEL §3.3: the decision holds for a memory, not for what is left of it."""
    ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    before = kept.read(memory_path("M-001")).decode()
    reel("forget", "M-001", "--yes").ok()
    if asleep:
        line = next(one for one in kept.read(INDEX).decode().splitlines() if one.startswith("M-001"))
        kept.write(INDEX, kept.read(INDEX).decode().replace(f"{line}\n", "").encode())
        reel("review", "accept", INDEX, "--yes").ok()
    assert "it comes back" in reel("review").ok().out
    reel("review", "accept", "whole-M-001", "--yes").ok()
    assert immune(kept, "M-001")[0]
    assert before.rpartition("---\n")[2] == kept.read(memory_path("M-001")).decode().rpartition("---\n")[2]
    (line,) = [one for one in kept.read(INDEX).decode().splitlines() if one.startswith("M-001")]
    assert "| immune" in line
    assert "pruned" not in line
    assert kept.subjects()[0] == "restore: brought back M-001, now immune"
    assert "M-001" not in reel("log", "--forgotten").ok().out or "back" in reel("log", "--forgotten").ok().out
    reel("undo", "--yes").ok()
    assert not (kept.root / memory_path("M-001")).exists()


def test_a_file_that_is_damaged_is_told_of(reel: Reel, kept: KitUnderGit) -> None:
    for text in ("memory: ../x\nimmune: no", "memory: M-001\nimmune: perhaps", "immune: yes"):
        kept.write("review/whole-M-001.md", f"---\nkind: immunity\n{text}\n---\nwhy\n".encode())
        (one,) = [o for o in json.loads(reel("review", "--json").ok().out) if "whole" in o["item"]]
        assert one["kind"] in ("broken", "hand")
        assert "what must stay needs memory" in reel("review").ok().out


def test_a_good_reply_that_wants_nothing_changed_is_settled(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    told = reel("maintain", "--reply", "-", stdin="## What must stay\n1. same\n2. same\n3. same\n").ok()
    assert told.err == "Nothing changes in what must stay.\n"
    assert (kept.changes, list(State(kept.root).exchanges())) == (1, [])


def test_what_gives_no_reason_or_no_word_changes_nothing_and_is_named(reel: Reel, kept: KitUnderGit) -> None:
    ask(reel)
    told = reel(
        "maintain", "--reply", "-", stdin="## What must stay\n1. may fade\n2. perhaps\n3. same\n"
    ).ok()
    assert "Evening 2: no reason is given, so it stays as it is\n" in told.err
    assert "Evening 3: the answer is neither yes nor no: perhaps\n" in told.err
    assert kept.changes == 1


def test_at_a_terminal_each_is_decided_at_once(reel: Reel, kept: KitUnderGit) -> None:
    (kept.root / ".reel").mkdir(exist_ok=True)
    (kept.root / ".reel" / "answer.txt").write_text(ANSWER)
    answers = "y\nf .reel/answer.txt\ny\nn\n"
    told = reel("maintain", "--only", "whole", stdin=answers, tty=True).ok()
    shown = "".join(text for _, text in told.screen)
    assert "Ask which memories must never fade? [Y/n] " in shown
    assert "Stays as it was: Evening 1 (M-001). You left it as it was.\n" in shown
    assert kept.subjects()[0] == "memory: made not immune: M-002"
    assert immune(kept, "M-002")[0] is False
    assert immune(kept, "M-001")[0] is False
    (line, *_) = reel("log").ok().out.splitlines()
    assert "changed" in line


def test_immunity_by_age_is_told_of_in_a_line(reel: Reel, tmp_path: Path) -> None:
    young = [memory(n, "L1", evening=23) for n in range(9, 17)]
    for count, warned in ((8, True), (3, False)):
        old = [memory(n, "L2", evening=n, immune=n <= count) for n in range(1, 9)]
        kit = Year([*old, *young]).make(tmp_path / f"ada{count}")
        told = reel("maintain", "--plan", cwd=kit.root).ok().out
        line = "Most of the oldest memories never fade, whatever they are worth. Ada can decide again: "
        assert (f"{line} reel maintain --only whole" in told) is warned
        plan = json.loads(reel("maintain", "--plan", "--json", cwd=kit.root).ok().out)
        assert plan["immune_by_age"] is warned


def test_suggestions_on_what_must_stay_are_no_pass(reel: Reel, kept: KitUnderGit) -> None:
    due = [
        one for one in json.loads(reel("status", "--json").ok().out)["due"] if one["what"] == "maintenance"
    ]
    assert due
    ask(reel)
    reel("maintain", "--reply", "-", stdin=ANSWER).ok()
    left = json.loads(reel("status", "--json").ok().out)["due"]
    (still,) = [one for one in left if one["what"] == "maintenance"]
    assert "never done" in still["why"]
    reel("maintain", "--auto").ok()
    left = json.loads(reel("status", "--json").ok().out)["due"]
    assert [one for one in left if one["what"] == "maintenance"] == []
