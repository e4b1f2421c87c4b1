"""What is asked of the tape, and what is found: questions, hits, and notes that point at the tape."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reel_cli.model.tape import SourceRange


@dataclass(frozen=True, slots=True)
class Note:
    """A memory or an index line as the search sees it: what it says, and where on the tape it points.

    `keys` are phrases that find it when they stand in a question, word for word (anchor phrases).
    """

    id: str
    text: str
    keys: Sequence[str] = ()
    where: Sequence[SourceRange] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A query that stands alone, and where to look.

    `sessions` restricts the tape to these (None: all that stand). `people` are the names by which
    the question may call the two who speak, beside those that stand on the tape.
    """

    text: str
    sessions: Collection[str] | None = None
    people: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One moment: the turn that matched, and the turns around it that make sense of it.

    `message` and `span` are message numbers of `session`; all three are None for a note that points
    nowhere. `confidence` is calibrated, from 0 to 1. `note` is the memory or line it was found
    through, if any.
    """

    session: str | None
    message: int | None
    span: tuple[int, int] | None
    score: float
    confidence: float
    note: str | None = None
