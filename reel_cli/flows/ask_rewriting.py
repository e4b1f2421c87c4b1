"""Ask for memories to be written again: many in one prompt, each with its source (REEL §6.2, §10.2)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.errors import ReelError
from reel_cli.exchange.phrases import fold
from reel_cli.exchange.rewriting import (
    ANEW,
    MARKER_PARTS,
    SHORTER,
    WHOLE_PARTS,
    WIDER,
    Wanted,
    render_rewriting,
)
from reel_cli.flows.tape_view import read_session
from reel_cli.flows.transcript import GAP, shorten, tell_entries
from reel_cli.kit.memory_file import memory_path
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.fading import SIZES
from reel_cli.model.memory import Memory, where_of
from reel_cli.model.moment import day_in_words

if TYPE_CHECKING:
    from reel_cli.kit.ring0 import Ring0
    from reel_cli.model.holdings import Counter

KIND = "rewriting"
PURPOSES: Mapping[str, str] = {"shorter": SHORTER, "anew": ANEW, "wider": WIDER}
MOST_PAGES: Mapping[str, int] = {"shorter": 8, "anew": 8, "wider": 12}
"""More pages in one paste are more than a model keeps apart."""
LEAST_SOURCE = 300
"""In tokens: with less of what was said beside it, a page waits for the next paste."""
REPLY_SPARE = 120
"""Tokens a page's headings and what surrounds it take in the reply."""
AIM = 60
"""Of a page's tokens, in percent, what a shorter one is asked to have at most, within its level's size."""
WORDS = 70
"""So many words are said to be 100 tokens: models go by words, and too few are better than too many."""
LONGER_WORD = 4
"""In letters: shorter words tell nothing about which message a page is about."""


@dataclass(frozen=True, slots=True)
class Request:
    """One memory to be written again, at which level, and why (in words)."""

    id: str
    level: str
    why: str


@dataclass(frozen=True, slots=True)
class AskedPage:
    """One memory of a prompt: as which level it is asked for, and the blob it had when it went out.

    `most` is the size it may have at most, in tokens.
    """

    id: str
    title: str
    level: str
    why: str
    blob: str
    most: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A prompt for pages to be written again; `op` is the operation its commits belong to."""

    op: str
    purpose: str
    pages: tuple[AskedPage, ...]
    prompt: str
    ring0: str
    window: int = 0
    """In tokens; 0 for the kit's own cap."""
    rest: tuple[str, ...] = ()
    """The memories that are to be asked for after these."""

    @property
    def name(self) -> str:
        """What it is remembered by: one such prompt of an operation at a time."""
        return f"{self.op}.{self.purpose}"


@dataclass(frozen=True, slots=True)
class Unasked:
    """A memory that cannot be asked for, and why."""

    id: str
    why: str


