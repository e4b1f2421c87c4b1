"""The places of a text that an edit changed, each of which can be taken over alone."""

import hashlib
import re
from collections.abc import Collection, Sequence

from reel_cli.core.frozen import frozen

LF = "\n"
MOST_LINES = 20_000
"""Lines of both texts above which an edit is not taken apart."""


@frozen
class Hunk:
    """One place: the lines `old` from `start` on, which became `new`.

    `mark` names it among the places of these two texts, and is no place's of any others.
    """

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    mark: str

    @property
    def shown(self) -> list[str]:
        """Return the lines as a diff has them."""
        removed = [f"-{line.rstrip(LF)}" for line in self.old]
        return [*removed, *(f"+{line.rstrip(LF)}" for line in self.new)]


def find_hunks(before: bytes | None, after: bytes | None) -> Sequence[Hunk]:
    """Return the places in which two texts differ; none where they are no texts, or too long."""
    if before is None or after is None:
        return ()
    try:
        old, new = _lines(before.decode()), _lines(after.decode())
    except UnicodeDecodeError:
        return ()
    if len(old) + len(new) > MOST_LINES:
        return ()
    from difflib import SequenceMatcher

    found: list[Hunk] = []
    texts = b"".join(hashlib.sha256(text).digest() for text in (before, after))
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        mark = hashlib.sha256(texts + f"{start} {first}".encode()).hexdigest()[:16]
        found.append(Hunk(start, tuple(old[start:end]), tuple(new[first:last]), mark))
    return found


def take_hunks(before: bytes, hunks: Sequence[Hunk], marks: Collection[str]) -> bytes:
    """Return the earlier text with only these of its changes."""
    lines = _lines(before.decode())
    for hunk in reversed(hunks):
        if hunk.mark in marks:
            lines[hunk.start : hunk.start + len(hunk.old)] = hunk.new
    return "".join(lines).encode()


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
