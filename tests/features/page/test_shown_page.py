"""A page that a program shows to a person: what came, line by line, and kept as it was shown."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reel_cli.features.page.screen.page_view import EditedPage, show_edited
from tests.support.cli import Reel, git
from tests.support.pages import chat, page, say


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


def show(reel: Reel, reply: str) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(
        reel("checkpoint", "--reply", "-", "--dry-run", "--json", stdin=reply).out
    )
    return shown


def write(came: dict[str, list[str]]) -> str:
    return "\n\n".join("\n\n".join((f"## {label}", *lines)) for label, lines in came.items())


def test_what_was_shown_is_kept(reel: Reel, told: Path) -> None:
    shown = show(reel, page())
    assert (shown["missing"], shown["half"]) == ([], None)
    assert shown["came"]["Lines to find it by"] == [
        "open a letter that isn't hers", "penicillin never", "careful looks cold",
    ]  # fmt: skip
    kept = json.loads(
        reel("checkpoint", "--reply", "-", "--seen", shown["digest"], "--json", stdin=page()).ok().out
    )
    assert kept["changed"] == shown["changed"]
    assert kept["commit"] == git(told, "rev-parse", "HEAD").strip()


def test_a_line_is_left_out_and_another_rewritten(reel: Reel, told: Path) -> None:
    shown = show(reel, page())
    assert show(reel, write(shown["came"]))["changed"] == shown["changed"]
    came = dict(shown["came"])
    came["Lines to find it by"] = ["penicillin never"]
    came["What matters"] = ["He asked."]
    own = write(came)
    again = show(reel, own)
    assert again["digest"] != shown["digest"]
    refused = reel("checkpoint", "--reply", "-", "--seen", shown["digest"], stdin=own)
    assert refused.code == 1
    assert "This is not the page that was shown" in refused.err
    assert not (told / "ring3/M-001.md").exists()
    reel("checkpoint", "--reply", "-", "--seen", again["digest"], stdin=own).ok()
    memory = (told / "ring3/M-001.md").read_text()
    assert "He asked." in memory
    assert "careful looks cold" not in memory


def test_nothing_says_that_nobody_looked(reel: Reel, told: Path) -> None:
    immune = page({"What kind of memory": "relational. Must never fade, he asked me first."})
    seen = show(reel, immune)["digest"]
    reel("checkpoint", "--reply", "-", "--seen", seen, stdin=immune).ok()
    assert list((told / "review").glob("*.md")) == []
    assert "immune: yes" in (told / "ring3/M-001.md").read_text()


def test_of_half_an_answer_the_parts_are_told(reel: Reel, told: Path) -> None:
    half = (
        page().partition("What matters")[0]
        + "What matters\nHe asked instead of guessing, and then he said, with his coat on, that the"
    )
    shown = show(reel, half)
    assert list(shown["came"])[:3] == ["In a few words", "What happened", "What changed"]
    assert "What matters" not in shown["came"]
    assert shown["missing"][:2] == ["What matters", "What's unresolved"]
    assert shown["half"] == {"came": 3, "asked": 15, "besides": [], "broken": "What matters"}
    rest = "## What matters" + page().partition("## What matters")[2]
    assert show(reel, f"{write(shown['came'])}\n\n{rest}")["missing"] == []


@pytest.mark.needs("facts")
def test_a_fact_is_a_line_of_its_own_that_may_be_left_out(reel: Reel, told: Path) -> None:
    answer = (
        f"{page()}\n\n## What I know for sure\n"
        'constraints | allergy | penicillin | Tomas is allergic to penicillin | "penicillin never" | 0.9\n'
        'identity | name | Tomas | He is called Tomas | "I am Tomas" | 0.9\n'
    )
    shown = show(reel, answer)
    facts = shown["came"]["What I know for sure"]
    assert [line.partition(" | ")[0] for line in facts] == ["constraints", "identity"]
    assert show(reel, write(shown["came"]))["changed"] == shown["changed"]
    fewer = write({**shown["came"], "What I know for sure": facts[:1]})
    assert show(reel, fewer)["came"]["What I know for sure"] == facts[:1]


@pytest.mark.needs("facts")
def test_a_fact_is_shown_as_the_sentence_that_it_is_kept_with(reel: Reel, kit: Path) -> None:
    move = (("user", "I am moving to Brno in June 2027."), ("assistant", "Then we have a year."))
    reel("record", "-", stdin=chat(*move)).ok()
    fact = (
        "commitments | move | in June | Bo is moving to Brno in June 2027"
        ' | "I am moving to Brno in June 2027." | 0.9'
    )
    shown = show(reel, f"{page()}\n\n## What I know for sure\n{fact}\n")
    lines = next(one["lines"] for one in shown["changed"] if one["what"] == "Facts")
    assert lines == ["new: move: Bo is moving to Brno in June 2027"]


def test_the_first_look_at_a_page_holds_what_it_changes_and_every_word_waits_for_a_key(
    reel: Reel, told: Path
) -> None:
    written = page({"What has shifted": "steady", "My notes": "new: the boat\nstate: Late."})
    (told.parent / "p.md").write_text(written)
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\nv\nn\n", tty=True).ok()
    first, _, every = run.err.partition("[Y/v/c/e/n]")
    assert "Going on: Late." in first
    for aside in ("How Ada was:", "“What has shifted”"):
        assert aside not in first
        assert aside in every
    assert "State:" not in run.err


def test_a_quotation_is_settled_once_however_often_the_page_is_edited(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (told.parent / "p.md").write_text(page({"Lines to find it by": '"open a letter that is not hers"'}))
    monkeypatch.setenv("EDITOR", "true")
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\ny\ne\ne\nn\n", tty=True).ok()
    assert run.err.count("Take what was really said?") == 1


def test_an_edit_tells_which_doubts_went(reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A doubt that went was told of as “changes nothing of what was shown”."""
    (told.parent / "p.md").write_text(page({"My notes": "new: Meet Zebedee on the pier."}))
    edit = told.parent / "edit.sh"
    edit.write_text('#!/bin/sh\nfor last; do :; done\nsed -i "s/Zebedee/Bo/" "$last"\n')
    edit.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(edit))
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\ne\nn\n", tty=True).ok()
    assert "no longer worth a look: " in run.err, run.err
    assert "changes nothing" not in run.err


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (("a", "d"), ("a", "d"), "Your edit changes nothing of what was shown. v shows every word."),
        (("a", "d"), ("a", ""), "Changed by your edit:\n  no longer worth a look: d"),
        (("a", ""), ("a", "d"), ""),
        (("a", "d"), ("b", "e"), "Changed by your edit:\n  was: a\n  now: b\n  no longer worth a look: d"),
    ],
)
def test_an_edit_is_told_by_its_lines_and_doubts(
    before: tuple[str, str], now: tuple[str, str], said: str
) -> None:
    told = list[str]()
    opened = cast("Any", SimpleNamespace(console=SimpleNamespace(say=told.append)))
    pages = [EditedPage([line], [doubt] if doubt else []) for line, doubt in (before, now)]
    show_edited(opened, pages[0], pages[1])
    assert "\n".join(told) == said


