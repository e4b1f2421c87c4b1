"""What every transcript reader is given, and what a reader is."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property
from pathlib import Path, PurePath

from reel_cli.errors import ReelError
from reel_cli.model.change import one_line
from reel_cli.model.tape import Conversation
from reel_cli.tape.formats.decoding import decode

MOST_PARTS = 4_000_000
"""JSON with more commas and brackets than this is no chat, and would fill the memory."""


class Notes:
    """What could not be read and was left out or guessed, in words; repetitions are counted."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, what: str, example: str = "") -> None:
        """Note `what`; `example` says where or which, and is kept of the first one."""
        count, first = self._found.get(what, (0, example))
        self._found[what] = (count + 1, first)

    def lines(self) -> tuple[str, ...]:
        """One line for each thing noted."""
        lines: list[str] = []
        for what, (count, example) in self._found.items():
            details = [f"{count} times"] if count > 1 else []
            if example:
                details.append(f"first: {example}" if count > 1 else example)
            lines.append(f"{what} ({'; '.join(details)})" if details else what)
        return tuple(lines)


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
    """What concerns the whole source, whichever conversation it is in."""
    path: Path | None = None
    """The file on disk, for what has to be opened rather than read (a database)."""
    beside: Callable[[str], bytes | None] = field(default=lambda _: None)
    """The bytes of another file in the same folder (or archive) by its name; None where there is none."""

    @cached_property
    def name(self) -> str:
        """The file's name, on one line; or "the pasted text"."""
        return one_line(PurePath(self.filename or "").name, 80) or "the pasted text"

    @cached_property
    def suffix(self) -> str:
        """The file's last extension, in lower case, dot included."""
        return PurePath(self.filename or "").suffix.lower()

    @cached_property
    def stem(self) -> str:
        """The file's name up to its first dot."""
        return PurePath(self.filename or "").name.split(".")[0]

    @cached_property
    def text(self) -> str:
        """The file as text; ReelError where it is none."""
        text, encoding = decode(self.data, self.name)
        if encoding:
            self.notes.add(f"it is not valid UTF-8 and was read as {encoding}")
        return text

    @cached_property
    def json(self) -> object:
        """The file as one JSON value, or None where it is none (`json_fault` says why)."""
        return self._parsed[0]

    @cached_property
    def json_fault(self) -> str | None:
        """Why the file is not one JSON value, in words; None where it is."""
        return self._parsed[1]

    @cached_property
    def _parsed(self) -> tuple[object, str | None]:
        if not self.text.lstrip().startswith(("{", "[")):
            return None, "it is not JSON"
        try:
            return self.parse_json(self.text), None
        except json.JSONDecodeError as error:
            beyond = error.pos >= len(self.text.rstrip()) or error.msg.startswith("Unterminated")
            line = min(error.lineno, self.text.rstrip().count("\n") + 1)
            return None, f"it stops in the middle, at line {line}" if beyond else f"line {line} is not JSON"
        except (ValueError, RecursionError):
            return None, "it is nested too deeply, or holds a number too long to be one"

    def items(self) -> Iterator[object]:
        """The values of the one JSON list that the file is, one at a time; else the one value."""
        value = self.json
        if isinstance(value, list):
            yield from value
        elif value is not None:
            yield value

    def parse_json(self, text: str) -> object:
        """Parse JSON as lenient as apps write it: the last of two same keys counts, and that is noted.

        Raises ValueError or RecursionError where it is none, ReelError where it is far too much.
        """
        if text.count(",") + text.count("[") + text.count("{") > MOST_PARTS:
            message = f"{self.name} holds far too many parts to be a chat."
            raise ReelError(message)
        return json.loads(text, strict=False, object_pairs_hook=self._object)

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            again, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            self.notes.add("a name stands twice in one JSON object, and its last value was taken", again)
        return found


@dataclass(frozen=True, slots=True)
class Reader:
    """One transcript format. Adding a format is adding a module with one of these, and its row.

    `sniff` says how surely a source is of the format, from 0 (not at all) to 100; it never raises
    for a source of another format. `read` returns its conversations, `key`, `title` and times
    where the file has them; the shared finish (`finish`) is not its business. `shape` says in
    words what the format looks like, for hints.
    """

    name: str
    shape: str
    sniff: Callable[[Source], int]
    read: Callable[[Source], Iterable[Conversation]]
