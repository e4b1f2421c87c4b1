"""Chapters of the story that quote what was never said (Dream Weaver §6.4), as the doctor tells of them."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import FALSE_MEMORY, Finding
from reel_cli.core.kit.checkup import Check, Stage
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.story.choice import find_unsaid
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import SourcedChapter, parse_sourced

MOST_TOLD = 8
"""Maximum number reported one by one."""


def find_invented(snapshot: Snapshot) -> Sequence[Finding]:
    """Return findings for quotations in the story that are nowhere on the tape, oldest chapter first.

    What was amended already, and what a purge took, is not among them. Nothing where the story or the tape
    cannot be read: that is told of as that.
    """
    text = snapshot.text(HISTORY) or ""
    chapters = [chapter for chapter in parse_sourced(text) if chapter.spans]
    try:
        unsaid = find_unsaid(snapshot, chapters)
    except ReelError:
        return ()
    found = [(chapter, quote) for chapter in chapters for quote in unsaid[chapter.number]]
    findings = [_finding(text, chapter, quote) for chapter, quote in found[:MOST_TOLD]]
    if len(found) > MOST_TOLD:
        what = f"{HISTORY}: {len(found) - MOST_TOLD:,} more quotations like that"
        findings.append(Finding("story", what, "to see all:  reel dream reground --list", kind=FALSE_MEMORY))
    return findings


def _finding(text: str, chapter: SourcedChapter, quote: str) -> Finding:
    at = text.find(quote, chapter.start, chapter.end)
    line = text.count("\n", 0, at) + 1 if at >= 0 else chapter.line
    what = f'{HISTORY}, line {line}: "{one_line(quote, 80)}" was never said like that'
    mend = f"compare the chapter with what was said:  reel dream reground {chapter.number}"
    return Finding("story", what, mend, kind=FALSE_MEMORY, at=f"{HISTORY}:{line}")


CHECKS = (Check(lambda scope: find_invented(scope.snapshot), 30, Stage.PATTERNS, FALSE_MEMORY),)
