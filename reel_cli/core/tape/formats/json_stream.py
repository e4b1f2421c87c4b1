"""A long JSON list, one entry after the other, without ever holding the whole of it."""

import codecs
import json
import re
from collections.abc import Callable, Iterator

from reel_cli.core.frozen import frozen

WINDOW = 2 * 1024 * 1024
"""Bytes decoded at a time; more if one entry needs more."""
MOST_PARTS = 4_000_000
"""An entry with more commas and brackets than this is no chat, and would fill the memory."""
LARGEST_ENTRY = 64 * 1024 * 1024
"""Bytes of the largest entry that is read."""

_BLANK = re.compile(r"[ \t\r\n]*")
_TAIL = 16
"""An error so near the end of the text at hand may come from the cut alone (`tru`, `-Infin`, `\\u12`)."""


@frozen
class Fault:
    """The reason why JSON cannot be read, in words, and the number of whole entries before that."""

    what: str
    whole: int

    @classmethod
    def at(cls, line: int, *, cut: bool, whole: int = 0) -> "Fault":
        """Return the fault at a line: the file ends there, or something there is not JSON."""
        return cls(f"it stops in the middle, at line {line}" if cut else f"line {line} is not JSON", whole)


TOO_DEEP = "it is nested too deeply, or holds a number too long to be one"
TOO_MUCH = "it holds far too many parts to be a chat"
TOO_LARGE = f"one entry in it is larger than {LARGEST_ENTRY >> 20} MB"


class BrokenJsonError(Exception):
    """An error that carries a `Fault`."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


class _Window:
    """The part of the file that is text just now."""

    def __init__(
        self, data: bytes, start: int, on_broken: Callable[[], None], on_read: Callable[[int], None]
    ) -> None:
        self.text = ""
        self._data = memoryview(data)
        self._read = start
        self._size = WINDOW
        self._broken = False
        self._on_broken = on_broken
        self._on_read = on_read

    @property
    def is_last(self) -> bool:
        return self._read >= len(self._data)

    def grow(self, position: int) -> None:
        """Drop what stands before `position` and add the next bytes.

        Twice as many as the last time where nothing could be dropped.
        """
        self._size = WINDOW if position else self._size * 2
        kept = self.text[position:]
        if not self._broken:
            # decoding the kept text again is faster than joining two long texts
            begin = self._read - len(kept.encode("utf-8", "surrogatepass"))
            chunk = self._data[begin : self._read + self._size]
            try:
                self.text, used = codecs.utf_8_decode(chunk, "strict", begin + len(chunk) == len(self._data))
            except UnicodeDecodeError:
                self._broken = True
                self._on_broken()
            else:
                self._read = begin + used
        if self._broken:
            chunk = self._data[self._read : self._read + self._size]
            is_end = self._read + len(chunk) == len(self._data)
            more, used = codecs.utf_8_decode(chunk, "replace", is_end)
            self.text = kept + more
            self._read += used
        self._on_read(self._read)

    def line(self, position: int) -> int:
        """Return the line number of a position in the text, counted from 1."""
        after = self.text[position:].encode("utf-8", "surrogatepass")
        before = bytes(self._data[: max(self._read - len(after), 0)])
        total = bytes(self._data).rstrip().count(b"\n") + 1
        return min(before.count(b"\n") + 1, total)


def iter_list(
    data: bytes,
    start: int,
    decoder: json.JSONDecoder,
    *,
    on_broken: Callable[[], None],
    on_read: Callable[[int], None],
) -> Iterator[object]:
    """Yield the entries of the JSON list that opens at byte `start`; raises BrokenJsonError if it breaks.

    `on_broken` is called for bytes that are not UTF-8; each is then read as the replacement character.
    `on_read` is told how many bytes of the file have been read.
    """
    window = _Window(data, start + 1, on_broken, on_read)
    at = whole = 0
    wants_comma = False
    while True:
        at = _skip_blank(window, at, whole)
        mark = window.text[at]
        if mark == "]" and (wants_comma or whole == 0):
            _require_end(window, at + 1, whole)
            return
        if wants_comma:
            if mark != ",":
                raise BrokenJsonError(Fault.at(window.line(at), cut=False, whole=whole))
            at = _skip_blank(window, at + 1, whole)
        value, at = _entry(window, at, decoder, whole)
        whole += 1
        wants_comma = True
        yield value


def _skip_blank(window: _Window, at: int, whole: int) -> int:
    while True:
        found = _BLANK.match(window.text, at)
        at = found.end() if found else at
        if at < len(window.text):
            return at
        if window.is_last:
            raise BrokenJsonError(Fault.at(window.line(at), cut=True, whole=whole))
        window.grow(at)
        at = 0


def _require_end(window: _Window, at: int, whole: int) -> None:
    """Refuse anything but blanks after the list."""
    while True:
        found = _BLANK.match(window.text, at)
        if found and found.end() < len(window.text):
            raise BrokenJsonError(Fault.at(window.line(found.end()), cut=False, whole=whole))
        if window.is_last:
            return
        window.grow(len(window.text))
        at = 0


def _entry(window: _Window, at: int, decoder: json.JSONDecoder, whole: int) -> tuple[object, int]:
    while True:
        try:
            value, end = decoder.raw_decode(window.text, at)
        except json.JSONDecodeError as error:
            open_end = error.msg.startswith("Unterminated")
            near_end = error.pos >= len(window.text) - _TAIL
            if window.is_last or not (open_end or near_end):
                cut = open_end or error.pos >= len(window.text.rstrip())
                where = len(window.text) if open_end else error.pos
                raise BrokenJsonError(Fault.at(window.line(where), cut=cut, whole=whole)) from None
        except (ValueError, RecursionError):
            raise BrokenJsonError(Fault(TOO_DEEP, whole)) from None
        else:
            # a number at the end of the window may continue beyond it
            if window.is_last or isinstance(value, dict | list | str) or end < len(window.text) - _TAIL:
                return value, end
        if len(window.text) - at > LARGEST_ENTRY:
            raise BrokenJsonError(Fault(TOO_LARGE, whole))
        window.grow(at)
        at = 0
        if len(window.text) > MOST_PARTS and has_too_many_parts(window.text):
            raise BrokenJsonError(Fault(TOO_MUCH, whole))


def has_too_many_parts(text: str) -> bool:
    """Return whether the text would parse to more values than any chat has."""
    return text.count(",") + text.count("[") + text.count("{") > MOST_PARTS
