"""Exchange that rewrites memories: many in one prompt, each with its source (REEL §6.2, §10.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.exchange.page_rewrite import (
    ANEW,
    LEAST_SOURCE,
    MARKER_PARTS,
    SHORTER,
    WHOLE_PARTS,
    WIDER,
    RewriteRequest,
    SourceExcerpt,
    render_rewriting,
    share_out,
    tell_source,
)
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_memory
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory, memory_path
from reel_cli.features.fading.fading import SIZES

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter

KIND = "rewriting"
PURPOSES: Mapping[str, str] = {"shorter": SHORTER, "anew": ANEW, "wider": WIDER}
MOST_PAGES: Mapping[str, int] = {"shorter": 8, "anew": 8, "wider": 12}
"""Maximum number of pages in one paste; a model cannot keep more apart."""
REPLY_SPARE = 120
"""Tokens a page's headings and what surrounds it take in the reply."""
AIM = 60
"""Percent of a page's tokens that a shorter one is asked to have at most, within its level's size."""
_NO_LINE = ("none", "no", "off", "never")
"""Values of `maintain.keeps` that say nothing."""
WORDS = 70
"""Words that are equated to 100 tokens: models go by words, and too few are better than too many."""


@dataclass(frozen=True, slots=True)
class Request:
    """One memory to be written again, at which level, and why (in words).

    `again` where a reply to an earlier prompt lost too much.
    """

    id: str
    level: str
    why: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class AskedPage:
    """One memory of a prompt: as which level it is asked for, and the blob it had when it went out.

    `most` is the size it may have at most, in tokens; `again` as in `Request`.
    """

    id: str
    title: str
    level: str
    why: str
    blob: str
    most: int
    parts: tuple[str, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class RewriteAsk(Exchange):
    """A prompt for pages to be written again; `op` is the operation its commits belong to."""

    kind = KIND

    op: str
    purpose: str
    pages: tuple[AskedPage, ...]
    prompt: str
    ring0: str
    window: int = 0
    """Tokens of the window; 0 for the kit's own cap."""
    rest: tuple[str, ...] = ()
    """The memories that are to be asked for after these."""

    @property
    def name(self) -> str:
        """Return the exchange's ID: one such prompt of an operation at a time."""
        return f"{self.op}.{self.purpose}"

    def is_sound(self) -> bool:
        """Return whether it asks for pages, for a known purpose and known levels."""
        return (
            self.purpose in PURPOSES and bool(self.pages) and all(page.level in SIZES for page in self.pages)
        )


@dataclass(frozen=True, slots=True)
class UnaskedMemory:
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
) -> tuple[RewriteAsk | None, Sequence[UnaskedMemory]]:
    """Return the prompt for as many as fit into the window, in order, and those that cannot be asked.

    `window` is in tokens, the kit's own cap where it is 0. None where none can be asked for. A memory
    whose source is not on the tape is not asked for: it would be made of its own compression alone.
    """
    cap = window or snapshot.settings.cap
    limit = "window" if window else snapshot.settings.held_to
    unasked: list[UnaskedMemory] = []
    drafts: list[_Draft] = []
    frame = counter.count(_render(snapshot, ring0, purpose, []))
    left = cap - frame
    for request in requests:
        draft = _draft(snapshot, counter, request, purpose)
        if isinstance(draft, UnaskedMemory):
            unasked.append(draft)
            continue
        need = draft.fixed + min(draft.said.tokens, LEAST_SOURCE)
        if len(drafts) >= MOST_PAGES[purpose] or need > left:
            if not drafts and need > left:
                unasked.append(
                    UnaskedMemory(request.id, f"a {cap:,}-token {limit} has no room for it and its source")
                )
                continue
            break
        left -= need
        drafts.append(draft)
    if not drafts:
        return None, unasked
    said = share_out([d.said for d in drafts], left, counter)
    wanted = [
        RewriteRequest(d.page.title, d.day, d.text, told, d.page.most * WORDS // 100, d.page.parts)
        for d, told in zip(drafts, said, strict=True)
    ]
    prompt = _render(snapshot, ring0, purpose, wanted)
    gone = {one.id for one in unasked} | {d.page.id for d in drafts}
    rest = tuple(request.id for request in requests if request.id not in gone)
    pages = tuple(d.page for d in drafts)
    return RewriteAsk(op, purpose, pages, prompt, ring0.blob, window, rest), unasked


def _render(snapshot: Snapshot, ring0: "Ring0", purpose: str, wanted: Sequence[RewriteRequest]) -> str:
    settings = snapshot.settings
    pages = wanted or [RewriteRequest("", "", "", "", 0, WHOLE_PARTS)]
    told = PURPOSES[purpose]
    if purpose == "shorter" and (keeps := one_line(settings.keeps)) and keeps.casefold() not in _NO_LINE:
        told = f"{told} What you have kept before: {keeps.rstrip('.')}. Let what goes be something else."
    return render_rewriting(settings.name, settings.user, ring0.text, told, pages)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A page on its way into a prompt: `fixed` are the tokens it takes but for what was said."""

    page: AskedPage
    day: str
    text: str
    said: SourceExcerpt
    fixed: int


def _draft(snapshot: Snapshot, counter: "Counter", request: Request, purpose: str) -> _Draft | UnaskedMemory:
    memory = snapshot.memories.get(request.id)
    if memory is None:
        return UnaskedMemory(request.id, "it is no longer there")
    said = tell_source(snapshot, memory, counter)
    if said is None:
        return UnaskedMemory(request.id, "the chat it was made from is not in this kit")
    now = counter.count(memory.body)
    text = quote_memory(memory.body, snapshot.settings.people)
    low, high = SIZES[request.level]
    shorter = purpose == "shorter"
    most = min(high, max(low, now * AIM // 100), now - 1) if shorter else high
    parts = MARKER_PARTS if request.level == "L3" else WHOLE_PARTS
    blob = snapshot_blob(snapshot, request.id)
    page = AskedPage(request.id, memory.title, request.level, request.why, blob, most, parts, request.again)
    fixed = counter.count(text) + 60 + most + REPLY_SPARE
    return _Draft(page, day_of(memory), text, said, fixed)


def snapshot_blob(snapshot: Snapshot, name: str) -> str:
    """Return the blob id that shows whether a memory's file is still as it was handed out."""
    from reel_cli.core.git.repository import blob_id

    return blob_id(snapshot.read(memory_path(name)) or b"")


def day_of(memory: Memory) -> str:
    """Return a memory's day, in words; "" if it gives none."""
    try:
        return day_in_words(date.fromisoformat(memory.order[0][:10]))
    except ValueError:
        return ""
