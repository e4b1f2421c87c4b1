"""Loading of a warm start: the story, the shared context, what was said last (Dream Weaver §9).

On the page they stand in this order, behind who it is. Each takes at most its share. Where that is not to be
had they divide what there is: the shared context first, the story and what was said last by halves.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.features.dream.waking.excerpts import list_stems
from reel_cli.features.dream.waking.parts import CONTEXT, PARTS, STORY, TRACES, Boot
from reel_cli.features.dream.waking.waker import StoryRoom, Waker, Woken

if TYPE_CHECKING:
    from reel_cli.core.pack.draft import BundleDraft

GATED = "Story and last words are left out (experience: gated); ask for them with  reel recall"
_LEAST_STORY, _LEAST_SMALL = 64, 24
"""Part of the room, one in so many, that the story has before all else that is kept."""
_BEFORE_SCENES = Fraction(3, 4)
"""Part of the room left for scenes that story and context have of chats without memories."""


class WakingPart(BundlePart):
    """The part of a warm start, if one is requested, or usual in the kit."""

    rings = PARTS
    experience = (STORY, TRACES)
    yields = True

    def gather(self) -> bool:
        """Read story, context and tape; ReelError where one of the first two cannot be read."""
        settings, boot = self.holdings.core.settings, self.wish.boot
        if self.source is None or not (settings.boot_always if boot is None else boot):
            return False
        from reel_cli.features.dream.waking.survey import gather_boot

        self.boot = gather_boot(self.source.snapshot, settings)
        if settings.gated and (self.boot.chapters or self.boot.traces):
            self.boot = self.boot._replace(chapters=(), traces=None, told=[*self.boot.told, GATED])
        return True

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart:
        """Return the part in one loading."""
        return _LoadedWaking(self, self.boot, made, terms)


class _LoadedWaking(LoadedPart):
    """Story, context and traces in one bundle."""

    def __init__(self, part: BundlePart, boot: Boot, made: "BundleDraft", terms: Terms) -> None:
        super().__init__(part, made, terms)
        self._boot = boot
        self._woken = Woken()
        lived, said = terms.holdings, boot.sessions
        remembered = max(lived.memories.count, lived.lines.count)
        self._untold = Fraction(max(said - remembered, 0), said) if said else Fraction(0)
        """Part of the chats, about, that no memory tells of."""
        # a small window seldom has room for a story beside memories, and keeps none for its mention
        self.tells_story = bool(boot.chapters) and (not terms.budget.small or self._untold > 0)
        self._told_again = False
        """True if the story was chosen beside what is remembered."""
        self._least = terms.budget.room // (_LEAST_SMALL if terms.budget.small else _LEAST_STORY)

    def fill(self, rest: int) -> None:
        """Load the least that stands for each: what the bundle tells without them is worth more.

        In a small window that is a little of the story; all else waits until every memory has its marker.
        """
        budget = self.terms.budget
        rest = 0 if self.made.squeezed else rest
        if not self.terms.topped_up or (budget.small and self.terms.since is not None):
            self._take(self._wake(rest))
        elif budget.small:
            self._take(self._waker().wake_story(min(rest, self._least)))
        else:
            self._take(self._wake(rest, least=self._least))
        self.squeezed = self._woken.squeezed

    def grow(self, rest: int) -> None:
        """Load what fits into the shares and two fifths of `rest` more, in a small window.

        The others are for scenes: what was said answers more than a story in short.
        """
        if self.terms.budget.small and not self.made.squeezed:
            fuller = self._wake(self.tokens + rest * 2 // 5)
            if fuller.tokens > self.tokens:
                self._take(fuller)

    def settle(self) -> None:
        """Include more of the story where there is room left for it, and write down all of it."""
        if not self._told_again:
            self._tell_again()
        self._tell_more(self.made.spare)
        made, woken = self.made, self._woken
        made.warnings += self._boot.told
        made.shares = {**made.shares, **woken.shares}
        made.marks.update(woken.marks)
        for part, ids, reason in woken.left:
            made.left.add(part, ids, reason)

    def chosen(self) -> Mapping[str, Collection[str] | None]:
        """Return the chapters and sections that were marked; what was said last is free."""
        marked = [key.partition(":") for key in self._woken.marks]
        told = {part: {name for ring, _, name in marked if ring == part} for part in (STORY, CONTEXT)}
        return {**told, TRACES: None}

    def _take(self, woken: Woken) -> None:
        self._woken, self.units = woken, woken.units
        self.tells_story = any(unit.ring == STORY for unit in woken.units)

    def _wake(self, rest: int, least: int | None = None) -> Woken:
        """Return what fits within `rest` tokens, each in its share, or story and context in `least` of it."""
        shares = self.terms.budget.boot
        if least is None:
            return self._waker(shares).wake(rest)
        lower = {part: min(shares[part], least) for part in (STORY, CONTEXT)}
        woken = self._waker({**shares, **lower}).wake(rest)
        return woken._replace(shares={**woken.shares, **{part: shares[part] for part in lower}})

    def add_before_scenes(self, rest: int) -> None:
        """Load more of story and context: the more, the fewer chats have memories.

        Of chats that memories tell they are told whole, if half of `rest` is enough for that.
        """
        self._tell_again()
        if (room := int(rest * _BEFORE_SCENES * self._untold)) > 0:
            self._tell_more(room)
        if rest > 0 and not self.terms.budget.small:
            before = self._woken.tokens
            fuller = self._waker().extend(self._woken, rest // 2)
            if fuller.tokens > before and fuller.is_whole_but(TRACES):
                self._take(fuller)

    def _tell_again(self) -> None:
        """Choose anew what is told of the story in its room, beside all that is loaded by now."""
        self._told_again = True
        if self.terms.since is None and not self._woken.part(STORY).is_whole:
            self._take(self._waker().tell_again(self._woken))

    def _tell_more(self, spare: int) -> None:
        """Extend story and context into `spare` tokens, if some of them is short or left out."""
        fuller = self._waker().extend(self._woken, max(spare, 0))
        if fuller.tokens > self._woken.tokens:
            self._take(fuller)

    def _waker(self, shares: Mapping[str, int] | None = None) -> Waker:
        terms = self.terms
        shares = terms.budget.boot if shares is None else shares
        room = StoryRoom(self._least, self._said, small=terms.budget.small)
        return Waker(self._boot, shares, terms.writer, room, terms.since)

    def _said(self) -> Collection[str]:
        """Return the stems of all that is loaded beside the story."""
        return {s for unit in self.made.told() if unit.ring != STORY for s in list_stems(unit.text)}
