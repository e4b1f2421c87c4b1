"""The shelf read from any tree: each file, what its sidecar tells of it, and which of them a chat names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.shelf.shelf_file import (
    BINARY,
    SHELF,
    TEXT,
    UNREADABLE,
    Content,
    ShelfFile,
    WatchedFile,
    file_of,
    is_sidecar,
    ledger_name,
    sidecar_of,
    text_of,
    title_of,
)
from reel_cli.features.shelf.sidecar_file import parse_sidecar

if TYPE_CHECKING:
    from reel_cli.core.files.ledger_file import Entry

TOUCHED = frozenset({"recall", "reference", "touch"})
"""The acts that make a file hot; being packed does not."""
_SIDECARS, _CONTENTS, _TOUCHES = "shelf sidecars 3", "shelf contents 1", "shelf touches 2"
TELLING = 5
"""A file's name of fewer characters, or without an ending, may be any word."""
_AROUND = "\"'`*_()[]{}<>.,;:!?…“”‘’«»"


def list_shelf(snapshot: "Snapshot") -> Sequence[str]:
    """Return the paths of all files on the shelf, in order; also those that only have a sidecar."""
    return _files_of(snapshot.list(SHELF))


def _files_of(paths: Iterable[str]) -> list[str]:
    """Return the files that these paths are, or are the sidecars of."""
    return sorted({file_of(path) if is_sidecar(path) else path for path in paths})


def read_shelf(snapshot: "Snapshot") -> dict[str, ShelfFile]:
    """Return the files on the shelf by path; `trouble` says why one cannot be read.

    A file without a sidecar is told of by its name. An overview keeps what each sidecar says.
    """
    there = frozenset(snapshot.list(SHELF))
    paths = _files_of(there)
    noted = [sidecar_of(path) for path in paths if sidecar_of(path) in there]

    def note(sidecar: str) -> dict[str, Any]:
        return _without_usual(_read_one(snapshot, sidecar))

    notes: Mapping[str, Any] = snapshot.note(_SIDECARS, noted, note)
    return {path: _file(path, notes.get(sidecar_of(path)), held=path in there) for path in paths}


def read_file(snapshot: "Snapshot", path: str) -> ShelfFile | None:
    """Return one file of the shelf; None if there is neither the file nor its sidecar."""
    there = snapshot.list(path.rpartition("/")[0])
    if path not in there and sidecar_of(path) not in there:
        return None
    note = _without_usual(_read_one(snapshot, sidecar_of(path))) if sidecar_of(path) in there else None
    return _file(path, note, held=path in there)


def is_at_hand(snapshot: "Snapshot", path: str) -> bool:
    """Return whether a file is on the shelf and was not put away; True if its page cannot be read."""
    file = read_file(snapshot, path)
    return file is not None and (bool(file.trouble) or (file.working and not file.in_history))


def _read_one(snapshot: "Snapshot", sidecar: str) -> ShelfFile:
    path = file_of(sidecar)
    try:
        return parse_sidecar(snapshot.text(sidecar) or "", path)
    except ReelError as error:
        return ShelfFile(path, title_of(path), trouble=error.message)


def _file(path: str, note: Mapping[str, Any] | None, *, held: bool) -> ShelfFile:
    if note is None:
        return ShelfFile(path, title_of(path), noted=False)
    watched = WatchedFile(**note["watched"]) if note.get("watched") else None
    told: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in note.items()}
    told |= {"watched": watched, "held": held and watched is None}
    file = ShelfFile(path, **told)
    if not held and watched is None and not file.trouble and not file.collected_as:
        return replace(file, trouble=f"{path} is gone, and only {sidecar_of(path)} is there.")
    return file


def _without_usual(file: ShelfFile) -> dict[str, Any]:
    """Return a sidecar's fields that differ from the defaults, as plain JSON."""
    usual = asdict(ShelfFile(file.path, ""))
    return {key: value for key, value in asdict(file).items() if value != usual[key]}


def read_contents(snapshot: "Snapshot", paths: Iterable[str]) -> Mapping[str, Content]:
    """Return the kind of each of these kit files, by their bytes; a link or a pipe is unreadable."""

    def note(path: str) -> Sequence[object]:
        try:
            made = content_of(snapshot.read(path) or b"")
        except (ReelError, OSError):
            return UNREADABLE, 0, "", 0
        return made.kind, made.size, made.sha256, made.lines

    notes: Mapping[str, Any] = snapshot.note(_CONTENTS, paths, note)
    return {path: Content(*note) for path, note in notes.items()}


def content_of(data: bytes) -> Content:
    """Return the kind of a file by its bytes; it is text if it is UTF-8 without a null."""
    kind, lines = BINARY, 0
    text = text_of(data)
    if text is not None:
        kind, lines = TEXT, text.count("\n") + (bool(text) and not text.endswith("\n"))
    return Content(kind, len(data), sha256(data).hexdigest(), lines)


def read_touches(snapshot: "Snapshot", pending: Iterable[str] = ()) -> dict[str, str]:
    """Return the place among sessions of each shelf file's last touch, by its name in the ledger.

    `pending` are journal lines that no commit holds yet. An overview keeps what each journal file says.
    """

    def note(path: str) -> dict[str, str]:
        return parse_touches((snapshot.text(path) or "").splitlines())

    journal = [path for path in snapshot.list("journal") if path.endswith(".jsonl")]
    notes = snapshot.note(_TOUCHES, journal, note)
    found: dict[str, str] = {}
    for kept in (*(notes[path] for path in journal), parse_touches(pending)):
        for name, session in kept.items():
            found[name] = max(found.get(name, ""), session, key=session_key)
    return found


def parse_touches(lines: Iterable[str]) -> dict[str, str]:
    """Return the place among sessions of each file's last touch in these journal lines, by ledger name."""
    found: dict[str, str] = {}
    for line in lines:
        if f"{SHELF}/" not in line:
            continue
        entry: Entry | None = parse_entry(line)
        if entry is None or entry.do not in TOUCHED:
            continue
        for name in entry.on.split():
            if name.startswith(f"{SHELF}/"):
                found[name] = max(found.get(name, ""), place_of_use(entry), key=session_key)
    return found


def place_of_use(entry: "Entry") -> str:
    """Return the place of a use among the sessions: its session, or for one by hand the start of its day.

    The later of the two, so that old chats that are imported afterwards do not come after it.
    """
    if entry.do == "reference":
        return entry.session
    return max(entry.session, f"{entry.at[:10]}-0", key=session_key)


def session_key(session: str) -> tuple[str, int]:
    """Return a sort key for a session's name that may be none."""
    number = session[11:]
    return session[:10], int(number) if number.isascii() and number.isdigit() else 0


def touch_of(touches: Mapping[str, str], path: str) -> str | None:
    """Return the place among sessions of a file's last touch; None if it never was touched."""
    return touches.get(ledger_name(path))


def find_named(snapshot: Snapshot, said: Iterable[str]) -> Sequence[str]:
    """Return the paths of files named in what was said, by name or by the end of their path."""
    text = "\n".join(said).casefold()
    words = {word.rpartition("/")[2].strip(_AROUND) for word in text.split() if "." in word}
    words = {word for word in words if "." in word}
    if not words:
        return ()
    names = {path: path.rpartition("/")[2].casefold() for path in list_shelf(snapshot)}
    telling = {path: name for path, name in names.items() if len(name) >= TELLING and "." in name.strip(".")}
    return [path for path, name in telling.items() if (name in text if " " in name else name in words)]
