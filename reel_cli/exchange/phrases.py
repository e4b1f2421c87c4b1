"""Phrases held against the tape: found letter for letter, or the nearest that was really said."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reel_cli.model.settings import WHOLE
from reel_cli.model.tape import Entry

_QUOTES = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "`": "", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "‑": "-", "−": "-", "*": "", "_": " ", "~": "",
    }
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
LONGEST_PHRASE = 40
"""A phrase of more words is cut to these before it is looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of one said message: its number, who said it, and the words as they stand there.

    `likeness` is in hundredths of a percent; `WHOLE` where the phrase stands there as claimed.
    `times` is how often it stands on the stretch of tape that was searched.
    """

    number: int
    role: str
    text: str
    likeness: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class _Words:
    """A message's words, folded, and where each stands in the text."""

    entry: Entry
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def fold(text: str) -> str:
    """One spelling for what differs only in case, quotes, dashes, emphasis and spacing."""
    plain = unicodedata.normalize("NFKC", text).replace("…", "...").translate(_QUOTES)
    return " ".join(plain.casefold().split())


class Tape:
    """The said messages of one stretch, ready to be searched for phrases."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Search these entries; those without a number were not said and are passed over."""
        self._messages = [_words(entry) for entry in entries if entry.number is not None]

    def find(self, phrase: str) -> Found | None:
        """Where the phrase stands word for word; said once before often, by the user before the persona."""
        wanted = _folded_words(phrase)
        if not wanted:
            return self._find_plain(phrase)
        hits = [(message, start) for message in self._messages for start in _starts(message.words, wanted)]
        if not hits:
            return self._find_plain(phrase)
        message, start = min(hits, key=lambda hit: (hit[0].entry.message.role != "user", hit[0].entry.number))
        return _found(message, start, len(wanted), WHOLE, len(hits))

    def nearest(self, phrase: str) -> Found | None:
        """The stretch most like the phrase, of about its length; None where nothing is alike."""
        wanted = _folded_words(phrase)[:LONGEST_PHRASE]
        best: Found | None = None
        if len(wanted) < 2:
            return None
        for message in self._messages:
            for start, length, likeness in _windows(message.words, wanted):
                if best is None or likeness > best.likeness:
                    best = _found(message, start, length, likeness, 1)
        return best

    def _find_plain(self, phrase: str) -> Found | None:
        """The same for scripts and signs without word borders: as a plain run of characters."""
        wanted = fold(phrase)
        if not wanted:
            return None
        for message in self._messages:
            text = message.entry.message.text
            at = text.find(phrase)
            if at < 0 and not wanted.isascii():
                at = text.casefold().find(phrase.casefold())
            if at >= 0:
                found = text[at : at + len(phrase)]
                return Found(message.entry.number or 0, message.entry.message.role, found, WHOLE)
        return None


def _words(entry: Entry) -> _Words:
    text = entry.message.text
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    # folding may change lengths, so words are found in the text itself and folded one by one
    for found in _WORD.finditer(text.replace("’", "'").replace("‘", "'")):
        words.append(fold(found[0]))
        spans.append(found.span())
    return _Words(entry, tuple(words), tuple(spans))


def _folded_words(phrase: str) -> tuple[str, ...]:
    return tuple(fold(found[0]) for found in _WORD.finditer(phrase.replace("’", "'").replace("‘", "'")))


def _starts(words: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    first, size = wanted[0], len(wanted)
    for start in range(len(words) - size + 1):
        if words[start] == first and tuple(words[start : start + size]) == wanted:
            yield start


def _windows(words: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Candidate stretches around the words they share, with their likeness."""
    keys = {word for word in wanted if len(word) > 3} or set(wanted)
    places = [i for i, word in enumerate(words) if word in keys]
    seen: set[tuple[int, int]] = set()
    joined = " ".join(wanted)
    for place in places:
        for length in range(max(2, len(wanted) - 2), len(wanted) + 3):
            for start in range(max(0, place - length + 1), min(place, len(words) - length) + 1):
                if (start, length) in seen:
                    continue
                seen.add((start, length))
                window = words[start : start + length]
                shared = len(set(window) & set(wanted))
                if shared < 2 or shared * 2 < len(set(wanted)):
                    continue
                ratio = SequenceMatcher(None, joined, " ".join(window), autojunk=False).ratio()
                yield start, length, int(ratio * WHOLE)


def _found(message: _Words, start: int, length: int, likeness: int, times: int) -> Found:
    begin, end = message.spans[start][0], message.spans[start + length - 1][1]
    text = message.entry.message.text[begin:end]
    # an index line holds no line end and no bar; what stands between them is still verbatim
    text = max(re.split(r"\s*[\n\r|\t]\s*|\s{2,}", text), key=len)
    return Found(message.entry.number or 0, message.entry.message.role, text, likeness, times)
