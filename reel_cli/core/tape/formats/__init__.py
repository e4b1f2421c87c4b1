"""Transcript formats: a reader each, a row in `format_rows.py`, and one way in."""

from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.core.tape.formats.open_source import FoundConversation, Intake, open_intake
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.formats.source import Reader, Source

__all__ = [
    "FORMATS",
    "FoundConversation",
    "Intake",
    "Reader",
    "Source",
    "open_intake",
    "read_source",
]
