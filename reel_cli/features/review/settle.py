"""Carrying out a decision about one thing that waits: accepted, put back, or in parts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.change.edited_texts import settle_texts
from reel_cli.core.errors import ReelError
from reel_cli.core.git.last_proof import note_put_back
from reel_cli.core.kit.hand_edits import is_altered, keep_copy, put_back
from reel_cli.core.moment import stamp
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.review.accept import plan_accept
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import NEED_A_NAME, Kind, WaitingProposal
from reel_cli.features.review.reject import Rejection, plan_reject
from reel_cli.features.review.submissions import KeepingContext
from reel_cli.features.review.undone_edits import note_undone

if TYPE_CHECKING:
    from pathlib import Path

    from reel_cli.core.values.change import Change
    from reel_cli.terminal.open_kit import OpenKit

ASIDE = "Your text of it is kept. To have it back:  reel undo"


def read_waiting(opened: "OpenKit") -> Sequence[WaitingProposal]:
    """Return all that waits in the kit as it lies here."""
    if "snapshot" not in opened.__dict__:
        settle_texts(opened.root, opened.repository, whole=True)
    return list_waiting(opened.snapshot, opened.repository)


def find_same(now: Sequence[WaitingProposal], group: Sequence[WaitingProposal]) -> list[WaitingProposal]:
    """Return a group's items as they are now; raises ReelError if one changed or was settled."""
    by_item = {one.item: one for one in now}
    found = []
    for one in group:
        again = by_item.get(one.item)
        if again is None or (again.kind, again.proposal or again.after) != (
            one.kind,
            one.proposal or one.after,
        ):
            message = f"{one.item} changed meanwhile; it was left as it is."
            raise ReelError(message, hint="look at it again with  reel review")
        found.append(again)
    return found


def keeping_context(opened: "OpenKit") -> KeepingContext:
    """Return what keeping a page needs beside the kit's files."""
    return KeepingContext(opened.now(), opened.state.pending_touches())


def today_of(opened: "OpenKit") -> str:
    """Return the day in the kit's zone."""
    return opened.now().date().isoformat()


def own_name(opened: "OpenKit") -> str:
    """Return `Name <mail>` as it stands on the person's commits; raises ReelError where there is none."""
    from reel_cli.core.git.identity import author_identity

    name, mail = author_identity(opened.require_repository(), opened.snapshot.settings.author)
    return f"{name} <{mail}>"


def plan_yes(
    opened: "OpenKit",
    group: Sequence[WaitingProposal],
    waiting: Sequence[WaitingProposal],
    *,
    text: str | None = None,
    word: str = "",
) -> "tuple[Change, KeepingContext]":
    """Return the change by which a person at the terminal accepts a group, in their own name where needed."""
    told = keeping_context(opened)
    by = own_name(opened) if any(one.kind in NEED_A_NAME for one in group) else ""
    change = plan_accept(
        opened.snapshot, opened.require_repository(), group, waiting,
        by=by, today=today_of(opened), tokenizer=get_tokenizer(opened.snapshot.settings.tokenizer),
        identity=text, word=word, told=told,
    )  # fmt: skip
    return change, told


def carry_out_rejection(
    opened: "OpenKit", one: WaitingProposal, waiting: Sequence[WaitingProposal]
) -> "tuple[str, Rejection, Path | None]":
    """Reject one of all that is `waiting`; return the commit ("" for none), and where its text is kept."""
    rejection = plan_reject(opened.snapshot, one, waiting, today_of(opened))
    when = opened.now()
    if rejection.change is None:
        seen = opened.snapshot.read(rejection.path)
        repository = opened.require_repository()
        copy = put_back(repository, opened.root, rejection.path, rejection.data, seen=seen, when=when)
        if one.kind is not Kind.TAPE:
            note_undone(opened, rejection.path, copy, rejection.data, rejected=True)
        return "", rejection, copy
    texts = {path: data for path in rejection.change.writes if (data := opened.snapshot.read(path))}
    copies = [keep_copy(opened.root, path, data, when) for path, data in texts.items()]
    commit = opened.commit(rejection.change).commit
    writes = rejection.change.writes
    if altered := sum(is_altered(path, texts.get(path), data) for path, data in writes.items()):
        note_put_back(opened.state, stamp(when), altered)
    return commit, rejection, copies[0] if copies else None


def where_kept(opened: "OpenKit", one: WaitingProposal, copy: "Path | None") -> str:
    """Return where the text of what was rejected is kept; "" where there was none."""
    if copy is None:
        return ""
    if one.proposal is None and one.kind is not Kind.TAPE:
        return ASIDE
    whose = "What was suggested" if one.proposal is not None else "Your text of it"
    return f"{whose} is kept in {copy.relative_to(opened.root)}"
