"""Loading rings into a budget, in the protocol's order (REEL §4.7, §6.3): 0, 2, 1, 4, 3.

The parts that features bring come in between, as `features/table.py` declares it.

What comes later in that order yields first. Once something has to yield for lack of room, nothing after it is
loaded at all, so that with less room nothing ever comes back.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.budget import no_room
from reel_cli.core.pack.exemplars import Choice, choose_exemplars, list_short
from reel_cli.core.pack.memory_levels import (
    MARKER,
    Recession,
    align,
    blocks_of,
    count_settled,
    keep_immune,
    recede,
    refine,
)
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.render import PAGES, SETTLED, Beyond, Omissions, Unit, count_apart
from reel_cli.core.pack.words import (
    FRAME,
    HOW,
    LET_GO,
    NOW,
    REMEMBER_MORE_FULLY,
    SCENES_BELOW,
    VOICE,
    VOICE_INTRO,
    WHO,
)
from reel_cli.core.ports import table
from reel_cli.core.values.holdings import EarlierForm, LineRow, MemoryRow
from reel_cli.core.values.memory import MOODS
from reel_cli.core.values.settings import require_short_directives

NO_TAG = "no room even for a tag"
SMALL_ANCHOR = "no room left for it in a window of 8K or less"
OVER_RANGE = "over the range for exemplars"
NO_EXEMPLAR = "no room beside what must be there"
LOADED_WHOLE = "its memory is loaded whole"
TOLD_ABOVE = "its evening is told already"
OLDER_LINE = "older than the lines that fit"
NO_LINE = "no room for the index"
SHORT = "a short one, for which there is room"
SHORT_BESIDE = 3
"""Number of short exemplars beside the anchor, at most, in a small window."""
SHORT_SHARE = 24
"""Part of a small window, one in so many, that short exemplars take at most."""
WHOLE_SHARE = 33
"""Part of the room, one in so many, that may stay unused."""


LEAST_SMALL, LEAST = (5, 6), (2, 3)
"""Part of what is left that index and memories have before a part that yields."""


class BundleDraft:
    """A bundle in the making; `marks` of what was loaded change when it does."""

    def __init__(self) -> None:
        """Begin with nothing loaded."""
        self.units: list[Unit] = []
        self.left = Omissions()
        self.warnings: list[str] = []
        self.chosen: list[str] = []
        self.marks: dict[str, str] = {}
        self.shares: Mapping[str, int] = {}
        """Tokens that each ring of a feature's part had room for."""
        self.parts: Sequence[LoadedPart] = ()
        """The features' parts, in the order in which they were given room."""
        self.squeezed = False
        """True if something was left out for lack of room: then nothing more is loaded."""
        self.spare = 0
        """Tokens left over after every part had its room, of which the parts may use a share."""
        self.core: dict[str, Sequence[Unit]] = {}
        """The units of the core's own rings."""

    def open(self, parts: Sequence[BundlePart], terms: Terms) -> None:
        """Begin with what must be there of the features' parts."""
        self.parts = [one for part in parts if (one := part.open(self, terms)) is not None]

    def told(self) -> list[Unit]:
        """Return what is loaded so far, in no order."""
        held = [unit for units in self.core.values() for unit in units]
        return held + [unit for part in self.parts for unit in part.units]

    def lay(self, opening: list[Unit], rings: Mapping[str, Sequence[Unit]], closing: list[Unit]) -> None:
        """Arrange all units in the order of the page; `rings` are those of the core."""
        found: dict[str, list[Unit]] = {}
        below: dict[str, list[Unit]] = {}
        for units in (*rings.values(), *(part.units for part in self.parts)):
            for unit in units:
                if unit.page not in ("", unit.id):
                    below.setdefault(unit.page, []).append(unit)
                else:
                    found.setdefault(unit.place, []).append(unit)
        if PAGES in found:
            found[PAGES] = [one for unit in found[PAGES] for one in (unit, *below.get(unit.id, ()))]
        page = [unit for name in table().PAGE for unit in found.pop(name, ())]
        # the contract refuses units that have no place on the page
        rest = [unit for units in found.values() for unit in units]
        self.units = [*opening, *page, *rest, *closing]


