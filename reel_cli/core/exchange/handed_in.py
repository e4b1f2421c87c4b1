"""Model texts handed in by a tool, which wait for a person's decision like a reply (REEL §9.3)."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import stamp
from reel_cli.core.ports import bring
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.core.values.review import Proposal, ReviewKind

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer

OP = "hand-in"
MOST_WAITING = 40
"""Maximum number of handed-in items that may wait, so that no model can fill a kit with unread ones."""


@frozen
class HandedInPlan:
    """The plan for keeping something that was handed in: the change, and what is worth a look."""

    change: Change
    problems: tuple[Problem, ...] = ()
    waits: tuple[str, ...] = ()
    """One line for each part of it that waits for the person's decision."""


@frozen
class KeepScope:
    """A kit in which something that was handed in is to be kept, and when.

    `pending` are journal lines that no commit holds yet. `unattended`: no person reads it, for the kit trusts
    the tool; so what only a person may decide waits.
    """

    snapshot: "Snapshot"
    repository: "Repository"
    proposal: Proposal
    now: datetime
    tokenizer: "Tokenizer"
    pending: Sequence[str] = ()
    unattended: bool = False


@frozen
class HandInKind:
    """A kind of thing that is handed in: what it is called, and how it is kept."""

    op: str
    plan: Callable[[KeepScope], HandedInPlan]


def make_proposal(  # noqa: PLR0913 (what a file in review/ says)
    op: str,
    called: str,
    session: str,
    text: str,
    now: datetime,
    *,
    why: str = "",
    where: str = "",
    asked: str = "",
) -> Proposal:
    """Return what waits of a thing that was handed in; `called` says what it is."""
    mark = hashlib.sha256(f"{op}\0{session}\0{text.strip()}".encode()).hexdigest()[:8]
    title = f"{called} of session {session}" if session else called
    made = stamp(now)
    return Proposal(
        f"{op}-{mark}", ReviewKind.HANDED_IN, session, made, title, f"{text.strip()}\n",
        why=why, op=op, where=where, asked=asked,
    )  # fmt: skip


def plan_waiting(snapshot: "Snapshot", proposal: Proposal) -> Change | None:
    """Plan handed-in content as a file in `review/`; None if it waits there already.

    Raises ReelError where too much waits.
    """
    path = review_path(proposal.id)
    if snapshot.read(path) is not None:
        return None
    if sum(one.kind is ReviewKind.HANDED_IN for one in _proposals(snapshot)) >= MOST_WAITING:
        message = f"{MOST_WAITING} things that were handed in wait for a word already."
        raise ReelError(message, hint="they are decided with  reel review")
    trailers = (("Reel-Session", proposal.session),) if proposal.session else ()
    summary = f"{proposal.title} waits for a word"
    return Change(OP, summary, {path: render_proposal(proposal).encode()}, trailers)


def _proposals(snapshot: "Snapshot") -> Sequence[Proposal]:
    found = []
    for path in snapshot.list("review"):
        if path.endswith(".md"):
            try:
                found.append(parse_proposal(snapshot.text(path) or "", path))
            except ReelError:
                continue
    return found


def plan_kept(scope: KeepScope) -> HandedInPlan:
    """Keep what was handed in, as the reply to a prompt would be; its file, if it has one, goes.

    Raises ReelError where it cannot be kept.
    """
    proposal = scope.proposal
    kinds: dict[str, HandInKind] = {one.op: one for kinds in bring("handed_in") for one in kinds}
    kind = kinds.get(proposal.op)
    if kind is None:
        message = f"This reel was installed without what keeps review/{proposal.id}.md."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    kept = kind.plan(scope)
    path = review_path(proposal.id)
    if scope.snapshot.read(path) is None:
        return kept
    return replace(kept, change=kept.change.also({path: None}))


def read_asked(proposal: Proposal) -> Mapping[str, Any]:
    """Return a proposal's values about its prompt; empty if they are not a JSON object."""
    try:
        value = json.loads(proposal.asked) if proposal.asked else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def unknown_prompt(proposal: Proposal) -> ReelError:
    """Return the error for a proposal that does not say which prompt it answers."""
    message = f"review/{proposal.id}.md does not say what it is the answer to."
    return ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
