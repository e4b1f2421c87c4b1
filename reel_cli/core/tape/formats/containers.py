"""The files in what a person named, one by one: a file by itself, a folder's, a zip archive's.

Nothing in an archive is written to a path it names. Its members are read in memory, bounded by what
they really unpack to; only a database goes to a file, a private temporary one, while it is read.
"""

import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import CORE_FILES
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.format_rows import PLAIN, STRUCTURED
from reel_cli.core.tape.formats.decoding import PASTED
from reel_cli.core.values.change import one_line

SETTINGS = "kit.yaml"
"""A folder with this file in it is a kit."""
FOLDERS = frozenset(file.name for file in CORE_FILES if file.path.endswith("/"))
"""Folders right below a kit that hold its files; any other folder there is the person's own."""


def are_a_kits(folders: Collection[str], files: Collection[str]) -> frozenset[str]:
    """Return which of the folders beside these files are a kit's own."""
    return FOLDERS.intersection(folders) if SETTINGS in files else frozenset()


def is_a_kits(path: Path) -> bool:
    """Return whether a file or folder is part of a kit's own files."""
    place = path.absolute()
    return any(one.name in FOLDERS and one.with_name(SETTINGS).is_file() for one in (place, *place.parents))


LARGEST_FILE = 512 * 1024 * 1024
CHUNK = 1 << 20
"""A larger file is not read, in bytes; a database may be larger, as it is opened in place."""
LARGEST_SIBLING = 16 * 1024 * 1024
"""The same for a file that is read only because it stands beside another, or that has no ending."""
MOST_FILES = 200_000
"""A folder or archive with more files than this is not what was meant."""

PACKED, LOCKED = "archives, which can be named by themselves", "files locked with a password"
KIT = "what a kit keeps"
"""Reason for skipping files that belong to a kit."""

_ARCHIVES = frozenset({".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"})
_MAGIC = b"SQLite format 3\x00"
_HEAD = 4096
_DEEPEST = 16
_HIDDEN_CHATS = frozenset({".aider.chat.history.md"})
"""Files that are chats though their names hide them."""
_CHUNK = 1024 * 1024
_MOST_UNPACKED = 4 * 1024 * 1024 * 1024
_STEEPEST, _STEEP_FROM = 200, 16 * 1024 * 1024
"""Compression ratio, and unpacked bytes, above both of which an archive is refused."""
_LONGEST_TYPE = 200
"""Bytes of the file in which a document says its kind, at most."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
_DIGITS = re.compile(r"(\d+)")


@frozen
class OpenedFile:
    """A file's bytes, and where it stands on disk; of a database only the beginning, and where it stands."""

    data: bytes
    path: Path | None


@frozen
class Entry:
    """One file that may hold chats.

    `label` names it for a person; `open` raises ReelError where it cannot be read.
    """

    label: str
    filename: str
    size: int
    open: Callable[[], AbstractContextManager[OpenedFile]]
    beside: Callable[[str], bytes | None]
    path: Path | None = None
    """The file on disk that a person knows: the archive, for what is in one."""

    @property
    def suffix(self) -> str:
        """Return the last extension, in lower case, dot included."""
        return PurePosixPath(self.filename).suffix.lower()


