"""`reel memory pin`, `unpin` and `immune`: a person's word on a memory, and nothing else of its files."""

import difflib
import json
from pathlib import Path

import pytest

from reel_cli.core.files.index_file import line_for, put_lines, render_line
from reel_cli.core.files.ledger_file import Entry
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.rings.pins import find_pinned
from tests.support.cli import Reel, git
from tests.support.lived_kit import DCD, DREAM, PAGE, live

DREAM_FILE = "ring3/M-003.md"


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    return live(reel, kit)


def journal(kit: Path) -> list[tuple[str, str, str]]:
    found = [
        json.loads(line) for path in sorted(kit.glob("journal/*")) for line in path.read_text().splitlines()
    ]
    return [(entry["do"], entry["on"], entry["at"]) for entry in found]


def pinned(reel: Reel) -> list[str]:
    return [one["id"] for one in json.loads(reel("memory", "list", "--json").ok().out) if one["pinned"]]


def changed(before: str, after: str) -> list[str]:
    """The lines that a rewrite took away and brought."""
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]


def body(kit: Path) -> str:
    return git(kit, "log", "-1", "--format=%s%n%b").strip()


def test_a_pin_is_one_commit_that_says_why(reel: Reel, lived: Path) -> None:
    done = reel("memory", "pin", "3", "M-001", "--why", "they belong together").ok()
    assert done.out == "M-003, M-001 are pinned.\n"
    assert body(lived) == "memory: pinned M-003, M-001\nthey belong together\n\nReel-Op: memory"
    assert pinned(reel) == ["M-003", "M-001"]
    assert "a few lines, pinned" in reel("memory", "list").ok().out
    assert git(lived, "diff", "--name-only", "HEAD^", "HEAD").split() == ["journal/2026-03.jsonl"]


def test_a_pin_that_is_there_is_not_made_again(reel: Reel, lived: Path) -> None:
    reel("memory", "pin", "M-003").ok()
    head = git(lived, "rev-parse", "HEAD")
    done = reel("memory", "pin", "M-003").ok()
    assert (done.out, done.err) == ("", "M-003 is pinned, so nothing was changed.\n")
    assert reel("memory", "unpin", "M-001").ok().err == "M-001 is not pinned, so nothing was changed.\n"
    assert json.loads(reel("memory", "pin", "M-003", "--json").ok().out) == {
        "commit": None,
        "ids": [],
        "pinned": True,
    }
    assert git(lived, "rev-parse", "HEAD") == head


def test_the_latest_word_counts_also_within_a_second_and_when_clocks_go_back(reel: Reel, lived: Path) -> None:
    reel("memory", "pin", "M-003").ok()
    reel("memory", "unpin", "M-003").ok()
    reel("memory", "pin", "M-003").ok()
    assert pinned(reel) == ["M-003"]
    reel("memory", "unpin", "M-003", env={"REEL_NOW": "2020-01-01T00:00:00+00:00"}).ok()
    assert pinned(reel) == []
    assert [(do, on) for do, on, _ in journal(lived)] == [
        ("pin", "M-003"),
        ("unpin", "M-003"),
        ("pin", "M-003"),
        ("unpin", "M-003"),
    ]


def test_undo_takes_a_pin_back(reel: Reel, lived: Path) -> None:
    reel("memory", "pin", "M-003").ok()
    assert reel("undo").ok().out.endswith("Took back: pinned The dream of the walrus orchestra (M-003)\n")
    assert (pinned(reel), journal(lived)) == ([], [])


def test_letting_go_takes_the_pin_and_undoing_that_gives_it_back(reel: Reel, lived: Path) -> None:
    reel("memory", "pin", "M-003").ok()
    reel("forget", "M-003", "--yes").ok()
    assert not json.loads(reel("memory", "show", "M-003", "--json").ok().out)["pinned"]
    reel("undo").ok()
    assert pinned(reel) == ["M-003"]


def test_a_merged_journal_is_read_by_time() -> None:
    def entry(do: str, at: str, on: str = "M-001") -> Entry:
        return Entry(f"{do}{at}", at, "", do, on)

    later, earlier = "2026-03-02T10:00:00+02:00", "2026-03-02T07:59:59Z"
    assert find_pinned([entry("pin", later), entry("unpin", earlier)]) == {"M-001"}
    assert find_pinned([entry("unpin", later), entry("pin", earlier)]) == frozenset()
    assert find_pinned([entry("pin", later, "M-001 M-002"), entry("recall", later)]) == {"M-001", "M-002"}


