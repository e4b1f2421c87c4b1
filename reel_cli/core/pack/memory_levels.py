"""Levels of detail at which memories are loaded: whole, as markers, as tags (REEL §4.4).

The memories are walked from the newest to the oldest in three stretches: whole ones, markers, tags. While
walking, part of the room is kept back for what lies further behind, so that the past grows fainter instead of
being cut off: whole memories leave room for the markers of all older ones, but never more than 40 % of what
there is; markers leave room for the tags of all older ones, but never more than 15 %. A stretch ends with the
first memory that does not fit, so that no older memory is ever loaded finer than a newer one. One that could
not be loaded so even if it were the only one is passed over, and holds up none.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from reel_cli.core.values.holdings import BLOCK, RESOLUTIONS, EarlierForm, MemoryRow

MARKERS_KEPT = 40
TAGS_KEPT = 15
"""Percent of the room kept back, at most, for what lies further behind."""

WHOLE, MARKER, TAG, OUT = range(4)
IMMUNE_SHARE = 50
"""Percent of the room that immune memories have for their markers before all others."""
MOST_READ = 400
"""Number of memories, from the newest on, that are looked through for those to load first."""
LEAST_GAINED = 40
"""Tokens that a finer form takes more, at least, so that so many memories at most are looked up for it."""


class Recession:
    """Memories in the order walked, each with the form it is loaded in."""

    def __init__(self, room: int) -> None:
        """Begin with nothing walked."""
        self.room = room
        self.rows: list[MemoryRow] = []
        self.forms: list[int] = []
        self.earlier: dict[int, EarlierForm] = {}
        """Forms from history, by the place of the memory, in place of those of its file."""
        self.used = 0

    def copy(self) -> "Recession":
        """Return a recession that changes apart from this one."""
        other = Recession(self.room)
        other.rows, other.forms, other.earlier = [*self.rows], [*self.forms], {**self.earlier}
        other.used = self.used
        return other

    def loaded(self, *, small: bool) -> list[tuple[MemoryRow, str, int]]:
        """Return the loaded memories, newest first: the row, its resolution's name, its tokens."""
        return [
            (row, self._name(at, size, small=small), size)
            for at, row in enumerate(self.rows)
            if (size := self.size(at))
        ]

    def whole(self, *, small: bool) -> set[str]:
        """Return the IDs of what is loaded whole."""
        if small:
            return set()
        pairs = zip(self.rows, self.forms, strict=True)
        return {row.id for row, form in pairs if form != OUT and _size(row, form) == row.whole}

    def size(self, at: int) -> int:
        """Return the tokens that the memory at a place takes as it is loaded."""
        return self.earlier[at].tokens if at in self.earlier else _size(self.rows[at], self.forms[at])

    def change(self, at: int, form: int) -> None:
        """Load the row at a place in another form."""
        self.used += _size(self.rows[at], form) - self.size(at)
        self.earlier.pop(at, None)
        self.forms[at] = form

    def take_earlier(self, at: int, form: EarlierForm) -> None:
        """Load the row at a place in a form from history."""
        self.used += form.tokens - self.size(at)
        self.earlier[at] = form

    def _name(self, at: int, size: int, *, small: bool) -> str:
        if at in self.earlier:
            return self.earlier[at].name
        if self.forms[at] == WHOLE:
            return RESOLUTIONS[WHOLE]
        return name_resolution(self.rows[at], size, small=small)


def recede(
    newest: Iterator[MemoryRow], room: int, *, markers: int, tags: int, small: bool = False
) -> Recession:
    """Fill `room` tokens from the newest memory on.

    `markers` and `tags` are the tokens of all of them. With `small` none is loaded whole (REEL §6.3). Only as
    many rows are read as can matter.
    """
    past = Recession(room)
    walk = _Walk(past, newest)
    if not small:
        walk.stretch(WHOLE, markers, MARKERS_KEPT)
    whole_tags = sum(row.tag for row, form in zip(past.rows, past.forms, strict=True) if form == WHOLE)
    walk.stretch(MARKER, tags - whole_tags, TAGS_KEPT)
    walk.stretch(TAG, 0, 0)
    _use_what_is_left(past)
    return past


class _Walk:
    """The three stretches over one sequence of rows, read as they are reached."""

    def __init__(self, past: Recession, newest: Iterator[MemoryRow]) -> None:
        self.past = past
        self.newest = newest

    def _pending(self) -> Iterator[tuple[int, MemoryRow]]:
        """Yield the memories not loaded yet, and then those not read yet."""
        past = self.past
        for at in range(len(past.rows)):
            if past.forms[at] == OUT:
                yield at, past.rows[at]
        for row in self.newest:
            past.rows.append(row)
            past.forms.append(OUT)
            yield len(past.rows) - 1, row

    def stretch(self, form: int, fainter: int, percent: int) -> None:
        """Load in one form until one does not fit; `fainter` is what all of these take in the next form."""
        past, most = self.past, self.past.room * percent // 100
        passed = 0
        for at, row in self._pending():
            if past.used + passed >= past.room:
                return
            size = _size(row, form)
            if form != TAG:
                fainter -= _size(row, form + 1)
            kept = min(most, fainter)
            if past.used + passed + size + kept <= past.room:
                past.change(at, form)
            elif size + kept > past.room:
                passed += _size(row, form + 1)
            else:
                return


def _size(row: MemoryRow, form: int) -> int:
    return (row.whole, row.marker, row.tag, 0)[form]


def _use_what_is_left(past: Recession) -> None:
    """Make markers of the newest tags; what is left is less than a marker, so it makes nothing whole."""
    for at, row in enumerate(past.rows):
        if past.forms[at] <= MARKER:
            continue
        if past.forms[at] == OUT or past.used + row.marker - row.tag > past.room:
            break
        past.change(at, MARKER)


