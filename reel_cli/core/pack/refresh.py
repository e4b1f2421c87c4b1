"""A short refresh for the middle of a chat: where things stand, and what is new since the last bundle."""

from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.pack.budget import no_room
from reel_cli.core.pack.clashes import load_clashes
from reel_cli.core.pack.draft import BundleDraft
from reel_cli.core.pack.load_past import NO_TAG, OLDER_LINE
from reel_cli.core.pack.memory_levels import recede
from reel_cli.core.pack.part import BundlePart, Terms
from reel_cli.core.pack.unit import Beyond, Unit
from reel_cli.core.pack.words import FRAME, NOW
from reel_cli.core.ports import table
from reel_cli.core.values.holdings import LineRow, MemoryRow

IN_THE_CHAT = "in this conversation already"
NOT_NEW = "not new since the last time"


class Refresher:
    """A loader of ring 2, whole, and of the memories and lines that are new or changed since `since`.

    New is what has a number above the highest known then; of the older ones only those that were loaded
    then are held against how they read now.
    """

    def __init__(self, terms: Terms, room: int, parts: Sequence[BundlePart] = ()) -> None:
        """Load into `room` tokens what is new of the holdings and of the features' `parts`."""
        self.terms = terms
        self.holdings, self.budget, self.writer = terms.holdings, terms.budget, terms.writer
        self.since: Mapping[str, str] = terms.since or {}
        self.room = room
        self.parts = parts

    def load(self) -> BundleDraft:
        """Load what is new; ReelError when working memory alone does not fit."""
        held = self.holdings
        made = BundleDraft()
        style, unit = self.writer.style, self.writer.unit
        name = held.core.settings.name
        opening = unit(FRAME, "opening", style.refresh_opening(name, purged=self.terms.purged))
        closing = unit(FRAME, "closing", style.refresh_closing(name))
        now = unit(
            "2", "working", style.verbatim(NOW, held.core.working) if held.core.working.strip() else ""
        )
        made.open(self.parts, self.terms)
        needs = {
            "working memory": _tokens(now),
            **{part.part.need: part.least for part in made.parts if part.part.need},
            "headings and frame": _tokens(opening) + _tokens(closing) + self.budget.room - self.room,
        }
        rest = self.room - _tokens([*opening, *now, *closing])
        if rest < sum(part.least for part in made.parts):
            raise no_room(self.budget, needs)
        must = [part.part.rings[0] for part in made.parts if part.part.need]
        rest = self._fill(made, must, rest)
        made.left.add("0", [i for i, t in self._ring0() if t.strip()], IN_THE_CHAT)
        made.left.add("1", [exemplar.slug for exemplar in held.core.exemplars], IN_THE_CHAT)
        order: Sequence[str] = [name for name in table().ROOM if name not in must]
        at = order.index("clash")
        rest = self._fill(made, order[:at], rest)
        clashes, _ = load_clashes(held, self.writer, rest, made.left, self.since)
        made.marks.update({f"{FRAME}:{unit.id}": "told" for unit in clashes})
        rest = self._fill(made, order[at + 1 :], rest - _tokens(clashes))
        lines = self._load_lines(made, rest)
        memories = self._load_memories(made, rest - _tokens(lines))
        made.lay(opening, {"2": now, "4": lines, "3": memories, "clash": clashes}, closing)
        return made

    def _fill(self, made: BundleDraft, names: Sequence[str], rest: int) -> int:
        """Fill these parts' room, and return what is left of it."""
        parts = {part.part.rings[0]: part for part in made.parts}
        for part in (parts[name] for name in names if name in parts):
            part.fill(rest)
            part.settle()
            rest = 0 if part.squeezed else rest - part.tokens
        return rest

    def _ring0(self) -> Sequence[tuple[str, str]]:
        return (("identity", self.holdings.core.identity), ("directives", self.holdings.core.directives))

    def _is_new(self, ring: str, item: str, mark: str) -> bool:
        known = self.since.get(f"{ring}:{item}")
        if known is not None:
            return known != mark
        highest = self.since.get("newest", "0")
        return _number(item) > (int(highest) if highest.isdigit() else 0)

    def _load_lines(self, made: BundleDraft, rest: int) -> list[Unit]:
        held = self.holdings.lines
        new = [row for row in held.newest() if self._is_new("4", row.id, row.mark)]
        left = min(self.budget.ranges["4"][1], rest) - self.writer.lines_overhead(held)
        picked: list[LineRow] = []
        for row in new:
            if row.tokens > left:
                break
            picked.append(row)
            left -= row.tokens
        loaded = {row.id: row.mark for row in picked}
        made.left.add("4", [row.id for row in new if row.id not in loaded], OLDER_LINE)
        fresh = {row.id for row in new}
        made.left.add("4", [line for line in held.ids() if line not in fresh], NOT_NEW)
        made.marks.update({f"4:{line}": mark for line, mark in loaded.items()})
        return self.writer.lines(picked, held.texts(loaded), more=True, more_heard=True)

    def _load_memories(self, made: BundleDraft, rest: int) -> list[Unit]:
        held = self.holdings.memories
        new = [row for row in held.newest() if self._is_new("3", row.id, row.mark)]
        past = recede(
            _each(new),
            max(rest - self.writer.memories_overhead(held), 0),
            markers=sum(row.marker for row in new),
            tags=sum(row.tag for row in new),
            small=self.budget.small,
        )
        loaded = past.loaded(small=self.budget.small)
        names = {row.id: name for row, name, _ in loaded}
        fresh = {row.id for row in new}
        made.left.add("3", [row.id for row in new if row.id not in names], NO_TAG)
        made.left.add("3", [memory for memory in held.ids() if memory not in fresh], NOT_NEW)
        made.marks.update({f"3:{row.id}": row.mark for row, _, _ in loaded})
        return self.writer.memories(loaded, held.texts(names), Beyond(lived=True, told=True))


def _each(rows: Sequence[MemoryRow]) -> Iterator[MemoryRow]:
    yield from rows


def _number(item: str) -> int:
    digits = item.rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _tokens(units: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in units)
