"""The kind of an object in a pack, looked up in the pack's index without a process (gitformat-pack)."""

import struct
from itertools import pairwise
from pathlib import Path
from typing import IO

from reel_cli.core.files.private import open_at_once

_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_TABLE = 256
_FAR = 1 << 31
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_BY_DISTANCE, _BY_NAME = 6, 7
"""Kinds of entries that are differences from another: from which, the entry itself tells."""
_LONGEST_CHAIN = 4096
"""No chain of differences that git writes is longer."""
_HEAD = 64
"""In bytes: more than the head of an entry takes."""


def find_packed_kind(packs: Path, name: str) -> str:
    """Return the kind of an object in one of the packs of a folder; "" where none holds it or is damaged."""
    for index in sorted(packs.glob("*.idx")):
        try:
            kind = _kind_in(index, bytes.fromhex(name))
        except (OSError, ValueError, IndexError, struct.error):
            continue
        if kind:
            return kind
    return ""


def _kind_in(index: Path, name: bytes) -> str:
    """Follow an entry's differences to one that is whole, and return what that is."""
    with (
        open(index, "rb", opener=open_at_once) as table,
        open(index.with_suffix(".pack"), "rb", opener=open_at_once) as pack,
    ):
        place = _place_of(table, name)
        for _ in range(_LONGEST_CHAIN):
            if place is None:
                break
            head = _read(pack, place, _HEAD)
            kind = head[0] >> 4 & 7
            if kind in _KINDS:
                return _KINDS[kind]
            at = 1 + next(number for number, byte in enumerate(head) if byte < 1 << 7)
            if kind == _BY_NAME:
                place = _place_of(table, head[at : at + len(name)])
            elif kind == _BY_DISTANCE:
                place -= _distance(head[at:])
            else:
                break
    return ""


def _place_of(table: IO[bytes], name: bytes) -> int | None:
    """Where in the pack an object begins, by the names in the index, which are sorted."""
    if _read(table, 0, len(_INDEX_HEAD)) != _INDEX_HEAD:
        return None
    counts = struct.unpack(f">{_TABLE}I", _read(table, len(_INDEX_HEAD), 4 * _TABLE))
    names = len(_INDEX_HEAD) + 4 * _TABLE
    low, high, total = (counts[name[0] - 1] if name[0] else 0), counts[name[0]], counts[-1]
    while low < high:
        middle = (low + high) // 2
        found = _read(table, names + middle * len(name), len(name))
        if found == name:
            places = names + total * (len(name) + 4)
            (place,) = struct.unpack(">I", _read(table, places + 4 * middle, 4))
            if place & _FAR:
                far = places + 4 * total + 8 * (place - _FAR)
                (place,) = struct.unpack(">Q", _read(table, far, 8))
            return int(place)
        low, high = (middle + 1, high) if found < name else (low, middle)
    return None


def _distance(data: bytes) -> int:
    """How far before an entry the one lies that it differs from."""
    value = data[0] & 127
    for before, byte in pairwise(data):
        if before < 1 << 7:
            break
        value = (value + 1 << 7) | (byte & 127)
    return value


def _read(file: IO[bytes], place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)
