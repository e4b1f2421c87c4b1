"""Places on the tape: sessions by their names, ranges of messages, and the new names that a merge gave."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field

from reel_cli.core.frozen import frozen, late

SESSION_ID = late(r"\d{4}-\d{2}-\d{2}-[1-9]\d*")


def session_path(session: str) -> str:
    """Return the kit path of a session's file: `tape/2026/2026-02-10-1.md`."""
    return f"tape/{session[:4]}/{session}.md"


_PATH = late(rf"tape/\d{{4}}/({SESSION_ID.pattern})\.md")


def session_of(path: str) -> str | None:
    """Return the session that a kit path is the file of; None where it is none's."""
    found = _PATH.fullmatch(path)
    return found[1] if found and session_path(found[1]) == path else None


def session_order(session: str) -> tuple[str, int]:
    """Return a sort key that puts sessions in the order they were had."""
    return session[:10], int(session[11:])


@frozen
class SourceRange:
    """A stretch of the tape: `2026-02-10-1#12-48`, message numbers inclusive."""

    session: str
    first: int
    last: int

    def __lt__(self, other: "SourceRange") -> bool:
        """Return whether it comes before another: by session, first and last message."""
        return (self.session, self.first, self.last) < (other.session, other.first, other.last)

    def __str__(self) -> str:
        """Return the range as kits write it; a whole session is its ID alone."""
        return f"{self.session}#{self.first}-{self.last}" if self.last else self.session

    def meets(self, struck: Mapping[str, Collection[int]]) -> bool:
        """Return whether one of these messages is in it: their numbers, by session."""
        return any(self.first <= n <= (self.last or n) for n in struck.get(self.session, ()))


_RANGE = late(rf"({SESSION_ID.pattern})(?:#([1-9]\d*)(?:-([1-9]\d*))?)?")


def parse_source(text: str) -> SourceRange | None:
    """Read `2026-02-10-1#12-48`, `…#12`, or a whole session (`last` is then 0); None if it is none."""
    found = _RANGE.fullmatch(text.strip())
    if not found:
        return None
    first = int(found[2] or 1)
    last = int(found[3] or found[2] or 0)
    return SourceRange(found[1], first, last) if last == 0 or last >= first else None


Ranges = tuple[tuple[int, int], ...]
"""Message numbers of one session as (first, last) pairs, rising and apart."""


def to_ranges(numbers: Iterable[int]) -> Ranges:
    """Return the ranges that hold these numbers and no other."""
    made: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if made and made[-1][1] == number - 1:
            made[-1] = (made[-1][0], number)
        else:
            made.append((number, number))
    return tuple(made)


def union(one: Ranges, other: Ranges) -> Ranges:
    """Return the numbers that are in either."""
    made: list[tuple[int, int]] = []
    for first, last in sorted((*one, *other)):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(last, made[-1][1]))
        else:
            made.append((first, last))
    return tuple(made)


def holds(ranges: Ranges, number: int) -> bool:
    """Return whether a number is in one of the ranges."""
    return any(first <= number <= last for first, last in ranges)


def covers(ranges: Ranges, wanted: Ranges) -> bool:
    """Return whether the ranges contain all that is wanted."""
    return all(any(a <= first and last <= b for a, b in ranges) for first, last in wanted)


RENUMBERED = "Reel-Renumbered"
"""The trailer of a commit that tells of one: `2026-02-10-1 to 2026-02-10-2`, `M-014 to M-016`."""

JOINED = "Reel-Joined"
"""The trailer that says whose names those were: the last commit of that side, and of the other."""

_NAME = late(rf"(?<![\w-])(?:{SESSION_ID.pattern}(?!\d)|M-\d{{3,9}}(?![\w-]))")
_VALUE = late(rf"({SESSION_ID.pattern}|M-\d{{3,9}}) to ({SESSION_ID.pattern}|M-\d{{3,9}})")


@frozen
class NewNames:
    """The new names of one side's sessions and memories after a merge, by their old names.

    A session whose twin on the other side says the same too is in it under one name twice.
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether any name changes."""
        return any(old != new for old, new in self.names.items())

    def name(self, name: str) -> str:
        """Return the new name of a session or a memory."""
        return self.names.get(name, name)

    def text(self, text: str) -> str:
        """Return a text with every old name replaced by its new one; all at once, so that names may swap."""
        return _NAME.sub(lambda found: self.names.get(found[0], found[0]), text)

    def trailers(self) -> tuple[tuple[str, str], ...]:
        """Return the renumbering as trailers of a commit."""
        return tuple((RENUMBERED, f"{old} to {new}") for old, new in self.names.items())


def parse_renumbered(value: str) -> tuple[str, str] | None:
    """Read what a commit tells: the name it was, and the name it is; None where it is not of that form."""
    found = _VALUE.fullmatch(value.strip())
    return (found[1], found[2]) if found and (found[1][0] == "M") == (found[2][0] == "M") else None
