"""Sentences of a turn, each on one line, and which of them have the words of a fact."""

from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences
from reel_cli.core.values.change import one_line


def told_sentences(text: str) -> Sequence[str]:
    """Return the sentences of a text, each on one line."""
    plain = even(text)
    return [one_line(plain[start:end]) for start, end in sentences(plain)]


def find_sentences(words: str, told: Sequence[str]) -> Sequence[int]:
    """Return the places of the sentences that have words, or a sentence of them."""
    keys = [quote_key(one).strip() for part in words.split(" / ") for one in told_sentences(part)]
    return [at for at, one in enumerate(told) if any(key and key in quote_key(one) for key in keys)]
