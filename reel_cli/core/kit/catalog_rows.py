"""Rings 3 and 4 as the catalog keeps them: brought up to date file by file, and read as far as is asked."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reel_cli.core.files.catalog_store import CatalogUnusable, Store, checksum, verify
from reel_cli.core.files.tree import Look, is_memory_file, look_at, look_into
from reel_cli.core.values.holdings import RESOLUTIONS, Counter, LineRow, MemoryRow, MemoryTexts

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

INDEX = "ring4/index.md"
NEWEST_FIRST = "WHERE profile = ? ORDER BY day DESC, nth DESC, place DESC, number DESC"
_TAGGED = "tagged"
"""In place of a resolution: of a memory whose STAGE or CHAIN syntax is left out of its texts."""
AT_ONCE = 200
"""Number of rows read at once while walking, and of texts requested at once."""


class Source(NamedTuple):
    """The source of rows: the kit, how they are written and counted, and the store that holds them."""

    kit: Path
    snapshot: "Callable[[], Snapshot]"
    store: Store
    writing: MemoryTexts
    counter: Counter
    profile: int
    later: bool
    """Whether the kit is of a later version than this program writes."""


# -- ring 3 -------------------------------------------------------------------------------


def refresh_memories(source: Source, stamp: str) -> Mapping[str, Any]:
    """Update the memories; `stamp` is that of ring 3, made just now.

    Returns their `ids`, newest first, their tokens (`whole`, `markers`, `tags`), the `highest` number, and
    how many there are by `levels` and were `brought`, and the IDs of those that are `tagged`.
    """
    folder = source.kit / "ring3"
    kept = f"{source.profile} ring3"
    known = source.store.recall(kept, stamp)
    if known is not None:
        return _loads(known)
    looks = sorted(look for look in look_into(folder) if is_memory_file(look.name))
    clock = source.store.clock()
    _rewrite_changed(source, looks, clock)
    totals = source.store.rows(
        "SELECT total(marker), total(tag), max(number), total(brought), total(whole)"
        " FROM memories WHERE profile = ?",
        source.profile,
    ).fetchone()
    value: dict[str, Any] = dict(
        zip(("markers", "tags", "highest", "brought", "whole"), (int(n or 0) for n in totals), strict=True)
    )
    newest = source.store.rows(f"SELECT id FROM memories {NEWEST_FIRST}", source.profile)  # noqa: S608
    levels = "SELECT level, count(*) FROM memories WHERE profile = ? GROUP BY level"
    value["levels"] = dict(source.store.rows(levels, source.profile).fetchall())
    value["ids"] = " ".join(row[0] for row in newest)
    tagged = source.store.rows(
        "SELECT id FROM memory_texts WHERE profile = ? AND resolution = ? ORDER BY id",
        source.profile,
        _TAGGED,
    )
    value["tagged"] = [row[0] for row in tagged]
    if all(look.stamp and look.born < clock for look in looks):
        source.store.keep(kept, stamp, json.dumps(value))
    else:
        source.store.drop(kept)
    return value


def _rewrite_changed(source: Source, looks: Sequence[Look], clock: int) -> None:
    """Read the files whose look has changed; forget those that are gone."""
    rows = source.store.rows("SELECT name, stamp FROM memories WHERE profile = ?", source.profile)
    known = {str(name): stamp for name, stamp in rows}
    for name in known.keys() - {look.name for look in looks}:
        _forget_memory(source, name)
    for look in looks:
        if not look.stamp or known.get(look.name) != look.stamp:
            _forget_memory(source, look.name)
            _write_memory(source, look.name, look.stamp if look.born < clock else "")


def _forget_memory(source: Source, name: str) -> None:
    source.store.rows("DELETE FROM memories WHERE profile = ? AND name = ?", source.profile, name)
    source.store.rows(
        "DELETE FROM memory_texts WHERE profile = ? AND id = ?", source.profile, name.removesuffix(".md")
    )


def _write_memory(source: Source, name: str, stamp: str) -> None:
    from reel_cli.core.kit.read_holdings import write_memory

    path = f"ring3/{name}"
    text = source.snapshot().text(path) or ""
    made = write_memory(text, path, source.writing, source.counter.count, later=source.later)
    row = (*made.row[:-1], int(made.row.brought))
    source.store.rows(
        "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(source.profile, name, stamp, *made.order, *row, checksum(row)),
    )
    for resolution, text in zip(RESOLUTIONS, made.texts, strict=True):
        kept = (made.row.id, resolution, text)
        source.store.rows(
            "INSERT INTO memory_texts VALUES (?, ?, ?, ?, ?)", source.profile, *kept, checksum(kept)
        )
    if made.tagged:
        kept = (made.row.id, _TAGGED, "")
        source.store.rows(
            "INSERT INTO memory_texts VALUES (?, ?, ?, ?, ?)", source.profile, *kept, checksum(kept)
        )


class KeptMemories:
    """Ring 3, from the catalog."""

    def __init__(self, store: Store, profile: int, totals: Mapping[str, Any]) -> None:
        """Read the rows of one profile; `totals` are what `refresh_memories` returned."""
        self.store = store
        self.profile = profile
        self._ids: Sequence[str] = totals["ids"].split()
        self.count = len(self._ids)
        self.brought = totals["brought"]
        self.markers = totals["markers"]
        self.tags = totals["tags"]
        self.whole: int = totals["whole"]
        self.levels: Mapping[str, int] = totals["levels"]

    def newest(self) -> Iterator[MemoryRow]:
        """Yield all rows, newest first."""
        found = self.store.rows(
            f"SELECT id, level, whole, marker, tag, mark, brought, checked FROM memories {NEWEST_FIRST}",  # noqa: S608
            self.profile,
        )
        at = 0
        while rows := found.fetchmany(AT_ONCE):
            for at, row in enumerate(rows, start=at + 1):  # noqa: B020 (counts on over the batches)
                if at > self.count or row[0] != self._ids[at - 1]:
                    message = "the rows are not in their order"
                    raise CatalogUnusable(message)
                item, level, whole, marker, tag, mark, brought = verify(row)
                yield MemoryRow(item, level, whole, marker, tag, mark, brought == 1)
        if at < self.count:
            message = "rows are missing"
            raise CatalogUnusable(message)

    def ids(self) -> Sequence[str]:
        """Return all IDs, the newest first."""
        return self._ids

    def texts(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Return the written texts of chosen IDs, each at its resolution."""
        found: dict[str, str] = {}
        for resolution in RESOLUTIONS:
            ids = [item for item, name in chosen.items() if name == resolution]
            for row in _each(
                self.store,
                "SELECT id, resolution, text, checked FROM memory_texts"
                " WHERE profile = ? AND resolution = ? AND id IN ({})",
                (self.profile, resolution),
                ids,
            ):
                found[row[0]] = row[2]
        return _all_there(found, chosen)


