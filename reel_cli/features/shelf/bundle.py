"""Loading of the shelf within its share: pinned files first, then the hotter ones.

A file is told whole, else by its summary, else by its title; nothing is cut. What fits into the share does
not depend on how much room there is besides: where that is less, the last of them yield.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.blockquote import fence_for
from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, PreparedPart, Source, Terms
from reel_cli.core.pack.render import Writer
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import fold_line, fold_text
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.change import name_some
from reel_cli.features.shelf.row import TOO_LARGE, ShelfContents, ShelfItem

if TYPE_CHECKING:
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.core.pack.draft import BundleDraft

RING = "shelf"
BYTES_A_TOKEN = 16
"""A text of more bytes than so many for each token of the share is not read to be counted."""
LEAST = 16
"""Tokens of room below which nothing more is tried."""
MOST_NAMED = 3
"""Maximum number of files named in a warning."""
NO_SHARE = "no room in the shelf's share"
NO_ROOM = "no room after what comes before it"
NOT_WHOLE = "not all of it: no room left in the shelf's share"
HOLDS_BUNDLE = "it contains a bundle made by reel"
IN_THE_CHAT = "in this conversation already"
SHORT = "shortened: {why}"
OLD = "and its summary is old"


class ShelfPart(PreparedPart):
    """The part for a kit's shelf."""

    rings = (RING,)
    limited = True

    def __init__(self, source: Source | None, wish: "BundleRequest") -> None:
        """Read the shelf of `source`."""
        super().__init__(source, wish)
        self.shelved: ShelfContents | None = None

    def prepare(self) -> None:
        """Read the shelf by what the kit's catalog keeps of it."""
        from reel_cli.features.shelf.bundle_parts import gather_shelf

        if self.source is not None and self.source.kit is not None:
            self.shelved = gather_shelf(self.source.kit)

    def gather(self) -> bool:
        """Read the shelf of any other tree."""
        if self.shelved is None and self.source is not None:
            from reel_cli.features.shelf.bundle_parts import shelf_in

            self.shelved = shelf_in(self.source.snapshot)
        return self.shelved is not None

    def open(self, made: "BundleDraft", terms: Terms) -> "LoadedPart | None":
        """Return the shelf in one loading."""
        return _LoadedShelf(self, self.shelved, made, terms) if self.shelved is not None else None


class _LoadedShelf(LoadedPart):
    """The files that fit into their share."""

    def __init__(self, part: BundlePart, shelved: ShelfContents, made: "BundleDraft", terms: Terms) -> None:
        super().__init__(part, made, terms)
        self._shelved = shelved

    def fill(self, rest: int) -> None:
        """Load what fits, and write down what does not."""
        share, made = self.terms.budget.shelf, self.made
        found = lay_out(
            self._shelved, share, 0 if made.squeezed else rest, self.terms.writer, self.terms.since
        )
        self.units, self.squeezed = found.units, found.squeezed
        self.account(RING, share)
        made.marks.update(found.marks)
        made.warnings += found.told
        for ids, reason in found.left:
            made.left.add(RING, ids, reason)

    def chosen(self) -> Mapping[str, Collection[str]]:
        """Return the IDs of the files that may be told of."""
        return {RING: {item.id for item in self._shelved.items}}


class OnShelf(NamedTuple):
    """The loaded files, and those left out with reasons; `squeezed` means less room than the share."""

    units: Sequence[Unit] = ()
    left: Sequence[tuple[Sequence[str], str]] = ()
    marks: Mapping[str, str] = {}
    told: Sequence[str] = ()
    squeezed: bool = False

    @property
    def tokens(self) -> int:
        """Return the token count of all units."""
        return sum(unit.tokens for unit in self.units)


class _ShelfEntry(NamedTuple):
    """A file as it is told; `why` says why it is not told whole."""

    item: ShelfItem
    resolution: str
    text: str
    tokens: int
    why: str = ""

    @property
    def at_length(self) -> bool:
        """Return whether it stands under a heading of its own."""
        return self.resolution != "tag" and not self.text.startswith(("- ", "• "))


