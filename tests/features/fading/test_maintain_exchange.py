"""`reel maintain --prompt` and `--reply`, whole commands: what a reply changes, and what it never does."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.commit_message import parse_forgotten
from reel_cli.core.files.memory_file import render_body
from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.values.change import AppliedChange, Change
from reel_cli.core.values.memory import FIELDS, memory_path
from reel_cli.features.fading.pass_file import last_pass
from reel_cli.terminal.console import Console
from reel_cli.terminal.converse import WHOLE_ANSWER
from reel_cli.terminal.open_kit import OpenKit
from tests.support.cli import CHECKOUT, Reel, Run
from tests.support.faded_kit import MARKER, PHRASE, SESSIONS, Year, memory, of_every_age
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import breath, whole

pytestmark = pytest.mark.usefixtures("no_room")

BOTH = breath(1, 7) + whole(2, 8)
"""Reply to the prompt of `of_every_age`: M-007 as a marker, M-008 as a digest."""


@pytest.fixture
def year(reel: Reel, tmp_path: Path) -> KitUnderGit:
    return at_home(reel, of_every_age().make(tmp_path / "ada"))


def at_home(reel: Reel, kit: KitUnderGit) -> KitUnderGit:
    reel.cwd = kit.root
    return kit


def three_pages() -> Year:
    """Three pages that only the persona can shorten, and enough beside them that the limit is far."""
    old = [memory(n, "L1", evening=n) for n in (1, 2, 3)]
    return Year([*old, *(memory(n, "L1", evening=23) for n in range(22, 26))])


def prompt(reel: Reel, *more: str) -> str:
    # every test of this file has no room, and no other file begins with this command
    return reel.given("maintain", "--prompt", *more).out


def reply(reel: Reel, text: str, *more: str, code: int = 0, **how: Any) -> Run:
    told = reel("maintain", "--reply", "-", *more, stdin=text, **how)
    assert told.code == code, told.out + told.err
    return told


def answered(reel: Reel, text: str, *more: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reply(reel, text, "--yes", "--json", *more, code=code).out)
    return found


def ids(found: Sequence[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in found]


def whys(found: dict[str, Any]) -> dict[str, str]:
    return {one["id"]: one["why"] for one in found["left"]}


def pages_of(text: str) -> list[str]:
    """Which pages a prompt shows, in its order."""
    shown = [line for line in text.splitlines() if line.startswith("=== Page ")]
    return [line.partition(": ")[2].partition(" (")[0] for line in shown]


def waiting(kit: KitUnderGit) -> list[str]:
    return list(State(kit.root).exchanges())


# -- the prompt ---------------------------------------------------------------------------------


def test_the_prompt_is_all_that_is_printed_and_is_remembered(reel: Reel, year: KitUnderGit) -> None:
    before = year.repo.head()
    told = reel("maintain", "--prompt").ok()
    assert (pages_of(told.out), told.err) == (["Evening 7", "Evening 8"], "")
    assert told.out.startswith("Ada, pages of your journal are to be written again.")
    assert (year.repo.head(), year.status(), waiting(year)) == (before, [], ["maintain.shorter"])
    assert State(year.root).handed_out() == [told.out.removesuffix("\n") + "\n"]


def test_a_dry_run_prints_the_same_prompt_and_remembers_nothing(reel: Reel, year: KitUnderGit) -> None:
    looked = prompt(reel, "--dry-run")
    assert waiting(year) == []
    assert looked == prompt(reel)


@pytest.mark.parametrize("only", ["anew", "notes"])
def test_where_nothing_of_a_kind_is_due_that_is_said(reel: Reel, year: KitUnderGit, only: str) -> None:
    told = reel("maintain", "--prompt", "--only", only)
    assert (told.code, told.out) == (1, "")
    assert told.err == (
        "Error: There is nothing to ask the persona now.\nHint: to see what is due:  reel maintain --plan\n"
    )


def test_only_names_what_is_asked_for(reel: Reel, year: KitUnderGit) -> None:
    assert pages_of(prompt(reel, "--only", "fade")) == ["Evening 7", "Evening 8"]
    assert "which of your memories must stay" in prompt(reel, "--only", "whole")
    for other in ("--plan", "--auto"):
        assert reel("maintain", other, "--only", "fade").code == 2


@pytest.mark.parametrize("arguments", [("--prompt", "--auto"), ("--reply", "-", "--plan")])
def test_what_contradicts_itself_is_refused(
    reel: Reel, year: KitUnderGit, arguments: tuple[str, ...]
) -> None:
    assert reel("maintain", *arguments).code == 2


# -- a reply without a person ---------------------------------------------------------------------


def test_each_page_is_a_change_of_its_own_and_on_record(reel: Reel, year: KitUnderGit) -> None:
    given = prompt(reel)
    before = year.files()
    told = reply(reel, BOTH, "--yes")
    assert year.subjects()[:2] == [
        "maintain: M-008, page to digest",
        "maintain: M-007, digest to marker",
    ]
    assert told.out == ""
    assert told.err.count("  kept, in commit ") == 2
    # old and new stand one below the other, where no colour tells them apart
    assert told.err.count("  As it is:\n") == told.err.count("  As it would be:\n") == 2
    was = year.git("rev-parse", f"HEAD^:{memory_path('M-008')}").strip()
    trailers = year.git("log", "-1", "--format=%(trailers:only)").splitlines()
    assert trailers[0] == "Reel-Op: maintain"
    loss = parse_forgotten(trailers[1].removeprefix("Reel-Forgot: "))
    assert loss is not None
    assert (loss.id, loss.before, loss.after, loss.was, loss.reason) == (
        *("M-008", "L1", "L2", was),
        "86 days old, never recalled",
    )
    assert trailers[2:4] == [f"Reel-Session: {SESSIONS[18]}", f"Reel-Memory: M-008 L2 {loss.tokens_after}"]
    assert trailers[5].startswith("Reel-Ring0: ")
    assert (waiting(year), year.status()) == ([], [])
    changed = {path for path, data in year.files().items() if data != before.get(path)}
    pages = {memory_path("M-007"), memory_path("M-008")}
    assert changed == {*pages, EVENTS}
    assert given not in told.err
    reel("restore", "M-007", "M-008").ok()
    assert {path: year.files()[path] for path in pages} == {path: before[path] for path in pages}


def test_a_program_gets_what_was_kept_and_what_was_not(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    found = answered(reel, breath(1, 7))
    assert list(found) == ["commit", "kept", "left", "problems", "repair"]
    (kept,) = found["kept"]
    assert kept["commit"] == found["commit"] == year.repo.head()
    assert {key: kept[key] for key in ("id", "title", "from", "to", "tokens_before")} == {
        "id": "M-007",
        "title": "Evening 7 (M-007)",
        "from": "L2",
        "to": "L3",
        "tokens_before": 197,
    }
    assert found["left"] == [
        {"id": "M-008", "title": "Evening 8 (M-008)", "why": "it did not come back", "problems": []}
    ]
    assert pages_of(found["repair"]) == ["Evening 8"]


def test_nobody_is_there_to_decide(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    told = reply(reel, BOTH, code=1)
    assert told.err == (
        "Error: Nothing was kept: without a terminal, reel cannot ask you.\n"
        "Hint: add --yes to keep it without a question, or --dry-run to only look\n"
    )
    assert (year.changes, waiting(year)) == (1, ["maintain.shorter"])


def test_a_dry_run_shows_what_a_reply_would_do(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    before = year.repo.head()
    told = reply(reel, BOTH, "--dry-run")
    assert told.err.startswith("\nEvening 7 (M-007): digest to marker, 197 to ")
    assert told.err.endswith("Nothing was changed (--dry-run).\n")
    assert (year.repo.head(), waiting(year)) == (before, ["maintain.shorter"])
    found = json.loads(reply(reel, BOTH, "--dry-run", "--json").out)
    assert (ids(found["kept"]), found["commit"]) == (["M-007", "M-008"], None)


def test_a_reply_without_a_prompt_applies_to_what_is_due(reel: Reel, year: KitUnderGit) -> None:
    assert ids(answered(reel, BOTH)["kept"]) == ["M-007", "M-008"]


def test_what_did_not_come_back_is_asked_for_by_itself_and_the_reply_to_that_is_read(
    reel: Reel, tmp_path: Path
) -> None:
    kit = at_home(reel, three_pages().make(tmp_path / "ada"))
    assert pages_of(prompt(reel)) == ["Evening 1", "Evening 2", "Evening 3"]
    told = reply(reel, whole(1, 1) + whole(3, 3), "--yes", "--beyond-limit")
    assert told.err.endswith(
        "\nStays as it was: Evening 2 (M-002). It did not come back.\n"
        "To ask for the rest:  reel maintain --prompt --beyond-limit\n"
    )
    assert pages_of(prompt(reel, "--beyond-limit")) == ["Evening 2"]
    assert ids(answered(reel, whole(1, 2), "--beyond-limit")["kept"]) == ["M-002"]
    assert (waiting(kit), last_pass(State(kit.root))) == ([], "2026-03-01T20:00:00Z")


def test_the_same_reply_again_finds_what_was_kept(reel: Reel, tmp_path: Path) -> None:
    kit = at_home(reel, three_pages().make(tmp_path / "ada"))
    prompt(reel)
    again = kit.root / ".reel/state/exchanges/maintain.shorter.json"
    stored = again.read_bytes()
    reply(reel, whole(1, 1) + whole(2, 2), "--yes", "--beyond-limit")
    again.write_bytes(stored)
    found = answered(reel, whole(1, 1) + whole(2, 2) + whole(3, 3), "--beyond-limit")
    assert ids(found["kept"]) == ["M-003"]
    assert whys(found) == {"M-001": "it was kept before", "M-002": "it was kept before"}
    again.write_bytes(stored)
    told = reply(reel, whole(1, 1) + whole(2, 2) + whole(3, 3), "--yes")
    assert "Is so already: Evening 1 (M-001). It was kept before.\n" in told.err


# -- replies that are none, or of something else ------------------------------------------------


def _prompt_itself(reel: Reel) -> str:
    return prompt(reel)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (_prompt_itself, "That is the prompt itself, not the answer to it."),
        (
            lambda _: "I would rather not, Bo. Shall we talk of the lamp?",
            "The model declined to write the page.",
        ),
    ],
    ids=["prompt", "other"],
)
def test_a_reply_that_is_none_is_refused_whole(
    reel: Reel, year: KitUnderGit, answer: Callable[[Reel], str], why: str
) -> None:
    given = prompt(reel)
    head = year.repo.head()
    text = answer(reel)
    told = reply(reel, text, "--yes", code=1)
    hint = "ask again, or another model, or tomorrow" if "declined" in why else WHOLE_ANSWER
    assert told.err.endswith(f"Error: {why}\nHint: {hint}\n")
    found = answered(reel, text, code=1)
    assert found["problems"][0] == {"field": "reply", "what": why}
    assert found["repair"] == given
    assert (year.repo.head(), waiting(year)) == (head, ["maintain.shorter"])


def test_nothing_is_no_reply(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    for text in ("", " \n\n"):
        told = reply(reel, text, "--yes", code=1)
        assert told.err.startswith("Error: What came on standard input is empty.\n")
    (year.root / ".reel" / "answer.txt").write_text("")
    assert reel("maintain", "--reply", ".reel/answer.txt", "--yes").code == 1
    assert (year.changes, waiting(year)) == (1, ["maintain.shorter"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            breath(1, 7).replace("Evening 7", "Evening 9") + whole(2, 10),
            {
                "M-007": 'its heading says "Evening 9", which was not asked for',
                "M-008": 'its heading says "Evening 10", which was not asked for',
            },
        ),
        (
            whole(1, 8) + breath(2, 7),
            {
                "M-007": 'the heading says page 1 and "Evening 8"',
                "M-008": 'the heading says page 1 and "Evening 8"',
            },
        ),
        (
            whole(1, 7).replace("# Page 1: Evening 7", "# Page 1 and 2"),
            {
                "M-007": "it was written together with another; each has to stand by itself",
                "M-008": "it was written together with another; each has to stand by itself",
            },
        ),
        (
            breath(1, 7, f"{MARKER} " * 9) + whole(2, 8, f"{MARKER} " * 5),
            {"M-007": "it grew: 197 tokens before, 307 now", "M-008": "it grew: 677 tokens before, 745 now"},
        ),
    ],
    ids=["others", "swapped", "merged", "grown"],
)
def test_a_reply_for_other_pages_leaves_them_alone(
    reel: Reel, year: KitUnderGit, text: str, left: dict[str, str]
) -> None:
    prompt(reel)
    before = year.files()
    found = answered(reel, text, code=1)
    assert (found["commit"], found["kept"], whys(found)) == (None, [], left)
    assert pages_of(found["repair"]) == ["Evening 7", "Evening 8"]
    assert {path: data for path, data in year.files().items() if before[path] != data} == {}


def test_what_was_said_given_back_is_no_memory(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    said = "It went out again, and the clockwork must be wound every forty minutes. " * 3
    found = answered(reel, whole(2, 8, said.strip()), code=1)
    assert whys(found)["M-008"] == "it only repeats what was said, word for word"


def test_a_claim_that_nobody_made_is_left_without_a_person(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    found = answered(reel, breath(1, 7, f"{MARKER} Magnus had rowed 47 miles from Kirkwall."), code=1)
    (stays,) = [one for one in found["left"] if one["id"] == "M-007"]
    assert stays["why"] == "what was said does not bear it"
    assert {problem["field"] for problem in stays["problems"]} == {"grounding.name"}


# -- the kit changed between prompt and reply -------------------------------------------------------


def _edit(reel: Reel, kit: KitUnderGit) -> None:
    path = kit.root / memory_path("M-008")
    path.write_text(path.read_text() + "\nBy hand.\n")


def _pin(reel: Reel, kit: KitUnderGit) -> None:
    reel("memory", "pin", "M-008").ok()


def _immune(reel: Reel, kit: KitUnderGit) -> None:
    reel("memory", "immune", "M-008", "--why", "it is the lamp").ok()


def _forget(reel: Reel, kit: KitUnderGit) -> None:
    reel("forget", "M-008", "--yes").ok()


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        (_edit, "it was changed after the prompt was made"),
        (_pin, "it is pinned now"),
        (_immune, "it was changed after the prompt was made"),
        (_forget, "it is no longer there"),
    ],
    ids=["edited", "pinned", "immune", "forgotten"],
)
def test_what_changed_after_the_prompt_stays_as_it_is(
    reel: Reel, year: KitUnderGit, meanwhile: Callable[[Reel, KitUnderGit], None], why: str
) -> None:
    prompt(reel)
    meanwhile(reel, year)
    path = year.root / memory_path("M-008")
    before = path.read_bytes() if path.exists() else None
    found = answered(reel, BOTH)
    assert (ids(found["kept"]), whys(found)) == (["M-007"], {"M-008": why})
    assert (path.read_bytes() if path.exists() else None) == before
    # nobody is asked for it again
    assert (found["repair"], waiting(year)) == ("", [])


def test_a_pin_set_at_another_window_while_deciding_holds(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt(reel)
    real = OpenKit.look_again
    done: list[int] = []

    def pin(opened: OpenKit) -> None:
        if not done:
            done.append(1)
            reel.process("memory", "pin", "M-007").ok()
        real(opened)

    monkeypatch.setattr(OpenKit, "look_again", pin)
    found = answered(reel, BOTH)
    assert (ids(found["kept"]), whys(found)) == (["M-008"], {"M-007": "it is pinned now"})


# -- the limit of a pass ---------------------------------------------------------------------------


def test_a_pass_keeps_to_its_limit_across_auto_and_exchange(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    lost = json.loads(reel("maintain", "--auto", "--json").ok().out)["freed"]
    ring = json.loads(reel("maintain", "--plan", "--json").ok().out)["limit"]["rings"]["3"]
    assert ring["lost"] == lost == 158
    path = year.root / "kit.yaml"
    share = (lost + 170) / ring["tokens"]
    path.write_text(f"{path.read_text()}maintain:\n  loss_limit: {share:.3f}\n")
    told = reply(reel, BOTH, "--yes")
    assert "Stays as it was: Evening 8 (M-008). With it, more than " in told.err
    assert told.err.endswith("To keep more in this pass:  reel maintain --reply FILE --beyond-limit\n")
    assert year.subjects()[0] == "maintain: M-007, digest to marker"
    # the same reply, with the word that more may go
    found = answered(reel, BOTH, "--beyond-limit")
    assert (ids(found["kept"]), whys(found)) == (["M-008"], {"M-007": "it was kept before"})


def limited(share: float) -> Year:
    pages = three_pages()
    pages.settings += f"maintain: {{loss_limit: {share}}}\n"
    return pages


def test_no_prompt_asks_for_more_than_a_pass_may_lose_and_what_it_asks_for_is_kept(
    reel: Reel, tmp_path: Path
) -> None:
    at_home(reel, limited(0.13).make(tmp_path / "ada"))
    told = reel("maintain", "--prompt").ok()
    assert pages_of(told.out) == ["Evening 1", "Evening 2"]
    assert (
        "M-003 waits for a later pass: with that, more than 13 % of what Ada remembers would go" in told.err
    )
    # the pages come back shorter than was asked for, and are not refused for it
    found = answered(reel, whole(1, 1) + whole(2, 2))
    assert (ids(found["kept"]), found["left"]) == (["M-001", "M-002"], [])


def test_where_one_page_is_more_than_a_pass_may_lose_that_is_said_before_any_work(
    reel: Reel, tmp_path: Path
) -> None:
    kit = at_home(reel, limited(0.01).make(tmp_path / "ada"))
    told = reel("maintain", "--prompt")
    assert (told.code, told.out) == (1, "")
    assert told.err == (
        "Error: M-001, M-002, M-003 wait for a later pass: with that, more than 1 % of what Ada remembers"
        " would go. To allow it: --beyond-limit\n"
        "Hint: to ask for them anyway:  reel maintain --prompt --beyond-limit\n"
    )
    assert waiting(kit) == []
    # the plan leads to what works
    shown = " ".join(reel("maintain", "--plan").ok().err.split())
    assert "more than 1 % of what Ada remembers would go, so only if you say so: reel maintain" in shown
    assert shown.endswith("reel maintain --prompt --beyond-limit")
    assert pages_of(prompt(reel, "--beyond-limit")) == ["Evening 1", "Evening 2", "Evening 3"]


# -- what has left its source ----------------------------------------------------------------------------


STRAYED = {
    FIELDS[
        0
    ]: "Magnus rowed with Netta from Kirkwall to Stromness and sold the herring to the baker, who paid in"
    " saffron buns and bicycle bells.",
    FIELDS[
        1
    ]: "We argued about astronomy until Captain Harald hid the telescope beneath the orchestra's curtain.",
    FIELDS[
        2
    ]: "Purple umbrellas, seventeen violins, and a bishop who juggled oranges: I would mind losing that.",
    FIELDS[3]: "- Whether the bishop returned the bicycle.",
    FIELDS[4]: f'- "{PHRASE}"',
}
TRUE = """\
# Page 1: Evening 2

