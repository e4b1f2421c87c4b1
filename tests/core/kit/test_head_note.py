"""Notes of history say what reading all of it says, whatever was committed since."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.commit_message import plain_operation
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.approved_rings import note_approvals
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.losses import note_let_go
from reel_cli.features.review.open_decisions import list_waiting
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

ME = "Bo Lind <bo@example.org>"
IDENTITY = "ring0/identity.md"
EXAMPLE = "ring1/the-bus-window.md"


def add_line(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("\nOne line more.\n")


def by_hand(kit: Path, path: str, message: str = "my own") -> None:
    add_line(kit / path)
    git(kit, "commit", "-q", "-a", "--no-verify", "-m", message)


def another_chat(reel: Reel) -> None:
    said = json.loads(chat())
    said["created_at"] = "2026-03-02T10:00:00Z"
    for message in said["messages"]:
        message["content"] = f"Otherwise: {message['content']}"
    reel("record", "-", stdin=json.dumps(said)).ok()


STEPS: list[Callable[[Reel, Path], object]] = [
    lambda reel, _: reel("record", "-", stdin=chat()).ok(),
    lambda reel, _: reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok(),
    lambda _, kit: by_hand(kit, "ring2/working.md"),
    lambda _, kit: by_hand(kit, IDENTITY, "mine\n\nReel-Op: record"),
    lambda reel, _: reel("review", "accept", IDENTITY, "--as", ME, "--yes").ok(),
    lambda _, kit: by_hand(kit, EXAMPLE),
    lambda reel, _: another_chat(reel),
    lambda _, kit: by_hand(kit, "ring4/index.md", "told\n\nReel-Op: record\n\nbut by hand"),
    lambda reel, _: reel("forget", "M-001", "--yes", "--why", "it is over").ok(),
    lambda reel, _: reel("undo", "--yes").ok(),
    lambda _, kit: git(kit, "gc", "-q"),
    lambda _, kit: git(kit, "reset", "-q", "--hard", "HEAD~3"),
]


def say_all(repo: Repository, kit: Path) -> list[object]:
    """Return all that is noted of history for a bundle, a review and the sessions that are due."""
    approved = note_approvals(kit, repo)
    waiting = [(one.kind.value, one.item) for one in list_waiting(Snapshot(WorkTree(kit), kit.name), repo)]
    told = [approved.commit, dict(approved.ring0), dict(approved.ring1), approved.form]
    return [*told, [str(span) for span in note_let_go(kit, repo)], waiting]


def test_a_note_carried_over_later_commits_says_what_all_of_history_says(reel: Reel, kit: Path) -> None:
    for step in STEPS:
        step(reel, kit)
        repo = find_repository(kit)
        assert repo is not None
        noted = say_all(repo, kit)
        shutil.rmtree(kit / ".reel/cache", ignore_errors=True)
        anew = say_all(repo, kit)
        assert noted == anew


MESSAGES = [
    "record: 2026-02-25-1\n\nReel-Op: record\nReel-Session: 2026-02-25-1\n",
    "record: one\n\n- a note\n\nReel-Op: record\n",
    "Reel-Op: record\n",
    "mine\n\nReel-Op: record\nand so on\n",
    "mine\n\nReel-Op: record\n\nbut by hand\n",
    "mine\n\nReel-Op: record\nReel-Op: edit\n",
    "mine\n\nReel-Op:\n",
    "mine\n \nReel-Op: record\n",
]


@pytest.mark.parametrize("message", MESSAGES)
def test_an_operation_is_never_told_where_git_reads_another(message: str) -> None:
    read = subprocess.run(
        ["git", "interpret-trailers", "--parse", "--no-divider"],
        input=message, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    told = plain_operation(message)
    assert told in ("", "record")
    assert not told or f"Reel-Op: {told}\n" in read
    assert told or message not in MESSAGES[:2]