class Loader:
    """A loader of one kit's holdings into `room` tokens (fewer than the budget if counts do not add up)."""

    def __init__(
        self,
        terms: Terms,
        room: int,
        parts: Sequence[BundlePart] = (),
        cue: str = "",
        mood: str | None = None,
    ) -> None:
        """Load holdings and, beside them, the features' `parts`, in the order in which they are given room.

        `cue` and `mood` say what the conversation is like, where that is known.
        """
        self.terms = terms
        self.holdings, self.budget, self.writer = terms.holdings, terms.budget, terms.writer
        self.counts = count_apart(self.holdings.memories), count_apart(self.holdings.lines)
        """Numbers of memories and lines, lived and not, including those set aside."""
        self.room = room
        self.parts = parts
        self.cue = cue
        self.mood = mood
        self._let_go: bool | None = None
        """True if there is a line of a memory that was let go; None where nobody looked."""
        self._apart = False
        """True if scenes stand below memories."""
        self._late: Collection[str] = ()
        """Memories that stand behind scenes of earlier evenings."""

    def load(self) -> BundleDraft:
        """Load everything; ReelError when what must be there does not fit."""
        made = BundleDraft()
        name = self.holdings.core.settings.name
        self._check_directives()
        style, unit = self.writer.style, self.writer.unit
        made.open(self.parts, self.terms)
        self._narrow(made)
        warm = any(part.tells_story for part in made.parts)
        opening = unit(FRAME, "opening", style.opening(name))
        closing = unit(FRAME, "closing", style.closing(name, warm=warm, label=self._label()))
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
        needs = {
            "identity": sum(u.tokens for u in self_ if u.id == "identity"),
            "directives": sum(u.tokens for u in self_ if u.id == "directives"),
            "working memory": _tokens(now),
            "the anchor": _tokens(voice),
            **{part.part.need: part.least for part in made.parts if part.part.need},
            "the words around them": _tokens(opening) + _tokens(closing) + self.budget.room - self.room,
        }
        rest = self.room - _tokens([*opening, *closing, *self_, *now, *voice])
        rest -= sum(part.least for part in made.parts)
        if rest < 0:
            raise no_room(self.budget, needs)
        made.warnings += choice.warnings
        made.core = {"0": self_, "2": now, "1": voice}
        self._fill(made, choice, voice, rest, self.room - _tokens([*opening, *closing]))
        made.lay(opening, made.core, closing)
        return made

    def _fill(self, made: BundleDraft, choice: Choice, voice: list[Unit], rest: int, whole: int) -> None:
        """Fill each part's room, in the declared order, and use what is left over then of `whole`."""
        parts = {part.part.rings[0]: part for part in made.parts}
        before = {*table().ROOM[: table().ROOM.index("4")]}
        past = Recession(0)
        for name in table().ROOM:
            if name == "clash":
                made.core[name] = self._load_clashes(made, 0 if made.squeezed else rest)
                rest -= _tokens(made.core[name])
            elif name == "1":
                rest = self._load_exemplars(made, choice, voice, rest)
            elif name == "4":
                made.core["4"], past = self._load_past(made, 0 if made.squeezed else rest)
                made.core["3"] = self._write_memories(past)
                rest -= _tokens([*made.core["4"], *made.core["3"]])
                if not made.squeezed and not self._keeps_free(made):
                    blocks = [*self._first(past), *self._blocks(past)]
                    rest -= self._refine(made, past, rest, blocks, "marker")
                rest = self._grow(made, past, rest)
            elif (part := parts.get(name)) is not None and not part.part.tops_up:
                rest = self._fill_part(made, part, rest, self._least_past(rest) if name in before else 0)
        made.spare = 0 if made.squeezed else rest // 3
        page: Sequence[str] = table().PAGE
        kept = [part for part in made.parts if not part.part.tops_up]
        topped = self.terms.topped_up and not made.squeezed
        late = [part for part in kept if part.part.yields] if topped else []
        for part in sorted(kept, key=lambda part: page.index(part.part.rings[0])):
            if part not in late:
                part.settle()
        self._top_up(made, past, whole)
        for part in late:
            made.spare = max(whole - _tokens(made.told()), 0)
            part.settle()
        for part in made.parts:
            if part.part.tops_up and not self._keeps_free(made):
                part.settle()
        self._account_exemplars(made, choice, voice)
        self._account_memories(made, past)

    def _grow(self, made: BundleDraft, past: Recession, rest: int) -> int:
        """Give what is left to the parts that yielded, where every memory is a marker at least."""
        markers = sum(form <= MARKER for form in past.forms) == self.holdings.memories.count
        if markers and not made.squeezed and self.terms.topped_up:
            for part in made.parts:
                before = part.tokens
                part.grow(rest)
                rest -= part.tokens - before
        return rest

    def _keeps_free(self, made: BundleDraft) -> bool:
        """Return whether room that is left over stays free."""
        return not self.terms.topped_up or any(part.part.keeps_free for part in made.parts)

    def _top_up(self, made: BundleDraft, past: Recession, whole: int) -> None:
        """Use what is left over of `whole`: for finer memories, for what tops up."""
        if self._keeps_free(made):
            return
        topping = [part for part in made.parts if part.part.tops_up]
        rest = whole - _tokens(made.told())
        if not made.squeezed:
            blocks = [*self._first(past, immune=False), *self._blocks(past)]
            self._refine(made, past, rest // 2 if topping else rest, blocks, "marker", "whole")
        style = self.writer.style
        heading = self.writer.count(style.section(REMEMBER_MORE_FULLY, SCENES_BELOW))
        for part in topping:
            part.fill(whole - _tokens(made.told()) - heading)
        scenes = [unit for part in topping for unit in part.units]
        self._apart = any(unit.page for unit in scenes)
        if any(unit.spot == SETTLED for unit in scenes):
            settled = count_settled(self.holdings.memories.count)
            self._late = {row.id for row in past.rows[: self.holdings.memories.count - settled]}
        if self._apart or self._late:
            made.core["3"] = self._write_memories(past)
        rest = whole - _tokens(made.told())
        if not made.squeezed:
            self._refine(made, past, rest, [[at] for at in range(len(past.rows))], "marker", "whole")
            self._add_lines(made, past, whole - _tokens(made.told()))

    def _add_lines(self, made: BundleDraft, past: Recession, rest: int) -> None:
        """Load the lines of what is told already too, where nothing else has use for the room."""
        lines, loaded = self.holdings.lines, made.core["4"]
        if len(loaded) == lines.count or rest * WHOLE_SHARE <= self.budget.room:
            return
        room = min(self.budget.ranges["4"][1], rest + _tokens(loaded)) - self.writer.lines_overhead(lines)
        picked = _take(lines.newest(), room) if self.budget.small else self._pick_lines(room, past)
        if len(picked) > len(loaded):
            told = (TOLD_ABOVE, LOADED_WHOLE, OLDER_LINE, NO_LINE)
            made.left.groups[:] = [one for one in made.left.groups if one[0] != "4" or one[2] not in told]
            made.core["4"] = self._write_lines(made, picked, past)

    def _fill_part(self, made: BundleDraft, part: LoadedPart, rest: int, held: int) -> int:
        """Fill a feature's part, and have parts leave to one another what both tell; return what is left.

        A part that yields leaves `held` of the room to the memories.
        """
        held = min(held, max(rest, 0)) if part.part.yields else 0
        rest += part.least - held
        part.fill(rest)
        made.squeezed = made.squeezed or (part.squeezed and not part.part.yields)
        for one in made.parts:
            if one is not part and not one.part.tops_up:
                before = one.tokens
                one.leave_to(part.units)
                rest += before - one.tokens
                part.leave_to(one.units)
        return rest - part.tokens + held

    def _least_past(self, rest: int) -> int:
        """Return the tokens that index and memories have before a part that yields: all lines and markers.

        They are at most two thirds of what is left, and five sixths in a small window.
        """
        parts, of = LEAST_SMALL if self.budget.small else LEAST
        return min(self._all_past(), rest * parts // of)

    def _all_past(self) -> int:
        """Return the tokens of all lines, up to the index's most, and of all markers."""
        lines, memories = self.holdings.lines, self.holdings.memories
        most = self.budget.ranges["4"][1]
        tokens = min(lines.tokens + self.writer.lines_overhead(lines), most) if lines.count else 0
        if memories.count:
            tokens += memories.markers + self.writer.memories_overhead(memories)
        return tokens

    def _refine(
        self, made: BundleDraft, past: Recession, rest: int, blocks: Sequence[Sequence[int]], *forms: str
    ) -> int:
        """Load memories finer within `rest`, block after block; return what they take more."""
        if rest * WHOLE_SHARE <= self.budget.room or not past.rows:
            return 0
        room = rest - self.writer.memories_overhead(self.holdings.memories)
        before = _tokens(made.core["3"])
        if refine(past, room, blocks, self._earlier, *forms):
            made.core["3"] = self._write_memories(past)
        return _tokens(made.core["3"]) - before

    def _first(self, past: Recession, *, immune: bool = True) -> Sequence[Sequence[int]]:
        """Return the places of memories that become finer before the others: what the cue touches, immune."""
        first = {row.id for row in self.holdings.lines.newest(immune=True)} if immune else set()
        first |= self._touched()
        return [[at] for at, row in enumerate(past.rows) if row.id in first]

    def _blocks(self, past: Recession) -> Sequence[Sequence[int]]:
        """Return the places of all memories, in blocks that hardly change from one evening to the next."""
        return list(blocks_of(past, self.holdings.memories.count))

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

    def _narrow(self, made: BundleDraft) -> None:
        """Set aside what the bundle is not to have of rings 3 and 4."""
        for part in made.parts:
            self.holdings = part.narrow(self.holdings)
        if 0 < (lines := self.holdings.lines).brought < lines.count:
            from reel_cli.core.pack.some_holdings import without_heard

            most = self.budget.ranges["4"][1]
            self.holdings = without_heard(self.holdings, self.writer, most, made.left)

    def _load_clashes(self, made: BundleDraft, rest: int) -> list[Unit]:
        """Load what does not agree yet."""
        if not self.holdings.core.clashes:
            return []
        from reel_cli.core.pack.clashes import load_clashes

        units, ran_out = load_clashes(self.holdings, self.writer, rest, made.left)
        made.marks.update({f"{FRAME}:{unit.id}": "told" for unit in units})
        made.squeezed = made.squeezed or ran_out
        return units

    def _check_directives(self) -> None:
        if directives := self.holdings.core.directives.strip():
            limit = self.holdings.core.settings.directives_limit
            require_short_directives(self.writer.count(directives), limit)

    def _verbatim(self, ring: str, name: str, title: str, text: str) -> list[Unit]:
        return self.writer.unit(ring, name, self.writer.style.verbatim(title, text) if text.strip() else "")

    def _moods(self) -> Mapping[str, Sequence[str]]:
        """Return the moods called for, each with the words that show it."""
        if self.mood in MOODS:
            return {self.mood: ()}
        if not self.cue.strip():
            return {}
        from reel_cli.core.pack.cue import moods_of

        return moods_of(self.cue)

    def _label(self) -> str:
        """Return the label with which the persona marks a line to remember; "" if it is not told to."""
        settings = self.holdings.core.settings
        return settings.intake_label if settings.intake_lines else ""

    # -- ring 1 ----------------------------------------------------------------------------

    def _load_exemplars(self, made: BundleDraft, choice: Choice, voice: list[Unit], rest: int) -> int:
        """Add the exemplars beside the anchor; what is left of the room."""
        if self.budget.small:
            return rest - self._add_short_exemplars(made, choice, voice, rest)
        share = self.budget.ranges["1"][1] - _tokens(voice)
        for exemplar in choice.beside:
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.exemplar(exemplar))
            if unit.tokens > share:
                choice.left[exemplar.slug] = OVER_RANGE
            elif made.squeezed or unit.tokens > rest:
                made.squeezed = True
                choice.left[exemplar.slug] = NO_EXEMPLAR
            else:
                voice.append(unit)
                share -= unit.tokens
                rest -= unit.tokens
        return rest

    def _add_short_exemplars(self, made: BundleDraft, choice: Choice, voice: list[Unit], rest: int) -> int:
        """Add short exemplars where index and memories have their least beside them; return their tokens."""
        choice.left.update({exemplar.slug: SMALL_ANCHOR for exemplar in choice.beside})
        if made.squeezed or self._keeps_free(made) or not voice:
            return 0
        lowest = self.budget.ranges["3"][0] + self.budget.ranges["4"][0]
        most = share = min(self.budget.cap // SHORT_SHARE, rest - min(lowest, self._all_past()))
        active = self.holdings.core.active.active
        for exemplar in list_short(choice, active, called=bool(self._moods())):
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.exemplar(exemplar))
            if unit.tokens <= share and len(voice) <= SHORT_BESIDE:
                voice.append(unit)
                share -= unit.tokens
                choice.why.setdefault(exemplar.slug, SHORT)
                del choice.left[exemplar.slug]
        return most - share

    def _account_exemplars(self, made: BundleDraft, choice: Choice, voice: list[Unit]) -> None:
        for slug, reason in choice.left.items():
            made.left.add("1", [slug], reason)
        titles = {exemplar.slug: exemplar.title for exemplar in self.holdings.core.exemplars}
        made.chosen += [f"{titles[unit.id]}: {choice.why[unit.id]}" for unit in voice] + choice.missing

    # -- rings 4 and 3 ---------------------------------------------------------------------

    def _load_past(self, made: BundleDraft, rest: int) -> tuple[list[Unit], Recession]:
        """Load the index up to its most, and choose the memories' forms in what is left then."""
        lines = self.holdings.lines
        overhead = self.writer.lines_overhead(lines) if lines.count else 0
        most = self.budget.ranges["4"][1]
        if self.budget.small:
            return self._load_small_past(made, rest, most, overhead)
        if lines.tokens + overhead <= min(most, rest):
            picked = list(lines.newest())
            past = self._recede(rest - lines.tokens - overhead)
        elif rest <= most:
            past = self._recede(0)
            picked = self._pick_lines(rest - overhead, past)
        else:
            past = self._recede(rest - most)
            picked = self._pick_lines(most - overhead, past)
            used = sum(row.tokens for row in picked) + overhead if picked else 0
            past = self._recede_into_rest(past, rest - used)
        return self._write_lines(made, picked, past), past

    def _load_small_past(
        self, made: BundleDraft, rest: int, most: int, overhead: int
    ) -> tuple[list[Unit], Recession]:
        """Load the memories, and the newest lines of what they do not tell."""
        lines = self.holdings.lines
        past = self._recede(max(rest - most, 0))
        picked: list[LineRow] = []
        above: Collection[str] = ()
        if lines.count and rest > overhead:
            from reel_cli.core.pack.line_choice import LineChoice

            choice = LineChoice(lines, {row.id for row, _, _ in past.loaded(small=True)})
            picked = _take(choice.rows, min(most, rest) - overhead)
            used = sum(row.tokens for row in picked) + overhead if picked else 0
            past = self._recede(rest - used)
            told = {row.id for row, _, _ in past.loaded(small=True)}
            picked = [row for row in picked if row.id not in told]
            above = {*choice.above, *told.intersection(lines.ids())}
        return self._write_lines(made, picked, past, above), past

    def _recede_into_rest(self, past: Recession, room: int) -> Recession:
        """Use what the index has left over, unless a memory whose line went for being whole no longer is."""
        fuller = self._recede(room)
        return fuller if past.whole(small=False) <= fuller.whole(small=False) else past

    def _recede(self, room: int) -> Recession:
        memories = self.holdings.memories
        if memories.count:
            room -= self.writer.memories_overhead(memories)
        newest = memories.newest()
        past = recede(
            newest,
            max(room, 0),
            markers=memories.markers,
            tags=memories.tags,
            small=self.budget.small,
        )
        if self.terms.topped_up and past.rows:
            immune = {row.id for row in self.holdings.lines.newest(immune=True)}
            if immune and (max(past.forms) > MARKER or len(past.rows) < memories.count):
                keep_immune(past, immune, newest)
            align(past, memories.count, immune)
        return past

    def _pick_lines(self, room: int, past: Recession) -> list[LineRow]:
        """Pick the lines that fit.

        Those of memories loaded whole go first, then the oldest that are neither immune nor touched by the
        cue, then the oldest left.
        """
        lines = self.holdings.lines
        if room <= 0:
            return []
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
        """Return the lines that share a content word with the cue."""
        if not self.cue.strip():
            return set()
        from reel_cli.core.pack.cue import content_words, touches

        asked = content_words(self.cue)
        return {line for line, text in self.holdings.lines.words() if touches(asked, text)}

    def _write_lines(
        self, made: BundleDraft, picked: list[LineRow], past: Recession, above: Collection[str] = ()
    ) -> list[Unit]:
        lines = self.holdings.lines
        loaded = {row.id: row.mark for row in picked}
        heard = sum(row.brought for row in picked)
        more, more_heard = len(loaded) - heard < self.counts[1][0], heard < self.counts[1][1]
        if more or more_heard:
            whole = past.whole(small=self.budget.small)
            out = [line for line in lines.ids() if line not in loaded]
            made.left.add("4", [line for line in out if line in above], TOLD_ABOVE)
            out = [line for line in out if line not in above]
            made.left.add("4", [line for line in out if line in whole], LOADED_WHOLE)
            made.left.add("4", [line for line in out if line not in whole], OLDER_LINE if picked else NO_LINE)
        made.marks.update({f"4:{line}": mark for line, mark in loaded.items()})
        return self.writer.lines(picked, lines.texts(loaded), more=more, more_heard=more_heard)

    def _write_memories(self, past: Recession) -> list[Unit]:
        loaded = past.loaded(small=self.budget.small)
        earlier = {past.rows[at].id: form.text for at, form in past.earlier.items()}
        texts = self.holdings.memories.texts(
            {row.id: name for row, name, _ in loaded if row.id not in earlier}
        )
        units = self.writer.memories(
            loaded, {**texts, **earlier}, self._beyond(loaded), apart=self._apart, late=self._late
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
        )

    def _has_let_go(self) -> bool:
        """Return whether there is a line of a memory that was let go."""
        if self._let_go is None:
            lines = self.holdings.lines
            self._let_go = any(LET_GO in text for text in lines.texts(lines.ids()).values())
        return self._let_go

    def _is_more(self, loaded: Sequence[tuple[MemoryRow, str, int]]) -> tuple[bool, bool]:
        """Return whether memories were left out, of the lived ones and of those from elsewhere."""
        told = sum(row.brought for row, _, _ in loaded)
        return len(loaded) - told < self.counts[0][0], told < self.counts[0][1]

    def _account_memories(self, made: BundleDraft, past: Recession) -> None:
        loaded = past.loaded(small=self.budget.small)
        names = {row.id for row, _, _ in loaded}
        if any(self._is_more(loaded)):
            made.left.add("3", [m for m in self.holdings.memories.ids() if m not in names], NO_TAG)
        made.marks.update({f"3:{row.id}": row.mark for row, _, _ in loaded})


def _tokens(units: Iterable[Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _take(rows: Iterable[LineRow], room: int) -> list[LineRow]:
    """Return rows up to the first that does not fit; skips one that would not fit alone."""
    taken: list[LineRow] = []
    left = room
    for row in rows:
        if row.tokens <= left:
            taken.append(row)
            left -= row.tokens
        elif row.tokens <= room:
            break
    return taken
