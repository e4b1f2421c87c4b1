"""A change is a value: what to write, and how to tell of it in history."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from reel_cli.core.frozen import frozen, late

CHAT_RECORDED = "the chat is recorded"
IN_WORDS = {
    "init": "made",
    "record": "recorded",
    "checkpoint": "remembered",
    "consolidate": "remembered",
    "promote": "remembered",
    "dream": "dreamt",
    "exemplar": "example",
    "tape": "noted",
    "review": "decided",
    "memory": "changed",
    "forget": "forgot",
    "restore": "restored",
    "maintain": "faded",
    "purge": "purged",
    "undo": "undone",
    "redo": "redone",
    "merge": "joined",
    "doctor": "fixed",
}
"""Words for an operation on screen; any other is called by its own name."""


@frozen
class Change:
    """The effect of one operation on a kit; nothing happens until it is applied.

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
    as_found: tuple[str, ...] = ()
    """Targets written as they lie on the disk: a person's edits of these are committed before it."""

    @property
    def subject(self) -> str:
        """Return the commit's first line, without on-screen words and control characters."""
        words = _FOR_SCREEN.sub(r"\2", self.summary)
        return f"{self.op}: {one_line(words)}"

    @property
    def told(self) -> str:
        """Return the summary as a person reads it, with all its words."""
        return one_line(_FOR_SCREEN.sub(r"\1", self.summary))

    @property
    def line(self) -> str:
        """Return the operation and what it does, as a person reads it."""
        return f"{self.op}: {self.told}"

    @property
    def done(self) -> str:
        """Return what is done by it, as a person who stops the program reads it."""
        if self.op == "record":
            return CHAT_RECORDED
        return f"{IN_WORDS.get(self.op, self.op)} {_NUMBERED.sub('', self.told)}"

    def also(self, writes: Mapping[str, bytes | None], *trailers: tuple[str, str]) -> "Change":
        """Return the change with further writes and trailers."""
        return replace(self, writes={**self.writes, **writes}, trailers=(*self.trailers, *trailers))


_FOR_SCREEN = late("\x02([^\x02\x03\x1f]*)\x1f([^\x02\x03\x1f]*)\x03")
"""Words for the screen and those for the subject; `one_line` takes such marks out of any text."""
_NUMBERED = late(r" \(\d{4}-\d\d-\d\d-\d+\)")
"""A session's name behind its title."""
_SPACES = late(r"[^\S ]|[\x00-\x1f]")


def for_screen(words: str, subject: str = "") -> str:
    """Return summary text that is `words` on screen and `subject` in the commit's subject.

    Titles and corrections are made of what was said, and that is hard to take out of history again.
    """
    return f"\x02{_SPACES.sub(' ', words)}\x1f{_SPACES.sub(' ', subject)}\x03"


def titled(title: str, name: str) -> str:
    """Return a thing's title and ID for a summary; the commit's subject has only the ID."""
    return for_screen(f"{one_line(title)} ({name})", name) if title.strip() else name


@frozen
class AppliedChange:
    """The result of a transaction: the new commit, and paths where a person's bytes were kept instead."""

    commit: str
    by_hand: str | None = None
    """The parent commit that holds the person's own edits of the same files, if there were any."""
    edited: tuple[str, ...] = ()
    """The files of those edits."""
    kept: tuple[str, ...] = ()
    waits: bool = False
    """True if another git holds the index, so that the next command updates it to the commit."""


_FILE_NAME = late(r"[^\s/]+/|\.?[\w-]+\.(?:md|ya?ml|jsonl?|csv|db|txt)\b|\.git")


def begins_with_file(text: str) -> bool:
    """Return whether a sentence begins with the name of a file or folder."""
    return _FILE_NAME.match(text) is not None


def capital(text: str) -> str:
    """Return a sentence with its first letter large, unless it begins with the name of a file or folder."""
    return text if begins_with_file(text) else f"{text[:1].upper()}{text[1:]}"


def unbroken(text: str) -> str:
    """Return a name or title without line breaks, which would make a line of its own of a part of it."""
    lines = text.splitlines()
    return text if lines == [text] else " ".join(lines)


def in_short(text: str, limit: int) -> str:
    """Return `text` on one line, cut to `limit` characters behind a whole word where it has any so early."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    end = line.rfind(" ", 0, limit)
    return f"{line[: end if end > limit // 2 else limit - 1].rstrip(' ,;:—–-')}…"


def tell_many(number: int, one: str) -> str:
    """Return a number of things in words: `1 session`, `1,204 sessions`, `2 memories`, `3 days`."""
    if number == 1:
        return f"1 {one}"
    ies = one.endswith("y") and one[-2:-1] not in "aeou"
    return f"{number:,} {one[:-1]}ies" if ies else f"{number:,} {one}s"


def name_some(names: Sequence[str], most: int) -> str:
    """Return the first `most` names in one line, and how many more there are: `Ada, Bo and 3 more`."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def one_line(text: str, limit: int = 0) -> str:
    """Fold `text` to one line without control characters; cut to `limit` characters if given."""
    plain = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    folded = " ".join(plain.split())
    if limit and len(folded) > limit:
        return folded[: limit - 1].rstrip() + "…"
    return folded
