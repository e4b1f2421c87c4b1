"""A file of rows as somebody saved it: its text, whatever a spreadsheet wrote it in."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.terminal.input.given_text import read_given

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console

_ZIP = b"PK\x03\x04"
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"


def read_rows_given(console: "Console", source: str) -> str:
    """Return the text of a CSV or JSON file, or of standard input (`-`).

    What is not Unicode is read as Windows-1252, which Excel saves, and that is said. Raises ReelError where
    there is no such file, or where it is a workbook.
    """
    head = b""
    if source != "-":
        try:
            with Path(source).open("rb") as file:
                head = file.read(8)
        except OSError:
            head = b""
    if head.startswith((_ZIP, _OLD_WORKBOOK)):
        message = f"{source} is a workbook, not a CSV file."
        raise ReelError(message, hint="save the sheet in your spreadsheet as  CSV (UTF-8) , then import that")
    try:
        return read_given(source)
    except ReelError as error:
        text = _as_windows(source) if source != "-" and "UTF-8" in error.message else None
        if text is None:
            raise
        console.say(
            f"{source} is not saved as UTF-8; it was read as Windows-1252. Check that ä and é are right."
        )
        return text


def _as_windows(source: str) -> str | None:
    data = Path(source).read_bytes()
    if b"\0" in data or source.casefold().endswith((".json", ".jsonl")):
        return None
    return data.decode("cp1252", "replace").replace("\r\n", "\n").replace("\r", "\n")
