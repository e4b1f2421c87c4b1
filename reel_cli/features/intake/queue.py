"""The intake: what waits to be decided, and what was decided (Memory Keep §II.3.1)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.tape_view import read_session, retracted
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.talk import PURGED
from reel_cli.features.intake.entry import (
    DOMAIN,
    EXPERIENCE,
    FACTS,
    FIRM,
    NOWHERE,
    REEL,
    WORKING,
    Candidate,
    DecidedCandidate,
    Decision,
    Queue,
    day_order,
    without_too_many,
)
from reel_cli.features.intake.files import INTAKE, edit_intake, parse_intake, with_overflow

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.talk import SourceRange

TOLD = 12
"""Maximum number of kept items listed when a conversation is summed up."""
PLACED = {
    FACTS: "known by heart",
    EXPERIENCE: "to be found again",
    DOMAIN: "in a table",
    WORKING: "kept in mind",
    NOWHERE: "not kept",
}
"""Descriptions of each place that something may go to."""
TRAILER, LET_GO = "Reel-Intake", "Reel-Intake-Let-Go"
"""A decision, `nowhere 2026-02-10-1#3`; how many old decisions left the file."""
UNSAID = "it stands no longer in the chat"
"""Reason for dropping an item that was edited out of the chat."""


def read_queue(snapshot: "Snapshot") -> Queue:
    """Return all that waits and was decided; raises ReelError if the file cannot be read."""
    text = snapshot.text(INTAKE)
    return parse_intake(text) if text is not None else Queue()


def put_in_queue(
    snapshot: "Snapshot",
    change: Change,
    found: Sequence[Candidate],
    is_unsaid: Callable[[Candidate], bool] = lambda _one: False,
) -> Change:
    """Return the change with these in the queue; unchanged if all are known already.

    What waits and `is_unsaid` is let go of. What there is no room for leaves the queue undecided where a page
    of its chat notices it again (`find_own`); what somebody noted is let go of. Raises ReelError where the
    queue cannot be read.
    """
    from reel_cli.features.intake.detection import weight_of

    text = snapshot.text(INTAKE) or ""
    queue = parse_intake(text)
    most = snapshot.settings.intake_most
    known = {one.key for one in queue.waiting} | {one.candidate.key for one in queue.decided}
    fresh = list({one.key: one for one in found if one.key not in known}.values())
    unsaid = [one for one in queue.waiting if is_unsaid(one)]
    if not fresh and not unsaid:
        return change
    weighed = [
        (one, FIRM if one.by != REEL else weight_of(one.why) or FIRM)
        for one in (*queue.waiting, *fresh)
        if one not in unsaid
    ]
    out = without_too_many(weighed, most) if fresh else ()
    pushed = [one for one in out if one.by != REEL]
    gone = {one.key for one in out}
    let_go = {one.key for one in pushed}
    decision = Decision(NOWHERE, f"no room: {most:,} others came before it", REEL)
    settled = {at: decision for at, one in enumerate(queue.waiting) if one.key in let_go}
    settled |= {at: Decision(NOWHERE, UNSAID, REEL) for at, one in enumerate(queue.waiting) if one in unsaid}
    edited = edit_intake(
        text,
        settled,
        [one for one in fresh if one.key not in gone],
        [DecidedCandidate(one, decision) for one in fresh if one.key in let_go],
        snapshot.settings.intake_keep,
        [at for at, one in enumerate(queue.waiting) if one.key in gone - let_go],
    )
    full = max([queue.overflow, *(one.place.session for one in out if one.place)], key=day_order)
    if full != queue.overflow:
        edited = replace(edited, text=with_overflow(edited.text, full))
    if edited.text == text:
        return change
    trailers = [(TRAILER, f"{NOWHERE} {one.source}") for one in (*unsaid, *pushed)]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    return change.also({INTAKE: edited.text.encode()}, *trailers)


def count_waiting(snapshot: "Snapshot") -> int | None:
    """Return how many things wait that a page will ask about; None if the file cannot be read.

    What is known by heart already is not asked.
    """
    from reel_cli.features.intake.known_candidates import list_known

    if snapshot.read(INTAKE) is None or not snapshot.settings.intake_asked:
        return 0

    def count(_path: str) -> int | None:
        try:
            return len(read_queue(snapshot).waiting)
        except ReelError:
            return None

    # the file alone does not tell which chats still count
    noted: int | None = snapshot.note("intake", [INTAKE], count)[INTAKE]
    if not noted:
        return noted
    waiting = waiting_to_ask(snapshot, read_queue(snapshot))
    return len(waiting) - len(list_known(snapshot, waiting))


def kept_of(snapshot: "Snapshot", sessions: Collection[str]) -> Sequence[str]:
    """Return what was kept from some sessions, the last `TOLD` of it in its own words."""
    try:
        decided = read_queue(snapshot).decided
    except ReelError:
        return ()
    told = [
        one.candidate.words
        for one in decided
        if one.decision.where not in ("", NOWHERE)
        and (place := one.candidate.place) is not None
        and place.session in sessions
    ]
    return told[-TOLD:]


def told_of(snapshot: "Snapshot", session: str, first: int, last: int) -> Sequence[str]:
    """Return what was noticed in some messages of a session, and what became of it, in sentences."""

    def meets(one: Candidate) -> bool:
        here = one.place is not None and one.place.session == session and first <= one.place.first <= last
        # of what was erased there is nothing to tell
        return here and one.words != PURGED

    try:
        queue = read_queue(snapshot)
    except ReelError:
        return ()
    decided = [one for one in queue.decided if meets(one.candidate)][-TOLD:]
    told = [
        f"“{one_line(one.candidate.words, 80)}” is {PLACED.get(one.decision.where, 'decided')}:"
        f" {one_line(one.decision.why, 120).rstrip('.')}."
        for one in decided
    ]
    waits = [one for one in waiting_to_ask(snapshot, queue) if meets(one)][-TOLD:]
    return [*told, *(f"“{one_line(one.words, 80)}” waits to be decided: {one.why}." for one in waits)]


def let_go(snapshot: "Snapshot", change: Change, gone: Mapping[str, Sequence["SourceRange"]]) -> Change:
    """Return the change with what waits of some stretches not kept: a person forgets the memory of them.

    `gone` are the stretches by the memory's ID. The change stays as it is if the queue cannot be read.
    """
    text = snapshot.text(INTAKE)
    if text is None:
        return change
    try:
        waiting = parse_intake(text).waiting
        settled = {
            at: Decision(NOWHERE, f"forgotten with {name}", REEL)
            for name, spans in gone.items()
            for at, one in enumerate(waiting)
            if one.place and any(_is_within(one.place, span) for span in spans)
        }
        if not settled:
            return change
        edited = edit_intake(text, settled, [], [], snapshot.settings.intake_keep)
    except ReelError:
        return change
    trailers = [(TRAILER, f"{NOWHERE} {waiting[at].source}") for at in sorted(settled)]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    return change.also({INTAKE: edited.text.encode()}, *trailers)


def _is_within(place: "SourceRange", span: "SourceRange") -> bool:
    return place.session == span.session and (not span.last or span.first <= place.first <= span.last)


def waiting_to_ask(snapshot: "Snapshot", queue: Queue) -> Sequence[Candidate]:
    """Return what waits, is on the tape as shown, in sessions that count, and was seen by no page.

    The writer of a page read the chat and chose: what it passed over is not offered again, but for what the
    persona or a person noted.
    """
    passed = passed_over(snapshot, queue)
    return [one for one in list_standing(snapshot, queue) if one not in passed]


def passed_over(snapshot: "Snapshot", queue: Queue) -> Sequence[Candidate]:
    """Return what reel noticed and a page that looks back on it left."""
    if all(one.by != REEL for one in queue.waiting):
        return ()
    seen = _read_seen(snapshot)
    return [
        one
        for one in queue.waiting
        if one.by == REEL and one.place and one.place.first <= seen.get(one.place.session, 0)
    ]


def list_standing(snapshot: "Snapshot", queue: Queue) -> Sequence[Candidate]:
    """Return what waits and is on the tape as shown, in sessions that count."""
    gone = retracted(snapshot)
    there = frozenset(snapshot.sessions)
    named = {one.place.session for one in queue.waiting if one.place} & there - gone
    # what stood beside purged words tells of them
    shown = {
        name: {
            entry.number for entry in read_session(snapshot, name).shown() if PURGED not in entry.message.text
        }
        for name in named
    }
    return [one for one in queue.waiting if one.place and one.place.first in shown.get(one.place.session, ())]


def _read_seen(snapshot: "Snapshot") -> Mapping[str, int]:
    """Return up to which message of its chat each session's pages look back; 0 of none."""
    from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint

    seen: dict[str, int] = {}
    for path in snapshot.checkpoints:
        told = read_checkpoint(snapshot.text(path) or "", path).get("messages", "")
        session = session_of_checkpoint(path)
        seen[session] = max(seen.get(session, 0), int(told) if told.isdigit() else 0)
    return seen
