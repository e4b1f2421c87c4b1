"""Token counts of texts: exact, offline, and without loading a tokenizer for a few pages.

tiktoken is the authority, but loading an encoding takes longer than all else that a command does. So texts
are first counted by a loop of our own over the shipped rank table (`byte_pairs.py`). When a process has
spent about as much on that as loading costs, or has a large text before it, tiktoken is loaded and counts
from then on. Its ranks come from the same table, never from the network. Both ways give the same numbers.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tokens.byte_pairs import RankTable

if TYPE_CHECKING:
    import tiktoken


class Tokenizer(Protocol):
    """A counter of tokens.

    `additive` says that counts of units add up to the count of the units joined, wherever a unit ends in a
    newline and the next one starts with a character that is neither whitespace nor `/`. Then counts may be
    kept per unit; else a text has to be counted whole.
    """

    @property
    def name(self) -> str:
        """Return the tokenizer's name in `kit.yaml`."""

    @property
    def additive(self) -> bool:
        """Return whether counts of units add up."""

    def count(self, text: str) -> int:
        """Return the token count of `text`; what looks like a special token is ordinary text."""

    def ids(self, text: str) -> list[int]:
        """Return the tokens of `text` themselves, by their numbers; without one at its beginning or end."""


def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer that a kit's setting names, an encoding or a model's file; the same one each time.

    Raises:
        ReelError: there is none of that name, its table is damaged, or the file is none to count by.
    """
    if name in KNOWN:
        return _published(name)
    from reel_cli.core.tokens.choice import WithMargin, parse_choice, read_model_file

    choice = parse_choice(name)
    if (found := read_model_file(choice)) is not None:
        return found
    if choice.what in KNOWN and not choice.like:
        return WithMargin(_published(choice.what), choice.margin)
    message = f"There is no tokenizer called {choice.what!r}."
    raise ReelError(message, hint=f"the ones there are: {', '.join(KNOWN)}, or your model's own file (.gguf)")


def name_counts(name: str) -> str:
    """Return the key under which counts of a kit's tokenizer are kept; raises as `get_tokenizer` does."""
    return name if name in KNOWN else str(getattr(get_tokenizer(name), "key", name))


_PATTERNS = {
    "o200k_base": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
        r"\p{N}{1,3}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*|"
        r"\s*[\r\n]+|"
        r"\s+(?!\S)|"
        r"\s+"
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|"
        r"[^\r\n\p{L}\p{N}]?+\p{L}++|"
        r"\p{N}{1,3}+|"
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+|"
        r"\s++$|"
        r"\s*[\r\n]|"
        r"\s+(?!\S)|"
        r"\s"
    ),
}
"""Patterns by which each encoding cuts a text into pieces, within which bytes are merged, as tiktoken has
them."""

_UNUSUAL = late(r"[^\t\n\r -~‘’“”–—…]")
"""Pattern of the characters for which the classes of Unicode are needed."""


