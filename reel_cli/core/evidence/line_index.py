"""Lines of many texts, found by their words without reading every line."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, stem
from reel_cli.core.evidence.grounding.words import WordForms, flat_words, list_words

_START = 4
"""Letters by which the words that begin alike are found; no beginning in a `WordForms` is shorter."""


class LineIndex:
    """The lines of texts, in lower case and without empty ones, by number and by the words in them."""

    def __init__(self) -> None:
        """Begin without a line."""
        self.lines: list[str] = []
        self.text_of: list[int] = []
        self._bounds: list[range] = []
        self._with_word: dict[str, list[int]] = {}
        self._of_stem: dict[str, list[str]] = {}
        self._of_start: dict[str, list[str]] = {}
        self._keys: dict[int, str] = {}

    def add(self, *parts: str) -> int:
        """Add a text, of several parts where it has them, and return its number."""
        first, text = len(self.lines), len(self._bounds)
        for part in parts:
            self.lines += [line for line in even(part).casefold().splitlines() if line.strip()]
        added = range(first, len(self.lines))
        self._bounds.append(added)
        self.text_of += [text] * len(added)
        for line in added:
            for word in set(list_words(self.lines[line])):
                if word in self._with_word:
                    self._with_word[word].append(line)
                else:
                    self._add_word(word, line)
        return text

    def _add_word(self, word: str, line: int) -> None:
        self._with_word[word] = [line]
        self._of_stem.setdefault(stem(word), []).append(word)
        self._of_start.setdefault(word[:_START], []).append(word)

    def lines_of(self, text: int) -> range:
        """Return the numbers of a text's lines."""
        return self._bounds[text]

    def find_forms(self, forms: WordForms) -> set[int]:
        """Return the lines in which a word stands in any of its forms, as `WordForms.stands_in` says."""
        words = [word for root in forms.roots for word in self._of_stem.get(root, ())]
        found = set(self._having(words))
        for form in forms.beginnings:
            # a form that is several words has a space between them
            first, *more = form.split()
            begun = self._having(self._begun(first))
            found.update((one for one in begun if form in flat_words(self.lines[one])) if more else begun)
        return found

    def find_words(self, text: str, *, goes_on: bool = False) -> Collection[int]:
        """Return all lines that can hold a text whose first and last word are whole in it, and some others.

        With `goes_on`, its last word may be the beginning of another.
        """
        words = list_words(text)
        begun = words.pop() if goes_on and words else ""
        each = [self._with_word.get(word, ()) for word in words]
        if len(begun) >= _START:
            each.append(list(self._having(self._begun(begun))))
        if not each:
            return range(len(self.lines))
        first, *others = sorted(each, key=len)
        return set(first).intersection(*others) if others else first

    def find_part(self, text: str) -> Iterable[int]:
        """Return the lines that contain a text of a word or more, also within a longer word."""
        longest = max(list_words(text), key=len, default="")
        lines = self._having(word for word in self._with_word if longest in word)
        return (line for line in set(lines) if text in self.lines[line])

    def quote_key(self, line: int) -> str:
        """Return the key by which quotations are compared with a line, computed once."""
        if line not in self._keys:
            self._keys[line] = quote_key(self.lines[line])
        return self._keys[line]

    def _begun(self, start: str) -> list[str]:
        return [word for word in self._of_start.get(start[:_START], ()) if word.startswith(start)]

    def _having(self, words: Iterable[str]) -> Iterator[int]:
        return chain.from_iterable(map(self._with_word.__getitem__, words))
