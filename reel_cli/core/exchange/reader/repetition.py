"""Repetition: a model that says the same words over and over; they are read once."""

from collections.abc import Iterator, Sequence

from reel_cli.core.frozen import frozen, late

LEAST_COPIES, LEAST_WORDS = 4, 48
"""Copies in a row that make a repetition, and the words that those after the first must have together."""
_GRAM = 6
"""Words in a row by which one place of a text is known to say the same as another."""
_MOST_WORDS = 60_000
"""Words of a reply that are looked at; a page has a few hundred."""
_WORD = late(r"[぀-ヿ㐀-鿿가-힣]|[^\W_]+(?:['’][^\W_]+)*")
_NUMBER = late(r"(?m)^[ \t>*_(-]{0,12}\d{1,3}[.):](?=[ \t]+\S+(?:[ \t]+\S+){3})")
"""The number of a list's item that has words enough to be known without it."""


@frozen
class Repetition:
    """Words that a reply repeats: a text of them, how often they came, whether the reply ends in them."""

    words: str
    copies: int
    at_end: bool


@frozen
class _Word:
    folded: str
    start: int
    end: int


def drop_repetition(text: str) -> tuple[str, Repetition | None]:
    """Return the text with words that are repeated in a row only once, and the longest such repetition."""
    words = _words(text)
    longest: Repetition | None = None
    size = 0
    kept: list[str] = []
    at = 0
    for first, period, last in _runs(words):
        span = last - first + 1
        if span < LEAST_COPIES * period or span - period < LEAST_WORDS:
            continue
        at_end = last == len(words) - 1
        # half a copy at the end belongs to what follows, where something does
        over = last if at_end else first + span // period * period - 1
        cut, until = words[first + period - 1].end, words[over].end
        kept.append(text[at:cut])
        at = until
        if span > size:
            size = span
            said = " ".join(text[words[first].start : cut].split())
            longest = Repetition(said, span // period, at_end=at_end)
    return ("".join([*kept, text[at:]]), longest) if longest is not None else (text, None)


def _words(text: str) -> Sequence[_Word]:
    numbers = {place for found in _NUMBER.finditer(text) for place in range(found.start(), found.end())}
    found: list[_Word] = []
    for word in _WORD.finditer(text):
        if word.start() in numbers:
            continue
        found.append(_Word(word[0].casefold(), word.start(), word.end()))
        if len(found) == _MOST_WORDS:
            break
    return found


def _runs(words: Sequence[_Word]) -> Iterator[tuple[int, int, int]]:
    """Yield stretches in which the words come again after so many: first word, period, last word."""
    folded = [word.folded for word in words]
    seen: dict[tuple[str, ...], int] = {}
    first = period = last = 0
    for at in range(len(folded) - _GRAM + 1):
        gram = tuple(folded[at : at + _GRAM])
        back = at - seen[gram] if gram in seen else 0
        seen[gram] = at
        if back and back == period and at == last - _GRAM + 2:
            last += 1
            continue
        if period:
            yield first, period, last
            period = 0
        if back and at - back >= (last or 0):
            first, period, last = at - back, back, at + _GRAM - 1
    if period:
        yield first, period, last
