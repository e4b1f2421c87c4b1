"""Schemas of replies: an artifact's fields as data, with every accepted name of each.

The labels are those of the prompt; the names are the documents' own, and always understood; loose
names are what models put in their place, and count only where nothing speaks against it. A reply with the
labels of another schema, and none of its own, answers another prompt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from reel_cli.core.frozen import frozen
from reel_cli.core.ports import bring
from reel_cli.core.resources import read_ask

Shape = Literal["line", "prose", "list"]


@frozen
class FieldSpec:
    """One field of an artifact.

    `label` is the prompt's heading, `hint` the prompt's words below it (what of them is echoed is
    no answer). `names` are the documents' own, `loose` the synonyms. `shape` says how a value is
    read: one line, paragraphs, or items.
    """

    key: str
    label: str
    names: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    shape: Shape = "prose"
    required: bool = True
    hint: str = ""
    asked: bool = True
    """True if the prompt has it as a heading; a part that is not asked for is still understood."""
    filled: bool = False
    """True if "nothing" is not accepted as an answer."""
    instead: tuple[str, ...] = ()
    """Keys of fields any of which answers this one too."""
    commas: bool = False
    """True if a comma separates items."""
    numbered: bool = False
    """True if an item's number is meaningful and is kept."""
    by_line: bool = False
    """True if each line of what is read as prose is an item of its own."""
    records: bool = False
    """True if an item has parts between bars; a mapping in a list is read as `key: value | key: value`."""


@dataclass(frozen=True, slots=True)
class Schema:
    """An artifact's fields in the prompt's order; `sections` head parts of it and hold nothing.

    Raises ValueError when two fields share a name.
    """

    name: str
    fields: tuple[FieldSpec, ...]
    sections: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        owners: dict[str, str] = {}
        for spec in self.fields:
            for name in (spec.label, *spec.names, *spec.loose):
                folded = re.sub(r"\W|_", "", name).casefold()
                if owners.setdefault(folded, spec.key) != spec.key:
                    message = f"{name!r} names both {owners[folded]} and {spec.key}"
                    raise ValueError(message)

    def __getitem__(self, key: str) -> FieldSpec:
        """Return the field with this key; raises KeyError where there is none."""
        for spec in self.fields:
            if spec.key == key:
                return spec
        raise KeyError(key)

    @property
    def asked(self) -> tuple[FieldSpec, ...]:
        """Return the fields the prompt has headings for."""
        return tuple(spec for spec in self.fields if spec.asked)

    def only(self, keys: Iterable[str]) -> "Schema":
        """Return the artifact with these fields alone, all of them asked for (a repair prompt's)."""
        wanted = set(keys)
        return replace(self, fields=tuple(replace(s, asked=True) for s in self.fields if s.key in wanted))


def read_hints(ask: str) -> Mapping[str, str]:
    """Return the text below each label of an ask's template, by label."""
    blocks = re.split(r"(?m)^## ", read_ask(ask))[1:]
    return {label.strip(): hint.strip() for label, _, hint in (block.partition("\n") for block in blocks)}


def _hinted(*fields: FieldSpec) -> tuple[FieldSpec, ...]:
    """Return the fields with the text of `asks/parts.md` below their labels; KeyError where one has none."""
    hints = read_hints("parts")
    return tuple(replace(spec, hint=hints[spec.label]) if spec.asked else spec for spec in fields)


_SECTIONS = (
    "checkpoint",
    "checkpoint artifact",
    "session checkpoint",
    "self-assessment",
    "self-assessment checkpoint",
    "consolidation",
    "consolidation artifact",
    "memory consolidation",
    "session consolidation",
    "session summary",
    "memory",
    "memory artifact",
    "the page",
    "my page",
    "journal",
    "journal page",
    "journal entry",
)

_TIMESTAMP = FieldSpec(
    "timestamp", "Timestamp", loose=("time", "date"), shape="line", required=False, asked=False
)

