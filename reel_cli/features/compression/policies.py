"""Compression policies: when a chat that goes on gets another page (SRIP-11 §V).

A page condenses what was said since the page before it. A section is a chat. A micro compression is a short
page and a macro compression a whole one. By words density follows the length of a text and drift is judged
as `features/threads/ribs.py` does, since the document's .25 is below what any two stretches lie apart;
`structural` goes by drift alone.
"""

from itertools import pairwise

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.due import Due
from reel_cli.core.values.settings import HYBRID, PER_CYCLE, STRUCTURAL
from reel_cli.core.values.talk import Session
from reel_cli.features.page.kept_pages import checkpoints_of, page_notes
from reel_cli.features.threads.ribs import MACRO, MICRO, cut_ribs
from reel_cli.features.threads.survey import list_names

SHORT_PAGE = "reel checkpoint --brief"


def find_page_due(snapshot: Snapshot, chat: str, fresh: int) -> Due | None:
    """Return the page that the kit's policy asks for after `fresh` messages; None where it asks for none."""
    policy = snapshot.settings.page_policy
    session = read_session(snapshot, chat)
    if policy == STRUCTURAL:
        return _find_moved_on(session, fresh, list_names(snapshot))
    cycles = _count_cycles(session, fresh)
    if policy not in (PER_CYCLE, HYBRID) or cycles < MICRO:
        return None
    why = _gone_on(chat, cycles)
    notes = page_notes(snapshot)
    seen = [notes[path].messages or 0 for path in checkpoints_of(snapshot, chat) if not notes[path].short]
    whole = len(session.shown()) - max(seen, default=0)
    micro = policy == HYBRID and _count_cycles(session, whole) < MACRO
    return Due("checkpoint", why, SHORT_PAGE if micro else "")


def find_moves(session: Session, names: frozenset[str]) -> list[int]:
    """Return the messages with which a chat turns to something else, or has gone on for `MACRO` exchanges."""
    return [rib.messages[0] for _, rib in pairwise(cut_ribs(session, STRUCTURAL, names))]


def _find_moved_on(session: Session, fresh: int, names: frozenset[str]) -> Due | None:
    numbers = [entry.number or 0 for entry in session.shown()][-fresh:]
    ribs = cut_ribs(session, STRUCTURAL, names)
    ended = [before.cycles for before, rib in pairwise(ribs) if numbers[0] < rib.messages[0]]
    if not ended:
        return None
    if all(last - first + 1 >= MACRO for first, last in ended):
        # cut for its length alone
        return Due("checkpoint", _gone_on(session.id, _count_cycles(session, fresh)))
    return Due("checkpoint", f"{session.id} has turned to something else since its page")


def _gone_on(chat: str, cycles: int) -> str:
    return f"{chat} has gone on for {cycles:,} exchanges since its page"


def _count_cycles(session: Session, fresh: int) -> int:
    shown = session.shown()
    return len(divide_into_cycles(entry.message.role for entry in shown[len(shown) - fresh :]))
