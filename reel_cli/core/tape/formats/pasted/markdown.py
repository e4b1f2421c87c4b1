"""Markdown with speaker lines: `**You:** hi`, `**Ada**: …`, `### Assistant`."""

import re

from reel_cli.core.tape.formats.pasted.pasted_chat import read_pasted
from reel_cli.core.tape.formats.source import Reader, Source

_MARKED = re.compile(
    r"(?m)^(?:>[ \t]?)?(?:[-*+•][ \t]+)?"
    r"(?:#{1,6}[ \t]+\S|(?:\[[^\]\n]{3,40}\][ \t]*)?\*{1,2}[^\s*][^*\n]*\*|__\S)"
)


def _sniff(source: Source) -> int:
    if source.suffix in {".md", ".markdown"}:
        return 30
    return 20 if _MARKED.search(source.text) else 0


READER = Reader("markdown", _sniff, read_pasted)
