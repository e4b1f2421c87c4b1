"""Exchanges under way: what was asked, of which stretch of tape, and what came back so far."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from reel_cli.core.exchange.exchange import FLAT, NOT_STORED, Exchange
from reel_cli.core.exchange.page_part import page_parts, parts_among
from reel_cli.core.exchange.prompts import part_of
from reel_cli.core.exchange.schema import (
    ASSESSMENT,
    BRIEF,
    BRIEF_PARTS,
    CHECKPOINT,
    COMBINED,
    CONSOLIDATION,
    COUNTED,
    PAGE_KEYS,
    FieldSpec,
    Schema,
)
from reel_cli.core.frozen import frozen
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.memory import Item
from reel_cli.core.values.talk import SourceRange

if TYPE_CHECKING:
    from reel_cli.core.exchange.reader.reply import ReplyReading


@frozen
class Ask(Exchange):
    """One exchange: a prompt that was, or could be, handed out.

    `op` is checkpoint or consolidate; `span` the stretch a memory of it stands for, None where all
    of the session has one; `items` are ring 2's as numbered in the prompt; `replies` the earlier,
    incomplete replies, whose parts are kept.
    """

    op: str
    session: str
    span: SourceRange | None
    parts: tuple[str, ...]
    prompt: str
    ring0: str
    items: tuple[Item, ...] = ()
    replies: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict, metadata=FLAT)
    """JSON values that parts of features remember with the prompt, by keys of their own."""
    said: int = 0
    """Number of messages the session had when the prompt was written; 0 if that is not known."""
    flags: tuple[str, ...] | None = None
    """The marks (`due.pending_flags`) of the flags that the prompt asks about; None for not known."""
    waits: tuple[str, ...] = ()
    """The headings of features that are due and for which the prompt has no room."""
    hindered: tuple[str, ...] = field(default=(), metadata=NOT_STORED)
    """Sentences on parts of features that are due and cannot be asked for."""
    passed: tuple[str, ...] = ()
    """The open loops that the prompt asks about by name because their day has passed."""
    anew: bool = False
    """True where the memory of the session is written again with the page, from all of the session."""
    unnumbered: bool = False
    """True where nobody knows which numbers the page's own prompt gave the notes."""
    stopped: str = ""
    """The file of a whole reply that a person was shown and neither kept nor declined; "" for none."""
    whole: str = ""
    """Of a short page: the ask of the whole one, as JSON, that was handed out before; "" for none."""

    @property
    def numbered(self) -> tuple[Item, ...]:
        """Return the notes that a number on the page is about; none where its prompt is not known."""
        return () if self.unnumbered else self.items

    @property
    def name(self) -> str:
        """Return the ID of the exchange: one of a kind for each session and span."""
        where = f"{self.span.first}-{self.span.last}" if self.span else "all"
        return f"{self.op}.{self.session}.{where}"

    @property
    def brief(self) -> bool:
        """Return whether it asks for a short page."""
        return is_brief(self.parts)

    @property
    def makes_memory(self) -> bool:
        """Return whether its reply becomes a memory, or will once the chat is recorded."""
        return "happened" in self.parts and (self.span is not None or not self.session)

    @property
    def can_be_short(self) -> bool:
        """Return whether a short page in its place would be enough."""
        return self.op == "checkpoint" and self.makes_memory and not (self.brief or self.anew)

    @property
    def command(self) -> str:
        """Return the command that takes its reply."""
        return _COMMANDS.get(self.op, "checkpoint")


_COMMANDS = {"consolidate": "consolidate", "promote": "recall --promote"}


def with_whole(short: Ask, whole: Ask) -> Ask:
    """Return the ask for a short page, which remembers the whole one that was handed out before."""
    from json import dumps

    return replace(short, whole=dumps(replace(whole, replies=(), stopped="").stored))


def find_answered(ask: Ask, names: Sequence[str], reply: str) -> Ask:
    """Return the ask of the whole page, where one comes although a short one was asked for since.

    What the whole prompt asked for besides, and the numbers of its notes, would be lost else.
    """
    from json import loads

    whole = Ask.load(loads(ask.whole)) if ask.brief and ask.whole else None
    if whole is None or read_replies(whole, names, reply).missing:
        return ask
    return replace(whole, session=ask.session, span=ask.span, ring0=ask.ring0, replies=ask.replies)


