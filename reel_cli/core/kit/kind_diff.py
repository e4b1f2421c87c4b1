"""The difference between two moments in the files of one kind, for a person and as JSON."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar

from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.kit.past import BlobGlance
from reel_cli.core.values.change import one_line

T = TypeVar("T")

SHOWN = 12
"""Maximum number of a kind reported one by one; more are counted, and are in the JSON."""
LONGEST = 200
"""Characters shown of a passage before and after."""


class KindDiff(NamedTuple):
    """Differences in the files of one kind: its key and value in the JSON, its section on screen."""

    key: str
    value: object
    heading: str
    lines: Sequence[str]


def compare_kinds(start: BlobGlance, end: BlobGlance, changed: Collection[str]) -> dict[str, KindDiff]:
    """Return what is different in the files of features, by key; `changed` are the paths that differ."""
    compare = dict.fromkeys(kind.diff for kind in find_kinds(start, end) if kind.diff is not None)
    return {found.key: found for one in compare for found in [one(start, end, changed)]}


def tell_few(items: Sequence[T], tell: Callable[[T], str]) -> list[str]:
    """Return each thing in words, or the first of many and how many more there are."""
    if len(items) <= SHOWN + 1:
        return [tell(one) for one in items]
    return [*(tell(one) for one in items[:SHOWN]), f"and {len(items) - SHOWN:,} more (--json has them all)"]


def tell_passage(name: str, before: str, after: str) -> Iterator[str]:
    """Yield a passage before and after, a line each."""
    yield f"{name}, before: {one_line(before, LONGEST) or 'nothing'}"
    yield f"{name}, after: {one_line(after, LONGEST) or 'nothing'}"


def tell_many(number: int, one: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
