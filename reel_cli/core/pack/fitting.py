"""A bundle for a place: its parts in the fields there, and as much of them as the characters leave room for.

A place counts characters, and loading counts tokens: the most tokens are looked for whose text fits, and what
they are for is shared out as in a window that would leave so many.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.draft import BundleDraft
from reel_cli.core.pack.unit import CHANGED, TRUST, Unit
from reel_cli.core.pack.words import FRAME
from reel_cli.core.values.bundle import Field
from reel_cli.core.values.place import REST, Place

_NAMES = {"0": "", "1": "exemplars", "2": "working", "3": "memories", "4": "index", FRAME: "clash"}
_MUST = {
    "identity": "identity",
    "directives": "rules",
    "working": "where things stand",
    "exemplars": "the anchor",
}
"""The core's parts that find their field first, each with what an error calls it."""
_MOST_TRIES = 5_000

Loaded = tuple[BundleDraft, str, int]
"""A loading, its text, and the text's tokens."""


class _Section(NamedTuple):
    """Units that stand below one heading, and so in one field; `size` is in the place's characters."""

    part: str
    text: str
    size: int


def load_for(
    place: Place, load: Callable[[int], Loaded], room: int, elsewhere: Callable[[], Sequence[Place]]
) -> tuple[Loaded, list[Field], int]:
    """Load as much, of at most `room` tokens, as fits into a place's fields; and with how many.

    `elsewhere` are the places there are, for a hint. Raises ReelError, which names the numbers in characters,
    where not even what must be in a bundle fits.
    """
    best = load(room)
    must = {**_MUST, **{part.part.rings[0]: part.part.need for part in best[0].parts if part.part.need}}
    fields = arrange(best[0].units, place, must)
    if fields is not None:
        return best, fields, room
    low, high, found = 0, room, None
    least = best
    middle = _guess(best, place, room)
    while True:
        try:
            loaded = load(middle)
        except NoRoomError:
            low = middle
        else:
            fields = arrange(loaded[0].units, place, must)
            if fields is not None:
                low, found = middle, (loaded, fields, middle)
            else:
                high, least = middle, loaded
        if high - low <= 1:
            break
        middle = (low + high) // 2
    if found is None:
        raise _too_small(place, least[0].units, elsewhere(), must)
    return found


