"""Transcript formats: one module each, a row in the registry, and one way in."""

from reel_cli.core.tape.formats.open_source import Intake, Taken, open_intake
from reel_cli.core.tape.formats.registry import FORMATS, READERS, read_source
from reel_cli.core.tape.formats.source import Reader, Source

__all__ = ["FORMATS", "READERS", "Intake", "Reader", "Source", "Taken", "open_intake", "read_source"]
