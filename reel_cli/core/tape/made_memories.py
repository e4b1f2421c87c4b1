"""Memories and checkpoints as events of the tape: what was made, of what, and what became of it (REEL §4.6).

A change notes by itself what it does to them, so the tape and the history of a kit cannot disagree.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.tape.events_file import MADE, append_events, parse_events
from reel_cli.core.tape.tape_view import read_events
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import PLAIN, Memory
from reel_cli.core.values.source import parse_source
from reel_cli.core.values.talk import Event

GONE, UNREADABLE = "gone", "unreadable"
_MEMORY = re.compile(r"ring3/(M-\d+)\.md")
_CHECKPOINT = re.compile(r"checkpoints/(?P<name>(?P<session>[\d-]+)\.\d+)\.yaml")
_LINE = re.compile(r"(?P<name>M-\d+|checkpoint \S+) (?:(?P<was>\w+)->)?(?P<state>\w+)(?: of (?P<of>.+))?")
_BRINGS_BACK = ("restore", "undo", "redo")
_ITS_OWN = ("merge", "purge")
"""Operations that make nothing: a merge has the events of both sides, a purge what it takes in its record."""


@frozen
class Stage:
    """A memory or checkpoint from a time on: its level, `made`, or `gone`; `at` is ISO 8601.

    `was` is its level before, or `gone`; "" for a new one.
    """

    name: str
    was: str
    state: str
    at: str

    def told(self, *, first: bool) -> str:
        """Return it in words, which name it where it is the `first` that is told."""
        when = moment(self.at)
        day = day_in_words(date(when.year, when.month, when.day))
        if not self.was:
            return (
                f"Remembered as {self.name} on {day}" if self.name[0] == "M" else f"A page was kept on {day}"
            )
        change = f"a {PLAIN.get(self.state, self.state)} since {day}"
        if self.state == GONE:
            change = f"taken out on {day}"
        elif self.was in (GONE, self.state):
            change = f"back since {day}" if self.was == GONE else f"written anew on {day}"
        return f"{self.name}: {change}" if first else change


def note_made(
    snapshot: Snapshot, changes: Sequence[Change], at: str, lying: bytes | None
) -> tuple[Sequence[Change], dict[str, bytes | None]]:
    """Return changes planned on a snapshot, each with an event of what it does to memories and checkpoints.

    Their own events stay, in order. Where the kit's events cannot be read, the changes stay as they are.
    Where none of them had an event, theirs goes behind what was noted since the snapshot was read: `lying`
    is the file as it lies there now. The second value has the bytes on which the changes depend as well.
    """
    if not any(path.startswith(("ring3/", "checkpoints/")) for one in changes for path in one.writes):
        return changes, {}
    planned, told = snapshot, list[Change]()
    start = noted = snapshot.read(EVENTS) if any(EVENTS in one.writes for one in changes) else lying
    with suppress(ReelError):
        for change in changes:
            before, after = planned.read(EVENTS), planned.after(change)
            fresh = _added(before, after.read(EVENTS))
            if change.op not in _ITS_OWN and (lines := list(_find_made(planned, change))):
                fresh.append(Event(0, MADE, at, "\n".join(lines)))
            if fresh:
                noted = append_events(noted, fresh, EVENTS)
            told.append(change.also({EVENTS: noted}) if fresh else change)
            planned = after
        return told, {EVENTS: start}
    return changes, {}


def read_stages(snapshot: Snapshot, session: str) -> Sequence[Stage]:
    """Return what a session was made into and what became of that, by the tape alone, oldest first."""
    found: list[Stage] = []
    own: set[str] = set()
    for event in read_events(snapshot):
        if event.kind != MADE:
            continue
        for line in filter(None, map(_LINE.fullmatch, event.text.splitlines())):
            spans = [span for part in (line["of"] or "").split(", ") if (span := parse_source(part))]
            if any(span.session == session for span in spans):
                own.add(line["name"])
            if line["name"] in own:
                found.append(Stage(line["name"], line["was"] or "", line["state"], event.at))
    return found


def tell_stages(stages: Sequence[Stage]) -> Sequence[str]:
    """Return a sentence for each memory, or for the last page of a session that was made into none."""
    each: dict[str, list[Stage]] = {}
    for stage in stages:
        each.setdefault(stage.name, []).append(stage)
    shown = [name for name in each if name[0] == "M"] or list(each)[-1:]
    return ["; ".join(one.told(first=n == 0) for n, one in enumerate(each[name])) + "." for name in shown]


def _added(before: bytes | None, after: bytes | None) -> list[Event]:
    """Return the events that a change adds; ReelError where it writes the file anew."""
    if after == before:
        return []
    if not (after or b"").startswith(before or b""):
        message = f"{EVENTS} is written anew."
        raise ReelError(message)
    return parse_events(after or b"", EVENTS)[len(parse_events(before or b"", EVENTS)) :]


def _find_made(before: Snapshot, change: Change) -> Iterator[str]:
    """Yield a line for each memory or checkpoint that a change makes, shortens, writes anew or removes."""
    back = f"{GONE}->" if change.op in _BRINGS_BACK else ""
    for path, data in sorted(change.writes.items()):
        was = before.peek(path) or None
        if found := _MEMORY.fullmatch(path):
            memory, old = _parse(data, path), _parse(was, path)
            level = f"{old.level}->" if old is not None else back
            if data is None and was:
                yield f"{found[1]} {level or f'{UNREADABLE}->'}{GONE}"
            elif memory is not None and (old is None or (old.level, old.body) != (memory.level, memory.body)):
                spans = ", ".join(map(str, memory.source)) or ", ".join(memory.sessions)
                yield f"{memory.id} {level}{memory.level}{f' of {spans}' if spans else ''}"
        elif (found := _CHECKPOINT.fullmatch(path)) and (data is None) is not (was is None):
            name = f"checkpoint {found['name']}"
            yield f"{name} {back}made of {found['session']}" if data else f"{name} made->{GONE}"


def _parse(data: bytes | None, path: str) -> Memory | None:
    from reel_cli.core.files.memory_file import parse_memory

    with suppress(ReelError, UnicodeDecodeError):
        return parse_memory(data.decode(), path) if data else None
    return None
