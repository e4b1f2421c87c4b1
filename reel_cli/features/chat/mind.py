"""Recall in a chat: announced in a line, shown to the model for one answer, then dropped."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line
from reel_cli.features.chat.chat_recall import come_to_mind, look_up
from reel_cli.features.chat.recall_request import ABOVE, NOTHING
from reel_cli.features.recall.moments import CAME_BACK, clip, render_block
from reel_cli.features.recall.open_recollection import note_recalls, open_recollection
from reel_cli.features.recall.recall_answer import RecallRequest
from reel_cli.features.recall.recall_query import Scope

if TYPE_CHECKING:
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.features.recall.moments import Moment
    from reel_cli.features.recall.recall import Recollection
    from reel_cli.features.recall.recall_answer import RecallAnswer
    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 60
"""Characters of a moment that are shown as it comes to mind."""


class Mind:
    """The past of one kit, while a chat goes on; all that is told takes at most `room` tokens."""

    def __init__(self, opened: "OpenKit") -> None:
        """Ask the past of the kit that was opened."""
        self.named: list[IndexLine] = []
        """Lines of the index whose phrase came up since the person last spoke."""
        self._session = ""
        self._unnoted: list[tuple[Recollection, Sequence[RecallAnswer], bool]] = []
        """The recalls from before the chat had a name on the tape."""
        self._opened, self._console = opened, opened.console
        settings = opened.snapshot.settings
        self._name, self._count = settings.name, get_tokenizer(settings.tokenizer).count
        self._asked_for: list[str] = []
        """Words the person looked for since the last answer."""
        self._asked_places: list[str] = []
        self.places: Sequence[str] = ()
        """Where on the tape the moments stand that are before the model for this answer."""
        self._troubles: set[str] = set()
        self._told: set[tuple[str | None, int | None]] = set()
        """The moments that came back for this answer."""

    @property
    def session(self) -> str:
        """Return the chat that goes on, which the model sees in any case; "" until it is on the tape."""
        return self._session

    @session.setter
    def session(self, name: str) -> None:
        self._session = name
        for recollection, found, asked in self._unnoted:
            note_recalls(self._opened, recollection, found, asked=asked, session=name)
        self._unnoted = []

    def recollect(self, text: str, room: int) -> str:
        """Return the recalled moments for a turn, as the model sees them; "" for none."""
        blocks, self._asked_for = self._asked_for, []
        places, self._asked_places = self._asked_places, []
        self._told.clear()
        named, self.named = self.named, []
        room -= self._count(render_block_of(blocks)) if blocks else 0
        with open_recollection(self._opened) as recollection:
            found = come_to_mind(
                recollection, text, named, tokens=room, count=self._count, before=self.session
            )
            self._note(recollection, found)
        for one in found:
            self._tell(one.moments)
            places += [moment.place for moment in one.moments]
        self.places = [*dict.fromkeys(filter(None, places))]
        blocks += [render_block(one.moments) for one in found]
        return render_block_of(blocks) if blocks else ""

    def ask_for(self, query: str, room: int) -> None:
        """Look for a moment at the person's wish, show it, and have it at hand for the next answer."""
        found = self._look_up(query, room)
        if not found.moments:
            self._console.say(self._in_sight(query) or "Nothing certain enough was found.")
            return
        block = render_block(found.moments)
        for line in block.split("\n"):
            self._console.say(f"  {line}")
        if block not in self._asked_for:
            self._asked_for = [block]
            self._asked_places = [moment.place for moment in found.moments]
        self._console.say(f"{self._name} can use it for the next answer only.")

    def look_up(self, query: str, room: int) -> str:
        """Return the text for the model about a moment it asked for."""
        found = self._look_up(query, room)
        fresh = [moment for moment in found.moments if (moment.session, moment.message) not in self._told]
        if not fresh:
            what = "that came back already" if found.moments else "nothing certain enough"
            self._console.say(f"  ({self._name} looked for “{one_line(query, SHOWN)}”; {what})")
            return ABOVE if found.moments else NOTHING
        self._tell(fresh)
        return render_block_of([render_block(fresh)])

    def withdraw(self) -> None:
        """Note that there was no room for the moments that came back, so that they may be asked for."""
        self._told.clear()

    def _in_sight(self, query: str) -> str:
        """Return the moment if it is one of this very chat, with a note on that; "" if it is not."""
        with open_recollection(self._opened) as recollection:
            if self.session not in recollection.standing:
                return ""
            wish = RecallRequest(limit=1, scope=Scope(session=self.session))
            found = recollection.recall(query, wish).moments
        return f"That was said in this chat: {_glimpse(found[0])}" if found else ""

    def _look_up(self, query: str, room: int) -> "RecallAnswer":
        with open_recollection(self._opened) as recollection:
            found = look_up(recollection, query, tokens=room, before=self.session)
            self._note(recollection, [found], asked=True)
        return found

    def _note(
        self, recollection: "Recollection", found: "Sequence[RecallAnswer]", *, asked: bool = False
    ) -> None:
        """Record the recall in the ledger, and report once what was wrong on the way."""
        for what in recollection.told:
            if what not in self._troubles:
                self._troubles.add(what)
                self._console.say(what)
        self._unnoted.append((recollection, found, asked))
        if self._session:
            self.session = self._session

    def _tell(self, moments: "Sequence[Moment]") -> None:
        for moment in moments:
            self._told.add((moment.session, moment.message))
            when = f"{moment.heading}: " if moment.heading else ""
            self._console.say(f"  (comes to mind: {when}{_glimpse(moment)})")


def _glimpse(moment: "Moment") -> str:
    """Return a few words of a moment, from where most of the query occurs."""
    words = next((turn.text for turn in moment.turns if turn.number == moment.message), moment.words)
    return f"“{one_line(clip(words, moment.hit.terms, SHOWN), SHOWN + 2)}”"


def render_block_of(blocks: Sequence[str]) -> str:
    """Return blocks of moments as the model sees them, for one answer."""
    return "\n\n".join((CAME_BACK, *blocks))
