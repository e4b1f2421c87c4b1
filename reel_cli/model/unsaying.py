"""What is to be purged: texts, found however they are written down, and the mark in their place."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from reel_cli.model.readings import MOST_WAYS, readings

MARK = "_purged_"
"""What stands where something was purged: a word to YAML, JSON, Markdown, file names and git alike."""

SHORTEST = 3
"""A text of fewer characters is no text to purge by, except beyond ASCII, where two can be a name."""
_SHORTEST_ELSEWHERE = 2
_ROUNDS = 8
_ENOUGH = 6
"""So many words of a text are looked for, before the text is."""

_SPACE = r"(?>(?:\n[ \t]*(?:>[ \t]?)+|\s|\\[nrt]|\\u000[9aAdD]|\\(?=\s))+)"
"""Any white space: line wraps with what quotes and YAML put at a line's start, escapes for it."""
_FOLD = r"(?:\\\r?\n[ \t]*+\\?)?"
_SPACES = re.compile(_SPACE)
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_ID = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16})(?![0-9A-Za-z])")
"""A hash or an object's id: digits in it are nobody's telephone number."""
_ESCAPED = {'"': r"\\?\"", "'": "'(?:')?", "\\": r"\\(?:\\)?", "/": r"\\?/"}


def is_too_short(text: str) -> bool:
    """Whether a text is too short to be purged by: it would stand in every other word."""
    bare = "".join(text.split())
    return len(bare) < (SHORTEST if bare.isascii() else _SHORTEST_ELSEWHERE)


@dataclass(frozen=True)
class Wanted:
    """Texts to purge, as one question to any text.

    Each is matched letter by letter, wherever it stands, also in the middle of a word. Any white space
    counts as any other, so a text is found over line wraps; so do the ways in which Unicode writes the
    same character (NFC, NFD), and the escapes of JSON and YAML. `any_case`: so do great and small.
    """

    texts: tuple[str, ...]
    any_case: bool = False
    _each: tuple[tuple[str, tuple[str, ...], str], ...] = field(init=False, repr=False, compare=False)
    """Each text, plain words of it without which it stands nowhere, and some of them in their order."""

    def __post_init__(self) -> None:
        found = sorted({" ".join(text.split()) for text in self.texts} - {""}, key=len, reverse=True)
        plain = [text.lower() if self.any_case else text for text in found]
        each = tuple(
            (text, _plain_words(one), _plain_run(one)) for text, one in zip(found, plain, strict=True)
        )
        object.__setattr__(self, "_each", each)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand: (start, end) in characters, in order, none over another."""
        ids: Sequence[tuple[int, int]] | None = None
        reached = 0
        for start, end in self._found(text):
            if ids is None:
                ids = [one.span() for one in _ID.finditer(text)]
            inside = any(a <= start and end <= b and (a, b) != (start, end) for a, b in ids)
            if end > reached and not inside:
                yield max(reached, _whole_escape(text, start)), end
                reached = end

    def _found(self, text: str) -> Sequence[tuple[int, int]]:
        hay = text.casefold() if self.any_case else text
        found: list[tuple[int, int]] = []
        flat: str | None = None
        for one, words, run in self._each:
            if not all(word in hay for word in words):
                continue
            if run and flat is None:
                flat = _SPACES.sub(" ", hay)
            if run in (flat or ""):
                found += (match.span() for match in _pattern_of(one, any_case=self.any_case).finditer(text))
        return sorted(found, key=lambda span: (span[0], -span[1]))

    def stands_in(self, text: str) -> bool:
        """Whether one of them stands in a text."""
        return next(self.spans(text), None) is not None

    def replace(self, text: str) -> tuple[str, int]:
        """The text with the mark in their place, and how many bytes of UTF-8 went."""
        gone = 0
        for _ in range(_ROUNDS):
            parts: list[str] = []
            at = 0
            for start, end in self.spans(text):
                parts += (text[at:start], MARK)
                gone += len(text[start:end].encode("utf-8", "surrogateescape"))
                at = end
            if not parts:
                break
            text = "".join(parts) + text[at:]
        return text, gone

    def replace_bytes(self, data: bytes) -> tuple[bytes, int]:
        """The same for bytes, in whatever way they are text (`readings`); what is none stays as it is."""
        gone = 0
        for place in range(MOST_WAYS) if self.may_stand_in_bytes(data) else ():
            one = next(islice(readings(data), place, None), None)
            if one is not None:
                text, less = self.replace(one.text)
                data, gone = (one.write(text), gone + less) if less else (data, gone)
        return data, gone

    def stands_in_bytes(self, data: bytes) -> bool:
        """Whether one of them stands in some bytes, in whatever way they are text."""
        return self.may_stand_in_bytes(data) and any(self.stands_in(one.text) for one in readings(data))

    def lines(self, text: str) -> list[int]:
        """The lines, from 1, on which they begin."""
        return list(dict.fromkeys(text.count("\n", 0, start) + 1 for start, _ in self.spans(text)))

    def lines_of_bytes(self, data: bytes) -> list[int]:
        """The same for bytes, in the first way of reading them in which one stands there."""
        return next((lines for one in readings(data) if (lines := self.lines(one.text))), [])

    def may_stand_in_bytes(self, data: bytes) -> bool:
        """A quick no: without their plain words none can stand there."""
        hay = data.replace(b"\0", b"") if b"\0" in data else data
        hay = hay.lower() if self.any_case else hay
        return any(all(word.encode() in hay for word in words) for _, words, _ in self._each)


def _plain_words(text: str) -> tuple[str, ...]:
    """Words of ASCII alone: nothing ever escapes one, or folds a line within it."""
    words = sorted(set(_PLAIN.findall(text)), key=len, reverse=True)
    return tuple(words[:_ENOUGH])


def _plain_run(text: str) -> str:
    """Some such words that stand one after another, with a space between; "" where there are none.

    The first of a run is left out: its first letter may be taken for part of an escape before it.
    """
    best: list[str] = []
    run: list[str] = []
    for word in text.split():
        run = [*run, word] if _PLAIN.fullmatch(word) else []
        best = max(best, run[1:], key=len)
    return " ".join(best[:_ENOUGH])


@lru_cache(maxsize=2048)
def _pattern_of(text: str, *, any_case: bool) -> re.Pattern[str]:
    found = ""
    for word in text.split():
        # a backslash or a > that begins a word is none of the white space before it
        space = rf"(?:{_SPACE}|\s+(?:>[ \t]?)*?)" if word.startswith(("\\", ">")) else _SPACE
        found += (space if found else "") + _folded(map(_cluster, _clusters(word)))
    return re.compile(found, re.IGNORECASE if any_case else re.NOFLAG)


def _folded(parts: Iterable[str]) -> str:
    """One word's pattern; YAML may fold a line in the middle of one, behind what it had to escape."""
    found = ""
    for part in parts:
        found += part if not found or _PLAIN.fullmatch(found[-1]) else f"{_FOLD}{part}"
    return found


