"""Verification of tombstones against the records of purges."""

from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.tape.erasure.record import EVENTS_NAME, PurgeRecord, parse_purges
from reel_cli.core.tape.erasure.tombstones import Tombstone, find_tombstones
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.values.talk import SESSION_ID, session_path
from reel_cli.features.verify.verify_history import Broken

FORGED = "this says that something was purged, but no purge on record did that"
MISSING = "a purge ({purge}) removed something from {what}, but nothing there says so"


def prove_purges(files: Mapping[str, bytes], proven: Iterable[str]) -> tuple[Sequence[Broken], Sequence[str]]:
    """Return what is broken among the tombstones, and in words what was purged.

    A tombstone is genuine where a purge's record (an event) names its block, and as many bytes went as it
    says; the last purge that took of a block is the one it names. Only the files in `proven` are looked at:
    what is otherwise broken is told of already.
    """
    sound = set(proven)
    try:
        records = parse_purges(parse_events(files.get(EVENTS) or b"", EVENTS))
    except ReelError:
        return (), ()
    broken: list[Broken] = []
    for path in sorted({*sound, *(_path(name) for record in records for name in record.places)}):
        if path not in sound:
            continue
        stones = find_tombstones(files[path], path)
        broken += _hold(
            path, stones, [(r, r.places[n]) for r in records for n in r.places if _path(n) == path]
        )
    return broken, _notes(records)


def _hold(
    path: str, stones: Sequence[Tombstone], records: Sequence[tuple[PurgeRecord, Mapping[int, int]]]
) -> list[Broken]:
    found = []
    for stone in stones:
        mine = [(record.name, places[stone.place]) for record, places in records if stone.place in places]
        genuine = mine and mine[-1][0] == stone.purge and sum(gone for _, gone in mine) == stone.gone
        if not genuine:
            found.append(Broken(path, stone.line, FORGED))
    there = {stone.place for stone in stones}
    for record, places in records:
        for place in places:
            if place not in there:
                what = MISSING.format(purge=record.name, what=path)
                found.append(Broken(path, None, what))
    return found


def _path(name: str) -> str:
    if name == EVENTS_NAME:
        return EVENTS
    return session_path(name) if SESSION_ID.fullmatch(name) else name


def _notes(records: Sequence[PurgeRecord]) -> Sequence[str]:
    taken = {
        (name, place)
        for r in records
        for name, places in r.places.items()
        if name != EVENTS_NAME
        for place in places
    }
    if not records:
        return ()
    count = "1 message" if len(taken) == 1 else f"{len(taken):,} messages"
    return (f"Purged on request: something out of {count}.",)
