"""Taking back what was noted of a chat: that no page of it is wanted, that it counts again or does not."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import UNDOES, list_undone
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.tape_view import KEPT_APART, retracted
from reel_cli.features.history.log import read_words
from reel_cli.features.history.undo import NEUTRAL, PASSED_OVER
from reel_cli.features.page.kept_pages import LEFT, left_without_page
from reel_cli.features.record.plan import plan_event
from reel_cli.features.verify.sessions import call_sessions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.talk import Event
    from reel_cli.terminal.open_kit import OpenKit

AGAIN = "reinstate"
"""Kind of the note that a chat which was taken back counts again."""


@frozen
class NoteUndo:
    """The note that takes back another on the tape; `what` is that one in the log's words.

    `does` says what the undo does, and `other_way` is the command that notes the same as before.
    """

    change: "Change"
    what: str
    does: str
    other_way: str

    def told(self) -> "Sequence[str]":
        """Return what the undo does."""
        return (self.does,)


def plan_note_undo(opened: "OpenKit") -> NoteUndo | None:
    """Return the step that takes back the last change, where it was such a note; else None.

    The notes are that no page of a chat is wanted, and that one which was taken back counts again. A note
    stays on the tape, so the step adds the one that held before.
    """
    repo, snapshot = opened.require_repository(), opened.snapshot
    log = read_log(repo)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    later = False
    for commit in log:
        if commit.id in undone:
            continue
        if commit.op not in PASSED_OVER:
            return None
        events = _noted(repo, commit) if commit.op == "tape" else []
        session = events[-1].session if events else None
        if session is None or session in retracted(snapshot):
            later = later or bool(events)
            continue
        if events[-1].kind == AGAIN and not later:
            change = plan_event(snapshot, "retract", "", session, opened.now())
            does, way = f"{session} is taken back, as it was.", f"reel tape retract {session} --undo"
        elif events[-1].kind == LEFT and left_without_page(snapshot, session):
            before = [event.text for event in events[:-1] if (event.kind, event.session) == (LEFT, session)]
            change = plan_event(snapshot, LEFT, before[-1] if before else "0", session, opened.now())
            does = f"The page is asked for again:  reel checkpoint --session {session}"
            way = f"reel checkpoint --session {session} --drop"
        else:
            later = True
            continue
        trailers = (*change.trailers, (UNDOES, commit.id))
        change = replace(change, op="undo", summary=f"tape: {session}", trailers=trailers, tip=repo.head())
        return NoteUndo(change, read_words(repo, snapshot, commit.id), does, way)
    return None


def plan_note_redo(opened: "OpenKit") -> NoteUndo | None:
    """Return the step that lets a chat count again, where taking it back is the newest undo; else None."""
    repo, snapshot = opened.require_repository(), opened.snapshot
    log = read_log(repo)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    for commit in log:
        if commit.id in undone:
            continue
        if commit.op == "undo" or commit.op not in NEUTRAL:
            return None
        events = _noted(repo, commit) if commit.op == "tape" else []
        session = events[-1].session if events and events[-1].kind == "retract" else None
        if session is None or session not in retracted(snapshot) or events[-1].text.startswith(KEPT_APART):
            continue
        change = plan_event(snapshot, AGAIN, "", session, opened.now())
        trailers = (*change.trailers, (UNDOES, commit.id))
        change = replace(
            change, op="redo", summary=f"tape: {session} counts again", trailers=trailers, tip=repo.head()
        )
        named = call_sessions(snapshot, [session]).get(session, "")
        what = f"{named} ({session})" if named else session
        return NoteUndo(change, what, "The chat counts again.", "reel undo")
    return None


def _noted(repo: "Repository", commit: Commit) -> "Sequence[Event]":
    """Return the notes on the tape as a commit left them, its own last."""
    with CommitTree(repo, commit.id) as tree:
        return parse_events(tree.read(EVENTS) or b"", EVENTS)
