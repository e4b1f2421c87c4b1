"""Cards as files: PNG, JSON, CHARX; what is damaged, hostile or no card at all."""

import base64
import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.cards.card_file import read_card, render_card_png
from reel_cli.features.cards.png import is_png, join_png, plain_picture, split_png

CARDS = Path(__file__).parents[2] / "fixtures" / "cards"
CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "Mira", "description": "x", "first_mes": "y"},
}


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*chunks: bytes) -> bytes:
    """A picture with these chunks before its end."""
    plain = plain_picture()
    return plain[:-12] + b"".join(chunks) + plain[-12:]


def b64(value: object) -> bytes:
    return base64.b64encode(json.dumps(value).encode())


def charx(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def test_the_card_is_found_in_every_kind_of_chunk() -> None:
    packed = zlib.compress(b64(CARD))
    for one in (
        chunk(b"tEXt", b"chara\0" + b64(CARD)),
        chunk(b"tEXt", b"Chara\0" + b64(CARD)[:40] + b"\n" + b64(CARD)[40:].rstrip(b"=")),
        chunk(b"tEXt", b"chara\0" + json.dumps(CARD).encode()),
        chunk(b"zTXt", b"chara\0\0" + packed),
        chunk(b"iTXt", b"ccv3\0\0\0en\0Karte\0" + b64(CARD)),
        chunk(b"iTXt", b"ccv3\0\1\0\0\0" + packed),
    ):
        found = read_card(png(one), "mira.png")
        assert found.card == CARD
        assert found.picture == plain_picture()


def test_what_else_is_in_the_picture_stays_in_it() -> None:
    own = chunk(b"tEXt", b"chara-ext-asset_:0\0" + b"AAAA") + chunk(b"tIME", b"\x07\xe8\1\1\0\0\0")
    found = read_card(png(own, chunk(b"tEXt", b"chara\0" + b64(CARD))), "mira.png")
    assert found.picture == png(own)
    assert is_png(render_card_png(found.card, found.picture))


def test_of_two_cards_the_one_of_version_3_wins_and_the_other_is_kept() -> None:
    other = {**CARD, "data": {**CARD["data"], "description": "older"}}
    three = {**CARD, "spec": "chara_card_v3", "data": {**CARD["data"], "group_only_greetings": []}}
    found = read_card(
        png(chunk(b"tEXt", b"chara\0" + b64(other)), chunk(b"tEXt", b"ccv3\0" + b64(three))), "m.png"
    )
    assert (found.card, found.version, json.loads(found.other or b"")) == (three, 3, other)
    assert found.notes == ("The picture has two different cards; the one of version 3 was used.",)
    same = read_card(
        png(chunk(b"tEXt", b"chara\0" + b64(CARD)), chunk(b"tEXt", b"ccv3\0" + b64(three))), "m.png"
    )
    assert (same.other, same.notes) == (None, ())
    twice = read_card(
        png(chunk(b"tEXt", b"chara\0" + b64(other)), chunk(b"tEXt", b"chara\0" + b64(CARD))), "m.png"
    )
    assert (twice.card, twice.notes) == (
        CARD,
        ("The picture has the card 2 times under chara; the last one was used.",),
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (png(), "is a picture without a character card in it"),
        (png(chunk(b"tEXt", b"chara\0" + b64(CARD)))[:-20], "it is cut off"),
        (png(chunk(b"tEXt", b"chara\0" + b64(CARD))[:-1] + b"\0"), "its checksum is wrong"),
        (b"\x89PNG\r\n\x1a\n" + b"\xff" * 40, "it is cut off"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""), "it has no header"),
        (png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b64(CARD))[:-6])), "a packed text in it is broken"),
        (png(chunk(b"iTXt", b"chara\0\1\0nothing more")), "a text in it is broken"),
        (png(chunk(b"tEXt", b"chara\0!!!!")), "is damaged: it is not base64"),
        (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(b"{half"))), "is not JSON that can be read"),
        (png(chunk(b"tEXt", b"chara\0" + b64([1, 2]))), "is not a character card"),
        (b"\xff\xd8\xff\xe0 a photograph", "is an image, but not a PNG"),
        (b"{a letter", "is not JSON that can be read (line 1)"),
        (b"Name: Mira", "is plain text, not a character card"),
        (b'[Character("Mira")\nAge("40")]', "is plain text, not a character card"),
        (b"\xef\xbb\xbf{{char}} is a keeper of bees.", "is plain text, not a character card"),
        (b'{"entries": {}}', "is not a character card"),
        (b'{"name": "only"}', "is not a character card"),
        (b"[" * 5000 + b"]" * 5000, "is not JSON that can be read"),
        (b'{"name": "x", "description": ' + b"[" * 90 + b"]" * 90 + b"}", "is nested too deeply"),
        (b'{"name": "x", "description": "", "n": ' + b"9" * 5000 + b"}", "is not JSON that can be read"),
        (b'{"x": [' + b"0," * 1_000_001 + b"0]}", "holds far too many parts"),
        (charx(**{"readme.txt": b"x"}), "is a zip archive without a card.json"),
        (charx(**{"card.json": json.dumps(CARD).encode()})[:-30], "cannot be unpacked"),
    ],
)
def test_what_is_no_card_is_refused_with_the_reason(data: bytes, says: str) -> None:
    with pytest.raises(ReelError) as refused:
        read_card(data, "mira.png")
    assert says in refused.value.message
    assert "mira.png" in refused.value.message


