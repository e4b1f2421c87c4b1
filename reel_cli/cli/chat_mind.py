"""What comes to mind in a chat: told in a line, before the model for one answer, then let go."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.cli.remembering import note_recalls, open_recollection
from reel_cli.exchange.looking_up import CAME_BACK, NOTHING
from reel_cli.flows.comes_to_mind import come_to_mind, look_up
from reel_cli.flows.moments import render_block
from reel_cli.model.change import one_line
from reel_cli.tokens import get_tokenizer

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.recall import Recalled, Recollection
    from reel_cli.model.memory import IndexLine

SHOWN = 60
"""So much of a moment is shown as it comes to mind, in characters."""


class Mind:
    """The past of one kit, while a chat goes on; all that is told takes at most `room` tokens."""

    def __init__(self, opened: "OpenKit") -> None:
        """Ask the past of the kit that was opened."""
        self.named: list[IndexLine] = []
        """Lines of the index whose phrase came up since the person last spoke."""
        self.session = ""
        """The one that goes on, which the model sees in any case."""
        self._opened, self._console = opened, opened.console
        settings = opened.snapshot.settings
        self._name, self._count = settings.name, get_tokenizer(settings.tokenizer).count
        self._asked_for: list[str] = []
        """What the person looked for since the last answer."""
        self._troubles: set[str] = set()

    def recollect(self, text: str, room: int) -> str:
        """What comes to mind over a turn, as it stands before the model; "" for nothing."""
        blocks, self._asked_for = self._asked_for, []
        named, self.named = self.named, []
        room -= self._count(render_block_of(blocks)) if blocks else 0
        with open_recollection(self._opened) as recollection:
            found = come_to_mind(
                recollection, text, named, tokens=room, count=self._count, before=self.session
            )
            self._note(recollection, found)
        for one in found:
            self._tell(one)
        blocks += [render_block(one.moments) for one in found]
        return render_block_of(blocks) if blocks else ""

    def ask_for(self, query: str, room: int) -> None:
        """Look for a moment at the person's wish, show it, and have it at hand for the next answer."""
        found = self._look_up(query, room)
        if not found.moments:
            self._console.say("Nothing certain enough.")
            return
        block = render_block(found.moments)
        for line in block.split("\n"):
            self._console.say(f"  {line}")
        if block not in self._asked_for:
            self._asked_for = [block]
        self._console.say(f"{self._name} has it at hand for the next answer, and no longer.")

    def look_up(self, query: str, room: int) -> str:
        """What the model is told about a moment it asked for."""
        found = self._look_up(query, room)
        if not found.moments:
            self._console.say(
                f"  ({self._name} looked for “{one_line(query, SHOWN)}”; nothing certain enough)"
            )
            return NOTHING
        self._tell(found)
        return render_block_of([render_block(found.moments)])

    def _look_up(self, query: str, room: int) -> "Recalled":
        with open_recollection(self._opened) as recollection:
            found = look_up(recollection, query, tokens=room, before=self.session)
            self._note(recollection, [found])
        return found

    def _note(self, recollection: "Recollection", found: "Sequence[Recalled]") -> None:
        """Note in the ledger what was recalled, and say once what was wrong on the way."""
        for what in recollection.told:
            if what not in self._troubles:
                self._troubles.add(what)
                self._console.say(what)
        note_recalls(self._opened, recollection, found)

    def _tell(self, found: "Recalled") -> None:
        for moment in found.moments:
            words = next((turn.text for turn in moment.turns if turn.number == moment.message), moment.words)
            when = f"{moment.heading}: " if moment.heading else ""
            self._console.say(f"  (comes to mind: {when}“{one_line(words, SHOWN)}”)")


def render_block_of(blocks: Sequence[str]) -> str:
    """Blocks of moments as they stand before the model, for one answer."""
    return "\n\n".join((CAME_BACK, *blocks))
