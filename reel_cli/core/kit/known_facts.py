"""The facts of a kit as they are measured, which a feature brings; without it there are none."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import bring, list_feature_files
from reel_cli.core.values.talk import SourceRange

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import FactRow
    from reel_cli.core.values.search import Question


@frozen
class Round:
    """One time that facts were asked for: the stretch, how many were kept, how many were refused."""

    span: SourceRange
    kept: int
    refused: int


@frozen
class KnownFacts:
    """The facts for every bundle, how many rest, and the categories with a fact and without one.

    `most` is how many a bundle may have. `own` has the statements of the persona's own life as it reads them,
    each with the one that a person reads: a bundle says "your brother" to the persona.
    """

    held: "Sequence[FactRow]" = ()
    resting: int = 0
    known: Sequence[str] = ()
    unknown: Sequence[str] = ()
    most: int = 0
    own: Sequence[tuple[str, str]] = ()
    nameless: Sequence[tuple[str, str, str, str]] = ()
    """ID, kind, name and value of those whose name or value a purge took; no bundle has them."""


@frozen
class ReplacedFact:
    """A fact that holds no longer: where it was said, and the one that replaced it, or that it is over.

    `since` is where that was said; None where a person noted it.
    """

    source: SourceRange
    id: str
    statement: str
    since: SourceRange | None = None


@frozen
class DecidedFact:
    """A fact that a person decided by hand: what it says, and the command that takes the decision back."""

    told: str
    command: str


@frozen
class FactsOfChats:
    """The IDs of the facts that some chats tell, change or end, and what a person decided there by hand."""

    ids: frozenset[str] = frozenset()
    by_hand: Sequence[DecidedFact] = ()


@frozen
class FactReader:
    """Readings of a kit's facts: those that hold, the times they were asked for, and those replaced.

    `past` are by ID the statements that a fact had before, newest first, each with the day of its end.
    `ended` answers a question by a fact that is over. `of_chats` tells what some chats noted, and `marks` the
    memories marked anew where other facts hold after a change than before; `restored` those that came back.
    All but `rounds` raise ReelError where the facts cannot be read.
    """

    read: "Callable[[Snapshot], KnownFacts]"
    rounds: "Callable[[Repository | None, str | None], Sequence[Round]]"
    replaced: "Callable[[Snapshot], Sequence[ReplacedFact]]"
    past: "Callable[[Snapshot], Mapping[str, Sequence[tuple[str, str]]]]"
    ended: "Callable[[Snapshot, Question], tuple[str, str] | None]"
    of_chats: "Callable[[Snapshot, Collection[str]], FactsOfChats]"
    marks: "Callable[[Snapshot, Snapshot], Mapping[str, bytes]]"
    restored: "Callable[[Snapshot, Collection[str]], Mapping[str, bytes]]"


def read_known(snapshot: "Snapshot") -> KnownFacts:
    """Return the facts of a kit; raises ReelError where they cannot be read."""
    return next((one.read(snapshot) for one in bring("known_facts")), KnownFacts())


def _has_facts(snapshot: "Snapshot") -> bool:
    # a kit without facts does not load how they are read
    return any(snapshot.peek(file.path, 1) for _, file in list_feature_files() if file.packed)


def find_ended(snapshot: "Snapshot", question: "Question") -> tuple[str, str] | None:
    """Return the ID of the fact that answered a question until it was over, and the line that says so.

    None where none did; raises ReelError where the facts cannot be read.
    """
    if not _has_facts(snapshot):
        return None
    return next((one.ended(snapshot, question) for one in bring("known_facts")), None)


def read_replaced(snapshot: "Snapshot") -> Sequence[ReplacedFact]:
    """Return the facts that were replaced or ended; raises ReelError where they cannot be read."""
    if not _has_facts(snapshot):
        return ()
    return next((one.replaced(snapshot) for one in bring("known_facts")), ())


def read_past(snapshot: "Snapshot") -> "Mapping[str, Sequence[tuple[str, str]]]":
    """Return by ID what the facts of a kit said before; raises ReelError where they cannot be read."""
    return next((one.past(snapshot) for one in bring("known_facts")), {})


def tell_to_person(snapshot: "Snapshot", told: str) -> str:
    """Return a line of facts as a person reads it rather than the persona, whose own ones say `you`."""
    try:
        own = read_known(snapshot).own
    except ReelError:
        return told
    for line, plain in own:
        told = told.replace(line, plain)
    return told


def find_facts_of_chats(snapshot: "Snapshot", sessions: Collection[str]) -> FactsOfChats:
    """Return the facts of some chats; none where they cannot be read, which status tells."""
    with suppress(ReelError):
        if _has_facts(snapshot):
            return next((one.of_chats(snapshot, sessions) for one in bring("known_facts")), FactsOfChats())
    return FactsOfChats()


def mark_memories(before: "Snapshot", after: "Snapshot") -> "Mapping[str, bytes]":
    """Return the memories to mark where a change lets other facts hold; none where they cannot be read."""
    with suppress(ReelError):
        if _has_facts(after):
            return next((one.marks(before, after) for one in bring("known_facts")), {})
    return {}


def find_rounds(repository: "Repository | None", tip: str | None) -> Sequence[Round]:
    """Return the times that facts were asked for, up to a commit (None: the newest), newest first."""
    return next((one.rounds(repository, tip) for one in bring("known_facts")), ())


def mark_restored(snapshot: "Snapshot", restored: Collection[str]) -> "Mapping[str, bytes]":
    """Return those memories, of the `restored` IDs, that need another mark by the facts of today."""
    with suppress(ReelError):
        if restored and _has_facts(snapshot):
            return next((one.restored(snapshot, restored) for one in bring("known_facts")), {})
    return {}
