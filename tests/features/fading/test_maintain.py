"""`reel maintain`, whole commands: what is due, what goes, what stays, and that all of it comes back."""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, doubt_key, settle_doubt
from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import EVENTS, INDEX
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import AppliedChange, Change
from reel_cli.core.values.memory import memory_path
from reel_cli.features.fading import maintenance_pass as maintaining
from reel_cli.features.fading.pass_file import last_pass, pass_under_way
from reel_cli.terminal.open_kit import OpenKit
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.faded_kit import MARKER, PHRASE, SESSIONS, Year, memory, more_evenings, of_every_age
from tests.support.kit_under_git import KitUnderGit, make_kit, run

pytestmark = pytest.mark.usefixtures("no_room")

LATER = [f"2026-03-{day:02}-1" for day in range(2, 14)]
"""Twelve evenings after the last one of the year."""
LAST = "2026-03-20T20:00:00+00:00"


@pytest.fixture
def year(reel: Reel, tmp_path: Path) -> KitUnderGit:
    return at_home(reel, of_every_age().make(tmp_path / "ada"))


def at_home(reel: Reel, kit: KitUnderGit) -> KitUnderGit:
    reel.cwd = kit.root
    return kit


def asked(reel: Reel, *arguments: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("maintain", *arguments, "--json", **more).ok().out)
    return found


def ids(steps: Sequence[dict[str, Any]]) -> list[str]:
    return [step["id"] for step in steps]


def fade_by_itself(size: int = 5) -> Year:
    """Digests that need no model, each of an evening long ago."""
    return Year([memory(n, "L2", evening=n) for n in range(1, size + 1)])


# -- the plan -------------------------------------------------------------------------------------


PLAN = """\
3 memories are ready to fade, 1 memory will leave only its line, none of it is urgent.
  M-001  tag to pruned      16 to 0 tokens   not used for 23 chats, not immune
  M-005  digest to marker  197 to 55         296 days old, last recalled 326 days ago
  M-007  digest to marker  197 to about 100  266 days old, never recalled
  M-008  page to digest    677 to about 406  86 days old, never recalled
Old enough, but not yet: M-006 (pinned).
It is time to ask Ada which memories must never fade:  reel maintain --only whole
"""


def test_the_plan_says_what_is_due_and_why_and_changes_nothing(reel: Reel, year: KitUnderGit) -> None:
    before = year.repo.head()
    for arguments in (("maintain", "--plan"), ("maintain",), ("maintain", "--dry-run")):
        told = reel(*arguments).ok()
        assert told.out == PLAN
        assert told.err == (
            "What needs no model:  reel maintain --auto\n"
            "Ada has to write a shorter text for 2 memories:  reel maintain --prompt\n"
        )
    assert (year.repo.head(), year.status()) == (before, [])


def test_a_program_gets_every_step_and_its_numbers(reel: Reel, year: KitUnderGit) -> None:
    found = asked(reel, "--plan")
    assert found["due"][1] == {
        "move": "descend",
        "id": "M-005",
        "title": "Evening 5",
        "from": "L2",
        "to": "L3",
        "tokens": 197,
        "tokens_after": 55,
        "why": "296 days old, last recalled 326 days ago",
        "asks": False,
    }
    assert (found["cold"], found["kept"]) == (
        False,
        [{"id": "M-006", "title": "Evening 6", "why": "pinned"}],
    )
    assert found["ring3"]["max"] == 128 * 1024 * 30 // 100
    held = sum(len_of(year, f"M-{n:03}") for n in range(1, 11))
    assert found["limit"] == {
        "share": 0.25,
        "rings": {
            "3": {"tokens": held, "lost": 0},
            "4": {"tokens": found["limit"]["rings"]["4"]["tokens"], "lost": 0},
        },
    }


def len_of(kit: KitUnderGit, name: str) -> int:
    path = memory_path(name)
    return get_tokenizer("o200k_base").count(parse_memory(kit.read(path).decode(), path).body)


