"""`.reel/state/chats/`: a chat over the wire as far as it has come, one file a chat, until the tape has it.

The file is JSON lines: a head, then whole messages, and the pieces of the answer that is being written. Its
chat holds a lock on it, so a file that nobody holds is one whose chat was killed. The head names the file's
own inode: a file that came with a copied or unpacked kit names another, and is not recorded unasked.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import OWNER_FILE, OWNER_FOLDER, state_folder, sync_folder
from reel_cli.core.files.state import CHATS
from reel_cli.core.git.lock import try_lock
from reel_cli.core.values.talk import Kind, Message

VERSION = 1
LARGEST = 256 * 1024 * 1024
"""A file beyond this, in bytes, is not read: no chat writes so much."""
_OPTIONAL = ("name", "time", "model", "road")


class ChatSpool:
    """The file of one chat that goes on. Where it cannot be written, the chat goes on without it."""

    def __init__(self, kit: Path, head: Mapping[str, object], base: Sequence[Message] = ()) -> None:
        """Begin a file whose head says `head`; the messages in `base` are on the tape and not repeated."""
        self._kit, self._head = kit, {**head, "base": len(base)}
        self._file: IO[bytes] | None = None
        self._path: Path | None = None
        self._has = tuple(base)
        """The messages that it holds, the base among them."""
        self._failed = False

    def note(self, messages: Sequence[Message]) -> None:
        """Write the messages of the chat, as they are now, to disk durably."""
        pairs = enumerate(zip(self._has, messages, strict=False))
        same = next((at for at, (old, new) in pairs if old != new), min(len(self._has), len(messages)))
        if same == len(messages) < len(self._has):
            self._write({"back": same})
        self._has = tuple(messages)
        for at, message in enumerate(messages[same:], start=same):
            self._write({"at": at, "message": _plain(message)})
        self.settle()

    def begin_try(self, model: str, time: str) -> None:
        """Record that an answer begins here, and by which model; pieces of an earlier try stay."""
        self._write({"try": model, "time": time})

    def hear(self, words: str) -> None:
        """Store a piece of the answer; at a line's end all so far is on the disk for good."""
        if words:
            self._write({"words": words})
            if "\n" in words:
                self.settle()

    def end_part(self, said: str) -> None:
        """Record that the answer continues behind a recalled moment; `said` is all before that."""
        self._write({"part": said})

    def settle(self) -> None:
        """Flush what was written to disk durably."""
        if self._file is not None:
            try:
                os.fsync(self._file.fileno())
            except OSError:
                self._give_up()

    def drop(self) -> None:
        """Delete the file: the tape has all of it, or another file has."""
        if self._file is not None and self._path is not None:
            with suppress(OSError):
                self._path.unlink()
            self._file.close()
        self._file = self._path = None

    @property
    def is_gone(self) -> bool:
        """Return whether its file was deleted meanwhile, as by a purge."""
        return self._file is not None and not os.fstat(self._file.fileno()).st_nlink

    def _write(self, value: Mapping[str, object]) -> None:
        if self._failed:
            return
        try:
            if self._file is None:
                self._begin()
            if self._file is not None:
                # unbuffered, so that what was written survives a kill
                self._file.write(_line(value))
        except (OSError, StateError):
            self._give_up()

    def _begin(self) -> None:
        folder = state_folder(self._kit) / CHATS
        folder.mkdir(mode=OWNER_FOLDER, exist_ok=True)
        if folder.is_symlink():
            self._failed = True
            return
        name = f"{os.getpid()}-{os.urandom(6).hex()}"
        fresh, path = folder / f".new-{name}", folder / f"{name}.jsonl"
        file = os.fdopen(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_FILE), "r+b", buffering=0)
        try:
            try_lock(file.fileno())
            head = {**self._head, "reel": VERSION, "inode": os.fstat(file.fileno()).st_ino}
            file.write(_line(head))
            fresh.rename(path)
            sync_folder(folder)
        except BaseException:
            file.close()
            fresh.unlink(missing_ok=True)
            raise
        self._file, self._path = file, path

    def _give_up(self) -> None:
        self.drop()
        self._failed = True


