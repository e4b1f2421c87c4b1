"""Fingerprints of purged texts, by which they are recognized without being kept or given away.

Whoever has the kit can try texts against a print. So none is made of what could be found by trying: only of
texts of at least eight words, in which every number counts as the same word, and each try is made slow. A
number, a name, a password or an address leaves no print at all.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.frozen import frozen

LEAST_WORDS = 8
"""Words without digits that a text must have, for a print to be made of it."""
MOST_WORDS = 12
"""Words at the beginning of a whole message that identify it."""
MOST_PRINTS = 64
_WORD = re.compile(r"\w+")
_COST = 1 << 12
"""scrypt's cost: 4 MB and some ten milliseconds a try."""
_NEAR = 4
"""Hexadecimal digits of a quick hash that avoids nearly every slow one; this much it reveals."""

Words = Sequence[tuple[str, int, int]]
"""Words as they are compared, and where each stands."""


@frozen
class Fingerprint:
    """A print of so many words: anywhere in a text, or (`whole`) beginning a message that goes whole."""

    words: int
    whole: bool
    salt: str
    near: str
    digest: str

    def as_json(self) -> Mapping[str, object]:
        """Return the fingerprint as JSON fields of a purge's record."""
        kind = "message" if self.whole else "text"
        return {"of": kind, "words": self.words, "salt": self.salt, "near": self.near, "scrypt": self.digest}

    @staticmethod
    def from_json(row: object) -> "Fingerprint | None":
        """Read it back; None where it is none."""
        if not isinstance(row, dict) or not isinstance(row.get("words"), int) or row["words"] < 1:
            return None
        texts = [row.get(key) for key in ("salt", "near", "scrypt")]
        if not all(isinstance(text, str) for text in texts):
            return None
        return Fingerprint(row["words"], row.get("of") == "message", *(str(text) for text in texts))

    def find(self, words: Words) -> Iterator[tuple[int, int]]:
        """Yield where the text occurs among some words: (start, end) in characters of their text."""
        last = len(words) - self.words
        for at in range(min(last, 0) + 1 if self.whole else last + 1):
            joined = _join(words[at : at + self.words])
            if _near(self.salt, joined) == self.near and _slow(self.salt, joined) == self.digest:
                yield words[at][1], words[at + self.words - 1][2]


def words_of(text: str) -> Words:
    """Return a text's words: lower case in one form, every word with a digit counted as the same."""
    found = []
    for match in _WORD.finditer(text):
        plain = unicodedata.normalize("NFKC", match[0]).casefold()
        found.append(("#" if any(c.isdigit() for c in plain) else plain, *match.span()))
    return found


def make_fingerprint(text: str, salt: str, *, whole: bool) -> Fingerprint | None:
    """Return a fingerprint of a text; None if the text is so short that it would be given away."""
    words = words_of(text)
    if sum(1 for word, _, _ in words if word != "#") < LEAST_WORDS:
        return None
    if whole:
        words = words[:MOST_WORDS]
        if sum(1 for word, _, _ in words if word != "#") < LEAST_WORDS:
            return None
    joined = _join(words)
    return Fingerprint(len(words), whole, salt, _near(salt, joined), _slow(salt, joined))


def _join(words: Words) -> bytes:
    return " ".join(word for word, _, _ in words).encode("utf-8", "surrogatepass")


def _near(salt: str, joined: bytes) -> str:
    return hashlib.sha256(salt.encode() + b"\0" + joined).hexdigest()[:_NEAR]


def _slow(salt: str, joined: bytes) -> str:
    return hashlib.scrypt(joined, salt=salt.encode(), n=_COST, r=8, p=1, dklen=16).hex()