def _guess(loaded: Loaded, place: Place, room: int) -> int:
    """Return the tokens of a text of the place's size, estimated from this one."""
    _, text, tokens = loaded
    if not place.limit or not text:
        return room // 2
    return max(1, min(room - 1, tokens * place.limit // place.size(text)))


def arrange(units: Sequence[Unit], place: Place, must: Collection[str]) -> list[Field] | None:
    """Return a bundle's parts in the place's fields; None if they do not fit.

    The first words stand in the first field, the last in the last. In between each part stands in the field
    that is for it, or else, where that has no room, in another that has; what `must` be there chooses first.
    Nothing is in two fields, and within one the parts keep their order.
    """
    opening, *sections, closing = _sections(units, place)
    last = len(place.slots) - 1
    free = [slot.limit for slot in place.slots]
    for at, section in ((0, opening), (last, closing)):
        left = free[at]
        if left is not None and (left := left - section.size) < 0:
            return None
        free[at] = left
    order = sorted(range(len(sections)), key=lambda at: (sections[at].part not in must, at))
    wanted = [(at, _wishes(sections[at].part, place)) for at in order]
    # what must be there stays in a field that is for it, if it fits, however much more would fit otherwise
    own = [(at, _own(sections[at].part, place)) for at, _ in wanted if sections[at].part in must]
    own = [(at, slots) for at, slots in own if slots]
    if _place(sections, own, free) is not None:
        wanted = [(at, dict(own).get(at, slots)) for at, slots in wanted]
    chosen = _place(sections, wanted, free)
    if chosen is None:
        return None
    made = []
    for number, slot in enumerate(place.slots):
        texts = [section.text for at, section in enumerate(sections) if chosen[at] == number]
        text = "".join([opening.text] * (number == 0) + texts + [closing.text] * (number == last))
        made.append(Field(slot.name, text, place.size(text), slot.limit))
    return made


def _sections(units: Sequence[Unit], place: Place) -> list[_Section]:
    """Return the units grouped by the heading above them, in order."""
    grouped: list[tuple[str, list[str]]] = []
    for at, unit in enumerate(units):
        inner = 0 < at < len(units) - 1
        named = inner and (unit.ring, unit.id) != (FRAME, TRUST)
        # what changed since is told with the memories that it is of
        ring = "3" if (unit.ring, unit.id) == (FRAME, CHANGED) else unit.ring
        part = (_NAMES.get(ring, ring) or unit.id) if named else unit.id
        if not grouped or grouped[-1][0] != part:
            grouped.append((part, []))
        grouped[-1][1].append(unit.text)
    return [_Section(part, text, place.size(text)) for part, texts in grouped for text in ["".join(texts)]]


def _own(part: str, place: Place) -> list[int]:
    """Return the fields that are for a part."""
    return [at for at, slot in enumerate(place.slots) if part in slot.holds]


def _wishes(part: str, place: Place) -> list[int]:
    """Return the fields for a part, the best first."""
    slots = list(enumerate(place.slots))
    own = _own(part, place)
    rest = [at for at, slot in slots if REST in slot.holds]
    first = own or rest or [0]
    return [*first, *(at for at, slot in slots if at not in first)]


def _place(
    sections: Sequence[_Section], wanted: Sequence[tuple[int, Sequence[int]]], free: Sequence[int | None]
) -> dict[int, int] | None:
    """Return the field of each section, by section; None if a section fits into no field."""
    room = list(free)
    chosen: dict[int, int] = {}
    tries = 0
    # the number of characters still to be placed after each section
    to_come = [sum(sections[at].size for at, _ in wanted[n:]) for n in range(len(wanted) + 1)]

    def go(number: int) -> bool:
        nonlocal tries
        tries += 1
        if number == len(wanted):
            return True
        bounded = [left for left in room if left is not None]
        if len(bounded) == len(room) and sum(bounded) < to_come[number]:
            return False
        at, slots = wanted[number]
        for slot in slots:
            left = room[slot]
            if left is not None and left < sections[at].size:
                continue
            chosen[at] = slot
            room[slot] = None if left is None else left - sections[at].size
            if go(number + 1):
                return True
            room[slot] = left
            if tries > _MOST_TRIES:
                return False
        return False

    return chosen if go(0) else None


def _too_small(
    place: Place, units: Sequence[Unit], places: Sequence[Place], must: Mapping[str, str]
) -> ReelError:
    """Return the error for a place that cannot hold `units`, the required parts of a bundle."""
    sections = _sections(units, place)
    for slot, section, which in (
        (place.slots[0], sections[0], "first"),
        (place.slots[-1], sections[-1], "last"),
    ):
        if len(place.slots) > 1 and slot.limit is not None and section.size > slot.limit:
            message = (
                f"The {which} words of a bundle take {section.size:,} characters; {slot.name!r}, the {which} "
                f"field of {place.title}, has room for {slot.limit:,}."
            )
            return ReelError(message, hint=f"let a larger field be the {which}")
    sizes = {section.part: section.size for section in sections}
    needs = {must[part]: size for part, size in sizes.items() if part in must}
    needs["the words around them"] = sum(sizes.values()) - sum(needs.values())
    parts = [f"{what} ({size:,})" for what, size in needs.items() if size]
    listed = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    total = sum(needs.values())
    message = (
        f"{listed[:1].upper()}{listed[1:]} need {total:,} characters; "
        f"{place.title} {'have' if place.title.endswith('s') else 'has'} room for {place.holds}."
    )
    if place.limit is not None and total <= place.limit:
        message = f"{message[:-1]}, and no part is cut in two."
    fitting = [one for one in places if one.name != place.name and arrange(units, one, must) is not None]
    best = min(fitting, key=lambda one: (one.limit is None, one.limit or 0), default=None)
    if best is None:
        return ReelError(message, hint="shorten the longest of them")
    room = f"has room for {best.limit:,}" if best.limit is not None else "has no such limit"
    return ReelError(
        message, hint=f"--for {best.name}  {room}; or paste it as the first message, without --for"
    )
