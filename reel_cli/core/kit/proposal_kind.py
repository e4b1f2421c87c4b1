"""A kind of proposal in `review/` that a feature brings: what it proposes, and what accepting it does."""

from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import bring

if TYPE_CHECKING:
    from collections.abc import Callable

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.review import Proposal, ReviewKind


class ProposalInWords(NamedTuple):
    """A proposal on screen: what it is about, why it waits, and the text that it adds.

    `was` is the text in whose place it would stand, "" for none.
    """

    what: str
    why: str
    adds: str
    was: str = ""


@frozen
class ProposalKind:
    """How proposals of one kind are told of and accepted; `path` is the kit file that they add to.

    `tell` raises ReelError for one that cannot be read. `accept` takes the day as well; its change removes
    the proposal.
    """

    kind: "ReviewKind"
    path: str
    tell: "Callable[[Snapshot, Proposal], ProposalInWords]"
    accept: "Callable[[Snapshot, Proposal, str], Change]"


def find_proposal_kind(proposal: "Proposal") -> ProposalKind:
    """Return how a proposal is handled; raises ReelError where the feature for it was taken away."""
    found: ProposalKind | None = next((one for one in bring("proposals") if one.kind is proposal.kind), None)
    if found is None:
        message = f"This reel was installed without what keeps review/{proposal.id}.md."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    return found
