"""A kit that an earlier reel made is opened, read and written as it is (tests/fixtures/kits/README.md)."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import CHECKOUT, Reel
from tests.support.kit_under_git import run as git
from tests.support.pages import page

BUNDLE = CHECKOUT / "tests/fixtures/kits/ada-2026-11.bundle"

LATER = {
    "title": "the bowl",
    "created_at": "2026-02-28T19:00:00+00:00",
    "messages": [
        {"role": "user", "content": "Marta fetched the bowl today and cried over the blue rim."},
        {"role": "assistant", "content": "Then the crack in the kiln was worth its trouble."},
    ],
}
ABOUT_IT = {
    "In a few words": "Marta and the blue rim",
    "What happened": "Marta fetched the bowl today and cried over the blue rim.",
    "What changed": "nothing",
    "What matters": "The crack in the kiln was worth its trouble.",
    "What's unresolved": "nothing",
    "Lines to find it by": '"cried over the blue rim"',
    "In one breath": "Marta fetched the bowl and cried over its blue rim.",
    "What has shifted": '"Then the crack in the kiln was worth its trouble." It fitted.\nsteady',
    "How I was": "Warm.",
    "My notes": "1. still",
}


@pytest.fixture
def earlier(reel: Reel, tmp_path: Path) -> Path:
    """The kit, as a clone of what was kept of it; `reel` runs inside it."""
    kit = tmp_path / "work/ada"
    subprocess.run(["git", "clone", "-q", BUNDLE, kit], check=True, capture_output=True)
    git(kit, "remote", "remove", "origin")
    reel.cwd = kit
    return kit


def test_reading_it_finds_no_fault_and_changes_nothing(reel: Reel, earlier: Path) -> None:
    head, tree = git(earlier, "rev-parse", "HEAD"), git(earlier, "rev-parse", "HEAD^{tree}")
    assert "every word is as it was recorded, through 30 commits" in reel("tape", "verify").ok().out
    reel("doctor", "--fix").ok()  # a clone lets others of the machine look in
    reel("doctor").ok()
    for arguments in (
        *(["status"], ["status", "--json"], ["pack"], ["pack", "--window", "32k"], ["pack", "--boot"]),
        *(["recall", "celadon"], ["log"], ["log", "--forgotten"], ["memory", "list"], ["fact", "list"]),
        *(["shelf", "list"], ["domain", "find", "quests"], ["dream", "status"], ["tape", "list"]),
        *(
            ["diff", "HEAD~5"],
            ["why", "M-001"],
            ["exemplar", "list"],
            ["review"],
            ["tape", "show", "2026-02-10-2"],
        ),
    ):
        reel(*arguments).ok()
    assert (git(earlier, "rev-parse", "HEAD"), git(earlier, "status", "--porcelain")) == (head, "")
    assert git(earlier, "write-tree") == tree


def test_it_goes_on_as_one_made_today(reel: Reel, earlier: Path) -> None:
    memories = {file.name: file.read_bytes() for file in earlier.glob("ring3/*.md")}
    assert "M-002 |" not in (earlier / "ring4/index.md").read_text()
    reel("restore", "M-002").ok()
    assert "M-002 |" in (earlier / "ring4/index.md").read_text()
    reel("record", "-", stdin=json.dumps(LATER)).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(ABOUT_IT)).ok()
    made = next(file for file in earlier.glob("ring3/*.md") if file.name not in memories)
    assert made.name == "M-007.md"  # numbers that were given stay given
    assert {name: (earlier / "ring3" / name).read_bytes() for name in memories} == memories
    reel("undo", "--yes").ok()
    reel("forget", "M-003", "--yes").ok()
    reel("fact", "add", "identity", "name", "Bo Lind").ok()
    reel("maintain", "--plan").ok()
    reel("purge", "2026-01-07-1", "--confirm", "Ada").ok()
    reel("tape", "verify").ok()
    assert git(earlier, "status", "--porcelain") == ""
