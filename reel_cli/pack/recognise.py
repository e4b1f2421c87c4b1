"""Finding a bundle again in a chat message, so that what reel said never counts as something lived."""

import re

from reel_cli.pack import words

_SIGNS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2014": "-"})
_LEAST_ALIKE = 0


def _pattern(line: str) -> re.Pattern[str]:
    """A line of ours with any name in it, and any space, line ends and quote marks between its words."""
    name = r"[^\n]{0,200}?"
    parts = [
        re.escape(word).replace(re.escape("{name}"), name) for word in line.translate(_SIGNS).split(" ")
    ]
    return re.compile(r"(?:\s|>)+".join(parts), re.IGNORECASE)


_FRAMES = (
    (_pattern(words.OPENING), _pattern(words.CLOSING)),
    (_pattern(words.REFRESH_OPENING), _pattern(words.REFRESH_CLOSING)),
)
_TITLE = re.compile(r"(?:^|\n)[ \t>]*(?:#+[ \t]*)?[^\n]{1,200}\n[\s>]*\Z")


def find_bundle(text: str) -> tuple[int, int] | None:
    """Where a bundle stands in a message: (start, end), whatever the kit's name and the bundle's format.

    Line ends, spaces, quotation marks and `>` marks may have been changed on the way. A bundle whose last
    line is missing was cut off, and reaches to the end. None where there is no bundle.
    """
    folded = text.translate(_SIGNS)
    found = [
        (opened, closing)
        for opening, closing in _FRAMES
        if (opened := opening.search(folded)) is not None
    ]
    if not found:
        return None
    opened, closing = min(found, key=lambda pair: pair[0].start())
    closed = closing.search(folded, opened.end())
    return _with_title(text, opened.start()), closed.end() if closed else len(text)


def _with_title(text: str, start: int) -> int:
    """Take in the title above the opening line, if it is the name that the line itself says."""
    name = re.match(r"You(?:\s|>)+are(?:\s|>)+(.*?)\.(?:\s|>)+What", text[start:], re.DOTALL | re.IGNORECASE)
    above = _TITLE.search(text, max(0, start - 400), start)
    if name and above and " ".join(name[1].split()) in " ".join(above[0].split()):
        return above.start() + (above[0].startswith("\n"))
    line = text.rfind("\n", 0, start) + 1
    return line if not text[line:start].strip(" \t>#*_") else start
