"""A comparison's folder: outside the kit, its owner's alone, there whole or not at all."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import OWNER_FILE, OWNER_FOLDER, sync_folder, write_new, write_private

_LARGEST = 16 << 20
_OWN_FILES = frozenset({".xlsx", ".xls", ".ods", ".numbers"})


def check_place(kit: Path, folder: Path) -> None:
    """Refuse a place inside the kit, or one where something lies; ReelError then."""
    if folder.resolve().is_relative_to(kit.resolve()):
        message = f"{folder} lies inside the kit, and a comparison is no part of it."
        raise ReelError(message, hint="name a new folder elsewhere, with  --out FOLDER")
    if os.path.lexists(folder):
        message = f"{folder} is there already."
        raise ReelError(message, hint="name a new folder, with  --out FOLDER")
    if not folder.parent.is_dir():
        message = f"There is no folder {folder.parent}."
        raise ReelError(message, hint=f"make it:  mkdir -p {folder.parent}")


def write_folder(kit: Path, folder: Path, files: Mapping[str, str]) -> None:
    """Make the folder with these files in it, which only their owner can read.

    Raises what `check_place` does, and ReelError where it cannot be written; then nothing of it stays.
    """
    check_place(kit, folder)
    fresh = folder.with_name(f".{folder.name[:80]}.{os.getpid()}-{os.urandom(4).hex()}.new")
    try:
        fresh.mkdir(mode=OWNER_FOLDER)
        for name, text in files.items():
            write_new(fresh / name, text.encode("utf-8", "replace"), OWNER_FILE)
        sync_folder(fresh)
        if os.path.lexists(folder):
            message = f"{folder} is there already."
            raise ReelError(message, hint="name a new folder, with  --out FOLDER")
        fresh.rename(folder)
    except OSError as error:
        raise _problem(folder, error) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def read_text(folder: Path, name: str) -> str | None:
    """Return a file of the folder as text; None where there is none. ReelError where it cannot be read."""
    path = folder / name
    data = _read(path)
    if data is None:
        return None
    try:
        return _as_text(data)
    except UnicodeDecodeError:
        message = f"{path} is not a text in UTF-8."
        raise ReelError(message, hint="save it as plain text") from None


def read_sheet(path: Path) -> str:
    """Return a filled sheet as text, in whichever encoding a spreadsheet saved it.

    Raises ReelError where there is none, or it is no text at all.
    """
    if path.suffix.lower() in _OWN_FILES:
        message = f"{path} is the spreadsheet's own kind of file."
        raise ReelError(message, hint="save it as CSV, and give that")
    data = _read(path)
    if data is None:
        message = f"There is no file {path}."
        raise ReelError(message, hint="give the sheet.csv with the marks")
    try:
        return _as_text(data)
    except UnicodeDecodeError:
        # Excel saves "CSV" in cp1252
        return _as_text(data.decode("cp1252", "replace").encode())


def _read(path: Path) -> bytes | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise ReelError(message) from None
    if len(data) > _LARGEST:
        message = f"{path} is larger than {_LARGEST >> 20} MB."
        raise ReelError(message)
    return data


def _as_text(data: bytes) -> str:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if marked else "utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def put_page(folder: Path, name: str, text: str) -> None:
    """Write a page into the folder, in place of an older one; ReelError where that cannot be."""
    try:
        write_private(folder / name, text.encode("utf-8", "replace"))
    except OSError as error:
        raise _problem(folder, error) from None


def _problem(folder: Path, error: OSError) -> ReelError:
    message = f"{folder} cannot be written: {error.strerror or error}."
    return ReelError(message, hint="name a folder where you can write, with  --out FOLDER")
