"""Measurement of a kit: its facts, how much of the past a bundle retains, how full everything is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.known_facts import KnownFacts, Round, read_known
from reel_cli.core.pack.words import known
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.holdings import kept_under
from reel_cli.core.values.source import to_ranges
from reel_cli.core.values.talk import SourceRange, session_path

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter


BUNDLE, HELD = "bundle", "facts_held"
_NOT_LIVED = ("0", "1", "frame", "shelf", "domain", "apart")
"""Parts of a bundle that tell of no chat: identity, examples, our own words, files, tables, other kits."""
LONG = 500
"""Cycles from which the document promises a tenth of the tokens (SRIP-11 §VII)."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Anchor recall integrity: which of the declared facts a bundle lacks; `why` where none can be packed."""

    declared: int
    missing: Sequence[str] = ()
    why: str = ""

    @property
    def value(self) -> float | None:
        """Return the share that is there."""
        return (self.declared - len(self.missing)) / self.declared if self.declared else None


@dataclass(frozen=True, slots=True)
class Extraction:
    """Fact extraction rate: how many facts came of how many times that they were asked for."""

    kept: int
    refused: int
    attempts: int

    @property
    def value(self) -> float | None:
        """Return the facts per attempt."""
        return self.kept / self.attempts if self.attempts else None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Fact coverage: of which categories there is a fact, and of which there is none."""

    known: Sequence[str]
    unknown: Sequence[str]

    @property
    def value(self) -> float | None:
        """Return the share of categories with a fact; None without categories."""
        every = len(self.known) + len(self.unknown)
        return len(self.known) / every if every else None


@dataclass(frozen=True, slots=True)
class Compression:
    """Compression ratio: what a bundle retains of the past, and all that was said; both in tokens."""

    retained: int | None
    said: int

    @property
    def value(self) -> float | None:
        """Return the share that is retained."""
        return self.retained / self.said if self.said and self.retained is not None else None


@dataclass(frozen=True, slots=True)
class Fullness:
    """The part of the available room that is taken."""

    name: str
    taken: int
    most: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures at one moment of one kit; `turns` are the user's, `gone` those searched for facts."""

    recall: Recall
    extraction: Extraction
    coverage: Coverage
    compression: Compression
    full: Sequence[Fullness]
    turns: int
    gone: int
    resting: int


def measure(
    snapshot: "Snapshot",
    sessions: Sequence[str],
    counter: "Counter",
    rounds: Sequence[Round],
    pack: Callable[[], Bundle],
) -> Metrics:
    """Measure a kit: `sessions` are those that count, `rounds` the times facts were asked for.

    Raises ReelError where the facts cannot be read; a bundle that cannot be packed holds nothing.
    """
    facts = read_known(snapshot)
    why, bundle = "", None
    try:
        bundle = pack()
    except ReelError as error:
        why = error.message
    turns, tokens = _said(snapshot, sessions, counter)
    spans = [one.span for one in rounds]
    every = [(session, number) for session, numbers in turns.items() for number in numbers]
    return Metrics(
        _recall(facts, bundle, why),
        Extraction(sum(one.kept for one in rounds), sum(one.refused for one in rounds), len(rounds)),
        Coverage(facts.known, facts.unknown),
        Compression(_retained(bundle), tokens),
        _full(facts, bundle),
        len(every),
        sum(any(_holds(span, session, number) for span in spans) for session, number in every),
        facts.resting,
    )


def recall_of(snapshot: "Snapshot", bundle: Bundle) -> Recall:
    """Return which of a kit's facts are in a bundle (SRIP-11 §VI, anchor recall integrity).

    Raises ReelError where the facts cannot be read.
    """
    return _recall(read_known(snapshot), bundle, "")


def _recall(facts: KnownFacts, bundle: Bundle | None, why: str) -> Recall:
    """Return which of the facts that are held are in the bundle's own text."""
    text = bundle.text if bundle is not None else ""
    missing = [one.id for one in facts.held if f"{known(one.key, one.value)}\n" not in text]
    return Recall(len(facts.held), missing, why)


def _retained(bundle: Bundle | None) -> int | None:
    """Return a bundle's tokens about what was lived, in whichever form.

    An evening may be there as a page, word for word, and as a line, so a short life takes more than was said.
    """
    if bundle is None:
        return None
    return sum(item.tokens for item in bundle.loaded if item.ring not in _NOT_LIVED)


def _holds(span: SourceRange, session: str, number: int) -> bool:
    return span.session == session and (not span.last or span.first <= number <= span.last)


def _full(facts: KnownFacts, bundle: Bundle | None) -> list[Fullness]:
    found = [Fullness(HELD, len(facts.held), facts.most)]
    if bundle is not None:
        found.append(Fullness(BUNDLE, bundle.tokens, bundle.cap - bundle.live))
        found += [
            Fullness(ring, share.tokens, share.max + share.beyond) for ring, share in bundle.rings.items()
        ]
    return found


def _said(
    snapshot: "Snapshot", sessions: Sequence[str], counter: "Counter"
) -> tuple[dict[str, list[int]], int]:
    """Return the user's turns by session, and the tokens of everything that was said."""

    def note(path: str) -> tuple[Sequence[Sequence[int]], int]:
        shown = parse_session(snapshot.read(path) or b"", path).shown()
        mine = [entry.number for entry in shown if entry.message.role == "user" and entry.number]
        return to_ranges(mine), sum(counter.count(entry.message.text) for entry in shown)

    paths = [session_path(session) for session in sessions]
    kept: Any = snapshot.note(f"turns and tokens {kept_under(counter)}", paths, note)
    turns = {
        session: [n for first, last in kept[path][0] for n in range(first, last + 1)]
        for session, path in zip(sessions, paths, strict=True)
    }
    return turns, sum(kept[path][1] for path in paths)