# -- ring 4 -------------------------------------------------------------------------------


def refresh_lines(source: Source) -> Mapping[str, Any]:
    """Update the index; return its `ids`, newest first, and counts of it."""
    look = look_at(source.kit / INDEX, INDEX)
    kept = f"{source.profile} ring4"
    known = source.store.recall(kept, look.stamp) if look.stamp else None
    if known is not None:
        return _loads(known)
    clock = source.store.clock()
    value = _rewrite_lines(source)
    if look.stamp and look.born < clock:
        source.store.keep(kept, look.stamp, json.dumps(value))
    else:
        source.store.drop(kept)
    return value


def _rewrite_lines(source: Source) -> dict[str, Any]:
    from reel_cli.core.kit.read_holdings import write_lines
    from reel_cli.core.values.memory import memory_number

    kept = KeptLines(
        source.store, source.profile, {"ids": "", "immune": "", "tokens": 0, "least": 0, "brought": 0}
    )
    texts = kept.all_texts()
    counted = {texts[row.id]: row.tokens for row in kept.newest() if row.id in texts}

    def count(text: str) -> int:
        tokens = counted.get(text)
        return source.counter.count(text) if tokens is None else tokens

    text = source.snapshot().text(INDEX) or ""
    lines, broken = write_lines(text, source.writing, count, later=source.later)
    for table in ("lines", "line_texts"):
        source.store.rows(f"DELETE FROM {table} WHERE profile = ?", source.profile)  # noqa: S608
    profile = source.profile
    source.store.connection.executemany(
        "INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((profile, *_line_values(line.row), checksum(_line_values(line.row))) for line in lines),
    )
    source.store.connection.executemany(
        "INSERT INTO line_texts VALUES (?, ?, ?, ?, ?)",
        (
            (profile, line.row.id, line.text, line.words, checksum((line.row.id, line.text, line.words)))
            for line in lines
        ),
    )
    return {
        "ids": " ".join(line.row.id for line in reversed(lines)),
        "immune": " ".join(line.row.id for line in lines if line.row.immune),
        "tokens": sum(line.row.tokens for line in lines),
        "least": min((line.row.tokens for line in lines), default=0),
        "brought": sum(line.row.brought for line in lines),
        "highest": max((memory_number(line.row.id) for line in lines), default=0),
        "broken": broken,
        "tagged": [line.row.id for line in lines if line.tagged],
    }


