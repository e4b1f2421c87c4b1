"""A model file's header is read as far as it goes, and nothing in it is trusted."""

import os
import random
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.models import gguf
from reel_cli.features.models.gguf import Numbers, Texts, read_header
from tests.support.gguf_files import NORMAL, Given, by_score, byte_pairs, render_gguf, write_gguf


def test_every_kind_of_value_is_read(tmp_path: Path) -> None:
    entries: dict[str, Given] = {
        "a": "é",
        "b": 7,
        "c": 0.5,
        "d": True,
        "e": ["x", "", "yz"],
        "f": [1, -2],
        "g": [],
    }
    found = read_header(write_gguf(tmp_path / "m.gguf", entries))
    texts, numbers, none = found.pop("e"), found.pop("f"), found.pop("g")
    assert isinstance(texts, Texts)
    assert isinstance(numbers, Numbers)
    assert isinstance(none, Numbers)
    assert (list(texts), list(numbers.read(9)), list(none.read(9))) == ([b"x", b"", b"yz"], [1, -2], [])
    assert found == {"a": "é".encode(), "b": 7, "c": 0.5, "d": True}


def test_a_header_longer_than_what_is_read_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(tmp_path / "m.gguf", byte_pairs("gpt-2"))
    whole = read_header(path)
    monkeypatch.setattr(gguf, "FIRST_READ", 64)
    assert list(read_header(path)) == list(whole)


HEAD = b"GGUF" + struct.pack("<I", 3)
KEY = struct.pack("<Q", 1) + b"k"
ONE = HEAD + struct.pack("<QQ", 0, 1) + KEY


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is not a GGUF file"),
        (b"\x89PNG\r\n\x1a\n" * 9, "is not a GGUF file"),
        (b"FUGG" + bytes(60), "is not a GGUF file"),
        (b"GGUF", "is cut off in its header"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 2), "is a big-endian GGUF file"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "is a GGUF file of version 1; reel reads 2 and 3"),
        (b"GGUF" + struct.pack("<IQQ", 4, 0, 0), "is a GGUF file of version 4; reel reads 2 and 3"),
        (HEAD + struct.pack("<QQ", 0, 1 << 60), f"it announces {1 << 60:,} entries"),
        (HEAD + struct.pack("<QQ", (1 << 64) - 1, 0), f"it announces {(1 << 64) - 1:,} pieces of weights"),
        (HEAD + struct.pack("<QQQ", 0, 1, 1 << 63), f"it announces a text of {1 << 63:,} bytes"),
        (ONE + struct.pack("<I", 77), "a value of type 77"),
        (ONE + struct.pack("<IQ", 8, (1 << 64) - 1), "it announces a text"),
        (ONE + struct.pack("<IIQ", 9, 4, 1 << 62), "it announces"),
        (ONE + struct.pack("<IIQ", 9, 8, 1 << 40), "it announces 1,099,511,627,776 texts"),
        (ONE + struct.pack("<IIQ", 9, 8, 3_000_000), "is cut off in its header"),
        (ONE + struct.pack("<IIQQ", 9, 8, 2, 1 << 62) + b"a", "it announces a text larger than a header"),
        (ONE + struct.pack("<IIQ", 9, 9, 1), "a list of lists stands in it"),
        (ONE + struct.pack("<IIQ", 9, 13, 1), "a list of type 13 stands in it"),
    ],
)
def test_what_is_no_header_is_told_in_one_sentence(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "m.gguf").write_bytes(data)
    with pytest.raises(ReelError) as found:
        read_header(tmp_path / "m.gguf")
    assert told in found.value.message
    assert found.value.message.startswith("m.gguf ")
    assert found.value.hint


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    data = render_gguf(by_score())
    end = len(data) - 64
    for cut in random.Random(8).sample(range(end), 30):  # noqa: S311 (nothing secret)
        (tmp_path / "m.gguf").write_bytes(data[:cut])
        with pytest.raises(ReelError, match=r"cut off|not a GGUF"):
            read_header(tmp_path / "m.gguf")


def test_bytes_thrown_at_random_never_do_more_than_fail(tmp_path: Path) -> None:
    dice = random.Random(9)  # noqa: S311 (nothing secret)
    whole = render_gguf(byte_pairs("llama-bpe"))
    for place in range(25):
        data = bytearray(whole)
        for _ in range(4):
            data[dice.randrange(4, 2_000)] = dice.randrange(256)
        path = tmp_path / f"m{place}.gguf"
        path.write_bytes(data)
        with suppress(ReelError):
            get_tokenizer(str(path)).count("Hello the 123")


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    (tmp_path / "folder.gguf").mkdir()
    for name in ("pipe.gguf", "folder.gguf"):
        with pytest.raises(ReelError, match="it is not a file"):
            read_header(tmp_path / name)
    with pytest.raises(ReelError, match="There is no model file"):
        read_header(tmp_path / "none.gguf")


def without(entries: dict[str, Given], *names: str) -> dict[str, Given]:
    return {name: value for name, value in entries.items() if name.rpartition(".")[2] not in names}


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"general.name": "weights alone"}, "There is no vocabulary in it."),
        (without(byte_pairs("gpt-2"), "tokens"), "There is no vocabulary in it."),
        (without(byte_pairs("gpt-2"), "merges"), "Its vocabulary has no merges"),
        (without(by_score(), "scores"), "Its vocabulary has no scores"),
        ({**by_score(), "tokenizer.ggml.scores": [0.5]}, "is damaged: 1 scores for 285 tokens"),
        ({**by_score(), "tokenizer.ggml.token_type": [NORMAL]}, "is damaged: 1 types for 285 tokens"),
        (
            {**by_score(), "tokenizer.ggml.model": "bert"},
            "is of the kind 'bert', which reel cannot count with",
        ),
        ({**by_score(), "tokenizer.ggml.tokens": 3}, "There is no vocabulary in it."),
        ({**by_score(), "tokenizer.ggml.tokens": [b""] * 2_100_000}, "a vocabulary of 2,100,000 tokens"),
    ],
)
def test_a_file_without_a_usable_vocabulary(tmp_path: Path, entries: dict[str, Given], told: str) -> None:
    path = write_gguf(tmp_path / "m.gguf", entries)
    with pytest.raises(ReelError) as found:
        get_tokenizer(str(path))
    assert told in found.value.message
    assert (
        found.value.hint == "count by another encoding, with a margin:  --tokenizer o200k_base --margin 15%"
    )
