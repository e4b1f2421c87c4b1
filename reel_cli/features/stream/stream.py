"""The stream: the conversation that goes on, how it began, and what it goes on from once it was kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.frozen import frozen
from reel_cli.core.pack.words import MessageText

if TYPE_CHECKING:
    from reel_cli.core.values.talk import SourceRange

STREAM = "stream"
"""Name of the part in the account of a bundle."""
BUFFER = "buffer"
"""Name of the part in the account of a bundle."""


class Cycle(NamedTuple):
    """A user's turn and its reply, all of one session: (number, the words as they are told), in their order.

    What was said before the first turn is in the first cycle. `gap`: what was said right before it is gone.
    """

    session: str
    said: Sequence[tuple[int, str]]
    gap: bool = False


class Buffer(NamedTuple):
    """The first cycles of a conversation, oldest first.

    `now`: it is the one that the bundle goes on with, else the one that was had last. `told` is what a person
    should know of it. `whole`: these cycles are all that was said in it.
    """

    cycles: Sequence[Cycle] = ()
    now: bool = False
    told: Sequence[str] = ()
    whole: bool = False


@frozen
class KeptConversation:
    """The state of a kept conversation: its summary, and the last message that it covers.

    `upto` is the last message of `session` that the summary knows; `whole` are all the stretches of tape
    that it stands for, oldest first. `pinned` is what it is to keep to, `overlap` how many tokens of its last
    messages were wished for (None for the usual). `keeps` counts how often it was kept, `at` is ISO 8601.
    `noticed` are the memories that the keep made, by ID.
    """

    session: str
    upto: int
    summary: str
    at: str = ""
    keeps: int = 1
    whole: "Sequence[SourceRange]" = ()
    pinned: Sequence[str] = ()
    overlap: int | None = None
    noticed: Sequence[str] = ()


class Resumption(NamedTuple):
    """The parts of the bundle with which a kept conversation goes on.

    `said` are its last messages, oldest first, all that may be told; of them, as many of the newest as fit
    into `overlap` tokens are (None for the usual share). Those after `upto` are in no summary. `buffer` is
    how it began. `noticed` are the memories that its last keep made, `noticed_before` those of earlier keeps.
    """

    summary: str
    session: str = ""
    said: Sequence[MessageText] = ()
    upto: int = 0
    overlap: int | None = None
    pinned: Sequence[str] = ()
    buffer: Buffer = Buffer()
    noticed: frozenset[str] = frozenset()
    noticed_before: frozenset[str] = frozenset()