def _clusters(word: str) -> list[str]:
    """Characters with what combines with them, as Unicode composes them."""
    found: list[str] = []
    for char in unicodedata.normalize("NFC", word):
        if found and unicodedata.combining(char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _cluster(cluster: str) -> str:
    forms = dict.fromkeys([cluster, unicodedata.normalize("NFD", cluster)])
    ways = [_folded(map(_char, form)) for form in forms]
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _char(char: str) -> str:
    if char in _ESCAPED:
        return _ESCAPED[char]
    if char.isascii() and char not in "-<>&=":
        return re.escape(char)
    code = ord(char)
    ways = [re.escape(char), rf"\\u{code:04x}" if code <= 0xFFFF else _pair(code)]
    if code > 0x7F:
        ways += [rf"\\U{code:08x}", *([rf"\\x{code:02x}"] if code <= 0xFF else [])]
    return f"(?:{ways[0]}|{'|'.join(f'(?i:{way})' for way in ways[1:])})"


def _pair(code: int) -> str:
    """How JSON writes a character beyond U+FFFF."""
    rest = code - 0x10000
    return rf"\\u{0xD800 + (rest >> 10):04x}\\u{0xDC00 + (rest & 0x3FF):04x}"


def _whole_escape(text: str, start: int) -> int:
    r"""The start, moved before a backslash that makes the first letter part of an escape.

    `\none` in JSON may be a line end before `one`; half an escape would break the file.
    """
    before = 0
    while start - before > 0 and text[start - before - 1] == "\\":
        before += 1
    return start - 1 if before % 2 else start
