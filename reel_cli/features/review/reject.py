"""Reject what waits: a suggestion is dropped, an edited file is again as it was vouched for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.commit_message import NOT_TAKEN
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.ports import bring_proposal_kind
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.features.review.accept import REVIEW
from reel_cli.features.review.open_decisions import with_lines
from reel_cli.features.review.proposals import Kind, WaitingProposal

if TYPE_CHECKING:
    from reel_cli.core.kit.proposal_kind import ProposalKind

AS_WAS = {
    Kind.RING0: "as it was approved",
    Kind.TAPE: "as it was recorded",
    Kind.POOL: "as it was",
    Kind.ROTATION: "as it was",
}


@dataclass(frozen=True, slots=True)
class Rejection:
    """The result of rejecting: a change to commit, or one file to restore from history.

    `path` is that file and `data` its bytes (None: no file).
    """

    change: Change | None
    path: str = ""
    data: bytes | None = None


def plan_reject(
    snapshot: Snapshot, one: WaitingProposal, waiting: Sequence[WaitingProposal], today: str = ""
) -> Rejection:
    """Reject one of all that is `waiting`; StateError for a file that cannot even be read."""
    if one.kind is Kind.BROKEN and not one.path.startswith("review/"):
        raise StateError(one.why, hint=f"put a plain file in the place of {one.path}, or take it away")
    if one.proposal is not None or one.kind is Kind.BROKEN:
        return Rejection(_drop(snapshot, one, today))
    if one.kind is Kind.LINE:
        return _line(snapshot, one)
    if one.kind is Kind.HAND and one.path == INDEX and one.committed is not None:
        edits = [w.line for w in waiting if w.line is not None]
        return Rejection(None, INDEX, with_lines(one.committed, edits, given=True))
    if one.committed == one.before:
        return Rejection(None, one.path, one.before)
    return Rejection(Change(REVIEW, f"{one.path} {AS_WAS[one.kind]}", {one.path: one.before}))


def _drop(snapshot: Snapshot, one: WaitingProposal, today: str) -> Change:
    """Return the change that removes a proposal, as its kind does that."""
    kind: ProposalKind | None = bring_proposal_kind(one.kind.value) if one.proposal is not None else None
    if one.proposal is not None and kind is not None and kind.drop is not None:
        return kind.drop(snapshot, one.proposal, today)
    title = one_line(one.proposal.title, 80) if one.proposal else one.item
    return Change(REVIEW, f"{NOT_TAKEN}{for_screen(title, one.item)}", {one.path: None})


def _line(snapshot: Snapshot, one: WaitingProposal) -> Rejection:
    """Return the line as it follows from the memory's file; committed only if its edit was."""
    if one.line is None:
        message = f"{one.item} is no line."
        raise ReelError(message)
    fresh = [line_for(one.line.memory)]
    text = put_lines(snapshot.text(INDEX) or "", fresh)
    if one.committed is not None and put_lines(one.committed.decode(), fresh) == one.committed.decode():
        return Rejection(None, INDEX, text.encode())
    return Rejection(Change(REVIEW, f"the line of {one.item} follows its file", {INDEX: text.encode()}))
