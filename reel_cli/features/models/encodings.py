"""Texts turned into the tokens of a model's own vocabulary, as llama.cpp does it, with none at either end."""

import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from reel_cli.core.tokens.counter import SEAM, TableEncoding, find_all, without_surrogates
from reel_cli.features.models.kept_file import BLANK, NO_TOKEN, Vocabulary
from reel_cli.features.models.rules import Rules

MOST_KNOWN = 20_000
"""Maximum number of words remembered with their tokens."""
LONGEST_KNOWN = 64
"""Characters above which a word is not remembered."""
LONGEST_HERE = 512
"""Bytes above which a piece is merged by tiktoken; such a piece is never a token itself."""
LONGEST_MERGED = 200_000
"""Characters above which a piece without a seam is cut: merging takes some 300 bytes of memory for each;
that may add a token."""
_BEFORE_BLANKS = re.compile(r"(?<=\S)(?=\s)")
"""Pattern of the places where rules that are not additive cut in any case."""
_WORD = re.compile(f"{BLANK.decode()}*[^{BLANK.decode()}]*")
_TORN_SEAM = re.compile(r"\n\S")


def cut_out(text: str, own: Sequence[tuple[str, int]]) -> list[str | int]:
    """Return a text's special tokens, by number, and the text between them; the longest match first."""
    parts: list[str | int] = [text] if text else []
    for written, number in own:
        if written not in text:
            continue
        cut: list[str | int] = []
        for part in parts:
            if isinstance(part, int):
                cut.append(part)
                continue
            for place, between in enumerate(part.split(written)):
                cut += [number] if place else []
                cut += [between] if between else []
        parts = cut
    return parts


def is_torn(own: Sequence[tuple[str, int]]) -> bool:
    """Return whether one of these texts could lie across a seam between two units."""
    return any(_TORN_SEAM.search(written) for written, _ in own)


class ByteEncoding(TableEncoding):
    """A vocabulary of byte pairs, by the rules of its model."""

    def __init__(self, name: str, vocabulary: Vocabulary, rules: Rules) -> None:
        """Count by these; nothing is loaded yet."""
        super().__init__(name, vocabulary.table, rules.patterns[0])
        self._vocabulary = vocabulary
        self._rules = rules
        self._alone = dict(vocabulary.alone) if rules.whole else {}
        self._gaps = NO_TOKEN in vocabulary.ids[vocabulary.mergeable :]
        self.additive = rules.additive and not is_torn(vocabulary.own)
        self.seam = SEAM if rules.additive else _BEFORE_BLANKS
        # tiktoken looks a piece up before merging it, and so finds tokens that merging may never produce
        self._careful = bool(self._alone) or not rules.whole
        # a single pattern covers everything, so tiktoken can do all of it
        self._piecewise = len(rules.patterns) > 1 or self._careful
        self._merged: dict[str, list[int]] = {}

    def count(self, text: str) -> int:
        """Return the token count of `text`."""
        if self._gaps:
            return len(self.ids(text))
        parts = cut_out(text, self._vocabulary.own)
        return sum(1 if isinstance(part, int) else super(ByteEncoding, self).count(part) for part in parts)

    def ids(self, text: str) -> list[int]:
        """Return the tokens of `text`, by their numbers in the model."""
        numbers = self._vocabulary.ids
        found: list[int] = []
        for part in cut_out(text, self._vocabulary.own):
            if isinstance(part, int):
                found.append(part)
            else:
                found += [numbers[rank] if rank >= 0 else ~rank for rank in super().ids(part)]
        return [number for number in found if number != NO_TOKEN] if self._gaps else found

    @cached_property
    def _find_pieces(self) -> Callable[[str], list[str]]:
        if len(self._rules.patterns) == 1:
            return find_all(self._pattern)
        import regex  # type: ignore[import-untyped]

        splits: list[Callable[[str], list[str]]] = [
            regex.compile(f"({pattern})").split for pattern in self._rules.patterns
        ]

        def find(text: str) -> list[str]:
            pieces = [text]
            for split in splits:
                pieces = [piece for whole in pieces for piece in split(whole) if piece]
            return pieces

        return find

    def _is_unsettled(self, text: str) -> bool:
        return not self._piecewise and super()._is_unsettled(text)

    def _count_here(self, text: str) -> int | None:
        return None if self._careful else super()._count_here(text)

    def _ids_here(self, text: str) -> list[int] | None:
        return None if self._careful else super()._ids_here(text)

    def _encode(self, text: str) -> list[int]:
        if not self._piecewise:
            return super()._encode(text)
        pieces = self._find_pieces(without_surrogates(text))
        if not self._careful:
            return [rank for piece in pieces for rank in self._merge(piece)]
        known, found = self._merged, list[int]()
        for piece in pieces:
            ranks = known.get(piece)
            if ranks is None:
                ranks = self._merge_carefully(piece)
                if len(piece) <= LONGEST_KNOWN:
                    if len(known) >= MOST_KNOWN:
                        known.clear()
                    known[piece] = ranks
            found += ranks
        return found

    def _merge_carefully(self, piece: str) -> list[int]:
        octets = piece.encode()
        number = self._alone.get(octets)
        if number is not None:
            # a number that is not a rank is stored negated
            return [~number]
        if len(octets) <= LONGEST_HERE:
            return self._vocabulary.table.ranks(octets, whole=self._rules.whole)
        return self._merge(piece)

    @cached_property
    def _merge(self) -> Callable[[str], list[int]]:
        import tiktoken

        self._work_left = 0
        self._pieces.clear()
        ranks = {token: rank for rank, token in enumerate(self._table)}
        whole: tiktoken.Encoding = tiktoken.Encoding(
            self.name, pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={}
        )
        return whole.encode_ordinary


