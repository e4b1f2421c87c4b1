"""Loading rings into a budget, in the protocol's order (REEL §4.7, §6.3): 0, 2, 1, 4, 3.

The parts that features bring come in between, as `features/table.py` declares it.

What comes later in that order yields first. Once something has to yield for lack of room, nothing after it is
loaded at all, so that with less room nothing ever comes back.
"""

from collections.abc import Mapping, Sequence

from reel_cli.core.pack.budget import no_room
from reel_cli.core.pack.draft import BundleDraft, tokens_of
from reel_cli.core.pack.load_past import WHOLE_SHARE, PastLoader
from reel_cli.core.pack.load_voice import VoiceLoader
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.unit import TRUST, Unit
from reel_cli.core.pack.words import FRAME, HOW, NOW, REMEMBER_LATELY, REMEMBER_MORE_FULLY, SCENES_BELOW, WHO
from reel_cli.core.ports import table
from reel_cli.core.values.memory import MOODS
from reel_cli.core.values.settings import require_short_directives


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
        self.room = room
        self.parts = parts
        self.cue = cue
        self.mood = mood

    def load(self) -> BundleDraft:
        """Load everything; ReelError when what must be there does not fit."""
        made = BundleDraft()
        name = self.holdings.core.settings.name
        self._check_directives()
        style, unit = self.writer.style, self.writer.unit
        made.open(self.parts, self.terms)
        self._narrow(made)
        opening = unit(FRAME, "opening", style.opening(name, purged=self.terms.purged))
        trust = self._trust(made)
        closing = unit(FRAME, "closing", style.closing(name, label=self._label()))
        self_ = [
            *self._verbatim("0", "identity", WHO, self.holdings.core.identity),
            *self._verbatim("0", "directives", HOW, self.holdings.core.directives),
        ]
        now = self._verbatim("2", "working", NOW, self.holdings.core.working)
        voice = VoiceLoader(made, self.terms, self._moods())
        needs = {
            "identity": sum(u.tokens for u in self_ if u.id == "identity"),
            "directives": sum(u.tokens for u in self_ if u.id == "directives"),
            "working memory": tokens_of(now),
            "the anchor": tokens_of(voice.units),
            **{part.part.need: part.least for part in made.parts if part.part.need},
            "the words around them": tokens_of([*opening, *trust, *closing]) + self.budget.room - self.room,
        }
        rest = self.room - tokens_of([*opening, *trust, *closing, *self_, *now, *voice.units])
        rest -= sum(part.least for part in made.parts)
        if rest < 0:
            raise no_room(self.budget, needs)
        made.warnings += voice.choice.warnings
        made.core = {"0": self_, "2": now, "1": voice.units, TRUST: trust}
        past = PastLoader(made, self.terms, self.holdings, self._touched())
        self._fill(made, voice, past, rest)
        whole = self.room - tokens_of([*opening, *closing])
        self._settle(made, past, whole)
        self._use_left(made, voice, past, whole)
        voice.account()
        past.account()
        fuller = self._trust(made)
        if tokens_of([*opening, *closing, *made.told(), *fuller]) - tokens_of(trust) <= self.room:
            made.core[TRUST] = fuller
        made.lay(opening, made.core, closing)
        return made

    def _trust(self, made: BundleDraft) -> list[Unit]:
        """Return the order of trust, which names the story where one is told."""
        trust = self.writer.style.trust(warm=any(part.tells_story for part in made.parts))
        return [unit._replace(spot=TRUST) for unit in self.writer.unit(FRAME, TRUST, trust)]

    def _fill(self, made: BundleDraft, voice: VoiceLoader, past: PastLoader, rest: int) -> None:
        """Fill each part's room, in the declared order."""
        parts = {part.part.rings[0]: part for part in made.parts}
        before = {*table().ROOM[: table().ROOM.index("4")]}
        for name in table().ROOM:
            if name == "clash":
                made.core[name] = self._load_clashes(made, 0 if made.squeezed else rest)
                rest -= tokens_of(made.core[name])
            elif name == "1":
                rest = voice.load(rest, past)
            elif name == "4":
                rest = self._grow(made, past, past.load(rest))
            elif (part := parts.get(name)) is not None and not part.part.tops_up:
                rest = self._fill_part(made, part, rest, past.least(rest) if name in before else 0)
        made.spare = 0 if made.squeezed else rest // 3

    def _settle(self, made: BundleDraft, past: PastLoader, whole: int) -> None:
        """Use what is left over of `whole`, and have each part write down what it tells."""
        page: Sequence[str] = table().PAGE
        kept = [part for part in made.parts if not part.part.tops_up]
        topped = self.terms.topped_up and not made.squeezed
        late = [part for part in kept if part.part.yields] if topped else []
        for part in sorted(kept, key=lambda part: page.index(part.part.rings[0])):
            if part not in late:
                part.settle()
        self._top_up(made, past, whole)
        for part in late:
            made.spare = max(whole - tokens_of(made.told()), 0)
            part.settle()
        for part in made.parts:
            if part.part.tops_up and not made.keeps_free:
                part.settle()

    def _use_left(self, made: BundleDraft, voice: VoiceLoader, past: PastLoader, whole: int) -> None:
        """Use what nothing has use for within its share: for facts, and above 8K for the index, the voice."""
        if made.keeps_free or made.squeezed:
            return
        wide = () if self.budget.small else (past.use_left, voice.use_left)
        for use in (*(part.use_left for part in made.parts), *wide):
            rest = whole - tokens_of(made.told())
            if rest * WHOLE_SHARE > self.budget.room:
                use(rest)

    def _grow(self, made: BundleDraft, past: PastLoader, rest: int) -> int:
        """Give what is left to the parts that yielded, where every memory is a marker at least."""
        if past.all_marked and not made.squeezed and self.terms.topped_up:
            for part in made.parts:
                before = part.tokens
                part.grow(rest)
                rest -= part.tokens - before
        return rest

    def _top_up(self, made: BundleDraft, past: PastLoader, whole: int) -> None:
        """Use what is left over of `whole`: for finer memories, for what tops up."""
        if made.keeps_free:
            return
        topping = [part for part in made.parts if part.part.tops_up]
        rest = whole - tokens_of(made.told())
        if not made.squeezed:
            past.refine_blocks(rest // 2 if topping else rest)
            for part in made.parts:
                part.add_before_scenes(whole - tokens_of(made.told()))
        # with scenes beside them, memories may stand under one more heading
        style, memories = self.writer.style, made.core["3"]
        below = any(unit.page for unit in memories)
        above = style.section(REMEMBER_MORE_FULLY, SCENES_BELOW) if below else style.section(REMEMBER_LATELY)
        heading = self.writer.count(above) if memories else 0
        if not made.squeezed:
            past.add_untold(whole - tokens_of(made.told()) - heading)
        for part in topping:
            part.fill(whole - tokens_of(made.told()) - heading)
        past.stand_around([unit for part in topping for unit in part.units])
        if not made.squeezed:
            past.refine_each(whole - tokens_of(made.told()))
            past.add_lines(whole - tokens_of(made.told()))

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

    def _touched(self) -> set[str]:
        """Return the lines that share a content word with the cue."""
        if not self.cue.strip():
            return set()
        from reel_cli.core.pack.cue import content_words, touches

        asked = content_words(self.cue)
        return {line for line, text in self.holdings.lines.words() if touches(asked, text)}
