"""Chapters that tell of a chat that was taken back: they rest until its neighbours are dreamt of again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.source import Ranges, holds, to_ranges
from reel_cli.features.dream.dream import Chapter, Cursor
from reel_cli.features.dream.shortening import AMENDED
from reel_cli.features.dream.story.choice import parts_of
from reel_cli.features.dream.story.files import HISTORY, parse_chapters
from reel_cli.features.dream.story.retracted_words import RetractedWords
from reel_cli.features.dream.story.source import SourcedChapter, parse_sourced, ranges_of


def list_told(snapshot: Snapshot, path: str) -> Sequence[Chapter]:
    """Return the chapters of a story that go out, which are those without a chat that was taken back.

    Nobody can tell which of a chapter's sentences are of which chat, so it is left out whole. Of the others
    what a resting one amended is left out.
    """
    text, gone = snapshot.text(path) or "", retracted(snapshot)
    chapters = parse_chapters(text)
    if not gone:
        return chapters
    pairs = [*zip(chapters, parse_sourced(text), strict=True)]
    resting = [sourced for _, sourced in pairs if not gone.isdisjoint(sourced.sessions)]
    told = [(chapter, sourced) for chapter, sourced in pairs if sourced not in resting]
    return [_without_amendments(snapshot, one, resting, [each for _, each in told]) for one, _ in told]


def _without_amendments(
    snapshot: Snapshot, chapter: Chapter, resting: Sequence[SourcedChapter], told: Sequence[SourcedChapter]
) -> Chapter:
    """Return a chapter without the amendments that came with a resting one, by their day and their words."""
    if AMENDED not in chapter.text:
        return chapter
    words = RetractedWords(snapshot)
    kept = []
    for line in chapter.text.split("\n"):
        theirs, others = (
            {name for one in chapters if one.day and _is_of(line, one.day) for name in one.sessions}
            for chapters in (resting, told)
        )
        says = line.rpartition("”: ")[2]
        if not (theirs and words.hold_more(says, words.gone & theirs, others - words.gone)):
            kept.append(line)
    return Chapter(chapter.title, "\n".join(kept).strip("\n"))


def _is_of(line: str, day: str) -> bool:
    return line.startswith(f"{AMENDED}{day_in_words(date.fromisoformat(day))}.")


def list_owed(snapshot: Snapshot) -> Sequence[SourcedChapter]:
    """Return the resting chapters that also tell of chats that count, and that no told chapter tells of."""
    return [chapter for chapter, _ in _owed(snapshot)]


def read_anew(snapshot: Snapshot, cursor: Cursor) -> Cursor:
    """Return the cursor of a dream that reads again what resting chapters tell of chats that count."""
    read = {**cursor.read}
    for _, parts in _owed(snapshot):
        for session, ranges in parts.items():
            known = read.get(session, ())
            numbers = (n for first, last in known for n in range(first, last + 1))
            read[session] = to_ranges(n for n in numbers if not holds(ranges, n))
    left = {session: ranges for session, ranges in read.items() if ranges}
    return cursor if left == cursor.read else replace(cursor, read=left)


def _owed(snapshot: Snapshot) -> Sequence[tuple[SourcedChapter, Mapping[str, Ranges]]]:
    """Return the resting chapters, each with what is to be told anew of it."""
    if not (gone := retracted(snapshot)):
        return ()
    chapters = parse_sourced(snapshot.text(HISTORY) or "")
    resting = [one for one in chapters if not gone.isdisjoint(one.sessions)]
    told = ranges_of(one for one in chapters if gone.isdisjoint(one.sessions))
    found = []
    for chapter in resting:
        parts: dict[str, Ranges] = {}
        for session, ranges in parts_of(snapshot, chapter.spans).items():
            numbers = (n for first, last in ranges for n in range(first, last + 1))
            if left := to_ranges(n for n in numbers if not holds(told.get(session, ()), n)):
                parts[session] = left
        if parts:
            found.append((chapter, parts))
    return found
