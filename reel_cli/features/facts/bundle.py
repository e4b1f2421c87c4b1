"""Loading of the facts: in every bundle, whatever its topic (SRIP-11 §III.5).

What protects somebody, or a person noted, must be there. The rest goes in as far as the share has room, in
the order of `choice.py`. Where what a person noted is more than the share, it takes what nothing else has use
for, in the same order; only what protects somebody is there in any case.
"""

from collections import Counter
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.evidence.grounding.lexicon import NEGATORS
from reel_cli.core.frozen import late
from reel_cli.core.pack.budget import an, name_window
from reel_cli.core.pack.cue import content_words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.values.holdings import RESOLUTIONS, count_settled
from reel_cli.features.facts.choice import (
    add_rows,
    as_ended,
    choose_rows,
    firmest_rows,
    in_turn,
    write_rows,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.values.holdings import FactRow, Holdings

RING = "facts"
NO_SHARE = "no room in the share of the facts"
IN_THE_CHAT = "in this conversation already"
_MOST_COMPARED = 300
"""Number of facts that are held against notes and memories, the first by rank."""
_SAID_ON = late(r"\((?:[^()]* )?(?:said|noted)\b[^()]*\)\s*$")
_WORD = late(r"[^\W_][\w'’]*")


class FactsPart(BundlePart):
    """The facts of a kit that has any."""

    rings = (RING,)
    need = "the facts"
    limited = True

    def gather(self) -> bool:
        """Return whether there are facts; they came with the holdings."""
        return bool(self.holdings.core.facts or self.holdings.core.resting)

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart:
        """Return the facts in one loading."""
        return FactUnits(self, made, terms)


class FactUnits(LoadedPart):
    """Facts in one bundle: first what must be, then as much more as fits."""

    def __init__(self, part: BundlePart, made: "BundleDraft", terms: Terms) -> None:
        """Load what must be there; of an earlier bundle's facts only what is new."""
        super().__init__(part, made, terms)
        core, since = terms.holdings.core, terms.since
        if part.wish.day:
            day = date.fromisoformat(part.wish.day)
            core = core._replace(facts=[as_ended(row, day) for row in core.facts])
        self._marks = {f"{RING}:{row.id}": _mark(row) for row in core.facts}
        told = {name for name, mark in self._marks.items() if since and since.get(name) == mark}
        self._told = [row.id for row in core.facts if f"{RING}:{row.id}" in told]
        new = [row for row in core.facts if f"{RING}:{row.id}" not in told]
        if since:
            # what is new to the chat is told together
            new = [row._replace(settled=False) for row in new]
        self._rows: Sequence[FactRow] = new
        self._resting = core.resting
        self._chosen: Collection[str] = ()
        self._line = ""
        """The line about the choice in the account."""
        self._must = firmest_rows(new, terms.budget.facts, terms.writer)
        self._noted = [row.id for row in new if row.must]
        self.units = write_rows(new, self._must, terms.writer)
        self._least = self.tokens
        self._share = max(terms.budget.facts, self._least)
        self.account(RING, self._share)

    def warnings(self) -> "Sequence[str]":
        """Return a notice where something that a person noted has no room."""
        left = sum(name not in self._chosen for name in self._noted)
        if not left:
            return ()
        some = f"{left:,} facts" if left > 1 else "A fact"
        many = f"{some} that you noted {'have' if left > 1 else 'has'}"
        budget = self.terms.budget
        share = f"no room in the facts' share of {an(name_window(budget.cap))} {budget.held_to}."
        return [f"{many} {share} Raise facts.share in kit.yaml, or let some go:  reel fact list"]

    @property
    def least(self) -> int:
        """Return the tokens of the facts that must be there."""
        return self._least

    def fill(self, rest: int) -> None:
        """Add of the others what fits into `rest` and the share, by rank; say what does not."""
        room = min(self.least if self.made.squeezed else rest, self._share)
        rows = rank_told_last(self._rows, self.terms.holdings)
        self._rows, chosen = choose_rows(rows, self._must, self._share, room, self.terms.writer)
        self._load(chosen)
        self.made.left.add(RING, self._told, IN_THE_CHAT)
        for reason in dict.fromkeys(why for _, why in self._resting):
            self.made.left.add(RING, [name for name, why in self._resting if why == reason], reason)

    def use_left(self, rest: int) -> None:
        """Add of the others what fits into `rest` beyond the share; in a small window what a person noted."""
        small = self.terms.budget.small
        out = [row for row in self._rows if row.id not in self._chosen and (row.must or not small)]
        room = self.tokens + rest
        chosen = add_rows(self._rows, self._chosen, in_turn(out, ()), room, self.terms.writer)
        if len(chosen) > len(self._chosen):
            self.made.left.drop(RING, [NO_SHARE])
            self.account(RING, max(room, self._share))
            self._load(chosen)

    def _load(self, chosen: "Collection[str]") -> None:
        """Load these of the facts, and write down which of them are told and which were left out."""
        self._chosen = chosen
        self.units = write_rows(self._rows, chosen, self.terms.writer)
        out = [row.id for row in self._rows if row.id not in chosen]
        if self._line in self.made.chosen:
            self.made.chosen.remove(self._line)
        if out:
            ranked = sorted(self._rows, key=lambda row: row.rank)
            counts = Counter(row.why for row in ranked if row.id in chosen)
            told = ", ".join(f"{count:,} {why}" for why, count in counts.items())
            self._line = f"Facts in the bundle: {told or 'none'}"
            self.made.chosen.append(self._line)
        self.made.left.add(RING, out, NO_SHARE)
        told_before = [f"{RING}:{name}" for name in self._told]
        marks = {f"{RING}:{row.id}": _mark(row) for row in self._rows if row.id in chosen}
        self.made.marks.update(marks | {name: self._marks[name] for name in told_before})

    def chosen(self) -> "Mapping[str, Collection[str]]":
        """Return the IDs of the facts that are not resting."""
        return {RING: {row.id for row in self.terms.holdings.core.facts}}


def rank_told_last(rows: "Sequence[FactRow]", holdings: "Holdings") -> "Sequence[FactRow]":
    """Return rows, behind all others those that a note or a marker of the last evenings tells as well.

    A line of it has two thirds of the words and each of the numbers, and denies neither more nor less. What
    has settled and what a person noted stays, so that it is the same on most evenings. Only the first rows by
    rank are looked at, since no more have room.
    """
    memories = holdings.memories
    newest = islice(memories.newest(), memories.count - count_settled(memories.count))
    markers = memories.texts({row.id: RESOLUTIONS[1] for row in newest}).values()
    lines = [_words(line) for text in (holdings.core.working, *markers) for line in text.splitlines()]
    told = set()
    new = sorted((row for row in rows if not row.settled and not row.must), key=lambda row: row.rank)
    for row in new[:_MOST_COMPARED]:
        words, apart, denials = _words(f"{row.key} {row.value}")
        for theirs, numbers, denied in lines:
            common = len(words & theirs)
            if common > 1 and common * 3 >= len(words) * 2 and apart <= numbers and denials == denied:
                told.add(row.id)
                break
    return [row._replace(rank=row.rank + len(rows)) if row.id in told else row for row in rows]


def _words(line: str) -> "tuple[AbstractSet[str], AbstractSet[str], AbstractSet[str]]":
    """Return the stems of a line's words, its numbers and its denials, without the day it was said on."""
    bare = _SAID_ON.sub("", line)
    words = _WORD.findall(bare.casefold())
    denials = {"not" if word.endswith(("n't", "n’t")) else word for word in words} & NEGATORS
    return content_words(bare), {word for word in words if word[0].isdigit()}, denials


def _mark(row: "FactRow") -> str:
    return f"{crc32(f'{row.key} {row.value}'.encode()):08x}"
