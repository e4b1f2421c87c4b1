"""`reel memory`: what is shown of a memory, and that looking at it is noted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import FIELDS, IndexLine, Level, Memory
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import Reel, git

LETTER = Memory(
    id="M-002",
    title="The letter that wasn't hers",
    level=Level.L1,
    body=render_body({name: f"{name}, told in a sentence." for name in FIELDS}),
    created="2026-02-25T21:00:00Z",
    uid="u2",
    source=(SourceRange("2026-02-25-1", 12, 48), SourceRange("2026-02-25-2", 3, 3)),
    tags=("identity", "relational"),
    immune=True,
    immune_reason="she said who she is",
    anchor="open a letter that isn't hers",
    marker="She opened a letter. It mattered.",
    tag="The letter",
)
FERRY = Memory(
    id="M-001",
    title="The ferry 渡し船",
    level=Level.L4,
    body="The ferry.\n",
    created="2026-02-10T20:00:00Z",
    source=(SourceRange("2026-02-10-1", 1, 0),),
    tags=("factual",),
    anchor="the last ferry",
)
STUB = IndexLine(
    "M-003", "A bus, somewhere", "a bus", ("factual",), pruned=True, where=SourceRange("2026-02-11-1", 4, 9)
)


@pytest.fixture
def remembered(kit: Path) -> Path:
    """The kit with a page, a tag and a stub."""
    (kit / "ring3").mkdir()
    for memory in (LETTER, FERRY):
        (kit / f"ring3/{memory.id}.md").write_text(render_memory(memory))
    lines = [line_for(LETTER), line_for(FERRY), STUB]
    (kit / INDEX).write_text(put_lines((kit / INDEX).read_text(), lines))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "three memories")
    return kit


@pytest.mark.usefixtures("kit")
def test_a_new_kit_remembers_nothing(reel: Reel) -> None:
    done = reel("memory", "list").ok()
    assert (done.out, done.err) == ("", "There are no memories yet.\n")
    assert json.loads(reel("memory", "list", "--json").ok().out) == []


@pytest.mark.usefixtures("remembered")
def test_memories_are_listed_oldest_first(reel: Reel) -> None:
    done = reel("memory", "list").ok()
    assert done.out == (
        "M-001  2026-02-10  The ferry 渡し船             one line\n"
        "M-002  2026-02-25  The letter that wasn't hers  full page, kept for good\n"
    )
    assert done.err == "1 more with only a line left: M-003\nRead one:  reel memory show M-002\n"


def test_lines_that_help_recall_a_whole_memory_are_not_told_as_lost(reel: Reel, remembered: Path) -> None:
    where = SourceRange("2026-02-25-1", 2, 2)
    more = IndexLine(
        "M-004", "The letter that wasn't hers: you said", "her coat on", ("factual",), where=where
    )
    (remembered / INDEX).write_text(put_lines((remembered / INDEX).read_text(), [more]))
    told = reel("memory", "list").ok().err
    assert "The numbers between are of 1 place in the chats, which reel recall finds.\n" in told
    assert "1 more with only a line left: M-003\n" in told
    shown = reel("memory", "show", "M-004").ok().out
    assert "A line that leads to this moment, and never was more (M-004)." in shown


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--level", "L1"], ["M-002"]),
        (["--level", "l4"], ["M-001"]),
        (["--level", "L2"], []),
        (["--tag", "Relational"], ["M-002"]),
        (["--tag", "factual", "--level", "L1"], []),
    ],
)
def test_a_list_can_be_narrowed(reel: Reel, options: list[str], ids: list[str]) -> None:
    assert [memory["id"] for memory in json.loads(reel("memory", "list", "--json", *options).ok().out)] == ids
    done = reel("memory", "list", *options).ok()
    assert [line[:5] for line in done.out.splitlines()] == ids
    none = "No memory has faded to a shorter page.\n" if "L2" in options else "No memory matches that.\n"
    assert done.err == (f"Read one:  reel memory show {ids[-1]}\n" if ids else none)


@pytest.mark.usefixtures("remembered")
def test_a_memory_is_shown_with_where_it_comes_from(reel: Reel) -> None:
    done = reel("memory", "show", "M-002").ok()
    assert done.err == ""
    assert done.out == (
        "The letter that wasn't hers\n"
        "M-002, 25 February 2026, full page, kept for good: she said who she is\n"
        "\n" + LETTER.body.strip() + "\n\n"
        "Made from: 2026-02-25-1, messages 12 to 48 · 2026-02-25-2, message 3\n"
        'Found by: "open a letter that isn\'t hers"\n'
    )


@pytest.mark.usefixtures("remembered")
def test_the_file_itself_is_shown_as_it_is(reel: Reel) -> None:
    assert reel("memory", "show", "2", "--raw").ok().out == render_memory(LETTER)


@pytest.mark.usefixtures("remembered")
def test_a_program_gets_everything_about_a_memory(reel: Reel) -> None:
    shown = json.loads(reel("memory", "show", "m-1", "--json").ok().out)
    assert shown == {
        "id": "M-001",
        "title": "The ferry 渡し船",
        "level": "L4",
        "created": "2026-02-10T20:00:00Z",
        "sessions": ["2026-02-10-1"],
        "source": ["2026-02-10-1"],
        "tags": ["factual"],
        "immune": False,
        "pinned": False,
        "anchor": "the last ferry",
        "marker": "The ferry.",
        "tag": "The ferry 渡し船",
        "text": "The ferry.\n",
        "index": 'M-001 | The ferry 渡し船 | "the last ferry" | factual | not immune',
    }


@pytest.mark.usefixtures("remembered")
def test_of_a_stub_its_line_is_shown(reel: Reel) -> None:
    line = 'M-003 | A bus, somewhere | "a bus" | factual | not immune, pruned <!-- 2026-02-11-1#4-9 -->'
    assert reel("memory", "show", "M-003").ok().out == (
        'A bus, somewhere\nOnly its line is left (M-003). Found by: "a bus"\n'
        "Made from: 2026-02-11-1, messages 4 to 9\n"
    )
    assert json.loads(reel("memory", "show", "M-003", "--json").ok().out) == {
        "id": "M-003",
        "title": "A bus, somewhere",
        "level": "stub",
        "tags": ["factual"],
        "immune": False,
        "pinned": False,
        "source": ["2026-02-11-1#4-9"],
        "anchor": "a bus",
        "text": "",
        "index": line,
    }
    assert reel("memory", "show", "M-003", "--raw").ok().out == f"{line}\n"


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("wanted", ["M-009", "x", "../kit.yaml", "", "M-", "9" * 40])
def test_what_is_not_remembered_is_said(reel: Reel, wanted: str) -> None:
    done = reel("memory", "show", wanted)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: There is no memory ")
    assert done.err.endswith("Hint: see them with  reel memory list\n")


def test_looking_is_noted_and_the_next_change_keeps_it(reel: Reel, remembered: Path) -> None:
    before = git(remembered, "rev-parse", "HEAD")
    reel("memory", "show", "M-002").ok()
    reel("memory", "show", "M-003").ok()
    assert git(remembered, "rev-parse", "HEAD") == before
    assert git(remembered, "status", "--porcelain") == ""
    reel("exemplar", "retire", "up-at-five").ok()
    journal = [json.loads(line) for line in (remembered / "journal/2026-03.jsonl").read_text().splitlines()]
    assert [(entry["do"], entry["on"], entry["at"], entry["session"]) for entry in journal] == [
        ("touch", "M-002", "2026-03-01T20:00:00Z", ""),
        ("touch", "M-003", "2026-03-01T20:00:00Z", ""),
    ]
    assert git(remembered, "status", "--porcelain") == ""


def test_a_kit_without_history_is_read_and_left_as_it_is(reel: Reel, remembered: Path) -> None:
    (remembered / ".git").rename(remembered.parent / "history")
    before = sorted(remembered.rglob("*"))
    done = reel("memory", "show", "M-001").ok()
    assert done.err == "ada has no history (git) yet; reading the files as they are.\n"
    assert sorted(remembered.rglob("*")) == before


@pytest.mark.usefixtures("remembered")
def test_a_narrow_terminal_gets_titles_and_forms_below_the_numbers(reel: Reel) -> None:
    done = reel("memory", "list", tty=True, env={"COLUMNS": "40"}).ok()
    assert done.out.splitlines() == [
        "M-001  2026-02-10",
        "  The ferry 渡し船",
        "  one line",
        "M-002  2026-02-25",
        "  The letter that wasn't hers",
        "  full page, kept for good",
    ]


@pytest.mark.usefixtures("remembered")
def test_control_codes_in_a_memory_do_not_reach_a_terminal(reel: Reel, kit: Path) -> None:
    evil = replace(FERRY, title="x", body="\x1b]0;owned\x07 text \x1b[2J\n")
    (kit / "ring3/M-001.md").write_text(render_memory(evil))
    assert "\x1b" not in reel("memory", "show", "M-001", tty=True).ok().out
    assert "\x1b" not in reel("memory", "show", "M-001", "--raw", tty=True).ok().out
    assert "\x1b[2J" in reel("memory", "show", "M-001", "--raw").ok().out


def test_a_broken_memory_is_named_with_its_line(reel: Reel, remembered: Path) -> None:
    (remembered / "ring3/M-001.md").write_text("---\nid: M-001\nlevel: [\n---\n")
    done = reel("memory", "list")
    assert done.code == 1
    assert done.err.startswith("Error: ring3/M-001.md, line ")


def test_outside_a_kit_the_way_in_is_shown(reel: Reel) -> None:
    done = reel("memory", "list")
    assert done.code == 1
    assert done.err.startswith("Error: There is no kit here")
