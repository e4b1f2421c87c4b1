"""Chapters to hold against the tape again, after a purge or a tape that was changed (Dream Weaver §6.4)."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.git.last_proof import ProofRecord
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.due import Due
from reel_cli.features.dream.pulse.outside_facts import Marks, StoryMark
from reel_cli.features.dream.story.source import SourcedChapter

COMMAND = "reel dream reground"


def find_shaken(
    snapshot: Snapshot, marks: Marks, verified: ProofRecord | None, *, under_way: bool
) -> Due | None:
    """Return that a chapter is to be held against the tape again, and why; None for none.

    First those that rest because a chat that they tell of was taken back, as far as they tell of others too.
    After a purge these are the chapters woven before it of the chats that it touched, as far as something of
    these chats is left; they come one by one, oldest first. After a tape that was not as recorded, and is
    again, it is the most doubtful chapter. Nothing where the story cannot be read: that is told of as that.
    """
    failed = verified.failed if verified is not None and verified.well else ""
    gone = retracted(snapshot)
    if not (marks.purged or failed or gone):
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
    return None


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
