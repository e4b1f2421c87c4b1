"""Changes from one text to another, described without a model: in numbers, and place by place."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reel_cli.core.values.change import one_line, tell_many

LONGEST = 8 * 1024 * 1024
"""Characters above which texts are not compared."""
MOST_COMPARED = 2_500
"""Maximum lines of either text that are compared place by place; longer stretches are compared as
multisets."""
MOST_PLACES = 30
MOST_LINES = 8
"""Maximum number of lines quoted of one place."""
LONGEST_LINE = 200
_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t]*#*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Place:
    """One place that differs: its first line before and after (from 1), and the lines themselves."""

    at: tuple[int, int]
    before: Sequence[str]
    after: Sequence[str]
    section: str = ""


def describe_changes(old: str, new: str, title: str, *, names: tuple[str, str] = ("before", "now")) -> str:
    """Return the changes as Markdown; "" if there are none. `names` are the two texts' names."""
    before, after = old.splitlines(), new.splitlines()
    if before == after:
        return ""
    lines = [f"## {one_line(title)}", ""]
    places = _places(before, after)
    lines += _numbers(before, after, places, names)
    lines += _headings(before, after)
    if places is None:
        lines += ["", *_heaps(before, after)]
    else:
        for place in places[:MOST_PLACES]:
            lines += ["", *_tell(place, names)]
        if len(places) > MOST_PLACES:
            lines += ["", f"And {tell_many(len(places) - MOST_PLACES, 'more place')} like these."]
    return "\n".join(lines) + "\n"


def _places(before: Sequence[str], after: Sequence[str]) -> list[Place] | None:
    """Return where the two differ, in order; None if too much does to list place by place."""
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    most = min(len(before), len(after)) - first
    while last < most and before[-1 - last] == after[-1 - last]:
        last += 1
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    if max(len(old), len(new)) > MOST_COMPARED and min(len(old), len(new)) > 0:
        return None
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            at = (first + a + 1, first + c + 1)
            found.append(Place(at, old[a:b], new[c:d], _section(after, first + c)))
    return found


def _section(lines: Sequence[str], at: int) -> str:
    for number in range(min(at, len(lines) - 1), max(-1, at - 2_000), -1):
        heading = _HEADING.fullmatch(lines[number][:LONGEST_LINE])
        if heading:
            return one_line(heading[1], 60)
    return ""


def _numbers(
    before: Sequence[str], after: Sequence[str], places: Sequence[Place] | None, names: tuple[str, str]
) -> Iterator[str]:
    """Yield the size of the change, in lines and words."""
    if places is None:
        gone, come = Counter(before), Counter(after)
        taken, added = (gone - come).total(), (come - gone).total()
        rewritten = 0
    else:
        rewritten = sum(min(len(one.before), len(one.after)) for one in places)
        added = sum(len(one.after) for one in places) - rewritten
        taken = sum(len(one.before) for one in places) - rewritten
    told = [(added, "new"), (taken, "gone"), (rewritten, "rewritten")]
    parts = [f"{tell_many(number, 'line')} {what}" for number, what in told if number]
    where = f", in {tell_many(len(places), 'place')}" if places is not None else ""
    yield f"{', '.join(parts) or 'The same lines in another order'}{where}."
    words = [sum(len(_WORD.findall(line)) for line in lines) for lines in (before, after)]
    yield (
        f"{names[0]}: {tell_many(len(before), 'line')} and {tell_many(words[0], 'word')};"
        f" {names[1]}: {tell_many(len(after), 'line')} and {tell_many(words[1], 'word')}."
    )


def _headings(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield the new headings and the removed ones."""
    old, new = _titles(before), _titles(after)
    for what, found in (
        ("New sections", [one for one in new if one not in old]),
        ("Sections gone", [one for one in old if one not in new]),
    ):
        if found:
            more = f", and {len(found) - MOST_LINES:,} more" if len(found) > MOST_LINES else ""
            yield f"{what}: {', '.join(found[:MOST_LINES])}{more}."


def _titles(lines: Sequence[str]) -> dict[str, None]:
    found = (_HEADING.fullmatch(line[:LONGEST_LINE]) for line in lines if line.startswith("#"))
    return dict.fromkeys(one_line(heading[1], 60) for heading in found if heading)


def _tell(place: Place, names: tuple[str, str]) -> Iterator[str]:
    section = f" ({place.section})" if place.section else ""
    number = place.at[1] if place.after else place.at[0]
    what = "rewritten" if place.before and place.after else "new" if place.after else "gone"
    where = f"Line {number:,}" if place.after else f"Line {number:,} as it was"
    yield f"{where}{section}, {what}:"
    if place.before:
        yield from _quoted(names[0], place.before)
    if place.after:
        yield from _quoted(names[1], place.after)


def _quoted(name: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines as an item of a list, without blank ones."""
    told = [one_line(line, LONGEST_LINE) for line in lines if line.strip()]
    if not told:
        yield f"- {name}: {tell_many(len(lines), 'blank line')}"
        return
    for line in told[:MOST_LINES]:
        yield f"- {name}: {line}"
    if len(told) > MOST_LINES:
        yield f"- {name}: and {tell_many(len(told) - MOST_LINES, 'more line')}"


def _heaps(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield the lines that only one of the two has, if too many differ to list by place."""
    gone, come = Counter(before), Counter(after)
    yield "Too much is different to say where; the first lines that only one of the two has:"
    yield from _quoted("gone", list((gone - come).elements())[:MOST_PLACES])
    yield from _quoted("new", list((come - gone).elements())[:MOST_PLACES])