def test_a_young_kit_is_told_that_it_is_young(reel: Reel, kit: Path) -> None:
    before = git(kit, "rev-parse", "HEAD")
    told = reel("maintain").ok()
    assert told.out == "Nothing fades yet: Ada is not mature, and the first memories matter most.\n"
    assert reel("maintain", "--auto").ok().out == "Nothing fades yet: Ada is not mature.\n"
    assert git(kit, "rev-parse", "HEAD") == before


def test_a_kit_that_is_not_under_git_can_be_looked_at(reel: Reel, year: KitUnderGit) -> None:
    (year.root / ".git").rename(year.root.parent / "git")
    told = reel("maintain", "--plan").ok()
    assert told.out == PLAN
    assert told.err.startswith("ada has no history (git) yet; reading the files as they are.\n")
    refused = reel("maintain", "--auto")
    assert (refused.code, refused.out) == (3, "")
    assert refused.err.startswith("Error: ada has no history (git) yet, so nothing can be recorded in it.\n")


@pytest.mark.parametrize(
    "arguments", [("--plan", "--auto"), ("--plan", "--beyond-limit")], ids=["both", "limit"]
)
def test_what_contradicts_itself_is_refused(
    reel: Reel, year: KitUnderGit, arguments: tuple[str, str]
) -> None:
    assert reel("maintain", *arguments).code == 2
    assert year.status() == []


# -- doing what needs no model -----------------------------------------------------------------------


def test_auto_takes_each_step_as_a_change_of_its_own(reel: Reel, year: KitUnderGit) -> None:
    told = reel("maintain", "--auto").ok()
    assert told.out == (
        "Let go of 158 tokens in 2 steps, each its own change.\n"
        "  M-001  tag to pruned      16 to 0 tokens  not used for 23 chats, not immune\n"
        "  M-005  digest to marker  197 to 55        296 days old, last recalled 326 days ago\n"
    )
    assert told.err == (
        "Ada has to write a shorter text for 2 memories.\nAll of it can come back:  reel log --forgotten\n"
    )
    assert year.subjects()[:2] == [
        "maintain: M-005, digest to marker",
        "maintain: M-001, pruned",
    ]
    assert year.status() == []
    was = year.git("rev-parse", "HEAD~2:ring3/M-005.md").strip()
    why = '"296 days old, last recalled 326 days ago"'
    ring0 = year.git("rev-parse", "HEAD:ring0/identity.md").strip()
    trailers = year.git("log", "-1", "--format=%(trailers:only)").splitlines()
    assert [line for line in trailers if not line.startswith("Reel-Compression: ")] == [
        "Reel-Op: maintain",
        f"Reel-Forgot: M-005 L2->L3 197->55 source={SESSIONS[4]}#1-4 was={was} why={why}",
        "Reel-Tokenizer: o200k_base",
        f"Reel-Ring0: {ring0}",
        "",
    ]
    assert not (year.root / memory_path("M-001")).exists()


def test_all_that_went_comes_back_byte_for_byte_and_the_table_adds_up(reel: Reel, year: KitUnderGit) -> None:
    """MEMORY-MGMT §5.a: give each loss a reason, a record and a way back, and keep the gist."""
    before = year.files()
    held = sum(len_of(year, f"M-{n:03}") for n in (1, 5))
    done = asked(reel, "--auto")
    assert (ids(done["done"]), done["freed"], done["stopped"]) == (["M-001", "M-005"], 158, None)
    assert [(one["id"], one["reason"]) for one in done["left"]] == [
        ("M-007", "needs a model"),
        ("M-008", "needs a model"),
    ]
    changes = json.loads(reel("log", "--forgotten", "--json").ok().out)
    losses = [one for change in changes for one in change["forgot"]]
    assert sum(one["tokens_before"] - one["tokens_after"] for one in losses) == 158
    assert held - 158 == len_of(year, "M-005")
    assert [change["commit"] for change in changes] == [one["commit"] for one in done["done"]][::-1]
    assert reel("log", "--forgotten").ok().out.endswith("2 losses (158 tokens); all of it can come back.\n")
    reel("restore", "M-001", "M-005").ok()
    after = year.files()
    assert {path for path in after if after[path] != before.get(path)} == {"journal/2026-03.jsonl", EVENTS}
    # what a person brought back does not fade at the next occasion
    assert ids(asked(reel, "--auto")["done"]) == []


