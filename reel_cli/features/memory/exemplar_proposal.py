"""An exchange that is suggested as an example, as it waits in `reel review` (REEL §4.2)."""

from reel_cli.core.files.exemplar_file import exemplar_path, slugify
from reel_cli.core.files.review_file import review_path
from reel_cli.core.kit.proposal_kind import Choice, ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID

HEARD = "heard"
"""The word by which an example is also put among those that bundles show."""
RESTS = "rests"
"""The word by which no bundle shows it until a person activates it."""


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    name = snapshot.settings.name
    where = f"on the page of chat {proposal.session}" if proposal.session else "by hand"
    where = "through a tool" if proposal.op else where
    why = f"{where}: {one_line(proposal.why)}" if proposal.why else f"{name} chose it {where}"
    what = f"an example of how {name} sounds: “{proposal.title}”"
    return ProposalInWords(what, why, proposal.text, path=exemplar_path(slugify(proposal.title)))


def _accept(snapshot: Snapshot, proposal: Proposal, today: str, word: str) -> Change:
    """Return the change that adds the example to the pool, and with HEARD has bundles show it."""
    from reel_cli.features.memory.exemplars import Draft, plan_add, plan_add_in_use

    draft = Draft(proposal.text, proposal.title, proposal.role, proposal.source)
    if word == HEARD:
        change, _ = plan_add_in_use(snapshot, draft, added=today)
    else:
        change, _ = plan_add(snapshot, draft, added=today, rests=word == RESTS)
    session = proposal.session
    about = (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()
    return change.also({review_path(proposal.id): None}, *about)


EXAMPLES = ProposalKind(
    ReviewKind.EXEMPLAR,
    _tell,
    _accept,
    lambda _proposal: (
        Choice("y", "keep", "Kept", HEARD),
        Choice("r", "keep, but do not show it yet", "Kept, not shown yet", RESTS),
        Choice("n", "drop", "Not taken", drops=True),
    ),
)