@mutable
class Contents:
    """The contents of what was named: files of known formats, plain texts, and a count of others."""

    name: str
    kind: str
    """`file`, `folder`, `archive` or `paste`."""
    structured: list[Entry] = field(default_factory=list)
    plain: list[Entry] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Numbers of files that were not looked at, by the reason in words."""

    def add(self, entry: Entry) -> None:
        """Add a file to the group its name belongs to."""
        if entry.suffix in STRUCTURED and (entry.suffix or entry.size <= LARGEST_SIBLING):
            self.structured.append(entry)
        elif entry.suffix in PLAIN:
            self.plain.append(entry)
        elif entry.suffix in _ARCHIVES:
            self.refused[PACKED] += 1
        else:
            self.others[one_line(entry.suffix, 20) or "without extension"] += 1

    def sort(self) -> None:
        """Sort numbered files by their numbers."""
        for entries in (self.structured, self.plain):
            entries.sort(key=lambda entry: _natural(entry.label))

    @property
    def count(self) -> int:
        """Return the number of files in all."""
        return len(self.structured) + len(self.plain) + sum(self.others.values()) + sum(self.refused.values())


def look_into(what: Path | bytes) -> Contents:
    """Return the files in a file, folder, archive or paste; raises ReelError if it cannot be opened."""
    if isinstance(what, bytes):
        if what.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return _archive(BytesIO(what), "the archive", None)
        contents = Contents(PASTED, "paste")
        contents.structured.append(Entry(PASTED, "", len(what), lambda: _in_memory(what), _none_beside))
        return contents
    name = one_line(what.name, 80) or str(what)
    try:
        mode = what.stat().st_mode
    except (OSError, ValueError):
        message = f"There is no file {one_line(str(what), 200)}."
        raise ReelError(message, hint="name a chat's file, a folder, or - to paste it") from None
    if is_a_kits(what):
        message = f"{name} is part of a kit, not a chat."
        raise ReelError(message, hint="name the file or folder that your chat app wrote")
    if stat.S_ISDIR(mode):
        return _folder(what, name)
    if not stat.S_ISREG(mode):
        message = f"{name} is neither a file nor a folder."
        raise ReelError(message, hint="name a chat's file, a folder, or - to paste it")
    if _head(what)[:4] in {b"PK\x03\x04", b"PK\x05\x06"}:
        return _archive(what, name, what)
    contents = Contents(name, "file")
    contents.structured.append(_file(what, name))
    return contents


def _natural(label: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 20 else (1, 0, part.casefold())
        for part in _DIGITS.split(label)
        if part
    )


def _none_beside(_: str) -> bytes | None:
    return None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        message = f"{one_line(path.name, 80)} cannot be read: {error.strerror or 'it cannot be opened'}."
        raise ReelError(message) from None


# files and folders ------------------------------------------------------------------------------


def _file(path: Path, label: str) -> Entry:
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    return Entry(
        label, path.name, size, lambda: _on_disk(path, label), lambda name: _sibling(path, name), path
    )


@contextmanager
def _on_disk(path: Path, label: str) -> Iterator[OpenedFile]:
    head = _head(path)
    if head.startswith(_MAGIC):
        yield OpenedFile(head, path)
        return
    try:
        with path.open("rb") as file:
            data = read_up_to(file, LARGEST_FILE + 1)
    except OSError as error:
        message = f"{label} cannot be read: {error.strerror or 'it cannot be opened'}."
        raise ReelError(message) from None
    _require_size(len(data), label)
    yield OpenedFile(data, path)


def read_up_to(file: IO[bytes], most: int) -> bytes:
    """Read at most so many bytes; asking for them at once would take all that memory for a small file."""
    parts: list[bytes] = []
    while most > 0 and (part := file.read(min(most, CHUNK))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _require_size(size: int, label: str) -> None:
    if size > LARGEST_FILE:
        message = f"{label} is larger than {LARGEST_FILE >> 20} MB."
        raise ReelError(message, hint="record the chats in it one by one")


def _sibling(path: Path, name: str) -> bytes | None:
    """Return a file in the same folder; never one elsewhere, whatever `name` says."""
    if not _is_plain_name(name):
        return None
    beside = path.with_name(name)
    try:
        if not stat.S_ISREG(beside.lstat().st_mode) or beside.stat().st_size > LARGEST_SIBLING:
            return None
        return beside.read_bytes()
    except OSError:
        return None


def _is_plain_name(name: str) -> bool:
    return name not in {"", ".", ".."} and not re.search(r"[/\\\x00:]", name)


_PROGRAM, _PACKAGES = "pyvenv.cfg", "node_modules"
"""A file that a Python environment has, and the folder of a JavaScript program's packages: nobody's chats."""


def _folder(top: Path, name: str) -> Contents:
    contents = Contents(name, "folder")
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            found = sorted(os.scandir(folder), key=lambda item: item.name)
        except OSError:
            contents.refused["folders that cannot be opened"] += 1
            continue
        names = [item.name for item in found]
        if _PROGRAM in names or folder.name == _PACKAGES:
            contents.refused["folders of a program's own files"] += 1
            continue
        own = are_a_kits(names, names)
        if own:
            contents.refused[KIT] += 1
        for item in found:
            path = Path(item.path)
            if item.name in own:
                continue
            if item.is_symlink():
                contents.refused["links"] += 1
            elif item.is_dir():
                if depth < _DEEPEST and not item.name.startswith("."):
                    waiting.append((path, depth + 1))
            elif not item.is_file():
                contents.refused["things that are no files"] += 1
            elif not item.name.startswith(".") or item.name in _HIDDEN_CHATS:
                _count(contents)
                contents.add(_file(path, one_line(path.relative_to(top).as_posix(), 200)))
    contents.sort()
    return contents


def _count(contents: Contents) -> None:
    if contents.count >= MOST_FILES:
        message = f"{contents.name} holds more than {MOST_FILES:,} files."
        raise ReelError(message, hint="name the folder or the file with the chats in it")


# archives ---------------------------------------------------------------------------------------


def _archive(where: Path | BytesIO, name: str, path: Path | None) -> Contents:
    contents = Contents(name, "archive")
    try:
        archive = zipfile.ZipFile(where)  # stays open for as long as its entries are of use
    except _DAMAGED:
        message = (
            f"{name} begins as a zip archive does, but cannot be opened as one: it is cut off or damaged."
        )
        raise ReelError(message, hint="download it again, or unpack it and name the folder") from None
    if _is_document({one.filename for one in archive.infolist()}, archive):
        message = f"{name} is an office document, not a plain text."
        raise ReelError(message, hint="save it as plain text (.txt) in its program, and name that file")
    if len(archive.infolist()) > MOST_FILES:
        message = f"{name} holds more than {MOST_FILES:,} files."
        raise ReelError(message)
    kept = _members(archive.infolist(), contents)
    unpacker = _Unpacker(archive, name, kept)
    for member, info in kept.items():
        contents.add(
            Entry(
                f"{name}: {one_line(member, 200)}",
                PurePosixPath(member).name,
                info.file_size,
                lambda member=member: unpacker.open(member),  # type: ignore[misc]
                lambda sibling, member=member: unpacker.beside(member, sibling),  # type: ignore[misc]
                path,
            )
        )
    contents.sort()
    return contents


def _is_document(names: Collection[str], archive: zipfile.ZipFile) -> bool:
    """Return whether an archive is a document of Word, LibreOffice, Pages or the like."""
    typed = "[Content_Types].xml" in names and any(one.startswith(("word/", "xl/", "ppt/")) for one in names)
    if typed or "Index/Document.iwa" in names:
        return True
    if ("index.xml" in names or "Index.zip" in names) and any(one.startswith("QuickLook/") for one in names):
        # Pages of some years
        return True
    with suppress(*_DAMAGED, KeyError):
        if "mimetype" in names and archive.getinfo("mimetype").file_size < _LONGEST_TYPE:
            # a book (.epub) is no document that a program saves as plain text
            return archive.read("mimetype").startswith(b"application/vnd.")
    return False


def _members(infos: Sequence[zipfile.ZipInfo], contents: Contents) -> dict[str, zipfile.ZipInfo]:
    """Return the members that may be read, by name; the last of two with one name, as in unpacking."""
    kept: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        path = PurePosixPath(info.filename)
        if not info.filename:
            contents.refused["files without a name"] += 1
            continue
        if info.is_dir() or "__MACOSX" in path.parts or path.name.startswith("."):
            continue
        if path.is_absolute() or ".." in path.parts or re.search(r"[\\\x00]|^[A-Za-z]:", info.orig_filename):
            contents.refused["names that lead out of the archive"] += 1
        elif stat.S_ISLNK(info.external_attr >> 16):
            contents.refused["links"] += 1
        elif info.flag_bits & 1:
            contents.refused[LOCKED] += 1
        else:
            if info.filename in kept:
                contents.refused["files whose name stands there twice"] += 1
            kept[info.filename] = info
    return kept


class _Unpacker:
    """A reader of one archive's members, with a limit on how much each may unpack to."""

    def __init__(self, archive: zipfile.ZipFile, name: str, members: dict[str, zipfile.ZipInfo]) -> None:
        self._archive = archive
        self._name = name
        self._members = members
        self._unpacked = 0

    @contextmanager
    def open(self, member: str) -> Iterator[OpenedFile]:
        label = f"{self._name}: {one_line(member, 200)}"
        head = self._read(member, label, _HEAD)
        if not head.startswith(_MAGIC):
            yield OpenedFile(self._read(member, label, LARGEST_FILE), None)
            return
        with tempfile.TemporaryDirectory(prefix="reel-") as folder:
            path = Path(folder) / "chats.db"
            self._write(member, label, path)
            if f"{member}-wal" in self._members:
                self._write(f"{member}-wal", label, path.with_name("chats.db-wal"))
            yield OpenedFile(head, path)

    def beside(self, member: str, name: str) -> bytes | None:
        if not _is_plain_name(name):
            return None
        sibling = str(PurePosixPath(member).with_name(name))
        info = self._members.get(sibling)
        if info is None or info.file_size > LARGEST_SIBLING:
            return None
        try:
            return self._read(sibling, sibling, LARGEST_SIBLING)
        except ReelError:
            return None

    def _read(self, member: str, label: str, limit: int) -> bytes:
        """Return a member's first `limit` bytes; ReelError where it is more, unless that is only its head."""
        found = BytesIO()
        self._copy(member, label, found, limit, whole=limit > _HEAD)
        return found.getvalue()

    def _write(self, member: str, label: str, path: Path) -> None:
        with path.open("xb") as file:
            self._copy(member, label, file, _MOST_UNPACKED, whole=True)

    def _copy(self, member: str, label: str, into: IO[bytes], limit: int, *, whole: bool) -> None:
        info = self._members[member]
        size = 0
        try:
            with self._archive.open(info) as packed:
                while chunk := packed.read(min(_CHUNK, limit + whole - size)):
                    size += len(chunk)
                    self._unpacked += len(chunk)
                    steep = size > _STEEP_FROM and size > _STEEPEST * max(info.compress_size, 1)
                    if steep or self._unpacked > _MOST_UNPACKED:
                        message = f"{label} unpacks to far more than any chat, and was not read."
                        raise ReelError(message)
                    if whole and size > limit:
                        _require_size(LARGEST_FILE + 1, label)
                    into.write(chunk)
        except _DAMAGED:
            message = f"{label} cannot be unpacked: the archive is damaged."
            raise ReelError(message, hint="download it again") from None


@contextmanager
def _in_memory(data: bytes) -> Iterator[OpenedFile]:
    if not data.startswith(_MAGIC):
        _require_size(len(data), PASTED)
        yield OpenedFile(data, None)
        return
    with tempfile.TemporaryDirectory(prefix="reel-") as folder:
        path = Path(folder) / "chats.db"
        path.write_bytes(data)
        yield OpenedFile(data[:_HEAD], path)
