"""Loading the past into what is left of a budget: the index (ring 4) and the memories (ring 3)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.draft import BundleDraft, tokens_of
from reel_cli.core.pack.memory_levels import (
    LEAST_GAINED,
    MARKER,
    MOST_READ,
    Recession,
    align,
    blocks_of,
    keep_immune,
    read_on,
    recede,
    refine,
)
from reel_cli.core.pack.part import Terms
from reel_cli.core.pack.unit import RECALLED, SETTLED, STANDING, YIELDING, Beyond, Unit, count_apart
from reel_cli.core.pack.words import LET_GO
from reel_cli.core.values.holdings import (
    RESOLUTIONS,
    EarlierForm,
    Holdings,
    LineRow,
    MemoryRow,
    Tie,
    count_settled,
)

NO_TAG = "no room even for a tag"
LOADED_WHOLE = "its memory is loaded whole"
TOLD_ABOVE = "its evening is told already"
OLDER_LINE = "older than the lines that fit"
NO_LINE = "no room for the index"
_LINE_REASONS = (TOLD_ABOVE, LOADED_WHOLE, OLDER_LINE, NO_LINE)
WHOLE_SHARE = 34
"""Part of the room, one in so many, that may stay unused."""
LEAST_SMALL, LEAST = (5, 6), (2, 3)
"""Part of what is left that index and memories have before a part that yields."""


class PastLoader:
    """A loader of one kit's index and memories into a bundle."""

    def __init__(self, made: BundleDraft, terms: Terms, holdings: Holdings, touched: Collection[str]) -> None:
        """Load `holdings`, which are those of `terms` or some of them, into `made`.

        `touched` are the lines that the conversation touches.
        """
        self.made = made
        self.terms = terms
        self.holdings, self.budget, self.writer = holdings, terms.budget, terms.writer
        self.touched = touched
        self.counts = count_apart(terms.holdings.memories), count_apart(terms.holdings.lines)
        """Numbers of memories and lines, lived and not, including those set aside."""
        self.past = Recession(0)
        """The memories that are loaded, each in its form."""
        self._at_length: Collection[str] = ()
        """The memories that are whole within their share, before room that is left over is used."""
        self._gone: Collection[str] | None = None
        """The lines of memories that were let go; None where nobody looked."""
        self._apart = False
        """True if scenes stand below memories."""
        self._late = False
        """True if something stands between the memories that have settled and those of the last evenings."""
        self._lines: int | None = None
        """Tokens of the index, at most; None where nobody counted."""
        self._ties: Sequence[Tie] | None = None
        """The threads that go on; None where nobody looked."""

    @property
    def all_marked(self) -> bool:
        """Return whether every memory is a marker at least."""
        return sum(form <= MARKER for form in self.past.forms) == self.holdings.memories.count

    def least(self, rest: int) -> int:
        """Return the tokens that index and memories have before a part that yields: all lines and markers.

        They are at most two thirds of what is left, and five sixths in a small window.
        """
        parts, of = LEAST_SMALL if self.budget.small else LEAST
        return min(self.all_tokens(), rest * parts // of)

    def all_tokens(self) -> int:
        """Return the tokens of all lines, up to the index's most, and of all markers."""
        memories = self.holdings.memories
        tokens = memories.markers + self._overhead() if memories.count else 0
        if self._lines is None:
            self._lines = self._line_tokens()
        return tokens + self._lines

    def _line_tokens(self) -> int:
        """Return the tokens of all lines; in a small window of those that no memory tells, if all may fit."""
        lines, memories = self.holdings.lines, self.holdings.memories
        tokens = lines.tokens
        if self.budget.small and memories.markers <= self.budget.room:
            from reel_cli.core.pack.line_choice import LineChoice

            tokens = sum(row.tokens for row in LineChoice(lines, {*memories.ids()}).rows)
        return min(tokens + self.writer.lines_overhead(lines), self.budget.ranges["4"][1]) if tokens else 0

    def load(self, rest: int) -> int:
        """Load the index and the memories into `rest` tokens; return what is left of them."""
        made = self.made
        told = [unit for part in made.parts for unit in part.units]
        self._late = any(unit.spot == STANDING for unit in told)
        made.core["4"] = self._load_lines(0 if made.squeezed else rest)
        self._at_length = self.past.whole(small=self.budget.small)
        made.core["3"] = self._write_memories()
        rest -= tokens_of([*made.core["4"], *made.core["3"]])
        if not made.squeezed and not made.keeps_free:
            rest -= self._refine(rest, [*self._first(immune=True), *self._blocks()], "marker")
        return rest

    def refine_blocks(self, rest: int) -> None:
        """Load what the conversation touches finer within `rest`, then block after block.

        In a small window only those of the last evenings are told whole, where others have settled.
        """
        blocks = [*self._first(immune=False), *self._blocks()]
        settled = count_settled(self.holdings.memories.count) if self.budget.small else 0
        if settled:
            rest -= self._refine(rest, blocks, "marker")
            late = self.holdings.memories.count - settled
            blocks = [block for block in blocks if all(at < late for at in block)]
            self._refine(rest, blocks, "whole")
        else:
            self._refine(rest, blocks, "marker", "whole")

    def refine_each(self, rest: int) -> None:
        """Load memories finer within `rest`, one after the other, also those that no stretch came to."""
        read = len(self.past.rows)
        if rest * WHOLE_SHARE > self.budget.room and 0 < read < self.holdings.memories.count:
            read_on(self.past, islice(self.holdings.memories.newest(), read, None))
        each = [*self._blocks(), *([at] for at in range(len(self.past.rows)))]
        rest -= self._refine(rest, each, "marker", "whole")
        while more := self._refine_closely(rest, each):
            rest -= more

    def stand_around(self, scenes: Sequence[Unit]) -> None:
        """Write the memories again where scenes stand below them or before some of them."""
        self._apart = any(unit.page for unit in scenes)
        self._late = self._late or any(unit.spot in (SETTLED, YIELDING) for unit in scenes)
        if self._apart or self._late:
            self.made.core["3"] = self._write_memories()

    def add_lines(self, rest: int) -> None:
        """Load the lines of what is told already too, where nothing else has use for the room."""
        lines, loaded = self.holdings.lines, self.made.core["4"]
        if len(loaded) == lines.count or rest * WHOLE_SHARE <= self.budget.room:
            return
        room = min(self.budget.ranges["4"][1], rest + tokens_of(loaded)) - self.writer.lines_overhead(lines)
        picked = _take(lines.newest(), room) if self.budget.small else self._pick_lines(room)
        if len(picked) > len(loaded):
            self.made.left.drop("4", _LINE_REASONS)
            self.made.core["4"] = self._write_lines(picked)

    def use_left(self, rest: int) -> None:
        """Load lines beyond the index's range within `rest`, the immune ones first."""
        lines, units = self.holdings.lines, self.made.core["4"]
        told = {unit.id for unit in units}
        if len(told) == lines.count:
            return
        rows = sorted(lines.newest(), key=lambda row: (row.id not in told, not row.immune, -row.place))
        picked = _take(rows, rest + tokens_of(units) - self.writer.lines_overhead(lines), passing=True)
        if len(picked) > len(told):
            self._load_beyond(picked)

    def add_untold(self, rest: int) -> None:
        """Load within `rest` the lines of what no memory tells, which is known by nothing else (REEL §4.5).

        They may go beyond the index's range, for what comes next are passages that nobody asked for.
        """
        lines, units = self.holdings.lines, self.made.core["4"]
        if self.budget.small or len(units) == lines.count or rest <= 0:
            return
        there = {unit.id for unit in units}
        untold = self._find_untold()
        if untold.keys() <= there:
            return
        rows = [row for row in lines.newest() if row.id in there]
        rows += sorted(
            (untold[name] for name in untold.keys() - there), key=lambda r: (not r.immune, -r.place)
        )
        picked = _take(rows, rest + tokens_of(units) - self.writer.lines_overhead(lines), passing=True)
        if len(picked) > len(there):
            self._load_beyond(picked)

    def _load_beyond(self, picked: list[LineRow]) -> None:
        """Load lines that may take more than the index's range."""
        self.made.left.drop("4", _LINE_REASONS)
        self.made.core["4"] = self._write_lines(sorted(picked, key=lambda row: -row.place))
        self.made.lifted["4"] = max(tokens_of(self.made.core["4"]) - self.budget.ranges["4"][1], 0)

    def _find_untold(self) -> Mapping[str, LineRow]:
        """Return the lines of what no loaded memory tells, not even in a line of its own, by their names."""
        from reel_cli.core.pack.line_choice import LineChoice

        told = {row.id for row, _, _ in self.past.loaded(small=False)}
        return {row.id: row for row in LineChoice(self.holdings.lines, told).rows}

    def account(self) -> None:
        """Write down which memories are told and which were left out."""
        loaded = self.past.loaded(small=self.budget.small)
        names = {row.id for row, _, _ in loaded}
        if any(self._is_more(loaded)):
            out = [m for m in self.holdings.memories.ids() if m not in names]
            self.made.left.add("3", out, NO_TAG)
        self.made.marks.update({f"3:{row.id}": row.mark for row, _, _ in loaded})
        self.made.ties = self._ties or ()
        self.made.fuller = {
            row.id for row, name, _ in loaded if name == RESOLUTIONS[0] and row.id not in self._at_length
        }
        full = {row.id for row, name, _ in loaded if name != "tag"}
        self.made.chosen += [
            f"{tie.id}: goes on with: {tie.thread}" for tie in self.made.ties if tie.id in full
        ]

    def _overhead(self) -> int:
        return self.writer.memories_overhead(
            self.holdings.memories, late=self._late, gone=len(self._list_gone()) if self.budget.small else 0
        )

    # -- finer forms -----------------------------------------------------------------------

    def _refine(self, rest: int, blocks: Sequence[Sequence[int]], *forms: str) -> int:
        """Load memories finer within `rest`, block after block; return what they take more."""
        if rest * WHOLE_SHARE <= self.budget.room or not self.past.rows:
            return 0
        before = tokens_of(self.made.core["3"])
        # the headings that are written already are paid for
        room = rest - max(self._overhead() - (before - self.past.used), 0)
        if refine(self.past, room, blocks, self._earlier, *forms):
            self.made.core["3"] = self._write_memories()
        return tokens_of(self.made.core["3"]) - before

    def _refine_closely(self, rest: int, each: Sequence[Sequence[int]]) -> int:
        """Load memories finer within `rest`, by the headings that come of it in place of the most they take.

        Return what they take more.
        """
        if rest * WHOLE_SHARE <= self.budget.room or not self.past.rows:
            return 0
        units, past = self.made.core["3"], self.past
        room = rest
        while room > 0:
            self.past = past.copy()
            if not refine(self.past, room, each, self._earlier, "marker", "whole"):
                break
            self.made.core["3"] = self._write_memories()
            more = tokens_of(self.made.core["3"]) - tokens_of(units)
            if more <= rest:
                return more
            room -= more - rest
        self.past, self.made.core["3"] = past, units
        return 0

    def _first(self, *, immune: bool) -> Sequence[Sequence[int]]:
        """Return the places of memories that become finer first: what is touched, and `immune` ones."""
        first = set(self.holdings.lines.immune_ids()) if immune else set[str]()
        first |= {*self.touched, *(tie.id for tie in self._ties or ())}
        return [[at] for at, row in enumerate(self.past.rows) if row.id in first]

    def _blocks(self) -> Sequence[Sequence[int]]:
        """Return the places of all memories, in blocks that hardly change from one evening to the next."""
        return list(blocks_of(self.past, self.holdings.memories.count))

    def _earlier(self, rows: Sequence[MemoryRow]) -> Mapping[str, Sequence[EarlierForm]]:
        """Return the forms that history has of memories, as far as it can be read."""
        if self.holdings.earlier is None or not rows:
            return {}
        try:
            earlier = self.holdings.earlier()
            if earlier is None:
                return {}
            held = self.holdings
            return earlier.of(rows, self.writer.style, held.counter, held.notebook)
        except ReelError:
            # history may be cut short or damaged; doctor names what is wrong with it
            return {}

    # -- the index -------------------------------------------------------------------------

    def _load_lines(self, rest: int) -> list[Unit]:
        """Load the index up to its most, and choose the memories' forms in what is left then."""
        lines = self.holdings.lines
        overhead = self.writer.lines_overhead(lines) if lines.count else 0
        most = self.budget.ranges["4"][1]
        if self.budget.small:
            return self._load_small(rest, most, overhead)
        if lines.tokens + overhead <= min(most, rest):
            picked = list(lines.newest())
            self.past = self._recede(rest - lines.tokens - overhead)
        elif rest <= most:
            self.past = self._recede(0)
            picked = self._pick_lines(rest - overhead)
        else:
            self.past = self._recede(rest - most)
            picked = self._pick_lines(most - overhead)
            used = sum(row.tokens for row in picked) + overhead if picked else 0
            self._recede_into_rest(rest - used)
        return self._write_lines(picked)

    def _load_small(self, rest: int, most: int, overhead: int) -> list[Unit]:
        """Load the memories, and in what they leave the newest lines of what they do not tell."""
        lines = self.holdings.lines
        self.past = self._recede(rest)
        most = min(most, max(rest - self.past.used - self._overhead(), 0))
        picked: list[LineRow] = []
        above: Collection[str] = ()
        if lines.count and rest > overhead:
            from reel_cli.core.pack.line_choice import LineChoice

            choice = LineChoice(lines, {row.id for row, _, _ in self.past.loaded(small=True)})
            room = min(most, rest) - overhead
            # where not even the shortest fits, the lines of a whole life are not gone through
            picked = _take(choice.rows, room) if room >= lines.least else []
            used = sum(row.tokens for row in picked) + overhead if picked else 0
            self.past = self._recede(rest - used)
            told = {row.id for row, _, _ in self.past.loaded(small=True)}
            picked = [row for row in picked if row.id not in told]
            above = {*choice.above, *told.intersection(lines.ids())}
        return self._write_lines(picked, above)

    def _pick_lines(self, room: int) -> list[LineRow]:
        """Pick the lines that fit.

        Those of memories loaded whole go first, then of what memories tell the oldest that are neither immune
        nor touched by the cue, then the oldest left of these, and last the lines of what nothing else tells.
        """
        lines = self.holdings.lines
        if room <= 0:
            return []
        whole = self.past.whole(small=False)
        if touched := self.touched:
            rows = list(lines.newest())
            kept: Iterable[LineRow] = (r for r in rows if r.immune or r.id in touched)
            plain: Iterable[LineRow] = (r for r in rows if not (r.immune or r.id in touched))
        else:
            kept, plain = lines.newest(immune=True), lines.newest(immune=False)
        untold = self._find_untold()
        spoken = chain((r for r in kept if r.id not in whole), (r for r in plain if r.id not in whole))
        fading = (row for row in lines.newest() if row.id in whole)
        others = [row for row in spoken if row.id not in untold]
        alone = sorted(untold.values(), key=lambda r: (not (r.immune or r.id in touched), -r.place))
        order = chain(alone, others, fading)
        return sorted(_take(order, room), key=lambda row: -row.place)

    def _write_lines(self, picked: list[LineRow], above: Collection[str] = ()) -> list[Unit]:
        lines, left = self.holdings.lines, self.made.left
        loaded = {row.id: row.mark for row in picked}
        heard = sum(row.brought for row in picked)
        more, more_heard = len(loaded) - heard < self.counts[1][0], heard < self.counts[1][1]
        if more or more_heard:
            whole = self.past.whole(small=self.budget.small)
            out = [line for line in lines.ids() if line not in loaded]
            left.add("4", [line for line in out if line in above], TOLD_ABOVE)
            out = [line for line in out if line not in above]
            left.add("4", [line for line in out if line in whole], LOADED_WHOLE)
            left.add("4", [line for line in out if line not in whole], OLDER_LINE if picked else NO_LINE)
        self.made.marks.update({f"4:{line}": mark for line, mark in loaded.items()})
        units = self.writer.lines(picked, lines.texts(loaded), more=more, more_heard=more_heard)
        # in a small window only those of what no memory tells are there, and they hardly change
        return [unit._replace(spot=RECALLED) for unit in units] if self.budget.small else units

    # -- the memories ----------------------------------------------------------------------

    def _recede(self, room: int) -> Recession:
        memories = self.holdings.memories
        if memories.count:
            room -= self._overhead()
        newest = memories.newest()
        past = recede(
            newest,
            max(room, 0),
            markers=memories.markers,
            tags=memories.tags,
            small=self.budget.small,
        )
        if past.rows and self.budget.small and self.holdings.core.settings.pack_threads:
            self._follow_threads(past, newest)
        elif self.terms.topped_up and past.rows:
            immune = self.holdings.lines.immune_ids()
            if immune and (max(past.forms) > MARKER or len(past.rows) < memories.count):
                keep_immune(past, immune, newest)
            align(past, memories.count, immune)
        return past

    def _follow_threads(self, past: Recession, newest: Iterator[MemoryRow]) -> None:
        """Load the memories again, those of threads that go on first."""
        from reel_cli.core.pack.thread_order import load_by_ties

        read_on(past, newest)
        if self._ties is None:
            find = self.holdings.ties
            self._ties = find(self.holdings, past.rows[:MOST_READ]) if find is not None else ()
        immune = self.holdings.lines.immune_ids()
        first = {tie.id for tie in self._ties}
        faded = [row for row in sorted(past.rows, key=lambda row: row.id not in first) if row.level != "L1"]
        most = past.room // LEAST_GAINED + 1 if self.terms.topped_up else 0
        finer = {
            name: form
            for name, forms in self._earlier([row for row in faded if not row.brought][:most]).items()
            for form in forms
            if form.name == "marker"
        }
        load_by_ties(past, self._ties, immune, finer)

    def _recede_into_rest(self, room: int) -> None:
        """Use what the index has left over, unless a memory whose line went for being whole no longer is."""
        fuller = self._recede(room)
        if self.past.whole(small=False) <= fuller.whole(small=False):
            self.past = fuller

    def _write_memories(self) -> list[Unit]:
        loaded = self.past.loaded(small=self.budget.small)
        count = self.holdings.memories.count
        late = count - count_settled(count) if self._late and not self._apart else 0
        earlier = {self.past.rows[at].id: form.text for at, form in self.past.earlier.items()}
        texts = self.holdings.memories.texts(
            {row.id: name for row, name, _ in loaded if row.id not in earlier}
        )
        newest = {row.id for row in self.past.rows[:late]}
        units = self.writer.memories(
            loaded, {**texts, **earlier}, self._beyond(loaded), apart=self._apart, late=newest
        )
        return [unit._replace(source="history" if unit.id in earlier else "file") for unit in units]

    def _beyond(self, loaded: Sequence[tuple[MemoryRow, str, int]]) -> Beyond:
        """Return what there is beside these memories: nothing where none ever faded or was let go."""
        more, more_told = self._is_more(loaded)
        lived = [(row, size) for row, name, size in loaded if not row.brought and name == "whole"]
        told = [row for row, _, size in loaded if row.brought and size == row.whole]
        unfaded = sum(row.level == "L1" or size > row.whole for row, size in lived)
        return Beyond(
            more,
            more_told,
            none_lived=unfaded == self.counts[0][0] > 0 and not self._has_let_go(),
            none_told=len(told) == self.counts[0][1],
            gone=self._count_gone(),
        )

    def _has_let_go(self) -> bool:
        """Return whether there is a line of a memory that was let go."""
        return bool(self._list_gone())

    def _list_gone(self) -> Collection[str]:
        """Return the IDs of the lines of memories that were let go."""
        if self._gone is None:
            lines = self.holdings.lines
            self._gone = {name for name, text in lines.texts(lines.ids()).items() if LET_GO in text}
        return self._gone

    def _count_gone(self) -> int:
        """Return how many memories were let go whose lines are left out, in a small window (REEL §10.4)."""
        if not self.budget.small:
            return 0
        there = {unit.id for unit in self.made.core["4"]}
        return sum(name not in there for name in self._list_gone())

    def _is_more(self, loaded: Sequence[tuple[MemoryRow, str, int]]) -> tuple[bool, bool]:
        """Return whether memories were left out, of the lived ones and of those from elsewhere."""
        told = sum(row.brought for row, _, _ in loaded)
        return len(loaded) - told < self.counts[0][0], told < self.counts[0][1]


def _take(rows: Iterable[LineRow], room: int, *, passing: bool = False) -> list[LineRow]:
    """Return rows up to the first that does not fit; skips one that would not fit alone.

    With `passing` each that does not fit is skipped.
    """
    taken: list[LineRow] = []
    left = room
    for row in rows:
        if row.tokens <= left:
            taken.append(row)
            left -= row.tokens
        elif row.tokens <= room and not passing:
            break
    return taken
