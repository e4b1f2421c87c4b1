"""The chat that a page is about, found by its quoted lines and its names in what was said in each."""

from collections.abc import Iterable, Sequence

from reel_cli.core.evidence.phrases import Tape, fold, quotations
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.quote_marks import unquote
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.settings import WHOLE

LATEST = 20
"""Number of chats, back from the newest, that a page is held against."""
LEAST_LINES = 2
"""Number of quoted lines from which they alone can tell that."""
LEAST = 4
"""Number of quoted lines and names from which a page can be told to be about another chat."""
_ALIKE = WHOLE * 7 // 10
"""Likeness from which a quoted line was said, not quite so."""
_LEAST_WORDS = 8
"""Number of longer words from which a page without a line of this chat can be told to be about another."""
_LONGER = 4
"""Letters from which a word tells what a page is about."""
_STEM = 5
"""Letters by which two words are taken for one."""
_NAME = late(r"(?<=[a-z,] )[A-Z][^\W\d_]{2,}")
"""A word with a capital letter in the middle of a sentence."""
_WORD = late(r"[^\W\d_]+")


@frozen
class PageHome:
    """A page that is not about the chat it was given for; `session` is the one it is about, "" for none.

    `unsaid` is the number of its lines to find it by where they are the reason: none was said in that chat.
    """

    session: str = ""
    unsaid: int = 0


@frozen
class _Signs:
    """The lines that a page quotes, and the names in its words, folded."""

    lines: Sequence[str]
    names: frozenset[str]

    @property
    def count(self) -> int:
        """Return how many there are."""
        return len(self.lines) + len(self.names)


def find_page_home(snapshot: Snapshot, session: str, quoted: Iterable[str], words: str) -> PageHome | None:
    """Return where a page belongs that is not about `session`; None where it may be about that one.

    `quoted` are its lines to find it by, `words` all that it tells. It is about another chat where none of
    its lines, and of its lines and names together hardly any, was said here, and most of them there; about
    none that is known where hardly any was said in any of the latest chats, or no line here, and few of its
    words. Lines that were said here not quite so count as said, but where most were said there to the letter.
    """
    people = {word for name in (snapshot.settings.name, *snapshot.settings.people) for word in _folded(name)}
    lines = [one for line in quoted for one in (quotations(line) or [unquote(line)]) if " " in one.strip()]
    names = {word for found in _NAME.findall(words) for word in _folded(found)} - people
    signs = _Signs(lines, frozenset(names))
    if len(lines) < LEAST_LINES and signs.count < LEAST:
        return None
    said, found, here = _count(snapshot, session, signs)
    if said:
        return None
    for other in [one for one in reversed(standing_sessions(snapshot)) if one != session][:LATEST]:
        said, alike, there = _count(snapshot, other, signs)
        # where lines here look like the page's, those there have to be the very lines
        of_lines = len(lines) >= LEAST_LINES and (said if found else alike) * 2 > len(lines)
        of_names = signs.count >= LEAST and here * 3 <= signs.count and there * 3 >= signs.count * 2
        if of_lines or (of_names and not found):
            return PageHome(other)
    if found:
        return None
    # a page may tell of much that was said long ago
    if lines and signs.count >= LEAST and here * 10 <= signs.count:
        return PageHome()
    if len(lines) >= LEAST_LINES and _is_of_other_words(snapshot, session, words, people):
        return PageHome(unsaid=len(lines))
    return None


def _is_of_other_words(snapshot: Snapshot, session: str, words: str, people: set[str]) -> bool:
    """Return whether of a page's longer words fewer than a third were said in a session, in any form."""
    told = {word[:_STEM] for word in _folded(words) if len(word) >= _LONGER and word not in people}
    entries = read_session(snapshot, session).shown()
    said = {word[:_STEM] for entry in entries for word in _folded(entry.message.text)}
    return len(told) >= _LEAST_WORDS and len(told & said) * 3 < len(told)


def _count(snapshot: Snapshot, session: str, signs: _Signs) -> tuple[int, int, int]:
    """Return how many of the lines were said in a session, how many at least nearly, and with the names."""
    entries = read_session(snapshot, session).shown()
    tape = Tape(entries)
    exact = [line for line in signs.lines if tape.find(line) is not None]
    alike = len(exact) + sum(_was_nearly_said(tape, line) for line in signs.lines if line not in exact)
    words = {word for entry in entries for word in _folded(entry.message.text)}
    return len(exact), alike, alike + len(signs.names & words)


def _was_nearly_said(tape: Tape, line: str) -> bool:
    nearest = tape.nearest(line)
    return nearest is not None and nearest.likeness >= _ALIKE


def _folded(text: str) -> list[str]:
    return _WORD.findall(fold(text))
