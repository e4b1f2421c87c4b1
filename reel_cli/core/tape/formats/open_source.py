"""The way in for what a person names on the command line: a file, a folder, a zip archive, or a paste."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from datetime import UTC, tzinfo
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.format_rows import FORMAT_ROWS, PASTED
from reel_cli.core.tape.formats.containers import LOCKED, PACKED, Contents, Entry, OpenedFile, look_into
from reel_cli.core.tape.formats.file_recognition import (
    Recognise,
    recognise_file,
    recognise_named,
    recognise_plain,
)
from reel_cli.core.tape.formats.finish import finish
from reel_cli.core.tape.formats.pasted.days import dated_by_name
from reel_cli.core.tape.formats.registry import KNOWN, choose, named_reader, reader_of
from reel_cli.core.tape.formats.source import Notes, Progress, Reader, Source
from reel_cli.core.tape.formats.unread_chats import UnreadChats
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

_PARTS = re.compile(r"conversations\b.*\.json", re.IGNORECASE)
_BESIDE = {"thread.json": "messages.jsonl"}
"""Files that only describe the chat in the file beside them, by their names."""
_UNPACK = {
    LOCKED: "unpack it with its password, and name the folder",
    PACKED: "unpack it, and name what was inside",
}
"""Advice about the only file in an archive."""
_FEW = 4
_MOST_NAMED = 3


@frozen
class FoundConversation:
    """One conversation, and where it was found.

    `place` names its file for a person, within the folder or archive (`export.zip: conversations.json`).
    `path` is the file on disk, the archive itself for what is in one; None for a paste.
    """

    conversation: Conversation
    place: str
    path: Path | None


@frozen
class _People:
    """The names and time zone that every reader is given."""

    user_names: tuple[str, ...]
    persona_names: tuple[str, ...]
    zone: tzinfo
    by_name: bool


def open_intake(  # noqa: PLR0913 (what to read, and what every reader is told)
    what: Path | bytes,
    *,
    format: str = "auto",  # noqa: A002
    user_names: Sequence[str] = (),
    persona_names: Sequence[str] = (),
    zone: tzinfo = UTC,
    by_name: bool = True,
) -> "Intake":
    """Look at a file, a folder, a zip archive (each by its path), or the bytes of a paste.

    `by_name`: a file's one chat that tells no day has the one that the file's name begins with. The
    other arguments are `read_source`'s. Raises ReelError where it cannot be opened, UsageError
    for an unknown format; what is no chat shows when it is read.
    """
    named_reader(format)
    people = _People(tuple(user_names), tuple(persona_names), zone, by_name)
    return Intake(look_into(what), format, people)


class Intake:
    """The conversations of what a person named, to be iterated as often as needed.

    Conversations come one at a time, as they stand in the files, each with at least one message that
    was said; nothing is kept of those that went by. An error in the middle is raised where it is met,
    so read to the end before anything is written. `size` and `done` are bytes, for a progress bar;
    `remarks` says what was passed over, one line each, and is whole once the iteration has ended.
    A conversation that stands there several times comes once, in its longest or newest copy.
    """

    def __init__(self, contents: Contents, format_name: str, people: _People) -> None:
        self._contents = contents
        self._format = format_name
        self._people = people
        self._reading = _SourceReader()

    @property
    def is_many(self) -> bool:
        """Return whether a folder or an archive was named, in which not every text is a chat."""
        return self._contents.kind not in {"file", "paste"}

    @property
    def size(self) -> int:
        """Return the bytes of all files that may be read."""
        return sum(entry.size for entry in (*self._contents.structured, *self._contents.plain))

    @property
    def done(self) -> int:
        """Return the bytes that have been read, at most `size`."""
        reading = self._reading
        return min(reading.before + reading.progress.done, self.size)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what was skipped and why, one line each."""
        return tuple(self._reading.remarks(self._contents))

    def __iter__(self) -> Iterator[FoundConversation]:
        """Read from the beginning; ReelError where a file cannot be read, or nothing was said in any."""
        reading = self._reading = _SourceReader()
        if not self.is_many:
            [entry] = self._contents.structured
            yield from self._read_alone(entry)
        else:
            foreseen = self._copies(self._contents.structured)
            yield from self._once(self._read_all(), reading, foreseen)
        if reading.taken:
            return
        if reading.unread.count:
            raise reading.unread.error(self._contents.name, alone=not self.is_many)
        raise _nothing(self._contents, reading, named_reader(self._format))

    # one file -----------------------------------------------------------------------------------

    def _source(self, entry: Entry, opened: OpenedFile) -> Source:
        people = self._people
        filename = None if self._contents.kind == "paste" else entry.filename
        return Source(
            opened.data, filename, people.user_names, people.persona_names, people.zone,
            path=opened.path, beside=entry.beside, progress=self._reading.progress,
        )  # fmt: skip

    def _read_alone(self, entry: Entry) -> Iterator[FoundConversation]:
        with entry.open() as opened:
            source = self._source(entry, opened)
            found = self._finished(choose(source, self._format), source, entry)
            yield from self._once(found, self._reading, _standing_twice(_list_keys(source)))

    def _finished(self, reader: Reader, source: Source, entry: Entry) -> Iterator[FoundConversation]:
        """Yield every conversation in a file; notes on the whole file go with a single one, else apart."""
        found = iter(reader.read(source))
        first, second = next(found, None), next(found, None)
        if first is None:
            self._reading.unread.add_entries(source.notes.lines())
            return
        alone = second is None
        told = source if alone else replace(source, notes=Notes())
        yield self._take(first, told, entry, alone=alone)
        if second is not None:
            yield self._take(second, told, entry)
            for conversation in found:
                yield self._take(conversation, told, entry)
            self._reading.lines += [f"{entry.label}: {line}" for line in source.notes.lines()]

    def _take(
        self, conversation: Conversation, source: Source, entry: Entry, *, alone: bool = False
    ) -> FoundConversation:
        taken = finish(conversation, source)
        if alone and self._people.by_name:
            taken = dated_by_name(taken, source.filename, source.zone)
        return FoundConversation(taken, entry.label, entry.path)

    # many files ---------------------------------------------------------------------------------

    def _read_all(self) -> Iterator[FoundConversation]:
        reading, named = self._reading, named_reader(self._format)
        plain = named is not None and named.name in PASTED
        if not plain:
            for entry in self._contents.structured:
                yield from self._read_among(entry, named)
        # beside the files of programs, only text in which the persona speaks by name is certainly a chat
        left, passed, read = list(self._contents.plain), len(reading.passed), reading.before
        if not plain:
            for entry in left:
                yield from self._read_among(entry, named)
            unread = {*reading.passed[passed:]}
            left = [entry for entry in left if entry.label in unread]
        if named is None or plain:
            recognise = recognise_named if reading.recognised else recognise_plain
            reading.before = read
            del reading.passed[passed:]
            for entry in left:
                yield from self._read_among(entry, named, recognise)
        if plain:
            reading.passed += [entry.label for entry in self._contents.structured]
        if not reading.taken and reading.failed:
            _raise_failed(reading.failed)

    def _read_among(
        self, entry: Entry, named: Reader | None, recognise: Recognise | None = None
    ) -> Iterator[FoundConversation]:
        """Yield a file's conversations, if it is a chat; an unreadable file does not stop the others.

        `recognise` tells what text that no program wrote is.
        """
        reading = self._reading
        if entry.filename in _BESIDE and entry.beside(_BESIDE[entry.filename]) is not None:
            reading.finish_file(entry.size)
            return
        yielded = False
        try:
            with entry.open() as opened:
                source = self._source(entry, opened)
                reader = (recognise or recognise_file)(source, named)
                if reader is None:
                    _note_broken(source, reading, entry)
                    reading.passed.append(entry.label)
                    return
                for taken in self._finished(reader, source, entry):
                    yielded = True
                    yield taken
                reading.recognised += 1
        except ReelError as error:
            if yielded:
                raise
            if recognise is not None:
                reading.passed.append(entry.label)
            else:
                reading.failed.append(error)
        finally:
            reading.finish_file(entry.size)

    # the same conversation twice ----------------------------------------------------------------

    def _once(
        self, found: Iterator[FoundConversation], reading: "_SourceReader", foreseen: frozenset[str]
    ) -> Iterator[FoundConversation]:
        """Yield each conversation once; foreseen copies are held back until the best is known."""
        held: dict[str, FoundConversation] = {}
        seen: dict[str, tuple[int, str]] = {}
        for taken in found:
            key = taken.conversation.key
            if not taken.conversation.said():
                reading.unread.add(taken.conversation)
                continue
            if key is None:
                reading.taken += 1
                yield taken
                continue
            rank = _rank(taken.conversation)
            known = seen.get(key)
            reading.again += known is not None
            if known is not None and rank < known:
                continue
            seen[key] = rank
            if key in foreseen:
                held[key] = taken
            elif known is None or rank > known:
                reading.taken += known is None
                yield taken
        for taken in held.values():
            reading.taken += 1
            yield taken

    def _copies(self, entries: Sequence[Entry]) -> frozenset[str]:
        """Return the keys that occur more than once in the files of an export, without parsing them."""
        exports = [e for e in entries if _PARTS.fullmatch(e.filename)] if len(entries) > 1 else entries
        keys: list[str] = []
        for entry in exports:
            try:
                with entry.open() as opened:
                    keys += _list_keys(self._source(entry, opened))
            except ReelError:
                continue
        self._reading.progress.done = 0
        return _standing_twice(keys)


