"""Commits made without reel: growth of the tape, and other files edited by hand."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.kit.hand_edits import BY_HAND, EditKind, Step, read_steps
from reel_cli.core.kit.snapshot import EVENTS, IDENTITY
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.values.talk import SESSION_ID, session_of, session_path
from reel_cli.features.review.open_decisions import is_own
from reel_cli.features.verify.verify_history import Broken

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.tape_history import Blobs, CommitLine

NAMED = 5
"""Maximum number of hand-edited files named, the newest first."""
_SHOWN_ELSEWHERE = ("ring0/", "ring1/")
"""An edit there waits in `reel review`, committed or not."""
UNRECORDED = "Added to the recorded chats by hand, not by reel: {place}"
TWICE = "a second file of chat {session}; reel reads {path}"


def prove_hands(
    files: Mapping[str, bytes], told: Sequence[Broken], repo: "Repository | None"
) -> tuple[Sequence[Broken], Sequence[str]]:
    """Return sessions with a second file, and notes on what was committed by hand.

    What is `told` already is passed over. A commit that says it is reel's is believed: who forges all of its
    trailers is found out by what was proven before, or by another copy of the history.
    """
    broken = list(_second_files(files))
    if repo is None:
        return broken, ()
    from reel_cli.core.git.tape_history import Blobs, name_commits

    steps = read_steps(repo, ("." if not repo.prefix else "",))
    founding = {step.commit for step in steps.get("kit.yaml", ()) if step.before is None}
    known = {one.path for one in (*told, *broken)}
    blobs = Blobs(repo)
    grown: list[tuple[str, Step]] = []
    edited: list[tuple[str, Step]] = []
    for path, own in steps.items():
        recorded = {step.after for step in own if step.vouched}
        by_hand = [
            step
            for step in own
            if not step.vouched and step.commit not in founding and step.after not in recorded
        ]
        if path.startswith("tape/"):
            fresh = [step for step in by_hand if step.before is None and step.after is not None]
            edited += [(path, step) for step in fresh[:1] if path not in known]
            if path not in known:
                grown += [(path, step) for step in by_hand if _grew(blobs, step)]
        elif by_hand and is_own(path, EditKind.CHANGED) and not path.startswith(_SHOWN_ELSEWHERE):
            edited.append((path, by_hand[0]))
    names = name_commits(repo, {step.commit for _, step in (*grown, *edited)})
    added = [_tell_growth(path, step, names, blobs) for path, step in grown]
    return broken, [*added, *_notes(edited, names)]


def prove_approval(repo: "Repository | None") -> Sequence[Broken]:
    """Name the approval of who the persona is that is in force and that reel did not make."""
    if repo is None:
        return ()
    from reel_cli.core.git.approvals import doubt_approval
    from reel_cli.core.git.history import ratified_commit
    from reel_cli.core.git.tape_history import name_commits

    commit = ratified_commit(repo)
    doubt = doubt_approval(repo, commit) if commit is not None else None
    if doubt is None:
        return ()
    named = name_commits(repo, [doubt.commit]).get(doubt.commit)
    return (Broken(IDENTITY, None, doubt.what, named, mend=doubt.mend),)


def _second_files(files: Mapping[str, bytes]) -> Sequence[Broken]:
    found = []
    for path in files:
        session = path.rpartition("/")[2].removesuffix(".md")
        if path.startswith("tape/") and SESSION_ID.fullmatch(session) and session_of(path) is None:
            right = session_path(session)
            if right in files and right != path:
                found.append(
                    Broken(path, None, TWICE.format(session=session, path=right), mend=f"move {path} away")
                )
    return found


def _grew(blobs: "Blobs", step: Step) -> bool:
    """Return whether a commit by hand appended to a file; not one that a person accepted in the review."""
    if step.before is None or step.after is None or step.op == BY_HAND:
        return False
    try:
        before, after = blobs.read(step.before), blobs.read(step.after)
    except StateError:
        return False
    return after.startswith(before)


def _tell_growth(path: str, step: Step, names: Mapping[str, "CommitLine"], blobs: "Blobs") -> str:
    commit = names.get(step.commit)
    before, after = blobs.read(step.before or ""), blobs.read(step.after or "")
    kinds = f", {_kinds(before, after)}" if path == EVENTS else ""
    place = f"{path}, line {before.count(bytes([10])) + 2:,}{kinds}"
    named = f" ({commit.short}, {commit.time[:10]})" if commit is not None else ""
    return UNRECORDED.format(place=f"{place}{named}")


def _kinds(before: bytes, after: bytes) -> str:
    try:
        fresh = parse_events(after, EVENTS)[len(parse_events(before, EVENTS)) :]
    except ReelError:
        return "unreadable"
    return ", ".join(dict.fromkeys(event.kind for event in fresh)) or "nothing"


def _notes(edited: Sequence[tuple[str, Step]], names: Mapping[str, "CommitLine"]) -> Sequence[str]:
    if not edited:
        return ()
    order = {commit: place for place, commit in enumerate(dict.fromkeys(step.commit for _, step in edited))}
    listed = sorted(edited, key=lambda one: (order[one[1].commit], one[0]))
    told = []
    for path, step in listed[:NAMED]:
        commit = names.get(step.commit)
        gone = "deleted, " if step.after is None else "new, " if step.before is None else ""
        told.append(f"{path} ({gone}{commit.short}, {commit.time[:10]})" if commit else path)
    more = f" and {len(listed) - NAMED:,} more" if len(listed) > NAMED else ""
    return [f"Edited by hand, and committed: {', '.join(told)}{more}"]
