"""Short keys for memories on their way out: the words by which somebody would come to speak of one.

A program scans the last messages for the keys of an entry. An anchor phrase stands in a chat only when it is
quoted, so an entry gets its telling words as well: names, words of its title, and words that few of the kit's
memories and few texts anywhere have. `bench/sillytavern_keys.py` measures what they bring.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from reel_cli.core.tape.search.forms import ASKING, STOP, bases, known_forms, rarity
from reel_cli.core.tokens.word_rank import word_rank
from reel_cli.core.values.memory import Memory

MOST_WORDS = 20
"""Number of words of a memory that become keys, apart from their other forms."""
LARGEST_SHARE = 0.34
"""Share of the memories that have a word, above which it tells none of them from the others."""
ALWAYS_TELLING = 2
"""Number of memories that may have a word, however few there are."""
_SHORTEST, _SHORTEST_FORM = 3, 4
_COMMON, _RARE = 300, 200_000
"""Ranks in the token table of a word that stands in any text, and of one that hardly any has."""
_PLAIN = 0.4
"""Rarity below which a word that is not in the title is no key: it may stand in any message."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_BEGINS = re.compile(r"(?:^|[.!?:;\n\"“”(*_#>-])\s*\Z")
_BEFORE = re.compile(r"([^\W\d_]+)\s+\Z")
_SIGNS = """
a an the this that these those my your his her its our their no every each some any another of in on at with
by from about under over for one two three four five six seven eight nine ten
"""
_NOUN_SIGNS = frozenset(_SIGNS.split())
"""Words that mostly stand before a noun, which is what people ask by."""
_CALENDAR = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
_DAYS = frozenset(form for day in _CALENDAR.split() for form in known_forms(day))
_TITLE, _ASKED, _SHORT, _BODY = 2.5, 2.5, 1.5, 1.0
"""Weights of a word by where it stands: the title, a noted question, the marker and the tag, the text."""
_NAME, _NOUN = 2.5, 1.7


@dataclass(slots=True)
class _Candidate:
    """A word of one memory: its spelling there, its weight by place, and whether it is a name or a noun."""

    spelled: str
    weight: float = 0.0
    name: bool = False
    noun: bool = False


class KeyWords:
    """The words of a kit's memories, and how many memories have each."""

    def __init__(self, memories: Collection[Memory], speakers: Sequence[str]) -> None:
        """Count the words; `speakers` are in every memory, and tell none from another."""
        self._own = {part.lower() for name in speakers for part in name.split()}
        self._words: Mapping[str, Mapping[str, _Candidate]] = {one.id: _read(one) for one in memories}
        self._having = Counter(plain for words in self._words.values() for plain in words)

    def of(self, memory: Memory) -> list[str]:
        """Return a memory's short keys, the most telling first."""
        words = self._words.get(memory.id) or _read(memory)
        scored = {plain: self._telling(plain, word) for plain, word in words.items()}
        best = sorted((p for p in scored if scored[p] > 0), key=lambda plain: (-scored[plain], plain))
        found = [key for plain in best[:MOST_WORDS] for key in _variants(words[plain])]
        return list(dict.fromkeys(found))

    def _telling(self, plain: str, word: _Candidate) -> float:
        having = self._having[plain]
        share = having / max(1, len(self._words))
        if plain in self._own or (share > LARGEST_SHARE and having > ALWAYS_TELLING):
            return 0.0
        if rarity(plain) < _PLAIN and word.weight < _TITLE:
            return 0.0
        sort = 0.5 if plain in _DAYS else _NAME if word.name else _NOUN if word.noun else 1.0
        return word.weight * sort * log(1 + 1 / (share or 1)) * (rarity(plain) + 0.15)


def _read(memory: Memory) -> dict[str, _Candidate]:
    """Return the words of a memory that can be keys, by their plain forms."""
    found: dict[str, _Candidate] = {}
    for weight, text in _parts(memory):
        last = start = 0
        for at in _WORD.finditer(text):
            # the word before begins no earlier; a search of all the text would take quadratic time
            last, start = start, at.start()
            word = at[0].replace("’", "'").removesuffix("'s")
            plain = _plain(word)
            if "'" in word or len(plain) < _SHORTEST or {plain, word.lower()} & (STOP | ASKING):
                continue
            one = found.setdefault(plain, _Candidate(word.lower()))
            before = _BEFORE.search(text, last, start)
            one.weight = max(one.weight, weight)
            one.noun = one.noun or (before is not None and before[1].lower() in _NOUN_SIGNS)
            begins = _BEGINS.search(text[max(0, start - 4) : start]) is not None
            one.name = one.name or (word[0].isupper() and not begins and weight != _TITLE)
    return found


def _parts(memory: Memory) -> Iterator[tuple[float, str]]:
    yield _TITLE, memory.title
    yield from ((_ASKED, asked) for asked in memory.asked_as)
    yield _SHORT, f"{memory.tag or ''}\n{memory.marker or ''}"
    yield _BODY, memory.body


def _plain(word: str) -> str:
    """Return a word in lower case, in the singular where that is a word."""
    folded = word.lower()
    singular = bases(folded)[-1] if folded.endswith("s") else folded
    return singular if singular == folded or word_rank(singular) is not None else folded


def _variants(word: _Candidate) -> Iterator[str]:
    """Yield a word, and those of its other forms that are words, and not everyday ones."""
    yield word.spelled
    plural = f"{word.spelled}s"
    if word.weight == _TITLE and word.spelled.isascii() and not word.spelled.endswith("s"):
        yield plural
    for form in (_plain(word.spelled), plural, *known_forms(word.spelled)):
        if len(form) >= _SHORTEST_FORM and word_rank(form) is not None and rarity(form) >= _PLAIN:
            yield form
