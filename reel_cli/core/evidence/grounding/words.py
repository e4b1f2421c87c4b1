"""Words as grounding compares them: one spelling, one stem, sentences and clauses."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import IRREGULAR, NEGATORS, PERSONS, STOP, TOLD, UNMARKED

_SAME_WIDTH = str.maketrans("‘’ʼ´`“”„«»–—‑−", "'''''" + '"""""' + "----")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCE = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|[;\n]+|\s-\s")
_CLAUSE = re.compile(
    r"[,:()]\s|\b(?:and|but|because|so|while|although|though|since|until|after|before|when|who|which|that|without)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?i)n't\b")
_UNMARKED_WORD = re.compile(rf"\b(?:{'|'.join(UNMARKED)})\b")
_PASSED = STOP | TOLD | PERSONS
_PHRASAL = re.compile(r"\b(g[ai]v(?:es?|ing|en)) up\b")
"""Pattern of two words that mean together what neither means alone."""


def even(text: str) -> str:
    """Return the text with one kind of quotation mark, apostrophe and dash; no character moves."""
    return text if text.isascii() else text.translate(_SAME_WIDTH)


def evened_case(text: str) -> str:
    """Return a text in which every letter that a case-insensitive pattern matches is lower case."""
    return text.replace("İ", "i").casefold().replace("ı", "i")


def has_any(text: str, signs: Iterable[str]) -> bool:
    """Return whether any of the signs occurs in the text."""
    for sign in signs:  # noqa: SIM110 (asked of every sentence, and quicker so)
        if sign in text:
            return True
    return False


@lru_cache(maxsize=50_000)
def bare(word: str) -> str:
    """Return a word without case, accents, and what an apostrophe adds."""
    if word.isascii():
        return word.lower().partition("'")[0]
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).partition("'")[0]


@lru_cache(maxsize=256)
def spelt_out(text: str) -> str:
    """Lower case, short forms written out, so that `didn't` is `did not` and `I'm` is `i am`."""
    plain = even(text).casefold()
    if "n't" in plain:
        plain = plain.replace("won't", "will not").replace("can't", "can not")
        plain = plain.replace("shan't", "shall not").replace("ain't", "is not")
        plain = _NEGATED.sub(" not", plain)
    plain = _PHRASAL.sub("quit", plain)
    return _UNMARKED_WORD.sub(lambda found: UNMARKED[found[0]], plain)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without its ending; for comparing, not for showing."""
    plain = bare(word)
    if plain in IRREGULAR:
        return IRREGULAR[plain]
    for ending in ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "s", "ly", "er"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            break
    for ending in ("ment", "ness", "ful", "ion"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 5:
            plain = plain[: -len(ending)]
            break
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "aeiouls":
        plain = plain[:-1]
    plain = plain.removesuffix("e") if len(plain) > 3 else plain
    return f"{plain[:-1]}i" if plain.endswith("y") else plain


@lru_cache(maxsize=10_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's content words, in order."""
    found = []
    for told in WORD.findall(spelt_out(text)):
        word = bare(told)
        if word and word not in STOP and word not in NEGATORS and (root := stem(word)) not in _PASSED:
            found.append(root)
    return tuple(found)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence of a normalised text."""
    start = 0
    for found in _SENTENCE.finditer(text):
        if text[start : found.end()].strip():
            yield start, found.end()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def clauses(text: str) -> Iterator[str]:
    """Yield the parts of a sentence between commas and conjunctions."""
    start = 0
    for found in _CLAUSE.finditer(text):
        if text[start : found.start()].strip():
            yield text[start : found.start()]
        start = found.start()
    if text[start:].strip():
        yield text[start:]


_IS = re.compile(r"\b(i|you|he|she|it|we|they|that|there|what|who)'(m|re|s)\b")


@lru_cache(maxsize=256)
def quote_key(text: str) -> str:
    """Return a text for comparing quotations, independent of person and of the form of `be`."""
    plain = _IS.sub(r"\1 is", spelt_out(text))
    words = []
    for told in WORD.findall(plain):
        word = told if told.isascii() else unicodedata.normalize("NFKC", told)
        word = word.replace("'", "")
        if word in PERSONS:
            word = "#"
        elif IRREGULAR.get(word) in ("be", "have"):
            word = IRREGULAR[word]
        words.append(word)
    return f" {' '.join(words)} "