def lay_out(
    shelved: ShelfContents, share: int, rest: int, writer: Writer, known: Mapping[str, str] | None = None
) -> OnShelf:
    """Return the part of the shelf that fits into its share and `rest` tokens.

    With `known`, an earlier bundle's marks, only what is new since, or not as it was.
    """
    laying = _ShelfWriter(shelved, share, writer)
    chosen, none = laying.choose()
    marks = {f"{RING}:{one.item.id}": f"{crc32(one.text.encode()):08x}" for one in chosen}
    fresh = [
        one
        for one in chosen
        if known is None or known.get(f"{RING}:{one.item.id}") != marks[f"{RING}:{one.item.id}"]
    ]
    old = [one.item.id for one in chosen if one not in fresh]
    fits = list(fresh)
    units = laying.write(fits)
    while fits and sum(unit.tokens for unit in units) > rest:
        fits.pop()
        units = laying.write(fits)
    out = [one.item.id for one in fresh[len(fits) :]]
    short = [((one.item.id,), SHORT.replace("{why}", one.why)) for one in fits if one.why]
    whole = {one.item.id for one in chosen if one.resolution == "whole"}.difference(out)
    wanted = [one.id for one in shelved.items if one.listed and not (one.pin or one.aside or one.id in whole)]
    told = [*shelved.told, *laying.warnings, *_tell_hot(wanted)]
    left = [*short, (none, NO_SHARE), (out, NO_ROOM), (old, IN_THE_CHAT), *shelved.left]
    kept = {f"{RING}:{one.item.id}" for one in [*fits, *(one for one in chosen if one.item.id in old)]}
    return OnShelf(
        units,
        [(ids, why) for ids, why in left if ids],
        {key: mark for key, mark in marks.items() if key in kept},
        told,
        squeezed=bool(out),
    )


def _tell_hot(wanted: Sequence[str]) -> Sequence[str]:
    """Return that hot.yml keeps files at hand that are not in this bundle, or not whole."""
    if not wanted:
        return ()
    names = name_some([fold_line(one.removeprefix(f"{RING}/")) for one in wanted], MOST_NAMED)
    these = "does" if len(wanted) == 1 else "do"
    return (f"{names}, which hot.yml keeps at hand, {these} not fit whole into this bundle.",)


