"""One thing that a person decides at the terminal: what it is, what would change, and what its keys do.

`reel review` makes them of what waits. Features bring to the port `findings` functions from an open kit to
those that only a close look finds; they go through the same walk (`walk.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.proposal_kind import Choice

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


class DecisionOrder(NamedTuple):
    """How a decision is carried out: by which choice, together with which others of its group.

    `decided` names all that is decided on and not carried out yet. `parts` has the choice of each decided
    part of the same whole, this one's too. With `dry` it is only planned, so that what cannot be is refused
    at once.
    """

    choice: Choice
    decided: Collection[str] = ()
    mates: Sequence[str] = ()
    parts: Mapping[str, Choice] = MappingProxyType({})
    dry: bool = False


class DecisionResult(NamedTuple):
    """The result of a decision: its commit ("" for none), and what else to say."""

    commit: str = ""
    note: str = ""


@frozen
class Draft:
    """The text of a decision that a person can edit, and what becomes of it: the decision with that text.

    `file` is the name under which the editor shows it. `take` raises ReelError for a text that is not fit,
    and returns None where the text is in the kit now, so that the decision is read again.
    """

    text: str
    file: str
    take: "Callable[[OpenKit, str], Decision | None]"


@frozen
class Decision:
    """One thing that waits for a person's decision, as it was read.

    `item` names it, `mark` differs once it reads otherwise. `shown` returns the lines of what would change.
    `split` returns its parts that can be decided alone, `[]` where it has none. Those of one `group` are
    carried out together where they are decided alike, the parts of one `whole` however they are decided; a
    lower `rank` comes first.
    """

    item: str
    what: str
    why: str
    mark: str
    choices: Sequence[Choice]
    shown: Callable[[], Sequence[str]]
    settle: "Callable[[OpenKit, DecisionOrder], DecisionResult]"
    draft: Draft | None = None
    split: "Callable[[], Sequence[Decision]] | None" = None
    group: str = ""
    rank: int = 1
    whole: str = ""
    """Name of the item with whose other parts this one is carried out at once; "" for none."""
    basis: str = ""
    """Digest of both texts that are compared, where `mark` does not tell it: a decision counts for these."""
    names: Sequence[str] = ()
    """The things that it is about, as a person calls each, with its value; () where `what` names it."""
    edited: str | None = None
    """The person's own text, where they edited it."""
