"""Loading the voice (ring 1): the anchor, and the exemplars beside it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from reel_cli.core.pack.draft import BundleDraft, tokens_of
from reel_cli.core.pack.exemplars import (
    SHORT_BESIDE,
    SHORT_SHARE,
    choose_exemplars,
    find_newest,
    list_lines,
    list_short,
)
from reel_cli.core.pack.load_past import PastLoader
from reel_cli.core.pack.part import Terms
from reel_cli.core.pack.unit import VARIES
from reel_cli.core.pack.words import VOICE, VOICE_INTRO, VOICE_MORE

if TYPE_CHECKING:
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.memory import Exemplar

SMALL_ANCHOR = "no room left for it at 8K or less"
SMALL_SHARE = "no room in the share of short examples at 8K or less"
SMALL_ENOUGH = f"{1 + SHORT_BESIDE} examples are enough at 8K or less"
OVER_RANGE = "over the range for examples"
NO_EXEMPLAR = "no room beside what must be there"
SHORT = "a short one, for which there is room"
FEW_LINES = 3
"""Number of lines of the persona's own below which they are not worth an exemplar's place."""
LINE = "its own words alone, for which there is room"


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
        style = self.writer.style
        heading = style.section(VOICE_MORE)
        for exemplar in self.choice.beside:
            (unit,) = self.writer.unit("1", exemplar.slug, heading + style.exemplar(exemplar))
            unit = unit._replace(spot=VARIES)
            if unit.tokens > share:
                self.choice.left[exemplar.slug] = OVER_RANGE
            elif self.made.squeezed or unit.tokens > rest:
                self.made.squeezed = True
                self.choice.left[exemplar.slug] = NO_EXEMPLAR
            else:
                self.units.append(unit)
                heading = ""
                share -= unit.tokens
                rest -= unit.tokens
        return rest

    def _add_short(self, rest: int, past: PastLoader) -> int:
        """Add short exemplars where index and memories have their least beside them; return their tokens.

        Where the pool has enough of the persona's own lines, these stand in the place of the last one, and
        take more of the share only where every memory has its marker beside them.
        """
        choice = self.choice
        choice.left.update({exemplar.slug: SMALL_ANCHOR for exemplar in choice.beside})
        if self.made.squeezed or self.made.keeps_free or choice.anchor is None:
            return 0
        lowest = self.budget.ranges["3"][0] + self.budget.ranges["4"][0]
        share = self.budget.cap // SHORT_SHARE
        most = left = min(share, rest - min(lowest, past.all_tokens()))
        beside = rest - past.all_tokens()
        heard = [choice.anchor]
        lines = self._has_lines()
        style = self.writer.style
        for exemplar in list_short(choice, self.core.active.active, called=self.called):
            is_last = len(self.units) == SHORT_BESIDE
            heading = style.section(VOICE_MORE) if is_last else ""
            (unit,) = self.writer.unit("1", exemplar.slug, heading + style.exemplar(exemplar))
            unit = unit._replace(spot=VARIES if is_last else "")
            if unit.tokens > share or len(self.units) > SHORT_BESIDE:
                if exemplar.slug in choice.left and exemplar.slug in self.core.active.active:
                    enough = len(self.units) > SHORT_BESIDE
                    choice.left[exemplar.slug] = SMALL_ENOUGH if enough else SMALL_SHARE
                continue
            if unit.tokens > left:
                # with more room this one would be heard; another in its place would come back with less
                return most - left
            if lines and is_last:
                newest = find_newest(choice, self.core.active.active)
                # its words come first, so that a new one is heard however many there are
                pool = choice.pool if newest is None else [newest, *choice.pool]
                rows = list_lines(pool, heard, self.core.settings.name)
                # one of two sizes, so that it is the same on most evenings
                room = left if beside - most >= 0 else min(left, unit.tokens)
                return most - left + self._add_lines(rows, room)
            self.units.append(unit)
            heard.append(exemplar)
            share -= unit.tokens
            left -= unit.tokens
            choice.why.setdefault(exemplar.slug, SHORT)
            del choice.left[exemplar.slug]
        return most - left

    def _has_lines(self) -> bool:
        """Return whether there are enough lines of the persona's own, whichever exemplars are heard."""
        anchor = [] if self.choice.anchor is None else [self.choice.anchor]
        lines = list_lines(self.choice.pool, anchor, self.core.settings.name)
        return len([*islice(lines, SHORT_BESIDE + FEW_LINES)]) == SHORT_BESIDE + FEW_LINES

    def _add_lines(self, lines: "Iterable[tuple[Exemplar, str]]", room: int) -> int:
        """Add lines of the persona's own within `room`; return their tokens."""
        units: list[Unit] = []
        heading = self.writer.style.section(VOICE_MORE)
        used = self.writer.count(heading) + 1
        for exemplar, line in lines:
            (unit,) = self.writer.unit("1", exemplar.slug, self.writer.style.line_of_voice(line))
            if used + unit.tokens > room:
                break
            units.append(unit._replace(resolution="part", spot=VARIES))
            used += unit.tokens
            self.choice.why[exemplar.slug] = LINE
            del self.choice.left[exemplar.slug]
        self.writer.open_list(units, heading)
        self.units += units
        return tokens_of(units)

    def use_left(self, rest: int) -> None:
        """Add the persona's own lines of exemplars that are not heard, before those beside the anchor."""
        told = {unit.id for unit in self.units}
        heard = [exemplar for exemplar in self.choice.pool if exemplar.slug in told]
        room = min(rest, self.budget.ranges["1"][1] - tokens_of(self.units))
        at = next((at for at, unit in enumerate(self.units) if unit.spot == VARIES), len(self.units))
        beside = self.units[at:]
        del self.units[at:]
        name = self.core.settings.name
        if heard and self._add_lines(list_lines(self.choice.pool, heard, name), room) and beside:
            # the heading stands above the lines now
            text = beside[0].text.removeprefix(self.writer.style.section(VOICE_MORE))
            beside[0] = beside[0]._replace(text=text, tokens=self.writer.count(text))
        self.units += beside

    def account(self) -> None:
        """Write down which exemplars are told and why, and which were left out."""
        for slug, reason in self.choice.left.items():
            self.made.left.add("1", [slug], reason)
        titles = {exemplar.slug: exemplar.title for exemplar in self.core.exemplars}
        chosen = [f"{titles[unit.id]}: {self.choice.why[unit.id]}" for unit in self.units]
        self.made.chosen += chosen + self.choice.missing
