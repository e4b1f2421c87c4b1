"""Replies to the prompts of maintenance over the kits of `faded_kit`, put together page by page."""

from tests.support.faded_kit import MARKER

WHOLE = ("What happened", "What changed", "What matters", "What's unresolved")


def whole(number: int, evening: int, words: str = MARKER) -> str:
    """A page with all its parts: the prompt's `number`, about the memory of an evening."""
    parts = "".join(f"## {label}\n\n{words} That was evening {evening}.\n\n" for label in WHOLE)
    return f"# Page {number}: Evening {evening}\n\n{parts}## In one breath\n\n{MARKER}\n\nAda\n\n"


def breath(number: int, evening: int, words: str = MARKER) -> str:
    """A page of which only the marker is wanted."""
    return f"# Page {number}: Evening {evening}\n\n## In one breath\n\n{words}\n\nAda\n\n"