def is_brief(parts: Sequence[str]) -> bool:
    """Return whether these are the parts of a short page, with those of features that came before it."""
    own, brought = tuple(parts[: len(BRIEF_PARTS)]), parts[len(BRIEF_PARTS) :]
    return own == BRIEF_PARTS and PAGE_KEYS.isdisjoint(brought)


def schema_for(parts: Sequence[str]) -> Schema:
    """Return the schema of these parts of the page.

    It has all other headings of a page too, as parts that nobody asked for: where one comes all the same, it
    ends the part before it.
    """
    own = _own_schema(parts)
    known = {spec.key for spec in own.fields}
    every = (*COMBINED.asked, *(spec for part in page_parts() for spec in part.fields))
    unasked = [
        replace(spec, names=_certain(spec.names), loose=(), required=False, asked=False)
        for spec in every
        if spec.key not in known
    ]
    return replace(own, fields=(*own.fields, *unasked)) if unasked else own


def _own_schema(parts: Sequence[str]) -> Schema:
    """Return the schema of what is read from a reply to a prompt for these parts."""
    if "coherence" not in parts and not is_brief(parts):
        return CONSOLIDATION
    page = COMBINED if "happened" in parts else ASSESSMENT if "unresolved" in parts else CHECKPOINT
    page = BRIEF if is_brief(parts) else page
    brought = [spec for part in parts_among(parts) for spec in part.fields]
    return replace(page, fields=(*page.fields, *brought)) if brought else page


