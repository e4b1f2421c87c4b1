"""Items that wait for a person's decision, each with what it would change; those that are proposals."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot
from reel_cli.core.nearest import nearest, resolve_name, settle_names
from reel_cli.core.values.review import Proposal, ReviewKind

if TYPE_CHECKING:
    from reel_cli.features.review.open_decisions import LineEdit

_WAITING = "things that wait"


class Kind(StrEnum):
    """Kinds of item that wait, which decide what accepting takes."""

    IDENTITY = "identity"
    """Words suggested for ring 0."""
    EXEMPLAR = "exemplar"
    """An exchange suggested for the pool."""
    RING0 = "ring0"
    """An edit of ring 0 that is not in force."""
    POOL = "pool"
    """A removal from the pool, or an edit in it."""
    ROTATION = "rotation"
    """An edit of the list of examples to show."""
    TAPE = "tape"
    """A change of what was recorded, which no one can accept."""
    LINE = "line"
    """An edit of a memory's line in the index, offered to the memory's file."""
    CONTRADICTION = "contradiction"
    """Two items that contradict each other."""
    IMMUNITY = "immunity"
    """A memory that must stay, or need not any more."""
    CLOSING = "closing"
    """Notes that a page closes and nobody reviewed."""
    FACT = "fact"
    """Facts about the persona that nobody reviewed."""
    THREAD = "thread"
    """A chat that is part of a thread or is not, and the thread's name."""
    HANDED_IN = "handed-in"
    """A page, something to remember or advice, from a model's tool."""
    HAND = "hand"
    """Any other edit that is not committed."""
    BROKEN = "broken"
    """A proposal that cannot be read."""


NEED_A_NAME = frozenset({Kind.IDENTITY, Kind.RING0, Kind.POOL})


@frozen
class WaitingProposal:
    """One thing that waits: what it is called, and the file it changes from `before` to `after`.

    For an edit, `before` is what was last vouched for, `committed` what the last commit has, and
    `after` what lies on the disk (None: no file). For a proposal, `after` is what accepting it would make.
    """

    item: str
    kind: Kind
    what: str
    why: str
    path: str
    before: bytes | None = None
    after: bytes | None = None
    committed: bytes | None = None
    proposal: Proposal | None = None
    line: "LineEdit | None" = None
    target: str = ""
    """The kit file that a proposal would change."""
    becomes: Sequence[str] = ()
    """Lines on the effects of a decision on other texts."""
    protects: bool = False
    """Whether it is of what keeps somebody safe, as a medicine does."""

    @property
    def text_path(self) -> str:
        """Return the file of ring 0 that a suggestion changes; the identity where it has no exact words."""
        return self.target or IDENTITY


def find_waiting(waiting: Sequence[WaitingProposal], name: str) -> WaitingProposal:
    """Return one of them by its name or its file's, its number in the list, or words that only it is told in.

    Raises ReelError if none is meant, or several could be.
    """
    plain = _plain(name)
    if (found := _exactly(waiting, plain)) is not None:
        return found
    if not waiting:
        message = f"Nothing waits for your decision, so {name!r} does not either."
        raise ReelError(message)
    meant = resolve_name(plain, _told(waiting), _WAITING)
    if meant is not None:
        return next(one for one in waiting if one.item == meant)
    near = nearest(plain, [one.item for one in waiting])
    message = f"There is no {name!r} among what waits for your decision."
    raise ReelError(message, hint=f"did you mean {near}?" if near else "see what waits with  reel review")


def settle_items(
    waiting: Sequence[WaitingProposal], names: Sequence[str], command: Callable[[str], str] | None = None
) -> list[str]:
    """Return the names of what waits that were typed, as one where they are the words of one thing.

    Raises what `settle_names` does.
    """
    return settle_names(
        names,
        _told(waiting),
        _WAITING,
        exact=lambda name: _exactly(waiting, _plain(name)) is not None,
        command=command,
    )


