"""Loading rings into a budget, in the protocol's order (REEL §4.7, §6.3): 0, 2, 1, 4, 3.

Where a conversation is known, its beginning comes before all that need not be there. With a warm start
story, context and traces come before ring 1's others, rings 4 and 3.

What comes later in that order yields first. Once something has to yield for lack of room, nothing after it is
loaded at all, so that with less room nothing ever comes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from reel_cli.core.pack.budget import Budget, no_room
from reel_cli.core.pack.clashes import load_clashes
from reel_cli.core.pack.exemplars import Choice, choose_exemplars
from reel_cli.core.pack.extra_parts import look_up_rows, take_from_shelf
from reel_cli.core.pack.notices import told_about
from reel_cli.core.pack.receding import Recession, recede
from reel_cli.core.pack.units import FRAME, Omissions, Unit, Writer, count_apart
from reel_cli.core.pack.words import HOW, NOW, VOICE, VOICE_INTRO, WHO
from reel_cli.core.values.directives import require_short_directives
from reel_cli.core.values.exemplar import MOODS
from reel_cli.core.values.holdings import Holdings, LineRow
from reel_cli.features.facts.bundle import begin_known, fill_known

if TYPE_CHECKING:
    from reel_cli.features.dream.waking.bundle import Woken
    from reel_cli.features.dream.waking.parts import Boot
    from reel_cli.features.shelf.row import Shelved
    from reel_cli.features.stream.beginning_bundle import Beginning
    from reel_cli.features.stream.bundle import Streaming
    from reel_cli.features.stream.cycles import Buffer
    from reel_cli.features.stream.stream import Resumption
    from reel_cli.features.tables.row_request import AskedRow

NO_TAG = "no room even for a tag"
SMALL_ANCHOR = "anchor only at 8K and below"
OVER_RANGE = "over the range for exemplars"
NO_EXEMPLAR = "no room beside what must be there"
LOADED_WHOLE = "its memory is loaded whole"
OLDER_LINE = "older than the lines that fit"
NO_LINE = "no room for the index"


class Loading:
    """A bundle in the making; `marks` of what was loaded change when it does."""

    def __init__(self, warnings: list[str]) -> None:
        """Begin with nothing loaded."""
        self.units: list[Unit] = []
        self.left = Omissions()
        self.warnings = warnings
        self.chosen: list[str] = []
        self.marks: dict[str, str] = {}
        self.shares: Mapping[str, int] = {}
        """What the facts and each part of a warm start had room for, in tokens."""

    def take_in(self, boot: "Boot", woken: "Woken") -> None:
        """Add the account of a warm start's parts."""
        self.warnings += boot.told
        self.shares = {**self.shares, **woken.shares}
        self.marks.update(woken.marks)
        for part, ids, reason in woken.left:
            self.left.add(part, ids, reason)


