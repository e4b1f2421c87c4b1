"""Taking back that no page of a chat is wanted: the page is asked for again."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import UNDOES, list_undone
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.tape_view import retracted
from reel_cli.features.history.log import read_words
from reel_cli.features.history.undo import PASSED_OVER
from reel_cli.features.page.kept_pages import LEFT, left_without_page
from reel_cli.features.record.plan import plan_event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.talk import Event
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class DropUndo:
    """The note by which a page is asked for again; `what` is the note it takes back in the log's words."""

    change: "Change"
    what: str
    session: str

    @property
    def other_way(self) -> str:
        """Return the command that does without the page again."""
        return f"reel checkpoint --session {self.session} --drop"

    def told(self) -> "Sequence[str]":
        """Return what the undo does."""
        return (f"The page is asked for again:  reel checkpoint --session {self.session}",)


def plan_drop_undo(opened: "OpenKit") -> DropUndo | None:
    """Return the step that takes back the last change, where it noted that no page is wanted; else None.

    A note stays on the tape, so the step adds the one that held before.
    """
    repo, snapshot = opened.require_repository(), opened.snapshot
    log = read_log(repo)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    for commit in log:
        if commit.id in undone:
            continue
        if commit.op not in PASSED_OVER:
            return None
        events = _noted(repo, commit) if commit.op == "tape" else []
        session = events[-1].session if events and events[-1].kind == LEFT else None
        if session is None or session in retracted(snapshot) or not left_without_page(snapshot, session):
            continue
        before = [event.text for event in events[:-1] if (event.kind, event.session) == (LEFT, session)]
        change = plan_event(snapshot, LEFT, before[-1] if before else "0", session, opened.now())
        trailers = (*change.trailers, (UNDOES, commit.id))
        change = replace(change, op="undo", summary=f"tape: {session}", trailers=trailers, tip=repo.head())
        return DropUndo(change, read_words(repo, snapshot, commit.id), session)
    return None


def _noted(repo: "Repository", commit: Commit) -> "Sequence[Event]":
    """Return the notes on the tape as a commit left them, its own last."""
    with CommitTree(repo, commit.id) as tree:
        return parse_events(tree.read(EVENTS) or b"", EVENTS)
