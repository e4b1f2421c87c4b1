"""Counts with something added for safety, where an encoding is only near the model's own."""

from typing import TYPE_CHECKING

from reel_cli.core.tokens.choice import WHOLE, Choice

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer


def add_margin(tokens: int, margin: int) -> int:
    """Return the tokens plus a margin in parts of `WHOLE`, rounded up."""
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
        """Return the token count of `text`, with the margin."""
        return add_margin(self._encoding.count(text), self._margin)

    def ids(self, text: str) -> list[int]:
        """Return the tokens themselves, without the margin."""
        return self._encoding.ids(text)
