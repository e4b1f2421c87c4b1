"""Places of index lines that name none: where their phrase was said, word for word (REEL §4.5)."""

from collections.abc import Iterable, Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import Tape, fold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.memory import IndexLine, is_brought
from reel_cli.core.values.source import SourceRange, session_path
from reel_cli.core.values.talk import PURGED

LEAST_WORDS = 2
"""Words of a phrase; a single one is said everywhere."""


def find_places(snapshot: Snapshot, lines: Iterable[IndexLine]) -> Mapping[str, SourceRange]:
    """Return the message in which the phrase of each line without a place was first said, by the line's ID.

    A session that cannot be read is passed over. No line with a place of its own is looked for, and none that
    was brought from elsewhere.
    """
    sought = {
        line.id: (line.anchor, fold(line.anchor))
        for line in lines
        if line.where is None and not is_brought(line.tags) and PURGED not in line.anchor
        if len(line.anchor.split()) >= LEAST_WORDS or (line.anchor and not line.anchor.isascii())
    }
    found: dict[str, SourceRange] = {}
    if not sought:
        return found
    gone = retracted(snapshot)
    for session in snapshot.sessions:
        if session in gone or len(found) == len(sought):
            continue
        data = snapshot.peek(session_path(session))
        text = fold(data.decode("utf-8", "replace"))
        here = [name for name, (_, plain) in sought.items() if name not in found and plain in text]
        if not here:
            continue
        try:
            tape = Tape(parse_session(data, session_path(session)).shown())
        except ReelError:
            continue
        for name in here:
            hit = tape.find(sought[name][0])
            if hit is not None:
                found[name] = SourceRange(session, hit.number, hit.number)
    return found
