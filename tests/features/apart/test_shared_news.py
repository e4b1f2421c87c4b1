"""A chat kept apart of a persona that was told something by another."""

from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import render_body
from reel_cli.core.values.memory import FIELDS, Level, Memory
from tests.support.cli import Reel, git
from tests.support.past import keep

pytest.importorskip("reel_cli.features.share")

TOLD = "Vera told me that the lamp went out."
REPLY = f"## In a few words\nThe lamp\n\n## What happened\n{TOLD}\n\n## In one breath\n{TOLD}\n\nAda\n"


@pytest.fixture
def vera(reel: Reel, kit: Path) -> Path:
    """A kit called Vera, that told Ada of a lamp."""
    folder = kit.parent / "vera"
    reel("init", folder, "--template", "companion", "--name", "Vera", "--user", "Bo", cwd=kit.parent).ok()
    keep(folder, lamp())
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the lamp")
    reel("share", "M-001", "--with", kit, "--yes", cwd=folder).ok()
    reel("share", "S-001", "--reply", "-", "--yes", stdin=REPLY).ok()
    return folder


def lamp(number: int = 1, what: str = "The lamp went out.") -> Memory:
    return Memory(
        id=f"M-{number:03d}",
        uid=f"{number:08x}",
        title="The lamp",
        level=Level.L1,
        body=render_body({FIELDS[0]: what}),
        created="2026-02-10T22:00:00Z",
        sessions=(),
        anchor="the lamp",
        marker=what,
        tag="The lamp",
    )


def test_it_knows_what_its_home_was_told_and_forgets_what_was_taken_back(
    reel: Reel, kit: Path, vera: Path
) -> None:
    reel("apart", "play").ok()
    assert TOLD in reel("pack", "--chat", "play").ok().out
    assert reel("doctor", "--chat", "play").ok().out.startswith("No problem found")
    # a chat that tells something of its own still knows what its home was told
    folder = kit.parent / f"{kit.name}-chats/play"
    keep(folder, lamp(50, "The oar is red."))
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the oar")
    reel("share", "M-050", "--with", vera, "--yes", "--chat", "play").ok()
    assert "S-002" in reel("share", cwd=vera).ok().out
    assert TOLD in reel("pack", "--chat", "play").ok().out
    assert TOLD in reel("pack").ok().out
    reel("share", "M-001", "--back", "--yes", cwd=vera).ok()
    assert TOLD not in reel("pack", "--chat", "play").ok().out
    assert TOLD not in reel("pack").ok().out
    assert reel("doctor", "--chat", "play").ok().out.startswith("No problem found")


def test_an_edit_by_hand_is_not_lost_and_what_is_new_comes_in_later(reel: Reel, kit: Path) -> None:
    reel("apart", "play").ok()
    folder = kit.parent / f"{kit.name}-chats/play"
    notes = folder / "ring2/working.md"
    notes.write_text(f"{notes.read_text()}\nmine\n")
    other = kit / "ring2/working.md"
    other.write_text(other.read_text().replace("## State\n", "## State\n\nThe kite is red.\n", 1))
    git(kit, "commit", "-qam", "a kite")
    told = reel("status", "--chat", "play").ok()
    assert "was edited by hand, and that edit is not committed yet" in told.err
    assert notes.read_text().endswith("mine\n")
    git(folder, "commit", "-qam", "mine")
    assert "The kite is red." in reel("pack", "--chat", "play").ok().out
    assert "mine" in notes.read_text()