def _list_keys(source: Source) -> list[str]:
    """Return candidate keys of the conversations in a file that is one list of them."""
    if source.opening != "[":
        return []
    listings = (reader_of(row).list_keys for row in FORMAT_ROWS if row.lists_keys)
    return [key for listing in listings if listing is not None for key in listing(source)]


def _standing_twice(keys: Sequence[str]) -> frozenset[str]:
    return frozenset(key for key, count in Counter(keys).items() if count > 1)


def _rank(conversation: Conversation) -> tuple[int, str]:
    """Return how much a copy of a conversation holds: the count of said messages, and the last one's time."""
    said = conversation.said()
    return len(said), max([message.time or "" for message in said], default="")


def _note_broken(source: Source, reading: "_SourceReader", entry: Entry) -> None:
    """Record that a file that should be JSON could not be read."""
    if entry.suffix != ".json" or source.is_long or source.is_database:
        return
    try:
        fault = source.json_fault
    except ReelError:
        return
    if fault is not None:
        message = f"{entry.label} cannot be read: {fault}."
        reading.failed.append(ReelError(message, hint="export or download it again"))


def _raise_failed(failed: Sequence[ReelError]) -> None:
    first = failed[0]
    if len(failed) == 1:
        raise first
    message = f"None of {len(failed):,} files could be read. The first: {first.message}"
    raise ReelError(message, hint=first.hint)


