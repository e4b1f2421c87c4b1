"""Changes between two moments of what was said of threads."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.kinds import KindDiff, tell_few
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.threads.naming.files import MEMBERS, NAMES, NONE, NOT, THEME, NamedThread, parse_named


def compare_named(start: Snapshot, end: Snapshot, changed: Collection[str]) -> KindDiff:
    """Return which words on threads are new, changed or gone; a file that cannot be read has none."""
    before, after = (_read(snapshot) if NAMES in changed else {} for snapshot in (start, end))
    both = {
        key: (before.get(key), after.get(key))
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    }
    value = {key: {"before": _as_json(was), "after": _as_json(now)} for key, (was, now) in both.items()}
    lines = [line for key, (was, now) in both.items() for line in _tell(key, was, now)]
    return KindDiff("threads", value, "Threads", tell_few(lines, str))


def _read(snapshot: Snapshot) -> dict[str, NamedThread]:
    try:
        return {one.key: one for one in parse_named(snapshot.text(NAMES) or "")}
    except ReelError:
        return {}


def _as_json(one: NamedThread | None) -> dict[str, Any] | str | None:
    if one is None or one.is_none:
        return NONE if one else None
    return {THEME: one.theme, MEMBERS: list(one.members), NOT: list(one.others)}


def _tell(key: str, before: NamedThread | None, after: NamedThread | None) -> Iterator[str]:
    """Yield what became of one thread, a line each."""
    if after is None:
        yield f"- {before.name if before else key}"
        return
    name = f"{'+ ' if before is None else ''}{key}"
    if after.is_none:
        yield f"{name}: no thread"
        return
    was = NamedThread(key) if before is None or before.is_none else before
    if after.name != was.name:
        yield f"{name}: called “{after.name}”"
    told = [
        *_tell_items("belongs to it", was.members, after.members),
        *_tell_items("does not belong to it", was.others, after.others),
        *(f"{item} is as it was found" for item in _missing(was, after)),
    ]
    yield from (f"{name}: {line}" for line in told)
    if after.name == was.name and not told:
        yield f"{name}: a thread"


def _tell_items(words: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    return (f"{item} {words}" for item in after if item not in before)


def _missing(before: NamedThread, after: NamedThread) -> list[str]:
    """Return what was said to belong or not, and is not any more."""
    there = {*after.members, *after.others}
    return [item for item in (*before.members, *before.others) if item not in there]
