"""The marks of old values in the units of one bundle, and the room that is left for them."""

import json
import re
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.features.facts.replaced.line_marks import Found, LineMarks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.holdings import Holdings

MARKED = frozenset(("2", "3", "4", "scenes", "story", "context", "facts"))
"""Rings whose lines are marked: the last conversation is newer than the values that it changed."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TRIES = 4
"""Number of times that a bundle is loaded with less room, until it fits with its marks."""


class BundleMarks:
    """The marks of one kit's bundle, and the room that they take."""

    def __init__(self, holdings: "Holdings", kind: str) -> None:
        """Mark bundles of `holdings`; `kind` is what else they depend on, "" where nothing of it is kept."""
        self._values = holdings.core.old_values
        self._facts = {row.id: row.source for row in holdings.core.facts}
        self._count = holdings.counter.count
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
        return _with_units(made, _within(made.units, self._mark(made.units), room))

    def _mark(self, units: "Sequence[Unit]") -> "list[Unit]":
        """Return the units with their marks; which of their lines tell an old value is written down."""
        marks = LineMarks(self._values, self._facts)
        known, self._found = self._found, {}
        told: list[Found] = []
        by_heart = {unit.id for unit in units if unit.ring == "facts"}
        memories = [unit for unit in units if unit.ring == "3"]
        texts = dict(zip(memories, marks.restate([one.text for one in memories], by_heart), strict=True))
        units = [
            one._replace(text=texts[one], tokens=self._count(texts[one]))
            if one in texts and texts[one] != one.text
            else one
            for one in units
        ]
        for unit in units:
            if unit.ring not in MARKED:
                told.append(())
                continue
            # a statement that has a year does not say when it was told
            dated = self._facts.get(unit.id, "") if unit.ring == "facts" else unit.id
            day = dated[:10] if _DAY.match(dated) else ""
            key = _crc(f"{day} {unit.text}")
            self._found[key] = known[key] if key in known else marks.find(unit.text, day)
            told.append(self._found[key])
        full: dict[int, set[tuple[int, int]]] = {}
        for place, line, value in marks.last(told):
            full.setdefault(place, set()).add((line, value))
        marked = []
        for place, (unit, found) in enumerate(zip(units, told, strict=True)):
            text = marks.mark(unit.text, found, full.get(place, ())) if found else unit.text
            marked.append(unit._replace(text=text, tokens=self._count(text)) if found else unit)
        return marked

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


def _within(plain: "Sequence[Unit]", marked: "Sequence[Unit]", room: int) -> "list[Unit]":
    """Return units with as many of the marks as there is room for, the first ones first."""
    left = room - _tokens(plain)
    units = []
    for one, other in zip(plain, marked, strict=True):
        fits = other.tokens - one.tokens <= left
        left -= other.tokens - one.tokens if fits else 0
        units.append(other if fits else one)
    return units


def _with_units(made: "BundleDraft", units: "list[Unit]") -> "BundleDraft":
    """Put marked units into a bundle; a ring that is held to a share has room for its marks beside it."""
    for one, other in zip(made.units, units, strict=True):
        more = other.tokens - one.tokens
        if more and one.ring in made.shares:
            made.shares = {**made.shares, one.ring: made.shares[one.ring] + more}
        elif more and one.ring == "4":
            made.lifted["4"] = made.lifted.get("4", 0) + more
    made.units = units
    return made