def test_each_level_of_two_passes_comes_back(reel: Reel, tmp_path: Path) -> None:
    """REEL §2.2: replace what was read by less, step by step, and keep the original elsewhere."""
    old = Year([memory(1, "L2", evening=0)], settings="window: 128k\nages: {L1: 10d, L2: 20d, L3: 30d}\n")
    old.settings += "maintain: {loss_limit: 1.0}\n"
    kit = at_home(reel, old.make(tmp_path / "ada"))
    texts = [kit.read(memory_path("M-001"))]
    for number, level in enumerate(("L3", "L4", "stub")):
        now = {"REEL_NOW": f"2026-0{3 + number}-20T20:00:00+00:00"}
        (done,) = asked(reel, "--auto", env=now)["done"]
        assert done["to"] == level
        # whoever runs how many passes: one step in two weeks, and none without an evening in between
        assert ids(asked(reel, "--auto", env=now)["done"]) == []
        more_evenings(kit, [f"2026-0{3 + number}-21-1"])
        assert (
            ids(asked(reel, "--auto", env={"REEL_NOW": now["REEL_NOW"].replace("-20T", "-22T")})["done"])
            == []
        )
        if level != "stub":
            texts.append(kit.read(memory_path("M-001")))
    for level, text in zip(("L4", "L3", "L2"), reversed(texts), strict=True):
        reel("restore", "M-001", "--level", level).ok()
        assert kit.read(memory_path("M-001")) == text


def test_a_dry_run_says_what_would_go_and_changes_nothing(reel: Reel, year: KitUnderGit) -> None:
    before = year.repo.head()
    told = reel("maintain", "--auto", "--dry-run").ok()
    assert told.out.startswith("Would let go of 158 tokens in 2 steps.\n  M-001  tag to pruned ")
    assert told.err == "Nothing was changed (--dry-run).\n"
    found = asked(reel, "--auto", "--dry-run")
    assert [(one["id"], one["commit"]) for one in found["done"]] == [("M-001", None), ("M-005", None)]
    assert (year.repo.head(), year.status()) == (before, [])
    assert pass_under_way(State(year.root)) is None
    assert last_pass(State(year.root)) is None


def test_a_pass_that_lets_nothing_go_makes_no_commit_and_is_known_of(reel: Reel, tmp_path: Path) -> None:
    kit = at_home(reel, Year([memory(10, "L1", evening=23)]).make(tmp_path / "ada"))
    before = kit.repo.head()
    told = reel("maintain", "--auto").ok()
    assert (told.out, told.err) == ("Nothing is ready to fade.\n", "")
    assert (kit.repo.head(), kit.status()) == (before, [])
    assert last_pass(State(kit.root)) == "2026-03-01T20:00:00Z"


