"""Recording leaves out what was purged, as far as the tape knows it again."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.erasure.record import EVENTS_NAME, PurgeRecord, parse_purges
from reel_cli.core.tape.erasure.tombstones import find_tombstones
from reel_cli.core.tape.erasure.withheld import TombstonedSession, withhold
from reel_cli.core.tape.session_file import read_front
from reel_cli.core.tape.tape_view import read_events, read_session
from reel_cli.core.values.talk import Conversation, session_path


def withhold_purged(snapshot: Snapshot, conversation: Conversation) -> tuple[Conversation, int]:
    """Return the conversation without what this kit purged, and how many messages held it."""
    records = parse_purges(read_events(snapshot))
    if not records:
        return conversation, 0
    prints = [one for record in records for one in record.prints]
    return withhold(conversation, _buried(snapshot, conversation, records), prints)


def _buried(
    snapshot: Snapshot, conversation: Conversation, records: Sequence[PurgeRecord]
) -> list[TombstonedSession]:
    """Return the sessions with tombstones that this conversation could be."""
    found = []
    for name in dict.fromkeys(name for record in records for name in record.places if name != EVENTS_NAME):
        path = session_path(name)
        data = snapshot.read(path)
        if data is None:
            continue
        try:
            key = read_front(data, path).key
            if key is not None and conversation.key is not None and key != conversation.key:
                continue
            stones = find_tombstones(data, path)
            session = read_session(snapshot, name)
        except ReelError:
            continue
        events = (e for e in read_events(snapshot) if e.session == name and e.kind == "title")
        title = next((event.text for event in reversed(list(events))), session.title)
        found.append(TombstonedSession(session, {stone.place: stone.gone for stone in stones}, title))
    return found
