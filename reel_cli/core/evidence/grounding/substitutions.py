"""Words of a memory in whose place another of the same kind was said."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from reel_cli.core.evidence.grounding.kinds import are_rivals, kinds_of
from reel_cli.core.evidence.grounding.lexicon import WORD, bare, clauses, sentences, stem
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source, clipped
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen

_HALF = 50
"""Percent of a clause's other words that were said with the other of its kind."""
_RARE = 2
"""Messages, at most, that have a word by which alone two things are the same."""
_ADVERBS = frozenset(("never", "sometimes", "often", "always", "rarely"))
"""Words that count only before the same verb."""


@frozen
class Substitution:
    """A word that stands in another's place: where it stands, its clause's other words, what was said."""

    start: int
    end: int
    word: str
    words: tuple[str, ...]
    said: Passage


@frozen
class _Window:
    """One or two sentences of a message, in lower case: where each begins and ends in it, and their words."""

    place: int
    text: str
    bounds: tuple[tuple[int, int], ...]
    words: tuple[str, ...]


def substitutions(masked: str, source: Source) -> Iterator[Substitution]:
    """Yield the words of a text for which another of the same kind was said of the same things.

    `masked` is a text without its quotations.
    """
    for first, last in sentences(masked):
        sentence = masked[first:last]
        if "?" in sentence or not any(kinds_of(match[0]) for match in WORD.finditer(sentence)):
            continue
        at = first
        for clause in clauses(sentence):
            at = masked.index(clause, at)
            for match in WORD.finditer(clause):
                word = bare(match[0])
                if kinds_of(word) and match[0].partition("'")[2] in ("", "s"):
                    found = _said_instead(word, match, clause, sentence, source)
                    if found is not None:
                        start = at + match.start()
                        words = tuple(_others(word, clause, source))
                        yield Substitution(start, start + len(match[0]), word, words, found)
            at += len(clause)


@lru_cache(maxsize=2)
def _windows(source: Source) -> Sequence[_Window]:
    """Return the sentences of every message, each alone or with the next; no questions by themselves."""
    found: list[_Window] = []
    for place, turn in enumerate(source.turns):
        bounds = list(sentences(turn))
        for (first, last), (_, end) in pairwise([*bounds, (0, len(turn))]):
            text = turn[first:end] if end > last else turn[first:last]
            # a question says nothing, but its words may be what the next sentence is about
            if not turn[first:last].rstrip().endswith("?"):
                words = tuple(bare(match[0]) for match in WORD.finditer(text))
                both = ((first, last), (last, end)) if end > last else ((first, last),)
                found.append(_Window(place, text, both, words))
    return found


def _others(word: str, clause: str, source: Source) -> list[str]:
    return [one for one in content(clause, source) if one != word and not are_rivals(word, one)]


def _said_instead(
    word: str, match: re.Match[str], clause: str, sentence: str, source: Source
) -> Passage | None:
    """Return where another of the same kind was said of a clause's things, if this one was not."""
    mine = word_forms(word)
    others = _others(word, clause, source)
    patterns = [word_forms(one) for one in others]
    after = WORD.search(clause, match.end())
    next_word = stem(after[0]) if after is not None else ""
    adverb = word in _ADVERBS
    said = any(map(mine.stands_in, source.turns))
    best: tuple[_Window, str] | None = None
    most = rival = 0
    for window in _windows(source):
        shared = [one for one in patterns if one.stands_in(window.text)]
        if not shared:
            continue
        if mine.stands_in(window.text):
            rival = max(rival, len(shared))
            continue
        told = [place for place, one in enumerate(window.words) if are_rivals(word, one)]
        # what the clause names as well is not what was said in its place
        told = [place for place in told if not word_forms(window.words[place]).stands_in(sentence)]
        if not told:
            continue
        beside = any(stem(one) == next_word for place in told for one in window.words[place + 1 : place + 2])
        beside = beside and next_word in {stem(one) for one in others}
        alike = len(shared) >= 2 and len(shared) * 100 >= _HALF * len(others)
        # one word that both have says little where the doubted word was said of something
        rare = not said and len(others) <= 2
        rare = rare and any(_is_rare(one, source) for one in others if word_forms(one) in shared)
        if (beside or (not adverb and (alike or rare))) and len(shared) > most:
            best, most = (window, window.words[told[0]]), len(shared)
    return _passage(*best, source) if best is not None and rival < most else None


def _passage(window: _Window, word: str, source: Source) -> Passage:
    """Return the sentence of a window that has a word."""
    turn, forms = source.said[window.place].turn, word_forms(word)
    texts = [turn.text[first:last] for first, last in window.bounds]
    told = next((text for text in texts if forms.stands_in(text)), texts[0])
    return Passage(turn.number, turn.speaker, clipped(told), turn.session if source.several else "")


def _is_rare(word: str, source: Source) -> bool:
    forms = word_forms(word)
    return sum(map(forms.stands_in, source.turns)) <= _RARE
