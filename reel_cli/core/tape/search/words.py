"""A question's words as the index knows them, and writing without spaces cut into pairs of characters."""

import re
from collections.abc import Iterator
from unicodedata import category

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u0f00-\u0fff"  # Tibetan
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
    "]+"
)
"""Pattern of stretches in scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese,
Tibetan."""


def clean(text: str) -> str:
    """Return text that SQLite takes: no NUL, no lone surrogate."""
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def pairs(text: str) -> Iterator[str]:
    """Yield the overlapping pairs of characters of every stretch without spaces; else a lone one."""
    if text.isascii():
        return
    for stretch in _UNSPACED.findall(text):
        if len(stretch) == 1:
            yield stretch
        for at in range(len(stretch) - 1):
            yield stretch[at : at + 2]


def words(text: str) -> list[str]:
    """Return the words of a text with spaces, lower case, in order."""
    if text.isascii():
        return _WORD.findall(text.lower())
    # marks belong to the letter before them, which `\w` does not know
    kept = (c if c.isalnum() or category(c)[0] == "M" else " " for c in _UNSPACED.sub(" ", text))
    return "".join(kept).lower().split()
