"""The decisions of the walk about all that waits: what the keys of each do."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.hand_edits import put_back
from reel_cli.core.kit.proposal_kind import find_proposal_kind
from reel_cli.core.kit.snapshot import IDENTITY, INDEX
from reel_cli.core.values.review import Proposal
from reel_cli.features.review.decision_words import (
    CHOICES,
    choices_of,
    in_whose_name,
    is_done,
    list_names,
    list_shown,
    tell_basis,
    tell_mark,
    tell_words,
)
from reel_cli.features.review.hunks import Hunk, find_hunks, take_hunks
from reel_cli.features.review.proposals import Kind, WaitingProposal, tell_proposal
from reel_cli.features.review.settle import (
    ASIDE,
    carry_out_rejection,
    find_same,
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
_EDITS = (Kind.RING0, Kind.POOL, Kind.ROTATION, Kind.HAND)
"""Kinds that are an edit of one file by hand."""


def list_decisions(opened: "OpenKit") -> Sequence[Decision]:
    """Return a decision for each thing that waits, in the order of the list."""
    return [_decide_on(opened, one) for one in read_waiting(opened)]


def _decide_on(opened: "OpenKit", one: WaitingProposal) -> Decision:
    what, why = tell_words(opened, one)
    return Decision(
        one.item, what, why, tell_mark(one), choices_of(one), partial(list_shown, one), partial(_settle, one),
        _draft(opened, one), _split(opened, one), "ring0" if one.kind is Kind.RING0 else "",
        0 if one.kind is Kind.RING0 else 1, basis=tell_basis(one), names=list_names(one),
    )  # fmt: skip


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
    if is_done(one):
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
    why = f"{read.why.partition('. It does not')[0].partition('. You approve')[0]}{in_whose_name(opened)}"
    return replace(
        read, why=why, choices=CHOICES[Kind.IDENTITY], shown=partial(list_shown, fresh), edited=text,
        settle=partial(_settle, one, own=fresh), basis=tell_basis(fresh),
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
    what, why = tell_words(opened, fresh)
    return replace(
        read, what=what, why=why, shown=partial(list_shown, fresh), edited=text,
        settle=partial(_settle_edited, one, text),
        basis=tell_basis(fresh), names=list_names(fresh),
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
    if proposal is None or one.kind in (Kind.IDENTITY, Kind.HANDED_IN) or is_done(one):
        return None
    split = find_proposal_kind(proposal).split
    if split is None:
        return None
    return lambda: [_part_decision(opened, one, part) for part in split(proposal)]


def _hunk_decision(opened: "OpenKit", one: WaitingProposal, hunk: Hunk) -> Decision:
    what, why = tell_words(opened, one)
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
    what, why = tell_words(opened, told)
    mark = hashlib.sha256(part.text.encode("utf-8", "replace")).hexdigest()[:8]
    return Decision(
        f"{one.item}#{mark}", what, why, mark, choices_of(told), partial(list_shown, told),
        partial(_settle_part, one, part), basis=tell_basis(told), names=list_names(told),
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
