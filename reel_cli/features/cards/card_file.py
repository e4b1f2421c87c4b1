"""A character card as a file: PNG, JSON or CHARX; versions 1, 2 and 3."""

import base64
import binascii
import re
from collections.abc import Container, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_object, as_text, parse_json, render_json
from reel_cli.core.values.change import name_some, one_line
from reel_cli.features.cards.agnai import from_agnai, is_agnai
from reel_cli.features.cards.charx import is_charx, read_charx
from reel_cli.features.cards.png import (
    Chunk,
    is_png,
    join_png,
    plain_picture,
    read_text,
    split_png,
    text_chunk,
)

LARGEST = 64 * 1024 * 1024
"""A card's file is at most so large, in bytes."""
V3, V2 = "ccv3", "chara"
KEYS = (V3, V2)
"""The keys of a PNG's text chunks that hold a card, the one that wins first."""
V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
OF_V3: Mapping[str, Json] = {"group_only_greetings": []}
"""Fields that version 3 requires and earlier versions do not have."""
OF_V2: Mapping[str, Json] = {
    **dict.fromkeys(V1_FIELDS, ""),
    **dict.fromkeys(("creator_notes", "system_prompt", "post_history_instructions"), ""),
    "alternate_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "",
    "extensions": {},
}
"""Fields that version 2 requires."""
NAMED = 12
"""Maximum number of entries beside a card's fields that are named one by one."""
_ENVELOPE = frozenset({"spec", "spec_version", "data"})
_SPACE = re.compile(rb"\s+")
_PROSE = re.compile(rb"(?:\xef\xbb\xbf)?[\s\[(]*(?:\{\{|[A-Za-z#*])")
"""Pattern of how a character in plain text begins: `Name: Mira`, `[Character("Mira")`, `{{char}} is`."""


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card as it came: its JSON byte for byte and parsed, its picture without the card in it.

    `other` is a second card in the same picture that says something else; `assets` are the other files of a
    CHARX, by their safe names; `notes` say what could not be taken, in words.
    """

    source: bytes
    card: dict[str, Json]
    picture: bytes | None = None
    other: bytes | None = None
    assets: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, Json]:
        """Return the fields of the character, wherever its version has them."""
        return fields_of(self.card)

    @property
    def version(self) -> int:
        """Return the version: 1, 2 or 3."""
        return version_of(self.card)


def fields_of(card: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields of the character: `data`, or in version 1 the card itself."""
    return as_object(card.get("data")) if version_of(card) > 1 else dict(card)


def version_of(card: Mapping[str, Json]) -> int:
    """Return the version of a card's format."""
    if not isinstance(card.get("data"), dict):
        return 1
    return 3 if as_text(card.get("spec")) == "chara_card_v3" else 2


def read_card(data: bytes, name: str) -> CardFile:
    """Read a card from a file's bytes; `name` is what to call the file.

    Raises ReelError where it is no card, or is damaged, or would unpack to far too much.
    """
    if len(data) > LARGEST:
        message = f"{name} is larger than {LARGEST >> 20} MB."
        raise ReelError(message)
    if is_png(data):
        return _from_png(data, name)
    if is_charx(data):
        packed = read_charx(data, name)
        return CardFile(packed.card, _card(packed.card, name), None, None, packed.assets, tuple(packed.notes))
    if data[:3] == b"\xff\xd8\xff" or data[8:12] == b"WEBP" or data[:4] == b"GIF8":
        message = f"{name} is an image, but not a PNG; only a PNG can have a card in it."
        raise ReelError(message, hint="download the card as PNG or JSON")
    return CardFile(data, _card(data, name))


def _from_png(data: bytes, name: str) -> CardFile:
    chunks = split_png(data, name)
    found: dict[str, list[bytes]] = {}
    for chunk in chunks:
        if chunk.keyword.lower() in KEYS:
            found.setdefault(chunk.keyword.lower(), []).append(_decoded(read_text(chunk, name), name))
    if not found:
        message = f"{name} is a picture without a character card in it."
        raise ReelError(message, hint="many sites remove it; download the original, or the card as JSON")
    notes = []
    for key, texts in found.items():
        if len(set(texts)) > 1:
            notes.append(f"The picture has the card {len(texts)} times under {key}; the last one was used.")
    key = next(key for key in KEYS if key in found)
    source = found[key][-1]
    card = _card(source, name)
    other = found[V2][-1] if key == V3 and V2 in found else None
    if other is not None:
        second = _card(other, name)
        beside = _alone(card, second)
        if not _agree(card, second):
            notes.append("The picture has two different cards; the one of version 3 was used.")
        elif beside:
            shown = name_some([one_line(key, 30) for key in beside], NAMED)
            notes.append(f"Also kept, because only its version 2 card has it: {shown}.")
        else:
            other = None
    picture = join_png([chunk for chunk in chunks if chunk.keyword.lower() not in KEYS])
    return CardFile(source, card, picture, other, {}, tuple(notes))


