"""The port for optional parts of the page: a feature asks under headings of its own and acts on the answers.

A part is one `PagePart` in the feature's `page_part.py`, named with its keys under `pages` in the feature's
row. Its headings and the text below them are its fields. A page is whole without any of them: they are never
counted as missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from reel_cli.core.exchange.schema import PAGE_KEYS, FieldSpec
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import list_page_places, resolve
from reel_cli.core.values.artifact import Problem

if TYPE_CHECKING:
    from datetime import date, datetime

    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.exchange.reader.reply import ReplyReading
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.core.values.talk import Session


@frozen
class PageRequest:
    """A page whose prompt is being written.

    `session` is None for a chat that is not on the tape yet; `keys` are the parts asked for so far.
    `repository` is None where no history is known. `room` is how many words are left for what fills a part's
    hints and for its preface; a part that needs more waits for another page.
    """

    snapshot: "Snapshot"
    session: "Session | None"
    keys: Sequence[str]
    today: "date"
    repository: "Repository | None" = None
    room: int = 1 << 30


@frozen
class PartRequest:
    """A part's share of one prompt.

    `fill` gives the words for the `{{name}}` places of its hints, `preface` goes before the page's
    headings, and `state` is remembered with the prompt: JSON values that the plan reads from `Ask.state`.
    `hindered` is a sentence on why a part that is due cannot be asked for; the prompt goes out without it.
    `urgent`: the chat speaks of what protects somebody, so that no other part takes its room.
    """

    fill: Mapping[str, str] = field(default_factory=dict)
    preface: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    hindered: str = ""
    urgent: bool = False


@frozen
class PageAnswer:
    """A reply to a page's prompt, and the kit as it stands.

    `writes` are the files that the page and the parts before this one change. `unattended`: nobody reads
    the page before it is kept. `sent_by` is the model that a server names as its writer, "" for none.
    """

    snapshot: "Snapshot"
    ask: "Ask"
    reading: "ReplyReading"
    session: "Session"
    now: "datetime"
    counter: "Counter"
    highest_number: Callable[[], int]
    writes: Mapping[str, bytes | None]
    unattended: bool = False
    sent_by: str = ""


@frozen
class PartPlan:
    """A part's share of the change that keeps a page, and what to show of it.

    `shown` are sections (heading, lines); `short` are by heading the first lines of a section that are shown
    until a person asks for all. `told` goes into the command's JSON.
    """

    writes: Mapping[str, bytes | None] = field(default_factory=dict)
    trailers: Sequence[tuple[str, str]] = ()
    shown: Sequence[tuple[str, tuple[str, ...]]] = ()
    problems: Sequence[Problem] = ()
    index: "Sequence[IndexLine]" = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    short: Mapping[str, Sequence[str]] = field(default_factory=dict)
    refused: Sequence[str] = ()
    """Texts that the page gave and the part did not keep, since the chat does not bear them."""


def _always(_ask: "Ask") -> bool:
    return True


def _as_asked(_snapshot: "Snapshot", text: str, _keys: Sequence[str]) -> str:
    return text


@frozen
class PagePart:
    """An optional part of the page.

    `ask` returns None where the part is not due; `plan` is called for each page that has its headings or
    whose kit has the file that the row names. `again` says whether a repair prompt asks for it once more,
    unless its ask `owes` nothing, and `repeat` gives the words below a heading there, from those of the
    prompt and the keys that are asked for. Of the sections shown, those of a part with a lower `place` come
    first. Where a prompt has no room for all parts, those that are `first` seldom wait for the others, which
    take turns.
    """

    name: str
    fields: Sequence[FieldSpec]
    ask: Callable[[PageRequest], PartRequest | None]
    plan: Callable[[PageAnswer], PartPlan]
    again: bool = False
    owes: "Callable[[Ask], bool]" = _always
    repeat: "Callable[[Snapshot, str, Sequence[str]], str]" = _as_asked
    place: int = 0
    first: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of its fields."""
        return tuple(spec.key for spec in self.fields)


def page_parts() -> Sequence[PagePart]:
    """Return every feature's part of the page, in the order of the table, which is that of the prompt."""
    return [resolve(feature, row.place) for feature, row in list_page_places()]


def parts_among(keys: Sequence[str]) -> Sequence[PagePart]:
    """Return the parts of features that these keys belong to; imports no other."""
    rows = list_page_places() if not PAGE_KEYS.issuperset(keys) else ()
    return [resolve(feature, row.place) for feature, row in rows if not set(row.keys).isdisjoint(keys)]


def parts_to_plan(keys: Sequence[str], snapshot: "Snapshot") -> tuple[Sequence[PagePart], dict[str, object]]:
    """Return the parts of features that a page with these keys concerns, and what is told without them."""
    rows = list(list_page_places())
    concerned = [
        resolve(feature, row.place)
        for feature, row in rows
        if not set(row.keys).isdisjoint(keys) or (row.path and snapshot.read(row.path) is not None)
    ]
    return concerned, {key: value for _, row in rows for key, value in row.told.items()}
