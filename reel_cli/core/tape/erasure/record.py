"""A purge's record in `tape/events.md`: which blocks lost how much, and by what it is known again."""

import json
from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.erasure.fingerprint import Fingerprint
from reel_cli.core.values.talk import PURGE, Event

EVENTS_NAME = "events"
"""Name of `tape/events.md` beside the sessions."""


@frozen
class PurgeRecord:
    """One purge: its name (the day and a number of that day), and what went where.

    `places` are, by session (or `events`), the blocks' places in the file and the bytes gone out of each.
    """

    name: str
    at: str
    places: Mapping[str, Mapping[int, int]]
    prints: Sequence[Fingerprint] = ()


def render_purge(record: PurgeRecord) -> Event:
    """Return the event that is a purge's record."""
    value = {
        "purge": record.name,
        "places": {name: [[at, gone] for at, gone in found.items()] for name, found in record.places.items()},
        "prints": [one.as_json() for one in record.prints],
    }
    return Event(0, PURGE, record.at, json.dumps(value))


def parse_purges(events: Iterable[Event]) -> Sequence[PurgeRecord]:
    """Return every purge on record, oldest first; skips unreadable records."""
    found = []
    for event in events:
        record = _parse(event) if event.kind == PURGE else None
        if record is not None:
            found.append(record)
    return tuple(found)


def _parse(event: Event) -> PurgeRecord | None:
    try:
        value = json.loads(event.text)
        places = {
            str(name): {int(at): int(gone) for at, gone in rows} for name, rows in value["places"].items()
        }
        prints = [one for row in value.get("prints", ()) if (one := Fingerprint.from_json(row)) is not None]
        return PurgeRecord(str(value["purge"]), event.at, places, tuple(prints))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def next_purge_name(day: str, records: Sequence[PurgeRecord]) -> str:
    """Return the name of the next purge on a day (`2026-03-01`)."""
    known = {record.name for record in records}
    number = 1
    while f"{day}-{number}" in known:
        number += 1
    return f"{day}-{number}"
