"""Kept pages: what the checkpoints of a kit say of themselves, and what was said since (REEL §6.6)."""

from collections.abc import Mapping, Sequence
from typing import Any

from reel_cli.core.files.checkpoint_file import SHORT, read_checkpoint, session_of_checkpoint
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import read_events, read_session, standing_sessions, told_of_each
from reel_cli.core.values.talk import Event

LEFT = "no_page"
"""The kind of event that says of how many messages of a session no page is wanted; 0 takes that back."""


def checkpoint_counts(snapshot: Snapshot) -> Mapping[str, int]:
    """Return how many checkpoints each session has."""
    counts: dict[str, int] = {}
    for path in snapshot.checkpoints:
        session = session_of_checkpoint(path)
        counts[session] = counts.get(session, 0) + 1
    return counts


def checkpoints_of(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return the checkpoint files of one session, oldest first."""
    return [p for p in snapshot.checkpoints if session_of_checkpoint(p) == session]


@frozen
class PageNote:
    """A checkpoint's counts: messages it looks back on, when it was kept, which flags were asked about.

    `messages` is None where the file does not say, and `flags` where reel did not note it yet. `short` says
    that it is of a short page.
    """

    messages: int | None
    kept: str
    flags: Sequence[str] | None
    short: bool = False


def page_notes(snapshot: Snapshot) -> Mapping[str, PageNote]:
    """Return a note of each checkpoint file by its path, oldest first; an overview keeps them."""

    def note(path: str) -> list[object]:
        fields = read_checkpoint(snapshot.text(path) or "", path)
        seen, flags = fields.get("messages", ""), fields.get("flags_asked")
        kept = fields.get("kept") or fields.get("timestamp", "")
        asked = None if flags is None else flags.splitlines()
        return [int(seen) if seen.isdigit() else -1, kept, asked, fields.get("page") == SHORT]

    notes: Mapping[str, Any] = snapshot.note("pages and their length", snapshot.checkpoints, note)
    return {
        path: PageNote(None if notes[path][0] < 0 else notes[path][0], *notes[path][1:])
        for path in snapshot.checkpoints
    }


def short_sessions(snapshot: Snapshot) -> frozenset[str]:
    """Return the sessions whose newest page is a short one."""
    short = {session_of_checkpoint(path): page.short for path, page in page_notes(snapshot).items()}
    return frozenset(session for session, is_short in short.items() if is_short)


def last_checkpoint(snapshot: Snapshot, session: str) -> Mapping[str, str] | None:
    """Return the keys of a session's newest checkpoint."""
    mine = checkpoints_of(snapshot, session)
    return read_checkpoint(snapshot.text(mine[-1]) or "", mine[-1]) if mine else None


def flags_of(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return what the checkpoints of one session marked as not to fade."""
    flags: list[str] = []
    for path in checkpoints_of(snapshot, session):
        flags += read_checkpoint(snapshot.text(path) or "", path).get("significance_flags", "").splitlines()
    return [flag for flag in flags if flag.strip()]


def new_messages(snapshot: Snapshot, session: str) -> int:
    """Return how many messages the session has had since its last checkpoint, or since no page was wanted."""
    said = len(read_session(snapshot, session).shown())
    left = left_without_page(snapshot, session)
    last = last_checkpoint(snapshot, session)
    if last is None:
        return max(0, said - left)
    seen = last.get("messages", "")
    return max(0, said - max(left, int(seen))) if seen.isdigit() else 0


def left_without_page(snapshot: Snapshot, session: str) -> int:
    """Return of how many messages of a session a person wanted no page."""
    told = told_of_each(snapshot, LEFT).get(session, "")
    return int(told) if told.isdigit() else 0


def without_checkpoint(snapshot: Snapshot) -> str | None:
    """Return the newest session that lacks a checkpoint, or has grown since its last one."""
    standing = standing_sessions(snapshot)
    if standing and new_messages(snapshot, standing[-1]) > 0:
        return standing[-1]
    counts = checkpoint_counts(snapshot)
    left = told_of_each(snapshot, LEFT)
    return next((s for s in reversed(standing) if s not in counts and left.get(s, "0") == "0"), None)


def page_command(snapshot: Snapshot, session: str | None) -> str:
    """Return the command of a session's page; it names the session where another one is due."""
    if not session or session == without_checkpoint(snapshot):
        return "checkpoint"
    return f"checkpoint --session {session}"


def pending_flags(snapshot: Snapshot) -> Mapping[str, Event]:
    """Return the flags that no kept page was asked about, oldest first, each by a mark without its words.

    A checkpoint names the flags in its prompt. One that an older reel kept was asked about all that were
    flagged before.
    """
    flags: dict[str, Event] = {}
    for event in read_events(snapshot):
        if event.kind == "flag":
            same = sum(other.at == event.at for other in flags.values())
            flags[f"{event.at} {same + 1}" if same else event.at] = event
    if not flags:
        return flags
    notes = page_notes(snapshot).values()
    asked = {mark for page in notes for mark in page.flags or ()}
    taken = max((moment(page.kept) for page in notes if page.flags is None), default=moment(""))
    return {mark: one for mark, one in flags.items() if mark not in asked and moment(one.at) > taken}


def loops_asked(snapshot: Snapshot) -> frozenset[str]:
    """Return the open loops that kept pages were asked about by name, because their day had passed."""

    def note(path: str) -> list[str]:
        return read_checkpoint(snapshot.text(path) or "", path).get("loops_asked", "").splitlines()

    notes = snapshot.note("loops asked", snapshot.checkpoints, note)
    return frozenset(loop for loops in notes.values() for loop in loops)
