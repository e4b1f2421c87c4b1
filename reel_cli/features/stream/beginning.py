"""Beginning of the conversation that goes on, from the tape; reads only the heads of sessions.

It is the newest conversation there is, across all its keeps. The tape does not say whether it is over, so its
beginning stays until another has begun.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.features.stream.cycles import Buffer, Cycle, divide_into_cycles

if TYPE_CHECKING:
    from reel_cli.core.files.ring_files import Look
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Notebook
    from reel_cli.core.values.settings import Settings
    from reel_cli.core.values.talk import Entry, Session
    from reel_cli.features.stream.stream import KeptConversation

EDITION = 2
"""Raised when the same tape would be told otherwise."""
_BUNDLE = b'"kind": "bundle"'


# -- on the tape -----------------------------------------------------------------------------------


def gather_buffer(snapshot: "Snapshot", settings: "Settings") -> Buffer:
    """Return the first cycles of the newest conversation; none, with a reason, for a broken tape."""
    if not settings.buffer_cycles or not snapshot.sessions:
        return Buffer()
    try:
        return Buffer(_first(snapshot, settings, _newest(snapshot, settings)))
    except ReelError as error:
        return Buffer(told=[f"How the last conversation began is left out: {error.message}"])


def first_of_kept(snapshot: "Snapshot", kept: "KeptConversation") -> Buffer:
    """Return the first cycles of a kept conversation, as far back as it goes.

    Raises StateError where the tape is not as it was recorded.
    """
    settings = snapshot.settings
    return Buffer(_first(snapshot, settings, _sessions_of(snapshot, kept)), now=True)


def _sessions_of(snapshot: "Snapshot", kept: "KeptConversation", last: str | None = None) -> Sequence[str]:
    """Return the sessions of a kept conversation that count, oldest first."""
    from reel_cli.core.tape.tape_view import standing_sessions

    names = dict.fromkeys([*(span.session for span in kept.whole), kept.session, last or kept.session])
    standing = set(standing_sessions(snapshot))
    return [name for name in names if name in standing]


def _newest(snapshot: "Snapshot", settings: "Settings") -> Sequence[str]:
    """Return the sessions of the newest conversation in which something was said."""
    from reel_cli.core.tape.tape_view import read_session, standing_sessions
    from reel_cli.core.values.source import session_path
    from reel_cli.core.values.talk import Kind
    from reel_cli.features.stream.stretch import goes_on_from, read_kept

    for name in reversed(standing_sessions(snapshot)):
        lived = _head(snapshot, name, settings.buffer_cycles)
        if not lived.shown():
            continue
        kept = read_kept(snapshot)
        if kept is not None and kept.session != name and goes_on_from(lived, kept) is None:
            # a new beginning may also have been pasted into the middle of it
            there = sum(entry.message.kind is Kind.BUNDLE for entry in lived.entries)
            if (snapshot.read(session_path(name)) or b"").count(_BUNDLE) > there:
                lived = read_session(snapshot, name)
        kept = goes_on_from(lived, kept)
        return _sessions_of(snapshot, kept, name) if kept is not None else [name]
    return []


def _first(snapshot: "Snapshot", settings: "Settings", sessions: Sequence[str]) -> list[Cycle]:
    found: list[Cycle] = []
    for name in sessions:
        if len(found) < settings.buffer_cycles:
            found += _cycles(snapshot, settings, name, settings.buffer_cycles - len(found))
    return found


def _cycles(snapshot: "Snapshot", settings: "Settings", session: str, most: int) -> Iterator[Cycle]:
    """Yield the first cycles of one session, without those with a fully purged message."""
    from reel_cli.core.tape.transcript import tell_entries

    shown = [entry for entry in _head(snapshot, session, most).shown() if entry.message.text.strip()]
    cycles = _standing_cycles(shown)[:most]
    if not cycles:
        return
    told = [
        (entry.number or 0, text)
        for entry, text in tell_entries(snapshot, session, shown[: cycles[-1][-1] + 1], settings)
    ]
    end = 0
    for places in cycles:
        yield Cycle(session, [told[place] for place in places], gap=places[0] > end)
        end = places[-1] + 1


def _standing_cycles(shown: "Sequence[Entry]") -> list[list[int]]:
    from reel_cli.core.tape.erasure.target import MARK

    return [
        places
        for places in divide_into_cycles(entry.message.role for entry in shown)
        if not any(shown[place].message.text.strip() == MARK for place in places)
    ]


def _head(snapshot: "Snapshot", session: str, most: int) -> "Session":
    """Return a session's beginning, with one turn more than so many cycles."""
    from reel_cli.core.tape.session_file import parse_head
    from reel_cli.core.values.source import session_path

    shown: list[Entry] = []

    def is_enough(entry: "Entry") -> bool:
        if entry.message.text.strip():
            shown.append(entry)
        # a cycle has two messages at the least
        is_turn = entry.message.role == "user" and len(shown) > 2 * most
        return is_turn and len(_standing_cycles(shown)) >= most

    path = session_path(session)
    return parse_head(snapshot.read(path) or b"", path, is_enough)