def _told(waiting: Sequence[WaitingProposal]) -> dict[str, str]:
    return {one.item: one.what for one in waiting}


def _plain(name: str) -> str:
    return name.removeprefix("./").rstrip("/")


def _exactly(waiting: Sequence[WaitingProposal], plain: str) -> WaitingProposal | None:
    """Return the one of this number, name or path; None for none."""
    if plain.isdecimal() and 0 < int(plain) <= len(waiting):
        return waiting[int(plain) - 1]
    for names in ({w.item: w for w in waiting}, {w.path: w for w in reversed(waiting)}):
        for called in (plain, f"{plain}.md", plain.removesuffix(".md")):
            if called in names:
                return names[called]
    ends = [one for one in waiting if one.path == one.item and one.path.endswith(f"/{plain}")]
    return ends[0] if len(ends) == 1 else None


def list_proposals(snapshot: Snapshot) -> list[WaitingProposal]:
    """Return the files in `review/`, by their names; includes unreadable ones.

    Of facts the newer come first: an earlier value may be decided by then. Before all else comes what keeps
    somebody safe.
    """
    found = []
    for path in snapshot.list("review"):
        if not path.endswith(".md"):
            continue
        try:
            found.append(tell_proposal(snapshot, parse_proposal(snapshot.text(path) or "", path), path))
        except ReelError as error:
            name = path.removeprefix("review/").removesuffix(".md")
            found.append(
                WaitingProposal(name, Kind.BROKEN, "a suggestion that cannot be read", error.message, path)
            )
    facts = sorted((one for one in found if one.kind is Kind.FACT), key=_made, reverse=True)
    rest = iter(facts)
    found = [next(rest) if one.kind is Kind.FACT else one for one in found]
    return sorted(found, key=lambda one: not one.protects)


def _made(one: WaitingProposal) -> str:
    return one.proposal.made[:10] if one.proposal is not None else ""


def tell_proposal(snapshot: Snapshot, proposal: Proposal, path: str) -> WaitingProposal:
    """Return a proposal as it waits in a file of `review/`; raises ReelError for one that cannot be read."""
    if proposal.kind is ReviewKind.HANDED_IN:
        from reel_cli.features.review.submissions import tell_handed_in

        what, why = tell_handed_in(proposal)
        after = proposal.text.encode()
        return WaitingProposal(proposal.id, Kind.HANDED_IN, what, why, path, None, after, proposal=proposal)
    if proposal.kind is ReviewKind.IDENTITY:
        return _suggested(snapshot, proposal, path)
    from reel_cli.core.kit.proposal_kind import find_proposal_kind

    told = find_proposal_kind(proposal).tell(snapshot, proposal)
    return WaitingProposal(
        proposal.id, Kind(proposal.kind.value), told.what, told.why, path, told.was.encode() or None,
        told.adds.encode(), proposal=proposal, target=told.path, becomes=told.becomes, protects=told.protects,
    )  # fmt: skip


def _suggested(snapshot: Snapshot, proposal: Proposal, path: str) -> WaitingProposal:
    from reel_cli.features.review.suggested_words import find_replacement

    before, after, target = None, proposal.text.encode(), ""
    # a page shows both texts under "who I am"
    for ring0 in (IDENTITY, DIRECTIVES):
        text = snapshot.text(ring0)
        if text is None:
            continue
        head = text[: len(text) - len(front_matter.split(text, ring0).body)]
        body = text[len(head) :]
        exact = find_replacement(proposal.text, body)
        if exact is not None:
            before, after, target = text.encode(), (head + exact.apply(body)).encode(), ring0
            break
    what = "a change to who the persona is on paper"
    if target == DIRECTIVES:
        what = "a change to the persona's rules"
    where = f"on the page of chat {proposal.session}" if proposal.session else "by hand"
    why = f"{snapshot.settings.name} suggests it {where}"
    return WaitingProposal(
        proposal.id, Kind.IDENTITY, what, why, path, before, after, proposal=proposal, target=target
    )
