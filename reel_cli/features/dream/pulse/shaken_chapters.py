"""Chapters to hold against the tape again, after a purge or a tape that was changed (Dream Weaver §6.4)."""

from collections.abc import Sequence
from datetime import timedelta

from reel_cli.core.errors import ReelError
from reel_cli.core.git.last_proof import ProofRecord
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.due import Due
from reel_cli.features.dream.pulse.outside_facts import Marks, StoryMark
from reel_cli.features.dream.story.source import SourcedChapter

COMMAND = "reel dream reground"
PERIOD = timedelta(days=180)
"""The time that chats go on for from one comparison to the next: each new chapter builds on those before."""


def find_shaken(
    snapshot: Snapshot,
    marks: Marks,
    verified: ProofRecord | None,
    sessions: Sequence[str] = (),
    *,
    under_way: bool,
) -> Due | None:
    """Return that a chapter is to be held against the tape again, and why; None for none.

    First those that rest because a chat that they tell of was taken back, as far as they tell of others too.
    After a purge these are the chapters woven before it of the chats that it touched, as far as something of
    these chats is left; they come one by one, oldest first. After a tape that was not as recorded, and is
    again, it is the most doubtful chapter, and so it is where `sessions` (oldest first) went on for long
    since any was compared. Nothing where the story cannot be read: that is told of as that.
    """
    failed = verified.failed if verified is not None and verified.well else ""
    gone = retracted(snapshot)
    long = _is_long(marks, sessions)
    if not (marks.purged or failed or gone or long):
        return None
    from reel_cli.features.dream.story.choice import parts_of, read_story
    from reel_cli.features.dream.story.resting_chapters import list_owed

    try:
        if resting := list_owed(snapshot):
            why = f"{_named(resting, 'tell')} of a chat that was taken back; left out until written anew"
            return Due("story", why, "reel dream next" if under_way else "reel dream start")
        chapters = read_story(snapshot)
        told = (one for one in chapters if gone.isdisjoint(one.sessions))
        shaken = [one for one in told if _is_purged(one, marks) and parts_of(snapshot, one.spans)]
    except ReelError:
        return None
    if shaken:
        why = f"{_named(shaken, 'tell')} of a chat that something was purged from"
        return Due("story", why, f"{COMMAND} {shaken[0].number}")
    if failed and _is_older(chapters, failed) and not _later(marks.held, failed):
        return Due("story", "the tape was not as recorded; compare a chapter with what was said", COMMAND)
    first = min((one.day for one in chapters if one.day), default="")
    if long and first and moment(sessions[-1][:10]) - moment(first) >= PERIOD:
        return Due("story", _told_long(marks, sessions[-1]), COMMAND)
    return None


def _is_long(marks: Marks, sessions: Sequence[str]) -> bool:
    """Return whether chats went on for long since a chapter was compared, or the first was woven."""
    since = marks.held[:1] or marks.woven[-1:]
    return bool(since and sessions) and moment(sessions[-1][:10]) - moment(since[0].at[:10]) >= PERIOD


def _told_long(marks: Marks, newest: str) -> str:
    if not marks.held:
        return "no chapter was compared with what was said yet"
    days = (moment(newest[:10]) - moment(marks.held[0].at[:10])).days
    return f"no chapter was compared with what was said for {days:,} days of chats"


def _named(chapters: Sequence[SourcedChapter], verb: str) -> str:
    """Return which chapters do something, like "chapter 3 and 2 more tell"."""
    first, more = chapters[0].number, len(chapters) - 1
    return f"chapter {first} and {more:,} more {verb}" if more else f"chapter {first} {verb}s"


def _is_purged(chapter: SourcedChapter, marks: Marks) -> bool:
    """Return whether something of a chapter's chats was purged since it was woven or held."""
    mine = set(chapter.sessions)
    last = max((one.at for one in marks.purged if mine.intersection(one.sessions)), key=moment, default="")
    if not last or chapter.day > last[:10]:
        return False
    woven_later = _later(marks.woven, last, mine) and chapter.day == last[:10]
    held_later = _later(marks.held, last, mine) and chapter.again >= last[:10]
    return not (woven_later or (held_later and not chapter.held))


def _is_older(chapters: Sequence[SourcedChapter], at: str) -> bool:
    return any(chapter.day <= at[:10] for chapter in chapters)


def _later(marks: Sequence[StoryMark], at: str, sessions: set[str] | None = None) -> bool:
    """Return whether a step came at a time or later, with one of these sessions (None: any)."""
    return any(
        moment(one.at) >= moment(at) and (sessions is None or not sessions.isdisjoint(one.sessions))
        for one in marks
    )
