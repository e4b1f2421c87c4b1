"""Holdings of a kit that can be packed: rows with sizes first, texts only when chosen.

Packing takes a few milliseconds, and making a frozen dataclass takes one; so what only packing uses are named
tuples and plain classes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from reel_cli.core.values.memory import ActiveSet, Exemplar
from reel_cli.core.values.settings import Settings

if TYPE_CHECKING:
    from reel_cli.core.values.memory import IndexLine, Memory

BLOCK = 4
"""Number of memories, counted from the oldest, that become finer or coarser together."""
YOUNG = 2 * BLOCK
"""Number of evenings up to which a life is young."""
RESOLUTIONS = ("whole", "marker", "tag")
"""Forms a memory can be loaded in, finest first."""


def count_settled(count: int) -> int:
    """Return how many of so many evenings have settled: all but the last one to four, or to eight later on.

    What is told of them stays as it is for four evenings of a young life, and for eight later on.
    """
    step = BLOCK if count <= YOUNG else 2 * BLOCK
    return max(0, count - 1) // step * step


def count_to_come(count: int) -> int:
    """Return how many more evenings come beside so many before what has settled is told anew."""
    return -count % (BLOCK if count <= YOUNG else 2 * BLOCK)


class MemoryRow(NamedTuple):
    """One memory's sizes in tokens, as it would be written; `whole >= marker >= tag`.

    Equal sizes are the same text. `mark` changes when the memory's file does. `brought` where it came from
    elsewhere and was not lived.
    """

    id: str
    level: str
    whole: int
    marker: int
    tag: int
    mark: str
    brought: bool = False


class LineRow(NamedTuple):
    """One index line's size in tokens; `place` grows down the file, `mark` changes when the line does.

    `brought` where it stands for what came from elsewhere and was not lived.
    """

    id: str
    place: int
    tokens: int
    immune: bool
    mark: str
    brought: bool = False


class EarlierForm(NamedTuple):
    """A form of a memory that its file no longer has, from history: whole or marker, as it is written."""

    name: str
    tokens: int
    text: str


class Tie(NamedTuple):
    """A thread that goes on: its name, the memory that tells most of it, the first and the last of it."""

    thread: str
    id: str
    beginning: str
    last: str


class Earlier(Protocol):
    """The earlier words of memories that have faded."""

    def of(
        self,
        rows: Sequence[MemoryRow],
        writing: "MemoryTexts",
        counter: "Counter",
        notebook: "Notebook | None",
    ) -> Mapping[str, Sequence[EarlierForm]]:
        """Return the forms that history has of each of these memories, finer than its file's, by its ID."""


