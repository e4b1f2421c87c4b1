"""The story from before a full relive (Dream Weaver §6.9).

It is laid aside, told until the new one is done, and can be taken back.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, read_cursor, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.story.book import open_book
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.missed_file import MISSED
from reel_cli.features.facts.files import FACTS, parse_facts
from reel_cli.features.facts.policy import current_facts, fact_name, protects

_ITEM = re.compile(r"(?m)^(?:#[^\n]*\n)*- ")
"""Pattern of the beginning of a fact; a comment right above belongs to it."""
DREAM = "dream"
PAST = "story/past"
WOVEN = (HISTORY, MISSED, REMEMBER)


class StoryParts(NamedTuple):
    """The file as two: what stays, and what dreams noted; `dreamt` counts those."""

    kept: str
    noted: str
    dreamt: int


def part_facts(text: str) -> StoryParts:
    """Return what dreams noted and everything else, each verbatim.

    A fact is a dream's where it says so: one without an `origin` was written by hand. A file that a person
    has laid out otherwise than one fact below the other is theirs whole. Raises ReelError where it is no
    list of facts.
    """
    facts = parse_facts(text)
    starts = [found.start() for found in _ITEM.finditer(text)]
    if not facts or len(starts) != len(facts):
        return StoryParts(text, "", 0)
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    dreamt = [_is_dreamt(piece) for piece in pieces]
    kept = [piece for piece, is_dream in zip(pieces, dreamt, strict=True) if not is_dream]
    noted = [piece for piece, is_dream in zip(pieces, dreamt, strict=True) if is_dream]
    return StoryParts(text[: starts[0]] + "".join(kept), "".join(noted), len(noted))


def part_pieces(text: str) -> Sequence[str]:
    """Return the entries of a list of facts, each verbatim."""
    starts = [found.start() for found in _ITEM.finditer(text)]
    return [text[a:b].rstrip("\n") for a, b in pairwise([*starts, len(text)])]


def without_facts(text: str, pieces: Sequence[str]) -> str:
    """Return a list of facts without these entries: of each, the first that stands there verbatim."""
    left = Counter(pieces)
    starts = [found.start() for found in _ITEM.finditer(text)]
    kept = [text[: starts[0]] if starts else text]
    for a, b in pairwise([*starts, len(text)]):
        piece = text[a:b].rstrip("\n")
        if left[piece]:
            left[piece] -= 1
        else:
            kept.append(text[a:b])
    return "".join(kept)


def earlier_facts(snapshot: Snapshot) -> Sequence[str]:
    """Return the entries that the dream before an unfinished relive noted, and that hold until it is done."""
    found = old_story(snapshot)
    if found is None:
        return ()
    place = found[0].rpartition("/")[0]
    return part_pieces(part_facts(snapshot.text(_in(place, FACTS)) or "").noted)


def facts_anew(snapshot: Snapshot) -> str:
    """Return `facts.yaml` without what the dream before an unfinished relive noted."""
    return without_facts(snapshot.text(FACTS) or "", earlier_facts(snapshot))


def finish_facts(snapshot: Snapshot, text: str) -> str:
    """Return `facts.yaml` once a relive is done: without what the earlier dream noted.

    What protects somebody, and was not noted again, stays.
    """
    pieces = earlier_facts(snapshot)
    anew = {fact_name(fact) for fact in current_facts(parse_facts(without_facts(text, pieces)))}
    gone = [
        piece
        for piece in pieces
        if not any(protects(fact) and fact_name(fact) not in anew for fact in parse_facts(piece))
    ]
    return without_facts(text, gone)


def together(one: str, other: str) -> str:
    """Return two such files as one, the facts of the second below those of the first."""
    above = one if not one.strip() or one.endswith("\n") else f"{one}\n"
    return above + other if above.strip() not in ("", "[]") else other


def _is_dreamt(piece: str) -> bool:
    value = parse_yaml(piece, FACTS)
    one = value[0] if isinstance(value, list) and value else None
    return isinstance(one, dict) and one.get("origin") == DREAM


@dataclass(frozen=True, slots=True)
class StorySetAside:
    """The story that a full relive sets aside, and where (`place`, "" for none); `writes` does it.

    `told` is the folder whose story is told until the new one is done; `chapters` and `facts` count.
    """

    place: str = ""
    told: str = ""
    chapters: int = 0
    facts: int = 0
    writes: Mapping[str, bytes | None] = field(default_factory=dict)


def lay_aside(snapshot: Snapshot, day: str) -> StorySetAside:
    """Return the story so far, the facts that dreams noted, and their cursor, to be set aside.

    The facts stay in `facts.yaml` until the new story is done, so that no bundle goes without. A story that
    was never brought to its end does not take the place of the one it was to replace. Raises ReelError where
    `facts.yaml` is no list of facts.
    """
    before = read_cursor(snapshot)
    goes_on = before.past if before is not None and is_unfinished(before) else ""
    goes_on = goes_on if goes_on and _has_story(snapshot, goes_on) else ""
    facts = snapshot.text(FACTS) or ""
    told_on = earlier_facts(snapshot)
    parted = part_facts(without_facts(facts, told_on))
    stood = [path for path in WOVEN if snapshot.read(path) is not None]
    if not stood and not parted.dreamt:
        return StorySetAside(told=goes_on)
    place = free_place(snapshot, day)
    writes: dict[str, bytes | None] = {}
    for path in stood:
        writes[_in(place, path)] = snapshot.read(path)
        writes[path] = None
    if parted.dreamt:
        writes[_in(place, FACTS)] = facts.encode()
    if parted.dreamt and goes_on:
        # what a relive noted that was broken off goes; what holds meanwhile stays
        kept = without_facts(facts, part_pieces(parted.noted))
        writes[FACTS] = kept.encode() if kept.strip() else None
    if before is not None:
        writes[_in(place, CURSOR)] = snapshot.read(CURSOR)
    chapters = len(open_book(snapshot, HISTORY))
    told = goes_on or (place if HISTORY in stood else "")
    return StorySetAside(place, told, chapters, parted.dreamt, writes)


def is_unfinished(cursor: Cursor) -> bool:
    """Return whether a full relive is not done yet."""
    return cursor.mode is Mode.FULL and cursor.state is not DreamState.DONE


def old_story(snapshot: Snapshot) -> tuple[str, Cursor] | None:
    """Return the story told while a new one is made, and the new one's cursor; None if the story is whole."""
    if not snapshot.list(PAST):
        return None
    cursor = read_cursor(snapshot)
    if cursor is None or not is_unfinished(cursor):
        return None
    place = told_past(snapshot, cursor)
    return (_in(place, HISTORY), cursor) if place and _has_story(snapshot, place) else None


