"""Plain text with speaker lines: `User: hi`, `[21:14] Ada: …`, `You said:`."""

from reel_cli.core.tape.formats.pasted.pasted_chat import read_pasted
from reel_cli.core.tape.formats.source import Reader, Source


def _sniff(source: Source) -> int:
    return 25 if source.suffix in {".txt", ".text", ".log"} else 10


READER = Reader("text", _sniff, read_pasted)
