"""A text from elsewhere with a person's edit in it: what was not edited stays as it came, macros and all."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_LEVELS = (
    re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+"),
    re.compile(r"[^.!?…。！？]+[.!?…。！？]*|[.!?…。！？]+"),
    re.compile(r"\{\{[^{}]*\}\}|<(?:char|user|bot)>|\w+|\r\n|\s|[^\w\s]", re.IGNORECASE),
)
"""Lines, sentences, words: a text is compared by these in turn, so that a long one takes no time."""
MOST_COMPARED = 1_000_000
"""Pairs of parts above which a stretch counts as replaced as a whole."""


class Pair(NamedTuple):
    """A stretch of one text, and what stands in its place in another."""

    one: str
    other: str

    @property
    def same(self) -> bool:
        """Return whether both texts are the same."""
        return self.one == self.other


def align(one: str, other: str, spell: Callable[[str], str], level: int = 0) -> Iterator[Pair]:
    """Yield two texts side by side: equal stretches, and differing ones as small as possible.

    `spell` says how a part of the first is likely to read in the other.
    """
    if one == other or not one or not other or level == len(_LEVELS):
        if one or other:
            yield Pair(one, other)
        return
    parts, others = _LEVELS[level].findall(one), _LEVELS[level].findall(other)
    keys = [_key(spell(part)) or _key(part) for part in parts]
    for i, to, j, until, same in _blocks(keys, [_key(part) for part in others]):
        if same:
            for mine, theirs in zip(parts[i:to], others[j:until], strict=True):
                yield from align(mine, theirs, spell, level + 1)
        else:
            yield from align("".join(parts[i:to]), "".join(others[j:until]), spell, level + 1)


def _key(part: str) -> str:
    return part.strip() or part.replace("\r\n", "\n").replace("\r", "\n")


def _blocks(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield which parts of two texts take each other's place, and whether they are alike."""
    most = min(len(one), len(other))
    head = next((at for at in range(most) if one[at] != other[at]), most)
    tail = next((at for at in range(most - head) if one[-1 - at] != other[-1 - at]), most - head)
    yield 0, head, 0, head, True
    inner, theirs = one[head : len(one) - tail], other[head : len(other) - tail]
    if len(inner) * len(theirs) > MOST_COMPARED:
        yield head, len(one) - tail, head, len(other) - tail, False
    else:
        for tag, i, to, j, until in SequenceMatcher(None, inner, theirs, autojunk=False).get_opcodes():
            yield head + i, head + to, head + j, head + until, tag == "equal"
    yield len(one) - tail, len(one), len(other) - tail, len(other), True


def carry_edit(came: str, shown: str, now: str, spell: Callable[[str], str]) -> str:
    """Return a text as it came, with the edit that turns its shown form `shown` into `now`.

    What stands in `came` and was not shown (a note to the author, a line for a program) stays. `spell` says
    how a part of it is shown.
    """
    if now == shown:
        return came
    traced = _TracedText(came, shown, spell)
    end_of_line = "\r\n" if 0 < came.count("\r\n") == came.count("\n") else "\n"
    made = [traced.unseen(0, 1)]
    at = 0
    for stretch, new in align(shown, now, str):
        end = at + len(stretch)
        made.append(
            traced.came(at, end)
            if stretch == new
            else traced.unseen(at, end) + new.replace("\n", end_of_line)
        )
        at = end
    made.append(traced.unseen(at, at + 1))
    return "".join(made)


class _TracedText:
    """A text that is shown otherwise than it came, and what each stretch of it came as."""

    def __init__(self, came: str, shown: str, spell: Callable[[str], str]) -> None:
        self.pieces: list[tuple[int, Pair]] = []
        self.hidden: dict[int, str] = {}
        at = 0
        for piece in align(came, shown, spell):
            if piece.other:
                self.pieces.append((at, piece))
                at += len(piece.other)
            else:
                self.hidden[at] = self.hidden.get(at, "") + piece.one
        self.next = 0

    def unseen(self, start: int, end: int) -> str:
        """Return the hidden text between two places; each is given once."""
        return "".join(self.hidden.pop(at) for at in sorted(self.hidden) if start <= at < end)

    def came(self, start: int, end: int) -> str:
        """Return the original of a stretch; stretches must be asked for in order."""
        made = []
        while self.next < len(self.pieces):
            at, piece = self.pieces[self.next]
            stop = at + len(piece.other)
            if at >= end:
                break
            if stop > start:
                low, high = max(at, start), min(stop, end)
                made.append(self.unseen(low, low + 1))
                whole = (low, high) == (at, stop)
                made.append(piece.one if whole else piece.other[low - at : high - at])
                if stop > end:
                    break
            self.next += 1
        return "".join(made)
