"""A change is a value: what to write, and how to tell of it in history."""

import re
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
        """The commit's first line, without `said` words: one line, no control characters."""
        return f"{self.op}: {one_line(_SAID.sub('', self.summary))}"

    @property
    def told(self) -> str:
        """The summary as a person reads it, with all its words."""
        return one_line(self.summary.translate(_MARKS))

    def also(self, writes: Mapping[str, bytes | None], *trailers: tuple[str, str]) -> "Change":
        """Return the change with further writes and trailers."""
        return replace(self, writes={**self.writes, **writes}, trailers=(*self.trailers, *trailers))


_SAID = re.compile("\x02[^\x03]*\x03")
_MARKS = {2: None, 3: None}


def said(words: str) -> str:
    """Words for a summary that go onto the screen, but into no commit's subject.

    Titles and corrections are made of what was said, and what stands in history is hard to take out again.
    """
    return f"\x02{one_line(words)}\x03" if words.strip() else ""


def titled(title: str, name: str) -> str:
    """A thing's title and ID for a summary, of which the commit's subject has the ID alone."""
    return f"\x02{one_line(title)} (\x03{name}\x02)\x03" if title.strip() else name


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