class _ShelfWriter:
    """One shelf, to be written into one bundle."""

    def __init__(self, shelved: ShelfContents, share: int, writer: Writer) -> None:
        self.shelved = shelved
        self.share = share
        self.writer = writer
        self.warnings: list[str] = []
        style, count = writer.style, writer.count
        self._section = style.section(words.DESK, words.DESK_INTRO)
        self._nearby = f"{style.headings[2]}{words.DESK_NEARBY}\n\n"
        self._overhead = count(self._section) + count(self._nearby) + count("\n")

    def choose(self) -> tuple[list[_ShelfEntry], list[str]]:
        """Return the files that fit into the share, each in its fullest such form; and the others."""
        left = self.share - self._overhead
        chosen: list[_ShelfEntry] = []
        for place, item in enumerate(self.shelved.items):
            if left < LEAST:
                return chosen, [one.id for one in self.shelved.items[place:]]
            told = self._tell(item, left)
            if told is not None:
                chosen.append(told)
                left -= told.tokens
        gone = {one.item.id for one in chosen}
        return chosen, [item.id for item in self.shelved.items if item.id not in gone]

    def _tell(self, item: ShelfItem, left: int) -> _ShelfEntry | None:
        text, why = self.shelved.desk.open(item, self.share * BYTES_A_TOKEN)
        if text is not None and _holds_bundle(text):
            text, why = None, HOLDS_BUNDLE
        if text is not None:
            whole = self._at_length(item, text)
            tokens = self.writer.count(whole)
            if tokens <= left:
                return _ShelfEntry(item, "whole", whole, tokens)
            why = NOT_WHOLE if tokens <= self.share - self._overhead else TOO_LARGE
        for resolution, form, old in self._in_short(item):
            tokens = self.writer.count(form)
            if tokens <= left:
                why = f"{why}; {OLD}" if old else why
                self._warn(item, why)
                return _ShelfEntry(item, resolution, form, tokens, why)
        return None

    def _in_short(self, item: ShelfItem) -> Sequence[tuple[str, str, bool]]:
        """Return a file's shorter forms, fuller first, and whether each is of an older version."""
        forms = []
        digest = self.shelved.desk.digest(item)
        if digest is not None and digest.text.strip() and not _holds_bundle(digest.text):
            intro = words.DESK_DIGEST_OLD if digest.old else words.DESK_DIGEST
            forms.append(("marker", self._at_length(item, digest.text, intro), digest.old))
        name, title = self._name(item)
        style = self.writer.style
        head = f"{style.item}{style.strong}{title}{style.strong}{name}"
        summary = words.without_ids(fold_line(remove_syntax(item.summary)))
        if summary:
            forms.append(("marker", f"{head}: {summary}\n", False))
        forms.append(("tag", f"{head}\n", False))
        return forms

    def _warn(self, item: ShelfItem, why: str) -> None:
        if item.pin and why in (TOO_LARGE, NOT_WHOLE):
            self.warnings.append(
                f"{fold_line(item.id)} is pinned, but does not fit whole into the shelf's share of"
                f" {self.share:,} tokens: it is shortened."
            )

    def _name(self, item: ShelfItem) -> tuple[str, str]:
        """Return the file's name, in brackets to go behind its title, and the title."""
        name = fold_line(item.id.removeprefix(f"{RING}/"))
        title = words.without_ids(fold_line(remove_syntax(item.title))) or words.UNTITLED
        return f" ({name})", title

    def _at_length(self, item: ShelfItem, text: str, intro: str = "") -> str:
        """Return a text under its title, between fences that nothing in it can close."""
        style = self.writer.style
        name, title = self._name(item)
        # a file is told without STAGE and CHAIN syntax, as a memory is (REEL §5)
        said = fold_text(remove_syntax(text)).strip("\n")
        fence = fence_for(said)
        above = f"{intro}\n\n" if intro else ""
        head = f"{style.headings[2]}{style.quoted[:1]}{title}{style.quoted[1:]}{name}\n\n"
        return f"{head}{above}{fence}\n{said}\n{fence}\n\n"

    def write(self, chosen: Sequence[_ShelfEntry]) -> list[Unit]:
        """Return the units: those told at length first, then those told in a line."""
        long = [one for one in chosen if one.at_length]
        short = [one for one in chosen if not one.at_length]
        units = [Unit(RING, one.item.id, one.text, one.tokens, one.resolution) for one in long]
        lines = [Unit(RING, one.item.id, one.text, one.tokens, one.resolution) for one in short]
        if lines:
            last = f"{lines[-1].text}\n"
            lines[-1] = lines[-1]._replace(text=last, tokens=self.writer.count(last))
            if units:
                self.writer.open(lines, self._nearby)
        units += lines
        self.writer.open(units, self._section)
        return units


def _holds_bundle(text: str) -> bool:
    """Return whether a text holds a bundle's first or last line, and so could pass for its own words."""
    plain = text.casefold()
    if not any(all(word in plain for word in signs) for signs in _SIGNS):
        return False
    from reel_cli.core.pack.recognize import holds_frame

    return holds_frame(text)


_SIGNS = tuple(
    tuple(word for word in line.casefold().split() if word.isalpha())
    for line in (words.OPENING, words.CLOSING, words.REFRESH_OPENING, words.REFRESH_CLOSING)
)
"""The words of a bundle's first and last lines: a text without all of one line's holds none of them."""
