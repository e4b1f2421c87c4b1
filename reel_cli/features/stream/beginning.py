"""Beginning of the newest conversation, word for word: from the tape into the bundle (SRIP-11 §III.5a).

It is the newest conversation there is, across all its keeps; only the heads of its sessions are read. The
tape does not say whether it is over, so its beginning stays until another has begun. In the bundle its first
cycles are whole, and within their share; what the bundle tells word for word further on is not told here too.
"""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Source, Terms
from reel_cli.core.pack.some_holdings import GATED
from reel_cli.core.pack.unit import Omissions, Unit
from reel_cli.core.pack.words import fold_text, list_spans
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.features.stream.stream import BUFFER, Buffer, Cycle

if TYPE_CHECKING:
    from reel_cli.core.files.tree import Look
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.values.holdings import Notebook
    from reel_cli.core.values.settings import Settings
    from reel_cli.core.values.talk import Entry, Session
    from reel_cli.features.stream.stream import KeptConversation

EDITION = 4
"""Raised when the same tape would be told otherwise."""
_BUNDLE = b'"kind": "bundle"'


# -- on the tape -----------------------------------------------------------------------------------


def gather_buffer(snapshot: "Snapshot", settings: "Settings") -> Buffer:
    """Return the first cycles of the newest conversation; none, with a reason, for a broken tape."""
    if not settings.buffer_cycles or not snapshot.sessions:
        return Buffer()
    try:
        cycles, whole = _first(snapshot, settings, _newest(snapshot, settings))
        return Buffer(cycles, whole=whole)
    except ReelError as error:
        return Buffer(told=[f"How the last conversation began is left out: {error.message}"])


def first_of_kept(snapshot: "Snapshot", kept: "KeptConversation") -> Buffer:
    """Return the first cycles of a kept conversation, as far back as it goes.

    Raises StateError where the tape is not as it was recorded.
    """
    settings = snapshot.settings
    return Buffer(_first(snapshot, settings, _sessions_of(snapshot, kept))[0], now=True)


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


def _first(snapshot: "Snapshot", settings: "Settings", sessions: Sequence[str]) -> tuple[list[Cycle], bool]:
    """Return the first cycles of a conversation, and whether these are all of it."""
    found: list[Cycle] = []
    whole = True
    for name in sessions:
        if len(found) == settings.buffer_cycles:
            return found, False
        more, rest = _cycles(snapshot, settings, name, settings.buffer_cycles - len(found))
        found += more
        whole = whole and not rest
    return found, whole


def _cycles(snapshot: "Snapshot", settings: "Settings", session: str, most: int) -> tuple[list[Cycle], bool]:
    """Return the first cycles of one session, without those with a fully purged message.

    Also whether anything of it is not among them.
    """
    from reel_cli.core.tape.transcript import tell_lived

    shown = [entry for entry in _head(snapshot, session, most).shown() if entry.message.text.strip()]
    cycles = _standing_cycles(shown)[:most]
    rest = sum(map(len, cycles)) < len(shown)
    if not cycles:
        return [], rest
    told = [
        (entry.number or 0, text)
        for entry, text in tell_lived(snapshot, session, shown[: cycles[-1][-1] + 1], settings)
    ]
    made: list[Cycle] = []
    end = 0
    for places in cycles:
        made.append(Cycle(session, [told[place] for place in places], gap=places[0] > end))
        end = places[-1] + 1
    return made, rest


def _standing_cycles(shown: "Sequence[Entry]") -> list[list[int]]:
    from reel_cli.core.values.talk import PURGED

    return [
        places
        for places in divide_into_cycles(entry.message.role for entry in shown)
        if not any(shown[place].message.text.strip() == PURGED for place in places)
    ]


def _head(snapshot: "Snapshot", session: str, most: int) -> "Session":
    """Return a session's beginning, with one turn more than so many cycles."""
    from reel_cli.core.tape.session_file import parse_head
    from reel_cli.core.values.source import session_path

    shown: list[Entry] = []

    def is_enough(entry: "Entry") -> bool:
        if entry.message.text.strip():
            shown.append(entry)
        # a cycle has at least two messages
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
            return Buffer([Cycle(*one) for one in kept["cycles"]], whole=kept["whole"])
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
        value = {"files": files, "stamp": whole, "cycles": made.cycles, "whole": made.whole}
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
    from reel_cli.core.files.tree import look_at

    return [look_at(f"{kit}/{path}", path) for path in paths]