def ask_rewriting(  # noqa: PLR0913
    snapshot: Snapshot,
    ring0: "Ring0",
    counter: "Counter",
    requests: Sequence[Request],
    *,
    op: str,
    purpose: str,
    window: int = 0,
) -> tuple[Rewriting | None, Sequence[Unasked]]:
    """The prompt for as many of these as fit into the window, in their order; and those that cannot be asked.

    `window` is in tokens, the kit's own cap where it is 0. None where none can be asked for. A memory
    whose source is not on the tape is not asked for: it would be made of its own compression alone.
    """
    cap = window or snapshot.settings.cap
    unasked: list[Unasked] = []
    drafts: list[_Draft] = []
    frame = counter.count(_render(snapshot, ring0, purpose, []))
    left = cap - frame
    for request in requests:
        draft = _draft(snapshot, counter, request, purpose)
        if isinstance(draft, Unasked):
            unasked.append(draft)
            continue
        need = draft.fixed + min(draft.said_tokens, LEAST_SOURCE)
        if len(drafts) >= MOST_PAGES[purpose] or need > left:
            if not drafts and need > left:
                unasked.append(
                    Unasked(request.id, f"a {cap:,}-token window has no room for it and its source")
                )
                continue
            break
        left -= need
        drafts.append(draft)
    if not drafts:
        return None, unasked
    said = _share_out(drafts, left, counter)
    wanted = [
        Wanted(d.page.title, d.day, d.text, told, d.page.most * WORDS // 100, d.page.parts)
        for d, told in zip(drafts, said, strict=True)
    ]
    prompt = _render(snapshot, ring0, purpose, wanted)
    gone = {one.id for one in unasked} | {d.page.id for d in drafts}
    rest = tuple(request.id for request in requests if request.id not in gone)
    pages = tuple(d.page for d in drafts)
    return Rewriting(op, purpose, pages, prompt, ring0.blob, window, rest), unasked


def _render(snapshot: Snapshot, ring0: "Ring0", purpose: str, wanted: Sequence[Wanted]) -> str:
    settings = snapshot.settings
    pages = wanted or [Wanted("", "", "", "", 0, WHOLE_PARTS)]
    return render_rewriting(settings.name, settings.user, ring0.text, PURPOSES[purpose], pages)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A page on its way into a prompt: `fixed` are the tokens it takes but for what was said."""

    page: AskedPage
    day: str
    text: str
    units: tuple[tuple[str, int, int], ...]
    """What was said: each message as told, its tokens, how much it has to do with the page."""
    breaks: frozenset[int]
    fixed: int

    @property
    def said_tokens(self) -> int:
        return sum(tokens for _, tokens, _ in self.units)


def _draft(snapshot: Snapshot, counter: "Counter", request: Request, purpose: str) -> _Draft | Unasked:
    memory = snapshot.memories.get(request.id)
    if memory is None:
        return Unasked(request.id, "it is no longer there")
    units, breaks = _units(snapshot, memory, counter)
    if not units:
        return Unasked(request.id, "what it was made of is not on this tape")
    now = counter.count(memory.body)
    low, high = SIZES[request.level]
    shorter = purpose == "shorter"
    most = min(high, max(low, now * AIM // 100), now - 1) if shorter else high
    parts = MARKER_PARTS if request.level == "L3" else WHOLE_PARTS
    blob = snapshot_blob(snapshot, request.id)
    page = AskedPage(request.id, memory.title, request.level, request.why, blob, most, parts)
    fixed = now + 60 + most + REPLY_SPARE
    return _Draft(page, _day(memory), memory.body, units, breaks, fixed)


def snapshot_blob(snapshot: Snapshot, name: str) -> str:
    """What tells whether a memory's file is still as it was handed out."""
    from reel_cli.kit.git import blob_id  # noqa: PLC0415

    return blob_id(snapshot.read(memory_path(name)) or b"")


def _units(
    snapshot: Snapshot, memory: Memory, counter: "Counter"
) -> tuple[tuple[tuple[str, int, int], ...], frozenset[int]]:
    """The messages of a memory's source as told, and which of them begin a new stretch."""
    about = {word for word in fold(memory.body).split() if len(word) >= LONGER_WORD}
    phrases = [fold(phrase) for phrase in (memory.anchor, *_quoted(memory.body)) if phrase]
    found: list[tuple[str, int, int]] = []
    breaks: list[int] = []
    for span in where_of(memory):
        try:
            shown = read_session(snapshot, span.session).shown()
        except ReelError:
            continue
        entries = [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
        if not entries:
            continue
        breaks.append(len(found))
        for _, unit in tell_entries(snapshot, span.session, entries):
            plain = fold(unit)
            shared = len(about.intersection(plain.split()))
            anchored = any(phrase in plain for phrase in phrases)
            found.append((unit, counter.count(unit) + 1, shared + 1000 * anchored))
    return tuple(found), frozenset(breaks)


def _quoted(body: str) -> list[str]:
    from reel_cli.exchange.phrases import quotations  # noqa: PLC0415

    return quotations(body)


def _day(memory: Memory) -> str:
    try:
        return day_in_words(date.fromisoformat(memory.order[0][:10]))
    except ValueError:
        return ""


def _share_out(drafts: Sequence[_Draft], left: int, counter: "Counter") -> list[str]:
    """What was said, for each page: all of it where there is room, else what has most to do with the page.

    Those that need little get it whole; the rest of the room is shared by the others.
    """
    room = {d.page.id: min(d.said_tokens, LEAST_SOURCE) for d in drafts}
    left += sum(room.values())
    waiting = sorted(drafts, key=lambda d: d.said_tokens)
    for place, draft in enumerate(waiting):
        room[draft.page.id] = min(draft.said_tokens, left // (len(waiting) - place))
        left -= room[draft.page.id]
    return [_excerpt(draft, room[draft.page.id], counter) for draft in drafts]


def _excerpt(draft: _Draft, room: int, counter: "Counter") -> str:
    if draft.said_tokens <= room:
        chosen = set(range(len(draft.units)))
    else:
        gap = counter.count(GAP)
        chosen = set()
        left = room
        for at in sorted(range(len(draft.units)), key=lambda i: (-_worth(draft.units[i]), i)):
            _, tokens, _ = draft.units[at]
            if tokens + gap <= left:
                chosen.add(at)
                left -= tokens + gap
    if not chosen:
        best = max(range(len(draft.units)), key=lambda i: _worth(draft.units[i]))
        return shorten(draft.units[best][0], room, counter).rstrip("\n")
    told: list[str] = []
    for at, (unit, _, _) in enumerate(draft.units):
        if at in chosen:
            told.append(unit)
        elif not told or told[-1] != GAP:
            told.append(GAP)
    return "".join(told).rstrip("\n")


def _worth(unit: tuple[str, int, int]) -> float:
    """How much a message has to do with the page, for its length."""
    _, tokens, score = unit
    return score / math.sqrt(tokens + 20)


def store_rewriting(ask: Rewriting) -> dict[str, Any]:
    """The ask as JSON values."""
    return {
        "kind": KIND,
        "op": ask.op,
        "purpose": ask.purpose,
        "prompt": ask.prompt,
        "ring0": ask.ring0,
        "window": ask.window,
        "rest": list(ask.rest),
        "pages": [
            {
                "id": page.id,
                "title": page.title,
                "level": page.level,
                "why": page.why,
                "blob": page.blob,
                "most": page.most,
                "parts": list(page.parts),
            }
            for page in ask.pages
        ],
    }


def load_rewriting(value: Mapping[str, Any]) -> Rewriting | None:
    """An ask from stored JSON values; None where they are not one."""
    try:
        if value["kind"] != KIND or value["purpose"] not in PURPOSES:
            return None
        pages = tuple(
            AskedPage(
                str(page["id"]),
                str(page["title"]),
                str(page["level"]),
                str(page["why"]),
                str(page["blob"]),
                int(page["most"]),
                tuple(str(part) for part in page["parts"]),
            )
            for page in value["pages"]
        )
        if not pages or any(page.level not in SIZES for page in pages):
            return None
        return Rewriting(
            str(value["op"]),
            str(value["purpose"]),
            pages,
            str(value["prompt"]),
            str(value["ring0"]),
            int(value["window"]),
            tuple(str(name) for name in value["rest"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