# -- from one packing to the next ------------------------------------------------------------------


def recall_buffer(kit: Path, settings: "Settings", notebook: "Notebook | None") -> Buffer:
    """Return `gather_buffer` for the kit in a folder, cached while none of its files changes.

    A file is trusted to be unchanged as the catalog trusts it; a session that comes or goes shows in its
    folder.
    """
    if not settings.buffer_cycles or not (kit / "tape").exists():
        return Buffer()
    if notebook is None:
        return gather_buffer(_snapshot_of(kit), settings)
    stamp, born = _stamp(settings, _look_at_tape(kit))
    known = notebook.recall("buffer", stamp) if stamp else None
    if known is not None:
        kept = json.loads(known)
        if _stamp(settings, _look_at_files(kit, kept["files"]))[0] == kept["stamp"]:
            return Buffer([Cycle(*one) for one in kept["cycles"]])
    try:
        clock = notebook.clock()
    except OSError:
        # on a read-only disk nothing can be kept
        clock = 0
    snapshot = _snapshot_of(kit)
    made = gather_buffer(snapshot, settings)
    files = sorted(snapshot.seen())
    whole, youngest = _stamp(settings, _look_at_files(kit, files))
    if stamp and whole and not made.told and max(born, youngest) < clock:
        value = {"files": files, "stamp": whole, "cycles": made.cycles}
        notebook.keep("buffer", stamp, json.dumps(value, ensure_ascii=False))
    return made


def _snapshot_of(kit: Path) -> "Snapshot":
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.snapshot import Snapshot

    return Snapshot(WorkTree(kit), kit.resolve().name)


def _look_at_tape(kit: Path) -> "Sequence[Look]":
    """Return a look at the tape's folders, which change when a session comes, goes or grows."""
    with os.scandir(kit / "tape") as entries:
        years = sorted(entry.name for entry in entries if entry.is_dir())
    return _look_at_files(kit, ["tape", *(f"tape/{year}" for year in years), "stream.md"])


def _look_at_files(kit: Path, paths: Sequence[str]) -> "Sequence[Look]":
    from reel_cli.core.files.ring_files import look_at

    return [look_at(f"{kit}/{path}", path) for path in paths]


def _stamp(settings: "Settings", looks: "Sequence[Look]") -> tuple[str, int]:
    """Return their stamp ("" if one must be read each time), and the youngest one's creation time."""
    from reel_cli import __version__

    if not all(look.stamp for look in looks):
        return "", 0
    made = [__version__, str(EDITION), str(settings.buffer_cycles), settings.name, settings.user]
    made += (f"{look.name} {look.stamp}" for look in looks)
    return "\n".join(made), max((look.born for look in looks), default=0)
