"""Input of transcript readers, and the interface of a reader."""

import codecs
import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property
from itertools import islice
from json import JSONDecodeError, JSONDecoder
from pathlib import Path, PurePath
from typing import NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.formats.decoding import PASTED, decode
from reel_cli.core.tape.formats.json_stream import (
    LARGEST_ENTRY,
    MOST_PARTS,
    TOO_DEEP,
    BrokenJsonError,
    Fault,
    has_too_many_parts,
    iter_list,
)
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

WHOLE = 4 * 1024 * 1024
"""Bytes of JSON up to which it is parsed in one go; a longer list is parsed entry by entry."""
_HEAD, _SIP, _TASTE = 4096, 1024 * 1024, 8 * 1024 * 1024
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLANK = re.compile(rb"(?:\xef\xbb\xbf)?\s*")
FIRST = 50
"""Number of values that are read to detect a file's format."""
_ENOUGH = 4
"""Number of values that are enough if they are long."""


_LONGEST_NOTE = 400


class Notes:
    """The notes on what was left out or guessed, in words; repetitions are counted."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, what: str, example: str = "") -> None:
        """Record `what`; `example` says where or which, and is kept of the first one."""
        count, first = self._found.get(what, (0, example))
        self._found[what] = (count + 1, first)

    def add_once(self, what: str) -> None:
        """Record a remark that is not counted."""
        self._found.setdefault(what, (1, ""))

    def lines(self) -> tuple[str, ...]:
        """Return one line for each thing noted."""
        lines: list[str] = []
        for what, (count, example) in self._found.items():
            details = [f"{count} times"] if count > 1 else []
            if example:
                details.append(f"first: {example}" if count > 1 else example)
            line = f"{what} ({'; '.join(details)})" if details else what
            lines.append(one_line(line, _LONGEST_NOTE))
        return tuple(lines)


@mutable
class Progress:
    """The progress through a source, in bytes."""

    done: int = 0

    def reach(self, done: int) -> None:
        """Set the progress to `done`, if that is further."""
        self.done = max(self.done, done)


@dataclass(frozen=True)
class Source:
    """One file or paste to be read, and what is known about who speaks in it.

    `name` is what to call it in messages. A time without a zone is taken to be in `zone`.
    """

    data: bytes
    filename: str | None = None
    user_names: Sequence[str] = ()
    persona_names: Sequence[str] = ()
    zone: tzinfo = UTC
    notes: Notes = field(default_factory=Notes)
    """Notes about the whole source, whichever conversation they arose in."""
    path: Path | None = None
    """The file on disk, for what has to be opened rather than read (a database)."""
    beside: Callable[[str], bytes | None] = field(default=lambda _: None)
    """The bytes of another file in the same folder (or archive) by its name; None where there is none."""
    progress: Progress = field(default_factory=Progress)

    @cached_property
    def name(self) -> str:
        """Return the file's name, on one line; or "the pasted text"."""
        return one_line(PurePath(self.filename or "").name, 80) or PASTED

    @cached_property
    def suffix(self) -> str:
        """Return the file's last extension, in lower case, dot included."""
        return PurePath(self.filename or "").suffix.lower()

    @cached_property
    def stem(self) -> str:
        """Return the file's name up to its first dot."""
        return PurePath(self.filename or "").name.split(".")[0]

    @cached_property
    def text(self) -> str:
        """Return the file as text; raises ReelError if it is none."""
        text, encoding = decode(self.data, self.name)
        if encoding:
            self.notes.add(f"it is not valid UTF-8 and was read as {encoding}")
        return text

    @cached_property
    def opening(self) -> str:
        """Return the first non-blank character, which tells JSON from the rest; "" if it is no text."""
        head = self.data[:_HEAD].removeprefix(codecs.BOM_UTF8).lstrip()[:1]
        if head in {b"{", b"["}:
            return head.decode()
        if head.isascii() and head.isalnum():
            return head.decode()
        try:
            return self.text.lstrip()[:1]
        except ReelError:
            return ""

    @property
    def is_database(self) -> bool:
        """Return whether it is an SQLite database; `data` may be only its beginning, `path` the whole."""
        return self.data.startswith(b"SQLite format 3\x00")

    @property
    def is_long(self) -> bool:
        """Return whether the file is too long to be parsed at once if that can be avoided."""
        return len(self.data) > WHOLE

    @cached_property
    def json(self) -> object:
        """Return the file as one JSON value, or None if it is none (`json_fault` says why).

        For a list that may be long, `first` and `items` are kinder.
        """
        return self._parsed[0]

    @cached_property
    def json_fault(self) -> str | None:
        """Return why the file is not one JSON value, in words; None if it is one."""
        return self._parsed[1]

    @cached_property
    def _parsed(self) -> tuple[object, str | None]:
        if self.opening not in {"{", "["}:
            _ = self.text
            return None, "it is not JSON"
        if self._streams and self.opening == "{" and self._is_lines:
            return None, "it is not one JSON value"
        try:
            return self.parse_json(self.text), None
        except JSONDecodeError as error:
            beyond = error.pos >= len(self.text.rstrip()) or error.msg.startswith("Unterminated")
            line = min(error.lineno, self.text.rstrip().count("\n") + 1)
            return None, Fault.at(line, cut=beyond).what
        except (ValueError, RecursionError):
            return None, TOO_DEEP

    @cached_property
    def first(self) -> tuple[object, ...]:
        """Return the first few values, for telling what the file is.

        Those of a JSON list, the one value of an object, those of the first lines of JSONL. Empty
        where there is none; never raises.
        """
        try:
            if self.opening == "[" and self._streams:
                return self._first_entries()
            if self.opening in {"{", "["} and not (self.opening == "{" and self._is_lines):
                value = self.json
                if isinstance(value, list):
                    return tuple(value[:FIRST])
                if self.json_fault is None:
                    return (value,)
                return self._first_entries() if self.opening == "[" else ()
            return tuple(self._first_lines()) if self.opening == "{" else ()
        except ReelError:
            return ()

    @property
    def is_json_lines(self) -> bool:
        """Return whether it is JSON Lines: an object alone on its line, and a line that begins another."""
        alone = bool(self.first) and isinstance(self.first[0], dict)
        return self.opening == "{" and alone and self._is_lines and self.json_fault is not None

    def has_early_key(self, name: str) -> bool:
        """Return whether a JSON key of that name occurs in the part of the file that is sniffed."""
        return self.data.find(f'"{name}"'.encode(), 0, _TASTE) >= 0

    @cached_property
    def _streams(self) -> bool:
        """Return whether the file is read by windows: it is long, and UTF-8 as JSON should be."""
        return self.is_long and not self.data.startswith(_WIDE)

    @cached_property
    def _is_lines(self) -> bool:
        """Return whether the first line is a JSON object by itself, and another line follows."""
        data = self.text.encode("utf-8", "replace") if self.data.startswith(_WIDE) else self.data
        blank = _BLANK.match(data)
        start = blank.end() if blank else 0
        end = data.find(b"\n", start, start + LARGEST_ENTRY)
        first = data[max(end - 100, start) : max(end, start)]
        return first.rstrip().endswith(b"}") and data[end : end + _HEAD].lstrip().startswith(b"{")

    def _first_entries(self) -> tuple[object, ...]:
        found: list[object] = []
        for length in (_SIP, _TASTE):
            found.clear()
            with contextlib.suppress(BrokenJsonError):
                found.extend(islice(self._iter_list(self.data[:length]), FIRST))
            if len(found) >= _ENOUGH:
                break
        return tuple(found)

    def _first_lines(self) -> Iterator[object]:
        for number, line in islice(self.lines(), FIRST):
            try:
                yield self.parse_json(line) if line.lstrip().startswith("{") else None
            except (ValueError, RecursionError):
                if number == 1:
                    return

    def items(self) -> Iterator[object]:
        """Yield the values of the JSON list or the lines that the file is, one at a time; else the one value.

        A long list is never held whole. Raises ReelError where it cannot be read to its end: before
        the first value where the file is plainly cut off, else where the fault is met.
        """
        if self.opening == "[" and (self._streams or self.json_fault is not None):
            if self.json_fault_before_reading:
                self._count_and_refuse()
            try:
                yield from self._iter_list(self.data)
            except BrokenJsonError as error:
                self._refuse(error.fault)
            return
        if self.is_json_lines:
            yield from (fields for _, fields in self.records(self.notes))
            return
        value = self.json
        if self.json_fault is not None:
            self._refuse(Fault(self.json_fault, 0))
        if isinstance(value, list):
            yield from value
        else:
            yield value

    @property
    def json_fault_before_reading(self) -> bool:
        """Return whether a list is known to be broken before it is read: it has no end, or parsing failed."""
        ends = self.data[-_HEAD:].rstrip(b" \t\r\n\x00").endswith(b"]")
        return not ends or (not self._streams and self.json_fault is not None)

    def _count_and_refuse(self) -> NoReturn:
        try:
            whole = sum(1 for _ in self._iter_list(self.data))
        except BrokenJsonError as error:
            self._refuse(error.fault)
        self._refuse(Fault(self.json_fault or "something stands after its end", whole))

    def _refuse(self, fault: Fault) -> NoReturn:
        message = f"{self.name} cannot be read: {fault.what}."
        hint = "export or download it again"
        if fault.whole:
            entries = "1 entry is" if fault.whole == 1 else f"{fault.whole:,} entries are"
            hint = f"{entries} whole before that, and nothing was taken; export or download it again"
        raise ReelError(message, hint=hint)

    def _iter_list(self, data: bytes) -> Iterator[object]:
        if not self._streams:
            data = self.text.encode("utf-8", "surrogatepass")
        start = data.index(b"[")
        return iter_list(data, start, self._decoder, on_broken=self._note_broken, on_read=self.progress.reach)

    def _note_broken(self) -> None:
        self.notes.add("it is not valid UTF-8 and was read with broken characters replaced")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that are not blank, with their numbers from 1, of JSONL that may be long."""
        if not self._streams:
            yield from ((n, line) for n, line in enumerate(self.text.split("\n"), 1) if line.strip())
            return
        at, number = 0, 0
        while at < len(self.data):
            end = self.data.find(b"\n", at)
            end = len(self.data) if end < 0 else end
            number += 1
            if end - at > LARGEST_ENTRY:
                self._refuse(Fault(f"line {number} is larger than {LARGEST_ENTRY >> 20} MB", 0))
            self.progress.reach(end)
            raw = self.data[at:end].removeprefix(codecs.BOM_UTF8) if at == 0 else self.data[at:end]
            at = end + 1
            if raw.strip():
                yield number, self._decode_line(raw)

    def records(self, notes: Notes) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the objects of JSON Lines, each with its line's number; a line that is none is noted."""
        for number, line in self.lines():
            try:
                value = self.parse_json(line)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                yield number, value
            else:
                notes.add("a line that is not JSON was left out", f"line {number}")

    def _decode_line(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self._note_broken()
            return raw.decode("utf-8", "replace")

    def parse_json(self, text: str) -> object:
        """Parse JSON as lenient as apps write it: the last of two same keys counts, and that is noted.

        Raises ValueError or RecursionError where it is none, ReelError where it is far too much.
        """
        if len(text) > MOST_PARTS and has_too_many_parts(text):
            message = f"{self.name} holds far too many parts to be a chat."
            raise ReelError(message)
        return self._decoder.decode(text)

    @cached_property
    def _decoder(self) -> JSONDecoder:
        notes = self.notes

        # a function, because a method would keep an export's bytes alive until the collector runs
        def make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
            found = dict(pairs)
            if len(found) < len(pairs):
                again, _ = Counter(key for key, _ in pairs).most_common(1)[0]
                notes.add("a name stands twice in one JSON object, and its last value was taken", again)
            return found

        return JSONDecoder(strict=False, object_pairs_hook=make_object)


@frozen
class Reader:
    """One transcript format. Adding a format is adding a module with one of these, and its row.

    `sniff` says how surely a source is of the format, from 0 (not at all) to 100; it never raises
    for a source of another format; a ReelError from it counts as 0. `read` returns its conversations,
    `key`, `title` and times where the file has them; the shared finish (`finish`) is not its business.
    `list_keys`, for exports of many
    conversations: what may be their keys, found without parsing, as often as they stand in the file.
    """

    name: str
    sniff: Callable[[Source], int]
    read: Callable[[Source], Iterable[Conversation]]
    list_keys: Callable[[Source], Sequence[str]] | None = None
