"""A change is a value: what to write, and how to tell of it in history."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Change:
    """What one operation would do to a kit; nothing happens until it is applied.

    `writes` maps a kit-relative POSIX path to its new bytes, or to None to delete it.
    The commit's subject is `<op>: <summary>`; `trailers` are (key, value) pairs, in order.
    """

    op: str
    summary: str
    writes: Mapping[str, bytes | None]
    trailers: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    reads: Mapping[str, bytes | None] = field(default_factory=dict)
    """Bytes other than the targets' own that must still be as the operation read them."""
    tip: str | None = None
    """The commit that must be checked out still; None where a later one is no matter."""

    @property
    def subject(self) -> str:
        """The commit's first line: one line, no control characters."""
        return f"{self.op}: {one_line(self.summary)}"

    def also(self, writes: Mapping[str, bytes | None], *trailers: tuple[str, str]) -> "Change":
        """Return the change with further writes and trailers."""
        return replace(self, writes={**self.writes, **writes}, trailers=(*self.trailers, *trailers))


@dataclass(frozen=True, slots=True)
class Applied:
    """What a transaction did: the new commit, and paths where a person's bytes were kept instead."""

    commit: str
    by_hand: str | None = None
    """The parent commit that holds the person's own edits of the same files, if there were any."""
    kept: tuple[str, ...] = ()
    waits: bool = False
    """Whether another git holds the index, so that the next command brings it up to the commit."""


def one_line(text: str, limit: int = 0) -> str:
    """Fold `text` to one line without control characters; cut to `limit` characters if given."""
    plain = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    folded = " ".join(plain.split())
    if limit and len(folded) > limit:
        return folded[: limit - 1].rstrip() + "…"
    return folded