class Memories(Protocol):
    """Ring 3, read as far as it is asked for."""

    @property
    def count(self) -> int:
        """Return the number of memories."""

    @property
    def brought(self) -> int:
        """Return how many of the memories came from elsewhere."""

    @property
    def markers(self) -> int:
        """Return the tokens of all their markers."""

    @property
    def tags(self) -> int:
        """Return the tokens of all their tags."""

    @property
    def levels(self) -> Mapping[str, int]:
        """Return the number of memories by level."""

    @property
    def whole(self) -> int:
        """Return the tokens of all of them as they are kept."""

    def newest(self) -> Iterator[MemoryRow]:
        """Yield all rows, newest first."""

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""

    def texts(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Return the written texts of chosen IDs, each at the resolution it is chosen at."""


class Lines(Protocol):
    """Ring 4, read as far as it is asked for; further down in the file is newer."""

    @property
    def count(self) -> int:
        """Return the number of lines."""

    @property
    def brought(self) -> int:
        """Return how many of the lines stand for what came from elsewhere."""

    @property
    def tokens(self) -> int:
        """Return the tokens of them all."""

    @property
    def least(self) -> int:
        """Return a number of tokens that no line is shorter than."""

    def newest(self, *, immune: bool | None = None) -> Iterator[LineRow]:
        """Yield all rows, or only those with this flag, newest first."""

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""

    def immune_ids(self) -> Collection[str]:
        """Return the IDs of the immune ones."""

    def words(self) -> Iterator[tuple[str, str]]:
        """Return each ID with its description, phrase and tags, to hold a cue against."""

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the written lines of these IDs."""


class Clash(NamedTuple):
    """Two sentences that disagree and wait for a person's decision: each one's place, words and day."""

    id: str
    older: tuple[str, str, str]
    newer: tuple[str, str, str]


class FactRow(NamedTuple):
    """A fact as a bundle has it, in the bundle's order; a smaller `rank` takes room first.

    `why` says for what reason. `value` is a statement about somebody. Those that `must` be there are, the
    others as far as there is room.
    """

    id: str
    category: str
    key: str
    value: str
    must: bool
    rank: int
    source: str = ""
    """The stretch of tape that it was taken from."""
    why: str = ""
    protects: bool = False
    """True if it protects somebody, and so never yields."""
    settled: bool = False
    """True if it was known before the last evenings, so that it keeps its place."""
    ends: str = ""
    """The day (ISO) after which it is over, by its own words; "" for none."""
    lasting: bool = False
    """True if it is of somebody or promised, and so comes before what may be looked up."""


class OldValue(NamedTuple):
    """A fact's value that holds no longer, by the tokens in which a line of a bundle would tell it.

    `slots` are those of which another stands in what holds `now` ("" where nothing does), `keyed` and `names`
    say what the value is of: the words of its name, and the others. `new` only stand in what holds. A line
    that was told before `since` (ISO) and has all of `told`, if there are any, tells the old value.
    """

    id: str
    name: str
    since: str
    now: str
    slots: Sequence[str]
    keyed: Sequence[str]
    names: Sequence[str]
    new: Sequence[str]
    told: Sequence[str] = ()
    beside: str = ""
    """`no`, `owe` or `allergic`: the kind of word beside the name in a line that tells the old value."""
    over: bool = False
    """True if nothing came in its place, so that only lists and short tellings are marked."""
    ended: str = ""
    """The day (ISO) on which it ended; "" where nobody said it."""
    begun: str = ""
    """The day (ISO) before which no line tells it by its name alone; "" for any."""
    promised: Sequence[str] = ()
    """Words of a promise: two of them tell it in a sentence in which something is owed."""
    rest: Sequence[str] = ()
    """Words of what holds beside the end itself: a line that has one tells that, and not the old value."""
    held: bool = False
    """True if another value came in its place, so that its thing is not over."""
    part: str = ""
    """The parts of what holds that give another number; told in place of `now` where that is too long."""
    was: str = ""
    """The old value as a bundle told it; "" where that is too long."""


class Core(NamedTuple):
    """The parts of a kit that are few and small: all but rings 3 and 4.

    `identity`, `directives` and `working` are all that follows the front matter, as in force. `waiting`
    names the files of ring 0 whose edit is not, `drafts` those whose edit is, though nobody
    reviewed it. `unapproved` names the files of ring 1 that differ on the disk from the approved text,
    each with how (edited, deleted, added). `resting` are facts that are held out, by ID, and why.
    """

    settings: Settings
    identity: str
    directives: str
    working: str
    exemplars: Sequence[Exemplar]
    active: ActiveSet
    waiting: Sequence[str] = ()
    drafts: Sequence[str] = ()
    clashes: Sequence[Clash] = ()
    facts: Sequence[FactRow] = ()
    resting: Sequence[tuple[str, str]] = ()
    unapproved: Sequence[tuple[str, str]] = ()
    old_values: Sequence[OldValue] = ()
    """The values of facts that hold no longer."""
    doubt: tuple[str, str] | None = None
    """Reason to doubt that reel made the approval of ring 0, with the mend."""


class Notebook(Protocol):
    """A store for values made of a kit's files, kept from one packing to the next."""

    def clock(self) -> int:
        """Return the time before which a file must be born for values of it to be kept, in nanoseconds."""

    def recall(self, name: str, stamp: str) -> str | None:
        """Return the value kept under a name, if it was kept with this stamp."""

    def keep(self, name: str, stamp: str, value: str) -> None:
        """Keep a value under a name, in place of another."""


class RestingParts(NamedTuple):
    """The parts of a kit that came of nothing but chats that were taken back: kept, and told to no model.

    `memories` and `lines` are IDs, `examples` names; `working` is where things stand without the notes that
    only their pages wrote, None where it has none.
    """

    memories: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    examples: frozenset[str] = frozenset()
    working: str | None = None


class Holdings(NamedTuple):
    """The contents of a bundle, from one moment of one kit.

    `highest` is the highest memory number there is; `broken` are the numbers of index lines that are none.
    `notebook` is there where the kit has a catalog.
    """

    core: Core
    memories: Memories
    lines: Lines
    counter: "Counter"
    highest: int = 0
    broken: Sequence[int] = ()
    notebook: Notebook | None = None
    earlier: "Callable[[], Earlier | None] | None" = None
    """A function that looks for the history of what is packed."""
    ties: "Callable[[Holdings, Sequence[MemoryRow]], Sequence[Tie]] | None" = None
    """A function that finds the threads that go on among memories, newest first; the nearest first."""
    ring3: str = ""
    """The stamp of ring 3's files that this is of; "" where they were read without one."""
    state: str = ""
    """The stamp of the kit's small files and its newest commit; "" where they were read without one."""
    rests: RestingParts = RestingParts()
    """The parts that were left out of it, since their chats were taken back."""
    tagged: Sequence[str] = ()
    """The IDs of memories and lines whose STAGE or CHAIN syntax was left out of what is written (REEL §5)."""


class Counter(Protocol):
    """A tokenizer as packing needs it: it may answer from what was counted before."""

    @property
    def name(self) -> str:
        """Return the tokenizer's name in `kit.yaml`."""

    @property
    def additive(self) -> bool:
        """Return whether counts of units add up to the count of the units joined."""

    def count(self, text: str) -> int:
        """Return the token count of `text`."""


def kept_under(counter: Counter) -> str:
    """Return the key under which a tokenizer's counts are kept: its name, and the file if it is one."""
    return str(getattr(counter, "key", counter.name))


class MemoryTexts(Protocol):
    """The form in which memories and index lines are written into a bundle; each text ends in a newline."""

    @property
    def key(self) -> str:
        """Return a key that changes whenever the same memory would be written differently."""

    def among(self, names: Sequence[str]) -> Self:
        """Return the same form for a kit in whose chats these people speak."""

    def memory(self, memory: "Memory", parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
        """Return a memory written whole, as marker and as tag; `parts` are its body's headings and texts."""

    def line(self, line: "IndexLine") -> str:
        """Return an index line, written."""
