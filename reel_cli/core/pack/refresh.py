"""A short refresh for the middle of a chat: where things stand, and what is new since the last bundle."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack.budget import Budget, no_room
from reel_cli.core.pack.clashes import load_clashes
from reel_cli.core.pack.extra_parts import look_up_rows, take_from_shelf
from reel_cli.core.pack.loading import NO_TAG, OLDER_LINE, Loading
from reel_cli.core.pack.notices import told_about
from reel_cli.core.pack.receding import recede
from reel_cli.core.pack.units import FRAME, Unit, Writer
from reel_cli.core.pack.words import NOW
from reel_cli.core.values.holdings import Holdings, LineRow, MemoryRow
from reel_cli.features.facts.bundle import begin_known, fill_known

if TYPE_CHECKING:
    from reel_cli.features.dream.waking.bundle import Woken
    from reel_cli.features.dream.waking.parts import Boot
    from reel_cli.features.shelf.row import Shelved
    from reel_cli.features.stream.cycles import Buffer
    from reel_cli.features.tables.row_request import AskedRow

IN_THE_CHAT = "in this conversation already"
NOT_NEW = "not new since the last time"


class Refresher:
    """Loads ring 2, whole, and the memories and lines that `since` does not know, or knows otherwise.

    New is what has a number above the highest known then; of the older ones only those that were loaded
    then are held against how they read now.
    """

    def __init__(  # noqa: PLR0913 (what is packed, how much of it, how it is written, what is known)
        self,
        holdings: Holdings,
        budget: Budget,
        writer: Writer,
        room: int,
        since: Mapping[str, str],
        *,
        boot: "Boot | None" = None,
        rows: "Sequence[AskedRow] | None" = None,
        shelved: "Shelved | None" = None,
        buffer: "Buffer | None" = None,
    ) -> None:
        """Load what `since`, an earlier bundle's fingerprint, does not know; of all that is beside too.

        How the conversation began (`buffer`) stands in it already.
        """
        self.holdings = holdings
        self.budget = budget
        self.writer = writer
        self.room = room
        self.since = since
        self.boot = boot
        self.rows = rows
        self.buffer = buffer
        self.shelved = shelved

    def load(self) -> Loading:
        """Load what is new; ReelError when working memory alone does not fit."""
        held = self.holdings
        made = Loading(warnings=told_about(held))
        style, unit = self.writer.style, self.writer.unit
        name = held.core.settings.name
        opening = unit(FRAME, "opening", style.refresh_opening(name))
        closing = unit(FRAME, "closing", style.refresh_closing(name))
        now = unit(
            "2", "working", style.verbatim(NOW, held.core.working) if held.core.working.strip() else ""
        )
        known = begin_known(made, held, self.budget, self.writer, self.since)
        needs = {
            "working memory": _tokens(now),
            "the facts": known.tokens if known else 0,
            "the words around it": _tokens(opening) + _tokens(closing) + self.budget.room - self.room,
        }
        rest = self.room - _tokens([*opening, *now, *closing])
        if rest < (known.tokens if known else 0):
            raise no_room(self.budget, needs)
        facts = fill_known(made, known, rest)
        rest -= _tokens(facts)
        made.left.add("0", [i for i, t in self._ring0() if t.strip()], IN_THE_CHAT)
        made.left.add("1", [exemplar.slug for exemplar in held.core.exemplars], IN_THE_CHAT)
        if self.buffer is not None and self.buffer.cycles:
            from reel_cli.features.stream.beginning_bundle import leave_out_whole

            leave_out_whole(made.left, self.buffer)
        clashes, _ = load_clashes(held, self.writer, rest, made.left, self.since)
        made.marks.update({f"{FRAME}:{unit.id}": "told" for unit in clashes})
        rest -= _tokens(clashes)
        woken = self._wake(made, rest)
        rest = 0 if woken.squeezed else rest - woken.tokens
        rows = look_up_rows(made, self.rows, self.budget, self.writer, rest, self.since)
        asked = rows.units if rows is not None else []
        rest = 0 if rows is not None and rows.squeezed else rest - _tokens(asked)
        shelf = take_from_shelf(made, self.shelved, self.budget, self.writer, rest, self.since)
        desk = shelf.units if shelf is not None else []
        rest = 0 if shelf is not None and shelf.squeezed else rest - _tokens(desk)
        lines = self._load_lines(made, rest)
        memories = self._load_memories(made, rest - _tokens(lines))
        past = [*lines, *memories, *desk, *asked]
        made.units = [*opening, *woken.units, *facts, *now, *past, *clashes, *closing]
        return made

    def _wake(self, made: Loading, rest: int) -> "Woken":
        """Load what is new of the story and the context; what was said last is in the chat, or before it."""
        from reel_cli.features.dream.waking.bundle import Waker, Woken

        if self.boot is None:
            return Woken()
        waker = Waker(self.boot, self.budget.boot, self.writer, self.since)
        woken = waker.wake(rest, small=self.budget.small)
        made.take_in(self.boot, woken)
        return woken

    def _ring0(self) -> Sequence[tuple[str, str]]:
        return (("identity", self.holdings.core.identity), ("directives", self.holdings.core.directives))

    def _is_new(self, ring: str, item: str, mark: str) -> bool:
        known = self.since.get(f"{ring}:{item}")
        if known is not None:
            return known != mark
        highest = self.since.get("newest", "0")
        return _number(item) > (int(highest) if highest.isdigit() else 0)

    def _load_lines(self, made: Loading, rest: int) -> list[Unit]:
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

    def _load_memories(self, made: Loading, rest: int) -> list[Unit]:
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
        return self.writer.memories(loaded, held.texts(names), more=True, more_told=True)


def _each(rows: Sequence[MemoryRow]) -> Iterator[MemoryRow]:
    yield from rows


def _number(item: str) -> int:
    digits = item.rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _tokens(units: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in units)
