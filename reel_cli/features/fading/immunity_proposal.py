"""A memory that must stay, or need not any more, as it waits in `reel review` (REEL §6.4)."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import parse_proposal, review_path
from reel_cli.core.kit.proposal_kind import Choice, ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.memory_proposal import proposed_memory
from reel_cli.core.values.change import Change, one_line, titled
from reel_cli.core.values.memory import memory_path
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.features.fading.immunity import plan_word


def waiting_to_stay(snapshot: Snapshot) -> Collection[str]:
    """Return the memories that must stay, or be pinned, by a proposal that waits in `review/` (REEL §3.3)."""
    found = set()
    for path in snapshot.list("review"):
        if not path.endswith(".md"):
            continue
        with suppress(ReelError):
            proposal = parse_proposal(snapshot.text(path) or "", path)
            if proposal.kind is ReviewKind.IMMUNITY and proposal.immune:
                found.add(proposal.memory)
            elif proposal.op == "pin":
                found.add(proposed_memory(proposal))
    return found


def _plan(snapshot: Snapshot, proposal: Proposal) -> Change | None:
    return plan_word(snapshot, proposal.memory, proposal.text, immune=proposal.immune, tags=proposal.tags)


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    path = memory_path(proposal.memory)
    before = after = (snapshot.read(path) or b"").decode("utf-8", "replace")
    why = says_why = f"{snapshot.settings.name} says why: {one_line(proposal.text)}"
    try:
        change = _plan(snapshot, proposal)
    except ReelError:
        why = "it is no longer there, so this can be dropped"
    else:
        if change is None:
            why = "it is so already, so this can be dropped"
        else:
            after = (change.writes.get(path) or before.encode()).decode("utf-8", "replace")
    if proposal.immune and not before:
        why = f"{says_why}; it was let go meanwhile, and it comes back if it must stay"
    what = f"{proposal.title} ({proposal.memory}) {'must stay' if proposal.immune else 'may fade after all'}"
    return ProposalInWords(what, why, after, before, path)


def _accept(snapshot: Snapshot, proposal: Proposal, _today: str, _word: str) -> Change:
    """Return the change that grants or revokes immunity; an obsolete proposal is only removed."""
    done = {review_path(proposal.id): None}
    change = _plan(snapshot, proposal)
    if change is None:
        return Change("review", f"nothing to do any more for {titled(proposal.title, proposal.memory)}", done)
    return replace(change, op="review").also(done)


def _choices(proposal: Proposal) -> tuple[Choice, Choice]:
    if proposal.immune:
        return Choice("y", "must stay", "Must stay"), Choice("n", "may fade", "May fade", drops=True)
    return Choice("y", "may fade", "May fade"), Choice("n", "must stay", "Must stay", drops=True)


IMMUNITY = ProposalKind(ReviewKind.IMMUNITY, _tell, _accept, _choices)
