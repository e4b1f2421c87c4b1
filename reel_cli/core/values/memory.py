"""Contents of the rings: exemplars (1), working memory (2), memories (3), lines that point to them (4)."""

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.source import SourceRange, session_order


class Level(StrEnum):
    """Compression resolution (REEL §4.4): from session summary to one-line tag."""

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"


FIELDS = (
    "What happened",
    "What changed",
    "What matters",
    "What's unresolved",
    "Retrieval anchors",
)
"""The five fields of a consolidation (REEL §6.2), as `##` sections of an L1 or L2."""
PAST_STATES = "What was so before"
"""The section of a memory with states of working memory that ended then; no page writes it (REEL §4.3)."""

PROTOCOL_TAGS = ("identity", "relational", "operational", "emotional", "factual")
IMMUNE_TAGS = frozenset({"identity", "relationship-definitional"})
EXPERIENCE = "experience"
"""The tag of what showed over time in a conversation that was kept: it stands for no stretch of the tape."""
LORE = "lore"
"""The tag of what is known of a world: it came with a card or a lorebook, and nobody said it."""
IMPORTED = "imported"
"""The tag of what another program remembered, or a note said."""
SHARED = "shared"
"""The tag of what another persona shared: told (`imported` as well), or lived, and told of by the other."""
ORIGIN_TAGS = ("stage-origin", "chain-origin")
REEL_TAGS = frozenset({*PROTOCOL_TAGS, *IMMUNE_TAGS, *ORIGIN_TAGS, EXPERIENCE, LORE, IMPORTED, SHARED})
"""The tags that say what kind of memory it is; any other is a person's or the persona's own word about it."""

MEMORY_ID = late(r"M-(\d{3,})")
_AGE = frozenset(
    word
    for words in (
        "first firsts 1st oldest old older earliest early earlier beginning beginnings begin begins began",
        "begun start starts started initial opening ago longest predates",
    )
    for word in words.split()
)
_IDLE = frozenset(
    word
    for words in (
        "a an and the this that these it its it's is was were be been being as at by for from in of on to",
        "with among about where since because so very all ever one day days evening evenings night week",
        "weeks month year years time times thing things memory memories moment moments conversation",
        "conversations chat chats talk talks talked talking spoke session sessions meeting exchange page",
        "entry entries here there came come comes happened happening kept stays long still always",
        "everything else our ours my your we we've i i've you us have has had did do does date dates back",
        "right just simply only also",
    )
    for word in words.split()
)
"""Words that say nothing beside a word for age."""
_WORDS = late(r"[^\W_]+(?:['’][^\W_]+)?")


@frozen
class Memory:
    """One `ring3/M-nnn.md`.

    `created` is ISO 8601; `body` is all that follows the front matter, verbatim. `marker` (30 to
    100 tokens) and `tag` (10 to 30) stand for the memory where the whole does not fit.
    """

    id: str
    title: str
    level: Level
    body: str
    created: str = ""
    uid: str = ""
    sessions: tuple[str, ...] = ()
    source: tuple[SourceRange, ...] = ()
    tags: tuple[str, ...] = ()
    immune: bool = False
    immune_reason: str = ""
    anchor: str = ""
    """The phrase on its index line, verbatim on the tape."""
    model: str = ""
    marker: str = ""
    tag: str = ""
    asked_as: tuple[str, ...] = ()
    """Questions or topics that somebody may look for it by later, in other words than were said."""
    no_longer: str = ""
    """The fact that replaces something it tells, by a person's word."""
    undated: bool = False
    """True if it was imported without a date; `created` is then the day of the import."""
    day: str = ""
    """The day (ISO 8601) on which the last of it was said, where that is later than its session's."""

    @property
    def order(self) -> tuple[str, int, int, int]:
        """Return a sort key by when it was lived: session, then place in it, then number."""
        spans = self.source or tuple(SourceRange(s, 0, 0) for s in self.sessions)
        last = max(spans, key=lambda s: (session_order(s.session), s.first), default=None)
        number = memory_number(self.id)
        if last is None:
            # lore and undated memories come before all that was lived
            return ("" if LORE in self.tags or self.undated else self.created[:10], 0, 0, number)
        day, nth = session_order(last.session)
        return max(day, self.day), nth, last.first, number


