"""Ranks of words in the published token table: how common a word is in a large body of text."""

from functools import cache
from pathlib import Path

from reel_cli.core.tokens.byte_pairs import RankTable

_TABLE = Path(__file__).parents[2] / "data" / "o200k_base.ranks"


def word_rank(word: str) -> int | None:
    """Return the rank of a word as it stands within a sentence, lowest for the commonest; None if it is rare.

    Upper and lower case differ. The table is mapped, so a look-up reads a few bytes.
    """
    return _table().rank(f" {word}".encode())


@cache
def _table() -> RankTable:
    return RankTable(_TABLE)