def test_git_keeps_house_in_a_kit_of_its_own_and_in_no_larger_repository(
    reel: Reel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of: list[Path] = []
    monkeypatch.setattr(
        "reel_cli.core.git.housekeeping.subprocess.Popen",
        _popen_noting(asked_of, subprocess.Popen),
    )
    home = at_home(reel, of_every_age().make(tmp_path / "ada"))
    reel("maintain", "--auto").ok()
    assert asked_of == [home.root]
    top = tmp_path / "top"
    top.mkdir()
    git(top, "init", "-q")
    inner = at_home(reel, of_every_age().make(top / "kits" / "ada", enclosing=top))
    told = reel("maintain", "--auto").ok()
    assert told.out.startswith("Let go of 158 tokens in 2 steps")
    assert (asked_of, inner.status()) == ([home.root], [])


def _popen_noting(asked_of: list[Path], real: Callable[..., Any]) -> Callable[..., Any]:
    def popen(command: Sequence[str], **more: Any) -> Any:
        if "gc" in command:
            asked_of.append(more["cwd"])
        return real(command, **more)

    return popen


# -- the limit ----------------------------------------------------------------------------------------


def test_auto_stops_before_the_limit_and_says_how_to_go_on(reel: Reel, tmp_path: Path) -> None:
    # each loses 72 % of itself, and 25 % of the ring is what one of them may take
    kit = at_home(reel, fade_by_itself(3).make(tmp_path / "ada"))
    told = reel("maintain", "--auto").ok()
    assert told.out.startswith("Let go of 142 tokens in 1 step, each its own change.\n  M-001 ")
    assert told.err.startswith(
        "Stopped, or more than 25 % of what Ada remembers would go in one pass. 2 more are due;"
        " to let go of them too:  reel maintain --auto --beyond-limit\n"
    )
    # a pass that stopped there is the same pass the next time
    again = asked(reel, "--auto", env={"REEL_NOW": "2026-03-01T21:00:00+00:00"})
    assert (ids(again["done"]), again["stopped"]) == ([], "limit")
    assert again["limit"]["rings"]["3"] == {"tokens": 591, "lost": 142}
    assert last_pass(State(kit.root)) is None
    beyond = asked(reel, "--auto", "--beyond-limit")
    assert (ids(beyond["done"]), beyond["stopped"]) == (["M-002", "M-003"], None)
    assert last_pass(State(kit.root)) == "2026-03-01T20:00:00Z"
    assert pass_under_way(State(kit.root)) is None


def test_another_day_is_another_pass(reel: Reel, tmp_path: Path) -> None:
    at_home(reel, fade_by_itself(3).make(tmp_path / "ada"))
    assert ids(asked(reel, "--auto")["done"]) == ["M-001"]
    tomorrow = asked(reel, "--auto", env={"REEL_NOW": "2026-03-03T20:00:00+00:00"})
    assert tomorrow["limit"]["rings"]["3"]["tokens"] == 591 - 142
    assert ids(tomorrow["done"]) == []
    assert tomorrow["stopped"] == "limit"


def test_the_limit_is_the_kits_own(reel: Reel, tmp_path: Path) -> None:
    kept = fade_by_itself(3)
    kept.settings += "maintain: {loss_limit: 0}\n"
    at_home(reel, kept.make(tmp_path / "ada"))
    found = asked(reel, "--auto")
    assert (found["done"], found["stopped"], len(found["left"])) == ([], "limit", 3)


# -- with a person ----------------------------------------------------------------------------------


def shown(reel: Reel, answers: str, *more: str) -> str:
    """Return the screen after the plan, of a person who answers so."""
    told = reel("maintain", *more, stdin=answers, tty=True).ok()
    return "".join(text for _, text in told.screen).partition("need no model. Decide on them now?")[2]


def test_a_person_is_taken_through_step_by_step(reel: Reel, year: KitUnderGit) -> None:
    told = shown(reel, "y\nn\ny\n")
    assert told == (
        " [Y/n] \n"
        "M-001  Evening 1\n"
        "  tag to pruned, 16 to 0 tokens: not used for 23 chats, not immune\n"
        "Leave only its line? (later: stop here) [YES/no/all/later] \n"
        "M-005  Evening 5\n"
        "  digest to marker, 197 to 55 tokens: 296 days old, last recalled 326 days ago\n"
        "  leaves: He brought the letter back unopened and we talked about the harbour until the lamp went\n"
        "    out, and neither of us said what we both knew about the residency in the spring.\n"
        "Let it fade? (later: stop here) [YES/no/all/later] "
        "One prompt is enough for M-007 and M-008. Ask now? [Y/n] \n"
        "Ask which memories must never fade? [Y/n] \n"
        "Let go of 142 tokens in 1 step.\n"
        "All of it can come back:  reel log --forgotten\n"
    )
    assert year.subjects()[0] == "maintain: M-005, digest to marker"
    # what needs her own words was left, so the pass is not at its end
    assert last_pass(State(year.root)) is None


@pytest.mark.parametrize("answers", ["n\n", "y\nlater\n", "y\n", ""])
def test_who_leaves_or_says_nothing_keeps_everything(reel: Reel, year: KitUnderGit, answers: str) -> None:
    before = year.repo.head()
    shown(reel, answers)
    assert (year.repo.head(), year.status()) == (before, [])
    assert last_pass(State(year.root)) is None


def test_all_takes_the_rest_without_a_question(reel: Reel, year: KitUnderGit) -> None:
    told = shown(reel, "y\nall\n")
    assert told.count("[YES/no/all/later]") == 1
    assert "Let go of 158 tokens in 2 steps." in told
    assert year.subjects()[1] == "maintain: M-001, pruned"


@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("n", 2)])
def test_more_than_the_limit_is_asked_for_by_itself(
    reel: Reel, tmp_path: Path, answer: str, left: int
) -> None:
    at_home(reel, fade_by_itself(3).make(tmp_path / "ada"))
    told = shown(reel, f"y\nall\n{answer}\n")
    assert "With that, more than 25 % of what Ada remembers goes in one pass. Go on? [y/N] " in told
    assert len(asked(reel, "--plan")["due"]) == left