def in_force(snapshot: Snapshot, path: str) -> str:
    """Return the path of a story file that counts now: while a new story is made, the old one's."""
    old = old_story(snapshot)
    return path if old is None else _in(old[0].rpartition("/")[0], path)


def going_on(snapshot: Snapshot) -> str:
    """Return the command that a story goes on with."""
    cursor = read_cursor(snapshot)
    running = cursor is not None and cursor.state is DreamState.RUNNING
    return "reel dream next" if running else "reel dream start"


def told_past(snapshot: Snapshot, cursor: Cursor | None) -> str | None:
    """Return the folder with the story before the last full relive; None if none was set aside."""
    named = cursor.past if cursor is not None else ""
    return named if named and named in _places(snapshot) else newest_past(snapshot)


def newest_past(snapshot: Snapshot) -> str | None:
    """Return the folder with what was set aside last; None if there is none."""
    return max(_places(snapshot), key=_past_order, default=None)


def count_past(snapshot: Snapshot) -> int:
    """Return how many folders hold something that was set aside."""
    return len(_places(snapshot))


def plan_back(snapshot: Snapshot, day: str) -> tuple[Change, str]:
    """Return the change that restores the story from before a full relive, and the folder it comes from.

    What was woven since is laid aside in its turn. Raises ReelError where no relive is unfinished, or nothing
    was laid aside for it.
    """
    cursor = read_cursor(snapshot)
    if cursor is None or not is_unfinished(cursor):
        message = "The story is not being written again."
        raise ReelError(message, hint="earlier stories are in  story/past/")
    found = old_story(snapshot)
    if found is None:
        message = "There is no earlier story to bring back."
        raise ReelError(message, hint="to stop:  reel dream stop")
    place = found[0].rpartition("/")[0]
    aside = lay_aside(snapshot, day)
    writes = dict(aside.writes)
    for path in WOVEN:
        old = snapshot.read(_in(place, path))
        if old is not None:
            writes[path] = old
            writes[_in(place, path)] = None
    _facts_back(snapshot, place, writes)
    kept = snapshot.text(_in(place, CURSOR)) or ""
    if kept.strip():
        back = parse_cursor(kept)
    else:
        # the earlier story's extent was not recorded: only what the relive has read is known
        back = replace(cursor, state=DreamState.STOPPED, mode=Mode.INCREMENTAL, past="")
    writes[CURSOR] = render_cursor(back, snapshot.text(CURSOR) or "").encode()
    if kept:
        writes[_in(place, CURSOR)] = None
    told = {path: data for path, data in writes.items() if data != snapshot.read(path)}
    return Change("dream", "the story from before comes back", told), place


def _facts_back(snapshot: Snapshot, place: str, writes: dict[str, bytes | None]) -> None:
    """Restore the earlier facts, and below them later ones that are not from a dream."""
    old = snapshot.text(_in(place, FACTS))
    if old is None:
        return
    was, now = part_facts(old), part_facts(snapshot.text(FACTS) or "")
    same = was.kept.strip() == now.kept.strip()
    writes[FACTS] = (old if same else together(was.noted, now.kept)).encode()
    writes[_in(place, FACTS)] = None


def free_place(snapshot: Snapshot, day: str) -> str:
    """Return a new folder for what is set aside on a day."""
    taken = _places(snapshot)
    number = 1
    while (name := f"{PAST}/{day}" if number == 1 else f"{PAST}/{day}-{number}") in taken:
        number += 1
    return name


def _has_story(snapshot: Snapshot, place: str) -> bool:
    return snapshot.read(_in(place, HISTORY)) is not None


def _places(snapshot: Snapshot) -> set[str]:
    return {path.rpartition("/")[0] for path in snapshot.list(PAST) if path.count("/") > 2}


def _past_order(place: str) -> tuple[str, int]:
    name = place.split("/")[2]
    number = name[11:]
    return name[:10], int(number) if number.isascii() and number.isdigit() else 1


def _in(place: str, path: str) -> str:
    return f"{place}/{path.rpartition('/')[2]}"