_CONSOLIDATION = _hinted(
    FieldSpec(
        "title",
        "In a few words",
        names=("title",),
        loose=("heading", "session title", "memory title", "few words"),
        shape="line",
        required=False,
    ),
    FieldSpec(
        "happened",
        "What happened",
        loose=("what occurred", "events", "facts", "summary"),
        filled=True,
    ),
    FieldSpec("changed", "What changed", loose=("what has changed", "changes")),
    FieldSpec("matters", "What matters", loose=("what mattered", "why it matters", "significance")),
    FieldSpec(
        "unresolved",
        "What's unresolved",
        loose=(
            "unresolved",
            "unresolved issues",
            "unresolved threads",
            "what remains unresolved",
            "what's still unresolved",
            "what's still open",
            "still unresolved",
            "open ends",
            "what's open",
            "still open",
            "open threads",
            "open questions",
            "left open",
            "what's left open",
        ),
        shape="list",
    ),
    FieldSpec(
        "anchors",
        "Lines to find it by",
        names=("retrieval anchors",),
        loose=(
            "anchors",
            "anchor phrases",
            "retrieval phrases",
            "search anchors",
            "key phrases",
            "quotes",
            "key quotes",
            "keywords",
            "lines",
            "to find it by",
        ),
        shape="list",
        commas=True,
    ),
    FieldSpec(
        "marker",
        "In one breath",
        names=("marker",),
        loose=("in one paragraph", "one paragraph", "one breath", "all of it in one breath"),
        required=False,
    ),
    FieldSpec(
        "kind",
        "What kind of memory",
        loose=(
            "kind of memory",
            "what sort of memory",
            "sort of memory",
            "type of memory",
            "memory kind",
            "memory type",
            "what kind",
            "kind",
        ),
        required=False,
    ),
    FieldSpec(
        "asked_as",
        "What may be asked later",
        names=("asked as",),
        loose=("may be asked later", "asked later", "what may be asked", "questions it answers", "questions"),
        shape="list",
        required=False,
    ),
    FieldSpec(
        "tags",
        "Tags",
        names=("content type tags",),
        loose=("content tags", "categories"),
        shape="list",
        required=False,
        asked=False,
        commas=True,
    ),
    FieldSpec(
        "immune",
        "Pruning immunity",
        names=("pruning immunity flag", "immune"),
        loose=("immunity", "immunity flag"),
        required=False,
        asked=False,
    ),
    FieldSpec(
        "tag",
        "In one line",
        names=("one line tag",),
        loose=("one line", "tag"),
        shape="line",
        required=False,
        asked=False,
    ),
)

_CHECKPOINT = _hinted(
    FieldSpec(
        "coherence",
        "Am I still myself",
        names=("identity coherence",),
        loose=("am I still me", "still myself", "myself", "identity", "coherence", "identity check"),
    ),
    FieldSpec(
        "calibration",
        "How I was",
        names=("calibration state",),
        loose=("calibration", "tone and register", "how I engaged", "how I was engaging", "how was I"),
    ),
    FieldSpec(
        "shifted",
        "What has shifted",
        loose=("what shifted", "has anything shifted", "shifted", "drift"),
        instead=("drift_detected", "drift_description"),
    ),
    FieldSpec("drift_detected", "Drift detected", required=False, asked=False),
    FieldSpec("drift_description", "Drift description", required=False, asked=False),
    FieldSpec(
        "paper",
        "Who I am on paper",
        names=("ring 0 update suggested", "ring 0 update"),
        loose=("ring 0 update suggestion", "ring zero update suggested", "identity update", "on paper"),
    ),
    FieldSpec(
        "show",
        "Worth showing again",
        names=("ring 1 rotation",),
        loose=("ring one rotation", "exemplar rotation", "exemplars", "rotation", "worth showing"),
        shape="list",
    ),
    FieldSpec(
        "notes",
        "My notes",
        names=("ring 2 delta",),
        loose=(
            "ring two delta",
            "ring 2 updates",
            "working memory updates",
            "working memory",
            "working notes",
            "notes",
        ),
        shape="list",
        numbered=True,
    ),
    FieldSpec(
        "open_loops",
        "Open loops",
        loose=("loops", "loops to carry forward"),
        shape="list",
        asked=False,
        instead=("notes", "unresolved"),
    ),
    FieldSpec(
        "fade",
        "Never let fade",
        names=("significance flags",),
        loose=("significant moments", "significance flag", "flags", "never to fade", "must never fade"),
        shape="list",
    ),
)

