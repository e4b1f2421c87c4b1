"""Text that a person hands to a command: in a file, or as `-` on standard input."""

from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.terminal.standard_input import read_all

LARGEST = 16 * 1024 * 1024
"""Bytes above which a given text is refused rather than read into memory."""


def read_given(source: str) -> str:
    """Return the text of a file, or of standard input if `source` is `-`; line ends become LF.

    Raises ReelError where there is no such file, or it is not a text.
    """
    shown = "What came on standard input" if source == "-" else source
    try:
        data = read_all(LARGEST + 1) if source == "-" else _read_file(Path(source))
    except FileNotFoundError:
        message = f"There is no file {source}."
        raise ReelError(message) from None
    except OSError as error:
        message = f"{source} cannot be read: {error.strerror}."
        raise ReelError(message) from None
    if len(data) > LARGEST:
        message = f"{shown} is larger than {LARGEST >> 20} MB."
        raise ReelError(message)
    # Notepad and PowerShell save UTF-16 with a mark in front
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        message = f"{shown} is not a text in UTF-8."
        raise ReelError(message, hint="save it as plain text, or as Markdown")
    if not text.strip():
        message = f"{shown} is empty."
        raise ReelError(message)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_file(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        message = f"{path} is not a file."
        raise ReelError(message)
    with path.open("rb") as file:
        return file.read(LARGEST + 1)
