"""Claude Code's sessions: `<session id>.jsonl`, one record a line, each with the record it follows.

A record is a piece of a message, a tool's answer, or the program's own bookkeeping. What the person sees is
the chain from the last record back to the first; where a prompt was taken back and put anew, the chain that
was left is a road not taken.
"""

from collections.abc import Iterable, Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.agents.claudecode_tree import Chain, Record, find_chains, parse_record
from reel_cli.core.tape.formats.parts import as_fields, as_text
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

_TITLES = (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary"))
"""Records that name the session, the most reliable first."""
_SPEAKERS = frozenset({"user", "assistant"})
_MARKS = frozenset({"sessionId", "session_id", "parentUuid"})
_BOOKKEEPING = frozenset({"attachment", "progress", "queue-operation", "system", "permission-mode", "mode"})
_SURE, _LIKELY = 95, 75


def _sniff(source: Source) -> int:
    read = [as_fields(value) for value in source.first]
    speaking = (f for f in read if str(f.get("type")) in _SPEAKERS and isinstance(f.get("message"), dict))
    if any(not _MARKS.isdisjoint(fields) for fields in speaking):
        return _SURE
    # a long beginning of bookkeeping records only
    return _LIKELY if any("sessionId" in f and str(f.get("type")) in _BOOKKEEPING for f in read) else 0


def _read(source: Source) -> Iterator[Conversation]:
    """Yield a conversation for each session; a file has one, unless files were joined."""
    notes = Notes()
    records, titles = _records(source, notes)
    if not any(record.counts and not record.sidechain for record in records):
        if any(record.sidechain for record in records):
            message = f"{source.name} holds only what a helper of a Claude Code session said to itself."
            raise ReelError(message, hint="record the session's own file, which stands beside it")
        message = f"{source.name} holds no message of a Claude Code session."
        raise ReelError(message, hint="Claude Code keeps its sessions as ~/.claude/projects/*/*.jsonl")
    for record in records:
        if record.sidechain:
            notes.add("a line of what a helper of the session said to itself was left out")
    for chain in find_chains([record for record in records if not record.sidechain], source.stem):
        yield _conversation(chain, titles, source, notes)
        notes = Notes()


def _records(source: Source, notes: Notes) -> tuple[list[Record], list[dict[str, object]]]:
    records: list[Record] = []
    titles: list[dict[str, object]] = []
    naming = {kind for kind, _ in _TITLES}
    for number, line in source.lines():
        try:
            fields = as_fields(source.parse_json(line))
        except (ValueError, RecursionError):
            notes.add("a line that is not JSON was left out", f"line {number}")
            continue
        if as_text(fields.get("type")) in naming:
            titles.append(fields)
            continue
        record = parse_record(fields, len(records), notes)
        if record is not None:
            records.append(record)
    return records, titles


def _conversation(
    chain: Chain, titles: Iterable[dict[str, object]], source: Source, notes: Notes
) -> Conversation:
    messages: list[Message] = []
    for said in chain.said:
        messages += said.messages(Kind.SAID, None, source, notes)
        for road, versions in said.roads:
            for version in versions:
                messages += version.messages(Kind.VERSION, road, source, notes)
    stamps = (record.stamp for record in chain.records if record.stamp is not None)
    return Conversation(
        format="claude-code",
        messages=tuple(messages),
        key=f"claude-code:{chain.session}" if chain.session else None,
        title=_title(chain, titles),
        started=read_time(next(stamps, None), source.zone, notes),
        model=next((m.model for m in messages if m.model), None),
        problems=notes.lines(),
    )


def _title(chain: Chain, titles: Iterable[dict[str, object]]) -> str | None:
    """Return the session's name; a summary counts only if it is about a record of this chain.

    A file may begin with summaries of other sessions.
    """
    held = {record.id for record in chain.records}
    found: dict[str, str] = {}
    for fields in titles:
        for kind, key in _TITLES:
            text = as_text(fields.get(key)) if fields.get("type") == kind else None
            leaf, session = fields.get("leafUuid"), as_text(fields.get("sessionId"))
            ours = (not isinstance(leaf, str) or leaf in held) and session in {None, *chain.sessions}
            if text and ours:
                found[kind] = text
    return next((found[kind] for kind, _ in _TITLES if kind in found), None)


READER = Reader("claude-code", _sniff, _read)