def _stamp(settings: "Settings", looks: "Sequence[Look]") -> tuple[str, int]:
    """Return their stamp ("" if one must be read each time), and the youngest one's creation time."""
    from reel_cli import __version__

    if not all(look.stamp for look in looks):
        return "", 0
    made = [__version__, str(EDITION), str(settings.buffer_cycles), settings.name, settings.user]
    made += (f"{look.name} {look.stamp}" for look in looks)
    return "\n".join(made), max((look.born for look in looks), default=0)


NO_SHARE = "no room in the share of how it began"
GAVE_WAY = "no room after the memories and what else comes before it"
LONG_CYCLE = "longer by itself than the share of how it began"
TOLD = "told further on, as what was said last"
IN_THE_CHAT = "in this conversation already"
_GAP = f"{words.LEFT_OUT_HERE}\n\n"
_LONGEST_TOKEN = 200
"""Characters of the longest token; a text with more for each token of room need not be counted."""


class BeginningPart(BundlePart):
    """The beginning of a conversation: the one that is continued, else the newest on the tape."""

    rings = (BUFFER,)
    limited = True
    yields = True
    names_gated = True

    def __init__(self, source: Source | None, wish: "BundleRequest") -> None:
        super().__init__(source, wish)
        # of a conversation that goes on it is the conversation itself
        self.experience = () if wish.stream is not None else self.rings

    def gather(self) -> bool:
        """Collect the beginning from the conversation to continue, else from the tape."""
        self.buffer = self._find()
        return bool(self.buffer.cycles or self.buffer.told)

    def _find(self) -> Buffer:
        if self.wish.stream is not None:
            found = getattr(self.wish.stream, "buffer", None)
            return found if isinstance(found, Buffer) else Buffer()
        if not self.wish.began or self.source is None:
            return Buffer()
        settings, notebook = self.holdings.core.settings, self.holdings.notebook
        if self.source.kit is not None:
            return recall_buffer(self.source.kit, settings, notebook)
        return gather_buffer(self.source.snapshot, settings)

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart:
        """Return the part in one loading.

        In a refresh its reader has it already, and where experience is gated it is asked for with a query.
        """
        if self.experience and self.holdings.core.settings.gated:
            return _UntoldBeginning(self, made, terms, GATED)
        return (
            ConversationBeginning(self, self.buffer, made, terms)
            if terms.since is None
            else _UntoldBeginning(self, made, terms, IN_THE_CHAT)
        )


class _LoadedBeginning(LoadedPart):
    """The part, with what a person should know of it."""

    part: BeginningPart

    def warnings(self) -> Sequence[str]:
        """Return why nothing is told; a warm start tells of a tape that cannot be trusted by itself."""
        return () if "traces" in self.made.shares else self.part.buffer.told


class _UntoldBeginning(_LoadedBeginning):
    """A beginning of which nothing is told, and why."""

    def __init__(self, part: BeginningPart, made: "BundleDraft", terms: Terms, why: str) -> None:
        super().__init__(part, made, terms)
        self._why = why

    def warnings(self) -> Sequence[str]:
        """Return why nothing is told of a tape; nothing where nothing would be told anyway."""
        return () if self._why == GATED else super().warnings()

    def settle(self) -> None:
        """Account for it."""
        sessions: dict[str, list[int]] = {}
        for cycle in self.part.buffer.cycles:
            sessions.setdefault(cycle.session, []).extend(number for number, _ in cycle.said)
        _leave_out(self.made.left, sessions, self._why)


