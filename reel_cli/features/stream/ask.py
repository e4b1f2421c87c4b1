"""The ask that sifts the conversation that goes on: what it shows, and how it waits for its reply."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import FLAT, NOT_STORED, Exchange
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.pack.budget import plan_budget
from reel_cli.core.pack.words import quote_said
from reel_cli.core.tape.transcript import shorten, tell_entries
from reel_cli.core.values.settings import SMALL_WINDOW, WHOLE, Settings
from reel_cli.core.values.talk import Entry, Session, SourceRange
from reel_cli.features.stream.files import STREAM_FILE, TO_KEEP_TO
from reel_cli.features.stream.reply import FEW_PATTERNS, MOST_PATTERNS, KeepPrompt, render_sift
from reel_cli.features.stream.stretch import Stretch
from reel_cli.features.stream.tables import ROOM_FOR_ROWS, AskedTables, tables_to_ask, with_rows_spoken_of

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

NAME = "keep"
"""Name under which the ask that waits for its reply is remembered: one at a time."""
REPLY_SHARE = WHOLE * 12 // 100
"""Share of the cap that the prompt leaves for its reply."""
LEAST_SAID = 200
"""Tokens of room for what was said below which a window is too small."""
WORDS_A_TOKEN = 35, 100
"""Words asked for, per hundred tokens of a summary: models write more."""
FEWEST_WORDS, MOST_WORDS = 60, 600


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """The options of a keep: tokens of overlap (None: the default), and what is pinned with it.

    `unpin` lets go of what was pinned before.
    """

    overlap: int | None = None
    pin: tuple[str, ...] = ()
    unpin: bool = False

    def then(self, later: "KeepOptions") -> "KeepOptions":
        """Return the options, updated with later ones."""
        pin = later.pin if later.unpin else (*self.pin, *later.pin)
        return KeepOptions(
            later.overlap if later.overlap is not None else self.overlap, pin, self.unpin or later.unpin
        )


@dataclass(frozen=True, slots=True)
class StreamAsk(Exchange):
    """An ask that was, or could be, handed out.

    `spans` are the stretches it shows, the last of them of the chat that goes on; `before` is the summary it
    goes on from, `seen` a print of `stream.md` as it was then. The summary may have `words`, or `room` in
    tokens.
    `replies` are the earlier ones, of which a part came through.
    """

    name = NAME

    spans: tuple[SourceRange, ...]
    prompt: str
    ring0: str
    seen: str
    before: str
    words: int
    room: int
    wished: KeepOptions = field(metadata=FLAT)
    replies: tuple[str, ...] = ()
    tables: str = ""
    """The tables that it asks for rows of, as the prompt has them; "" where there are none."""
    passed_over: tuple[str, ...] = field(default=(), metadata=NOT_STORED)
    """Tables that did not fit in the prompt."""

    def also_stored(self) -> Mapping[str, str]:
        """Return the session and the stretch of the chat that goes on."""
        return {"session": self.span.session, "span": str(self.span)}

    def is_sound(self) -> bool:
        """Return whether it shows stretches, each with an end."""
        return bool(self.spans) and all(span.last for span in self.spans)

    @property
    def span(self) -> SourceRange:
        """Return the shown stretch of the chat that goes on."""
        return self.spans[-1]

    @property
    def key(self) -> str:
        """Return the key in the prompt: `2026-02-10-1#1-48`."""
        return str(self.span)

    @property
    def frame(self) -> str:
        """Return the prompt without the earlier summary, which a reply may well repeat."""
        return self.prompt.replace(self.before, "", 1) if self.before else self.prompt


def print_of_stream(snapshot: "Snapshot") -> str:
    """Return a fingerprint that changes whenever `stream.md` does."""
    return f"{zlib.crc32(snapshot.read(STREAM_FILE) or b''):08x}"


def make_stream_ask(
    snapshot: "Snapshot", ring0: "Ring0", counter: "Counter", stretch: Stretch, wished: KeepOptions
) -> StreamAsk:
    """Return the ask for a stretch: as many of its messages without summary as fit.

    Raises ReelError where nothing was said since it was kept last, or there is no room.
    """
    settings = snapshot.settings
    parts = stretch.fresh()
    if not parts:
        message = "Nothing was said since the conversation was summed up."
        hint = "to get its beginning again:  reel keep --resume"
        if wished.pin or wished.unpin:
            hint = (
                f"what is pinned stands in {STREAM_FILE}, a line each (- …) under “## {TO_KEEP_TO}”:"
                " change it there, then  reel keep --resume"
            )
        raise ReelError(message, hint=hint)
    before = stretch.kept.summary if stretch.kept is not None else ""
    room = summary_room(snapshot, counter, stretch, wished)
    of, whole = WORDS_A_TOKEN
    words = max(FEWEST_WORDS, min(MOST_WORDS, room * of // whole // 10 * 10))
    span = SourceRange(stretch.lived.id, 1, 999_999)
    tellers = [kind.kept for kind in find_kinds(snapshot) if kind.kept is not None]
    kept = [line for tell in tellers for line in tell(snapshot, [session.id for session, _ in parts])]
    tables = tables_to_ask(snapshot, counter)
    reserved = settings.cap * REPLY_SHARE // WHOLE
    frame = _render(snapshot, ring0, KeepPrompt(str(span), "", before, words, kept, tables.text))
    free = settings.cap - reserved - counter.count(frame) - (ROOM_FOR_ROWS if tables.lines else 0)
    if free < LEAST_SAID and tables.lines:
        tables = AskedTables(passed_over=(*tables.lines, *tables.passed_over))
        frame = _render(snapshot, ring0, KeepPrompt(str(span), "", before, words, kept))
        free = settings.cap - reserved - counter.count(frame)
    if free < LEAST_SAID:
        message = (
            f"A {settings.cap:,}-token {settings.held_to} has no room for this: the prompt alone needs"
            f" {counter.count(frame):,}."
        )
        raise ReelError(message, hint=settings.raised_by)
    spans, said = _fill(snapshot, parts, free, counter)
    told = with_rows_spoken_of(snapshot, tables, said, counter)
    prompt = _render(snapshot, ring0, KeepPrompt(str(spans[-1]), said, before, words, kept, told))
    seen = print_of_stream(snapshot)
    return StreamAsk(
        *(spans, prompt, ring0.blob, seen, before, words, room, wished),
        tables=told,
        passed_over=tables.passed_over,
    )


def summary_room(snapshot: "Snapshot", counter: "Counter", stretch: Stretch, wished: KeepOptions) -> int:
    """Return the tokens for the summary, beside the beginning, the usual overlap and what is pinned."""
    budget = plan_budget(snapshot.settings)
    pinned = sum(counter.count(f"- {line}\n") for line in pinned_after(stretch, wished))
    overlap = min(budget.overlap, budget.stream // 2)
    # turns that stand there in full need no summary
    began = budget.buffer_beside_summary if snapshot.settings.buffer_cycles else 0
    return max(FEWEST_WORDS * 2, budget.stream - began - overlap - pinned)


def pinned_after(stretch: Stretch, wished: KeepOptions) -> tuple[str, ...]:
    """Return what the conversation is to keep to from here on."""
    before = stretch.kept.pinned if stretch.kept is not None and not wished.unpin else ()
    return tuple(dict.fromkeys((*before, *wished.pin)))


def _render(snapshot: "Snapshot", ring0: "Ring0", asked: KeepPrompt) -> str:
    settings = snapshot.settings
    before = quote_said(asked.before, settings.people)
    asked = replace(asked, before=before, patterns=most_patterns(settings))
    return render_sift(settings.name, settings.user, ring0.text, asked)


def most_patterns(settings: Settings) -> int:
    """Return how many patterns over time a keep may note."""
    return FEW_PATTERNS if min(settings.cap, settings.window) <= SMALL_WINDOW else MOST_PATTERNS


def _fill(
    snapshot: "Snapshot", parts: Sequence[tuple[Session, Sequence[Entry]]], room: int, counter: "Counter"
) -> tuple[tuple[SourceRange, ...], str]:
    """Return the stretches that fit, and the messages in them, by number and in order.

    What went along word for word from the chat before comes first, then as much of the one that goes on as
    fits, a message of it at least. What alone is larger than its room is told with its middle left out.
    """
    spans: list[SourceRange] = []
    told: list[str] = []
    for at, (session, entries) in enumerate(parts):
        last = at == len(parts) - 1
        units = {e.number or 0: text for e, text in tell_entries(snapshot, session.id, entries)}
        taken: set[int] = set()
        for number in sorted(units):
            size = counter.count(units[number]) + 2
            least = room if last else room // 2
            if size > least:
                if taken:
                    break
                units[number] = shorten(units[number], least, counter)
                size = counter.count(units[number]) + 2
            taken.add(number)
            room -= size
        spans.append(SourceRange(session.id, min(taken), max(taken)))
        told += [text for number, text in units.items() if number in taken]
    return tuple(spans), "".join(told)
