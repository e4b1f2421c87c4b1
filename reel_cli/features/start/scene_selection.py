"""Selection of scenes: which pieces of the talks a bundle tells in the room that it has left."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack import words
from reel_cli.core.pack.cue import content_words
from reel_cli.core.pack.part import Terms
from reel_cli.core.pack.unit import Unit
from reel_cli.core.values.holdings import BLOCK
from reel_cli.features.start.scene_choice import Piece, SceneChooser, find_leads, weigh_words
from reel_cli.features.start.scene_talks import SceneTalks
from reel_cli.features.start.scene_units import GAP, SceneWriter

if TYPE_CHECKING:
    from reel_cli.core.pack.build_bundle import BundleRequest

NO_ROOM = "no room beside what tells more"
_LONGEST_TOKEN = 12
"""Characters of a token, at most: a longer text surely does not fit."""
_AROUND = 8
"""Tokens around a piece, about."""
_LEAST_SHARE = 128
"""Tokens that a block of evenings has, at least, if there are as many."""
_LEAST_CUT = 12
"""Tokens below which no turn is begun."""
_LEAST_BEGUN = 8
"""Words that the beginning of a turn has, at least, in a small window."""
_STEP = re.compile(r"[\u3040-\u9fff] *|[^ \u3040-\u9fff]+ *| +")
"""Text that a cut leaves whole: a word, or a character where words have no blanks between them."""
_USUAL, _USUAL_SMALL = 56, 28
"""Percent of a bundle that what has settled has, memories and scenes, in a usual and in a small window."""
_LOOPS = re.compile(r"(?ims)^#+ *open loops\b(?P<text>.*?)(?=^#|\Z)")


class SceneSelection:
    """The scenes of one loading in the making."""

    def __init__(self, talks: SceneTalks, terms: Terms, wish: "BundleRequest") -> None:
        """Select from `talks` for a bundle of these terms."""
        self.terms = terms
        self.wish = wish
        self._talks = talks
        self.pieces = talks.pieces
        self._writer = SceneWriter(talks, terms)
        # where there is little room, what is told alone has nothing around it that explains it
        self._leads = find_leads(self.pieces) if terms.budget.small else {}
        self.chosen: dict[int, str] = {}
        """Places of the chosen pieces, each with its text, which may be cut."""
        self._lasting: set[int] = set()
        """Places of the chosen pieces that stay the same on most evenings."""

    def tell(self, rest: int) -> tuple[Sequence[Unit], Sequence[tuple[str, str]]]:
        """Return the units that fit into `rest`, and the talks that are left out, each with the reason."""
        units = self._write_all(rest)
        choosers: Sequence[SceneChooser] = ()
        if len(self.chosen) < len(self.pieces):
            # what is chosen anew each evening stands behind what stays
            self._writer.pages = {}
            first = sum(not self._talks.is_late(piece.talk) for piece in self.pieces)
            self._choose_settled(first, rest)
            # nor is anything told apart from what it answers
            others = [
                place
                for place in range(len(self.pieces))
                if place not in self._lasting and self._leads.get(place) not in self._lasting
            ]
            late = [place for place in others if place >= first]
            # in a small window there is too little for the last evenings to be told apart from the others
            groups = [others] if self.terms.budget.small else [late, [p for p in others if p < first]]
            choosers = [self._chooser(group, late=at == 0) for at, group in enumerate(groups)]
            for chooser in choosers:
                units = self._choose(chooser, rest)
        used = self._used(units)
        if rest - used >= _LEAST_CUT:
            passed = [place for one in choosers for place in one.passed if place not in self._leads]
            units = (self._tell_cut(passed[0], rest, used) if passed else ()) or units
        shown = {unit.id.partition("#")[0] for unit in units}
        left = {name: NO_ROOM for name, _ in self._talks.talks if name not in shown}
        return units, sorted((self._talks.left | left).items())

    def _write_all(self, rest: int) -> Sequence[Unit]:
        """Choose everything if it fits into `rest`, and return the units."""
        if sum(len(piece.text) for piece in self.pieces) > rest * _LONGEST_TOKEN:
            return ()
        self.chosen = {place: piece.text for place, piece in enumerate(self.pieces)}
        units = self._write()
        if sum(unit.tokens for unit in units) > rest:
            self.chosen, units = {}, ()
        return units

    def _choose_settled(self, first: int, rest: int) -> None:
        """Choose of the earlier evenings, whose pieces are the `first`, what stays the same on most evenings.

        Each block of evenings has the same room, so that no time is told of alone, and is weighed by itself
        and what is older.
        """
        most, settled = self._room_settled(rest), self._talks.settled
        # in a small room a block has more evenings, so that there is something to tell of each
        size = max(BLOCK, len(settled) * _LEAST_SHARE // max(most, 1))
        blocks: dict[int, list[int]] = {}
        for place in range(first):
            number = settled[self._talks.talks[self.pieces[place].talk][0]]
            blocks.setdefault(number // size, []).append(place)
        for at, (block, places) in enumerate(blocks.items(), start=1):
            self._choose(self._chooser(places, until=(block + 1) * size), most * at // len(blocks))
        self._lasting = {*self.chosen}

    def _choose(self, chooser: SceneChooser, room: int) -> Sequence[Unit]:
        """Return the units with what is chosen besides, together within `room`."""
        units, before = self._write(), -1
        while len(self.chosen) > before:
            before = len(self.chosen)
            for place in chooser.choose(self._cost, room - self._used(units)):
                self.chosen[place] = self.pieces[place].text
            units = self._fit(room)
        return units

    def _used(self, units: Sequence[Unit]) -> int:
        """Return the tokens of the units, at least those of the section's own words."""
        return sum(unit.tokens for unit in units) or self.terms.writer.count(self._writer.head())

    def _room_settled(self, rest: int) -> int:
        """Return the room for what was said before the last evenings.

        It depends on nothing that changes with an evening, unless there is less: three quarters of what is
        left of a usual bundle beside the memories of those evenings, and as many as will come before it is
        given anew. Above 8K it is some quarters of that, for which there is still room when they have come.
        """
        budget, count = self.terms.budget, self.terms.writer.count
        share = _USUAL_SMALL if budget.small else _USUAL
        known = (u for u in self._talks.told if u.ring == "3" and u.id in self._talks.known)
        # a fact that changed since moves no scene
        sizes = [u.tokens if (bare := words.without_since(u.text)) == u.text else count(bare) for u in known]
        usual = max((budget.room * share // 100 - sum(sizes)) * 3 // 4, 0)
        if budget.small:
            return usual if usual <= rest else _round_down(rest)
        then = rest - self._talks.to_come * sum(sizes) // max(len(sizes), 1)
        return usual * min(max(then, 0) * 4 // max(usual, 1), 4) // 4

    def _chooser(
        self, places: Sequence[int], *, late: bool = False, until: int | None = None
    ) -> SceneChooser:
        """Return a chooser among the pieces at these places.

        Those before the last evenings are weighed by what is as old, `until` a number of talks, and so are
        the same on most evenings.
        """
        known = {name for name, number in self._talks.known.items() if until is None or number < until}
        beside = (
            self._talks.told
            if late
            else [u for u in self._talks.told if u.place in ("0", "1") or (u.ring == "3" and u.id in known)]
        )
        told = {stem for unit in beside for stem in weigh_words(words.without_since(unit.text))}
        loops = " ".join(match["text"] for match in _LOOPS.finditer(self.terms.holdings.core.working))
        wanted = content_words(f"{self.wish.cue}\n{loops if late else ''}")
        chooser = SceneChooser(self.pieces, places, told, wanted, self._leads)
        for place in self.chosen:
            chooser.note(place)
        return chooser

    def _cost(self, piece: Piece) -> int:
        """Return the most tokens that a piece takes: its words, who says them, and what stands around it."""
        count = self.terms.writer.count
        ((_, text),) = self._writer.tell(piece.talk, {piece.turn: piece.text})
        started = any(self.pieces[place].talk == piece.talk for place in self.chosen)
        return count(text) + count(GAP) + (0 if started else count(self._writer.heading(piece.talk)))

    def _write(self) -> Sequence[Unit]:
        """Return a unit for each talk of which pieces are chosen; one more where others of it last."""
        chosen = self.chosen.items()
        lasting = self._writer.write({place: text for place, text in chosen if place in self._lasting})
        others = {place: text for place, text in chosen if place not in self._lasting}
        return [*lasting, *self._writer.write(others, lasting)]

    def _fit(self, rest: int) -> Sequence[Unit]:
        """Return the units, without what was chosen last where they come to more than `rest`."""
        while True:
            units = self._write()
            if sum(unit.tokens for unit in units) <= rest or not self.chosen:
                return units
            place, _ = self.chosen.popitem()
            if self._leads.get(place) == next(reversed(self.chosen), None):
                # it was chosen for what it leads to
                self.chosen.popitem()

    def _tell_cut(self, place: int, rest: int, used: int) -> Sequence[Unit]:
        """Return the units with the beginning of one more piece, as much as fits; none if nothing does."""
        spoken = _STEP.findall(self.pieces[place].text)
        # a single word, however long, is not begun
        keep = min(len(spoken) - 1, rest - used)
        while keep > (_LEAST_BEGUN if self.terms.budget.small else 1):
            cut = "".join(spoken[:keep]).rstrip()
            self.chosen[place] = f"{cut} {words.LEFT_OUT_HERE}"
            units = self._write()
            if sum(unit.tokens for unit in units) <= rest:
                return units
            keep = keep * 7 // 8 if keep > 8 else keep - 1
        self.chosen.pop(place, None)
        return ()


def _round_down(tokens: int) -> int:
    """Return the greatest power of two, or one and a half times one, that is no more."""
    power = 1 << tokens.bit_length() >> 1
    return power * 3 // 2 if tokens >= power * 3 // 2 else power
