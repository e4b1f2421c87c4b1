"""Proposals that wait for a person's decision."""

from enum import StrEnum

from reel_cli.core.frozen import frozen


class ReviewKind(StrEnum):
    """Kinds of proposal, and of edit by hand."""

    IDENTITY = "identity"
    """A persona's suggestion to change ring 0; words, not yet an edit."""
    EXEMPLAR = "exemplar"
    """An exchange, verbatim, proposed for the ring 1 pool."""
    CONTRADICTION = "contradiction"
    """Two items that contradict each other; both stay until a person decides."""
    IMMUNITY = "immunity"
    """A memory that must stay, or need not any more, as the persona sees it."""
    CLOSING = "closing"
    """Notes that a page closes and nobody reviewed."""
    FACT = "fact"
    """Facts about the persona that nobody reviewed."""
    THREAD = "thread"
    """A chat that is part of a thread or is not, and the thread's name, as a page says it."""
    HANDED_IN = "handed-in"
    """Proposal from a model through a tool: a page, something to remember, advice."""
    HAND = "hand"
    """An edit made by hand in ring 0, in the pool, or anywhere else."""


@frozen
class Side:
    """One of two things that do not agree: where it stands (`M-004`, `ring2`), its words, its day or ""."""

    where: str
    says: str
    day: str = ""


@frozen
class Proposal:
    """One file in `review/`: where it came from, and what it proposes (`text`, verbatim).

    A contradiction has its two sides, the older first; of what must stay there is the `memory`, and
    whether it is to be `immune`, with which `tags`. A closing's text lists the notes, one a line after `- `;
    the text of a fact and of a thread is entries as `facts.yaml` and
    `threads.yaml` have them.
    """

    id: str
    kind: ReviewKind
    session: str
    made: str
    title: str
    text: str
    role: str = ""
    source: str = ""
    why: str = ""
    """Reason for the proposal if nobody named it; "" if the persona did."""
    sides: tuple[Side, ...] = ()
    memory: str = ""
    immune: bool = False
    tags: tuple[str, ...] = ()
    """Tags that come with a memory that must stay."""
    op: str = ""
    """Operation of a handed-in item, one of `settings.HANDED_IN` or `settings.PROPOSED`."""
    where: str = ""
    """The place that was named for something to remember."""
    asked: str = ""
    """The content its prompt asked for, as JSON."""


def tell_waiting(count: int) -> str:
    """Return how many things `reel review` would show, as every screen says it."""
    if not count:
        return "Nothing waits for your decision"
    return "1 thing waits for your decision" if count == 1 else f"{count:,} things wait for your decision"
