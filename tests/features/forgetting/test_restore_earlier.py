"""`reel restore --earlier`: a memory's words as they were before they were written again."""

import json
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import memory_path
from tests.support.cli import Reel
from tests.support.faded_kit import MARKER, Year, memory
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import whole

WORDS = f"{MARKER} The lamp went out again, and I was glad of him."
PATHS = [memory_path(f"M-00{n}") for n in (1, 2, 3)]


@pytest.fixture
def past(reel: Reel, tmp_path: Path) -> KitUnderGit:
    """Three evenings, as a page, a digest and a marker, each written again."""
    levels = ("L1", "L2", "L3")
    made = Year([memory(n, level, evening=n) for n, level in enumerate(levels, start=1)]).make(
        tmp_path / "ada"
    )
    reel.cwd = made.root
    return made


def again(reel: Reel) -> None:
    reel("consolidate", "--again", "--prompt").ok()
    long = f"{WORDS} {MARKER} {MARKER}"
    reply = whole(1, 1, long) + whole(2, 2, WORDS) + whole(3, 3, WORDS)
    reel("consolidate", "--again", "--reply", "-", "--yes", stdin=reply).ok()


def test_words_come_back_as_they_were_and_can_be_exchanged_again(reel: Reel, past: KitUnderGit) -> None:
    before = past.files()
    again(reel)
    later = past.read(PATHS[0])
    assert later != before[PATHS[0]]
    looked = reel("restore", "M-001", "M-002", "--earlier", "--dry-run").ok()
    assert "would have its earlier words again" in looked.out
    told = reel("restore", "M-001", "M-002", "--earlier").ok()
    assert told.out.endswith(
        f"Evening 2 (M-002) has its earlier words again, {tokens(later_of(past, 1))} → 197 tokens.\n"
    )
    assert "reel restore M-001 M-002 --earlier" in told.err
    assert [past.read(path) for path in PATHS[:2]] == [before[path] for path in PATHS[:2]]
    assert past.subjects()[0].startswith("restore: brought back the earlier words of")
    assert "unpin" not in told.err
    reel("restore", "M-001", "--earlier").ok()
    assert past.read(PATHS[0]) == later


def later_of(past: KitUnderGit, at: int) -> str:
    """The body that a memory had before the newest commit."""
    return parse_memory(past.git("show", f"HEAD^:{PATHS[at]}"), PATHS[at]).body


def tokens(body: str) -> int:
    return get_tokenizer("o200k_base").count(body)


def test_a_level_that_came_with_the_new_words_goes_with_them_and_is_a_loss(
    reel: Reel, past: KitUnderGit
) -> None:
    before = past.files()
    again(reel)
    later = past.read(PATHS[2])
    assert b"level: L2" in later
    told = reel("restore", "M-003", "--earlier", "--json").ok()
    (one,) = json.loads(told.out)["restored"]
    assert (one["from"], one["to"], json.loads(told.out)["pinned"]) == ("L2", "L3", [])
    assert past.read(PATHS[2]) == before[PATHS[2]]
    (newest,) = json.loads(reel("log", "--json", "--limit", "1").ok().out)
    (loss,) = newest["forgot"]
    assert (loss["id"], loss["from"], loss["to"]) == ("M-003", "L2", "L3")
    reel("restore", "M-003").ok()
    assert past.read(PATHS[2]) == later


def test_immunity_given_since_then_stays(reel: Reel, past: KitUnderGit) -> None:
    again(reel)
    reel("memory", "immune", "M-002", "--why", "it is the day he came").ok()
    reel("restore", "M-002", "--earlier").ok()
    found = parse_memory(past.read(PATHS[1]).decode(), PATHS[1])
    assert (found.immune, found.immune_reason) == (True, "it is the day he came")
    assert WORDS not in found.body
    assert "M-002 | Evening 2 |" in (index := past.read("ring4/index.md").decode())
    assert next(line for line in index.splitlines() if line.startswith("M-002")).endswith("| immune")


def test_what_was_not_written_again_or_is_not_there_is_refused(reel: Reel, past: KitUnderGit) -> None:
    before = past.files()
    run = reel("restore", "M-001", "--earlier")
    assert (run.code, "M-001 was not written again since it became a page." in run.err) == (1, True)
    again(reel)
    reel("forget", "M-001", "--yes").ok()
    run = reel("restore", "M-001", "--earlier")
    assert (run.code, "reel restore M-001" in run.err) == (1, True)
    reel("restore", "M-001").ok()
    # that it was let go and came back is no other words
    reel("restore", "M-001", "--earlier").ok()
    assert past.read(PATHS[0]) == before[PATHS[0]]
    assert reel("restore", "M-001", "--earlier", "--level", "L1").code == 2
    assert reel("restore", "ring2/working.md", "--earlier").code == 2
    assert reel("restore", "M-099", "--earlier").code == 1
