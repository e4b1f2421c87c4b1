"""The decisions of the walk about all that waits: in a person's words, with what the keys of each do."""

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.kit.hand_edits import put_back
from reel_cli.core.kit.proposal_kind import DROP, KEEP, Choice, find_proposal_kind
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, INDEX
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal
from reel_cli.features.review.accept import needs_an_editor
from reel_cli.features.review.diff import changed_lines, render_diff, tell_changes
from reel_cli.features.review.hunks import Hunk, find_hunks, take_hunks
from reel_cli.features.review.proposals import Kind, WaitingProposal, tell_proposal
from reel_cli.features.review.settle import (
    ASIDE,
    carry_out_rejection,
    find_same,
    own_name,
    plan_yes,
    read_waiting,
    where_kept,
)
from reel_cli.features.review.undone_edits import note_undone
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder, DecisionResult, Draft

if TYPE_CHECKING:
    from reel_cli.core.values.change import Change
    from reel_cli.features.review.submissions import KeepingContext
    from reel_cli.terminal.open_kit import OpenKit

NOTE = "This note is taken out again when you save."
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
_EDITS = (Kind.RING0, Kind.POOL, Kind.ROTATION, Kind.HAND)
"""Kinds that are an edit of one file by hand."""
_SHOWN_IF_KEPT = (
    "If you keep it, {} is shown it before your next chats, where there is room. At most {} examples are"
    " shown at once, the newest among them"
)
_TOO_LONG = "It is too long to be shown before a chat at {}K; if you keep it, a larger window has room for it"
_SPEAKER = re.compile(r"\A\*\*(.+?):\*\*")
_HAND = {"edited by hand": "your edit of {}", "a new file": "a new file, {}"}
"""Titles of edits by hand in the walk, by their names in the list."""
_CHOICES = {
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


def list_decisions(opened: "OpenKit") -> Sequence[Decision]:
    """Return a decision for each thing that waits, in the order of the list."""
    return [_decide_on(opened, one) for one in read_waiting(opened)]


def _decide_on(opened: "OpenKit", one: WaitingProposal) -> Decision:
    what, why = _words(opened, one)
    return Decision(
        one.item, what, why, _mark(one), choices_of(one), partial(_shown, one), partial(_settle, one),
        _draft(opened, one), _split(opened, one), "ring0" if one.kind is Kind.RING0 else "",
        0 if one.kind is Kind.RING0 else 1, basis=_basis(one), names=_names(one),
    )  # fmt: skip


def _names(one: WaitingProposal) -> Sequence[str]:
    """Return the things that a proposal is about, as a person calls each."""
    if one.proposal is None or one.kind is Kind.CONTRADICTION:
        # two sides are named by what they are about
        return ()
    try:
        return find_proposal_kind(one.proposal).names(one.proposal)
    except ReelError:
        # it cannot be read, which the screen says
        return ()


def _basis(one: WaitingProposal) -> str:
    return hashlib.sha256(repr((one.before, one.after)).encode()).hexdigest()[:16]


def _mark(one: WaitingProposal) -> str:
    told = (
        (one.kind, one.proposal) if one.proposal is not None else (one.kind, one.before, one.after, one.why)
    )
    return hashlib.sha256(repr(told).encode("utf-8", "replace")).hexdigest()[:16]


def choices_of(one: WaitingProposal) -> Sequence[Choice]:
    """Return the ways to decide about a thing; none where reel can do nothing about it."""
    if one.kind is Kind.BROKEN:
        return (DROP,) if one.path.startswith("review/") else ()
    if needs_an_editor(one) or _is_done(one):
        return (DROP,)
    if one.kind is Kind.HAND and one.after is None:
        return (LET_GO_MEMORY if one.path.startswith("ring3/") else LET_GO, UNDELETE)
    if one.kind is Kind.HAND and one.before is None:
        return (KEEP, DELETE)
    if one.kind in (Kind.RING0, Kind.POOL) and one.after is None:
        # without an identity there is nobody, so that this cannot be approved
        return (UNDELETE,) if one.path == IDENTITY else (LET_GO_TEXT, UNDELETE)
    if one.kind in _CHOICES:
        return _CHOICES[one.kind]
    assert one.proposal is not None  # noqa: S101 (all others are proposals of a feature)
    return find_proposal_kind(one.proposal).choices(one.proposal)


def _is_done(one: WaitingProposal) -> bool:
    """Return whether a proposal would change nothing any more."""
    return one.proposal is not None and one.before is not None and one.before == one.after


def _words(opened: "OpenKit", one: WaitingProposal) -> tuple[str, str]:
    """Return what a thing is and why it waits, as a person would say it."""
    name = opened.snapshot.settings.name
    proposal = one.proposal
    if one.kind is Kind.IDENTITY and proposal is not None:
        whose = f"{name}'s rules" if one.target == DIRECTIVES else f"who {name} is"
        more = ". It does not give the exact words, so e opens the text for you to change"
        return (
            f"{name} suggests a change to {whose}",
            f"{_source(proposal)}{more if needs_an_editor(one) else _in_whose_name(opened)}",
        )
    if one.kind is Kind.EXEMPLAR and proposal is not None:
        why = one_line(proposal.why).rstrip(".")
        return (
            f"an example of how {name} sounds: “{proposal.title}”",
            f"{_source(proposal)}{f'; {why}' if why else ''}. {_tell_kept(opened, proposal)}",
        )
    if one.kind is Kind.RING0:
        return f"{one.what} ({one.path})", f"{one.why}{_in_whose_name(opened, one)}"
    if one.kind is Kind.POOL:
        return one.what, f"{one.why}{_in_whose_name(opened, one)}"
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


def _in_whose_name(opened: "OpenKit", one: WaitingProposal | None = None) -> str:
    if one is not None and one.after is None and one.path == IDENTITY:
        return ". There is nobody without it, so it can only be put back, or written anew"
    what = "it" if one is None or one.after is not None else "that it stays deleted"
    try:
        return f". You approve {what} as {own_name(opened).partition(' <')[0]}"
    except ReelError:
        # the reason is told once it is wanted
        return ""


def _shown(one: WaitingProposal) -> Sequence[str]:
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


# -- carrying it out --------------------------------------------------------------------------


def _settle(
    one: WaitingProposal, opened: "OpenKit", order: DecisionOrder, *, own: WaitingProposal | None = None
) -> DecisionResult:
    """Carry out a decision about what was shown as `one`; `own` is it with a person's own identity."""
    waiting = read_waiting(opened)
    wanted = [one.item, *order.mates] if not order.choice.drops else [one.item]
    (now,) = find_same(waiting, [one])
    if order.choice.drops:
        return _drop(opened, now, waiting, dry=order.dry)
    group = [w for w in waiting if w.item in wanted]
    # what is decided on already comes into force before this, or is gone by then
    open_still = [w for w in waiting if w.item not in order.decided]
    text = None
    if own is not None:
        text = (own.after or b"").decode()
        if opened.snapshot.read(own.text_path) != own.before:
            message = f"{own.text_path} changed since you wrote this; your text is kept."
            raise ReelError(message, hint="press e to look at both, and save again")
    if one.kind is Kind.IDENTITY and order.dry:
        _refuse_before_edits(open_still, one.text_path)
    beside = group if one.kind is Kind.RING0 else open_still
    change, told = plan_yes(
        opened, group, beside if order.dry else waiting, text=text, word=order.choice.word
    )
    if order.dry:
        return DecisionResult()
    commit = opened.commit(change).commit
    return DecisionResult(commit, _tell_more(change, told) or _tell_way_back(now))


def _tell_way_back(one: WaitingProposal) -> str:
    """Return the command that brings a memory back which a person deleted; "" for all else."""
    if one.kind is not Kind.HAND or one.after is not None or not one.path.startswith("ring3/"):
        return ""
    return f"To have it back:  reel restore {one.path.removeprefix('ring3/').removesuffix('.md')}"


def _tell_more(change: "Change", told: "KeepingContext") -> str:
    """Return what else there is to say of what was accepted."""
    return "; ".join([*change.notes, *(f"Worth a look: {problem.what}" for problem in told.problems)])


def _refuse_before_edits(undecided: Sequence[WaitingProposal], path: str) -> None:
    """Refuse to approve a suggestion while an edit by hand would be approved with it, unread."""
    for one in undecided:
        if one.kind is Kind.RING0 and (one.path == path or one.committed != one.before):
            message = f"Your own edit of {one.path} would be approved with this."
            raise ReelError(
                message, hint="decide on that edit first, it comes after this; then go back with k"
            )


def _drop(
    opened: "OpenKit", now: WaitingProposal, waiting: Sequence[WaitingProposal], *, dry: bool
) -> DecisionResult:
    if dry:
        from reel_cli.features.review.reject import plan_reject

        plan_reject(opened.snapshot, now, waiting)
        return DecisionResult()
    commit, _, copy = carry_out_rejection(opened, now, waiting)
    # a suggestion is in the history, from which undo has it again
    return DecisionResult(commit, where_kept(opened, now, copy) if now.proposal is None else "")


# -- a person's own text ----------------------------------------------------------------------


def _draft(opened: "OpenKit", one: WaitingProposal) -> Draft | None:
    if _is_done(one):
        return None
    if one.kind is Kind.IDENTITY and one.proposal is not None:
        return Draft(identity_text(opened, one), _file_name(one), partial(_take_identity, one))
    if one.proposal is not None and one.kind is not Kind.CONTRADICTION:
        return Draft(one.proposal.text, f"{one.kind.value}.md", partial(_take_proposal, one))
    if one.kind in _EDITS and one.path != INDEX and one.after is not None:
        try:
            text = one.after.decode()
        except UnicodeDecodeError:
            return None
        return Draft(text, one.path.rpartition("/")[2], partial(_save_edit, one))
    return None


def identity_text(opened: "OpenKit", one: WaitingProposal) -> str:
    """Return the whole text of ring 0, with the suggested words in place, or in a note above it."""
    assert one.proposal is not None  # noqa: S101
    if one.before is not None:
        return (one.after or b"").decode("utf-8", "replace")
    words = one.proposal.text.strip().replace("-->", "--›")
    note = f"<!-- {opened.snapshot.settings.name} suggests:\n\n{words}\n\n{NOTE} -->\n"
    return note + (opened.snapshot.text(IDENTITY) or "")


def _file_name(one: WaitingProposal) -> str:
    return one.text_path.rpartition("/")[2]


def without_note(text: str) -> str:
    """Return the identity as a person edited it, without the suggestion above it."""
    return re.sub(rf"\A<!-- .*?{re.escape(NOTE)} -->\n?", "", text, flags=re.DOTALL)


def _take_identity(one: WaitingProposal, opened: "OpenKit", text: str) -> Decision:
    plain = without_note(text)
    before = opened.snapshot.read(one.text_path)
    if plain.encode() == before:
        message = f"Nothing was changed in {one.text_path}."
        raise ReelError(message)
    fresh = replace(one, before=before, after=plain.encode(), target=one.text_path)
    read = _decide_on(opened, one)
    why = f"{read.why.partition('. It does not')[0].partition('. You approve')[0]}{_in_whose_name(opened)}"
    return replace(
        read, why=why, choices=_CHOICES[Kind.IDENTITY], shown=partial(_shown, fresh), edited=text,
        settle=partial(_settle, one, own=fresh), basis=_basis(fresh),
        draft=Draft(text, _file_name(one), partial(_take_identity, one)),
    )  # fmt: skip


def _take_proposal(one: WaitingProposal, opened: "OpenKit", text: str) -> Decision:
    """Return the decision about a proposal with a person's text; raises ReelError where that is not fit."""
    assert one.proposal is not None  # noqa: S101
    if not text.strip():
        message = "There is nothing left of it."
        raise ReelError(message, hint="to drop it, press n")
    if one.kind is Kind.EXEMPLAR:
        _require_speaker(text, opened.snapshot.settings.name)
    fresh = tell_proposal(opened.snapshot, replace(one.proposal, text=text), one.path)
    read = _decide_on(opened, one)
    # a value that a person put right is no longer doubted
    what, why = _words(opened, fresh)
    return replace(
        read, what=what, why=why, shown=partial(_shown, fresh), edited=text,
        settle=partial(_settle_edited, one, text),
        basis=_basis(fresh), names=_names(fresh),
        draft=Draft(text, f"{one.kind.value}.md", partial(_take_proposal, one)),
    )  # fmt: skip


def _require_speaker(text: str, name: str) -> None:
    """Raise ReelError where an example has no line of the persona, whose voice it is to show."""
    if not re.search(rf"(?im)^[ \t>*_+•-]*{re.escape(name)}[*_ ]*[:：]", text):
        message = f"{name} says nothing in it, and an example shows how {name} sounds."
        raise ReelError(message, hint=f"begin a line with  {name}:")


def _settle_edited(
    one: WaitingProposal, text: str, opened: "OpenKit", order: DecisionOrder
) -> DecisionResult:
    """Carry out a decision about a proposal with a person's own text in the place of the proposed one."""
    waiting = read_waiting(opened)
    (now,) = find_same(waiting, [one])
    if order.choice.drops:
        return _drop(opened, now, waiting, dry=order.dry)
    assert now.proposal is not None  # noqa: S101
    own = tell_proposal(opened.snapshot, replace(now.proposal, text=text), now.path)
    change, told = plan_yes(opened, [own], waiting, word=order.choice.word)
    if order.dry:
        return DecisionResult()
    commit = opened.commit(change).commit
    return DecisionResult(commit, _tell_more(change, told))


def _save_edit(one: WaitingProposal, opened: "OpenKit", text: str) -> None:
    """Write the person's text to the file that they had edited by hand; what was there is kept aside."""
    put_back(
        opened.require_repository(), opened.root, one.path, text.encode(), seen=one.after, when=opened.now()
    )


# -- in parts -----------------------------------------------------------------------------------


def _split(opened: "OpenKit", one: WaitingProposal) -> Callable[[], Sequence[Decision]] | None:
    if one.kind in _EDITS and one.path != INDEX and one.before is not None and one.after is not None:
        return lambda: [_hunk_decision(opened, one, hunk) for hunk in find_hunks(one.before, one.after)]
    proposal = one.proposal
    if proposal is None or one.kind in (Kind.IDENTITY, Kind.HANDED_IN) or _is_done(one):
        return None
    split = find_proposal_kind(proposal).split
    if split is None:
        return None
    return lambda: [_part_decision(opened, one, part) for part in split(proposal)]


def _hunk_decision(opened: "OpenKit", one: WaitingProposal, hunk: Hunk) -> Decision:
    what, why = _words(opened, one)
    return Decision(
        f"{one.item}#{hunk.mark}", what, why, hunk.mark, choices_of(one), lambda: hunk.shown,
        partial(_settle_places, one), rank=0 if one.kind is Kind.RING0 else 1, whole=one.item,
    )  # fmt: skip


def _settle_places(one: WaitingProposal, opened: "OpenKit", order: DecisionOrder) -> DecisionResult:
    """Carry out what was decided of the places of one edit, all of it in one go; the others go on waiting.

    Places have no name but where they stand in the two texts that were shown, so that nothing is done once
    either of them is another.
    """
    waiting = read_waiting(opened)
    now = next((w for w in waiting if w.item == one.item), None)
    if now is None or (now.kind, now.before, now.after) != (one.kind, one.before, one.after):
        message = f"{one.item} changed meanwhile; it was left as it is."
        raise ReelError(message, hint="look at it again with  reel review")
    assert now.before is not None  # noqa: S101 (only a text that had one before has places)
    hunks = find_hunks(now.before, now.after)
    choices = {hunk.mark: order.parts.get(f"{one.item}#{hunk.mark}") for hunk in hunks}
    kept = [mark for mark, choice in choices.items() if choice is not None and not choice.drops]
    left = [mark for mark, choice in choices.items() if choice is None or not choice.drops]
    if not left:
        return _drop(opened, now, waiting, dry=order.dry)
    wanted, rest = (take_hunks(now.before, hunks, marks) for marks in (kept, left))
    if order.dry:
        if kept:
            own = replace(now, after=wanted)
            plan_yes(opened, [own], [own])
        return DecisionResult()
    repository, when, full = opened.require_repository(), opened.now(), now.after
    put = partial(put_back, repository, opened.root, now.path, when=when)
    if wanted == full:
        return DecisionResult(opened.commit(plan_yes(opened, [now], waiting)[0]).commit)
    copy = put(wanted if kept else rest, seen=full)
    commit, copies = "", []
    if kept:
        last = full
        try:
            opened.look_again()
            waiting = read_waiting(opened)
            (fresh,) = find_same(waiting, [replace(now, after=wanted)])
            commit = opened.commit(plan_yes(opened, [fresh], waiting)[0]).commit
            last = rest
        finally:
            if last != wanted:
                copies.append(put(last, seen=wanted))
    if copy is not None and len(left) < len(hunks):
        note_undone(opened, now.path, copy, rest, rejected=True)
        return DecisionResult(commit, ASIDE)
    for place in filter(None, (copy, *copies)):
        place.unlink(missing_ok=True)
    return DecisionResult(commit)


def _part_decision(opened: "OpenKit", one: WaitingProposal, part: Proposal) -> Decision:
    told = tell_proposal(opened.snapshot, part, one.path)
    what, why = _words(opened, told)
    mark = hashlib.sha256(part.text.encode("utf-8", "replace")).hexdigest()[:8]
    return Decision(
        f"{one.item}#{mark}", what, why, mark, choices_of(told), partial(_shown, told),
        partial(_settle_part, one, part), basis=_basis(told), names=_names(told),
    )  # fmt: skip


def _settle_part(
    one: WaitingProposal, part: Proposal, opened: "OpenKit", order: DecisionOrder
) -> DecisionResult:
    """Accept or drop one part of a proposal; the others wait on in the same file."""
    from reel_cli.core.files.review_file import render_proposal
    from reel_cli.features.review.reject import plan_reject

    waiting = read_waiting(opened)
    now = next((w for w in waiting if w.item == one.item and w.proposal is not None), None)
    if now is None or now.proposal is None:
        message = f"{one.item} was decided in another place, or is gone."
        raise ReelError(message)
    kind = find_proposal_kind(now.proposal)
    assert kind.split is not None  # noqa: S101
    assert kind.merge is not None  # noqa: S101
    parts = list(kind.split(now.proposal))
    texts = [p.text for p in parts]
    if part.text not in texts:
        message = f"{one.item} changed meanwhile; it was left as it is."
        raise ReelError(message, hint="look at it again with  reel review")
    parts.pop(texts.index(part.text))
    own = tell_proposal(opened.snapshot, part, now.path)
    if order.choice.drops:
        change = plan_reject(opened.snapshot, own, waiting).change
        assert change is not None  # noqa: S101 (a proposal is dropped by a change)
    else:
        change, _ = plan_yes(opened, [own], waiting, word=order.choice.word)
    if order.dry:
        return DecisionResult()
    rest = render_proposal(kind.merge(parts)).encode() if parts else None
    return DecisionResult(opened.commit(change.also({now.path: rest})).commit)
