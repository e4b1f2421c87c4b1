"""Chapters to hold against the tape again, after a purge or a tape that was changed (Dream Weaver §6.4)."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.git.last_proof import ProofRecord
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.values.due import Due
from reel_cli.features.dream.pulse.outside_facts import Marks, StoryMark
from reel_cli.features.dream.story.source import SourcedChapter

COMMAND = "reel dream reground"


def find_shaken(snapshot: Snapshot, marks: Marks, verified: ProofRecord | None) -> Due | None:
    """Return that a chapter is to be held against the tape again, and why; None for none.

    After a purge these are the chapters woven before it of the chats that it touched, as far as something of
    these chats is left; they come one by one, oldest first. After a tape that was not as recorded, and is
    again, it is the most doubtful chapter. Nothing where the story cannot be read: that is told of as that.
    """
    failed = verified.failed if verified is not None and verified.well else ""
    if not (marks.purged or failed):
        return None
    from reel_cli.features.dream.story.choice import parts_of, read_story

    try:
        chapters = read_story(snapshot)
        shaken = [one for one in chapters if _is_purged(one, marks) and parts_of(snapshot, one.spans)]
    except ReelError:
        return None
    if shaken:
        more = f" and {len(shaken) - 1:,} more" if len(shaken) > 1 else ""
        tell = "tell" if more else "tells"
        why = f"chapter {shaken[0].number}{more} {tell} of a chat that something was purged from"
        return Due("story", why, f"{COMMAND} {shaken[0].number}")
    if failed and _is_older(chapters, failed) and not _later(marks.held, failed):
        return Due("story", "the tape was not as recorded; compare a chapter with what was said", COMMAND)
    return None


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
