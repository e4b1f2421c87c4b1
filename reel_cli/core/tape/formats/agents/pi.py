"""Pi's sessions: `<time>_<id>.jsonl`, a tree of entries, each with the one it follows."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SUMMARIES = frozenset({"compaction", "branch_summary"})
_SUMMARY_ROLES = frozenset({"branchSummary", "compactionSummary", "custom", "hookMessage", "system"})
_QUIET = frozenset({
    "session", "model_change", "thinking_level_change", "session_info", "label", "custom", "leaf",
})  # fmt: skip
"""Entries that say nothing."""
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    found = [as_fields(value) for value in source.first]
    headed = any(f.get("type") == "session" and "cwd" in f and as_text(f.get("id")) for f in found[:3])
    return _SURE if headed else 0


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    header: dict[str, object] = {}
    parents: dict[str, str | None] = {}
    entries: dict[str, dict[str, object]] = {}
    before: str | None = None
    for number, fields in source.records(notes):
        if fields.get("type") == "session":
            header = header or fields
            continue
        name = as_text(fields.get("id")) or f"#{number}"
        # no entry takes the place of another, whatever its ID
        name = name if name not in entries else f"{name}#{number}"
        parent = fields.get("parentId", before)
        parents[name] = parent if isinstance(parent, str) else None
        entries[name] = fields
        before = name
    if not entries:
        message = f"{source.name} holds no entry of a session of Pi."
        raise ReelError(message, hint="Pi keeps its sessions as ~/.pi/agent/sessions/*/*.jsonl")
    messages = lay_out(parents, before, lambda name: list(_read_entry(entries[name], source, notes)))
    named = [as_text(f.get("name")) for f in entries.values() if f.get("type") == "session_info"]
    own = as_text(header.get("id"))
    return [
        Conversation(
            format="pi",
            messages=tuple(messages),
            key=f"pi:{own}" if own else None,
            title=named[-1] if named else None,
            started=read_time(header.get("timestamp"), source.zone, notes),
            model=next((m.model for m in reversed(messages) if m.model), None),
            problems=notes.lines(),
        )
    ]


def _read_entry(fields: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    kind = as_text(fields.get("type")) or ""
    time = read_time(fields.get("timestamp"), source.zone, notes)
    if kind == "message":
        yield from _read_message(as_fields(fields.get("message")), time, notes)
    elif kind in _SUMMARIES and as_text(fields.get("summary")):
        yield Message("system", str(fields["summary"]), Kind.SYSTEM, time=time)
    elif kind == "custom_message":
        text = read_content(fields.get("content"), notes).text("\n\n")
        if text.strip():
            yield Message("system", text, Kind.SYSTEM, time=time)
    elif kind not in _QUIET | _SUMMARIES:
        notes.add("an entry of a kind reel does not know was left out", one_line(kind, 40))


def _read_message(fields: dict[str, object], time: str | None, notes: Notes) -> Iterator[Message]:
    role = as_text(fields.get("role")) or ""
    if role == "bashExecution":
        kept = {key: fields[key] for key in ("command", "output") if fields.get(key)}
        yield Message("tool", compact(kept), Kind.TOOL, time=time)
        return
    content = read_content(fields.get("content"), notes)
    text = content.text("\n\n") or as_text(fields.get("summary")) or ""
    if role == "toolResult":
        told = {"name": fields.get("toolName"), "result": compact(text)}
        yield Message("tool", compact(told), Kind.TOOL, time=time)
        return
    if role not in {"user", "assistant"}:
        if role not in _SUMMARY_ROLES:
            notes.add("a role reel does not know was kept beside what was said", f"“{one_line(role, 40)}”")
        role = "system"
    model = as_text(fields.get("model")) if role == "assistant" else None
    if text.strip():
        yield Message(role, text, Kind.SYSTEM if role == "system" else Kind.SAID, time=time, model=model)
    yield from content.beside(role, time=time, model=model)
    broken = as_text(fields.get("errorMessage"))
    if broken:
        notes.add("an answer ended in an error", one_line(broken, 80))


READER = Reader("pi", _sniff, _read)
