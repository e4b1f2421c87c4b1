"""Prints of phrases: enough to find the words again where they stand, and nothing to be read by itself."""

import zlib
from collections.abc import Iterable, Sequence

from reel_cli.core.frozen import late

_WORD = late(r"\w+")
_PRINT = late(r"(\d{1,3})-([0-9a-f]{8})")


def print_of(phrase: str) -> str:
    """Return a phrase's fingerprint: its word count and a lower-case checksum (`9-1a2b3c4d`)."""
    words = _words(phrase)
    return _print([word for word, _, _ in words])


def is_print(text: str) -> bool:
    """Return whether a text is a fingerprint."""
    return _PRINT.fullmatch(text) is not None


def find_printed(prints: Iterable[str], text: str) -> Sequence[str]:
    """Return the phrases of a text with one of these fingerprints, each once, in order."""
    wanted = set(prints)
    sizes = {int(told[1]) for one in wanted if (told := _PRINT.fullmatch(one))}
    words = _words(text)
    found: dict[str, tuple[int, str]] = {}
    for size in sizes:
        for at in range(len(words) - size + 1 if size else 0):
            made = _print([word for word, _, _ in words[at : at + size]])
            if made in wanted:
                start, end = words[at][1], words[at + size - 1][2]
                found.setdefault(made, (start, " ".join(text[start:end].split())))
    return tuple(phrase for _, phrase in sorted(found.values()))


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(match[0].casefold(), *match.span()) for match in _WORD.finditer(text)]


def _print(words: Sequence[str]) -> str:
    return f"{len(words)}-{zlib.crc32(' '.join(words).encode('utf-8', 'replace')):08x}"
