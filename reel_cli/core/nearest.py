"""The thing that somebody means by a name: an ID, a title or words of one; and hints after a misspelt one."""

from collections.abc import Callable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late

_MOST_NEAR, _LONGEST_NEAR = 2_000, 80
_LOOKED_AT, _SLIP_PER = 3, 8
"""Number of the names most like a word that are looked at, and letters for each slip above one."""
_SHORTEST_PART = 3
"""Letters of a title from which they may stand for it."""
_NAMED, _TITLE = 5, 44
"""Maximum number of things listed where a name could mean several, and of characters of their titles."""
_NOT_WORDS = late(r"[^\w]+")


def nearest(word: str, names: Sequence[str], likeness: float = 0.6) -> str | None:
    """Return the name that a word may be, mistyped, ignoring case; None where it is none of them.

    Much `likeness` (0 to 1) is not enough, for `bundle` and `undo` have most letters in common: the name is
    also few slips away, has most of the words, or one of the two begins with the other.
    """
    if len(names) > _MOST_NEAR:
        return None
    from difflib import get_close_matches

    folded = {name.casefold()[:_LONGEST_NEAR]: name for name in reversed(names)}
    typed = word.casefold()[:_LONGEST_NEAR]
    found = get_close_matches(typed, folded, n=_LOOKED_AT, cutoff=likeness)
    return next((folded[name] for name in found if _may_be(typed, name)), None)


def _may_be(typed: str, name: str) -> bool:
    if name.startswith(typed) or typed.startswith(name) or name.endswith(typed):
        return True
    words, others = ({*_NOT_WORDS.split(one)} for one in (typed, name))
    if 2 * len(words & others) > max(len(words), len(others)):
        # of a title another word may be wrong as a whole
        return True
    return _count_slips(typed, name) <= 1 + max(len(typed), len(name)) // _SLIP_PER


def _count_slips(one: str, other: str) -> int:
    """Return how many letters were left out, added, replaced or swapped with the next between two words."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        last, before, row = before, row, [at]
        for place, another in enumerate(other, start=1):
            least = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != another))
            swapped = at > 1 and place > 1 and (letter, one[at - 2]) == (other[place - 2], another)
            row.append(min(least, last[place - 2] + 1) if swapped else least)
    return row[-1]


def resolve_name(wanted: str, titles: Mapping[str, str], what: str) -> str | None:
    """Return the ID that is meant by an ID, by a title, or by words that only one title has; None for none.

    `titles` gives the title of each ID; case, quotation marks and punctuation of titles are ignored. Raises
    ReelError listing those that could be meant, as `what` ("memories"), where there are several.
    """
    if wanted in titles:
        return wanted
    same = _called(wanted, titles) or _partly_called(wanted, titles)
    if len(same) > 1:
        message = f"“{wanted}” could be {len(same):,} {what}: {_list(same, titles)}."
        raise ReelError(message, hint="name one by its ID, or by more of its title")
    return same[0] if same else None


def settle_names(
    names: Sequence[str],
    titles: Mapping[str, str],
    what: str,
    *,
    exact: Callable[[str], bool],
    command: Callable[[str], str] | None = None,
) -> list[str]:
    """Return the names that were typed, as one where they are the words of one title without its quotes.

    Of several, each has to be `exact` (an ID, a number, a path) or a whole title: words of titles could be
    those of one title. With `command`, which gives what to type for an ID, not even a single name may be a
    part of a title. Raises ReelError listing those that could be meant.
    """
    loose = [one for one in names if not exact(one) and not _called(one, titles)]
    if not loose:
        return list(names)
    joined = " ".join(names)
    meant = resolve_name(joined, titles, what)
    if meant is None:
        could = list(dict.fromkeys(name for one in loose for name in _partly_called(one, titles)))
        if len(names) == 1 or not could:
            return list(names)
        message = f"Nothing here is called “{joined}”. Its words are in: {_list(could, titles)}."
        raise ReelError(message, hint="put a title of several words in quotes, or name each by its ID")
    if command is not None and not _called(joined, titles):
        message = f"“{joined}” is only a part of a title, {_list([meant], titles)}; nothing was changed."
        raise ReelError(message, hint=f"if that is meant:  {command(meant)}")
    return [joined]


def _called(wanted: str, titles: Mapping[str, str]) -> list[str]:
    """Return the IDs of which one, or its whole title, is this."""
    asked = _fold(wanted)
    return [name for name in titles if name.casefold() == wanted.strip().casefold()] or [
        name for name, title in titles.items() if asked and _fold(title) == asked
    ]


def _partly_called(wanted: str, titles: Mapping[str, str]) -> list[str]:
    """Return the IDs of which the title has all these words, or words that begin so."""
    asked = _fold(wanted)
    if len(asked) < _SHORTEST_PART:
        return []
    folded = {name: f" {_fold(title)}" for name, title in titles.items()}
    return [name for name, title in folded.items() if all(f" {word}" in title for word in asked.split())]


def _list(names: Sequence[str], titles: Mapping[str, str]) -> str:
    """Return IDs with their titles, as many as are worth reading."""
    shown = ", ".join(f"{name} ({_cut(titles[name])})" for name in names[:_NAMED])
    return f"{shown} and {len(names) - _NAMED:,} more" if len(names) > _NAMED else shown


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…"


def _fold(text: str) -> str:
    """Return a title's words in small letters, with one space between them."""
    plain: str = _NOT_WORDS.sub(" ", text.casefold().replace("'", "").replace("’", ""))
    return plain.strip()
