"""Model files made by hand: a header, and a few bytes where the weights would be."""

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

Given = str | bytes | int | float | bool | Sequence[str] | Sequence[bytes] | Sequence[int] | Sequence[float]

BLANK = "▁"
NORMAL, UNKNOWN, CONTROL, OWN, UNUSED, BYTE = range(1, 7)


def render_gguf(entries: Mapping[str, Given], *, version: int = 3) -> bytes:
    """A model file that says this of itself."""
    head = b"GGUF" + struct.pack("<IQQ", version, 0, len(entries))
    said = b"".join(_text(name) + _value(value) for name, value in entries.items())
    return head + said + b"\0" * 64


def write_gguf(path: Path, entries: Mapping[str, Given]) -> Path:
    path.write_bytes(render_gguf(entries))
    return path


def _text(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(data)) + data


def _value(value: Given) -> bytes:
    if isinstance(value, str | bytes):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if value and isinstance(value[0], str | bytes):
        texts = b"".join(_text(one) for one in value if isinstance(one, str | bytes))
        return struct.pack("<IIQ", 9, 8, len(value)) + texts
    kind, letter = (6, "f") if value and isinstance(value[0], float) else (5, "i")
    return struct.pack(f"<IIQ{len(value)}{letter}", 9, kind, len(value), *value)


def alphabet() -> list[str]:
    """The letters that stand for the 256 bytes, in the order of the bytes."""
    plain = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return [chr(byte) if byte in plain else chr(next(others)) for byte in range(256)]


def as_written(data: bytes) -> str:
    """Bytes in that alphabet."""
    letters = alphabet()
    return "".join(letters[byte] for byte in data)


LEARNT_FROM = (
    *(
        "the",
        " the",
        " the",
        " th",
        "ing",
        "ing",
        " and",
        " and",
        "er",
        "on",
        "12",
        "123",
        "123",
        " a",
        "abc",
    ),
    *("abc", ".\n", ".\n", "\n\n", "\n\n", "    ", "    ", ",\n", "//", "/\n", "é", "é", "的", "'s", "'ll"),
    *("Hello", "Hello", " Hello", " Hello", "Hell"),
)


def learn(times: int) -> list[tuple[str, str]]:
    """Byte pairs as they are learnt: the commonest that stands there, again and again."""
    pieces = [list(as_written(piece.encode())) for piece in LEARNT_FROM]
    merges: list[tuple[str, str]] = []
    for _ in range(times):
        seen = Counter(pair for piece in pieces for pair in pairwise(piece))
        pair = max(seen, key=lambda one: (seen[one], one))
        merges.append(pair)
        for piece in pieces:
            at = 0
            while at < len(piece) - 1:
                if (piece[at], piece[at + 1]) == pair:
                    piece[at : at + 2] = ["".join(pair)]
                at += 1
    return merges


def byte_pairs(pre: str, **more: Given) -> dict[str, Given]:
    """A small vocabulary of byte pairs whose rules are called `pre`."""
    learnt = learn(28)
    tokens = [*alphabet(), *dict.fromkeys("".join(pair) for pair in learnt)]
    merges = [" ".join(pair) for pair in learnt]
    first = [*tokens, "<think>", "<|end|>"]
    return {
        "general.architecture": "llama",
        "llama.context_length": 4096,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": first,
        "tokenizer.ggml.token_type": [NORMAL] * len(tokens) + [OWN, CONTROL],
        "tokenizer.ggml.merges": merges,
        **more,
    }


def by_score(**more: Given) -> dict[str, Given]:
    """A small vocabulary of characters with scores, some alike, and bytes to fall back on."""
    words = [f"{BLANK}{word}" for word in ("a", "th", "the", "he", "an", "and", "b")]
    words += ["th", "he", "the", "an", "nd", "ab", "bc", "abc", "  ", *"abcdehnt", BLANK, BLANK * 2]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *words]
    scores = [0.0] * 259 + [-float(place // 2) for place in range(len(words))]
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[OWN if word == "  " else NORMAL for word in words]]
    return {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": types,
        **more,
    }


def texts_of(entries: Mapping[str, Given], name: str) -> list[str]:
    """The texts of a list of the vocabulary."""
    value = entries[f"tokenizer.ggml.{name}"]
    assert isinstance(value, list)
    return [str(one) for one in value]
