"""A vocabulary as a model file gives it, made into a table that texts can be counted by.

Two kinds are known. `bytes`: pieces of text are merged byte pair by byte pair, as GPT-2 began it; the tokens
are written in an alphabet that stands for bytes. `characters`: the same with characters, a blank being `▁`,
and what is in no token goes byte by byte, as SentencePiece has it.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.features.models.kept_file import BLANK, BYTES, CHARACTERS, NO_TOKEN

MOST_TOKENS = 1 << 21
MOST_OWN = 20_000
"""Maximum number of tokens that are texts of their own, found before anything is cut."""
_NORMAL, _UNKNOWN, _OWN = 1, 2, 4
_BLANK_WITHIN = re.compile(rb"(?:%b)*+(?s:.)+?%b" % (BLANK, BLANK)).match
"""Pattern of a token with a blank behind another character."""
_KINDS = {"gpt2": BYTES, "llama": CHARACTERS, "gemma4": CHARACTERS}


class Words(NamedTuple):
    """The vocabulary of a model file, as the file gives it.

    `model` is the kind it names, `types` and `scores` are per token or empty, `merges` are pairs with a blank
    between, best first.
    """

    model: str
    tokens: Sequence[bytes]
    types: Sequence[float] = ()
    scores: Sequence[float] = ()
    merges: Iterable[bytes] = ()
    prefix: bool | None = None


class Table(NamedTuple):
    """A vocabulary, ready to be counted by.

    `tokens` are in the order they are merged in; of those, the first `mergeable` come about by merging. `ids`
    are their numbers in the model, and `ties` (unless empty) the rank each shares with those that are merged
    no sooner or later. `own` are texts that are tokens wherever they stand, longest first. `fallback` are the
    tokens for single bytes (-1 where there is none), `alone` those only a whole piece can be. `apart` says
    that no token has a blank behind another character; `prefix` that a text begins with a blank.
    """

    kind: str
    tokens: Sequence[bytes]
    mergeable: int
    ids: Sequence[int]
    ties: Sequence[int] = ()
    own: Sequence[tuple[str, int]] = ()
    alone: Sequence[tuple[bytes, int]] = ()
    fallback: Sequence[int] = ()
    unknown: int = -1
    apart: bool = False
    prefix: bool = False


def make_table(words: Words) -> Table:
    """Return the table of a vocabulary.

    Where a token stands twice the last one counts. Raises ReelError where the vocabulary is of a kind not
    known here, or too large, or where what belongs to its tokens is missing.
    """
    count = len(words.tokens)
    if not count:
        message = "There is no vocabulary in it."
        raise ReelError(message)
    if words.model not in _KINDS:
        message = f"Its vocabulary is of the kind {words.model[:40]!r}, which reel cannot count with."
        raise ReelError(message)
    for what, has in (("types", words.types), ("scores", words.scores)):
        if has and len(has) < count:
            message = f"Its vocabulary is damaged: {len(has):,} {what} for {count:,} tokens."
            raise ReelError(message)
    if words.model == "llama":
        return _by_score(words)
    return _by_merges(words, _KINDS[words.model])


def _by_score(words: Words) -> Table:
    index = {token: number for number, token in enumerate(words.tokens) if token}
    if not words.scores:
        message = "Its vocabulary has no scores, so its tokens cannot be counted."
        raise ReelError(message)
    best = [-math.inf if math.isnan(score) else score for score in words.scores]
    order = sorted(index.values(), key=lambda number: -best[number])
    ties: list[int] = []
    before = None
    for place, number in enumerate(order):
        ties.append(ties[-1] if best[number] == before else place)
        before = best[number]
    tokens = [words.tokens[number] for number in order]
    return Table(
        CHARACTERS,
        tokens,
        len(tokens),
        order,
        ties if any(place != tie for place, tie in enumerate(ties)) else (),
        own=_own(words, index),
        fallback=_fallback(index),
        unknown=_unknown(words),
        apart=not any(map(_BLANK_WITHIN, tokens)),
        prefix=words.prefix is not False,
    )


def _by_merges(words: Words, kind: str) -> Table:
    index = {token: number for number, token in enumerate(words.tokens) if token}
    met = bytearray(len(words.tokens))
    order = _merged(words.merges, index, met)
    if not order:
        message = "Its vocabulary has no merges, so its tokens cannot be counted."
        raise ReelError(message)
    mergeable = len(order)
    if kind == CHARACTERS:
        order += [number for number in index.values() if not met[number]]
        tokens = [words.tokens[number] for number in order]
        return Table(
            kind,
            tokens,
            mergeable,
            order,
            own=_own(words, index),
            fallback=_fallback(index),
            unknown=_unknown(words),
            apart=not any(map(_BLANK_WITHIN, tokens[:mergeable])),
        )
    return _of_bytes(words, index, order)


def _of_bytes(words: Words, index: dict[bytes, int], order: list[int]) -> Table:
    to_bytes = _to_bytes()
    singles = {
        byte: index.get(chr(letter).encode(), NO_TOKEN) for letter, byte in to_bytes.items() if byte < 0x100
    }
    tokens: list[bytes] = []
    ids: list[int] = []
    for number in order:
        token = _as_bytes(words.tokens[number], to_bytes)
        if token is not None and len(token) > 1:
            tokens.append(token)
            ids.append(number)
    mergeable = len(tokens)
    tokens += [bytes([byte]) for byte in singles]
    ids += singles.values()
    known = set(ids)
    alone = [
        (token, number)
        for written, number in index.items()
        if number not in known
        and (not words.types or words.types[number] == _NORMAL)
        and (token := _as_bytes(written, to_bytes)) is not None
    ]
    return Table(BYTES, tokens, mergeable, ids, own=_own(words, index), alone=alone)


def _merged(merges: Iterable[bytes], index: Mapping[bytes, int], met: bytearray) -> list[int]:
    """Return the tokens made by merging, in that order; each is recorded in `met`."""
    found: list[int] = []
    joined = map(bytes.replace, merges, repeat(b" "), repeat(b""), repeat(1))
    for number in map(index.get, joined):
        if number is not None and not met[number]:
            met[number] = 1
            found.append(number)
    return found


def _own(words: Words, index: dict[bytes, int]) -> list[tuple[str, int]]:
    """Return the texts that are tokens wherever they occur, longest first."""
    found = [
        (token.decode("utf-8", "replace"), number)
        for token, number in index.items()
        if words.types and words.types[number] == _OWN
    ]
    if len(found) > MOST_OWN:
        message = f"Its vocabulary has {len(found):,} tokens of its own kind, more than any model's."
        raise ReelError(message)
    return sorted(found, key=lambda one: -len(one[0].encode()))


def _fallback(index: dict[bytes, int]) -> list[int]:
    return [index.get(f"<0x{byte:02X}>".encode(), index.get(bytes([byte]), -1)) for byte in range(256)]


def _unknown(words: Words) -> int:
    return next((number for number, kind in enumerate(words.types) if kind == _UNKNOWN), -1)


def _as_bytes(token: bytes, to_bytes: Mapping[int, int]) -> bytes | None:
    """Return the bytes that a token stands for; None if it is not written in their alphabet."""
    try:
        return token.decode().translate(to_bytes).encode("latin-1")
    except UnicodeError:
        return None


def _to_bytes() -> dict[int, int]:
    """Return the alphabet that stands for bytes: what is printed as it is stands for itself."""
    plain = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    # a character outside the alphabet must not pass for the byte of its number
    letters = dict.fromkeys(range(0x100), 0xFFFF) | {byte: byte for byte in plain}
    others = (byte for byte in range(0x100) if byte not in plain)
    return letters | {0x100 + place: byte for place, byte in enumerate(others)}
