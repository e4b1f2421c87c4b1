"""The file `tape/events.md`: how events stand in it, how they are read, and how more are appended.

What an event says of its session is read in `tape_view`. The file only grows; the version read last is kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import mutable
from reel_cli.core.tape import blocks
from reel_cli.core.tape.blocks import Block, Value
from reel_cli.core.values.talk import Event

_FRONT = {"tape": "events"}
_CONFLICT = (b"\n<<<<<<< ", b"\n=======\n", b"\n>>>>>>> ")
MADE = "made"
"""The kind of event that says which memories and checkpoints a change made, shortened or took away."""
CHANGED = "what begins here is no longer what was recorded; the tape only ever grows"


@mutable
class EventsSoFar:
    """One version of the file, read and proven; that which it grows into is not read again.

    Where many conversations are recorded, each asks, and each may add: read anew each time, a
    thousand titles learnt would take half a minute.
    """

    data: bytes
    events: list[Event] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    """The sessions that were taken back."""
    _told: dict[str, dict[str, str]] = field(default_factory=dict)

    def told(self, session: str) -> Mapping[str, str]:
        """Return the last text of a session, by the kind of event."""
        return {kind: texts[session] for kind, texts in self._told.items() if session in texts}

    def of_kind(self, kind: str) -> Mapping[str, str]:
        """Return the last text of a kind of event, by session."""
        return self._told.get(kind, {})

    def take_in(self, event: Event) -> None:
        """Count an event as one more."""
        self.events.append(event)
        if event.session is None:
            return
        self._told.setdefault(event.kind, {})[event.session] = event.text
        if event.kind == "retract":
            self.gone.add(event.session)
        elif event.kind == "reinstate":
            self.gone.discard(event.session)


_latest: list[EventsSoFar] = []
"""The version that was read or made last, alone."""


def read_so_far(data: bytes, path: str) -> EventsSoFar:
    """Return the events in these bytes; raises StateError if they are not as recorded."""
    if _latest and _latest[0].data is data:
        return _latest[0]
    found = EventsSoFar(data)
    changed: int | None = None
    for event, block in _read_events(data, path):
        found.take_in(event)
        if changed is None and not block.proven:
            changed = block.line
    if changed is not None:
        blocks.refuse(path, changed, CHANGED)
    _latest[:] = [found]
    return found


def append_events(existing: bytes | None, events: Sequence[Event], path: str) -> bytes:
    """Return the file with further events after what is there (None where there is none yet).

    The events' numbers and digests are not looked at: they are numbered on from the last one.
    Raises StateError naming `path` where `existing` is damaged or was changed by hand.
    """
    if _latest and _latest[0].data is existing and _latest[0].events:
        return _append_to(_latest[0], events)
    old = existing or blocks.render_front(_FRONT)
    _refuse_conflict(old, path)
    first = sum(1 for _ in blocks.read_blocks(old, path)) + 1
    return blocks.extend(old, [_render_event(e, n) for n, e in enumerate(events, first)], path)


def _append_to(known: EventsSoFar, events: Sequence[Event]) -> bytes:
    """Append as `append_events` does, to events that were proven already; updates `known`."""
    for event in events:
        last = known.events[-1]
        header, content = _render_event(event, last.number + 1)
        known.data, digest = blocks.extend_from(known.data, last.digest, [(header, content)])
        known.take_in(replace(event, number=last.number + 1, text=content.decode(), digest=digest))
    return known.data


def parse_events(data: bytes, path: str) -> list[Event]:
    """Return every event in order; an empty file holds none.

    Raises StateError naming `path` and the line where it is damaged.
    """
    return [event for event, _ in _read_events(data, path)]


def _read_events(data: bytes, path: str) -> Iterator[tuple[Event, Block]]:
    if not data:
        return
    _refuse_conflict(data, path)
    for number, block in enumerate(blocks.read_blocks(data, path), start=1):
        kind, at, session = (block.header.get(key) for key in ("event", "at", "session"))
        if not isinstance(kind, str) or not isinstance(at, str) or block.header.get("n") != number:
            blocks.refuse(path, block.line, f"event {number} should stand here")
        text = block.content.decode("utf-8", "replace")
        name = session if isinstance(session, str) else None
        yield Event(number, kind, at, text, name, block.digest, _read_about(block)), block


def has_marks(data: bytes) -> bool:
    """Return whether a text has lines like git's conflict markers."""
    return all(mark in b"\n" + data for mark in _CONFLICT)


def _refuse_conflict(data: bytes, path: str) -> None:
    """Refuse a file in which git left the marks of a conflict, as two machines' notes end in one.

    What somebody noted may look like such marks; then the chain holds, and nothing is wrong.
    """
    if has_marks(data) and blocks.verify_chain(data, path) is not None:
        message = f"{path} is in conflict: two machines noted something."
        raise StateError(message, hint="reel doctor --fix  joins them")


def _read_about(block: Block) -> tuple[int, int] | None:
    about = block.header.get("about")
    if isinstance(about, list) and len(about) == 2 and all(type(n) is int for n in about):
        return about[0], about[1]
    return None


def _render_event(event: Event, number: int) -> tuple[dict[str, Value], bytes]:
    known: dict[str, Value | None] = {
        "n": number,
        "event": event.kind,
        "at": event.at,
        "session": event.session,
        "about": list(event.about) if event.about else None,
    }
    return {k: v for k, v in known.items() if v is not None}, event.text.encode("utf-8")
