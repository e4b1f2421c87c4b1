"""Target of a purge: the texts to find in any notation, and the mark that replaces them."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise

from reel_cli.core.readings import MOST_WAYS, readings
from reel_cli.core.values.talk import PURGED

SHORTEST = 3
"""A text of fewer characters is no text to purge by, except beyond ASCII, where two can be a name."""
_SHORTEST_ELSEWHERE = 2
_ROUNDS = 8
_ENOUGH = 6
"""Words of a text that are searched for before the text is."""
_MANY = 16
"""Number of texts from which an index finds the candidates; with fewer, each text is tried."""

_SPACE = r"(?>(?:\n[ \t]*(?:>[ \t]?)+|\s|\\[nrt]|\\u000[9aAdD]|\\(?=\s))+)"
"""Pattern of any white space: line wraps with what quotes and YAML put at a line's start, and escapes for
it."""
_FOLD = r"(?:\\\r?\n[ \t]*+\\?)?"
_SPACES = re.compile(_SPACE)
_BYTE_WORDS = re.compile(rb"[A-Za-z0-9]+")
_BYTE_SPACES = re.compile(rb"\\(?:[nrt]|u000[9aAdD])")
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_ID = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16})(?![0-9A-Za-z])")
"""A hash or an object's id: digits in it are nobody's telephone number."""
_ESCAPED = {'"': r"\\?\"", "'": "'(?:')?", "\\": r"\\(?:\\)?", "/": r"\\?/"}


def is_too_short(text: str) -> bool:
    """Return whether a text is too short to purge: it would occur in every other word."""
    bare = "".join(text.split())
    return len(bare) < (SHORTEST if bare.isascii() else _SHORTEST_ELSEWHERE)


def cut_words(text: str, words: Sequence[str]) -> str:
    """Return a text with one mark in the place of these words, where they are no part of a longer word."""
    for one in words:
        written = r"\s+".join(map(re.escape, one.split()))
        text = re.sub(rf"(?<!\w){written}(?!\w)", PURGED, text)
    return re.sub(rf"{PURGED}(?:\s+{PURGED})+", PURGED, text)


@dataclass(frozen=True)
class PurgeTarget:
    """Texts to purge, as one question to any text.

    Each is matched letter by letter, wherever it stands, also in the middle of a word. Any white space
    counts as any other, so a text is found over line wraps; so do the ways in which Unicode writes the
    same character (NFC, NFD), and the escapes of JSON and YAML. `any_case`: so do great and small.
    """

    texts: tuple[str, ...]
    any_case: bool = False
    _each: tuple[tuple[str, tuple[str, ...], str], ...] = field(init=False, repr=False, compare=False)
    """Each text with plain words of it that must occur, and some of them in their order."""
    _index: "_WordIndex | None" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = sorted({" ".join(text.split()) for text in self.texts} - {""}, key=len, reverse=True)
        plain = [text.lower() if self.any_case else text for text in found]
        each = tuple(
            (text, _plain_words(one), _plain_run(one)) for text, one in zip(found, plain, strict=True)
        )
        object.__setattr__(self, "_each", each)
        index = _WordIndex(each) if len(each) >= _MANY and not self.any_case else None
        object.__setattr__(self, "_index", index)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the texts occur: (start, end) in characters, in order and without overlap."""
        ids: Sequence[tuple[int, int]] | None = None
        reached = 0
        for start, end in self._found(text):
            if ids is None:
                ids = [one.span() for one in _ID.finditer(text)]
            at = bisect_right(ids, (start, len(text))) - 1
            inside = at >= 0 and end <= ids[at][1] and ids[at] != (start, end)
            if end > reached and not inside:
                yield max(reached, _whole_escape(text, start)), end
                reached = end

    def _found(self, text: str) -> Sequence[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        rest: Iterable[str]
        if self._index is not None:
            literal, rest = self._index.look_up(text)
            found += literal
        else:
            rest = self._possible(text)
        for one in rest:
            found += (match.span() for match in _pattern_of(one, any_case=self.any_case).finditer(text))
        return sorted(found, key=lambda span: (span[0], -span[1]))

    def _possible(self, text: str) -> Iterator[str]:
        """Yield the texts that may stand there, so that only these need a pattern."""
        hay = text.casefold() if self.any_case else text
        flat: str | None = None
        for one, words, run in self._each:
            if not all(word in hay for word in words):
                continue
            if run and flat is None:
                flat = _SPACES.sub(" ", hay)
            if run in (flat or ""):
                yield one

    def stands_in(self, text: str) -> bool:
        """Return whether one of the texts occurs in a text."""
        return next(self.spans(text), None) is not None

    def replace(self, text: str) -> tuple[str, int]:
        """Return the text with the mark in place of the texts, and how many bytes of UTF-8 went."""
        gone = 0
        for _ in range(_ROUNDS):
            parts: list[str] = []
            at = 0
            for start, end in self.spans(text):
                parts += (text[at:start], PURGED)
                gone += len(text[start:end].encode("utf-8", "surrogateescape"))
                at = end
            if not parts:
                break
            text = "".join(parts) + text[at:]
        return text, gone

    def replace_bytes(self, data: bytes) -> tuple[bytes, int]:
        """Return bytes with the texts replaced, in any encoding (`readings`), and how many bytes went."""
        gone = 0
        for place in range(MOST_WAYS) if self.may_stand_in_bytes(data) else ():
            one = next(islice(readings(data), place, None), None)
            if one is not None:
                text, less = self.replace(one.text)
                data, gone = (one.write(text), gone + less) if less else (data, gone)
        return data, gone

    def stands_in_bytes(self, data: bytes) -> bool:
        """Return whether one of the texts occurs in some bytes, in any encoding that they may have."""
        return self.may_stand_in_bytes(data) and any(self.stands_in(one.text) for one in readings(data))

    def lines(self, text: str) -> list[int]:
        """Return the lines, from 1, on which they begin."""
        lines: dict[int, None] = {}
        line, at = 1, 0
        for start, _ in self.spans(text):
            line, at = line + text.count("\n", at, start), start
            lines[line] = None
        return list(lines)

    def lines_of_bytes(self, data: bytes) -> list[int]:
        """Return the lines for bytes, in the first encoding in which a text occurs."""
        return next((lines for one in readings(data) if (lines := self.lines(one.text))), [])

    def may_stand_in_bytes(self, data: bytes) -> bool:
        """Return False if the texts surely do not occur in the bytes: their plain words are missing."""
        if self._index is not None and b"\0" not in data:
            return self._index.may_stand_in(data)
        hay = data.replace(b"\0", b"") if b"\0" in data else data
        hay = hay.lower() if self.any_case else hay
        return any(all(word.encode() in hay for word in words) for _, words, _ in self._each)


class _WordIndex:
    """An index of many texts by two neighbouring words each, so that one pass over a text finds them all.

    Both words come from the text's plain run, so wherever the text stands, white space surrounds them. Texts
    without two such words are tried one after another.
    """

    def __init__(self, each: Iterable[tuple[str, tuple[str, ...], str]]) -> None:
        """Index texts, each given with its plain words and its plain run."""
        self._pairs: dict[tuple[str, str], list[tuple[str, str, int, int]]] = {}
        self._rest: list[tuple[str, tuple[str, ...], str]] = []
        for one, words, run in each:
            # the last word of a run may be the beginning of a longer one where the text ends
            whole = run.split()[:-1]
            if len(whole) < 2:
                self._rest.append((one, words, run))
                continue
            pair = max(pairwise(whole), key=lambda pair: len(pair[0]) + len(pair[1]))
            inside = f" {run}".index(" {} {} ".format(*pair))
            self._pairs.setdefault(pair, []).append((one, run, one.index(f" {run}") + 1, inside))
        self._firsts = frozenset(first for first, _ in self._pairs)
        self._coded = [(first.encode("ascii"), second.encode("ascii")) for first, second in self._pairs]

    def look_up(self, text: str) -> tuple[Sequence[tuple[int, int]], Sequence[str]]:
        """Return the spans of literal occurrences, and the texts that need their pattern tried as well."""
        flat = _Flat(text)
        literal: list[tuple[int, int]] = []
        other: dict[str, None] = {}
        for one, at in self._candidates(flat.text):
            if at >= 0 and flat.text.startswith(one, at) and not _goes_on(flat.text, at, at + len(one)):
                literal.append(flat.span(at, at + len(one)))
            else:
                other[one] = None
        for one, words, run in self._rest:
            if all(word in text for word in words) and run in flat.text:
                other[one] = None
        return literal, list(other)

    def _candidates(self, flat: str) -> Iterator[tuple[str, int]]:
        """Yield each text whose plain run stands in the flat text, and where the text would begin."""
        pairs, firsts = self._pairs, self._firsts
        at, before = 0, ""
        for word in flat.split(" "):
            if before and (before, word) in pairs:
                for one, run, place, inside in pairs[before, word]:
                    begins = at - len(before) - 1 - inside
                    if begins >= 0 and flat.startswith(run, begins):
                        yield one, begins - place
            before = word if word in firsts else ""
            at += len(word) + 1

    def may_stand_in(self, data: bytes) -> bool:
        """Return False where none of the texts can stand in these bytes, which hold no NUL."""
        words = set(_BYTE_WORDS.findall(_BYTE_SPACES.sub(b" ", data)))
        if any(first in words and second in words for first, second in self._coded):
            return True
        return any(all(word.encode() in data for word in words) for _, words, _ in self._rest)


class _Flat:
    """A text with each run of white space replaced by one space, and the way back to its own positions."""

    def __init__(self, text: str) -> None:
        """Flatten a text."""
        self._at: list[int] = [0]
        self._more: list[int] = [0]
        more = 0
        for match in _SPACES.finditer(text):
            start, end = match.span()
            if end - start > 1:
                self._at.append(start - more + 1)
                more += end - start - 1
                self._more.append(more)
        self.text = _SPACES.sub(" ", text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the text's span for a span of the flat text that begins and ends outside white space."""
        return start + self._before(start), end + self._before(end - 1)

    def _before(self, place: int) -> int:
        return self._more[bisect_right(self._at, place) - 1]


def _goes_on(text: str, start: int, end: int) -> bool:
    """Return whether an escape or a doubled quotation mark may belong to the span."""
    return text[start - 1 : start] == "\\" or (end < len(text) and text[end] in "'\"\\")


def _plain_words(text: str) -> tuple[str, ...]:
    """Return the plain ASCII words, which are never escaped or folded within a line."""
    words = sorted(set(_PLAIN.findall(text)), key=len, reverse=True)
    return tuple(words[:_ENOUGH])


def _plain_run(text: str) -> str:
    """Return the longest run of plain words, joined by spaces; "" if there is none.

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
        # a backslash or > that begins a word does not belong to the white space before it
        space = rf"(?:{_SPACE}|\s+(?:>[ \t]?)*?)" if word.startswith(("\\", ">")) else _SPACE
        found += (space if found else "") + _folded(map(_cluster, _clusters(word)))
    return re.compile(found, re.IGNORECASE if any_case else re.NOFLAG)


def _folded(parts: Iterable[str]) -> str:
    """Return one word's pattern; YAML may fold a line within a word, behind an escaped character."""
    found = ""
    for part in parts:
        found += part if not found or _PLAIN.fullmatch(found[-1]) else f"{_FOLD}{part}"
    return found


def _clusters(word: str) -> list[str]:
    """Return characters with their combining marks, as Unicode composes them."""
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
    """Return the JSON escape of a character beyond U+FFFF."""
    rest = code - 0x10000
    return rf"\\u{0xD800 + (rest >> 10):04x}\\u{0xDC00 + (rest & 0x3FF):04x}"


def _whole_escape(text: str, start: int) -> int:
    r"""Return the start, moved before a backslash that makes the first letter part of an escape.

    `\none` in JSON may be a line end before `one`; half an escape would break the file.
    """
    before = 0
    while start - before > 0 and text[start - before - 1] == "\\":
        before += 1
    return start - 1 if before % 2 else start


NO_TEXT = PurgeTarget(())
"""Target that occurs nowhere."""