def _line_values(row: LineRow) -> tuple[int, str, int, int, str, int]:
    return row.place, row.id, row.tokens, int(row.immune), row.mark, int(row.brought)


class KeptLines:
    """Ring 4, from the catalog."""

    def __init__(self, store: Store, profile: int, totals: Mapping[str, Any]) -> None:
        """Read the rows of one profile; `totals` are what `refresh_lines` returned."""
        self.store = store
        self.profile = profile
        self._ids: Sequence[str] = totals["ids"].split()
        self.count = len(self._ids)
        self._immune: str = totals["immune"]
        self.tokens = totals["tokens"]
        self.least: int = totals["least"]
        self.brought = totals["brought"]

    def newest(self, *, immune: bool | None = None) -> Iterator[LineRow]:
        """Yield all rows, or those with this flag, newest first."""
        flag = ("",) if immune is None else (" AND immune = ?", int(immune))
        found = self.store.rows(
            "SELECT place, id, tokens, immune, mark, brought, checked FROM lines"  # noqa: S608
            f" WHERE profile = ?{flag[0]} ORDER BY place DESC",
            self.profile,
            *flag[1:],
        )
        while rows := found.fetchmany(AT_ONCE):
            for row in rows:
                place, item, tokens, kept, mark, brought = verify(row)
                yield LineRow(item, place, tokens, kept == 1, mark, brought == 1)

    def ids(self) -> Sequence[str]:
        """Return all IDs, the newest first."""
        return self._ids

    def immune_ids(self) -> Collection[str]:
        """Return the IDs of the immune ones, which are kept in one piece too: many rows take longer."""
        return frozenset(self._immune.split())

    def words(self) -> Iterator[tuple[str, str]]:
        """Yield each ID with its description, phrase and tags."""
        found = self.store.rows(
            "SELECT id, text, words, checked FROM line_texts WHERE profile = ?", self.profile
        )
        for row in found:
            verify(row)
            yield row[0], row[2]

    def all_texts(self) -> Mapping[str, str]:
        """Return every written line by its ID."""
        found = self.store.rows(
            "SELECT id, text, words, checked FROM line_texts WHERE profile = ?", self.profile
        )
        return {row[0]: row[1] for row in map(verify, found)}

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the written lines of these IDs."""
        wanted = list(ids)
        rows = _each(
            self.store,
            "SELECT id, text, words, checked FROM line_texts WHERE profile = ? AND id IN ({})",
            (self.profile,),
            wanted,
        )
        return _all_there({row[0]: row[1] for row in rows}, wanted)


# -- both -----------------------------------------------------------------------------------


def _each(
    store: Store, query: str, values: tuple[object, ...], ids: Sequence[str]
) -> Iterator[Sequence[Any]]:
    """Yield the checked rows of some IDs, queried in batches."""
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        for row in store.rows(query.format(", ".join("?" * len(some))), *values, *some):
            yield verify(row)


def _all_there(found: Mapping[str, str], wanted: Iterable[str]) -> Mapping[str, str]:
    if found.keys() != set(wanted):
        message = "texts are missing"
        raise CatalogUnusable(message)
    return found


def _loads(text: str) -> Mapping[str, Any]:
    value: Mapping[str, Any] = json.loads(text)
    return value
