"""The marks of old values in one bundle, the list of what changed, and the room that is left for both."""

import json
import re
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.unit import CHANGED
from reel_cli.core.pack.words import FRAME
from reel_cli.core.ports import table
from reel_cli.features.facts.replaced.line_marks import Found, LineMarks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.pack.render import Writer
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.holdings import Holdings

LISTED = frozenset(("3", "4", "scenes", "story"))
"""Rings of what is remembered. Their lines stay as they are, so that a local server need not read them again;
a list below them tells what changed."""
MARKED = frozenset(("2", "context", "facts", *LISTED))
"""Rings whose old values are told: the last conversation is newer than the values that it changed."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TRIES = 4
"""Number of times that a bundle is loaded with less room, until it fits with its marks."""


class BundleMarks:
    """The marks of one kit's bundle, the list of what changed, and the room that they take."""

    def __init__(self, holdings: "Holdings", writer: "Writer", kind: str) -> None:
        """Mark bundles of `holdings`; `kind` is what else they depend on, "" where nothing of it is kept."""
        self._values = holdings.core.old_values
        self._facts = {row.id: row.source for row in holdings.core.facts}
        self._writer = writer
        self._notebook = holdings.notebook
        values = json.dumps(self._values, ensure_ascii=False)
        self._stamp = f"{__version__} {_crc(values)}"
        self._kind = kind
        kept = self._recall(f"marked lines {kind}", self._stamp)
        self._found: dict[str, Found] = json.loads(kept) if kept else {}
        """The contents of the last bundle's units, by their texts."""
        self._state = f"{self._stamp} {holdings.state} {holdings.ring3}" if holdings.state and kind else ""

    def load(self, load: "Callable[[int], BundleDraft]", room: int) -> "BundleDraft":
        """Return what `load` gives in at most `room` tokens, with marks: the rest yields room to them."""
        if not self._values:
            return load(room)
        name = f"room for marks {self._kind} {room}"
        less = int(self._recall(name, self._state) or 0)
        for _ in range(_TRIES):
            try:
                made = load(room - less)
            except NoRoomError:
                # what must be there leaves no room for marks
                less = 0
                break
            units = self._mark(made.units)
            took = _tokens(units) - _tokens(made.units)
            if _tokens(units) <= room:
                self._keep(name, self._state, str(less))
                self._keep(f"marked lines {self._kind}", self._stamp, json.dumps(self._found))
                return _with_units(made, units)
            less = max(took, less + 1)
        made = load(room - less)
        return _with_units(made, self._mark_within(made.units, room))

    def _mark_within(self, units: "Sequence[Unit]", room: int) -> "Sequence[Unit]":
        """Return units with their marks and as much of the list as there is room for, if there is any."""
        most = len(self._values)
        while _tokens(marked := self._mark(units, most)) > room:
            if not most:
                return units
            most //= 2
        return marked

    def _mark(self, units: "Sequence[Unit]", most: int | None = None) -> "list[Unit]":
        """Return the units with their marks, and with a list of what changed in at most `most` lines."""
        marks = LineMarks(self._values, self._facts)
        known, self._found = self._found, {}
        ranks = {name: rank for rank, name in enumerate(table().PAGE)}
        facts = [unit for unit in units if unit.ring == "facts"]
        by_heart = {one.id for one in facts if ranks.get(one.place, len(ranks)) < ranks[CHANGED]}
        below = {one.id for one in facts} - by_heart
        plain: list[Unit] = []
        told: list[Found] = []
        old: list[int] = []
        named: dict[str, str] = {}
        end = 1
        for at, unit in enumerate(units):
            text, names = marks.take_named(unit.text) if unit.ring == "3" else (unit.text, {})
            named |= names
            found = self._find(marks, unit, text, known) if unit.ring in MARKED else ()
            if ranks.get(unit.place, len(ranks)) < ranks[CHANGED]:
                end = at + 1
                if unit.ring in LISTED:
                    old += [one for _, values in found for one in values]
                    found = ()
            told.append(found)
            plain.append(self._write(unit, text))
        full: dict[int, set[tuple[int, int]]] = {}
        for place, line, value in marks.last(told):
            full.setdefault(place, set()).add((line, value))
        marked = [
            self._write(unit, marks.mark(unit.text, found, full.get(place, ())))
            for place, (unit, found) in enumerate(zip(plain, told, strict=True))
        ]
        changes = marks.list_changes(named, old, by_heart, below)[:most]
        return [*marked[:end], *self._writer.changes(changes), *marked[end:]]

    def _find(self, marks: LineMarks, unit: "Unit", text: str, known: "Mapping[str, Found]") -> Found:
        """Return which lines of a unit tell an old value, and write it down."""
        # a statement that has a year does not say when it was told
        dated = self._facts.get(unit.id, "") if unit.ring == "facts" else unit.id
        day = dated[:10] if _DAY.match(dated) else ""
        key = _crc(f"{day} {text}")
        self._found[key] = known[key] if key in known else marks.find(text, day)
        return self._found[key]

    def _write(self, unit: "Unit", text: str) -> "Unit":
        return unit if text == unit.text else unit._replace(text=text, tokens=self._writer.count(text))

    def _recall(self, name: str, stamp: str) -> str | None:
        if self._notebook is None or not (self._kind and stamp):
            return None
        return self._notebook.recall(name, stamp)

    def _keep(self, name: str, stamp: str, value: str) -> None:
        if self._notebook is not None and self._kind and stamp and self._recall(name, stamp) != value:
            self._notebook.keep(name, stamp, value)


def _crc(text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'backslashreplace')):08x}"


def _tokens(units: "Sequence[Unit]") -> int:
    return sum(unit.tokens for unit in units)


def _with_units(made: "BundleDraft", units: "Sequence[Unit]") -> "BundleDraft":
    """Put marked units into a bundle; a ring that is held to a share has room for its marks beside it."""
    marked = [unit for unit in units if (unit.ring, unit.id) != (FRAME, CHANGED)]
    for one, other in zip(made.units, marked, strict=True):
        more = other.tokens - one.tokens
        if more and one.ring in made.shares:
            made.shares = {**made.shares, one.ring: made.shares[one.ring] + more}
        elif more and one.ring == "4":
            made.lifted["4"] = made.lifted.get("4", 0) + more
    made.units = [*units]
    return made
