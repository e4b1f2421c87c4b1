"""The note that words of a reply name, among those that its prompt showed."""

from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import alike

_LIKE = 0.75
_AROUND = "\"' .:"
_MARKS = (",", ";", ":", ".", " (", " -")
IN_QUOTES = late(r"[\"“„«][^\"“”„«»]*[\"”“»]")
_OF_NOTES = telling("note item thread loop question")
"""Roots of words by which any note is called."""
_CAPITALIZED = late(r"(?<=[a-z,] )[A-Z]\w+")
_WORD = late(r"\w+")
_LEAST_NAMED = 2
"""Telling words by which a line names an item that it neither numbers nor repeats."""
_BEGINNING = 3
"""First words of an item that name it where no mark stands behind them: `Kit turns seven`."""


@frozen
class NotedItems:
    """The items that a note may be about: those with a number in the prompt, and the others behind them."""

    numbered: Sequence[Item]
    others: Sequence[Item] = ()


def find_item(text: str, known: NotedItems) -> int | None:
    """Return the one item these words name, by its very words or else by like ones; None for none or several.

    What the prompt did not show is named by its very words, or by those that it begins with.
    """
    wanted = fold(text).strip(_AROUND)
    if not wanted:
        return None
    items = [fold(item.text) for item in known.numbered]
    others = [fold(item.text) for item in known.others]
    bare = [fold(without_day(one)).strip(_AROUND) for one in (*items, *others)]
    hits = [number for number, one in enumerate(bare, 1) if one == without_day(wanted)]
    if len(hits) != 1:
        hits = [number for number, one in enumerate(items, 1) if _names(wanted, one)]
    if not hits:
        hits = [number for number, one in enumerate(bare, 1) if _begins(wanted, one)]
    if not hits and len(wanted.split()) >= _BEGINNING:
        hits = [number for number, one in enumerate(bare, 1) if one.startswith(f"{wanted} ")]
    return hits[0] if len(hits) == 1 else None


def _begins(wanted: str, item: str) -> bool:
    """Return whether words are all of what stands before the first mark of an item."""
    return " " in wanted and item.startswith(wanted) and item[len(wanted) :].startswith(_MARKS)


def find_meant(line: str, named: str, known: NotedItems) -> int | None:
    """Return the one item that has all telling words by which a line names it; None for none or several.

    One word is enough where the line quotes what settles the item.
    """
    plain = IN_QUOTES.sub(" ", named)
    words = telling(plain) - _OF_NOTES - LENT
    # a name may look like a word that tells nothing: `Lotse`
    called = {one.casefold() for one in _CAPITALIZED.findall(plain)}
    if len(words | called) < (1 if IN_QUOTES.search(line) else _LEAST_NAMED):
        return None
    every = [*known.numbered, *known.others]
    hits = [
        number
        for number, one in enumerate(every, 1)
        if words <= telling(note := without_day(one.text)) and called <= {*_WORD.findall(note.casefold())}
    ]
    return hits[0] if len(hits) == 1 else None


def _names(wanted: str, item: str) -> bool:
    return (
        alike(wanted, item, _LIKE)
        or (len(wanted) >= 8 and wanted in item)
        or (len(item) >= 8 and item in wanted)
    )
