"""Semantic loss of a compression: by embeddings, or by the share of words that nobody said (SRIP-11 §VI).

The document has 1 - cosine of the two texts, too great above .25. By words alone that cosine is .42 to .86
for sound memories. The share of a text's words that stand neither in the text before it nor in what was said
there tells sound texts from others: `bench/compression.py`.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.check import list_words

if TYPE_CHECKING:
    from reel_cli.features.recall.embeddings.semantic import Embedder

MOST_APART = 0.25
"""Loss by embeddings above which a text is not taken (SRIP-11 §III.6)."""
MOST_UNSAID = 0.3
"""The same by words. Of 138 sound markers and tags none had more, leaving each of five kits out in turn; of
3,138 held against another memory of their kit 97.9 % had (`bench/compression.py`)."""
FEWEST_WORDS = 8
"""Words of a text below which the share of unsaid ones says nothing."""


def count_unsaid(text: str, originals: Collection[str]) -> tuple[int, int]:
    """Return how many different words of a text are none of its originals' words, and how many it has."""
    mine = list_words(text)
    return len(mine.difference(originals)), len(mine)


def measure_apart(embedder: "Embedder", one: str, other: str) -> float:
    """Return 1 less the cosine of two texts; raises EmbeddingError where none can be had."""
    from reel_cli.features.recall.embeddings.whole_texts import cosine, embed_texts

    first, second = embed_texts(embedder, [one, other])
    return 1 - cosine(first, second)