def align(past: Recession, count: int, immune: Collection[str]) -> None:
    """Move the ends of the stretches to those of blocks, so that they are the same on most evenings.

    Blocks are counted from the oldest of all `count` memories, so they stay where they are when another is
    kept. Where markers begin within a block, its whole memories become markers; where tags begin within one,
    its markers become tags; where memories begin within one, its tags are left out. `immune` memories and the
    newest block stay as they are.
    """
    newest = (count - 1) // BLOCK * BLOCK
    plain = [at for at, row in enumerate(past.rows) if row.id not in immune]
    for form, coarser in ((TAG, OUT), (MARKER, TAG), (WHOLE, MARKER)):
        last = [at for at in plain if past.forms[at] <= form][-1:]
        if last == plain[-1:] and len(past.rows) == count:
            # no memory is coarser
            continue
        end = min(-(-(count - 1 - sum(last)) // BLOCK) * BLOCK, newest) if last else 0
        for at in reversed(plain):
            if count - 1 - at >= end:
                break
            if past.forms[at] == form:
                past.change(at, coarser)


def read_on(past: Recession, newest: Iterator[MemoryRow]) -> None:
    """Read the memories behind those that were walked, as far as any of them may come first."""
    for row in islice(newest, max(0, MOST_READ - len(past.rows))):
        past.rows.append(row)
        past.forms.append(OUT)


def keep_immune(past: Recession, immune: Collection[str], newest: Iterator[MemoryRow]) -> None:
    """Load immune memories as markers at least, the newest first, within a share of the room.

    Others yield, the oldest first: markers become tags, then tags are left out. `newest` are the rows not
    read yet; a long life is not looked through to its beginning.
    """
    read_on(past, newest)
    share = past.room * IMMUNE_SHARE // 100
    for at, row in enumerate(past.rows):
        if row.id not in immune:
            continue
        share -= row.marker
        if share < 0:
            break
        if past.forms[at] > MARKER:
            _make_room(past, row.marker - past.size(at), immune)
            if past.used + row.marker - past.size(at) <= past.room:
                past.change(at, MARKER)


def _make_room(past: Recession, tokens: int, immune: Collection[str]) -> None:
    """Load other memories coarser, from the oldest on, until so many tokens are free."""
    for form in (MARKER, TAG):
        for at in range(len(past.rows) - 1, -1, -1):
            if past.used + tokens <= past.room:
                return
            if past.forms[at] == form and past.rows[at].id not in immune:
                past.change(at, form + 1)


Earlier = Callable[[Sequence[MemoryRow]], Mapping[str, Sequence[EarlierForm]]]


def refine(
    past: Recession, room: int, blocks: Iterable[Sequence[int]], earlier: Earlier, *names: str
) -> bool:
    """Load memories finer within `room` more tokens, and return whether any is.

    They become of each of the forms `names`, in that order: each block of places together, up to the first
    that does not fit. One that would not fit alone is passed over. `earlier` returns the forms that history
    has.
    """
    tokens_before = past.used
    order = [tuple(block) for block in blocks]
    rows = [past.rows[at] for block in order for at in block]
    faded = [row for row in dict.fromkeys(rows) if row.level != "L1" and not row.brought]
    forms = earlier(faded[: room // LEAST_GAINED + 1])
    most = room
    for name in names:
        for block in order:
            options = {at: _options(past, at, forms, name) for at in block}
            more = sum(found[0].tokens - past.size(at) for at, found in options.items() if found)
            if more > room and len(block) == 1:
                # a coarser text of the same form may fit
                at = block[0]
                options[at] = [one for one in options[at] if one.tokens - past.size(at) <= room]
                more = sum(one.tokens - past.size(at) for one in options[at][:1])
            if room < more <= most:
                break
            if more <= room:
                room -= more
                for at, found in options.items():
                    for form in found[:1]:
                        _take(past, at, form)
    return past.used != tokens_before


def blocks_of(past: Recession, count: int) -> Iterator[Sequence[int]]:
    """Yield the places of the memories walked: those of the newest block one by one, then block by block."""
    newest = count - (count - 1) // BLOCK * BLOCK
    yield from ([at] for at in range(min(newest, len(past.rows))))
    for start in range(newest, len(past.rows), BLOCK):
        yield range(start, min(start + BLOCK, len(past.rows)))


def _options(
    past: Recession, at: int, earlier: Mapping[str, Sequence[EarlierForm]], name: str
) -> Sequence[EarlierForm]:
    """Return the forms of one name in which a memory would be finer, the finest first.

    Its file's have no text here.
    """
    row = past.rows[at]
    own = EarlierForm(name, row.whole if name == "whole" else row.marker, "")
    found = [form for form in (*earlier.get(row.id, ()), own) if form.name == name]
    return sorted((form for form in found if form.tokens > past.size(at)), key=lambda form: -form.tokens)


def _take(past: Recession, at: int, form: EarlierForm) -> None:
    """Load a memory in this form."""
    if form.text:
        past.take_earlier(at, form)
    else:
        past.change(at, WHOLE if form.name == "whole" else MARKER)


def name_resolution(row: MemoryRow, size: int, *, small: bool = False) -> str:
    """Return the name of a form of this size: the finest it equals; never `whole` in a small window.

    An L3 is its marker, an L4 its tag: loaded as they stand they are whole, in a small window marker and tag.
    """
    if size == row.whole and not small:
        return "whole"
    if size == row.marker and not (small and row.level == "L4"):
        return "marker"
    return "tag"