@frozen
class IndexLine:
    """One line of `ring4/index.md` (REEL §4.5): `M-004 | what | "phrase" | tags | immune`.

    `where` is the stretch of tape a stub or a free-standing line points to. `more` is what reel does not know
    at the end of the line, as it is written there; lines that differ in nothing else are equal.
    """

    id: str
    description: str
    anchor: str
    tags: tuple[str, ...] = ()
    immune: bool = False
    pruned: bool = False
    where: SourceRange | None = None
    more: str = field(default="", compare=False)


def memory_number(memory_id: str) -> int:
    """Return the number in `M-004`; 0 where there is none."""
    found = MEMORY_ID.match(memory_id)
    return int(found[1]) if found else 0


def memory_path(memory_id: str) -> str:
    """Return the kit path of a memory's file."""
    return f"ring3/{memory_id}.md"


def format_id(number: int) -> str:
    """Return a memory's ID: `M-004` for 4."""
    return f"M-{number:03d}"


def implies_immunity(tags: Sequence[str]) -> bool:
    """Return whether these tags alone keep a memory from being pruned (REEL §6.5)."""
    return not IMMUNE_TAGS.isdisjoint(tags)


def is_brought(tags: Sequence[str]) -> bool:
    """Return whether these tags say that a memory came from elsewhere, with no stretch of tape behind it."""
    return LORE in tags or IMPORTED in tags


def where_of(memory: Memory) -> tuple[SourceRange, ...]:
    """Return the stretches of tape a memory stands for."""
    return memory.source or tuple(SourceRange(session, 1, 0) for session in memory.sessions)


RESOLUTIONS = ("L1", "L2", "L3", "L4", "stub", "dormant")
"""From the finest to the coarsest, as `Reel-Forgot` names them."""

PLAIN = {
    "L1": "page",
    "L2": "digest",
    "L3": "marker",
    "L4": "tag",
    "stub": "pruned",
    "dormant": "asleep",
    "aside": "set aside",
    "summary": "its summary",
}
"""Names of the levels in a table."""


def coarseness(resolution: str) -> int:
    """Return the place in `RESOLUTIONS`; an unknown one comes last."""
    return RESOLUTIONS.index(resolution) if resolution in RESOLUTIONS else len(RESOLUTIONS)


ROLES = ("correction", "humor", "emotional", "general")
"""Purposes of an exemplar when choosing by what a conversation calls for (REEL §4.2)."""

MOODS = {"conflict": "correction", "playful": "humor", "emotional": "emotional"}
"""The moods a conversation can have, and the exemplar role each calls for."""


@frozen
class Exemplar:
    """One `ring1/<slug>.md`; `text` is the exchange, verbatim: all that follows the front matter."""

    slug: str
    title: str
    role: str
    text: str
    added: str = ""
    source: str = ""

    @property
    def lost_words(self) -> bool:
        """Return whether a purge took words of it; then no model is to speak as it does."""
        from reel_cli.core.values.talk import PURGED

        return any(PURGED in text for text in (self.title, self.text))


SEED = "seed"
"""The source of an exemplar that came with the template."""
CARD_SOURCE = "card "
"""Beginning of the source of an exemplar that came with a card; the field follows."""


@frozen
class ActiveSet:
    """`ring1/active.yaml`: the anchor, the exemplars in rotation, and those a person lets rest (slugs)."""

    anchor: str | None = None
    active: tuple[str, ...] = ()
    resting: tuple[str, ...] = ()


UNWRITTEN = "Nothing was written down."
"""The text of a field that a short page was not asked about; no bundle tells it."""
SECTIONS = ("Active threads", "State", "Open loops", "Calibration")
"""The headings of `ring2/working.md`, in order (REEL §4.3)."""

LISTED = ("Active threads", "Open loops")
"""The sections made of items, numbered through when a checkpoint is asked for."""


@frozen
class Item:
    """One listed item, its `text` on one line; `lines` are where it stands (0-based, end exclusive)."""

    section: str
    text: str
    lines: tuple[int, int]


def is_age_alone(reason: str) -> bool:
    """Return whether a reason for keeping a memory says only that it is old, in English (REEL §10.7)."""
    words = {word.replace("’", "'") for word in _WORDS.findall(reason.casefold())}
    return bool(words & _AGE) and words <= _AGE | _IDLE
