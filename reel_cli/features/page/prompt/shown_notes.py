"""Choice of the notes that a prompt asks about, in as many words as it has for them (REEL §6.6)."""

import math
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from datetime import date
from functools import lru_cache

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.exchange.prompts import cut_words
from reel_cli.core.files import working_file
from reel_cli.core.files.markdown import heading_lines
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.values.memory import SECTIONS, Item
from reel_cli.features.page.notes.note_likeness import noted_day, tell_note
from reel_cli.features.page.prompt.loops import has_passed

LEAST_ROOM = 90
"""Words of notes for which every prompt has room, headings and how things stand among them."""
_OF_DAY = 4.0
"""Weight of a day that an item and the chat name, in words that no other item has and that were said once."""
_IN_TURN = 4
"""Share, one in so many, of the least room that the notes have which are asked about in turn."""
_LONGEST = 8
"""Words of an item that is asked about above which the rest is left out, where not all have room."""
_SPOKEN_OF = 1.0
"""Weight above which a chat is about an item: a word that no other item has, or several."""
MOST_PROSE = 30
"""Words of how things stand, and of each section a person added, above which the rest is left out."""


@frozen
class ShownNotes:
    """The notes a prompt shows: the text, its items, and the words above which an item is cut."""

    text: str
    longest: int = 0

    @property
    def items(self) -> Sequence[Item]:
        """Return the items, in the order they are numbered."""
        return working_file.read_items(self.text)


def choose_notes(
    text: str,
    said: Sequence[str],
    most: int,
    turn: int = 0,
    day: date | None = None,
) -> ShownNotes:
    """Return the body of working memory with those items that a prompt asks about, in at most so many words.

    Most of the room goes to what was for a day that has passed, the last ones first, in half of it at most,
    and to what the chat of this `day` speaks of (the days and the rare words that both have). The rest goes
    round: it begins with another item at each `turn`, so that every item is asked about after so many pages.
    Items that are left out stay as they are. How the persona was is not asked about here.
    """
    items = working_file.read_items(text)
    for own in (False, True):
        whole = keep_notes(text, None, MOST_PROSE, without_own=own)
        if len(whole.split()) <= most:
            return ShownNotes(whole)
    frame = len(keep_notes(text, (), MOST_PROSE, without_own=True).split())
    # a heading stands where an item below it does
    frame += sum(len(f"## {name}".split()) for name in {item.section for item in items})
    left = max(0, most - frame)
    in_turn = min(left, max(0, LEAST_ROOM - frame)) // _IN_TURN
    longest = max(3, min(_LONGEST, 2 * in_turn - 1))
    touched = _touched(items, said, day)
    near = sorted(touched, key=lambda item: -touched[item])
    first = [item for item in near if touched[item] >= _SPOKEN_OF]
    passed = [item for item in reversed(items) if day is not None and has_passed(item.text, day)]
    starts = _starts(items, in_turn, longest, day)
    at = starts[turn % len(starts)]
    left_over = left - max(in_turn, _size(items[at], longest, day))
    chosen = _fitting(passed, left_over // 2, (), longest, day)
    chosen = _fitting([*first, *passed, *near], left_over, chosen, longest, day)
    chosen = _fitting([*items[at:], *items[:at]], left, chosen, longest, day)
    kept = keep_notes(text, {item.text for item in chosen}, MOST_PROSE, without_own=True)
    return ShownNotes(kept, longest)


def _touched(items: Sequence[Item], said: Sequence[str], day: date | None) -> Mapping[Item, float]:
    """Return how much the chat speaks of each item that it speaks of at all.

    A word counts less the more items have it and the more often it was said; a day counts most.
    """
    spoken = Counter(word for text in said for word in telling(text))
    words = {item: telling(item.text) & spoken.keys() for item in items}
    held = Counter(word for many in words.values() for word in many)
    named = {item: _days(without_day(item.text), noted_day(item.text) or day) for item in items}
    days = frozenset[tuple[int, int]]()
    if any(named.values()):
        days = days.union(*(_days(text, day) for text in said))
    weights = {
        item: sum(1 / (held[word] * (1 + math.log(spoken[word]))) for word in sorted(many))
        + _OF_DAY * bool(named[item] & days)
        for item, many in words.items()
    }
    return {item: weight for item, weight in weights.items() if weight}


@lru_cache(maxsize=1_024)
def _days(text: str, day: date | None) -> frozenset[tuple[int, int]]:
    """Return the days that a text names, as month and day."""
    found = (span for one in dates(even(text), day) for span in one.spans)
    return frozenset((first.month, first.day) for first, last in found if first == last)


def _size(item: Item, longest: int, day: date | None) -> int:
    """Return the words an item takes in a prompt of a day, its number among them."""
    text = tell_note(item.text, day) if day is not None else item.text
    return 1 + min(len(text.split()), longest)


def _starts(items: Sequence[Item], room: int, longest: int, day: date | None) -> Sequence[int]:
    """Return the places at which runs of items begin that fit into so many words, or are of one item."""
    starts, size = [0], 0
    for at, item in enumerate(items):
        size += _size(item, longest, day)
        if size > room and at > starts[-1]:
            starts.append(at)
            size = _size(item, longest, day)
    return starts


def _fitting(
    items: Sequence[Item], most: int, chosen: Sequence[Item], longest: int, day: date | None
) -> list[Item]:
    """Return the items chosen so far, and as many of the others as fit into so many words with them."""
    found = {item.text: item for item in chosen}
    left = most - sum(_size(item, longest, day) for item in chosen)
    for item in items:
        size = _size(item, longest, day)
        if item.text not in found and size <= left:
            found[item.text] = item
            left -= size
    return list(found.values())


def keep_notes(
    text: str, texts: Container[str] | None = None, prose: int = 0, *, without_own: bool = False
) -> str:
    """Return the body of working memory with these items (None: all), each once; not how the persona was.

    Of the text of each section at most `prose` words are kept (0: all), of those that a person added none if
    `without_own`.
    """
    lines = working_file.read_body(text).splitlines()
    listed: set[int] = set()
    gone: set[int] = set()
    shown: set[str] = set()
    left_out: set[str] = set()
    for item in working_file.read_items(text):
        listed.update(range(*item.lines))
        wanted = texts is None or item.text in texts
        if not wanted or item.text in shown:
            gone.update(range(*item.lines))
        if wanted:
            shown.add(item.text)
        else:
            left_out.add(item.text)
    spans = heading_lines("\n".join(lines) + "\n")
    heads = [("", 0), *((name, start) for name, start, _ in spans)]
    stops = [*(start for _, start in heads[1:]), len(lines)]
    own_names = {name.casefold() for name in SECTIONS}
    for (name, start), stop in zip(heads, stops, strict=True):
        if name.casefold() == "calibration" or (without_own and name.casefold() not in own_names):
            gone.update(range(start, stop))
            continue
        mine = [number for number in range(start + bool(name), stop) if lines[number].strip()]
        if name and mine and gone.issuperset(mine):
            # all of its items are left out
            gone.update(range(start, stop))
        left = prose
        for number in range(start + bool(name), stop) if prose else ():
            if number not in listed:
                size = len(lines[number].split())
                lines[number] = cut_words(lines[number], left) if left else ""
                left = max(0, left - size)
    kept = [line for number, line in enumerate(lines) if number not in gone]
    if left_out:
        kept += ["", f"(and {len(left_out):,} more, which stay as they are unless you name them)"]
    return "\n".join(kept).strip("\n") + "\n"
