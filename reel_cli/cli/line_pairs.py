"""A long line of a diff beside the one that takes its place: only what differs, and the words around that."""

import re
from collections.abc import Iterator, Sequence

LONG = 120
"""In characters: a line and its successor are shown whole up to here."""
LONGEST = 20_000
"""In characters: lines longer than this are not compared."""
AROUND = 6
"""So many words stand on either side of what differs."""

_WORD = re.compile(r"\s*\S+")


def fold_pairs(lines: Sequence[str]) -> list[str]:
    """The lines of a diff, each marked by its first character, long ones without what they have in common.

    As many lines put in as were taken out right before are held against one another, in their order;
    where little is in common both stay whole.
    """
    found: list[str] = []
    for old, new in _runs(lines):
        if len(old) == len(new):
            pairs = [_fold(a[1:], b[1:]) for a, b in zip(old, new, strict=True)]
            found += [f"-{a}" for a, _ in pairs] + [f"+{b}" for _, b in pairs]
        else:
            found += [*old, *new]
    return found


def _runs(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """What is taken out and what follows it, in turn; a line of neither kind is a run of its own."""
    at = 0
    while at < len(lines):
        old, new = [], []
        while at < len(lines) and lines[at].startswith("-"):
            old.append(lines[at])
            at += 1
        while at < len(lines) and lines[at].startswith("+"):
            new.append(lines[at])
            at += 1
        if not (old or new):
            new, at = [lines[at]], at + 1
        yield old, new


def _fold(old: str, new: str) -> tuple[str, str]:
    if not LONG < max(len(old), len(new)) <= LONGEST:
        return old, new
    from difflib import SequenceMatcher  # noqa: PLC0415

    words = _WORD.findall(old), _WORD.findall(new)
    matcher = SequenceMatcher(None, *words, autojunk=False)
    codes = matcher.get_opcodes()
    same = sum(b - a for what, a, b, _, _ in codes if what == "equal")
    if 2 * same < max(map(len, words)):
        return old, new
    sides: tuple[list[str], list[str]] = ([], [])
    for number, (what, *spans) in enumerate(codes):
        for side, own, (start, stop) in zip(sides, words, (spans[:2], spans[2:]), strict=True):
            part = own[start:stop]
            if what == "equal":
                part = _clip(part, first=number == 0, last=number == len(codes) - 1)
            side.extend(part)
    return "".join(sides[0]).strip(), "".join(sides[1]).strip()


def _clip(words: list[str], *, first: bool, last: bool) -> list[str]:
    """Of words in common those next to what differs; an ellipsis stands for the rest."""
    before, after = (0 if first else AROUND), (0 if last else AROUND)
    if len(words) <= before + after + 1:
        return words
    return [*words[:before], " …", *words[len(words) - after :]]
