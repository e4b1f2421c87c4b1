"""The words for what waits: what it is, why, the ways to decide, and what would change."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.kit.proposal_kind import DROP, KEEP, Choice, find_proposal_kind
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal
from reel_cli.features.review.accept import needs_an_editor
from reel_cli.features.review.diff import changed_lines, render_diff, tell_changes
from reel_cli.features.review.proposals import Kind, WaitingProposal
from reel_cli.features.review.settle import own_name

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

PUT_BACK = Choice("n", "put it back as it was", "Put back", drops=True, loses=True)
DELETE = Choice("n", "delete it", "Deleted", drops=True, loses=True)
"""Of a file that the kit did not have before."""
LET_GO = Choice("y", "leave it deleted", "Let go", asks="Leave this file deleted?")
LET_GO_MEMORY = replace(LET_GO, asks="Leave this memory deleted? Only its line stays.")
LET_GO_TEXT = replace(LET_GO, asks="Leave this text deleted? Chats no longer begin with it.")
UNDELETE = Choice("n", "put it back as it was", "Put back", drops=True)
"""Of a file that was deleted by hand; nothing is lost by putting it back."""
APPROVE = Choice("y", "approve", "Approved")
APPROVE_EDIT = Choice("y", "approve", "Counts now")
"""Approval of what a person wrote by hand, whose title tells that."""
_SHOWN_IF_KEPT = (
    "If you keep it, {} is shown it before your next chats, where there is room. At most {} examples are"
    " shown at once, the newest among them"
)
_TOO_LONG = "It is too long to be shown before a chat at {}K; if you keep it, a larger window has room for it"
_SPEAKER = re.compile(r"\A\*\*(.+?):\*\*")
_HAND = {"edited by hand": "your edit of {}", "a new file": "a new file, {}"}
"""Titles of edits by hand in the walk, by their names in the list."""
CHOICES = {
    Kind.IDENTITY: (APPROVE, DROP),
    Kind.RING0: (APPROVE_EDIT, PUT_BACK),
    Kind.POOL: (APPROVE_EDIT, PUT_BACK),
    Kind.ROTATION: (APPROVE_EDIT, PUT_BACK),
    Kind.TAPE: (Choice("n", "put it back as it was recorded", "Put back", drops=True, loses=True),),
    Kind.LINE: (
        Choice("y", "take it into the memory", "Taken over"),
        Choice("n", "put the line back", "Put back", drops=True, loses=True),
    ),
    Kind.HANDED_IN: (KEEP, DROP),
    Kind.HAND: (KEEP, PUT_BACK),
}


def list_names(one: WaitingProposal) -> Sequence[str]:
    """Return the things that a proposal is about, as a person calls each."""
    if one.proposal is None or one.kind is Kind.CONTRADICTION:
        # two sides are named by what they are about
        return ()
    try:
        return find_proposal_kind(one.proposal).names(one.proposal)
    except ReelError:
        # it cannot be read, which the screen says
        return ()


def tell_basis(one: WaitingProposal) -> str:
    """Return a print of the texts that a decision goes by."""
    return hashlib.sha256(repr((one.before, one.after)).encode()).hexdigest()[:16]


def tell_mark(one: WaitingProposal) -> str:
    """Return a print of all that is shown of a thing, to know it again."""
    told = (
        (one.kind, one.proposal) if one.proposal is not None else (one.kind, one.before, one.after, one.why)
    )
    return hashlib.sha256(repr(told).encode("utf-8", "replace")).hexdigest()[:16]


def choices_of(one: WaitingProposal) -> Sequence[Choice]:
    """Return the ways to decide about a thing; none where reel can do nothing about it."""
    if one.kind is Kind.BROKEN:
        return (DROP,) if one.path.startswith("review/") else ()
    if needs_an_editor(one) or is_done(one):
        return (DROP,)
    if one.kind is Kind.HAND and one.after is None:
        return (LET_GO_MEMORY if one.path.startswith("ring3/") else LET_GO, UNDELETE)
    if one.kind is Kind.HAND and one.before is None:
        return (KEEP, DELETE)
    if one.kind in (Kind.RING0, Kind.POOL) and one.after is None:
        # without an identity there is nobody, so that this cannot be approved
        return (UNDELETE,) if one.path == IDENTITY else (LET_GO_TEXT, UNDELETE)
    if one.kind in CHOICES:
        return CHOICES[one.kind]
    assert one.proposal is not None  # noqa: S101 (all others are proposals of a feature)
    return find_proposal_kind(one.proposal).choices(one.proposal)


def is_done(one: WaitingProposal) -> bool:
    """Return whether a proposal would change nothing any more."""
    return one.proposal is not None and one.before is not None and one.before == one.after


def tell_words(opened: "OpenKit", one: WaitingProposal) -> tuple[str, str]:
    """Return what a thing is and why it waits, as a person would say it."""
    name = opened.snapshot.settings.name
    proposal = one.proposal
    if one.kind is Kind.IDENTITY and proposal is not None:
        whose = f"{name}'s rules" if one.target == DIRECTIVES else f"who {name} is"
        more = ". It does not give the exact words, so e opens the text for you to change"
        return (
            f"{name} suggests a change to {whose}",
            f"{_source(proposal)}{more if needs_an_editor(one) else in_whose_name(opened)}",
        )
    if one.kind is Kind.EXEMPLAR and proposal is not None:
        why = one_line(proposal.why).rstrip(".")
        return (
            f"an example of how {name} sounds: “{proposal.title}”",
            f"{_source(proposal)}{f'; {why}' if why else ''}. {_tell_kept(opened, proposal)}",
        )
    if one.kind is Kind.RING0:
        return f"{one.what} ({one.path})", f"{one.why}{in_whose_name(opened, one)}"
    if one.kind is Kind.POOL:
        return one.what, f"{one.why}{in_whose_name(opened, one)}"
    if one.kind is Kind.HAND:
        return _HAND.get(one.what, f"{{}}, {one.what}").format(one.path), one.why
    return one.what, _plain_why(one)


def _tell_kept(opened: "OpenKit", proposal: Proposal) -> str:
    """Return whether bundles show an example once it is kept."""
    from reel_cli.core.pack.build_bundle import count_by
    from reel_cli.core.pack.exemplars import count_most, longest_shown

    settings = opened.snapshot.settings
    if count_by(settings.tokenizer).count(proposal.text) > longest_shown(settings):
        return _TOO_LONG.format(settings.cap >> 10)
    return _SHOWN_IF_KEPT.format(settings.name, count_most(settings))


def _plain_why(one: WaitingProposal) -> str:
    """Return why it waits, without the options of the command line and what is shown below it."""
    why = one.why.partition("; say ")[0]
    return why.partition("; if the ")[0] if one.becomes else why


def _source(proposal: Proposal) -> str:
    try:
        return f"From the page of {day_in_words(date.fromisoformat(proposal.session[:10]))}"
    except ValueError:
        return "Not from a page"


def in_whose_name(opened: "OpenKit", one: WaitingProposal | None = None) -> str:
    """Return the sentence that says in whose name one approves, to be put behind a reason."""
    if one is not None and one.after is None and one.path == IDENTITY:
        return ". There is nobody without it, so it can only be put back, or written anew"
    what = "it" if one is None or one.after is not None else "that it stays deleted"
    try:
        return f". You approve {what} as {own_name(opened).partition(' <')[0]}"
    except ReelError:
        # the reason is told once it is wanted
        return ""


def list_shown(one: WaitingProposal) -> Sequence[str]:
    """Return the lines of what would change; a text that is new as a whole without marks."""
    if one.kind is Kind.CONTRADICTION:
        both = [(side or b"").decode("utf-8", "replace").strip() for side in (one.before, one.after)]
        sides = [f"{number}  {told}" for number, told in enumerate(both, 1)]
        return [*sides, *(["", *one.becomes] if one.becomes else [])]
    if one.proposal is not None and one.before is None:
        lines = (one.after or b"").decode("utf-8", "replace").strip("\n").split("\n")
        # who speaks stands in bold in the file
        return [_SPEAKER.sub(r"\1:", line) for line in lines] if one.kind is Kind.EXEMPLAR else lines
    if one.kind is Kind.HAND and one.after is None and (held := _tell_deleted(one)):
        return held
    return tell_changes(changed_lines(render_diff(one)))


def _tell_deleted(deleted: WaitingProposal) -> Sequence[str]:
    """Return what a deleted file held, in words; () for one whose lines are words themselves."""
    text, path = (deleted.before or b"").decode("utf-8", "replace"), deleted.path
    with suppress(ReelError):
        if path.startswith("ring3/"):
            memory = parse_memory(text, path)
            return [f"removed: the memory “{memory.title}”", *([memory.marker] if memory.marker else [])]
        entries = parse_yaml(text, path) if path.endswith(".yaml") else ()
        told = [entry for entry in entries if isinstance(entry, dict) and {"key", "value"} <= entry.keys()]
        if told and isinstance(entries, list):
            # of values that replaced one another the last holds
            last = {(str(entry.get("category", "")), str(entry["key"])): entry for entry in told}
            many = "1 entry" if len(last) == 1 else f"{len(last):,} entries"
            return [f"removed: {many}", *(f"{one['key']}: {one['value']}" for one in last.values())]
    return ()