def _stretches(word: str) -> Iterator[str]:
    """Yield a word too long to be merged at once in parts, cut at line or word ends if possible."""
    at = 0
    while len(word) - at > LONGEST_MERGED:
        end = at + LONGEST_MERGED
        near = end - LONGEST_MERGED // 10
        cut = next(
            (found for mark in ("\n", BLANK.decode()) if (found := word.rfind(mark, near, end)) > 0), end
        )
        yield word[at:cut]
        at = cut
    yield word[at:]


class CharacterEncoding:
    """A vocabulary of characters, merged by score or by merges."""

    def __init__(self, name: str, vocabulary: Vocabulary, rules: Rules | None) -> None:
        """Count by this; with `rules` their first pattern cuts the text into lines that are merged apart."""
        self.name = name
        self._vocabulary = vocabulary
        self._line = re.compile(rules.patterns[0]) if rules else None
        self.additive = rules is not None and not vocabulary.prefix and not is_torn(vocabulary.own)
        self._known: dict[str, tuple[int, ...]] = {}

    def count(self, text: str) -> int:
        """Return the token count of `text`."""
        return sum(map(len, self._all(text)))

    def ids(self, text: str) -> list[int]:
        """Return the tokens of `text`, by their numbers in the model."""
        return [number for found in self._all(text) for number in found]

    def _all(self, text: str) -> Iterator[Sequence[int]]:
        known = self._known
        for part in cut_out(without_surrogates(text), self._vocabulary.own):
            if isinstance(part, int):
                yield (part,)
                continue
            for word in self._words(part):
                found = known.get(word)
                if found is None:
                    found = self._merge(word)
                    if len(word) <= LONGEST_KNOWN:
                        if len(known) >= MOST_KNOWN:
                            known.clear()
                        known[word] = found
                yield found

    def _words(self, text: str) -> Iterator[str]:
        """Yield the parts that are merged separately."""
        blank = BLANK.decode()
        text = (f" {text}" if self._vocabulary.prefix else text).replace(" ", blank)
        for line in self._line.findall(text) if self._line else (text,):
            for word in filter(None, _WORD.findall(line)) if self._vocabulary.apart else (line,):
                yield from _stretches(word) if len(word) > LONGEST_MERGED else (word,)

    def _merge(self, word: str) -> tuple[int, ...]:
        """Merge the best pair first, the leftmost among equals."""
        rank, ties, most = self._vocabulary.table.rank, self._vocabulary.ties, self._vocabulary.mergeable
        symbols: list[str] = list(word)
        if self._line and symbols[0] == "\n" and rank(word.encode()) is not None:
            # a run of line ends is one token if the vocabulary has it
            symbols = [word]
        left = list(range(-1, len(symbols) - 1))
        right = [*range(1, len(symbols)), -1]
        waiting: list[tuple[int, int, str]] = []

        def offer(at: int, then: int) -> None:
            if at >= 0 and then >= 0:
                pair = symbols[at] + symbols[then]
                found = rank(pair.encode())
                if found is not None and found < most:
                    heapq.heappush(waiting, (ties[found] if ties else found, at, pair))

        for at in range(len(symbols) - 1):
            offer(at, at + 1)
        while waiting:
            _, at, pair = heapq.heappop(waiting)
            then = right[at]
            if not symbols[at] or then < 0 or symbols[at] + symbols[then] != pair:
                continue
            symbols[at], symbols[then] = pair, ""
            right[at] = right[then]
            if right[at] >= 0:
                left[right[at]] = at
            offer(left[at], at)
            offer(at, right[at])
        return tuple(number for symbol in symbols if symbol for number in self._numbers(symbol.encode()))

    def _numbers(self, symbol: bytes) -> Iterator[int]:
        rank = self._vocabulary.table.rank(symbol)
        if rank is not None:
            yield self._vocabulary.ids[rank]
            return
        for byte in symbol:
            number = self._vocabulary.fallback[byte]
            number = number if number >= 0 else self._vocabulary.unknown
            if number >= 0:
                yield number
