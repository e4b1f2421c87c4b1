"""A word that `reel help` explains, as a row of its tables."""

from collections.abc import Sequence
from typing import NamedTuple


class Topic(NamedTuple):
    """A word with its meaning; `also` are other words for it.

    `more` is what one has to know to use it, and `commands` are those that have to do with it, each with
    what it does.
    """

    term: str
    meaning: str
    more: str = ""
    commands: Sequence[tuple[str, str]] = ()
    also: Sequence[str] = ()