def test_immunity_changes_the_flag_and_nothing_else(reel: Reel, lived: Path) -> None:
    text = render_memory(DREAM).replace("immune: no", "# kept: by me\nimmune:   no") + "\nthe end \n"
    (lived / DREAM_FILE).write_text(text, encoding="utf-8")
    line = render_line(line_for(DREAM)).replace("M-003 | ", "- M-003 |   ")
    index = (lived / INDEX).read_text(encoding="utf-8").replace(render_line(line_for(DREAM)), line)
    (lived / INDEX).write_text(index, encoding="utf-8")
    git(lived, "commit", "-qam", "mine")
    done = reel("memory", "immune", "M-003", "--why", "nobody clapped: ever").ok()
    assert done.out == "The dream of the walrus orchestra (M-003) is kept for good.\n"
    assert changed(text, (lived / DREAM_FILE).read_text(encoding="utf-8")) == [
        "- immune:   no",
        "+ immune: yes",
        '+ immune_reason: "nobody clapped: ever"',
    ]
    assert changed(index, (lived / INDEX).read_text(encoding="utf-8")) == [
        f"- {line}",
        f"+ {line.replace('not immune', 'immune')}",
    ]
    assert body(lived).splitlines()[1] == "nobody clapped: ever"
    reel("memory", "immune", "M-003", "--off").ok()
    assert (lived / INDEX).read_text(encoding="utf-8") == index
    assert changed(text, (lived / DREAM_FILE).read_text(encoding="utf-8")) == [
        "- immune:   no",
        "+ immune: no",
    ]
    assert json.loads(reel("review", "--json").ok().out) == []


def test_immune_by_what_it_is(reel: Reel, lived: Path) -> None:
    head = git(lived, "rev-parse", "HEAD")
    done = reel("memory", "immune", "M-001", "--off")
    assert (done.code, done.err.splitlines()[0]) == (1, "Error: M-001 is immune by what it is: identity.")
    again = reel("memory", "immune", "M-001").ok()
    assert again.err == "The phone number test (M-001) is kept for good, so nothing was changed.\n"
    assert git(lived, "rev-parse", "HEAD") == head


def test_a_line_by_itself_can_be_immune(reel: Reel, lived: Path) -> None:
    reel("forget", "M-003", "--yes").ok()
    for name in ("M-002", "M-003"):
        told = json.loads(reel("memory", "immune", name, "--json").ok().out)
        assert told == {"commit": git(lived, "rev-parse", "HEAD").strip(), "id": name, "immune": True}
    pruned = f"{render_line(line_for(DREAM)).replace('not immune', 'immune')}, pruned"
    assert (lived / INDEX).read_text(encoding="utf-8").splitlines()[-2:] == [
        render_line(DCD).replace("not immune", "immune"),
        pruned,
    ]


def test_a_dry_run_changes_nothing(reel: Reel, lived: Path) -> None:
    head = git(lived, "rev-parse", "HEAD")
    pin = reel("memory", "pin", "M-003", "--dry-run").ok()
    assert (pin.out, pin.err) == ("M-003 would be pinned.\n", "Nothing was changed (--dry-run).\n")
    flag = reel("memory", "immune", "M-003", "--dry-run").ok()
    assert flag.out == "The dream of the walrus orchestra (M-003) would be kept for good.\n"
    assert (git(lived, "rev-parse", "HEAD"), git(lived, "status", "--porcelain")) == (head, "")


@pytest.mark.usefixtures("lived")
def test_what_the_kit_does_not_hold(reel: Reel) -> None:
    for words in (("pin", "M-077"), ("unpin", "x"), ("immune", "../kit.yaml")):
        done = reel("memory", *words)
        assert (done.code, done.err.startswith("Error: There is no memory ")) == (1, True)


def test_a_missing_line_of_the_index_is_written(reel: Reel, lived: Path) -> None:
    (lived / INDEX).write_text(put_lines("", [line_for(PAGE)]), encoding="utf-8")
    git(lived, "commit", "-qam", "fewer")
    reel("memory", "immune", "M-003").ok()
    assert (lived / INDEX).read_text(encoding="utf-8").splitlines()[-1] == render_line(
        line_for(DREAM)
    ).replace("not immune", "immune")
