"""The line in a bundle that says which chat it was made for, where that is kept apart."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.apart_kits import APART, parse_apart
from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms

if TYPE_CHECKING:
    from reel_cli.core.pack.draft import BundleDraft

RING = "apart"


class ApartPart(BundlePart):
    """The line on the chat, by which a recording of it is known; a refresh does without."""

    rings = (RING,)
    need = "the line on the chat"
    chat = ""

    def gather(self) -> bool:
        """Read the chat's name."""
        text = self.source.snapshot.text(APART) if self.source is not None else None
        try:
            self.chat = parse_apart(text).chat if text is not None else ""
        except ReelError:
            # the doctor names the file
            return False
        return bool(self.chat)

    def open(self, made: "BundleDraft", terms: Terms) -> "LoadedPart | None":
        """Return the line in one loading; None in a refresh."""
        return _LoadedLine(self, made, terms) if terms.since is None else None


class _LoadedLine(LoadedPart):
    """The line in one bundle."""

    def __init__(self, part: ApartPart, made: "BundleDraft", terms: Terms) -> None:
        """Write the line."""
        super().__init__(part, made, terms)
        text = words.APART_TEXT.format(name=part.chat)
        self._line = terms.writer.unit(
            RING, part.chat, f"{terms.writer.style.section(words.APART)}{text}\n\n"
        )

    @property
    def least(self) -> int:
        """Return its tokens: it must be there."""
        return sum(unit.tokens for unit in self._line)

    def fill(self, rest: int) -> None:  # noqa: ARG002 (it needs no more than its least)
        """Load it."""
        self.units = self._line
        self.account(RING, self.least)
