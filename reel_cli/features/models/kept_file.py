"""An encoding read from a model file, as it is cached: the table that `byte_pairs` maps, and more.

Behind the table stand the length of a JSON value (32 bits), the value, the tokens' numbers, the ranks they
share where some do, and the crc32 of all that; numbers are little-endian and unsigned, 32 bits. Nothing in it
is the truth: whatever is wrong with it, it is made anew from the model's file.
"""

import json
import os
import struct
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.byte_pairs import RankTable, render_ranks
from reel_cli.core.tokens.choice import About

if TYPE_CHECKING:
    from reel_cli.features.models.vocabulary import Table

VERSION = 1
"""Raised whenever what is kept changes, or how it is made."""
COUNTED = 3
"""Raised whenever counts by what is kept may change; what is kept stays, for the model's file may be gone."""

_LENGTH = struct.Struct("<I")
_WORD = 4


BYTES, CHARACTERS = "bytes", "characters"
"""The kinds of vocabulary there are."""
BLANK = "▁".encode()
"""The character for a blank, in vocabularies whose tokens are made of characters."""
CONTROL: Final = frozenset(
    [
        "<|eot_id|>",
        "<|im_end|>",
        "<|end|>",
        "<end_of_turn>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<EOT>",
        "_<EOT>",
        "[EOT]",
        "<｜end▁of▁sentence｜>",
        "<end_of_utterance>",
        "<|eom_id|>",
        "<|fim_prefix|>",
        "<fim-prefix>",
        "<fim_prefix>",
        "<｜fim▁begin｜>",
        "<PRE>",
        "▁<PRE>",
        "<|code_prefix|>",
        "<|prefix|>",
        "<|fim_suffix|>",
        "<fim-suffix>",
        "<fim_suffix>",
        "<｜fim▁hole｜>",
        "<SUF>",
        "▁<SUF>",
        "<|code_suffix|>",
        "<|suffix|>",
        "<|fim_middle|>",
        "<fim-middle>",
        "<fim_middle>",
        "<｜fim▁end｜>",
        "<MID>",
        "▁<MID>",
        "<|code_middle|>",
        "<|middle|>",
        "<|fim_pad|>",
        "<fim-pad>",
        "<fim_pad>",
        "<PAD>",
        "[PAD]",
        "<|fim_repo|>",
        "<|repo_name|>",
        "<fim-repo>",
        "<REPO>",
        "<reponame>",
        "<|file_sep|>",
        "<|return|>",
        "<|call|>",
        "<|flush|>",
        "<|calls|>",
        "</s>",
        "[EOS]",
        "<eos>",
        "<turn|>",
        "<|tool_response>",
        "[e~[",
    ]
)
"""Texts that llama.cpp takes for control tokens, whatever the file says: said in a chat, they are plain text
(`src/llama-vocab.cpp`, from `find EOT token` on)."""
NO_TOKEN = 0xFFFF_FFFF
"""The number of a byte that is no token: whatever has it comes to nothing."""


class Vocabulary(NamedTuple):
    """A kept vocabulary; all but `table` as in `reel_cli.features.models.vocabulary.Table`."""

    table: RankTable
    mergeable: int
    ids: Sequence[int]
    ties: Sequence[int]
    own: Sequence[tuple[str, int]]
    alone: Sequence[tuple[bytes, int]]
    fallback: Sequence[int]
    unknown: int
    apart: bool
    prefix: bool


class StoredEncoding(NamedTuple):
    """An encoding, read back."""

    about: About
    vocabulary: Vocabulary


def render_kept(about: About, table: "Table") -> bytes:
    """Return the file for an encoding."""
    ranks = render_ranks(table.tokens)
    numbers = _render_words(table.ids) + _render_words(table.ties)
    rest = {
        "mergeable": table.mergeable,
        "tied": bool(table.ties),
        "own": table.own,
        "alone": [(token.hex(), number) for token, number in table.alone],
        "fallback": table.fallback,
        "unknown": table.unknown,
        "apart": table.apart,
        "prefix": table.prefix,
    }
    said = json.dumps(rest, sort_keys=True)
    digest = crc32(f"{about.pre} {about.kind} {said}".encode(), crc32(numbers, crc32(ranks)))
    known = {**about._replace(digest=f"{digest:08x}")._asdict(), "version": VERSION, **rest}
    value = json.dumps(known).encode()
    value += b" " * (-len(value) % _WORD)
    end = b"".join((_LENGTH.pack(len(value)), value, numbers))
    return b"".join((ranks, end, _LENGTH.pack(crc32(end))))


def _render_words(numbers: Sequence[int]) -> bytes:
    words = array("I", numbers)
    if sys.byteorder != "little":
        words.byteswap()
    return words.tobytes()


def read_kept(path: Path) -> StoredEncoding | None:
    """Return the encoding in a file; None if there is none, or it is damaged or of another version."""
    try:
        table = RankTable(path, alone=False)
        rest = table.rest
        if crc32(rest[:-_WORD]) != _LENGTH.unpack(rest[-_WORD:])[0]:
            return None
        start = _WORD + _LENGTH.unpack_from(rest)[0]
        value: dict[str, Any] = json.loads(bytes(rest[_WORD:start]))
        if value["version"] != VERSION:
            return None
        count = len(table)
        ids = _read_words(rest[start : start + _WORD * count])
        ties = _read_words(rest[start + _WORD * count : -_WORD])
        if len(ids) != count or len(ties) != (count if value["tied"] else 0):
            return None
        vocabulary = Vocabulary(
            table,
            value["mergeable"],
            ids,
            ties,
            tuple((text, number) for text, number in value["own"] if text not in CONTROL),
            tuple((bytes.fromhex(token), number) for token, number in value["alone"]),
            value["fallback"],
            value["unknown"],
            value["apart"],
            value["prefix"],
        )
        return StoredEncoding(About(**{name: value[name] for name in About._fields}), vocabulary)
    except (ReelError, OSError, ValueError, KeyError, TypeError, IndexError, struct.error, RecursionError):
        return None


def _read_words(data: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return data.cast("I")
    copy = array("I", data)
    copy.byteswap()
    return copy


def keep(folder: Path, name: str, data: bytes) -> Path | None:
    """Write a file into a cache folder, whole or not at all; None if that was impossible."""
    fresh = folder / f".new-{os.getpid()}-{os.urandom(4).hex()}"
    try:
        if any(map(os.path.islink, _parents(folder))):
            return None
        for place in (folder.parent.parent, folder.parent, folder):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        fresh.replace(folder / name)
    except BaseException as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if isinstance(error, OSError):
            return None
        raise
    return folder / name


def _parents(folder: Path) -> list[Path]:
    """Return the folders on the way to a cache that must not be links: all that are reel's."""
    top = folder.parent.parent
    return [folder, folder.parent, *([top] if top.name == ".reel" else [])]
