"""The header of a GGUF file: what a model says of itself before its weights; no number in it is trusted.

A file is `GGUF`, a version (2 or 3), two counts, then so many entries of a name, a type and a value; all
numbers are little-endian. Lists are only walked over; they are read when they are asked for.
"""

import os
import stat
import struct
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from reel_cli.core.errors import ReelError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
FIRST_READ = 18 << 20
"""Bytes read at first, more than most headers have; after that, twice as many."""
LARGEST_HEADER = 64 << 20
MOST_ENTRIES = 10_000
MOST_TENSORS = 1 << 20
"""Maximum number of tensors: none is ever read, but no model has a hundredth of these."""
MOST_TEXTS = 4_000_000
"""Maximum number of texts in all lists of a header together."""
LONGEST_NAME = 65_535

_TEXT, _LIST = 8, 9
_LETTERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_NUMBERS = {kind: struct.Struct(f"<{letter}") for kind, letter in _LETTERS.items()}
_U32, _U64 = _NUMBERS[4], _NUMBERS[10]
_LIST_HEAD = struct.Struct("<IQ")
_OPENING = struct.Struct("<4sIQQ")


class Texts:
    """A list of texts in a header, not read yet."""

    def __init__(self, data: bytes, start: int, ends: Sequence[int]) -> None:
        self._data = data
        self._start = start
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    def __contains__(self, text: object) -> bool:
        return any(one == text for one in self)

    def __iter__(self) -> Iterator[bytes]:
        # a vocabulary and its merges have up to a million entries, so only C code loops over them
        starts = map(_U64.size.__add__, chain((self._start,), self._ends))
        return map(self._data.__getitem__, map(slice, starts, self._ends))


class Numbers:
    """A list of numbers in a header, not read yet."""

    def __init__(self, data: bytes, start: int, count: int, kind: int) -> None:
        self._data = data
        self._start = start
        self._count = count
        self._letter = _LETTERS[kind]

    def __len__(self) -> int:
        return self._count

    def read(self, most: int) -> Sequence[float]:
        """Return the first values, at most so many."""
        count = min(most, self._count)
        return struct.unpack_from(f"<{count}{self._letter}", self._data, self._start)


Value: TypeAlias = "int | float | bytes | Texts | Numbers"


def read_header(path: Path) -> dict[str, Value]:
    """Return every entry of a model file's header by name; the first of repeated ones.

    Raises ReelError where the file is no GGUF of a version known here, or cut short, or damaged.
    """
    size = FIRST_READ
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            # opening a pipe would wait for its writer
            raise _damaged(path, "it is not a file")
        with path.open("rb") as file:
            whole = os.fstat(file.fileno()).st_size
            while True:
                file.seek(0)
                data = file.read(min(size, LARGEST_HEADER))
                try:
                    return _Walk(path, data).entries()
                except _ShortError:
                    if len(data) >= whole:
                        message = f"{path.name} is cut off in its header."
                        raise ReelError(message, hint="download it again") from None
                data = b""  # two of them at once would be a lot
                if size >= LARGEST_HEADER:
                    raise _damaged(path, f"its header is larger than {LARGEST_HEADER >> 20} MB")
                size *= 2
    except FileNotFoundError:
        message = f"There is no model file {path}."
        raise ReelError(
            message,
            hint="say where it is with --tokenizer; in a kit:  reel model set --tokenizer PATH",
        ) from None
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise ReelError(message) from None


class _ShortError(Exception):
    """An error for a header that is longer than what was read so far."""


class _Walk:
    """One walk over the bytes of a header."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._data = data
        self._at = 0
        self._texts = 0

    def entries(self) -> dict[str, Value]:
        self._check_opening()
        _, _, tensors, count = self._take(_OPENING)
        if tensors > MOST_TENSORS:
            raise _damaged(self._path, f"it announces {tensors:,} pieces of weights")
        if count > MOST_ENTRIES:
            raise _damaged(self._path, f"it announces {count:,} entries")
        found: dict[str, Value] = {}
        for _ in range(count):
            name = self._text(LONGEST_NAME).decode("utf-8", "replace")
            value = self._value(self._take(_U32)[0])
            found.setdefault(name, value)
        return found

    def _check_opening(self) -> None:
        data, path = self._data, self._path
        if data[:4] != MAGIC:
            message = f"{path.name} is not a GGUF file."
            raise ReelError(message, hint="take the file your app loads; its name ends in .gguf")
        if len(data) < _OPENING.size:
            raise _ShortError
        version: int = _U32.unpack_from(data, 4)[0]
        if version in VERSIONS:
            return
        if int.from_bytes(data[4:8], "big") in (1, *VERSIONS):
            message = f"{path.name} is a big-endian GGUF file, made for another kind of machine."
            raise ReelError(message, hint="take the usual, little-endian one")
        message = (
            f"{path.name} is a GGUF file of version {version}; reel reads {VERSIONS[0]} and {VERSIONS[1]}."
        )
        raise ReelError(message, hint="take a newer file of the same model, or update reel")

    def _take(self, form: struct.Struct) -> tuple[int, ...]:
        start = self._skip(form.size)
        return form.unpack_from(self._data, start)

    def _skip(self, size: int) -> int:
        """Skip so many bytes; return where they begin."""
        start = self._at
        if size > LARGEST_HEADER:
            raise _damaged(self._path, f"it announces {size:,} bytes")
        if start + size > len(self._data):
            raise _ShortError
        self._at = start + size
        return start

    def _text(self, most: int = LARGEST_HEADER) -> bytes:
        (size,) = self._take(_U64)
        if size > most:
            raise _damaged(self._path, f"it announces a text of {size:,} bytes")
        start = self._skip(size)
        return self._data[start : start + size]

    def _value(self, kind: int) -> Value:
        if kind == _TEXT:
            return self._text()
        if kind == _LIST:
            return self._list(*self._take(_LIST_HEAD))
        if kind not in _NUMBERS:
            raise _damaged(self._path, f"a value of type {kind} stands in it")
        return self._take(_NUMBERS[kind])[0]

    def _list(self, kind: int, count: int) -> Value:
        if kind in _NUMBERS:
            return Numbers(self._data, self._skip(count * _NUMBERS[kind].size), count, kind)
        if kind != _TEXT:
            what = "a list of lists" if kind == _LIST else f"a list of type {kind}"
            raise _damaged(self._path, f"{what} stands in it")
        self._texts += count
        if self._texts > MOST_TEXTS:
            raise _damaged(self._path, f"it announces {self._texts:,} texts")
        data, size, at, end = self._data, _U64.unpack_from, self._at, len(self._data) - _U64.size
        start, ends = at, array("I")
        for _ in range(count):
            if at > end:
                raise _ShortError
            at += _U64.size + size(data, at)[0]
            if at > LARGEST_HEADER:
                raise _damaged(self._path, "it announces a text larger than a header can be")
            ends.append(at)
        self._at = at
        self._skip(0)
        return Texts(data, start, ends)


def _damaged(path: Path, why: str) -> ReelError:
    message = f"{path.name} cannot be read as a model file: {why}."
    return ReelError(message, hint="download it again, or take another file")