def _write_plain(pattern: str) -> str:
    """Return a pattern for Python's own engine that cuts a text without unusual characters as this one."""
    for classes, plain in (
        (r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", "A-Z"),
        (r"\p{Ll}\p{Lm}\p{Lo}\p{M}", "a-z"),
        (r"\p{L}\p{N}", "A-Za-z0-9"),
        (r"\p{L}", "[A-Za-z]"),
        (r"\p{N}", "[0-9]"),
    ):
        pattern = pattern.replace(classes, plain)
    return pattern


_PLAIN_PATTERNS = {name: late(_write_plain(pattern)) for name, pattern in _PATTERNS.items()}
"""Patterns for texts without unusual characters: loading `regex` takes as long as counting twenty pages."""

KNOWN = tuple(_PATTERNS)
"""The names `get_tokenizer` knows, the default first."""

_STRETCH = 1 << 17
"""Characters counted at once, more or less: tiktoken answers with some 40 bytes for each token, and dies of
700,000 blanks in a row."""

SEAM = re.compile(r"(?<=\n)(?=[^\s/])")
"""Pattern of the places between whose parts token counts add up, with an additive encoding."""

_WORTH_LOADING = 8
"""The work of our own, for each token of the table, after which tiktoken is loaded. The unit is what one more
character of plain English takes, 0.17 µs where this was measured; loading takes 7 or so a token."""

_WORK_PER_BYTE = 6
"""Work per byte of a short piece that has to be merged; it grows by one for every 18 bytes of the piece."""

_LONGEST_PIECE = 2_000
"""Bytes. Our merging takes time in the square of a piece's length, 40 ms at this one; tiktoken's does not."""

_SHORT = 2_000
"""Characters up to which a text's count is kept: packing and dreaming try the same lines again and again."""

_MOST_COUNTS = 20_000
"""Number of counts that are kept at once."""

_UNSETTLED = (
    r"[\p{Cn}"
    r"\u0295\u0558\u058B-\u058C\u05C8-\u05C9\u088F\u0897\u0B53-\u0B54\u0C5C\u0CDC\u0CF3\u0ECE\u1ACF-\u1AF0"
    r"\u1C89-\u1C8A\u208F\u209D-\u209F\uA7CB-\uA7CF\uA7D2\uA7D4\uA7DA-\uA7F1\uAB6C-\uAB6D"
    r"\U000105C0-\U000105F3\U000107BB-\U000107BF\U00010940-\U00010959\U00010D40-\U00010D85"
    r"\U00010EC2-\U00010EFF\U0001123F-\U00011241\U00011380-\U000113E2\U000116D0-\U000116E3"
    r"\U00011B0A-\U00011BF9\U00011DB0-\U00011DF1\U00011F00-\U00011F5A\U0001246F\U00012475-\U0001247F"
    r"\U00012550-\U00012686\U0001342F\U00013440-\U000143FA\U00016100-\U00016139\U00016D40-\U00016D79"
    r"\U00016EA0-\U00016ED3\U00016FF2-\U00016FF6\U000187F8-\U000187FF\U00018CD6-\U00018CFF"
    r"\U00018D09-\U000191D2\U0001B123-\U0001B132\U0001B155\U0001B168\U0001CCF0-\U0001CCF9"
    r"\U0001D127-\U0001D128\U0001D250-\U0001D2D3\U0001D6A6\U0001DF1F-\U0001DFFF\U0001E030-\U0001E08F"
    r"\U0001E4D0-\U0001E6FF\U0002B739-\U0002B73F\U0002B81E\U0002CEA2-\U0002CEAD\U0002EBF0-\U0002EE5D"
    r"\U00031350-\U0003FC3F]"
)
"""Letters, digits and marks younger than Unicode 14, and one whose class has changed. How a text is cut
around them hangs on how new the tables of Unicode are, and regex and tiktoken have each their own. Of these
only tiktoken's count."""


class TableEncoding:
    """Byte pairs by a rank table, within the pieces that a pattern cuts a text into."""

    additive = True
    seam = SEAM

    def __init__(self, name: str, table: RankTable, pattern: str) -> None:
        """Count by this table; nothing is loaded yet. The pattern leaves no character out."""
        self.name = name
        self._pattern = pattern
        self._table = table
        self._pieces: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._work_left = _WORTH_LOADING * len(self._table)

    def count(self, text: str) -> int:
        """Return the token count of `text`: the length of what tiktoken's `encode_ordinary` returns for it.

        A lone surrogate counts as the replacement character, as it does there. One thing differs: whitespace
        that goes on for more than 131,072 characters is counted in parts, for tiktoken may die of it. Each
        part's count is exact, but together they may come to a few tokens more than the whole.
        """
        short = len(text) <= _SHORT
        if short and (known := self._counts.get(text)) is not None:
            return known
        if len(text) > self._work_left:
            self._work_left = 0
        count = sum(map(self._count_stretch, _stretches(text, self.seam)))
        if short:
            if len(self._counts) == _MOST_COUNTS:
                self._counts.clear()
            self._counts[text] = count
        return count

    def ids(self, text: str) -> list[int]:
        """Return what tiktoken's `encode_ordinary` returns, except for endless whitespace."""
        found: list[int] = []
        for stretch in _stretches(text, self.seam):
            here = self._ids_here(without_surrogates(stretch))
            found += self._encode(stretch) if here is None else here
        return found

    def _count_stretch(self, text: str) -> int:
        if self._work_left > 0:
            count = self._count_here(without_surrogates(text))
            if count is not None:
                return count
        return len(self._encode(text))

    def _ids_here(self, text: str) -> list[int] | None:
        """Return the ranks by the table alone; None if that is too much work, or only tiktoken can tell."""
        if len(text) > self._work_left or self._is_unsettled(text):
            return None
        pieces = [piece.encode() for piece in self._cut(text)]
        if any(len(piece) > _LONGEST_PIECE for piece in pieces):
            return None
        self._work_left -= sum(len(piece) * (_WORK_PER_BYTE + len(piece) // 18) for piece in pieces)
        return [rank for piece in pieces for rank in self._table.ranks(piece)]

    def _encode(self, text: str) -> list[int]:
        """Return the ranks by tiktoken."""
        return self._tiktoken.encode_ordinary(text)

    def _is_unsettled(self, text: str) -> bool:
        return bool(_UNUSUAL.search(text)) and bool(self._find_unsettled("".join(set(text))))

    def _count_here(self, text: str) -> int | None:
        """Count with the table alone; None where that is too much work, or only tiktoken can know."""
        if self._is_unsettled(text):
            return None
        known = self._pieces
        left = self._work_left - len(text)
        total = 0
        for piece in self._cut(text):
            count = known.get(piece)
            if count is None:
                octets = piece.encode()
                length = len(octets)
                if length > _LONGEST_PIECE or left <= 0:
                    return None
                count = known[piece] = self._table.count(octets)
                left -= _WORK_PER_BYTE if count == 1 else length * (_WORK_PER_BYTE + length // 18)
            total += count
        self._work_left = left
        return total

    def _cut(self, text: str) -> list[str]:
        """Return the pieces of a text."""
        return self._find_pieces(text)

    @cached_property
    def _find_pieces(self) -> Callable[[str], list[str]]:
        # regex also matches `$` before a last newline; `\s++` has consumed that newline here
        return find_all(self._pattern)

    @cached_property
    def _find_unsettled(self) -> Callable[[str], list[str]]:
        return find_all(_UNSETTLED)

    @cached_property
    def _tiktoken(self) -> "tiktoken.Encoding":
        self._work_left = 0
        self._pieces.clear()
        return self._load_tiktoken()

    def _load_tiktoken(self) -> "tiktoken.Encoding":
        return _load(self.name, self._pattern, self._table)


class _PublishedEncoding(TableEncoding):
    """One of the encodings whose ranks are shipped with reel."""

    def __init__(self, name: str) -> None:
        """Map the table of `name`."""
        super().__init__(name, _map_table(name), _PATTERNS[name])

    def _cut(self, text: str) -> list[str]:
        if _UNUSUAL.search(text):
            return super()._cut(text)
        pieces: list[str] = _PLAIN_PATTERNS[self.name].findall(text)
        return pieces

    def _load_tiktoken(self) -> "tiktoken.Encoding":
        return _load_published(self.name)


@cache
def _published(name: str) -> _PublishedEncoding:
    return _PublishedEncoding(name)


@cache
def _load_published(name: str) -> "tiktoken.Encoding":
    return _load(name, _PATTERNS[name], _map_table(name))


def _load(name: str, pattern: str, table: RankTable) -> "tiktoken.Encoding":
    import tiktoken

    ranks = {token: rank for rank, token in enumerate(table)}
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def _map_table(name: str) -> RankTable:
    return RankTable(Path(__file__).parents[2] / "data" / f"{name}.ranks")


def find_all(pattern: str) -> Callable[[str], list[str]]:
    """Return `findall` of a pattern with Unicode classes, which the standard library does not support."""
    import regex  # type: ignore[import-untyped]

    find: Callable[[str], list[str]] = regex.compile(pattern).findall
    return find


def _stretches(text: str, seam: re.Pattern[str] = SEAM) -> Iterator[str]:
    """Cut a long text where the counts of its parts add up, and endless whitespace anywhere."""
    start = 0
    for end in range(_STRETCH, len(text), _STRETCH):
        if text[end - _STRETCH : end].isspace():
            cut = end
        elif found := seam.search(text, end, end + _STRETCH):
            cut = found.start()
        else:
            continue
        yield text[start:cut]
        start = cut
    yield text[start:]


def without_surrogates(text: str) -> str:
    """Pair surrogates and replace the lone ones, as tiktoken does."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
