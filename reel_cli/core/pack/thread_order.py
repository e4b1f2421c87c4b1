"""Memories in the order of threads that go on: where not all have their markers, these have theirs first.

A thread goes on where an open loop or the newest page speaks of it. Of the pages that tell of it, the one
that says most beside those before it comes first; pages that only repeat it come with all others, the newest
first. The first page of such a thread is a tag at least, as far as there is room.
"""

from collections.abc import Collection, Mapping, Sequence

from reel_cli.core.pack.memory_levels import (
    IMMUNE_SHARE,
    MARKER,
    OUT,
    TAG,
    TAGS_KEPT,
    Recession,
)
from reel_cli.core.values.holdings import EarlierForm, Tie

TIES_SHARE = 50
"""Percent of the room that threads which go on have before immune memories."""


def load_by_ties(
    past: Recession, ties: Sequence[Tie], immune: Collection[str], finer: Mapping[str, EarlierForm]
) -> None:
    """Load the memories anew: the newest and those of `ties`, immune ones, the others, then tags.

    `finer` are fuller markers from history, by memory. Immune memories have the room that they have without
    threads.
    """
    places = {row.id: at for at, row in enumerate(past.rows)}
    for at in range(len(past.rows)):
        past.change(at, OUT)
    first = list(dict.fromkeys((0, *(places[tie.id] for tie in ties))))
    for at in first:
        _raise(past, at, finer, past.room * TIES_SHARE // 100)
    share = past.room * IMMUNE_SHARE // 100
    for at, row in enumerate(past.rows):
        if row.id in immune:
            share -= row.marker
            if share < 0:
                break
            _raise(past, at, {}, past.room)
    beginnings = [places[tie.beginning] for tie in ties]
    _tag(past, beginnings)
    order = [*first, *(at for at in range(len(past.rows)) if at not in first)]
    fainter = sum(row.tag for row, form in zip(past.rows, past.forms, strict=True) if form == OUT)
    for at in order:
        tag = past.rows[at].tag if past.forms[at] == OUT else 0
        _raise(past, at, finer, past.room - min(past.room * TAGS_KEPT // 100, fainter - tag))
        fainter -= tag if past.forms[at] != OUT else 0
    _tag(past, range(len(past.rows)))
    for at in order:
        _raise(past, at, finer, past.room)


def _raise(past: Recession, at: int, finer: Mapping[str, EarlierForm], room: int) -> None:
    """Load a memory as the fullest marker that keeps within `room`, if that is more than it is."""
    row, size = past.rows[at], past.size(at)
    room -= past.used - size
    form = finer.get(row.id)
    if form is not None and size < form.tokens <= room:
        past.change(at, MARKER)
        past.take_earlier(at, form)
    elif past.forms[at] > MARKER and row.marker <= room:
        past.change(at, MARKER)


def _tag(past: Recession, places: Sequence[int]) -> None:
    """Load these memories as tags, as far as there is room, where they are not loaded."""
    for at in places:
        if past.forms[at] == OUT and past.used + past.rows[at].tag <= past.room:
            past.change(at, TAG)
