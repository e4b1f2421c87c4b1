"""Due summaries: old ones, those that advice asks for, those of long files (MEMORY-MGMT §4)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.due import Due
from reel_cli.features.shelf.advice.advice import COMPRESS, SUMMARIZE
from reel_cli.features.shelf.advice.files import COLD, read_cold
from reel_cli.features.shelf.collecting.auto_summaries import draft_unaided
from reel_cli.features.shelf.files import read_contents, read_shelf
from reel_cli.features.shelf.note import FEW, note_shelf
from reel_cli.features.shelf.shelf_file import SHELF, TEXT, ShelfFile, WatchedFile
from reel_cli.features.shelf.summaries.files import Sources, fresh_summary, read_summaries, summaries_of
from reel_cli.features.shelf.summaries.summary import SUMMARIES, Style, Summary
from reel_cli.features.shelf.survey import as_typed
from reel_cli.features.shelf.watched_files import SAME, state_of

_NAME = "kit summaries"
DATA = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".yaml", ".yml")
"""Endings of files whose structure can be described without asking a model."""
SEVERAL = 3
"""Number of files, named alike but for their numbers, from which one summary of them all is suggested."""
MOST_NOTED = 100


class Old(NamedTuple):
    """A summary that is old: its path, its style, and the sources that changed since."""

    path: str
    style: str
    changed: Sequence[str]
    sources: Sequence[str]


class DueSummaries(NamedTuple):
    """The due summaries: old ones, of files that go once they have one, of long files, and of groups.

    `several` are groups of files that one summary might do for: a suggestion.
    """

    old: Sequence[Old] = ()
    going: Sequence[str] = ()
    long: Sequence[str] = ()
    several: Sequence[Sequence[str]] = ()


def find_wanted(snapshot: Snapshot) -> DueSummaries:
    """Return the due summaries, as far as the kit itself shows them; watched files are not looked at.

    What collecting sums up by itself when it goes is not due.
    """
    shelf = read_shelf(snapshot)
    known = read_summaries(snapshot)
    sources = Sources(snapshot, None, shelf)
    old = list(find_old(known, sources))
    again = {path for one in old for path in one.changed}
    going = [
        path
        for path, why in _going(snapshot, shelf)
        if path not in again
        and fresh_summary(snapshot, shelf[path], sources, known) is None
        and draft_unaided(snapshot, None, shelf[path], why) is None
    ]
    told = {*again, *going}
    long = [
        path
        for path in _long(snapshot, shelf)
        if path not in told and fresh_summary(snapshot, shelf[path], sources, known) is None
    ]
    several = list(_several(shelf, known))
    return DueSummaries(old, going, long, several)


def find_old(known: Mapping[str, Summary], sources: Sources) -> Iterator[Old]:
    """Yield outdated summaries, unless a newer one tells of the files as they are now."""
    for one in known.values():
        if one.trouble or not one.tells:
            continue
        changed = [
            path
            for path in sources.stale(one)
            if not any(
                path not in sources.stale(other)
                for other in summaries_of(known, path)
                if other.tells and other.path != one.path and not other.trouble
            )
        ]
        if changed:
            there = [path for path in one.paths if sources.sha_now(path) is not None]
            yield Old(one.path, one.style, changed, there)


def _going(snapshot: Snapshot, shelf: Mapping[str, ShelfFile]) -> Iterator[tuple[str, str]]:
    """Yield the files that go once they are summarized, and why, according to accepted advice."""
    try:
        asked = {
            one.path: one.why for one in read_cold(snapshot).evict if one.action in (SUMMARIZE, COMPRESS)
        }
        if not any(path in shelf for path in asked):
            return
        from reel_cli.features.shelf.advice.plan import standing_decisions

        lets_go = {one.path for one in standing_decisions(snapshot, ()) if one.lets_go}
    except ReelError:
        # reported by the commands for advice
        return
    yield from (
        (path, why)
        for path, why in asked.items()
        if path in lets_go and path in shelf and not shelf[path].trouble and holds_text(snapshot, shelf[path])
    )


def holds_text(snapshot: Snapshot, file: ShelfFile) -> bool:
    """Return whether a file has anything that could be summarized."""
    if file.watched is not None:
        return file.watched.size > 0
    content = read_contents(snapshot, (file.path,))[file.path]
    return content.kind == TEXT and content.size > 0


def _long(snapshot: Snapshot, shelf: Mapping[str, ShelfFile]) -> Iterator[str]:
    """Yield the files at hand that have more lines than a file should have without a summary."""
    most = snapshot.settings.shelf_long
    if not most:
        return
    held = [file.path for file in shelf.values() if file.held and file.working and not file.trouble]
    for path, content in read_contents(snapshot, held).items():
        if content.kind == TEXT and content.lines > most:
            yield path


def _several(shelf: Mapping[str, ShelfFile], known: Mapping[str, Summary]) -> Iterator[Sequence[str]]:
    """Yield files whose names differ only in numbers, none of which has a summary yet."""
    told = {path for one in known.values() for path in one.paths}
    groups: dict[str, list[str]] = {}
    for path, file in shelf.items():
        if file.held and file.working and not file.trouble and path not in told:
            name = re.sub(r"\d+", "#", path)
            if name != path:
                groups.setdefault(name, []).append(path)
    yield from (paths for paths in groups.values() if len(paths) >= SEVERAL)


def wanted_now(kit: Path) -> DueSummaries:
    """Return what is due for the kit in a folder, from its note; up to `MOST_NOTED` of a kind."""
    if not (kit / SHELF).is_dir():
        return DueSummaries()

    def make() -> tuple[dict[str, Any], list[str]]:
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.glance import Glance

        snapshot = Glance(WorkTree(kit), kit.resolve().name, kit)
        # watched files are examined each time
        found = find_wanted(snapshot)
        known, shelf = read_summaries(snapshot), read_shelf(snapshot)
        watched = [
            (one.path, one.style, path, list(one.paths), _watching(shelf[path]))
            for one in known.values()
            for path in one.paths
            if path in shelf and shelf[path].watched is not None and one.tells
        ]
        places = {SUMMARIES, COLD, "ring2/working.md", *_folders(known), *known}
        held = [file.path for file in shelf.values() if file.held]
        places.update(held if len(held) <= FEW else _sources(known, shelf))
        note = {
            "old": [list(one) for one in found.old[:MOST_NOTED]],
            "going": found.going[:MOST_NOTED],
            "long": found.long[:MOST_NOTED],
            "several": found.several[:MOST_NOTED],
            "watched": watched[:MOST_NOTED],
        }
        return note, sorted(places)

    note = note_shelf(kit, make, name=_NAME, every=True)
    old = [Old(*one) for one in note["old"]]
    for path, style, source, sources, watched in note["watched"]:
        if state_of(kit, WatchedFile(*watched)) != SAME and not any(one.path == path for one in old):
            old.append(Old(path, style, [source], sources))
    return DueSummaries(old, note["going"], note["long"], note["several"])


def _watching(file: ShelfFile) -> tuple[object, ...]:
    watched = file.watched
    return (watched.path, watched.size, watched.sha256, watched.mtime) if watched is not None else ()


def _folders(known: Collection[str]) -> Iterator[str]:
    for path in known:
        parts = path.split("/")[:-1]
        yield from ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def _sources(known: Mapping[str, Summary], shelf: Mapping[str, ShelfFile]) -> Iterator[str]:
    yield from (path for one in known.values() for path in one.paths if path in shelf)


def due_of(wanted: DueSummaries) -> list[Due]:
    """Return what is due, each kind in one line with the command for the first."""
    found = []
    if wanted.old:
        first = wanted.old[0]
        more = _more(len(wanted.old) - 1, "old summary", "old summaries")
        why = f"{_name(first.changed[0])} changed since {first.path} was made{more}"
        found.append(Due("summary", why, summarize_command(first.sources, first.style)))
    if wanted.going:
        more = _more(len(wanted.going) - 1, "file", "files")
        why = f"{_name(wanted.going[0])} is to be summed up before it goes{more}"
        found.append(Due("summary", why, summarize_command(wanted.going[:1])))
    if wanted.long:
        one = len(wanted.long) == 1
        why = (
            f"{_name(wanted.long[0])} is long, and has no summary"
            if one
            else f"{len(wanted.long):,} long files have no summary, {_name(wanted.long[0])} the first of them"
        )
        found.append(Due("summary", why, summarize_command(wanted.long[:1])))
    return found


def summarize_command(paths: Sequence[str], style: str = "") -> str:
    """Return the command that makes a summary of these files; without a style the one that suits them."""
    kind = style or (Style.SCHEMA if all(path.casefold().endswith(DATA) for path in paths) else "")
    files = [ShelfFile(path, "") for path in paths]
    usual = not kind or kind == Style.BULLET
    return f"reel shelf summarize {as_typed(files)}{'' if usual else f' --style {one_line(kind, 20)}'}"


def _name(path: str) -> str:
    return one_line(path.removeprefix(f"{SHELF}/"), 60)


def _more(number: int, one: str, many: str) -> str:
    return "" if number < 1 else f"; {number:,} more {one if number == 1 else many}"