@mutable
class _SourceReader:
    """The progress of one reading, and its counts and remarks."""

    progress: Progress = field(default_factory=Progress)
    before: int = 0
    recognised: int = 0
    taken: int = 0
    unread: UnreadChats = field(default_factory=UnreadChats)
    again: int = 0
    passed: list[str] = field(default_factory=list)
    failed: list[ReelError] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def finish_file(self, size: int) -> None:
        self.before += size
        self.progress.done = 0

    def remarks(self, contents: Contents) -> Iterator[str]:
        for error in self.failed[:_MOST_NAMED]:
            yield f"Left out: {error.message}"
        if len(self.failed) > _MOST_NAMED:
            yield f"Left out as well: {len(self.failed) - _MOST_NAMED:,} more files that cannot be read."
        if self.unread.count and self.taken:
            yield self.unread.remark()
        if self.again:
            times = "conversation stands" if self.again == 1 else "conversations stand"
            yield f"{self.again:,} {times} there again; the longest or newest copy was taken."
        yield from self.lines
        unread = Counter(_suffix(label) for label in self.passed) + contents.others
        count = unread.total()
        if 0 < count == len(self.passed) <= _FEW:
            names = ", ".join(label.removeprefix(f"{contents.name}: ") for label in self.passed)
            yield f"Passed over, as no chats: {names}."
        elif count:
            yield f"Passed over, as no chats: {_tally(unread)}."
        if contents.refused:
            yield f"Not looked at: {_tally(contents.refused)}."


def _suffix(label: str) -> str:
    # a file in an archive is named after it
    name = label.rpartition("/")[2].rpartition(": ")[2]
    return one_line(f".{name.rpartition('.')[2].lower()}", 20) if "." in name else "without extension"


def _tally(counts: Counter[str]) -> str:
    """Return counts as text, the most frequent first: `.png (8), .html (1)`."""
    shown = counts.most_common(8)
    more = counts.total() - sum(count for _, count in shown)
    rest = f", others ({more:,})" if more else ""
    return ", ".join(f"{name} ({count:,})" for name, count in shown) + rest


def _nothing(contents: Contents, reading: _SourceReader, named: Reader | None) -> ReelError:
    """Return the error for a folder or archive without a chat, with what it holds instead."""
    seen = Counter(_suffix(label) for label in reading.passed) + contents.others
    hint = KNOWN
    if not seen and (inside := next((_UNPACK[why] for why in _UNPACK if contents.refused[why]), None)):
        hint = inside
    elif named is not None:
        hint = "leave out --format, and reel tells by itself what each file is"
    what = f"{contents.name}{'/' if contents.kind == 'folder' else ''}"
    refused = f" Not looked at: {_tally(contents.refused)}." if contents.refused else ""
    if not seen:
        return ReelError(f"{what} holds no file that could be a chat.{refused}", hint=hint)
    files = "1 file" if seen.total() == 1 else f"{seen.total():,} files"
    known = "a chat reel knows" if named is None else f"read by --format {named.name}"
    message = f"{what} holds {files}: {_tally(seen)}; none is {known}.{refused}"
    return ReelError(message, hint=hint)


__all__ = ["FoundConversation", "Intake", "open_intake"]
