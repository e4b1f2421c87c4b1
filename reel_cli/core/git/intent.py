"""The plan of a transaction, written to disk before it starts."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path, PurePosixPath

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import kit_names
from reel_cli.core.files.private import read_plain, write_private
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import is_commit_id

VERSION = 1
NAME = "intent"
SHORT_NAME = re.compile(r"(?:git|reel)~[0-9]+")
"""Other names that Windows takes for `.git` or `.reel`."""
OWN_NAMES = {name.casefold(): name for name in kit_names() if name not in (".git", ".reel")}
"""Files and folders at the top of every kit, by how a disk reads them that takes no notice of case."""
FILE_MODES = ("100644", "100755")


@frozen
class StagedEntry:
    """One entry of an index: a git mode and a blob's id."""

    mode: str
    blob: str


@frozen
class Target:
    """One path a transaction changes: blob ids before and after, None where there is no file.

    `old` is what the disk held, `staged` what the person's index held; `mode` is the git mode
    of the new index entry. `file` names the new bytes in the transaction's folder.
    """

    path: str
    old: str | None
    new: str | None
    mode: str
    staged: StagedEntry | None
    file: str | None

    @property
    def entry(self) -> StagedEntry | None:
        """Return the index entry the path shall have."""
        return StagedEntry(self.mode, self.new) if self.new else None


@frozen
class Intent:
    """A commit that is made but may not be in its branch yet, and what is still to do then.

    `index_was` is the SHA-256 of the person's index for which `index.next` was prepared.
    """

    branch: str
    base: str | None
    new: str
    targets: tuple[Target, ...]
    index_was: str | None


def transaction_folder(kit: Path) -> Path:
    """Return the folder of the transaction; it exists only while something is unfinished."""
    return kit / ".reel" / "state" / "txn"


def check_path(path: str) -> None:
    """Refuse what is no plain file name inside a kit; ReelError."""
    pure = PurePosixPath(path)
    # compared as on a disk that ignores case, and as Windows ignores dots and spaces at the end
    parts = [part.casefold().rstrip(". ") or part for part in pure.parts]
    own = OWN_NAMES.get(parts[0], pure.parts[0]) if parts else ""
    plain = (
        bool(parts)
        and path == str(pure)
        and not pure.is_absolute()
        and path.isprintable()
        and "\\" not in path
        and ":" not in parts[0][1:2]
        and not {"", ".", "..", ".git", ".reel"} & set(parts)
        and not any(map(SHORT_NAME.fullmatch, parts))
        and own == pure.parts[0]
    )
    if not plain:
        message = f"{path!r} is not the name of a file inside a kit."
        raise ReelError(message)


def save_intent(folder: Path, intent: Intent) -> None:
    """Write the intent whole or not at all, and for good; OSError if it fails."""
    value = {"version": VERSION, **asdict(intent)}
    write_private(folder / NAME, json.dumps(value, indent=1).encode("ascii"))


def load_intent(folder: Path) -> Intent | None:
    """Read the intent back; None where there is none, or where it is not one that reel wrote."""
    try:
        value = json.loads(read_plain(folder / NAME))
    except (OSError, ValueError, RecursionError):
        return None
    try:
        return _parse_intent(value) if value["version"] == VERSION else None
    except (KeyError, TypeError, ValueError, ReelError):
        return None


def _parse_intent(value: Mapping[str, object]) -> Intent:
    targets = value["targets"]
    if not isinstance(targets, list):
        raise TypeError
    intent = Intent(
        branch=_text(value["branch"]),
        base=_id(value["base"]),
        new=_id(value["new"]) or "",
        targets=tuple(_parse_target(target) for target in targets),
        index_was=_id(value["index_was"]),
    )
    parts = intent.branch.split("/")
    if not intent.new or parts[0] != "refs" or {"", ".", ".."} & set(parts):
        raise ValueError
    return intent


def _parse_target(value: Mapping[str, object]) -> Target:
    staged = value["staged"]
    target = Target(
        path=_text(value["path"]),
        old=_id(value["old"]),
        new=_id(value["new"]),
        mode=_mode(value["mode"]),
        staged=StagedEntry(_text(staged["mode"]), _id(staged["blob"]) or "")
        if isinstance(staged, dict)
        else None,
        file=None if value["file"] is None else _text(value["file"]),
    )
    check_path(target.path)
    if target.file is not None and not target.file.isdigit():
        raise ValueError
    return target


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _id(value: object) -> str | None:
    if value is not None and not is_commit_id(_text(value)):
        raise ValueError
    return _text(value) if value is not None else None


def _mode(value: object) -> str:
    mode = _text(value)
    if mode not in FILE_MODES:
        raise ValueError
    return mode