class Loader:
    """Loads one kit's holdings into `room` tokens (the budget's, or less where counts do not add up)."""

    def __init__(  # noqa: PLR0913 (what is packed, how much of it, how it is written, what for)
        self,
        holdings: Holdings,
        budget: Budget,
        writer: Writer,
        room: int,
        *,
        cue: str = "",
        mood: str | None = None,
        boot: "Boot | None" = None,
        rows: "Sequence[AskedRow] | None" = None,
        stream: "Resumption | None" = None,
        shelved: "Shelved | None" = None,
        buffer: "Buffer | None" = None,
    ) -> None:
        """Load `holdings`, and what is asked for beside the rings.

        `boot` is what a warm start adds, `rows` what was asked for of domain data, `stream` what a kept
        conversation goes on from, `shelved` the files the persona is working with, `buffer` how a
        conversation began.

        `cue` and `mood` say what the conversation is like, where that is known.
        """
        self.holdings = holdings
        self.counts = count_apart(holdings.memories), count_apart(holdings.lines)
        """How many memories and lines there are, lived and not, also those that are set aside."""
        self.budget = budget
        self.writer = writer
        self.room = room
        self.cue = cue
        self.mood = mood
        self.boot = boot
        self.rows = rows
        self.stream = stream
        self.buffer = buffer
        self.shelved = shelved

    def load(self) -> Loading:
        """Load everything; ReelError when what must be there does not fit."""
        made = self._start()
        name = self.holdings.core.settings.name
        self._check_directives()
        style, unit = self.writer.style, self.writer.unit
        opening = unit(FRAME, "opening", style.opening(name))
        closing = unit(FRAME, "closing", style.closing(name, warm=self._warm, label=self._label()))
        self_ = [
            *self._verbatim("0", "identity", WHO, self.holdings.core.identity),
            *self._verbatim("0", "directives", HOW, self.holdings.core.directives),
        ]
        now = self._verbatim("2", "working", NOW, self.holdings.core.working)
        choice = choose_exemplars(self.holdings.core.exemplars, self.holdings.core.active, self._moods())
        voice: list[Unit] = []
        if choice.anchor:
            heading = style.section(VOICE, VOICE_INTRO)
            voice = unit("1", choice.anchor.slug, heading + style.exemplar(choice.anchor))
        known = begin_known(made, self.holdings, self.budget, self.writer)
        going_on = self._go_on()
        must = going_on.least if going_on is not None else 0
        needs = {
            "identity": sum(u.tokens for u in self_ if u.id == "identity"),
            "directives": sum(u.tokens for u in self_ if u.id == "directives"),
            "working memory": _tokens(now),
            "the anchor": _tokens(voice),
            "the facts": known.tokens if known else 0,
            "the conversation's summary": must,
            "the words around them": _tokens(opening) + _tokens(closing) + self.budget.room - self.room,
        }
        rest = self.room - _tokens([*opening, *closing, *self_, *now, *voice]) - must
        if rest < (known.tokens if known else 0):
            raise no_room(self.budget, needs)
        began = self._begin(rest - (known.tokens if known else 0))
        squeezed = began is not None and began.squeezed
        rest -= began.tokens if began else 0
        facts = fill_known(made, known, known.tokens if known and squeezed else rest)
        rest -= _tokens(facts)
        stream = going_on.load_into(made, self.budget, rest) if going_on is not None else []
        rest += must - _tokens(stream) + (began.leave_to(stream) if began else 0)
        made.warnings += choice.warnings
        clashes, ran_out = load_clashes(self.holdings, self.writer, 0 if squeezed else rest, made.left)
        made.marks.update({f"{FRAME}:{unit.id}": "told" for unit in clashes})
        rest -= _tokens(clashes)
        squeezed = squeezed or ran_out
        woken = self._wake(0 if squeezed else rest) if self.boot is not None else None
        if woken is not None:
            squeezed = squeezed or woken.squeezed
            rest += (began.leave_to(woken.units) if began else 0) - woken.tokens
        beside, rest, squeezed = self._load_beside(made, rest, squeezed=squeezed)
        rest, squeezed = self._load_exemplars(made, choice, voice, rest, squeezed=squeezed)
        lines, memories = self._load_past(made, 0 if squeezed else rest)
        if woken is not None and self.boot is not None:
            spare = 0 if squeezed else rest - _tokens([*lines, *memories])
            woken = self._tell_more(woken, spare)
            made.take_in(self.boot, woken)
        told = woken.units if woken is not None else ()
        first = began.add_to(made) if began else ()
        past = [*lines, *memories, *first, *beside]
        made.units = [*opening, *self_, *told, *facts, *now, *voice, *past, *clashes, *stream, *closing]
        return made

    def _start(self) -> Loading:
        """A bundle with nothing in it; what it is not to have of the holdings is set aside."""
        made = Loading(warnings=told_about(self.holdings))
        if self.stream is not None and self.budget.small:
            from reel_cli.features.stream.set_aside import set_aside

            self.holdings = set_aside(self.holdings, self.stream, made.left)
        if 0 < (lines := self.holdings.lines).brought < lines.count:
            from reel_cli.features.stream.set_aside import without_heard

            most = self.budget.ranges["4"][1]
            self.holdings = without_heard(self.holdings, self.writer, most, made.left)
        return made

    def _check_directives(self) -> None:
        if directives := self.holdings.core.directives.strip():
            limit = self.holdings.core.settings.directives_limit
            require_short_directives(self.writer.count(directives), limit)

    def _begin(self, rest: int) -> "Beginning | None":
        """How the conversation began, within `rest` tokens; None where there is none."""
        if self.buffer is None or not self.buffer.cycles:
            return None
        from reel_cli.features.stream.beginning_bundle import Beginning

        return Beginning(self.buffer, self.budget, self.writer, rest)

    def _load_beside(self, made: Loading, rest: int, *, squeezed: bool) -> tuple[list[Unit], int, bool]:
        """What lies on the shelf, and rows asked for; what is left of the room, and whether it ran out."""
        rows = look_up_rows(made, self.rows, self.budget, self.writer, 0 if squeezed else rest)
        if rows is not None:
            squeezed = squeezed or rows.squeezed
            rest -= rows.tokens
        desk = take_from_shelf(made, self.shelved, self.budget, self.writer, 0 if squeezed else rest)
        if desk is not None:
            squeezed = squeezed or desk.squeezed
            rest -= desk.tokens
        units = [*(desk.units if desk is not None else ()), *(rows.units if rows is not None else ())]
        return units, rest, squeezed

    def _go_on(self) -> "Streaming | None":
        """What a kept conversation goes on with, where one does."""
        if self.stream is None:
            return None
        from reel_cli.features.stream.bundle import Streaming

        return Streaming(self.stream, self.writer)

    def _verbatim(self, ring: str, name: str, title: str, text: str) -> list[Unit]:
        return self.writer.unit(ring, name, self.writer.style.verbatim(title, text) if text.strip() else "")

    def _moods(self) -> Mapping[str, Sequence[str]]:
        """The moods called for, each with the words that say so."""
        if self.mood in MOODS:
            return {self.mood: ()}
        if not self.cue.strip():
            return {}
        from reel_cli.core.pack.cue import moods_of

        return moods_of(self.cue)

    def _wake(self, rest: int, more: int = 0) -> "Woken":
        """What a warm start adds within `rest` tokens, the story with `more` beside its share."""
        from reel_cli.features.dream.waking.bundle import Waker
        from reel_cli.features.dream.waking.parts import STORY, Boot

        small = self.budget.small
        # a small window has half of what the shares come to
        more *= 2 if small else 1
        shares = {part: share + (more if part == STORY else 0) for part, share in self.budget.boot.items()}
        return Waker(self.boot or Boot(), shares, self.writer).wake(rest, small=small)

    def _tell_more(self, woken: "Woken", spare: int) -> "Woken":
        """The same with more of the story, where memories and index have left room for it."""
        from reel_cli.features.dream.waking.parts import STORY, TRACES

        short = any(unit.ring == STORY and unit.resolution != "whole" for unit in woken.units)
        if spare <= 0 or not (short or any(part == STORY and ids for part, ids, _ in woken.left)):
            return woken
        fuller = self._wake(woken.tokens + spare, spare)
        fits = fuller.tokens <= woken.tokens + spare and not fuller.squeezed
        # of what was said last as much as before: how the conversation began leaves to it what it tells
        same = [unit.id for unit in fuller.units if unit.ring == TRACES] == [
            unit.id for unit in woken.units if unit.ring == TRACES
        ]
        return fuller if fits and same else woken

    @property
    def _warm(self) -> bool:
        return bool(self.boot and self.boot.chapters)

    def _label(self) -> str:
        """What a line of the persona's own begins with that it wants remembered; "" where it is not told."""
        settings = self.holdings.core.settings
        return settings.intake_label if settings.intake_lines else ""

    # -- ring 1 ----------------------------------------------------------------------------

    def _load_exemplars(
        self, made: Loading, choice: Choice, voice: list[Unit], rest: int, *, squeezed: bool
    ) -> tuple[int, bool]:
        """Add the exemplars beside the anchor; what is left of the room, and whether it ran out here."""
        share = self.budget.ranges["1"][1] - _tokens(voice)
        for exemplar in choice.beside:
            if self.budget.small:
                choice.left[exemplar.slug] = SMALL_ANCHOR
                continue
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.exemplar(exemplar))
            if unit.tokens > share:
                choice.left[exemplar.slug] = OVER_RANGE
            elif squeezed or unit.tokens > rest:
                squeezed = True
                choice.left[exemplar.slug] = NO_EXEMPLAR
            else:
                voice.append(unit)
                share -= unit.tokens
                rest -= unit.tokens
        for slug, reason in choice.left.items():
            made.left.add("1", [slug], reason)
        titles = {exemplar.slug: exemplar.title for exemplar in self.holdings.core.exemplars}
        made.chosen = [f"{titles[unit.id]}: {choice.why[unit.id]}" for unit in voice] + choice.missing
        return rest, squeezed

    # -- rings 4 and 3 ---------------------------------------------------------------------

    def _load_past(self, made: Loading, rest: int) -> tuple[list[Unit], list[Unit]]:
        """Load the index up to its most, and the memories into what is left then."""
        lines = self.holdings.lines
        overhead = self.writer.lines_overhead(lines) if lines.count else 0
        most = self.budget.ranges["4"][1]
        if lines.tokens + overhead <= min(most, rest):
            picked = list(lines.newest())
            past = self._recede(rest - lines.tokens - overhead)
        elif rest <= most:
            past = self._recede(0)
            picked = self._pick_lines(rest - overhead, past)
        else:
            past = Recession(0) if self.budget.small else self._recede(rest - most)
            picked = self._pick_lines(most - overhead, past)
            used = sum(row.tokens for row in picked) + overhead if picked else 0
            past = self._recede_into_rest(past, rest - used)
        lined = self._write_lines(made, picked, past)
        return lined, self._write_memories(made, past)

    def _recede_into_rest(self, past: Recession, room: int) -> Recession:
        """Use what the index has left over, unless a memory whose line went for being whole no longer is."""
        fuller = self._recede(room)
        small = self.budget.small
        return fuller if past.whole(small=small) <= fuller.whole(small=small) else past

    def _recede(self, room: int) -> Recession:
        memories = self.holdings.memories
        if memories.count:
            room -= self.writer.memories_overhead(memories)
        return recede(
            memories.newest(),
            max(room, 0),
            markers=memories.markers,
            tags=memories.tags,
            small=self.budget.small,
        )

    def _pick_lines(self, room: int, past: Recession) -> list[LineRow]:
        """Pick the lines that fit.

        In a small window those are the newest. Else those of memories loaded whole go first, then the oldest
        that are neither immune nor touched by the cue, then the oldest left.
        """
        lines = self.holdings.lines
        if room <= 0:
            return []
        if self.budget.small:
            return _take(lines.newest(), room)
        whole = past.whole(small=False)
        touched = self._touched()
        if touched:
            rows = list(lines.newest())
            kept: Iterable[LineRow] = (r for r in rows if r.immune or r.id in touched)
            plain: Iterable[LineRow] = (r for r in rows if not (r.immune or r.id in touched))
        else:
            kept, plain = lines.newest(immune=True), lines.newest(immune=False)
        fading = (row for row in lines.newest() if row.id in whole)
        order = chain((r for r in kept if r.id not in whole), (r for r in plain if r.id not in whole), fading)
        return sorted(_take(order, room), key=lambda row: -row.place)

    def _touched(self) -> set[str]:
        """The lines that share a content word with the cue."""
        if not self.cue.strip():
            return set()
        from reel_cli.core.pack.cue import content_words, touches

        asked = content_words(self.cue)
        return {line for line, text in self.holdings.lines.words() if touches(asked, text)}

    def _write_lines(self, made: Loading, picked: list[LineRow], past: Recession) -> list[Unit]:
        lines = self.holdings.lines
        loaded = {row.id: row.mark for row in picked}
        heard = sum(row.brought for row in picked)
        more, more_heard = len(loaded) - heard < self.counts[1][0], heard < self.counts[1][1]
        if more or more_heard:
            whole = past.whole(small=self.budget.small)
            out = [line for line in lines.ids() if line not in loaded]
            made.left.add("4", [line for line in out if line in whole], LOADED_WHOLE)
            made.left.add("4", [line for line in out if line not in whole], OLDER_LINE if picked else NO_LINE)
        made.marks.update({f"4:{line}": mark for line, mark in loaded.items()})
        return self.writer.lines(picked, lines.texts(loaded), more=more, more_heard=more_heard)

    def _write_memories(self, made: Loading, past: Recession) -> list[Unit]:
        loaded = past.loaded(small=self.budget.small)
        names = {row.id: name for row, name, _ in loaded}
        told = sum(row.brought for row, _, _ in loaded)
        more, more_told = len(names) - told < self.counts[0][0], told < self.counts[0][1]
        if more or more_told:
            made.left.add("3", [m for m in self.holdings.memories.ids() if m not in names], NO_TAG)
        made.marks.update({f"3:{row.id}": row.mark for row, _, _ in loaded})
        texts = self.holdings.memories.texts(names)
        return self.writer.memories(loaded, texts, more=more, more_told=more_told)


def _tokens(units: Iterable[Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _take(rows: Iterable[LineRow], room: int) -> list[LineRow]:
    """Rows until one does not fit; one that would not fit alone is passed over."""
    taken: list[LineRow] = []
    left = room
    for row in rows:
        if row.tokens <= left:
            taken.append(row)
            left -= row.tokens
        elif row.tokens <= room:
            break
    return taken
