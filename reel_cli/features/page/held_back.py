"""The proposals for what a page or a reply asks for and nobody was there to read."""

import hashlib
from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_events
from reel_cli.core.values.approval import is_about_persona
from reel_cli.core.values.change import one_line
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.features.facts.files import add_facts, parse_facts

HEADING = "For you to decide, in  reel review"
"""Heading above the items a page leaves to the person."""
_SHOWN = 100


def is_flagged_by_person(snapshot: Snapshot, tape: Tape, found: PhraseMatch) -> bool:
    """Return whether the person marked that message themselves, with  reel tape flag."""
    flags = [event.text for event in read_events(snapshot) if event.kind == "flag"]
    own = (find_claim(tape, flag) for flag in flags)
    return any(one is not None and one.number == found.number for one in own)


# -- what must stay -------------------------------------------------------------------------------


def propose_immunity(
    memory: Memory, reason: str, session: str, made: str, tags: Sequence[str] = ()
) -> Proposal:
    """Return a proposal to make a memory immune, with the tags for it."""
    told = reason.strip() or "the page asks for it and gives no reason"
    return Proposal(
        f"whole-{memory.id}", ReviewKind.IMMUNITY, session, made, memory.title, f"{told}\n",
        memory=memory.id, immune=True, tags=tuple(tags),
    )  # fmt: skip


def waits_already(snapshot: Snapshot, proposal: Proposal) -> bool:
    """Return whether the same is already proposed for that memory, so its tags and reason are kept."""
    path = review_path(proposal.id)
    text = snapshot.text(path)
    if text is None:
        return False
    try:
        return parse_proposal(text, path).immune
    except ReelError:
        return False


def tell_held_immunity(memory: Memory, tags: Sequence[str] = ()) -> str:
    """Return the line on screen."""
    as_what = f", as {' and '.join(tags)}" if tags else ""
    return f"+ must never fade{as_what}: {memory.title}"


# -- notes ----------------------------------------------------------------------------------------


def propose_closing(items: Sequence[str], session: str, stem: str, made: str) -> Proposal:
    """Return a proposal to close notes."""
    count = "a note" if len(items) == 1 else f"{len(items):,} notes"
    text = "".join(f"- {one_line(item)}\n" for item in items)
    return Proposal(f"{stem}-closing", ReviewKind.CLOSING, session, made, f"{count} to close", text)


def closing_of(proposal: Proposal) -> Sequence[str]:
    """Return the notes that a proposal would close."""
    lines = proposal.text.splitlines()
    return [line.removeprefix("- ").strip() for line in lines if line.startswith("- ")]


# -- facts ----------------------------------------------------------------------------------------


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