def test_bombs_are_not_unpacked() -> None:
    layer = zlib.compress(b"A" * (200 << 20), 9)
    zipped = charx(**{"card.json": json.dumps(CARD).encode(), "assets/a.bin": b"\0" * (70 << 20)})
    tracemalloc.start()
    for data, says in (
        (png(chunk(b"zTXt", b"chara\0\0" + layer)), "unpacks to more than 32 MB"),
        (png(chunk(b"iTXt", b"ccv3\0\1\0\0\0" + layer)), "unpacks to more than 32 MB"),
        (zipped, "unpacks to more than 64 MB"),
    ):
        with pytest.raises(ReelError, match=says):
            read_card(data, "bomb.png")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 160 << 20


def test_a_file_without_a_name_in_an_archive_is_left_out() -> None:
    packed = charx(**{"card.json": json.dumps(CARD).encode(), "@": b"x"}).replace(b"@", b"\0")
    card = read_card(packed, "Mira.charx")
    assert card.assets == {}
    assert any("names are not safe" in note for note in card.notes)


def test_no_name_in_an_archive_leads_out_of_it() -> None:
    link = zipfile.ZipInfo("assets/link")
    link.external_attr = 0o120777 << 16
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("card.json", json.dumps(CARD))
        archive.writestr("assets/icon/main.png", b"x")
        for name in (
            "../out",
            "/etc/x",
            "a/../../b",
            "C:\\x",
            "a\\b",
            ".git/config",
            "a/.hidden",
            "x\x1b[2J",
            "a//b",
            "n. ",
        ):
            archive.writestr(name, b"!")
        archive.writestr(link, "/etc/passwd")
        archive.writestr("ASSETS/ICON/main.png", b"twin")
        archive.writestr("assets/icon/main.png/inside", b"below a file")
    found = read_card(made.getvalue(), "mira.charx")
    assert dict(found.assets) in (
        {"assets/icon/main.png": b"x"},
        {"assets/icon/main.png/inside": b"below a file"},
    )
    assert found.notes == ("13 files in mira.charx could not be kept: their names are not safe to use.",)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_never_worse(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["mira-v2.png", "mira-v3.png", "mira.charx", "mira-v2.json"]))
    whole = bytearray((CARDS / name).read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    told = name
    try:
        read_card(bytes(whole[:cut]), name)
    except ReelError as refused:
        told = refused.message
    assert name in told


def test_a_picture_is_taken_apart_and_put_together_byte_for_byte() -> None:
    for data in (plain_picture(), (CARDS / "mira-v3.png").read_bytes()):
        assert join_png(split_png(data, "x")) == data