CONSOLIDATION = Schema("consolidation", (_TIMESTAMP, *_CONSOLIDATION), _SECTIONS)
"""The five fields of REEL §6.2, and what has defaults."""

CHECKPOINT = Schema("checkpoint", (_TIMESTAMP, *_CHECKPOINT), _SECTIONS)
"""The self-assessment of REEL §6.6."""

COMBINED = Schema("page", (*_CONSOLIDATION, _TIMESTAMP, *_CHECKPOINT), _SECTIONS)
"""Both schemas, as one prompt asks for them."""

CONSOLIDATION_PARTS = tuple(spec.key for spec in CONSOLIDATION.asked)
CHECKPOINT_PARTS = tuple(spec.key for spec in CHECKPOINT.asked)
ALL_PARTS = CONSOLIDATION_PARTS + CHECKPOINT_PARTS
"""The keys of the page's own parts, in the prompt's order."""
ASSESSMENT = replace(
    CHECKPOINT,
    fields=(
        replace(COMBINED["unresolved"], required=False, instead=("open_loops",)),
        *CHECKPOINT.fields,
    ),
)
"""The self-assessment where no memory is asked for beside it: its open loops have a heading of their own."""
ASSESSMENT_PARTS = ("unresolved", *CHECKPOINT_PARTS)
BRIEF_PARTS = ("happened", "matters", "notes")
"""The keys of a short page's parts."""
PAGE_KEYS = frozenset(ALL_PARTS)
COUNTED = PAGE_KEYS.difference(("asked_as",))
"""The keys of the parts that a whole page has; without the others nothing is missing."""


BRIEF = replace(
    COMBINED,
    fields=tuple(
        replace(spec, required=spec.key in BRIEF_PARTS, asked=spec.key in BRIEF_PARTS)
        for spec in COMBINED.fields
    ),
)
"""A short page: three parts are asked for, and whatever else of a page comes is read too."""


_WITHOUT_SCHEMA = ("What does not hold", "What must stay")
_GIST, _BESIDE_IT = "Gist", ("Title", "Summary")
"""The headings of a summary: one of them alone may stand in any page."""
_LONGEST = 80
_DRESS = re.compile(r"^[\s>#*_\[\"'{<-]*(?:\d{1,2}[.)][ \t]*)?[*_]*")
_ONE_WORD = re.compile(r"\w+")


def find_others_heading(reply: str, own: Schema) -> str:
    """Return the first heading that only another prompt asks for; "" if the reply has one of its own.

    A heading counts as it is asked for, in any dress; what models put in its place tells nothing.
    """
    found = find_headings(reply, [spec.label for spec in own.fields])
    return found[0] if found else ""


def find_headings(reply: str, own: Sequence[str] = ()) -> list[str]:
    """Return the headings of the reply that other prompts ask for, each once; none where one is `own`."""
    mine = set(map(_fold, own))
    asked = [
        spec.label for schema in _schemas() for spec in schema.asked if not _ONE_WORD.fullmatch(spec.label)
    ]
    others = {_fold(label): label for label in (*asked, *_WITHOUT_SCHEMA)}
    pages = {_fold(label): label for label in (_GIST, *_BESIDE_IT)}
    found: dict[str, None] = {}
    page: dict[str, None] = {}
    for line in reply.splitlines():
        head = _fold(_DRESS.sub("", line[: _LONGEST * 2]).partition(":")[0])
        if head in mine:
            return []
        if head in others:
            found[others[head]] = None
        elif head in pages:
            page[pages[head]] = None
    return [*found, *(page if _GIST in page and len(page) > 1 else ())]


@cache
def _schemas() -> Sequence[Schema]:
    """Return the schema of every prompt's reply."""
    return (COMBINED, *bring("answers"))


def tell_other(heading: str) -> str:
    """Return the sentence that refuses a reply for a heading nobody asked for."""
    return f"That answers another prompt: nobody asked here for “{heading}”."


def _fold(text: str) -> str:
    return re.sub(r"\W|_", "", text).casefold() if len(text) <= _LONGEST else ""
