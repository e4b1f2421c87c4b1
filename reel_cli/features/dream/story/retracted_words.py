"""Words and days of chats that were taken back, to tell apart the lines that name no chat."""

from collections.abc import Collection, Iterable
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.last_turns import day_said
from reel_cli.core.tape.tape_view import read_session, retracted, standing_sessions
from reel_cli.features.dream.waking.excerpts import list_stems


class RetractedWords:
    """The chats of a kit that were taken back, beside those that count; each is read when it is asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Ask `snapshot` which were taken back."""
        self.gone = retracted(snapshot).intersection(snapshot.sessions)
        self._snapshot = snapshot
        self._days: dict[str, Collection[str]] = {}
        self._stems: dict[str, Collection[str]] = {}

    def are_of(self, text: str, day: str) -> bool:
        """Return whether a line of that day (ISO 8601, "" or a word for unknown) is of them alone.

        Where chats that count were had on that day as well, or it is not known, words decide: it is theirs if
        one of them has more of its words than any chat that counts.
        """
        if not self.gone:
            return False
        dated = day[:4].isdigit()
        theirs = [one for one in sorted(self.gone) if not dated or day in self._days_of(one)]
        if not theirs:
            return False
        others = [one for one in self._standing if not dated or self._may_be_of(one, day)]
        return not others or self.hold_more(text, theirs, others)

    def hold_more(self, text: str, theirs: Iterable[str], others: Iterable[str]) -> bool:
        """Return whether one of these chats has more of a text's words than any of the others."""
        words = frozenset(list_stems(text))
        most, beside = (
            max((len(words.intersection(self._stems_of(one))) for one in chats), default=0)
            for chats in (theirs, others)
        )
        return most > beside

    @cached_property
    def _standing(self) -> Collection[str]:
        return standing_sessions(self._snapshot)

    def _may_be_of(self, session: str, day: str) -> bool:
        # one that goes on after midnight began the day before, or some days
        return session[:10] == day or (session[:10] < day and day in self._days_of(session))

    def _days_of(self, session: str) -> Collection[str]:
        if session not in self._days:
            self._read(session)
        return self._days[session]

    def _stems_of(self, session: str) -> Collection[str]:
        if session not in self._stems:
            self._read(session)
        return self._stems[session]

    def _read(self, session: str) -> None:
        try:
            said = [entry.message for entry in read_session(self._snapshot, session).shown()]
        except ReelError:
            said = []
        self._days[session] = {session[:10], *(day_said(session, one.time or "") for one in said)}
        self._stems[session] = frozenset(stem for one in said for stem in list_stems(one.text))
