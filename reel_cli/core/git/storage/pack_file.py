"""A pack written here: many blobs go into git's store at once, on as many processors as call `add`.

Until it is sealed it has a name that git takes for unfinished work of its own, and clears away in time.
"""

import hashlib
import os
import sys
import threading
import zlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from pathlib import Path
from struct import pack
from typing import BinaryIO, NoReturn

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import OWNER_FILE, sync_folder

LEVEL = 1
"""git's own level of compression for new objects."""
DELTA = 6
"""The type of an object that is stored by another of the same pack."""
TYPES: Mapping[str, int] = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
LARGEST = 1 << 31
"""Bytes above which no pack is written; git's index of a larger pack has another form."""
_ONE_COPY = 0xFFFF
_HEAD_LENGTH = 12


def pack_head(count: int) -> bytes:
    """Return the header of a pack of `count` objects."""
    return pack(">4sII", b"PACK", 2, count)


def entry_head(kind: int, size: int) -> bytes:
    """Return the type, and the size in groups of 4, 7, 7… bits, the lowest first."""
    byte, size = kind << 4 | size & 15, size >> 4
    head = bytearray()
    while size:
        head.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    head.append(byte)
    return bytes(head)


def deflate(data: bytes) -> bytes:
    """Return an object's bytes as they stand in a pack."""
    return zlib.compress(data, LEVEL)


def render_distance(back: int) -> bytes:
    """Return the offset of a delta's base in the pack, in groups of 7 bits, the highest first."""
    found = [back & 0x7F]
    while back := back >> 7:
        back -= 1
        found.append(back & 0x7F | 0x80)
    return bytes(reversed(found))


def render_delta(base: bytes, data: bytes) -> bytes:
    """Return a delta from `base` to `data`: copies of the common start and end, and the middle verbatim."""
    shorter = min(len(base), len(data))
    first = _common(shorter, lambda n: base[:n] == data[:n])
    last = _common(shorter - first, lambda n: base[len(base) - n :] == data[len(data) - n :])
    middle = data[first : len(data) - last]
    inserted = [middle[at : at + 0x7F] for at in range(0, len(middle), 0x7F)]
    return b"".join([
        *(_size_in_delta(len(part)) for part in (base, data)),
        _copies(0, first),
        *(bytes([len(part)]) + part for part in inserted),
        _copies(len(base) - last, last),
    ])  # fmt: skip


def _common(most: int, same: Callable[[int], bool]) -> int:
    """Return the largest count of bytes that are the same, at most `most`."""
    return bisect_right(range(1, most + 1), 0, key=lambda n: not same(n))


def _size_in_delta(size: int) -> bytes:
    found = bytearray()
    while size > 0x7F:
        found.append(size & 0x7F | 0x80)
        size >>= 7
    found.append(size)
    return bytes(found)


def _copies(start: int, length: int) -> bytes:
    """Return the instructions that copy bytes of the base, at most 65,535 each."""
    return b"".join(
        pack("<BIH", 0x80 | 0x3F, at, min(_ONE_COPY, start + length - at))
        for at in range(start, start + length, _ONE_COPY)
    )


def object_id(kind: str, data: bytes, *, sha256: bool) -> str:
    """Return the id that git has for an object of this kind."""
    digest = hasher(sha256=sha256)(f"{kind} {len(data)}\0".encode())
    digest.update(data)
    return digest.hexdigest()


def hasher(*, sha256: bool) -> "Callable[..., hashlib._Hash]":
    """Return the hash function that names a repository's objects."""
    return partial(hashlib.sha256 if sha256 else hashlib.sha1, usedforsecurity=False)


