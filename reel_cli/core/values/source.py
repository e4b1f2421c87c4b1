"""Sessions by their names, and stretches of the tape: where something was said."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

SESSION_ID = re.compile(r"\d{4}-\d{2}-\d{2}-[1-9]\d*")


def session_path(session: str) -> str:
    """Return the kit path of a session's file: `tape/2026/2026-02-10-1.md`."""
    return f"tape/{session[:4]}/{session}.md"


_PATH = re.compile(rf"tape/\d{{4}}/({SESSION_ID.pattern})\.md")


def session_of(path: str) -> str | None:
    """Return the session that a kit path is the file of; None where it is none's."""
    found = _PATH.fullmatch(path)
    return found[1] if found and session_path(found[1]) == path else None


def session_order(session: str) -> tuple[str, int]:
    """Return a sort key that puts sessions in the order they were had."""
    return session[:10], int(session[11:])


@dataclass(frozen=True, slots=True, order=True)
class SourceRange:
    """A stretch of the tape: `2026-02-10-1#12-48`, message numbers inclusive."""

    session: str
    first: int
    last: int

    def __str__(self) -> str:
        """Return the range as kits write it; a whole session is its ID alone."""
        return f"{self.session}#{self.first}-{self.last}" if self.last else self.session

    def meets(self, struck: Mapping[str, Collection[int]]) -> bool:
        """Return whether one of these messages is in it: their numbers, by session."""
        return any(self.first <= n <= (self.last or n) for n in struck.get(self.session, ()))


_RANGE = re.compile(rf"({SESSION_ID.pattern})(?:#([1-9]\d*)(?:-([1-9]\d*))?)?")


def parse_source(text: str) -> SourceRange | None:
    """Read `2026-02-10-1#12-48`, `…#12`, or a whole session (`last` is then 0); None if it is none."""
    found = _RANGE.fullmatch(text.strip())
    if not found:
        return None
    first = int(found[2] or 1)
    last = int(found[3] or found[2] or 0)
    return SourceRange(found[1], first, last) if last == 0 or last >= first else None
