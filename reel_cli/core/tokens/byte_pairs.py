"""Byte pairs counted from a rank table that is mapped into memory, not loaded.

A `.ranks` file holds one published encoding, so that looking up a token costs a hash and a comparison and
nothing is read ahead (`tools/make_ranks.py` writes it). All numbers are little-endian and unsigned, 32 bits:

    magic (8 bytes) · tokens n · slot bits b
    slots    2**b entries, 0 where free; else the upper 14 bits of the token's crc32 above its rank + 1
    offsets  n + 1 positions in the file; token r is the bytes from offsets[r] to offsets[r + 1]
    tokens   one after another in the order of their ranks, up to the end of the file

A token's first slot is the lower b bits of its crc32; a taken slot sends it to the next one, round the end.
Tables of 2**18 tokens and more keep as many bits less of the crc32 as their ranks need.
"""

import mmap
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from zlib import crc32

from reel_cli.core.errors import ReelError, is_out_of_memory

MAGIC = b"REELBPE1"
HEADER = struct.Struct("<8sII")
RANK_BITS = 18
"""A rank (plus one) takes so many lower bits of a slot, or what the last one needs, if that is more; the bits
above it tell most strangers apart at once."""
SLOTS_PER_TOKEN = 2
"""Least slots per token: below one half full, a token is found at the first or second look."""

_NO_RANK = 1 << 32
_WORD = 4


class RankTable:
    """The ranks of one encoding, looked up in its file."""

    def __init__(self, path: Path, *, alone: bool = True) -> None:
        """Map `path`; unless the table is `alone` in it, something else may follow.

        Raises:
            ReelError: the file is missing, cut short or of another make.
        """
        try:
            with path.open("rb") as file:
                self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            magic, count, bits = HEADER.unpack_from(self._file)
            self._count: int = count
            self._mask: int = (1 << bits) - 1
            slots_end = HEADER.size + _WORD * (self._mask + 1)
            offsets_end = slots_end + _WORD * (self._count + 1)
            self._slots = self._words(HEADER.size, slots_end)
            self._offsets = self._words(slots_end, offsets_end)
            self._rank_mask = (1 << _rank_bits(self._count)) - 1
            end, most = self._offsets[self._count], len(self._file)
            whole = magic == MAGIC and (end == most if alone else end <= most)
        except (OSError, ValueError, IndexError, struct.error) as error:
            if is_out_of_memory(error):
                raise MemoryError from error
            whole = False
        if not whole:
            message = f"The token table {path.name} is missing or damaged."
            raise ReelError(message, hint="install reel again")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield all tokens, in the order of their ranks."""
        for rank in range(self._count):
            yield self._file[self._offsets[rank] : self._offsets[rank + 1]]

    @property
    def rest(self) -> memoryview:
        """Return the bytes that follow the table in its file."""
        return memoryview(self._file)[self._offsets[self._count] :]

    def rank(self, token: bytes) -> int | None:
        """Return the rank of `token`, None when it is not one."""
        rank = self._rank(token)
        return None if rank == _NO_RANK else rank

    def count(self, piece: bytes) -> int:
        """Return the number of tokens that the byte pairs of `piece` merge into.

        The pair of the lowest rank is merged first, the leftmost among equals. It takes time in the square of
        the piece's length, so it is for words, not for a text.
        """
        if self._rank(piece) != _NO_RANK:
            return 1
        return len(self._cuts(piece)) - 1

    def ranks(self, piece: bytes, *, whole: bool = True) -> list[int]:
        """Return the ranks of the tokens that the byte pairs of `piece` merge into; each byte must be one.

        Unless `whole`, a piece that is a token is merged as well, and may come to others.
        """
        if whole and (rank := self._rank(piece)) != _NO_RANK:
            return [rank]
        cuts = self._cuts(piece)
        return [self._rank(piece[start:end]) for start, end in pairwise(cuts)]

    def _cuts(self, piece: bytes) -> list[int]:
        """Return the boundaries of the tokens of `piece`."""
        lookup = self._rank
        cuts = list(range(len(piece) + 1))
        ranks = [lookup(piece[at : at + 2]) for at in range(len(piece) - 1)]
        while ranks:
            best = min(ranks)
            if best == _NO_RANK:
                break
            at = ranks.index(best)
            del ranks[at], cuts[at + 1]
            if at:
                ranks[at - 1] = lookup(piece[cuts[at - 1] : cuts[at + 1]])
            if at < len(ranks):
                ranks[at] = lookup(piece[cuts[at] : cuts[at + 2]])
        return cuts

    def _rank(self, token: bytes) -> int:
        crc = crc32(token)
        slots, mask, rank_mask = self._slots, self._mask, self._rank_mask
        at = crc & mask
        while entry := slots[at]:
            if (entry ^ crc) <= rank_mask:
                rank = (entry & rank_mask) - 1
                if self._file[self._offsets[rank] : self._offsets[rank + 1]] == token:
                    return rank
            at = (at + 1) & mask
        return _NO_RANK

    def _words(self, start: int, end: int) -> Sequence[int]:
        words = memoryview(self._file)[start:end]
        if sys.byteorder == "little":
            return words.cast("I")
        copy = array("I", words)
        copy.byteswap()
        return copy


def _rank_bits(count: int) -> int:
    return max(RANK_BITS, count.bit_length())


def render_ranks(tokens: Sequence[bytes]) -> bytes:
    """Return the table of `tokens`, in the order of their ranks; none may stand there twice."""
    bits = (SLOTS_PER_TOKEN * len(tokens) - 1).bit_length()
    rank_bits = _rank_bits(len(tokens))
    mask, upper = (1 << bits) - 1, ~((1 << rank_bits) - 1)
    slots = array("I", [0]) * (mask + 1)
    # in the order of ranks, so that the most common tokens are found first
    for rank, crc in enumerate(map(crc32, tokens), 1):
        at = crc & mask
        while slots[at]:
            at = (at + 1) & mask
        slots[at] = crc & upper | rank
    start = HEADER.size + _WORD * (len(slots) + len(tokens) + 1)
    offsets = accumulate(map(len, tokens), initial=start)
    words = array("I", offsets)
    if sys.byteorder != "little":
        slots.byteswap()
        words.byteswap()
    return b"".join((HEADER.pack(MAGIC, len(tokens), bits), slots, words, *tokens))
