"""The recorded sessions, to look at."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.flows.tape_view import read_events, read_session, retracted, speaker
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.tape import Entry, Kind

_OTHER = {
    Kind.SYSTEM: "system prompt",
    Kind.REASONING: "hidden reasoning",
    Kind.VERSION: "an answer not chosen",
    Kind.TOOL: "tool",
    Kind.ATTACHMENT: "attachment",
    Kind.BUNDLE: "what reel packed",
    Kind.EXCHANGE: "reel's prompt, or the reply to it",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """One session in a list; `messages` counts what was said, as last shown."""

    id: str
    title: str
    source: str
    messages: int
    standing: bool


def list_recorded(snapshot: Snapshot) -> Sequence[Listed]:
    """Every session on the tape, oldest first, by its newest title."""
    titles = {e.session: e.text for e in read_events(snapshot) if e.kind == "title" and e.session}
    gone = retracted(snapshot)
    found = []
    for name in snapshot.sessions:
        session = read_session(snapshot, name)
        title = titles.get(name) or session.title or ""
        found.append(Listed(name, title, session.source, len(session.shown()), name not in gone))
    return found


def render_transcript(snapshot: Snapshot, name: str, *, numbers: bool, everything: bool) -> str:
    """A session as it was last seen, by speaker; with `everything`, also what was not said."""
    session = read_session(snapshot, name)
    settings = snapshot.settings

    def block(entry: Entry) -> str:
        if entry.number is None:
            what = _OTHER.get(entry.message.kind, entry.message.kind.value)
            return f"[{what}]\n{entry.message.text.strip()}\n"
        who = speaker(entry, user=settings.user, persona=settings.name)
        mark = f"{entry.number}  " if numbers else ""
        return f"{mark}{who}: {entry.message.text.strip()}\n"

    entries = session.entries if everything else session.shown()
    return "\n".join(block(entry) for entry in entries if entry.message.kind is not Kind.RETRACTION)
