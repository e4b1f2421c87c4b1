"""A fact as it may answer a question, and how well it does."""

from collections.abc import Sequence

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.search.query import words

OWN = "fact own/"
"""Beginning of the ID of a fact of the persona's own life."""
_FRAME = late(
    r"(?i)\s*\((?:said|you said|noted)\b[^()]*\)$|^[^:“]{1,60}\b(?:said|noted) on \d{1,2} \w+ \d{4}:\s*"
)
"""Pattern of the words of a statement that say by whom and when it was said."""
CONSTRAINTS = "fact constraints/"
RULES = (CONSTRAINTS, "fact preferences/")
"""Beginnings of the IDs of facts that say what may be done and what not."""
EXACT, HEAD, SUBJECT = 3, 2, 1
"""How a fact is of the thing that is asked about: by its whole name, its name's last word, its statement."""


@frozen
class FactLine:
    """A fact as it may answer: its ID, its name in lower case, and its statement."""

    id: str
    key: str
    line: str
    past: Sequence[tuple[str, str]] = ()
    """The values that it had before, newest first, each with the day until which it had it."""

    def words(self, *, past: bool = False) -> list[str]:
        """Return the words of its name and its statement; with `past` those of what it said before, too.

        Who said it and when is left out.
        """
        before = [word for text, _ in self.past for word in words(_FRAME.sub("", text))] if past else []
        return [*words(self.told()), *words(self.key), *before]

    def told(self) -> str:
        """Return its statement without its name before a colon, and without who said it when."""
        name, colon, rest = self.line.partition(": ")
        told = rest if colon and words(name) == words(self.key) else self.line
        return _FRAME.sub("", _FRAME.sub("", told))
