"""Two dreams of one past made one: the chapters and threads of both, and what either read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reel_cli.core.git.text_merge import CHAPTERS, Merge, join_pieces
from reel_cli.core.values.source import Ranges, covers, to_ranges, union
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState
from reel_cli.features.dream.earlier_story import is_unfinished
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.missed_file import MISSED, parse_threads

STORY_FILES = (HISTORY, REMEMBER, MISSED, CURSOR)
"""Files that a batch of a dream writes."""
_THREAD = re.compile(r"(\d{1,6})(\. .*)", re.DOTALL)
_STATES = (DreamState.RUNNING, DreamState.DONE, DreamState.STOPPED)


def join_dream(path: str, ours: str, theirs: str, base: str, merge: Merge) -> str:
    """One of the files of `STORY_FILES` as both sides have it, "" for none; what `theirs` has comes first.

    Raises ReelError where one of them cannot be read.
    """
    if path == CURSOR:
        return _join_cursors(ours, theirs, base)
    if path == MISSED:
        return _join_threads(ours, theirs, base)
    return join_pieces(CHAPTERS, ours, theirs, base, merge)


def finished_relive(ours: str, theirs: str, base: str) -> bool | None:
    """Return which of two cursors is of the relive that counts: True for ours, None where both go on.

    Both sides began anew since they parted, and one came to its end: the other is not mixed into it. Of two
    that did, the one that began last counts.
    """
    if not ours.strip() or not theirs.strip():
        return None
    here, there = parse_cursor(ours), parse_cursor(theirs)
    was = parse_cursor(base) if base.strip() else None
    if was is not None and not all(
        side.past != was.past or not _goes_on(side, was) for side in (here, there)
    ):
        return None
    done = [not is_unfinished(side) for side in (here, there)]
    return None if not any(done) else here.started > there.started if all(done) else done[0]


# -- threads --------------------------------------------------------------------------------------


def _join_threads(ours: str, theirs: str, base: str) -> str:
    """Return the other side's threads with this side's updates, then this side's threads.

    Two threads that got one number are two threads: this side's gets another.
    """
    mine, others, old = (_blocks(text) for text in (ours, theirs, base))
    made = {0: list(others.get(0, mine.get(0, ()))), **{name: list(lines) for name, lines in others.items()}}
    following = max(*others, *old, 0, 0) + 1
    for number, lines in mine.items():
        was = old.get(number)
        there = others.get(number)
        if there is None and (was is not None or number == 0):
            continue
        if there is not None and (number == 0 or _said(there[0]) == _said(lines[0])):
            made[number] += [line for line in lines[1:] if line not in there]
        elif lines != was:
            told = _THREAD.fullmatch(lines[0])
            made[following] = [f"{following}{told[2] if told else lines[0]}", *lines[1:]]
            following += 1
    text = "\n".join(line for lines in made.values() for line in lines)
    return text.rstrip("\n") + "\n" if text.strip() else ""


def _blocks(text: str) -> Mapping[int, Sequence[str]]:
    """Return each thread's line with those below it, by number; the head of the file is 0."""
    made: dict[int, list[str]] = {0: []}
    number = 0
    for line in text.rstrip("\n").split("\n") if text else ():
        told = parse_threads(line)
        if told and told[0].number not in made:
            number = told[0].number
            made[number] = []
        made[number].append(line)
    if made[0] == []:
        del made[0]
    return made


def _said(line: str) -> str:
    told = parse_threads(line)
    return told[0].text if told else line


# -- how far it was read --------------------------------------------------------------------------


def _join_cursors(ours: str, theirs: str, base: str) -> str:
    """Return a cursor of all that either side read; if one began anew, the other's reading since the fork."""
    if not ours.strip() or not theirs.strip():
        return theirs if theirs.strip() else ours
    here, there = parse_cursor(ours), parse_cursor(theirs)
    was = parse_cursor(base) if base.strip() else None
    began = [side for side in (there, here) if was is not None and not _goes_on(side, was)]
    lead = began[0] if began else there
    read: dict[str, Ranges] = dict(lead.read)
    for side in (here, there):
        new = side.read if was is None or side in began or not began else _since(side, was)
        for session, ranges in new.items():
            read[session] = union(read.get(session, ()), ranges)
    batch = max(side.batch for side in began or (here, there))
    state = next(state for state in _STATES if state in (here.state, there.state))
    # repeat a correction rather than never mention it
    heard = {one: min(count, there.heard[one]) for one, count in here.heard.items() if one in there.heard}
    made = replace(lead, state=state, batch=batch, read=read, heard=heard)
    return render_cursor(made, ours if lead is here else theirs)


def _goes_on(side: Cursor, was: Cursor) -> bool:
    """Return whether everything that was read before is still read."""
    return all(covers(side.read.get(session, ()), ranges) for session, ranges in was.read.items())


def _since(side: Cursor, was: Cursor) -> Mapping[str, Ranges]:
    """Return what a side read after the two parted."""
    found: dict[str, Ranges] = {}
    for session, ranges in side.read.items():
        known = {n for first, last in was.read.get(session, ()) for n in range(first, last + 1)}
        new = to_ranges(n for first, last in ranges for n in range(first, last + 1) if n not in known)
        if new:
            found[session] = new
    return found
