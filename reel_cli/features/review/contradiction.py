"""Settle two things that do not agree, by a person's word: both may stand, or one holds now (REEL §3.5)."""

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files import front_matter
from reel_cli.core.files.kit_files import find_value_kind
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.files.review_file import SETTLED, read_settled, settle
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.find import WORKING_MEMORY
from reel_cli.features.review.proposals import WaitingProposal

OP = "review"
BOTH, OLDER, NEWER = "both", "older", "newer"
NO_QUARREL = "they agree"
"""The word for a pair that was no contradiction at all."""


def plan_settle(snapshot: Snapshot, one: WaitingProposal, word: str, today: str) -> Change:
    """Return the change that settles one: it is recorded, and what no longer holds is marked.

    `word` is `both`, `older`, `newer`, the place of the side that holds (`M-004`), or NO_QUARREL; "" is
    `both`, except for two values of one fact. Raises UsageError for another, ReelError where what does not
    hold is no memory that could be marked.
    """
    proposal = one.proposal
    if proposal is None or not proposal.sides:
        message = f"{one.item} is no contradiction."
        raise ReelError(message)
    older, newer = proposal.sides
    kind = find_value_kind(older.where) if older.where == newer.where else None
    if not word and kind is not None:
        message = f"Which holds: “{one_line(older.says, 60)}” or “{one_line(newer.says, 60)}”?"
        hint = f"say it:  reel review accept {one.item} --holds {NEWER} ({OLDER}, or {BOTH})"
        raise ReelError(message, hint=hint)
    word = word or BOTH
    holds = _holding(word, older, newer)
    held = snapshot.text(SETTLED) or ""
    read_settled(held)
    writes: dict[str, bytes | None] = {one.path: None}
    told = "not a contradiction" if word == NO_QUARREL else "both stand"
    if word == BOTH and kind is not None and kind.hold_both is not None:
        writes.update(kind.hold_both(snapshot, (older, newer)))
        told = "both stand"
    elif holds is not None:
        other = newer if holds is older else older
        kind = find_value_kind(holds.where)
        if kind is not None and kind.hold is not None:
            writes.update(kind.hold(snapshot, holds, today))
            told = f"“{one_line(holds.says, 60)}” holds now"
        else:
            writes.update(_mark(snapshot, other, holds, one.item))
            told = f"{_called(holds)} holds now, {_called(other)} does not"
    writes[SETTLED] = settle(held, proposal, told, today).encode()
    summary = f"two things that did not agree: {told}"
    if holds is not None and find_value_kind(holds.where) is not None:
        held_now = for_screen(f": {told}", ": one of them holds now")
        summary = f"two things that did not agree{held_now}"
    return Change(OP, summary, writes, notes=(f"{older.says} / {newer.says}",))


def _holding(word: str, older: Side, newer: Side) -> Side | None:
    sides = {OLDER: older, NEWER: newer}
    if older.where != newer.where:
        sides |= {older.where: older, newer.where: newer}
    if word in (BOTH, NO_QUARREL):
        return None
    if word not in sides:
        message = f"{word!r} is neither side of it."
        raise UsageError(message, hint=f"say  --holds {OLDER}, {NEWER} or {BOTH}")
    return sides[word]


def _called(side: Side) -> str:
    return "what stands in working memory" if side.where == WORKING_MEMORY else side.where


def _mark(snapshot: Snapshot, other: Side, holds: Side, item: str) -> dict[str, bytes]:
    """Return the memory with a mark of what holds instead; its text stays as it was."""
    path = memory_path(other.where)
    text = snapshot.text(path) if other.where != WORKING_MEMORY else None
    if text is None:
        where = "ring2/working.md" if other.where == WORKING_MEMORY else "its line in ring4/index.md"
        message = f"{_called(other)} is no memory that could be marked.".capitalize()
        raise ReelError(
            message, hint=f"put it right in {where}, then  reel review accept {item} --holds both"
        )
    before = parse_memory(text, path).no_longer
    value = f"{before} {holds.says}" if before and holds.says not in before else before or holds.says
    return {path: front_matter.set_fields(text, {"no_longer": render_scalar(value)}, path).encode()}
