"""Chats that a commit by hand altered or deleted, and that history has whole again (Dream Weaver §6.4)."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import moment
from reel_cli.core.values.source import session_of

if TYPE_CHECKING:
    from reel_cli.core.git.commit_tree import CommitStep
    from reel_cli.core.git.repository import Repository
    from reel_cli.terminal.open_kit import OpenKit


def recall_put_back(opened: "OpenKit") -> str:
    """Return when history last put back a chat that was altered by hand (ISO 8601), "" for never."""
    from reel_cli.core.files.commit_message import plain_operation
    from reel_cli.core.kit.hand_edits import BY_HAND
    from reel_cli.core.kit.head_note import HistoryNote

    repo = opened.repository
    if repo is None or repo.head() is None:
        return ""

    def holds(noted: "tuple[str, bool]", step: "CommitStep") -> bool:
        # reel alters no chat, but it may put one back
        op = plain_operation(step.message.decode("utf-8", "replace"))
        return not noted[1] and op not in ("", BY_HAND)

    note: HistoryNote[Any] = HistoryNote("altered tape", lambda: _find(repo), holds=holds)
    return str(note.recall(opened.root, repo)[0])


def _find(repo: "Repository") -> "tuple[str, bool]":
    """Return when a chat was put back last, and whether one is altered still."""
    from reel_cli.core.git.tape_history import Blobs, find_breaks, name_commits, read_tape_history
    from reel_cli.core.kit.hand_edits import read_steps

    try:
        own = read_steps(repo, ("tape/",))
        by_hand = {
            path: {step.commit for step in steps if not step.vouched and step.before is not None}
            for path, steps in own.items()
            if session_of(path) is not None
        }
        doubted = {path: commits for path, commits in by_hand.items() if commits}
        if not doubted:
            return "", False
        steps, blobs = read_tape_history(repo).steps, Blobs(repo)
        found = []
        for path, commits in doubted.items():
            mine = [step for step in steps if step.path == path]
            last = mine[-1].after if mine else None
            now = blobs.read(last) if last is not None else None
            breaks = find_breaks(blobs, mine, now, lambda before, after: after.startswith(before))
            found += [one for one in breaks if one.step.commit in commits and not one.step.merge]
        back = name_commits(repo, [one.put_back for one in found if one.put_back])
    except ReelError:
        # a history that cannot be read is told of as that
        return "", False
    return max((one.time for one in back.values()), key=moment, default=""), any(
        not one.put_back for one in found
    )
