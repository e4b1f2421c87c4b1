"""A story file that may be as long as a book: cut into its chapters, each read when it is looked at."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import overload

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.dream.dream import Amendment, Chapter
from reel_cli.features.dream.story.files import add_chapter, amend, parse_chapters
from reel_cli.features.dream.story.source import parse_sourced

_HEAD = re.compile(rb"(?m)^## ")


class Book(Sequence[Chapter]):
    """The chapters of a file, oldest first; the text of each is made anew whenever it is asked for.

    A story of five hundred batches is some megabytes as bytes and four times that as text.
    """

    def __init__(self, data: bytes, path: str) -> None:
        """Split the file into chapters; `path` is for messages, and text above all headings is none."""
        starts = [found.start() for found in _HEAD.finditer(data)]
        self._path = path
        self._parts = [data[a:b] for a, b in zip([0, *starts], [*starts, len(data)], strict=True)]

    def __len__(self) -> int:
        """Return the number of chapters."""
        return len(self._parts) - 1

    @overload
    def __getitem__(self, place: int) -> Chapter: ...
    @overload
    def __getitem__(self, place: slice) -> "Book": ...
    def __getitem__(self, place: int | slice) -> "Chapter | Book":
        """Return a chapter, or some of them; raises ReelError if it is not UTF-8."""
        if isinstance(place, slice):
            some = Book(b"", self._path)
            some._parts += self._parts[1:][place]
            return some
        at = range(1, len(self._parts))[place]
        return parse_chapters(self._text(at))[0]

    def __iter__(self) -> Iterator[Chapter]:
        """Yield each chapter."""
        return (self[place] for place in range(len(self)))

    def without(self, sessions: Collection[str]) -> "Book":
        """Return the book without the chapters that tell of any of these sessions."""
        if not sessions:
            return self
        places = [at for at in range(1, len(self._parts)) if self._sessions(at).isdisjoint(sessions)]
        some = Book(b"", self._path)
        some._parts += [self._parts[at] for at in places]
        return some

    def amended(self, amendments: Sequence[Amendment], when: str) -> tuple["Book", list[Amendment]]:
        """Return the book with each amendment below its chapter, and the amendments whose words it lacks."""
        made, lost = Book(b"", self._path), []
        made._parts = list(self._parts)
        for one in amendments:
            for at in range(len(made._parts)):
                text, nowhere = amend(made._text(at), [one], when)
                if not nowhere:
                    more = "\n" if at + 1 < len(made._parts) else ""
                    made._parts[at] = f"{text}{more}".encode()
                    break
            else:
                lost.append(one)
        return made, lost

    def with_chapter(self, chapter: Chapter, about: dict[str, object]) -> "Book":
        """Return the book with one more chapter at its end; `about` is kept with it as a comment."""
        *parts, last = self._parts
        text = add_chapter(self._text(len(parts)), self._path, chapter, about)
        if not last.strip() and parts:
            text = text[text.index("## ") :]
        made = Book(text.encode(), self._path)
        made._parts = [*parts, *(part for part in made._parts if part or not parts)]
        return made

    def to_bytes(self) -> bytes:
        """Return the file."""
        return b"".join(self._parts)

    def _sessions(self, at: int) -> set[str]:
        return {session for one in parse_sourced(self._text(at)) for session in one.sessions}

    def _text(self, at: int) -> str:
        try:
            return self._parts[at].decode("utf-8")
        except UnicodeDecodeError as error:
            before = b"".join(self._parts[:at]) + self._parts[at][: error.start]
            line = before.count(b"\n") + 1
            message = f"{self._path}, line {line}: this is not UTF-8 text."
            raise ReelError(message, hint="save the file as UTF-8") from None


def open_book(snapshot: Snapshot, path: str) -> Book:
    """Return a story file of the kit as a book; one without chapters if there is no file."""
    return Book(snapshot.read(path) or b"", path)
