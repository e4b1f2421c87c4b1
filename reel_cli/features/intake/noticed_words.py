"""Detection of things worth keeping in what is recorded (Memory Keep §II.3.1)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.tape_view import speaker
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.intake.detection import last_words, notice, says_what_before
from reel_cli.features.intake.entry import MODEL, REEL, Candidate, Queue, day_order
from reel_cli.features.intake.reply import read_remember_lines
from reel_cli.features.intake.signs import REMEMBER

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.settings import Settings
    from reel_cli.core.values.talk import Session


class QueueChange(NamedTuple):
    """The queue's part of a recording: the change with it, and the problem if it could not be read."""

    change: Change
    problem: str = ""


def listen(
    snapshot: "Snapshot",
    change: Change,
    session: str,
    said: Iterable[tuple[int, Message]],
    *,
    stands: Collection[int] | None = None,
) -> QueueChange:
    """Return a recording's change with those of its new turns that wait; each has its number.

    `stands` are the numbers that still stand in a chat that was edited, None where it was not: what waits
    of another is let go. Recording never fails for it: where the queue cannot be read, that is said and the
    chat is recorded.
    """
    settings = snapshot.settings
    found = []
    if settings.intake_most:
        found = list(notice_all(settings, session, said))
    if not found and stands is None:
        return QueueChange(change)
    from reel_cli.features.intake.files import INTAKE
    from reel_cli.features.intake.queue import put_in_queue

    if not found and snapshot.read(INTAKE) is None:
        return QueueChange(change)
    from reel_cli.features.intake.known_candidates import list_known

    known = list_known(snapshot, found)
    found = [one for one in found if one.by != REEL or one.key not in known]
    if not found and stands is None:
        return QueueChange(change)
    try:
        return QueueChange(
            put_in_queue(snapshot, change, found, lambda one: _is_unsaid(one, session, stands))
        )
    except ReelError as error:
        told = f"The chat is recorded; what may be worth keeping of it was not noted: {error.message}"
        return QueueChange(change, told)


def find_own(snapshot: "Snapshot", session: "Session", queue: Queue) -> Sequence[Candidate]:
    """Return what is noticed in a chat, as far as no page looks back on it, and had no room in the queue."""
    from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint

    settings = snapshot.settings
    if not (settings.intake_most and day_order(session.id) <= day_order(queue.overflow)):
        return ()
    pages = [one for one in snapshot.checkpoints if session_of_checkpoint(one) == session.id]
    told = [read_checkpoint(snapshot.text(one) or "", one).get("messages", "") for one in pages]
    if not all(one.isdigit() for one in told):
        return ()
    known = {one.key for one in (*queue.waiting, *(one.candidate for one in queue.decided))}
    said = session.shown()[max(map(int, told), default=0) :]
    turns = ((one.number, one.message) for one in said if one.number is not None)
    return [one for one in notice_all(settings, session.id, turns) if one.key not in known]


def notice_all(
    settings: "Settings", session: str, said: Iterable[tuple[int, Message]]
) -> Iterator[Candidate]:
    """Yield what may be worth keeping; a turn that only asks for it stands for the words before it."""
    before: Entry | None = None
    waits: set[str] = set()
    for number, message in said:
        found: Iterable[Candidate] = _notice(settings, session, number, message)
        if message.role == "user":
            if before is not None and says_what_before(message.text):
                one = _candidate_of(settings, session, before)
                found = () if one.source in waits else (one,)
            elif message.text.strip():
                before = Entry(number, message)
        for one in found:
            waits.add(one.source)
            yield one


def _candidate_of(settings: "Settings", session: str, entry: Entry) -> Candidate:
    """Return the end of a turn as what somebody asked to be remembered."""
    who = speaker(entry, user=settings.user, persona=settings.name)
    when = entry.message.time or session[:10]
    return Candidate(f"{session}#{entry.number}", last_words(entry.message.text), who, when, REMEMBER, REEL)


def _notice(settings: "Settings", session: str, number: int, message: Message) -> Iterable[Candidate]:
    own = message.role != "user"
    noticed = notice(message.text, own=own)
    lines = read_remember_lines(message.text, settings.intake_label) if own else ()
    if not (noticed or lines):
        return ()
    who = speaker(Entry(number, message), user=settings.user, persona=settings.name)
    source, when = f"{session}#{number}", message.time or session[:10]
    told = " ".join(line.words for line in lines)
    found = [
        Candidate(source, line.words, who, when, line.why or "noted while talking", MODEL, line.where)
        for line in lines
    ]
    return [
        *found,
        *(Candidate(source, one.words, who, when, one.why, REEL) for one in noticed if one.words not in told),
    ]


def _is_unsaid(one: Candidate, session: str, stands: Collection[int] | None) -> bool:
    """Return whether something was said in a message that an edit of the chat removed."""
    place = one.place
    return stands is not None and place is not None and place.session == session and place.first not in stands
