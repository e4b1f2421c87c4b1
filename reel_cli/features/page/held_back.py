"""The proposals for what a page or a reply asks for and nobody was there to read."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim
from reel_cli.core.files.review_file import parse_proposal, review_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_events
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.review import Proposal, ReviewKind

HEADING = "For you to decide, in  reel review"
"""Heading above the items a page leaves to the person."""


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
