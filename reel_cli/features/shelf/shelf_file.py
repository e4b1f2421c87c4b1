"""The shelf: files the persona is working with, and what is noted of each on its page, its sidecar."""

from collections.abc import Mapping

from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.row import SHELF, SIDECAR, text_of

__all__ = [
    "BINARY",
    "NEEDS_SUMMARY",
    "SHELF",
    "SIDECAR",
    "TEXT",
    "UNREADABLE",
    "Content",
    "Shelf",
    "ShelfFile",
    "WatchedFile",
    "file_of",
    "is_sidecar",
    "ledger_name",
    "sidecar_of",
    "text_of",
    "title_of",
]

TEXT, BINARY, UNREADABLE = "text", "binary", "unreadable"
NEEDS_SUMMARY = "(needs summary)"
"""Text in a sidecar as long as the file has no summary."""


@frozen
class WatchedFile:
    """A file that stays where it is: its path as it was given, and what it was like when last looked at.

    A relative `path` begins at the kit's folder. `size` is in bytes, `mtime` ISO 8601 in UTC.
    """

    path: str
    size: int
    sha256: str
    mtime: str


@frozen
class ShelfFile:
    """One file on the shelf, as its sidecar tells of it.

    `path` is its name in the kit, `shelf/notes/plan.md`, also of one that is watched in place and is not
    there. `held`: whether the kit has the file's bytes; `noted`: whether it has its sidecar. `working` is no
    where the file was set aside: it stays, and is not packed. `trouble` says what keeps file or sidecar
    from being read; such a file counts as pinned, as nobody knows whether it is.
    """

    path: str
    title: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    pin: bool = False
    working: bool = True
    summarized_in: str = ""
    summary_date: str = ""
    summary_sha256: str = ""
    """SHA-256 of the bytes that the summary was made of; "" if it was not recorded."""
    also_summarized_in: tuple[str, ...] = ()
    """Other summaries, such as one of what changed."""
    created_by: str = ""
    created_at: str = ""
    source: str = ""
    collected: str = ""
    """Time it was let go (ISO 8601), and the advised action; "" for a file at hand."""
    collected_as: str = ""
    watched: WatchedFile | None = None
    held: bool = True
    noted: bool = True
    trouble: str = ""

    @property
    def sidecar(self) -> str:
        """Return the kit path of its sidecar."""
        return sidecar_of(self.path)

    @property
    def in_history(self) -> bool:
        """Return whether its bytes are only in history, since a summary stands for them."""
        return bool(self.collected_as) and not self.held and self.watched is None

    @property
    def kept(self) -> bool:
        """Return whether only a person may take it off the shelf."""
        return self.pin or bool(self.trouble)

    @property
    def name(self) -> str:
        """Return its path on the shelf, without the folder's own name."""
        return self.path.removeprefix(f"{SHELF}/")


@frozen
class Content:
    """The kind of a file by its bytes: `size` in bytes, `lines` of text."""

    kind: str
    size: int
    sha256: str
    lines: int = 0


Shelf = Mapping[str, ShelfFile]
"""The files by path, in order of path."""


def is_sidecar(path: str) -> bool:
    """Return whether a kit path on the shelf is a sidecar's."""
    return path.endswith(SIDECAR) and path.startswith(f"{SHELF}/") and not path.endswith(f"/{SIDECAR}")


def sidecar_of(path: str) -> str:
    """Return the kit path of a shelf file's sidecar."""
    return f"{path}{SIDECAR}"


def file_of(sidecar: str) -> str:
    """Return the kit path of the file that a sidecar is about."""
    return sidecar.removesuffix(SIDECAR)


def title_of(path: str) -> str:
    """Return a title from a file's name: without folders, extension and underscores; on one line."""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return one_line(stem.replace("_", " ").replace("-", " "), 80) or one_line(name, 80) or "untitled"


def ledger_name(path: str) -> str:
    """Return a shelf path as the ledger names it: without spaces, which separate names there."""
    if path.isprintable() and "%" not in path and " " not in path and path.isascii():
        return path
    return "".join(_escaped(c) if c == "%" or c.isspace() or not c.isprintable() else c for c in path)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