@dataclass(slots=True)
class UnfinishedChat:
    """A chat as its file has it: `messages` are those after the first `base`, which the tape has."""

    format: str
    key: str | None
    session: str | None
    started: str | None
    base: int
    messages: list[Message] = field(default_factory=list)
    half: str = ""
    """The beginning of an answer that has not ended; with its thinking, as the model wrote it."""
    model: str | None = None
    time: str | None = None
    own: bool = True
    """True if this kit's own chat wrote the file where it is."""


@dataclass(slots=True)
class ClaimedSpool:
    """A file of a chat that nobody holds any more, held by us until the block is left."""

    path: Path
    chat: UnfinishedChat | None
    """The chat; None if it cannot be read."""

    def drop(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink()

    def put_aside(self) -> Path | None:
        """Rename a file that cannot be read, so that it is not taken for a chat; return its path."""
        aside = self.path.with_suffix(".unread")
        try:
            self.path.rename(aside)
        except OSError:
            return None
        return aside


def claim_spools(kit: Path) -> Iterator[ClaimedSpool]:
    """Yield each chat that was killed, oldest first; skips links and irregular files."""
    folder = kit / ".reel" / "state" / CHATS
    if any(place.is_symlink() for place in (folder, folder.parent, folder.parent.parent)):
        return
    files: list[tuple[int, Path]] = []
    for path in folder.glob("*.jsonl"):
        with suppress(OSError):
            files.append((path.lstat().st_mtime_ns, path))
    for _, path in sorted(files):
        flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            number = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
        except OSError:
            continue
        try:
            about = os.fstat(number)
            plain = stat.S_ISREG(about.st_mode) and about.st_nlink == 1 and about.st_size <= LARGEST
            if plain and _lock(number):
                yield ClaimedSpool(path, read_spool(_all(number), about.st_ino))
        finally:
            os.close(number)


def read_spool(data: bytes, inode: int) -> UnfinishedChat | None:
    """Return the chat in a file with this inode, without a partial last line; None if it is none."""
    lines = data.split(b"\n")[:-1]
    try:
        head = _value(lines[0])
        if head.get("reel") != VERSION:
            return None
        key, session, started = (_text(head.get(name)) for name in ("key", "session", "started"))
        own = head.get("inode") == inode
        chat = UnfinishedChat(str(head["format"]), key, session, started, int(head["base"]), own=own)
        tries: list[str] = []
        parts: list[str] = []
        for line in lines[1:]:
            _take(chat, _value(line), parts, tries)
    except (ArithmeticError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None
    chat.half = "\n\n".join(filter(None, [*parts, max(tries, key=len, default="")]))
    return chat


def _take(chat: UnfinishedChat, value: Mapping[str, Any], parts: list[str], tries: list[str]) -> None:
    """Add one line of a file to its chat, or to the pieces of the answer in progress."""
    if "words" in value:
        tries[-1:] = [(tries[-1] if tries else "") + str(value["words"])]
    elif "part" in value:
        parts.append(str(value["part"]))
        tries.clear()
    elif "try" in value:
        tries.append("")
        chat.model, chat.time = str(value["try"]), str(value["time"])
    else:
        at = int(value["back"] if "back" in value else value["at"])
        if at < 0:
            raise ValueError(at)
        chat.base = min(chat.base, at)
        del chat.messages[at - chat.base :]
        parts.clear()
        tries.clear()
        if "message" in value:
            chat.messages.append(_message(value["message"]))


def _plain(message: Message) -> dict[str, object]:
    more = {name: getattr(message, name) for name in _OPTIONAL}
    told = {name: value for name, value in more.items() if value is not None}
    return {"role": message.role, "text": message.text, "kind": message.kind.value, **told}


def _message(value: Mapping[str, Any]) -> Message:
    more = {name: value[name] for name in _OPTIONAL if name in value}
    return Message(str(value["role"]), str(value["text"]), Kind(value["kind"]), **more)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _line(value: Mapping[str, object]) -> bytes:
    # in ASCII, so that half a character is kept as it came
    return json.dumps(value).encode("ascii") + b"\n"


def _value(line: bytes) -> dict[str, Any]:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise TypeError(line)
    return value


def _all(number: int) -> bytes:
    with os.fdopen(os.dup(number), "rb") as file:
        file.seek(0)
        return file.read()


def _lock(number: int) -> bool:
    try:
        return try_lock(number)
    except StateError:
        return False
