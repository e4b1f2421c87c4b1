"""Bundle as `pack` makes it: the text, and an account of everything in it and everything left out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Tie
    from reel_cli.core.values.place import Place


@frozen
class LoadedUnit:
    """One unit of the bundle; `ring` is "0" to "4", "frame" for reel's own words, or a named part.

    `resolution` is whole, marker, tag or part; `tokens` counts the unit with its headings. `source` says
    where the words are from, for what may come from several places: file, history or tape. `text` is the
    unit as it stands in the bundle.
    """

    ring: str
    id: str
    resolution: str
    tokens: int
    source: str = ""
    text: str = ""


@frozen
class LeftOut:
    """An item of the kit that is not in the bundle, and the reason in words."""

    ring: str
    id: str
    reason: str


@frozen
class Share:
    """A ring's tokens in this bundle, and its range at this cap.

    `beyond` is how far it may go beyond that range in room that nothing else has use for.
    """

    tokens: int
    min: int
    max: int
    beyond: int = 0


@frozen
class Field:
    """The text for one field of a place; `characters` and `limit` are counted as the place counts."""

    name: str
    text: str
    characters: int
    limit: int | None


@frozen
class Bundle:
    """A packed bundle. `live` is what stays free by promise; all counts are the kit's tokenizer's."""

    text: str
    tokens: int
    window: int
    cap: int
    live: int
    tokenizer: str
    rings: Mapping[str, Share]
    loaded: Sequence[LoadedUnit]
    left_out: Sequence[LeftOut]
    warnings: Sequence[str] = ()
    chosen: Sequence[str] = ()
    """Reasons for the choice of exemplars by the cue, for `--explain`."""
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    """The content the reader of this bundle knows by now; given back to `pack`, it packs only what is new
    since."""
    ties: "Sequence[Tie]" = ()
    """The threads that go on, where memories had room by them."""
    fuller: Collection[str] = ()
    """Memories that are told at length only because room was left over."""
    template: int = 0
    """Tokens that the model's chat template puts around it, which are kept free."""
    place: "Place | None" = None
    """The place it was packed for."""
    fields: Sequence[Field] = ()
    """The same text as it goes into that place's fields; its parts may stand in another order there."""

    like: int = 0
    """The window it is packed like, where its place leaves less room than its own window; else 0."""

    @property
    def characters(self) -> int:
        """Return the bundle's length, as its place counts."""
        return sum(field.characters for field in self.fields) if self.fields else len(self.text)