def _decoded(text: bytes, name: str) -> bytes:
    bare = _SPACE.sub(b"", text)
    if bare.startswith(b"{"):
        # some programs omit the base64 encoding
        return text
    try:
        return base64.b64decode(bare + b"=" * (-len(bare) % 4), validate=True)
    except binascii.Error:
        message = f"The card in {name} is damaged: it is not base64."
        raise ReelError(message, hint="download it again, or take the card as JSON") from None


def _card(data: bytes, name: str) -> dict[str, Json]:
    try:
        value = parse_json(data, name)
    except ReelError:
        if not _PROSE.match(data):
            raise
        message = f"{name} is plain text, not a character card."
        hint = "for a character in plain text:  reel init PATH --identity FILE"
        raise ReelError(message, hint=hint) from None
    card = card_of(value)
    if card is None:
        message = f"{name} is not a character card."
        raise ReelError(message, hint=_what_else(value))
    return card


def card_of(value: Json) -> dict[str, Json] | None:
    """Return a JSON value as a card, also if it is a character of Agnai; None if it is neither."""
    if not isinstance(value, dict):
        return None
    if is_agnai(value):
        card = from_agnai(value)
        return {**card, "data": {**deepcopy(OF_V2), **as_object(card["data"])}}
    return value if is_card(value) else None


def is_card(value: Mapping[str, Json]) -> bool:
    """Return whether an object has the form of a card."""
    fields = fields_of(value)
    if as_text(value.get("spec")).startswith("chara_card_"):
        return isinstance(value.get("data"), dict)
    return sum(isinstance(fields.get(key), str) for key in V1_FIELDS) >= 2


def _what_else(value: Json) -> str:
    if isinstance(value, dict) and ("entries" in value or as_text(value.get("spec")) == "lorebook_v3"):
        return "it looks like a lorebook; into a kit it goes with  reel import lorebook FILE"
    return "a card is a PNG with a character in it, a JSON file, or a CHARX"


def _agree(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Return whether two cards agree in every field that both can hold."""
    mine, theirs = fields_of(one), fields_of(other)
    return all(mine.get(key) == value for key, value in theirs.items())


def _alone(one: Mapping[str, Json], other: Mapping[str, Json]) -> Sequence[str]:
    """Return what the other card has beside its fields that this one lacks, or has differently."""
    return [key for key, value in other.items() if key not in _ENVELOPE and not _has(one, key, value)]


def _has(one: Mapping[str, Json], key: str, value: Json) -> bool:
    return key in one and one[key] == value


# -- out ---------------------------------------------------------------------------------------


def with_spec(card: Mapping[str, Json], version: int) -> dict[str, Json]:
    """Return the same card as version 2 or 3; what its own version had beside the fields stays."""
    fields = fields_of(card)
    own = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0"}
    if version_of(card) == version:
        return dict(card)
    asked = {**(OF_V2 if version_of(card) == 1 else {}), **(OF_V3 if version == 3 else {})}
    return {**card, **own, "data": {**deepcopy(asked), **fields}}


def with_second(
    card: Mapping[str, Json], second: Mapping[str, Json], changed: Container[str]
) -> dict[str, Json]:
    """Return the card of version 2 to export with another; `second` is the one that was imported with it.

    What it alone had, and what stood beside its fields, is as it came; its copies of fields say what the
    fields say by now, where they did or where the field is among the `changed`.
    """
    two = with_spec(card, 2)
    data, theirs = as_object(two.get("data")), fields_of(second)
    beside = {key: value for key, value in second.items() if key not in _ENVELOPE}
    for key in V1_FIELDS:
        if key in beside and key in data and (key in changed or theirs.get(key) == beside[key]):
            beside[key] = data[key]
    if version_of(second) > 1:
        data = {**{key: value for key, value in theirs.items() if key not in data}, **data}
        extensions = {**as_object(theirs.get("extensions")), **as_object(data.get("extensions"))}
        if extensions and isinstance(data.get("extensions"), dict):
            data["extensions"] = extensions
    own: dict[str, Json] = {"spec": two["spec"], "spec_version": two["spec_version"]}
    return {**beside, **own, "data": data}


def render_card_png(
    card: Mapping[str, Json], picture: bytes | None, second: Mapping[str, Json] | None = None
) -> bytes:
    """Return a PNG that holds the card for programs of version 2 (`chara`) and of version 3 (`ccv3`).

    `second` is what programs of version 2 are to read where it is another.
    """
    chunks: Sequence[Chunk] = split_png(picture or plain_picture(), "the picture")
    kept = [chunk for chunk in chunks if chunk.keyword.lower() not in KEYS]
    texts = [
        text_chunk(key, base64.b64encode(render_json(dict(one))))
        for key, one in ((V2, second or with_spec(card, 2)), (V3, with_spec(card, 3)))
    ]
    return join_png([*kept[:-1], *texts, kept[-1]])
