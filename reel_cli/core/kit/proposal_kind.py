"""A kind of proposal in `review/` that a feature brings: what it proposes, and how it can be decided."""

from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import bring_proposal_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.review import Proposal, ReviewKind


@frozen
class Choice:
    """One way to decide, by a key: `label` stands beside the key, `done` tells it afterwards.

    `word` is handed to what accepts; a choice that `drops` rejects instead.
    One that `loses` lets go of a memory or of a person's text, and is not carried out before it is confirmed.
    One that `asks` is not even taken before that question is answered with yes; Enter is no.
    """

    key: str
    label: str
    done: str
    word: str = ""
    drops: bool = False
    loses: bool = False
    asks: str = ""


KEEP = Choice("y", "keep", "Kept")
DROP = Choice("n", "drop", "Not taken", drops=True)


class ProposalInWords(NamedTuple):
    """A proposal on screen: what it is about, why it waits, and the text that it adds.

    `was` is the text in whose place it would stand, "" for none; `path` is the kit file of both. `becomes`
    says, a line each, what a decision does to other texts. `protects`: it is of what keeps somebody safe.
    """

    what: str
    why: str
    adds: str
    was: str = ""
    path: str = ""
    becomes: "Sequence[str]" = ()
    protects: bool = False


@frozen
class ProposalKind:
    """How proposals of one kind are told of, accepted and rejected.

    `tell` raises ReelError for one that cannot be read. `accept` takes the day and the word of the choice as
    well; its change removes the proposal. `drop` is what rejecting does beyond removing it. `split` returns
    the parts that can be decided alone, each a proposal like the whole, and `merge` makes one of some again.
    `names` returns what it is about as a person calls each thing, where the log has no words for it.
    """

    kind: "ReviewKind"
    tell: "Callable[[Snapshot, Proposal], ProposalInWords]"
    accept: "Callable[[Snapshot, Proposal, str, str], Change]"
    choices: "Callable[[Proposal], Sequence[Choice]]" = lambda _proposal: (KEEP, DROP)
    drop: "Callable[[Snapshot, Proposal, str], Change] | None" = None
    split: "Callable[[Proposal], Sequence[Proposal]] | None" = None
    merge: "Callable[[Sequence[Proposal]], Proposal] | None" = None
    names: "Callable[[Proposal], Sequence[str]]" = lambda _proposal: ()


def find_proposal_kind(proposal: "Proposal") -> ProposalKind:
    """Return how a proposal is handled; raises ReelError where the feature for it was taken away."""
    found: ProposalKind | None = bring_proposal_kind(proposal.kind.value)
    if found is None:
        message = f"This reel was installed without what keeps review/{proposal.id}.md."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    return found
