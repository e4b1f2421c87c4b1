"""The door from `reel review` to what a model handed in: only where some waits is its keeping loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.review import Proposal
    from reel_cli.features.review.proposals import WaitingProposal

_BECOMES = {
    "checkpoint": "kept as the reply to  reel checkpoint  would be",
    "consolidation": "kept as the reply to  reel consolidate  would be",
    "remember": "asked about on the next page, once it is found on the tape",
    "advise": "taken as the reply to  reel shelf advise  would be",
    "summarize": "kept as the reply to  reel shelf summarize FILE  would be",
    "pin": "it does not fade any more, as if you had pinned it",
    "prune": "let go of; its line stays, and it can be restored",
    "gc": "put away as  reel shelf gc  would, these files and no others",
}


@dataclass(frozen=True, slots=True)
class KeepingContext:
    """The context of keeping: the time, and journal lines that no commit holds yet.

    `problems` becomes what is worth a look in what was kept.
    """

    now: datetime
    pending: Sequence[str] = ()
    problems: list[Problem] = field(default_factory=list)


def tell_handed_in(proposal: "Proposal") -> tuple[str, str]:
    """Return what was handed in, and what becomes of it when it is accepted."""
    told = _BECOMES[proposal.op]
    if proposal.op == "checkpoint" and not proposal.session:
        told = f"for the chat it came from, once that is recorded; {told}"
    why = one_line(proposal.why, 160)
    return f"{proposal.title}, handed in by a model", f"{why}; {told}" if why else told


def plan_handed_in(
    snapshot: "Snapshot", repo: "Repository", one: "WaitingProposal", told: KeepingContext | None
) -> Change:
    """Keep what was handed in as the reply to a prompt would be; ReelError where it cannot be."""
    from reel_cli.core.exchange.tool import KeepScope, plan_kept
    from reel_cli.core.tokens.counter import get_tokenizer

    if told is None or one.proposal is None:
        message = f"{one.item} cannot be accepted this way."
        raise ReelError(message, hint=f"reel review accept {quote(one.item)}")
    tokenizer = get_tokenizer(snapshot.settings.tokenizer)
    kept = plan_kept(KeepScope(snapshot, repo, one.proposal, told.now, tokenizer, told.pending))
    told.problems.extend(kept.problems)
    return kept.change
