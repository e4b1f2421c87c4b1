"""The thing that somebody means by a name: an ID, a title or words of one; and hints after a misspelt one."""

from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late

_MOST_NEAR, _LONGEST_NEAR = 2_000, 80
_SHORTEST_PART = 3
"""Letters of a title from which they may stand for it."""
_NAMED, _TITLE = 5, 44
"""Maximum number of things listed where a name could mean several, and of characters of their titles."""
_NOT_WORDS = late(r"[^\w]+")


def nearest(word: str, names: Sequence[str]) -> str | None:
    """Return the name that is most like a word, ignoring case; None where none is close."""
    if len(names) > _MOST_NEAR:
        return None
    from difflib import get_close_matches

    folded = {name.casefold()[:_LONGEST_NEAR]: name for name in reversed(names)}
    found = get_close_matches(word.casefold()[:_LONGEST_NEAR], folded, n=1)
    return folded[found[0]] if found else None


def resolve_name(wanted: str, titles: Mapping[str, str], what: str) -> str | None:
    """Return the ID that is meant by an ID, by a title, or by words that only one title has; None for none.

    `titles` gives the title of each ID; case, quotation marks and punctuation of titles are ignored. Raises
    ReelError listing those that could be meant, as `what` ("memories"), where there are several.
    """
    if wanted in titles:
        return wanted
    asked = _fold(wanted)
    same = [name for name in titles if name.casefold() == wanted.strip().casefold()]
    if not same and asked:
        folded = {name: _fold(title) for name, title in titles.items()}
        same = [name for name, title in folded.items() if title == asked]
        if not same and len(asked) >= _SHORTEST_PART:
            words = asked.split()
            same = [name for name, title in folded.items() if all(f" {one}" in f" {title}" for one in words)]
    if len(same) > 1:
        shown = [f"{name} ({_cut(titles[name])})" for name in same[:_NAMED]]
        more = f" and {len(same) - _NAMED:,} more" if len(same) > _NAMED else ""
        message = f"“{wanted}” could be {len(same):,} {what}: {', '.join(shown)}{more}."
        raise ReelError(message, hint="name one by its ID, or by more of its title")
    return same[0] if same else None


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…"


def _fold(text: str) -> str:
    """Return a title's words in small letters, with one space between them."""
    plain: str = _NOT_WORDS.sub(" ", text.casefold().replace("'", "").replace("’", ""))
    return plain.strip()
