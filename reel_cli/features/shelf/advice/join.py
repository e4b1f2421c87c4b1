"""The manifests of two machines made one: each thing as whoever changed it had it, the later word first."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import moment
from reel_cli.features.shelf.advice.advice import HotEntry, LetGo
from reel_cli.features.shelf.advice.files import (
    ACTIONS_TAKEN,
    HOT,
    Cold,
    Hot,
    parse_cold,
    parse_hot,
    render_cold,
    render_hot,
    updated_of,
)

Entry = TypeVar("Entry", HotEntry, LetGo)


def join_manifest(path: str, ours: str, theirs: str, base: str) -> str | None:
    """Return one text of two that both changed; None if one of them cannot be read.

    What either took off a list is off it, unless the other changed it; of what both changed the later word
    stands. What was made of the advice is as the later of the two had it: it is decided anew the next time.
    """
    try:
        if path == ACTIONS_TAKEN:
            return ours if moment(updated_of(ours)) > moment(updated_of(theirs)) else theirs
        return _join_hot(ours, theirs, base) if path == HOT else _join_cold(ours, theirs, base)
    except ReelError:
        return None


def _join_hot(ours: str, theirs: str, base: str) -> str:
    mine, other, was = parse_hot(ours), parse_hot(theirs), parse_hot(base)
    here = moment(mine.updated) > moment(other.updated)
    kept = _entries(mine.keep, other.keep, was.keep, here=here)
    return render_hot(theirs, Hot(tuple(kept), mine.updated if here else other.updated))


def _join_cold(ours: str, theirs: str, base: str) -> str:
    mine, other, was = parse_cold(ours), parse_cold(theirs), parse_cold(base)
    here = moment(mine.updated) > moment(other.updated)
    let_go = _entries(mine.evict, other.evict, was.evict, here=here)
    # one of the two may have been cleared since
    trigger = other.trigger_gc if mine.trigger_gc == was.trigger_gc else mine.trigger_gc
    return render_cold(theirs, Cold(tuple(let_go), mine.updated if here else other.updated, trigger))


def _entries(
    ours: Iterable[Entry], theirs: Iterable[Entry], base: Iterable[Entry], *, here: bool
) -> Iterator[Entry]:
    """Yield the entries of both, in the other side's order; `here` means this side's is later."""
    mine: dict[str, Entry] = {one.path: one for one in ours}
    other: dict[str, Entry] = {one.path: one for one in theirs}
    was: dict[str, Entry] = {one.path: one for one in base}
    for path in dict.fromkeys((*other, *mine)):
        a, b, old = mine.get(path), other.get(path), was.get(path)
        if a == old:
            chosen = b
        elif b == old:
            chosen = a
        else:
            # one side removed it, the other changed it: the change stays
            chosen = (a or b) if here else (b or a)
        if chosen is not None:
            yield chosen
