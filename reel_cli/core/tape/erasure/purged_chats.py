"""Chats that were purged whole: they do not count, like those taken back, but nothing brings them back."""

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.tape_view import read_events, read_session, retracted
from reel_cli.core.values.talk import PURGED


def has_purges(snapshot: Snapshot) -> bool:
    """Return whether anything may have been purged: no kit without the word has a record of it."""
    return b"purge" in (snapshot.read(EVENTS) or b"")


def list_purged_chats(snapshot: Snapshot) -> frozenset[str]:
    """Return the chats of which a purge left no word; one that cannot be read is none."""
    if not has_purges(snapshot):
        return frozenset()
    from reel_cli.core.tape.erasure.record import parse_purges

    touched = {name for record in parse_purges(read_events(snapshot)) for name in record.places}
    return frozenset(name for name in touched & retracted(snapshot) if _is_purged(snapshot, name))


def find_purge_retractions(snapshot: Snapshot) -> frozenset[int]:
    """Return the numbers of the events by which a purge, and no person, took a chat back.

    Such a one stands behind its purge, which left no word of the chat; times alone may be equal by chance.
    """
    if not has_purges(snapshot):
        return frozenset()
    from reel_cli.core.tape.erasure.record import parse_purges

    gone, found = list_purged_chats(snapshot), set[int]()
    purged = set[tuple[str, str]]()
    for one in read_events(snapshot):
        purged.update((name, one.at) for record in parse_purges([one]) for name in record.places)
        if one.kind == "retract" and one.session in gone and (one.session, one.at) in purged:
            found.add(one.number)
    return frozenset(found)


def _is_purged(snapshot: Snapshot, session: str) -> bool:
    try:
        shown = read_session(snapshot, session).shown()
    except ReelError:
        return False
    return all(entry.message.text.strip() in ("", PURGED) for entry in shown)