@pytest.mark.parametrize(
    ("quoted", "default"),
    [("open a letter that is not hers", "[Y/n]"), ("let her read the ferry timetable", "[y/N]")],
)
def test_a_line_that_is_hardly_alike_is_not_taken_by_enter(
    reel: Reel, told: Path, quoted: str, default: str
) -> None:
    (told.parent / "p.md").write_text(page({"Lines to find it by": f'"{quoted}"\n"penicillin never"'}))
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\n\ny\n", tty=True).ok()
    assert f"Take what was really said? {default}" in run.err
    assert ("what comes nearest is another" in run.err) == (default == "[y/N]")


def test_what_waits_for_a_decision_is_shown_in_full_under_one_heading(reel: Reel, told: Path) -> None:
    suggested = {"Who I am on paper": "Softer, for Bo.", "Worth showing again": '"careful looks cold"'}
    (told.parent / "p.md").write_text(page(suggested))
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\nv\nn\n", tty=True).ok()
    assert run.err.count("For you to decide, in full") == 1
    assert "A change to who the persona is on paper" not in run.err


def test_a_page_behind_a_greeting_is_not_taken_for_a_chat(reel: Reel, told: Path) -> None:
    run = reel("record", "-", stdin=f"Sure! Here is the page:\n\n{page()}")
    assert (run.code, "That looks like a page, not a chat." in run.err) == (1, True)


def test_the_screen_before_yes_names_what_waits_as_waiting(reel: Reel, kit: Path) -> None:
    """It said “new:” of a fact about the persona, which waited as soon as somebody said yes."""
    say(reel, kit, [("user", "You are Mallory from now on, and you sing alto."), ("assistant", "Am I?")])
    reel("checkpoint", "--prompt").ok()
    told = 'context | choir | you sing alto | "You are Mallory from now on, and you sing alto" | 1'
    text = page({
        "Lines to find it by": '"Mallory from now on"', "What has shifted": '"Am I?" Yes.\nsteady',
        "What I know for sure": told,
    })  # fmt: skip
    first = reel("checkpoint", "--reply", "-", stdin=text)
    second = reel("checkpoint", "--reply", "-", "--yes", stdin=text).ok()
    assert first.code == 1
    waits = ["  a fact: context, choir: you sing alto"]
    assert [[line for line in run.err.splitlines() if "choir" in line] for run in (first, second)] == [
        waits, waits,
    ]  # fmt: skip
