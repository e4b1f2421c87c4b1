"""Loading the voice (ring 1): the anchor, and the exemplars beside it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack.draft import BundleDraft, tokens_of
from reel_cli.core.pack.exemplars import choose_exemplars, list_short
from reel_cli.core.pack.load_past import PastLoader
from reel_cli.core.pack.part import Terms
from reel_cli.core.pack.words import VOICE, VOICE_INTRO

if TYPE_CHECKING:
    from reel_cli.core.pack.unit import Unit

SMALL_ANCHOR = "no room left for it at 8K or less"
OVER_RANGE = "over the range for exemplars"
NO_EXEMPLAR = "no room beside what must be there"
SHORT = "a short one, for which there is room"
SHORT_BESIDE = 3
"""Number of short exemplars beside the anchor, at most, in a small window."""
SHORT_SHARE = 24
"""Part of a small window, one in so many, that short exemplars take at most."""


class VoiceLoader:
    """A loader of one kit's exemplars into a bundle; `units` are those that are loaded, the anchor first."""

    def __init__(self, made: BundleDraft, terms: Terms, moods: Mapping[str, Sequence[str]]) -> None:
        """Begin with the anchor; `moods` are those called for, each with the words that show it."""
        self.made = made
        self.budget, self.writer, self.core = terms.budget, terms.writer, terms.holdings.core
        self.called = bool(moods)
        self.choice = choose_exemplars(self.core.exemplars, self.core.active, moods)
        self.units: list[Unit] = []
        if self.choice.anchor:
            style = self.writer.style
            text = style.section(VOICE, VOICE_INTRO) + style.exemplar(self.choice.anchor)
            self.units = self.writer.unit("1", self.choice.anchor.slug, text)

    def load(self, rest: int, past: PastLoader) -> int:
        """Add the exemplars beside the anchor; return what is left of the room."""
        if self.budget.small:
            return rest - self._add_short(rest, past)
        share = self.budget.ranges["1"][1] - tokens_of(self.units)
        for exemplar in self.choice.beside:
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.exemplar(exemplar))
            if unit.tokens > share:
                self.choice.left[exemplar.slug] = OVER_RANGE
            elif self.made.squeezed or unit.tokens > rest:
                self.made.squeezed = True
                self.choice.left[exemplar.slug] = NO_EXEMPLAR
            else:
                self.units.append(unit)
                share -= unit.tokens
                rest -= unit.tokens
        return rest

    def _add_short(self, rest: int, past: PastLoader) -> int:
        """Add short exemplars where index and memories have their least beside them; return their tokens."""
        choice = self.choice
        choice.left.update({exemplar.slug: SMALL_ANCHOR for exemplar in choice.beside})
        if self.made.squeezed or self.made.keeps_free or not self.units:
            return 0
        lowest = self.budget.ranges["3"][0] + self.budget.ranges["4"][0]
        share = self.budget.cap // SHORT_SHARE
        most = left = min(share, rest - min(lowest, past.all_tokens()))
        for exemplar in list_short(choice, self.core.active.active, called=self.called):
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.exemplar(exemplar))
            if unit.tokens > share or len(self.units) > SHORT_BESIDE:
                continue
            if unit.tokens > left:
                # with more room this one would be heard; another in its place would come back with less
                break
            self.units.append(unit)
            share -= unit.tokens
            left -= unit.tokens
            choice.why.setdefault(exemplar.slug, SHORT)
            del choice.left[exemplar.slug]
        return most - left

    def account(self) -> None:
        """Write down which exemplars are told and why, and which were left out."""
        for slug, reason in self.choice.left.items():
            self.made.left.add("1", [slug], reason)
        titles = {exemplar.slug: exemplar.title for exemplar in self.core.exemplars}
        chosen = [f"{titles[unit.id]}: {self.choice.why[unit.id]}" for unit in self.units]
        self.made.chosen += chosen + self.choice.missing