## What happened

That evening he wanted to hear about the lamp, and I had to say that it had gone out once more. I told him
that somebody has to wind the clockwork, every forty minutes, and that it does not wind itself.

## What changed

He asked after the letter before I had spoken of it, and I was glad that he did.

## What matters

A lamp that wants winding every forty minutes, and two people who both know it.

## What's unresolved

The letter, which still lies there unopened.

## In one breath

He asked about the lamp, which had gone out once more, and about the letter, which was still unopened.

Ada
"""


@pytest.fixture
def strayed(reel: Reel, tmp_path: Path) -> KitUnderGit:
    memories = [memory(1, evening=23), memory(2, "L2", evening=22, body=render_body(STRAYED))]
    return at_home(reel, Year(memories).make(tmp_path / "ada"))


def test_what_has_left_its_source_is_made_again_from_it_at_its_own_level(
    reel: Reel, strayed: KitUnderGit
) -> None:
    told = reel("maintain", "--plan").ok()
    assert (
        "No longer like what was said, and to be written again: M-002 (93 % of its words were not said"
        in told.out
    )
    asked = prompt(reel, "--only", "anew")
    assert "What they tell has moved away from what was really said." in asked
    found = answered(reel, TRUE)
    assert [(one["id"], one["from"], one["to"]) for one in found["kept"]] == [("M-002", "L2", "L2")]
    assert strayed.subjects()[0] == "maintain: M-002, anew from what was said"
    assert "Reel-Forgot" not in strayed.git("log", "-1", "--format=%B")
    assert reel("log", "--limit", "1").ok().out.split("  ")[1:] == [
        "tended",
        "Evening 2 (M-002), anew from what was said\n",
    ]
    assert "written again from what was said, as a shorter page of" in reel("why", "M-002").ok().out
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["anew"] == []


def test_what_was_false_in_it_is_no_ground_for_the_same_again(reel: Reel, strayed: KitUnderGit) -> None:
    prompt(reel)
    parts = "".join(f"## {label}\n\n{text}\n\n" for label, text in list(STRAYED.items())[:4])
    parts = parts.replace("who paid in saffron buns", "who paid him in buns")
    found = answered(reel, f"# Page 1: Evening 2\n\n{parts}## In one breath\n\nMagnus rowed.\n", code=1)
    (left,) = found["left"]
    assert left["why"] == "what was said does not bear it"
    assert any('"Kirkwall"' in problem["what"] for problem in left["problems"])


def test_what_is_pinned_is_not_made_again(reel: Reel, strayed: KitUnderGit) -> None:
    prompt(reel)
    reel("memory", "pin", "M-002").ok()
    assert whys(answered(reel, TRUE, code=1)) == {"M-002": "it is pinned now"}
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["anew"] == []


# -- stopped on the way -------------------------------------------------------------------------------


def test_killed_between_two_pages_the_first_is_kept_and_the_reply_goes_on(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt(reel)
    real = OpenKit.commit_all
    kept: list[int] = []

    def commit_all(opened: OpenKit, changes: Sequence[Change]) -> Sequence[AppliedChange]:
        if kept:
            raise KeyboardInterrupt
        kept.append(1)
        return real(opened, changes)

    with monkeypatch.context() as patch:
        patch.setattr(OpenKit, "commit_all", commit_all)
        told = reel("maintain", "--reply", "-", "--yes", stdin=BOTH)
    assert told.code == 130
    assert "Evening 7 (M-007), digest to marker" in told.err
    assert "The prompt waits:  reel maintain --reply FILE" in told.err
    assert (waiting(year), year.status()) == (["maintain.shorter"], [])
    found = answered(reel, BOTH)
    assert (ids(found["kept"]), whys(found)) == (["M-008"], {"M-007": "it was kept before"})


def test_a_kit_that_is_not_under_git_is_told_of(reel: Reel, year: KitUnderGit) -> None:
    (year.root / ".git").rename(year.root.parent / "git")
    for arguments in (("--prompt",), ("--reply", "-", "--yes")):
        told = reel("maintain", *arguments, stdin=BOTH)
        assert (told.code, told.out) == (3, "")
        assert told.err.startswith("Error: ada has no history (git) yet, so nothing can be recorded in it.\n")


def test_killed_outright_between_two_pages_the_first_is_kept(reel: Reel, year: KitUnderGit) -> None:
    prompt(reel)
    script = (
        "import os, sys\n"
        "from reel_cli.terminal.context import OpenKit\n"
        "from reel_cli.terminal.app import run\n"
        "real, kept = OpenKit.commit_all, []\n"
        "def commit_all(opened, changes):\n"
        "    if kept: os._exit(137)\n"
        "    kept.append(1)\n"
        "    return real(opened, changes)\n"
        "OpenKit.commit_all = commit_all\n"
        "run(['maintain', '--reply', '-', '--yes'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=BOTH.encode(),
        cwd=year.root,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 137
    assert year.subjects()[0] == "maintain: M-007, digest to marker"
    found = answered(reel, BOTH)
    assert (ids(found["kept"]), whys(found)) == (["M-008"], {"M-007": "it was kept before"})


def test_where_nothing_can_be_noted_the_prompt_is_given_and_nothing_is_kept(
    reel: Reel, year: KitUnderGit
) -> None:
    shutil.rmtree(year.root / ".reel", ignore_errors=True)
    (year.root / ".reel").write_text("a file")
    told = reel("maintain", "--prompt").ok()
    assert pages_of(told.out) == ["Evening 7", "Evening 8"]
    assert told.err == "The kit cannot be written, so reel will not know this prompt again.\n"
    head = year.repo.head()
    for arguments in (("--yes",), ("--yes", "--only", "whole")):
        refused = reel("maintain", "--reply", "-", *arguments, stdin=BOTH)
        assert refused.code in (1, 3)
    assert (year.repo.head(), year.git("status", "--porcelain", "ring3")) == (head, "")


def test_a_kit_that_cannot_be_written_gives_its_prompt_and_keeps_nothing(
    reel: Reel, year: KitUnderGit
) -> None:
    if os.geteuid() == 0:
        pytest.skip("whoever is root may write everywhere")
    folders = [year.root, *(path for path in year.root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        told = reel("maintain", "--prompt").ok()
        assert pages_of(told.out) == ["Evening 7", "Evening 8"]
        assert told.err == "The kit cannot be written, so reel will not know this prompt again.\n"
        assert reel("maintain", "--reply", "-", "--yes", stdin=BOTH).code == 3
    finally:
        for folder in folders:
            folder.chmod(0o700)


# -- a person at the terminal --------------------------------------------------------------------------


def walk(reel: Reel, answers: str, *more: str, code: int = 0) -> str:
    """Return the screen of a person who declines what needs no model, and gives the reply from a file."""
    (reel.cwd / ".reel").mkdir(exist_ok=True)
    (reel.cwd / ".reel" / "answer.txt").write_text(BOTH)
    told = reel("maintain", *more, stdin=f"n\n{answers}", tty=True)
    assert told.code == code
    return "".join(text for _, text in told.screen)


GIVE = "y\nf .reel/answer.txt\n"


def test_a_person_accepts_each(reel: Reel, year: KitUnderGit) -> None:
    told = walk(reel, f"{GIVE}y\ny\n")
    assert "One prompt is enough for M-007 and M-008. Ask now? [Y/n] " in told
    assert told.count("Keep this? (q stops here) [Y/n/q] ") == 2
    assert year.subjects()[:2] == [
        "maintain: M-008, page to digest",
        "maintain: M-007, digest to marker",
    ]
    assert waiting(year) == []


def test_what_a_person_declines_stays_and_is_not_asked_for_again(reel: Reel, year: KitUnderGit) -> None:
    told = walk(reel, f"{GIVE}n\ny\n")
    assert "Stays as it was: Evening 7 (M-007). You left it as it was.\n" in told
    assert year.subjects()[:2] == ["maintain: M-008, page to digest", year.subjects()[1]]
    assert "M-007" not in year.subjects()[1]
    assert waiting(year) == []


def test_q_stops_and_the_prompt_waits(reel: Reel, year: KitUnderGit) -> None:
    told = walk(reel, f"{GIVE}y\nq\n")
    assert "Stays as it was: Evening 8 (M-008). Not decided yet.\n" in told
    assert "To go on with the same answer:  reel maintain --reply FILE\n" in told
    assert year.subjects()[0] == "maintain: M-007, digest to marker"
    assert waiting(year) == ["maintain.shorter"]
    assert ids(answered(reel, BOTH)["kept"]) == ["M-008"]


def test_ctrl_c_while_deciding_leaves_what_was_kept_and_the_prompt(
    reel: Reel, year: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Console.choose

    def choose(console: Console, question: str, keys: Sequence[str], *more: Any) -> str:
        if "M-007" in year.subjects()[0]:
            raise KeyboardInterrupt
        return real(console, question, keys, *more)

    monkeypatch.setattr(Console, "choose", choose)
    told = walk(reel, f"{GIVE}y\n", code=130)
    assert "Evening 7 (M-007), digest to marker" in told
    assert year.subjects()[0] == "maintain: M-007, digest to marker"
    assert (waiting(year), year.status()) == (["maintain.shorter"], [])


def test_what_the_source_does_not_bear_is_no_by_itself_and_a_person_may_keep_it(
    reel: Reel, year: KitUnderGit
) -> None:
    text = breath(1, 7, f"{MARKER} Magnus had rowed over from Kirkwall.")
    (year.root / ".reel" / "answer.txt").write_text(text)
    first = reel("maintain", stdin=f"n\n{GIVE}\n", tty=True).ok()
    shown = "".join(part for _, part in first.screen)
    assert "  What was said does not say this:\n" in shown
    assert "Keep this? (q stops here) [y/N/q] " in shown
    assert "M-007" not in year.subjects()[0]
    reel("maintain", stdin=f"n\n{GIVE}y\n", tty=True).ok()
    assert year.subjects()[0] == "maintain: M-007, digest to marker"


def test_a_reply_that_cannot_be_used_may_be_given_again(reel: Reel, year: KitUnderGit) -> None:
    (year.root / "other.txt").write_text("Let us talk of the lamp.")
    told = walk(reel, f"y\nf other.txt\n{GIVE.partition(chr(10))[2]}y\ny\n")
    assert "\nThat is no page: the model went on talking, or something else was copied.\n" in told
    assert len([one for one in year.subjects() if one.startswith("maintain: ")]) == 2


def test_later_keeps_the_prompt(reel: Reel, year: KitUnderGit) -> None:
    told = walk(reel, "y\nq\n")
    assert "The prompt is kept. When you have the answer:  reel maintain --reply FILE\n" in told
    assert waiting(year) == ["maintain.shorter"]


# -- afterwards ---------------------------------------------------------------------------------------


def test_undo_and_why_tell_of_it(reel: Reel, year: KitUnderGit) -> None:
    before = year.files()
    reply(reel, BOTH, "--yes")
    told = reel("why", "M-008").ok().out
    (line,) = [line for line in told.splitlines() if "shorter page" in line and "now" not in line]
    assert "faded from a page to a shorter page, 677 to " in line
    assert "86 days old, never recalled" in line
    assert f"“{PHRASE}”" in told
    reel("undo").ok()
    reel("undo").ok()
    assert {path for path, data in year.files().items() if data != before.get(path)} == {EVENTS}
    (log,) = [one for one in json.loads(reel("log", "--json", "--limit", "4").ok().out) if one["forgot"]][:1]
    assert (log["op"], log["memories"], ids(log["forgot"])) == ("maintain", ["M-008"], ["M-008"])


# -- what doctor says of it -----------------------------------------------------------------------------


def said_to_be_made_again(reel: Reel) -> list[str]:
    """The memories of which `reel doctor` says that maintenance makes them again by itself."""
    told = json.loads(reel("doctor", "--only", "death-spiral", "--json").out)
    return [
        Path(one["where"].partition(":")[0]).stem
        for one in told["findings"]
        if one["mend"].startswith("reel maintain  makes it again")
    ]


@pytest.mark.parametrize(
    ("level", "evening"), [("L1", 1), ("L1", 22), ("L2", 1), ("L2", 12), ("L3", 1), ("L3", 22)]
)
def test_what_doctor_says_is_made_again_is_in_the_plan_and_does_not_fade(
    reel: Reel, tmp_path: Path, level: str, evening: int
) -> None:
    """Of any age and level, also where it is old enough to fade."""
    false = memory(2, level, evening=evening, body=render_body(STRAYED), marker=MARKER)
    kit = at_home(reel, Year([memory(1, evening=23), false]).make(tmp_path / "ada"))
    assert said_to_be_made_again(reel) == ["M-002"]
    plan = json.loads(reel("maintain", "--plan", "--json").ok().out)
    assert ids(plan["anew"]) == ["M-002"]
    assert ids(plan["due"]) == []
    if evening == 1 and level != "L3":
        assert [(one["id"], one["why"]) for one in plan["kept"]] == [
            ("M-002", "no longer like what was said, and written again first")
        ]
    before = (kit.root / memory_path("M-002")).read_bytes()
    reel("maintain", "--auto").ok()
    assert (kit.root / memory_path("M-002")).read_bytes() == before
    assert pages_of(prompt(reel)) == ["Evening 2"]


def test_a_young_persona_has_what_strayed_made_again_too(reel: Reel, tmp_path: Path) -> None:
    false = memory(2, "L2", evening=22, body=render_body(STRAYED))
    at_home(reel, Year([memory(1, evening=23), false], grown=False).make(tmp_path / "ada"))
    assert said_to_be_made_again(reel) == ["M-002"]
    told = reel("maintain", "--plan").ok()
    assert "No longer like what was said, and to be written again: M-002" in told.out + told.err
    assert pages_of(prompt(reel)) == ["Evening 2"]


def test_where_a_pass_leaves_it_doctor_names_what_makes_it_again(reel: Reel, strayed: KitUnderGit) -> None:
    reel("memory", "pin", "M-002").ok()
    assert said_to_be_made_again(reel) == []
    (found,) = json.loads(reel("doctor", "--only", "death-spiral", "--json").out)["findings"]
    assert found["mend"].startswith("reel maintain --only anew M-002  makes it again")
    assert pages_of(reel("maintain", "--only", "anew", "M-002", "--prompt").ok().out) == ["Evening 2"]


def test_a_tag_is_not_said_to_be_made_again(reel: Reel, tmp_path: Path) -> None:
    false = memory(2, "L4", evening=22, body=f"\n{STRAYED[FIELDS[0]]}\n")
    at_home(reel, Year([memory(1, evening=23), false]).make(tmp_path / "ada"))
    (found,) = json.loads(reel("doctor", "--only", "death-spiral", "--json").out)["findings"]
    assert "makes it again" not in found["mend"]
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["anew"] == []


def test_of_little_that_was_said_little_is_made(reel: Reel, tmp_path: Path) -> None:
    """A long invention is made again as short as what was really said."""
    long = {key: " ".join([text] * 3) for key, text in STRAYED.items()}
    long[FIELDS[4]] = STRAYED[FIELDS[4]]
    false = memory(2, evening=22, body=render_body(long))
    at_home(reel, Year([memory(1, evening=23), false]).make(tmp_path / "ada"))
    prompt(reel, "--only", "anew")
    assert ids(answered(reel, TRUE)["kept"]) == ["M-002"]


def test_a_reply_to_an_earlier_prompt_is_taken_though_a_newer_one_waits(
    reel: Reel, year: KitUnderGit
) -> None:
    prompt(reel, "--only", "fade")
    prompt(reel, "--only", "whole")
    told = reply(reel, BOTH, "--yes")
    assert "That answers the earlier prompt about pages to shorten." in told.err
    assert "reel maintain --only whole --reply FILE" in told.err
    assert year.subjects()[:2] == ["maintain: M-008, page to digest", "maintain: M-007, digest to marker"]
    assert waiting(year) == ["maintain.immunity"]
    # what answers neither is refused by the one that waits
    assert "names none of the memories" in reply(reel, "Good night.\n\nAda\n", "--yes", code=1).err


# -- a part of maintenance is no pass -------------------------------------------------------------


def is_due(reel: Reel) -> bool:
    due = json.loads(reel("status", "--json").ok().out)["due"]
    return any(one["what"] == "maintenance" for one in due)


def test_pages_that_were_shortened_alone_are_no_pass(reel: Reel, year: KitUnderGit) -> None:
    """REEL §6.7: a pass goes through all rings, so what `--only` asks for does not put off the next."""
    assert is_due(reel)
    prompt(reel, "--only", "fade")
    assert ids(answered(reel, BOTH, "--only", "fade")["kept"]) == ["M-007", "M-008"]
    assert is_due(reel)
    assert last_pass(State(year.root)) is None
    assert "Reel-Part: fade\n" in year.git("log", "-1", "--format=%B")
    reel("maintain", "--auto").ok()
    assert not is_due(reel)


@pytest.mark.parametrize("only", [(), ("--only", "anew")], ids=["", "only"])
def test_memories_made_anew_are_no_pass(reel: Reel, tmp_path: Path, only: tuple[str, ...]) -> None:
    strays = [memory(n, "L2", evening=22, body=render_body(STRAYED)) for n in (2,)]
    kit = at_home(
        reel, Year([memory(1, evening=2), *strays, *of_every_age().memories[2:6]]).make(tmp_path / "ada")
    )
    assert is_due(reel)
    prompt(reel, "--only", "anew")
    assert ids(answered(reel, TRUE, *only)["kept"]) == ["M-002"]
    assert is_due(reel)
    assert last_pass(State(kit.root)) is None


def test_many_parts_in_a_row_do_not_hide_the_last_pass(reel: Reel, year: KitUnderGit) -> None:
    reel("maintain", "--auto").ok()
    (year.root / ".reel/state/maintain.json").unlink()
    for n in range(12):
        year.git(
            "commit", "-q", "--allow-empty", "-m", f"maintain: {n}\n\nReel-Op: maintain\nReel-Part: anew"
        )
    assert not is_due(reel)