def _certain(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of several words: one word alone may begin any line."""
    return tuple(name for name in names if " " in name)


def with_parts_of(fresh: Ask, waiting: Ask) -> Ask:
    """Return the fresh ask with the parts of features that the waiting prompt asked for, and their state."""
    own = tuple(key for key in fresh.parts if key in PAGE_KEYS)
    asked = tuple(key for key in waiting.parts if key not in PAGE_KEYS)
    return replace(fresh, parts=(*own, *asked), state=waiting.state)


def with_reach_of(fresh: Ask, waiting: Ask) -> Ask:
    """Return the fresh ask, limited to the messages that were there when the waiting prompt was written.

    A session may have grown since. A page says nothing of what was said after it was asked for, so that
    stretch stays open for the next page.
    """
    asked = replace(fresh, flags=waiting.flags)
    if waiting.session != fresh.session:
        return asked
    if fresh.span is None or waiting.span is None:
        return replace(asked, said=waiting.said)
    span = until(fresh.span, waiting.span.last)
    # an empty remainder means that the prompt was answered before
    return replace(asked, said=waiting.said, span=span) if span is not None else asked


def until(span: SourceRange, last: int) -> SourceRange | None:
    """Return the part of a stretch up to and with message `last`; None where nothing of it is left."""
    return replace(span, last=min(span.last, last)) if span.first <= last else None


def read_replies(ask: Ask, names: Sequence[str], *more: str) -> "ReplyReading":
    """Return every reply to this ask so far, and `more`, read as one; `names` are the persona's.

    A whole page replaces what came before it: two pages of one evening tell it differently.
    """
    return _without_unasked(_read_together(ask, names, more)[0], ask.parts)


def without_replaced(ask: Ask, names: Sequence[str], reply: str) -> Ask:
    """Return the ask without the replies of which nothing is taken, because `reply` is a whole page."""
    return (
        replace(ask, replies=ask.replies[_read_together(ask, names, (reply,))[1] :]) if ask.replies else ask
    )


def add_reply(ask: Ask, reply: str) -> Ask:
    """Return the ask with one more incomplete reply, unless the same words came before."""
    known = reply.split() in (one.split() for one in ask.replies)
    return ask if known else replace(ask, replies=(*ask.replies, reply))


def _read_together(ask: Ask, names: Sequence[str], more: Sequence[str]) -> "tuple[ReplyReading, int]":
    """Return the reading of all replies as one, and the number of replies that a whole page replaced."""
    from reel_cli.core.exchange.reader.reader import read_reply
    from reel_cli.core.exchange.reader.reply import ReplyReading, merge

    schema = schema_for(ask.parts)
    readings = [
        read_reply(reply, schema, prompt=ask.prompt, names=names, once=True)
        for reply in (*ask.replies, *more)
    ]
    whole = readings[0] if readings else ReplyReading(schema)
    replaced = 0
    for number, following in enumerate(readings[1:], 1):
        is_whole = not (_lacks_part(ask, following) or following.broken or following.cut_off)
        if is_whole and _lacks_part(ask, whole):
            whole, replaced = _replace_whole(whole, following), number
        else:
            whole = merge(whole, following)
    return whole, replaced


def _lacks_part(ask: Ask, reading: "ReplyReading") -> bool:
    """Return whether a reading lacks a part of a whole page, which a short prompt does not require."""
    if not ask.brief:
        return bool(reading.missing)
    from reel_cli.core.exchange.reader.reply import answers

    return not all(answers(spec, reading.values) for spec in COMBINED.fields if spec.required)


def _replace_whole(before: "ReplyReading", page: "ReplyReading") -> "ReplyReading":
    """Return a whole page, told as taken in place of the parts that came before it."""
    if not before.values:
        return page
    told = Problem(next(iter(page.values)), "A whole page came, so nothing of the part before it is taken.")
    return replace(page, problems=(*page.problems, told))


def _without_unasked(reading: "ReplyReading", parts: Sequence[str]) -> "ReplyReading":
    """Return the reading without the parts that nobody asked for, told as left out."""
    own = {spec.key for spec in _own_schema(parts).fields}
    left = [spec for spec in reading.schema.fields if spec.key in reading.values and spec.key not in own]
    if not left:
        return reading
    names = ", ".join(f"“{spec.label}”" for spec in left)
    was, goes = ("was", "is") if len(left) == 1 else ("were", "are")
    told = Problem(left[0].key, f"{names} {was} not asked for by this prompt, and {goes} left out.")
    values = {key: value for key, value in reading.values.items() if key in own}
    return replace(reading, values=values, problems=(*reading.problems, told))


def list_rest(ask: Ask, reading: "ReplyReading") -> Sequence[FieldSpec]:
    """Return the parts that are still asked for: what did not come, and what breaks off in the middle.

    Those of features are among them, where the prompt asked for them and they are asked for more than once.
    """
    whole = _whole_parts(reading)
    parts = [part for part in parts_among(ask.parts) if part.again and part.owes(ask)]
    again = {spec.key: spec for part in parts for spec in part.fields}
    asked = [*reading.schema.asked, *(spec for key, spec in again.items() if key not in PAGE_KEYS)]
    specs = {spec.key: spec for spec in asked}
    return [
        specs[key]
        for key in ask.parts
        if key in specs
        and key not in whole
        and (key in PAGE_KEYS or (key in again and part_of(ask.prompt, specs[key].label)))
    ]


def count_parts(parts: Sequence[str], reading: "ReplyReading") -> tuple[int, int]:
    """Return how many parts of a page came through whole, and of how many.

    A page is whole without the parts of features, so that they never count: half a page and what follows it
    count against the same whole.
    """
    asked = [key for key in parts if key in COUNTED]
    return len(_whole_parts(reading).intersection(asked)), len(asked)


def _whole_parts(reading: "ReplyReading") -> set[str]:
    """Return the keys of the parts that came through and do not break off."""
    return {spec.key for spec in reading.answered} - {reading.broken}


def list_asked(asked: Sequence[Item], now: Sequence[Item]) -> Sequence[Item]:
    """Return the items as the prompt numbered them, then those that it did not show."""
    shown = match_items(asked, now).values()
    return [*asked, *(item for item in now if item not in shown)]


def match_items(asked: Sequence[Item], now: Sequence[Item]) -> Mapping[int, Item]:
    """Return the present items by their number in the prompt; those gone since are absent."""
    found: dict[int, Item] = {}
    left = list(now)
    for number, item in enumerate(asked, start=1):
        same = next((other for other in left if other.text == item.text), None)
        if same is not None:
            left.remove(same)
            found[number] = same
    return found
