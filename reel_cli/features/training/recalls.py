"""Moments that came back in a chat, found again on the tape as the model saw them (REEL §6.4, §8.2)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, moment
from reel_cli.features.recall.moments import render_block
from reel_cli.features.recall.recall_answer import RecallRequest
from reel_cli.features.recall.recall_query import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.features.recall.recall import Recollection

MOST = 2
"""Number of moments that come back for one answer."""


class ChatRecalls:
    """The recalls of which the ledger tells, and the tape to find their moments again.

    What came back in a chat was there for one answer and stands in no session; the ledger has when.
    """

    def __init__(self, snapshot: Snapshot, recollection: "Recollection", pending: Iterable[str] = ()) -> None:
        """Read the ledger; `pending` are its lines that no commit holds yet."""
        lines = [
            line
            for path in snapshot.list("journal")
            if path.endswith(".jsonl")
            for line in (snapshot.text(path) or "").splitlines()
        ]
        entries = (parse_entry(line) for line in (*lines, *pending))
        times = (moment(one.at) for one in entries if one is not None and one.do == "recall")
        self._times = sorted(time for time in times if time > NEVER)
        self._recollection = recollection

    def find(self, text: str, session: str, asked: str, answered: str) -> tuple[str, tuple[str, ...]]:
        """Return what came back between a question and its answer, and the sessions it is from; or "", ().

        `text` is what was said, at `asked`, and answered at `answered` (ISO 8601).
        """
        first, last = moment(asked), moment(answered)
        if first <= NEVER or not self._any_between(first, last):
            return "", ()
        standing = session in self._recollection.standing
        scope = Scope(until=session) if standing else Scope()
        found = self._recollection.recall(text, RecallRequest(limit=MOST, scope=scope)).moments
        sessions = [one.session for one in found if one.session]
        return (render_block(found), tuple(dict.fromkeys(sessions))) if sessions else ("", ())

    def _any_between(self, first: "datetime", last: "datetime") -> bool:
        return any(first <= time <= max(first, last) for time in self._times)