class BlobPack:
    """A pack in the making, in git's pack folder; end it with `seal` or `drop`.

    Any method raises OSError where the disk does not let it.
    """

    def __init__(self, folder: Path, *, sha256: bool) -> None:
        """Begin an empty one."""
        self._folder = folder
        self._sha256 = sha256
        self._entries: dict[str, tuple[int, int]] = {}
        """Each blob's checksum (CRC-32, as the index wants it) and place, by its id."""
        self._taken: set[str] = set()
        self._lock = threading.Lock()
        mark = f"{os.getpid()}_{os.urandom(4).hex()}"
        self._packed, self._listed = folder / f"tmp_pack_{mark}", folder / f"tmp_idx_{mark}"
        self._file = _create(self._packed)
        self._end = _HEAD_LENGTH
        self._file.write(pack_head(0))

    def add(self, contents: Sequence[bytes]) -> Sequence[str]:
        """Add blobs and return their IDs; may be called by several threads at once."""
        names = [object_id("blob", data, sha256=self._sha256) for data in contents]
        made: list[tuple[str, int, bytes]] = []
        for name, data in zip(names, contents, strict=True):
            with self._lock:
                if name in self._taken:
                    continue
                self._taken.add(name)
            entry = entry_head(TYPES["blob"], len(data)) + deflate(data)
            made.append((name, zlib.crc32(entry), entry))
        with self._lock:
            self._file.write(b"".join([entry for *_, entry in made]))
            for name, check, entry in made:
                self._entries[name] = check, self._end
                self._end += len(entry)
        return names

    def seal(self) -> frozenset[str]:
        """Make it part of git's store, for good; return its blobs' ids.

        What went to the disk is read back first. Raises StateError where that is something else.
        """
        if not self._entries or self._end >= LARGEST:
            self.drop()
            return frozenset()
        try:
            digest = self._finish_pack()
            with _create(self._listed) as listed:
                listed.write(_render_index(self._entries, digest, sha256=self._sha256))
                _sync(listed)
            # the pack is readable for whoever may read the folder, as in git
            mode = self._folder.stat().st_mode & 0o444
            for file, end in ((self._packed, "pack"), (self._listed, "idx")):
                file.chmod(mode)
                file.replace(self._folder / f"pack-{digest.hex()}.{end}")
            sync_folder(self._folder)
        except BaseException:
            self.drop()
            raise
        return frozenset(self._entries)

    def drop(self) -> None:
        """Delete the pack and its files."""
        with suppress(OSError):
            self._file.close()
        for file in (self._packed, self._listed):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _finish_pack(self) -> bytes:
        """Complete the file with the number of its objects, and their checksum, which is returned."""
        file, digest = self._file, hasher(sha256=self._sha256)()
        head = pack_head(len(self._entries))
        file.seek(0)
        file.write(head)
        file.seek(0)
        if (found := file.read(_HEAD_LENGTH)) != head:
            _refuse_other_bytes()
        digest.update(found)
        places = sorted((place, check) for check, place in self._entries.values())
        ends = [*(place for place, _ in places[1:]), self._end]
        for (place, check), end in zip(places, ends, strict=True):
            found = file.read(end - place)
            if len(found) != end - place or zlib.crc32(found) != check:
                _refuse_other_bytes()
            digest.update(found)
        file.write(digest.digest())
        _sync(file)
        file.close()
        return digest.digest()


def _render_index(entries: Mapping[str, tuple[int, int]], check: bytes, *, sha256: bool) -> bytes:
    """Return a pack's index, version 2: a count for each first byte; ids, checksums, places."""
    rows = sorted((bytes.fromhex(name), *row) for name, row in entries.items())
    firsts = [0] * 256
    for name, _, _ in rows:
        firsts[name[0]] += 1
    whole = b"".join([
        b"\377tOc" + pack(">I", 2),
        pack(">256I", *accumulate(firsts)),
        *(name for name, _, _ in rows),
        pack(f">{len(rows)}I", *(crc for _, crc, _ in rows)),
        pack(f">{len(rows)}I", *(place for _, _, place in rows)),
        check,
    ])  # fmt: skip
    return whole + hasher(sha256=sha256)(whole).digest()


def _create(path: Path) -> BinaryIO:
    """Return a new file, opened, that only its owner can access."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, OWNER_FILE), "w+b")


def _sync(file: BinaryIO) -> None:
    """Sync a file to the disk, as git does."""
    file.flush()
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(file.fileno(), fcntl.F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def _refuse_other_bytes() -> NoReturn:
    message = "The disk gave back other bytes than it was given; nothing was changed."
    raise StateError(message, hint="check the disk, then run the command again")
