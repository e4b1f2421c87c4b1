"""Moments that came back in a chat, found again on the tape as the model saw them (REEL §6.4, §8.2)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, moment
from reel_cli.features.recall.moments import render_block
from reel_cli.features.recall.recall_answer import RecallAnswer, RecallRequest, clearest
from reel_cli.features.recall.recall_query import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.features.recall.recall import Recollection

_DAY = timedelta(days=1)
MOST = 2
"""Number of moments that come back for one answer."""


class CameBack(NamedTuple):
    """Moments that came back: their text, the sessions they are from, the query ("" if nobody wrote one)."""

    block: str = ""
    sessions: tuple[str, ...] = ()
    query: str = ""


class ChatRecalls:
    """The recalls of which the ledger tells, and the tape to find their moments again.

    What came back in a chat was there for one answer and stands in no session; the ledger has when, and the
    query where somebody wrote one.
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
        recalls = [(moment(one.at), one.query) for one in entries if one is not None and one.do == "recall"]
        self._recalls = sorted(recall for recall in recalls if recall[0] > NEVER)
        self._recollection = recollection

    def find(self, text: str, session: str, asked: str, answered: str) -> CameBack:
        """Return what came back between a question and its answer, by the query or by what was said.

        `text` is what was said, at `asked`, and answered at `answered` (ISO 8601).
        """
        queries = self._queries_between(moment(asked), moment(answered))
        if queries is None:
            return CameBack()
        wish = RecallRequest(limit=MOST, scope=self._before(session))
        for query in (*queries, ""):
            found = self._recollection.recall(query or text, wish).moments
            sessions = [one.session for one in found if one.session]
            if sessions:
                return CameBack(render_block(found), tuple(dict.fromkeys(sessions)), query)
        return CameBack()

    def find_pasted(self, text: str, session: str, asked: str) -> tuple[str, CameBack]:
        """Return a text without the recalled moments pasted into it, and those; the text whole for none.

        It was recalled within a day before it was pasted, at `asked` (ISO 8601). Nothing is left out of a
        text that holds nothing else.
        """
        end = moment(asked)
        queries = self._queries_between(end - _DAY, end) if end > NEVER + _DAY else None
        wish = RecallRequest(scope=self._before(session), resume=True, asker="user")
        for query in queries or ():
            found = self._recollection.recall(query, wish)
            for block in self._texts(found):
                rest = text.replace(block, "", 1).strip()
                if block and block in text and rest:
                    sessions = dict.fromkeys(one.session for one in found.moments if one.session)
                    return rest, CameBack(block, tuple(sessions), query)
        return text, CameBack()

    def _texts(self, found: RecallAnswer) -> Iterator[str]:
        """Yield the texts that a recall may be pasted as: all of it, and the part a person sees at once."""
        yield found.text
        few = self._recollection.only(found, *clearest(found))
        yield replace(few, known=found.known, standing=found.standing).text

    def _before(self, session: str) -> Scope:
        return Scope(until=session) if session in self._recollection.standing else Scope()

    def _queries_between(self, first: "datetime", last: "datetime") -> list[str] | None:
        """Return the queries of recalls between two times, the last first; None if nothing was recalled."""
        if first <= NEVER:
            return None
        found = [query for time, query in self._recalls if first <= time <= max(first, last)]
        return list(dict.fromkeys(query for query in reversed(found) if query)) if found else None
