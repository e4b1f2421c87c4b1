"""A few words kept of each file, so that an overview of a large kit need not read them all again."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, open_store
from reel_cli.core.files.ring_files import Look, look_at

T = TypeVar("T")


def note_files(
    kit: Path,
    kind: str,
    paths: Iterable[str],
    make: Callable[[str], T],
    also: Callable[[str], Sequence[Look]] | None = None,
) -> dict[str, T]:
    """Return a note (plain JSON) for each path: the one in the kit's catalog, or a new one by `make`.

    A file is trusted to be unchanged as the catalog trusts it: by size, times and inode, and not
    while it is as young as the catalog's clock. Where the catalog cannot be used, all are made. A
    note that depends on more than its own file is trusted only while all that `also` gives is as it was.
    """
    looks = [look_at(f"{kit}/{path}", path) for path in paths]
    if also is not None:
        looks = [_with(look, also(look.name)) for look in looks]
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return {look.name: make(look.name) for look in looks}
    try:
        known: Mapping[str, Sequence[T]] = _recall(store, kind)
        stale = [x for x in looks if not x.stamp or x.name not in known or known[x.name][0] != x.stamp]
        if not stale and len(known) == len(looks):
            return {look.name: known[look.name][1] for look in looks}
        clock = _clock(store)
        fresh = {look.name: make(look.name) for look in stale}
        notes = {x.name: fresh[x.name] if x.name in fresh else known[x.name][1] for x in looks}
        _keep(store, kind, [x for x in looks if x.stamp and x.born < clock], notes)
        return notes
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


def _with(look: Look, others: Sequence[Look]) -> Look:
    """Return one look for a file and all that its note depends on."""
    if not all(one.stamp for one in (look, *others)):
        return look._replace(stamp="")
    more = "\n".join(one.stamp for one in others).encode("utf-8", "replace")
    born = max(one.born for one in (look, *others))
    return look._replace(stamp=f"{look.stamp} {len(more)} {crc32(more):08x}", born=born)


def _recall(store: Store, kind: str) -> dict[str, Sequence[T]]:
    try:
        known: dict[str, Sequence[T]] = json.loads(store.recall(f"notes {kind}", __version__) or "{}")
    except (CatalogUnusable, ValueError, *TROUBLE):
        return {}
    return known


def _clock(store: Store) -> int:
    """Return the time before which a file must be born for its note to be kept; 0 if that is impossible."""
    try:
        return store.clock()
    except OSError:
        return 0


def _keep(store: Store, kind: str, looks: Sequence[Look], notes: Mapping[str, T]) -> None:
    kept = {look.name: (look.stamp, notes[look.name]) for look in looks}
    with suppress(*TROUBLE):
        store.keep(f"notes {kind}", __version__, json.dumps(kept))