# -- stopped on the way, changed meanwhile --------------------------------------------------------------


def test_a_pass_that_is_stopped_goes_on_where_it_was(
    reel: Reel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = "window: 128k\nmaintain: {loss_limit: 0.6}\n"
    made = fade_by_itself(5)
    made.settings = limited
    whole = at_home(reel, made.make(tmp_path / "whole"))
    asked(reel, "--auto")
    levels = {path: whole.read(path) for path in map(memory_path, ["M-001", "M-002", "M-003", "M-004"])}
    kit = at_home(reel, made.make(tmp_path / "ada"))
    monkeypatch.setattr(maintaining, "AT_ONCE", 1)
    for committed in range(1, 4):
        with monkeypatch.context() as patch:
            patch.setattr("reel_cli.terminal.open_kit.OpenKit.commit_all", _once_then_ctrl_c())
            stopped = reel("maintain", "--auto")
        assert stopped.code == 130
        assert stopped.err.endswith("\nRun the same command again; it goes on where it stopped\n")
        assert [s.startswith("maintain: ") for s in kit.subjects()].count(True) == committed
        assert kit.status() == []
    done = asked(reel, "--auto")
    assert (ids(done["done"]), done["stopped"]) == ([], "limit") or len(done["done"]) == 1
    assert done["limit"]["rings"]["3"]["tokens"] == 5 * 197
    assert {path: kit.read(path) for path in levels} == levels


def _once_then_ctrl_c() -> Callable[..., Any]:
    """`commit_all` that a person stops after the first commit."""
    real = OpenKit.commit_all
    made: list[int] = []

    def commit_all(opened: OpenKit, changes: Sequence[Change]) -> Sequence[AppliedChange]:
        if made:
            raise KeyboardInterrupt
        made.append(1)
        return real(opened, changes)

    return commit_all


def _before_commit(act: Callable[[], object]) -> Callable[..., Any]:
    """`commit_all` that something comes before: a person at another window."""
    real = OpenKit.commit_all

    def commit_all(opened: OpenKit, changes: Sequence[Change]) -> Sequence[AppliedChange]:
        act()
        return real(opened, changes)

    return commit_all


def test_an_edit_made_while_a_step_is_taken_stops_it(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = year.repo.head()
    path = year.root / memory_path("M-005")
    text = path.read_text() + "\nAnd the kettle.\n"
    monkeypatch.setattr(
        "reel_cli.terminal.open_kit.OpenKit.commit_all", _before_commit(lambda: path.write_text(text))
    )
    told = reel("maintain", "--auto")
    assert told.code == 3
    assert told.err == (
        "Error: ring3/M-005.md was edited meanwhile; nothing was changed.\n"
        "Hint: look at it, then run the command again\n"
    )
    assert (year.repo.head(), path.read_text()) == (before, text)


def test_a_pin_set_at_another_window_meanwhile_is_heeded(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []

    def pin() -> None:
        if not done:
            done.append(1)
            reel.process("memory", "pin", "M-005").ok()

    monkeypatch.setattr("reel_cli.terminal.open_kit.OpenKit.commit_all", _before_commit(pin))
    told = reel("maintain", "--auto")
    assert told.code == 0
    assert "M-001" in told.out
    assert "M-005" not in told.out


def test_an_edit_by_hand_before_it_becomes_its_own_change_and_comes_back_too(
    reel: Reel, year: KitUnderGit
) -> None:
    path = year.root / memory_path("M-005")
    edited = path.read_bytes() + b"\nAnd the kettle.\n"
    path.write_bytes(edited)
    assert ids(asked(reel, "--auto")["done"]) == ["M-001", "M-005"]
    assert "edit: by hand" in year.subjects()
    reel("restore", "M-005").ok()
    assert path.read_bytes() == edited


def test_what_changed_between_plan_and_step_stays_and_says_so(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = year.root / memory_path("M-001")
    real = maintaining.Pass.take

    def take(made: maintaining.Pass, steps: Sequence[Any]) -> None:
        path.write_text(path.read_text().replace("immune: no", "immune: yes"))
        real(made, steps)

    monkeypatch.setattr(maintaining.Pass, "take", take)
    told = reel("maintain", "--auto").ok()
    assert "M-001 stays as it is: M-001 is immune now." in told.err
    assert path.exists()


def test_a_folder_that_cannot_be_written_is_told_of(reel: Reel, year: KitUnderGit) -> None:
    if os.geteuid() == 0:
        pytest.skip("whoever is root may write everywhere")
    (year.root / "ring3").chmod(0o500)
    try:
        assert reel("maintain", "--auto").code == 3
    finally:
        (year.root / "ring3").chmod(0o700)


# -- the whole way down, and back -----------------------------------------------------------------------


def test_a_pruned_line_sleeps_after_as_many_evenings_and_is_still_found(reel: Reel, tmp_path: Path) -> None:
    kit = at_home(reel, Year([memory(1, "L4", evening=0)]).make(tmp_path / "ada"))
    tag = kit.read(memory_path("M-001"))
    (pruned,) = asked(reel, "--auto", "--beyond-limit")["done"]
    line = next(one for one in kit.read(INDEX).decode().splitlines() if one.startswith("M-001"))
    assert (pruned["to"], line) == (
        "stub",
        f'M-001 | Evening 1 | "{PHRASE}" | factual | not immune, pruned <!-- {SESSIONS[0]}#1-4 -->',
    )
    assert asked(reel, "--plan")["due"] == []
    more_evenings(kit, LATER[:9])
    assert asked(reel, "--plan", env={"REEL_NOW": LAST})["due"] == []
    more_evenings(kit, LATER[9:10])
    (slept,) = asked(reel, "--auto", "--beyond-limit", env={"REEL_NOW": LAST})["done"]
    assert (slept["move"], slept["from"], slept["to"], slept["tokens_after"]) == (
        "sleep",
        "stub",
        "dormant",
        0,
    )
    assert slept["why"] == "not asked for in the 10 chats since it was pruned"
    assert "M-001" not in kit.read(INDEX).decode()
    found = json.loads(reel("recall", "tell me about the walrus orchestra", "--json").ok().out)
    assert SESSIONS[0] in {hit["session"] for hit in found["hits"]}
    reel("restore", "M-001").ok()
    assert line in kit.read(INDEX).decode().splitlines()
    reel("restore", "M-001").ok()
    assert kit.read(memory_path("M-001")) == tag
    # a page is due for no evening whose memory was let go
    due = [one["why"] for one in json.loads(reel("status", "--json").ok().out)["due"]]
    assert not any(SESSIONS[0] in why for why in due)


def test_what_was_asked_for_since_it_was_pruned_does_not_sleep(reel: Reel, tmp_path: Path) -> None:
    kit = at_home(reel, Year([memory(1, "L4", evening=0)]).make(tmp_path / "ada"))
    asked(reel, "--auto", "--beyond-limit")
    more_evenings(kit, LATER[:5])
    use = {"id": "x", "at": "2026-03-06T20:00:00Z", "session": LATER[4], "do": "reference", "on": "M-001"}
    kit.write("journal/2026-03.jsonl", (json.dumps(use) + "\n").encode())
    more_evenings(kit, LATER[5:])
    assert asked(reel, "--plan", env={"REEL_NOW": LAST})["due"] == []


def test_a_shallow_clone_lets_lines_sleep_only_by_the_evenings_it_knows_of(
    reel: Reel, tmp_path: Path
) -> None:
    kit = at_home(reel, Year([memory(1, "L4", evening=0)]).make(tmp_path / "ada"))
    asked(reel, "--auto", "--beyond-limit")
    more_evenings(kit, LATER)
    for depth, due in ((6, []), (11, ["M-001"])):
        place = tmp_path / f"clone-{depth}"
        git(tmp_path, "clone", "-q", f"--depth={depth}", f"file://{kit.root}", str(place))
        found = asked(reel, "--plan", cwd=place, env={"REEL_NOW": LAST})
        assert ids(found["due"]) == due


def test_a_memory_that_was_forgotten_and_one_of_a_kit_it_was_made_from_sleep_too(
    reel: Reel, year: KitUnderGit
) -> None:
    reel("forget", "M-004", "--yes").ok()
    more_evenings(year, LATER)
    found = asked(reel, "--plan", env={"REEL_NOW": LAST})
    assert [one["id"] for one in found["due"] if one["move"] == "sleep"] == ["M-004", "M-011"]


def test_what_was_brought_back_and_unpinned_rests_until_a_few_evenings_later(
    reel: Reel, year: KitUnderGit
) -> None:
    asked(reel, "--auto")
    reel("restore", "M-005").ok()
    reel("memory", "unpin", "M-005").ok()
    # what still asks for words keeps the pass open for a day
    later = {"REEL_NOW": "2026-03-03T20:00:00+00:00"}
    kept = {one["id"]: one["why"] for one in asked(reel, "--plan", env=later)["kept"]}
    assert kept["M-005"] == "written again or brought back a short time ago"
    more_evenings(year, LATER[:3])
    assert "M-005" in ids(asked(reel, "--plan", env={"REEL_NOW": LAST})["due"])


def test_undo_takes_a_step_back(reel: Reel, year: KitUnderGit) -> None:
    before = year.files()
    asked(reel, "--auto")
    reel("undo").ok()
    reel("undo").ok()
    # the tape only grows: it tells of both steps
    assert {path for path, data in year.files().items() if data != before.get(path)} == {EVENTS}


def test_what_faded_is_packed_as_what_it_is_now(reel: Reel, year: KitUnderGit) -> None:
    asked(reel, "--auto")
    told = reel("pack").ok().out
    assert told.count(MARKER) >= 1
    assert "Retrieval anchors" not in told


def test_a_small_page_goes_down_as_it_is_and_comes_back(reel: Reel, tmp_path: Path) -> None:
    small = memory(1, "L1", evening=1, body=f"\n{MARKER}\n")
    kept = at_home(reel, Year([small, memory(2, evening=23)]).make(tmp_path / "ada"))
    told = reel("maintain", "--auto").ok()
    assert told.out == (
        "Let go of 0 tokens in 1 step, each its own change.\n"
        "  M-001  page to digest  35 to 35 tokens  341 days old, never recalled\n"
    )
    assert parse_memory(kept.read(memory_path("M-001")).decode(), "M-001").body == small.body
    # nobody wrote anything, so no prompt is missed
    assert "Done without reading" not in reel("doctor").out
    why = reel("why", "M-001").ok().out
    assert "faded from a page to a shorter page, as it was, 35 tokens: 341 days old, never recalled" in why
    assert "page of 35 tokens" in reel("restore", "M-001").ok().out
    assert "level: L1\n" in kept.read(memory_path("M-001")).decode()


def test_nothing_is_let_go_without_who_the_persona_is(reel: Reel, tmp_path: Path) -> None:
    """REEL §10.3: ring 0 is in context during every pruning pass, one without a model too."""
    files = {**of_every_age().files(), "ring0/identity.md": b""}
    year = make_kit(tmp_path / "ada", start=files)
    reel.cwd = year.root
    head = year.git("rev-parse", "HEAD")
    told = reel("maintain", "--auto")
    assert told.code == 1
    assert "ring0/identity.md is empty" in told.err
    assert year.git("rev-parse", "HEAD") == head


def test_a_pass_that_named_no_ring_0_is_found(reel: Reel, year: KitUnderGit) -> None:
    """Of a version that names it; what older versions let go of is theirs."""
    reel("maintain", "--auto").ok()
    found = json.loads(reel("doctor", "--only", "identity-drift", "--json").out)["findings"]
    assert found == []
    trailers = year.git("log", "-1", "--format=%(trailers:only)").splitlines()
    told = "\n".join(line for line in trailers if line and not line.startswith("Reel-Ring0"))
    year.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "maintain: by a script", "-m", told)
    (found,) = json.loads(reel("doctor", "--only", "identity-drift", "--json").out)["findings"]
    assert (found["severity"], "without reading who the persona is" in found["evidence"]) == ("hint", True)


def test_a_larger_bundle_names_the_memories_it_tells_in_earlier_words(reel: Reel) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits" / "ada").ok()
    reel.cwd = reel.cwd / "ada"
    assert "earlier words" not in reel("pack", "--window", "128k", "--explain").ok().err
    reel("maintain", "--auto", "--yes", env={"REEL_NOW": "2028-03-01T20:00:00+00:00"}).ok()
    told = reel("pack", "--window", "128k", "--explain").ok().err
    faded = [
        row["id"] for row in json.loads(reel("memory", "list", "--json").ok().out) if row["level"] != "L1"
    ]
    (line,) = (line for line in told.splitlines() if line.startswith("what it remembers"))
    count, _, names = line.rpartition("  ")[2].partition(" in earlier words: ")
    assert count == f"11 whole; {len(names.split())}"
    assert {"M-009", "M-012"} <= {*names.split()} <= {*faded}


def test_earlier_words_that_were_doubted_have_a_mark_until_a_person_settles_it(reel: Reel) -> None:
    """A page said 198 of 189 varifocals; its digest was right, and a larger window told 198 unmarked."""
    reel("init", "ada", "--template", CHECKOUT / "kits" / "ada").ok()
    reel.cwd = kit = reel.cwd / "ada"
    reel("maintain", "--auto", "--yes", env={"REEL_NOW": "2028-03-01T20:00:00+00:00"}).ok()
    commit = run(kit, "log", "--format=%H", "--grep", "^Reel-Forgot: M-012 ").split()[-1]
    run(kit, "reset", "-q", "--hard", commit)
    said = "with headphones on, and wrote one line in pencil: why is nobody ever hungry?"
    assert f"{said} (doubted" not in reel("pack", "--window", "128k").ok().out
    message = run(kit, "log", "-1", "--format=%B")
    told = message.replace(" why=", ' doubted="word:headphones ¦ number:77" why=')
    run(kit, "commit", "-q", "--no-verify", "--amend", "-m", told)
    assert f"{said} (doubted: “headphones”) I had asked" in reel("pack", "--window", "128k").ok().out
    owner = parse_memory((kit / memory_path("M-012")).read_text(), "M-012").uid
    (kit / "review").mkdir(exist_ok=True)
    settled = settle_doubt("", doubt_key(owner, "word", "headphones"), "headphones", "2028-03-02")
    (kit / SETTLED).write_text(settled)
    run(kit, "add", "-A")
    run(kit, "commit", "-q", "--no-verify", "-m", "a doubt settled")
    assert f"{said} (doubted" not in reel("pack", "--window", "128k").ok().out


@pytest.mark.parametrize("right", ["It was 38 pages.", "He was eighty-one.", "She was ninety, or nineteen."])
def test_a_page_whose_digest_puts_a_number_right_is_not_told_again(reel: Reel, right: str) -> None:
    """A page said £83 a year, its digest £38 as it was said, and every larger window told £83 again."""
    reel("init", "ada", "--template", CHECKOUT / "kits" / "ada").ok()
    reel.cwd = kit = reel.cwd / "ada"
    reel("maintain", "--auto", "--yes", env={"REEL_NOW": "2028-03-01T20:00:00+00:00"}).ok()
    commit = run(kit, "log", "--format=%H", "--grep", "^Reel-Forgot: M-012 ").split()[-1]
    run(kit, "reset", "-q", "--hard", commit)
    said = "with headphones on, and wrote one line in pencil: why is nobody ever hungry?"
    path, message = kit / memory_path("M-012"), run(kit, "log", "-1", "--format=%B")
    assert said in reel("pack", "--window", "128k").ok().out
    path.write_text(path.read_text().replace("\n## Retrieval", f"{right}\n\n## Retrieval"))
    run(kit, "commit", "-qa", "--no-verify", "--amend", "-m", message)
    told = reel("pack", "--window", "128k").ok().out
    assert said not in told
