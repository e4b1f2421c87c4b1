"""Search of the tape: questions, hits, and notes that point at the tape."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import SourceRange
from reel_cli.core.values.talk import Session

WORKING_NOTE = "note "
"""Beginning of the ID of a note or open loop of working memory, before its number there."""
ENDED_FACT = "ended fact "
"""Beginning of the ID of a fact that is over where it answers a question."""


@frozen
class Note:
    """A memory, an index line, a fact or a note of working memory: its words, and its places on the tape.

    `keys` are phrases that find it when they stand in a question, word for word (anchor phrases). A fact's or
    a note's `line` is the statement that answers by itself; "" for all else. `past` are the statements that a
    fact had before, newest first, each with the day until which it held.
    """

    id: str
    text: str
    keys: Sequence[str] = ()
    where: Sequence[SourceRange] = ()
    line: str = ""
    past: Sequence[tuple[str, str]] = ()


@frozen
class Question:
    """A query that stands alone, and where to look.

    `sessions` restricts the tape to these (None: all that stand), `notes` the notes by their IDs. `names`
    are what the kit calls those who speak, by role (`user`, `assistant`), beside the names on the tape.
    """

    text: str
    sessions: Collection[str] | None = None
    notes: Collection[str] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    last: bool = False
    """Whether the end of the newest session is asked for, whatever the text."""
    placeless: bool = False
    """Whether `notes` without a place on the tape answer where `sessions` restricts it."""
    asker: str = ""
    """Role of who asks, which says whose `my` is; "" where it may be either."""


@frozen
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
    messages: tuple[int, ...] = ()
    """Every message of the span, in the order last shown; on a tape without corrections, first to last."""
    terms: tuple[str, ...] = ()
    """The words of the question that were found there."""
    lead: str | None = None
    """The memory, line or fact whose words lead to the turn; it is the tape that is told."""
    loose: bool = False
    """Whether those words are like no turn, so that only the note's phrase leads to this one."""
    foreseen: bool = False
    """Whether the note asks the same question, which its stretch of tape answers."""


@frozen
class SearchResult:
    """An answer: what is certain enough, best first, and the nearest of the rest.

    `terms` are the words of the question that were looked for, and in how many turns each stands. `known` is
    the ID and the statement of the fact that says most of what was asked, if one does.
    """

    hits: Sequence[Hit]
    discarded: Sequence[Hit] = ()
    threshold: float = 0.0
    terms: Mapping[str, int] = field(default_factory=dict)
    known: tuple[str, str] | None = None
    standing: Sequence["StandingSentence"] = ()
    """If something is asked for: the words that hold always, newest first."""
    lacking: Sequence[str] = ()
    """Words of the question that were never said, where the hits are unsure because of them."""


@frozen
class ThreadPath:
    """A matter that comes up again and again, from a moment on: its name, and where else it came up.

    `sessions` are in the order of the tape, the moment's own left out, and `weights` those of the edges
    between the moment and them. `look` returns, for one of them and the moment's own, the number of the
    message that says most of the matter, and in one sentence why it is there.
    """

    name: str
    sessions: Sequence[str]
    weights: Mapping[str, int]
    look: Callable[[Session, Session], tuple[int, str]]


@frozen
class CourseStep:
    """A memory that another one came from or went on in: its ID, its title, and the edge between them.

    `thread` is the name of a matter that both tell of, or ""; `reason` says in one sentence why it is there.
    """

    id: str
    title: str
    thread: str
    type: str
    weight: int
    reason: str


@frozen
class MemoryCourse:
    """The memories that one came from and went on in, each in order of time."""

    before: Sequence[CourseStep] = ()
    after: Sequence[CourseStep] = ()


@frozen
class StandingSentence:
    """A sentence that holds always, and the message that it was said in."""

    session: str
    message: int
    text: str
