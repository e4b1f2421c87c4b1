"""The facts about the persona that nobody has read yet: they wait in `review/` for a person's word."""

import hashlib
from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.kit.proposal_kind import ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.approval import is_about_persona
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.facts.changed_values import plan_fact_clashes
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts
from reel_cli.features.facts.plan import TRAILER, named

_SHOWN = 100


def part_facts(
    facts: Sequence[Fact], evidence: Mapping[Fact, str], persona: str
) -> tuple[Sequence[Fact], Sequence[Fact]]:
    """Return the facts that need no approval, and those about the persona, which do."""
    about = [one for one in facts if is_about_persona(one.key, one.value, evidence.get(one, ""), persona)]
    return [one for one in facts if one not in about], about


def propose_facts(facts: Sequence[Fact], session: str, made: str) -> Mapping[str, bytes]:
    """Return the file in `review/` with facts that wait; none for no facts."""
    if not facts:
        return {}
    text = add_facts("", facts)
    mark = hashlib.sha256(f"{session}\0{text}".encode()).hexdigest()[:8]
    title = "; ".join(tell_fact(one) for one in facts)
    proposal = Proposal(
        f"fact-{mark}", ReviewKind.FACT, session, made, one_line(title, _SHOWN), text, source=facts[0].source
    )
    return {review_path(proposal.id): render_proposal(proposal).encode()}


def facts_of(proposal: Proposal) -> list[Fact]:
    """Return the facts that wait in a proposal; raises ReelError if its text holds none."""
    found = parse_facts(proposal.text)
    if not found:
        message = f"review/{proposal.id}.md holds no fact."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    return found


def tell_fact(fact: Fact) -> str:
    """Return a fact on one line."""
    return f"{fact.category}, {fact.key}: {fact.value}"


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    facts = facts_of(proposal)
    about = "a fact" if len(facts) == 1 else f"{len(facts):,} facts"
    what = f"{about} about {snapshot.settings.name} to know by heart"
    why = f"found in session {proposal.session}, and nobody looked at it"
    return ProposalInWords(what, why, "".join(f"{tell_fact(one)}\n" for one in facts))


def _accept(snapshot: Snapshot, proposal: Proposal, today: str) -> Change:
    """Return the change that notes the facts that waited, with what contradicts them now."""
    facts, session = facts_of(proposal), proposal.session
    text = add_facts(snapshot.text(FACTS) or "", facts)
    parse_facts(text)
    writes: dict[str, bytes | None] = {FACTS: text.encode(), review_path(proposal.id): None}
    writes.update(plan_fact_clashes(snapshot, facts, session, today))
    what = "a fact" if len(facts) == 1 else f"{len(facts):,} facts"
    about = (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()
    trailers = (*about, *((TRAILER, named(fact)) for fact in facts))
    return Change("review", f"{what} known by heart", writes, trailers)


HELD_FACTS = ProposalKind(ReviewKind.FACT, FACTS, _tell, _accept)
