"""The card, its picture and the lorebooks that a kit keeps as they came, read again."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_object, as_text, parse_json
from reel_cli.features.cards.card_file import card_of
from reel_cli.features.cards.lore.book import find_book
from reel_cli.features.cards.names import NAMES, naming_of, read_names
from reel_cli.features.cards.parts import CARD, FOLDER, FROM, OTHER, PICTURE
from reel_cli.features.cards.png import is_png, split_png

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reel_cli.core.kit.snapshot import Snapshot

LORE_FOLDER = "lore"
_WITHOUT = "; or move it away, and exports are made without it"


def read_kept(data: bytes, path: str) -> dict[str, Json]:
    """Return the card or lorebook in a file of the kit; raises ReelError if it is unreadable or neither."""
    hint = f"reel doctor  says how to fix it{_WITHOUT}"
    try:
        value = parse_json(data, path)
    except ReelError as error:
        raise ReelError(error.message, hint=hint) from None
    if path in (CARD, OTHER):
        card = card_of(value)
        if card is None:
            message = f"{path} is JSON, but not a character card."
            raise ReelError(message, hint=hint)
        return card
    book = find_book(value)
    if not isinstance(book.get("entries"), list | dict):
        message = f"{path} is JSON, but not a lorebook."
        raise ReelError(message, hint=hint)
    return book


def card_in(snapshot: "Snapshot") -> dict[str, Json]:
    """Return the card that the kit began with, or an empty one; else as `read_kept`."""
    data = snapshot.read(CARD)
    return read_kept(data, CARD) if data is not None else {}


def list_names(snapshot: "Snapshot") -> "Iterator[str]":
    """Yield what the card calls the character, and called it when it came; as `read_kept`."""
    card = as_object(card_in(snapshot).get("data")) or card_in(snapshot)
    yield from (as_text(card.get(key)) for key in ("name", "nickname"))
    if card:
        yield naming_of(snapshot).came.char


def other_card_in(snapshot: "Snapshot") -> dict[str, Json]:
    """Return the card of version 2 from the same picture, or an empty one; else as `read_kept`."""
    data = snapshot.read(OTHER)
    return read_kept(data, OTHER) if data is not None else {}


def check_picture(data: bytes) -> bytes:
    """Return the picture unchanged; raises ReelError, naming its file, if it is damaged."""
    hint = "reel doctor  says how to fix it; or give another:  --picture FILE"
    if not is_png(data):
        message = f"{PICTURE} is not a PNG."
        raise ReelError(message, hint=hint)
    try:
        split_png(data, PICTURE)
    except ReelError as error:
        raise ReelError(error.message, hint=hint) from None
    return data


def read_face(snapshot: "Snapshot") -> bytes | None:
    """Return the picture that the card came in; None where there is none, or it is damaged."""
    data = snapshot.read(PICTURE)
    try:
        return check_picture(data) if data is not None else None
    except ReelError:
        return None


def check_kept(data: bytes, path: str) -> None:
    """Raise ReelError where a file of a card or a lorebook is not as it should be."""
    if path == PICTURE:
        check_picture(data)
    elif path == NAMES:
        if read_names(data) is None:
            message = f"{NAMES} does not say what the two were called."
            raise ReelError(message)
    else:
        read_kept(data, path)


def is_kept(path: str) -> bool:
    """Return whether `check_kept` knows a file."""
    return path in (CARD, OTHER, PICTURE, NAMES) or (
        path.startswith(f"{LORE_FOLDER}/") and path.endswith(".json")
    )


def all_kept(snapshot: "Snapshot") -> "Sequence[str]":
    """Return the files that `check_kept` knows, as far as they are there."""
    beside = [path for path in (OTHER, PICTURE, NAMES) if snapshot.read(path) is not None]
    return [*kept_files(snapshot), *beside]


def kept_files(snapshot: "Snapshot") -> "Sequence[str]":
    """Return the existing files that `read_kept` can read."""
    lore = [path for path in snapshot.list(LORE_FOLDER) if path.endswith(".json")]
    return [*(path for path in snapshot.list(FOLDER) if path == CARD), *lore]


def lost_card(snapshot: "Snapshot") -> bool:
    """Return whether the kit began with a card whose file is gone."""
    began = any(one.source.startswith(FROM) for one in snapshot.exemplars.values())
    return snapshot.read(CARD) is None and began
