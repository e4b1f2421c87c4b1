"""The name somebody may have meant, for hints after a misspelt one."""

from collections.abc import Sequence

_MOST_NEAR, _LONGEST_NEAR = 2_000, 80


def nearest(word: str, names: Sequence[str]) -> str | None:
    """Return the name that is most like a word, ignoring case; None where none is close."""
    if len(names) > _MOST_NEAR:
        return None
    from difflib import get_close_matches

    folded = {name.casefold()[:_LONGEST_NEAR]: name for name in reversed(names)}
    found = get_close_matches(word.casefold()[:_LONGEST_NEAR], folded, n=1)
    return folded[found[0]] if found else None
