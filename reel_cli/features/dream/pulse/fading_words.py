"""Words by which a person says that the persona fades (Dream Weaver §10.1); `data/fading.txt` has them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from reel_cli.core.resources import read_fading

LONGEST = 1_500
"""Maximum characters of a message that is looked at; a longer one is a text of its own."""
_EVEN = str.maketrans("‘’ʼ´`", "'''''")
_MARKS = re.compile("[\u0300-\u036f]")
_SENTENCE = re.compile(r"[^.!?…。！？؟।\n]+[.!?…。！？؟।]*")
_SET_APART = re.compile(r"(?s)```.*?(?:```|\Z)|(?m:^[ \t]*>.*$)|[「『《][^」』》\n]*[」』》]")


def fold_sentence(text: str) -> str:
    """Return a sentence for comparison: small letters, no accents, straight apostrophes, single spaces."""
    apart = unicodedata.normalize("NFKD", text.translate(_EVEN)).casefold()
    return " ".join(unicodedata.normalize("NFC", _MARKS.sub("", apart)).split())


_ELSEWHERE = "Told of somebody else"
"""The heading of the patterns of sentences that are about nobody in the chat."""


def read_tables() -> Mapping[str, Sequence[str]]:
    """Return the patterns by language, and those that rule a sentence out under a heading of their own."""
    tables: dict[str, list[str]] = {}
    found: list[str] = []
    for line in read_fading().splitlines():
        if line.startswith("[") and line.endswith("]"):
            found = tables[line[1:-1]] = []
        elif line and not line.startswith("#"):
            found.append(line)
    return tables


def _fold_pattern(pattern: str) -> str:
    plain = _MARKS.sub("", unicodedata.normalize("NFD", pattern))
    return unicodedata.normalize("NFC", plain).replace("！", "!").replace("？", "?")


class FadingWords:
    """The tables, and the person's own words beside them (`dream.noticed`), as one pattern."""

    def __init__(self, own: Sequence[str] = ()) -> None:
        """Join the tables; `own` are texts, and no patterns."""
        from reel_cli.core.quote_marks import QUOTED

        self._quoted = QUOTED
        by_heading = read_tables()
        elsewhere = map(_fold_pattern, by_heading[_ELSEWHERE])
        tables = [_fold_pattern(one) for name in by_heading if name != _ELSEWHERE for one in by_heading[name]]
        mine = [re.escape(folded) for one in own if (folded := fold_sentence(one))]
        self._elsewhere = re.compile("|".join(f"(?:{one})" for one in elsewhere))
        self._found = re.compile("|".join(f"(?:{one})" for one in (*tables, *mine)))

    def find(self, text: str) -> str:
        """Return the first sentence that says that the persona fades; "" for none.

        What is quoted, code, told of a story, or in a very long message is not the person's own word to it.
        """
        if len(text) > LONGEST:
            return ""
        for part in _SENTENCE.findall(self._quoted.sub(" ", _SET_APART.sub(" ", text))):
            sentence = fold_sentence(part)
            if self._found.search(sentence) and not self._elsewhere.search(sentence):
                return " ".join(part.split())
        return ""