class ConversationBeginning(_LoadedBeginning):
    """The beginning of a conversation, to be written into one bundle."""

    def __init__(self, part: BeginningPart, buffer: Buffer, made: "BundleDraft", terms: Terms) -> None:
        """Load from `buffer` into its share."""
        super().__init__(part, made, terms)
        budget = terms.budget
        self.share = budget.buffer_beside_summary if buffer.now else budget.buffer
        self._buffer = buffer
        self._writer = terms.writer
        self._told: Sequence[tuple[str, int, int]] = ()
        self._long: set[int] = set()
        self._chosen: list[int] = []

    def fill(self, rest: int) -> None:
        """Load as many whole cycles as fit into the share and `rest`; behind one that does not fit, none.

        One that is longer than the whole share is passed over.
        """
        writer, buffer = self._writer, self._buffer
        if not buffer.cycles:
            return
        head, gap = writer.count(self._head()), writer.count(_GAP)
        sizes = [self._size(place) for place in range(len(buffer.cycles))]
        most = min(self.share, rest)
        self._long = {place for place, size in enumerate(sizes) if head + size > self.share}
        used = head
        for place, size in enumerate(sizes):
            if place in self._long:
                continue
            used += size + (0 if not self._chosen or self._follows(self._chosen[-1], place) else gap)
            if used > most:
                self.squeezed = used <= self.share
                break
            self._chosen.append(place)
        self.units = self._write()
        while self.units and self.tokens > most:
            # counts of parts and of the whole may differ where a part begins with a sign
            self._chosen.pop()
            self.units = self._write()

    def leave_to(self, units: Sequence[Unit]) -> None:
        """Leave out what these units tell word for word."""
        if told := told_in(units):
            self._told = [*self._told, *told]
            self.units = self._write()

    def settle(self) -> None:
        """Write down what is told and left out."""
        if not self._buffer.cycles:
            return
        self.account(BUFFER, self.share)
        short = GAVE_WAY if self.squeezed else NO_SHARE
        reasons: dict[str, dict[str, list[int]]] = {TOLD: {}, LONG_CYCLE: {}, short: {}}
        for place, cycle in enumerate(self._buffer.cycles):
            for number, _ in cycle.said:
                why = LONG_CYCLE if place in self._long else short
                if self._is_told(cycle.session, number):
                    why = TOLD
                elif place in self._chosen:
                    continue
                reasons[why].setdefault(cycle.session, []).append(number)
        for reason, sessions in reasons.items():
            _leave_out(self.made.left, sessions, reason)
        self._tell_trade()

    def _tell_trade(self) -> None:
        """Say what the room bought instead, where not all of the first cycles are told."""
        cycles = self._buffer.cycles
        told = [
            place in self._chosen or all(self._is_told(cycle.session, number) for number, _ in cycle.said)
            for place, cycle in enumerate(cycles)
        ]
        if all(told):
            return
        why = (
            "memories and what else comes before it took the room"
            if self.squeezed
            else f"buffer.share gives it {self.share:,} tokens"
        )
        first = f"the first {len(cycles)} turns" if len(cycles) > 1 else "the first turn"
        self.made.chosen.append(f"How the chat began: {sum(told)} of {first} word for word; {why}")

    def _size(self, place: int) -> int:
        text = fold_text("".join(text for _, text in self._buffer.cycles[place].said))
        return self._writer.count(text) if len(text) <= self.share * _LONGEST_TOKEN else len(text)

    def _is_told(self, session: str, number: int) -> bool:
        return any(where == session and first <= number <= last for where, first, last in self._told)

    def _follows(self, one: int, other: int) -> bool:
        """Return whether a cycle directly follows another."""
        cycles = self._buffer.cycles
        adjacent = other == one + 1 and cycles[one].session == cycles[other].session
        return adjacent and not cycles[other].gap

    def _head(self) -> str:
        style = self._writer.style
        if self._buffer.now:
            return style.section(words.BEGAN, words.BEGAN_INTRO)
        return style.section(
            words.LAST_BEGAN, words.LAST_WHOLE_INTRO if self._is_whole() else words.LAST_BEGAN_INTRO
        )

    def _is_whole(self) -> bool:
        """Return whether all of the conversation stands here."""
        cycles = self._buffer.cycles
        return (
            self._buffer.whole
            and len(self._chosen) == len(cycles)
            and not any(self._is_told(one.session, number) for one in cycles for number, _ in one.said)
        )

    def _write(self) -> list[Unit]:
        """Return a unit for each stretch of the tape without a gap."""
        runs: list[list[int]] = []
        for place in self._chosen:
            if runs and self._follows(runs[-1][-1], place):
                runs[-1].append(place)
            else:
                runs.append([place])
        units: list[Unit] = []
        for run in runs:
            session = self._buffer.cycles[run[0]].session
            said = [one for place in run for one in self._buffer.cycles[place].said]
            said = [(number, text) for number, text in said if not self._is_told(session, number)]
            if not said:
                continue
            numbers = [number for number, _ in said]
            (name,) = list_spans(session, range(min(numbers), max(numbers) + 1))
            text = fold_text("".join(text for _, text in said))
            units += self._writer.unit(BUFFER, name, (_GAP if units else self._head()) + text)
        return units


def told_in(units: Iterable[Unit]) -> list[tuple[str, int, int]]:
    """Return the stretches of tape that units tell word for word: session, first and last message."""
    found = []
    for unit in units:
        session, _, numbers = unit.id.partition("#")
        if unit.ring in ("stream", "traces") and numbers:
            first, _, last = numbers.partition("-")
            found.append((session, int(first), int(last or first)))
    return found


def _leave_out(left: Omissions, sessions: "dict[str, list[int]]", reason: str) -> None:
    for session, numbers in sessions.items():
        left.add(BUFFER, list_spans(session, numbers), reason)
