"""Stems of words that are known in another form of the same verb."""

from reel_cli.core.evidence.grounding.lexicon import even, stem
from reel_cli.core.frozen import late

_VOWELS = late(r"[aeiouy]+")
_LEAST_VERB, _LEAST_CONSONANTS = 3, 3


def count_known(words: frozenset[str], known: frozenset[str]) -> int:
    """Return how many of some stems are known, in whatever form of the verb."""
    return len(words) - len(without_known(words, known))


def without_known(words: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """Return the stems without those that are known, in this form or another.

    `sprung` is of `spring`, `youngest` of `young`, and `misread` of `read it wrong`.
    """
    left = words - known
    return frozenset(
        one
        for one in left
        if one.removesuffix("est") not in known
        and not (_WRONG in known and one.startswith("mis") and one.removeprefix("mis") in known)
        and not any(_is_of_one_verb(one, other) for other in known)
    )


_WRONG = stem("wrong")


def _is_of_one_verb(one: str, other: str) -> bool:
    """Return whether two stems have the same consonants, and other vowels: `broke` of `break`."""
    if min(len(one), len(other)) < _LEAST_VERB or one[0] != other[0]:
        return False
    mine, theirs = _VOWELS.sub("", one), _VOWELS.sub("", other)
    # the stem of `spring` is without its end
    return len(mine) >= _LEAST_CONSONANTS and mine in (theirs, f"{theirs}ng")


def all_stems(text: str) -> frozenset[str]:
    """Return the stems of all words of a text of more than one letter, small ones too."""
    return frozenset(map(stem, _WORD.findall(even(text))))


_WORD = late(r"[^\W\d_]{2,}")
