"""The card and the lorebooks that a kit keeps as they came, read again."""

from typing import TYPE_CHECKING

from reel_cli.cards.book import find_book
from reel_cli.cards.card_file import card_of
from reel_cli.cards.json_text import Json, parse_json
from reel_cli.errors import ReelError
from reel_cli.flows.card_parts import CARD, FOLDER, FROM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.kit.snapshot import Snapshot

LORE_FOLDER = "lore"
_WITHOUT = "; or move it away: what goes out is made of the rest of the kit then"


def read_kept(data: bytes, path: str) -> dict[str, Json]:
    """The card or lorebook in a file of the kit; ReelError where it cannot be read, or is neither."""
    hint = f"reel doctor  tells how to mend it{_WITHOUT}"
    try:
        value = parse_json(data, path)
    except ReelError as error:
        raise ReelError(error.message, hint=hint) from None
    if path == CARD:
        card = card_of(value)
        if card is None:
            message = f"{path} is JSON, but no character card."
            raise ReelError(message, hint=hint)
        return card
    book = find_book(value)
    if not isinstance(book.get("entries"), list | dict):
        message = f"{path} is JSON, but no lorebook."
        raise ReelError(message, hint=hint)
    return book


def card_in(snapshot: "Snapshot") -> dict[str, Json]:
    """The card that the kit began with, an empty one where it has none (any more); else as `read_kept`."""
    data = snapshot.read(CARD)
    return read_kept(data, CARD) if data is not None else {}


def kept_files(snapshot: "Snapshot") -> "Sequence[str]":
    """The files that `read_kept` can read, as far as they are there and as they should be."""
    lore = [path for path in snapshot.list(LORE_FOLDER) if path.endswith(".json")]
    return [*(path for path in snapshot.list(FOLDER) if path == CARD), *lore]


def lost_card(snapshot: "Snapshot") -> bool:
    """Whether the kit began with a card, and its file is gone."""
    began = any(one.source.startswith(FROM) for one in snapshot.exemplars.values())
    return snapshot.read(CARD) is None and began
