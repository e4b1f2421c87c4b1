"""Counts with something added for safety, where an encoding is only near the model's own."""

from typing import TYPE_CHECKING

from reel_cli.core.tokens.choice import WHOLE, Choice

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer


def add_margin(tokens: int, margin: int) -> int:
    """So many tokens and a margin of `WHOLE`, rounded up."""
    return -(-tokens * (WHOLE + margin) // WHOLE)


class WithMargin:
    """An encoding whose counts are too small by at most a margin; each count has it in it."""

    additive = False

    def __init__(self, encoding: "Tokenizer", margin: int) -> None:
        """Add so much of `WHOLE` to each count."""
        self.name = str(Choice(encoding.name, margin=margin))
        self._encoding = encoding
        self._margin = margin

    def count(self, text: str) -> int:
        """How many tokens `text` takes, with the margin."""
        return add_margin(self._encoding.count(text), self._margin)

    def ids(self, text: str) -> list[int]:
        """The tokens themselves, without it."""
        return self._encoding.ids(text)
