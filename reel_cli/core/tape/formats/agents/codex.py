"""Codex's sessions: `rollout-<time>-<id>.jsonl`, a record a line, of what was sent and of what was shown.

Codex puts texts of its own into a person's turns (the surroundings, instructions). What a person typed stands
there again, as it was shown; only that is said. Turns that were rolled back are a road not taken.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_RECORDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS = frozenset({
    "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
    "local_shell_call", "web_search_call", "image_generation_call", "tool_search_call", "tool_search_output",
})  # fmt: skip
_OWN = late(
    r"# AGENTS\.md instructions|<permissions|<skill|<(?:environment_context|user_instructions|turn_aborted"
    r"|INSTRUCTIONS|user_shell_command|collaboration_mode|[a-z]+_notification)>"
)
"""Pattern of the beginnings of the texts that Codex puts into a person's turns."""
_REQUEST = "## My request for Codex:"
"""Heading below which an editor puts what was typed, under the files and pages that it adds."""
_IMAGE = late(r"</?image\b[^<>]*>")
_LONGEST_CALL = 1_000_000
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    found = [as_fields(value) for value in source.first]
    if any(as_text(f.get("type")) in _RECORDS and isinstance(f.get("payload"), dict) for f in found):
        return _SURE
    # as written before September 2025: the header without a type, then bare items
    header = found[0] if found else {}
    early = {"id", "timestamp", "instructions"} <= header.keys() and "role" not in header
    return _SURE if early or any("record_type" in f for f in found) else 0


@dataclass(slots=True)
class _Session:
    """The state of reading one session; a node of the tree is one message or call."""

    source: Source
    notes: Notes
    typed: Counter[str] = field(default_factory=Counter)
    """Texts that were shown as a person's, and not yet found among what was sent."""
    sent: set[str] = field(default_factory=set)
    shows: bool = False
    parents: dict[str, str | None] = field(default_factory=dict)
    nodes: dict[str, list[Message]] = field(default_factory=dict)
    leaf: str | None = None
    name: str | None = None
    title: str | None = None
    started: object = None
    model: str | None = None
    helper: bool = False

    def add(self, messages: list[Message]) -> None:
        """Add what one record holds, after what stands there."""
        if messages:
            number = str(len(self.parents))
            self.parents[number], self.nodes[number] = self.leaf, messages
            self.leaf = number

    def roll_back(self, turns: int) -> None:
        """Go back to before the last turns of the person."""
        here, left = self.leaf, turns
        while here is not None and left > 0:
            left -= any(m.role == "user" and m.kind is Kind.SAID for m in self.nodes[here])
            here = self.parents[here]
        self.leaf = here


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    found = [fields for _, fields in source.records(notes)]
    session = _Session(source, notes)
    for fields in found:
        inner = as_fields(fields.get("payload"))
        if fields.get("type") == "event_msg" and inner.get("type") == "user_message":
            session.shows = True
            session.typed[_split(as_text(inner.get("message")) or "")[1]] += 1
        elif fields.get("type") == "response_item" or "role" in fields:
            session.sent.add(_typed(inner or fields))
    for fields in found:
        _read_record(fields, session)
    if session.helper:
        message = f"{source.name} holds only what a helper of a Codex session was told and answered."
        raise ReelError(message, hint="record the session's own file")
    messages = lay_out(session.parents, session.leaf, lambda name: session.nodes[name])
    return [
        Conversation(
            format="codex",
            messages=tuple(messages),
            key=f"codex:{session.name}" if session.name else None,
            title=session.title,
            started=read_time(session.started, source.zone, notes),
            model=session.model,
            problems=notes.lines(),
        )
    ]


def _read_record(fields: dict[str, object], session: _Session) -> None:
    kind, inner = as_text(fields.get("type")), as_fields(fields.get("payload"))
    time = read_time(fields.get("timestamp"), session.source.zone, session.notes)
    if kind == "session_meta":
        about = as_fields(inner.get("meta")) or inner
        # a session that was forked repeats the header of the one it came from
        session.name = session.name or as_text(about.get("id"))
        session.started = session.started or about.get("timestamp")
        # a person's sessions name their program; what Codex began itself has fields there
        session.helper = session.helper or bool(as_fields(about.get("source")).keys() - {"custom"})
    elif kind == "turn_context":
        session.model = as_text(inner.get("model")) or session.model
    elif kind == "event_msg":
        _read_event(inner, time, session)
    elif kind not in _RECORDS and inner and "role" not in inner:
        session.notes.add("a record of a kind reel does not know was left out", one_line(kind or "", 40))
    elif kind != "compacted":
        if kind not in _RECORDS and inner:
            what = "a record of a kind reel does not know was read by its role"
            session.notes.add(what, f"“{one_line(kind or '', 40)}”")
        _read_item(inner or fields, time, session)


def _read_event(inner: dict[str, object], time: str | None, session: _Session) -> None:
    kind, turns = inner.get("type"), inner.get("num_turns")
    text = _split(as_text(inner.get("message")) or "")[1]
    if kind == "thread_rolled_back" and isinstance(turns, int):
        session.roll_back(min(turns, len(session.parents)))
    elif kind == "thread_name_updated":
        session.title = as_text(inner.get("thread_name")) or session.title
    elif kind == "turn_aborted":
        session.notes.add("an answer was broken off", as_text(inner.get("reason")) or "")
    elif kind == "user_message" and text and text not in session.sent:
        session.add([Message("user", text, time=time)])


def _split(text: str) -> tuple[str, str]:
    """Return what Codex or an editor put into a person's text, and what was typed."""
    if _OWN.match(text.lstrip()):
        return text, ""
    above, found, below = text.partition(_REQUEST)
    wrapped = found and above.startswith("# ")
    return (above.strip(), _strip(below)) if wrapped else ("", _strip(text))


def _strip(text: str) -> str:
    return (_IMAGE.sub("", text) if "image" in text else text).strip()


def _typed(fields: dict[str, object]) -> str:
    """Return what was typed of an item of the person."""
    if fields.get("type", "message") != "message" or fields.get("role") != "user":
        return ""
    found = (_split(text)[1] for text in read_content(fields.get("content"), Notes()).said)
    return "\n\n".join(text for text in found if text)


def _read_item(fields: dict[str, object], time: str | None, session: _Session) -> None:
    kind = as_text(fields.get("type")) or ("message" if "role" in fields else None)
    if kind == "message":
        session.add(list(_read_message(fields, time, session)))
    elif kind == "reasoning":
        found = read_content(
            [*as_items(fields.get("summary")), *as_items(fields.get("content"))], session.notes
        )
        text = "\n\n".join([*found.reasoning, *found.said])
        session.add([Message("assistant", text, Kind.REASONING, time=time)] * bool(text.strip()))
    elif kind in _CALLS:
        kept = {
            key: fields[key] for key in ("name", "arguments", "input", "action", "output") if fields.get(key)
        }
        session.add([Message("tool", compact(kept, _LONGEST_CALL), Kind.TOOL, time=time)] * bool(kept))
    elif kind is not None and kind not in {
        "ghost_snapshot",
        "compaction",
        "context_compaction",
        "state",
    }:
        session.notes.add("a record of a kind reel does not know was left out", one_line(kind, 40))
    elif kind is None and session.name is None and "instructions" in fields:
        session.name, session.started = as_text(fields.get("id")), fields.get("timestamp")


def _read_message(fields: dict[str, object], time: str | None, session: _Session) -> Iterator[Message]:
    role = fields.get("role")
    content = read_content(fields.get("content"), session.notes)
    if role == "user":
        pairs = [_split(text) for text in content.said]
        text = "\n\n".join(typed for _, typed in pairs if typed)
        shown = session.typed[text] > 0
        session.typed[text] -= shown
        typed = shown or not session.shows
        if text:
            yield Message("user" if typed else "system", text, Kind.SAID if typed else Kind.SYSTEM, time=time)
        yield from (Message("system", own, Kind.SYSTEM, time=time) for own, _ in pairs if own)
        yield from (Message("user", label, Kind.ATTACHMENT, time=time) for label in content.files)
        return
    text = content.text("\n\n")
    if role == "assistant":
        if text.strip():
            yield Message("assistant", text, time=time, model=session.model)
        yield from content.beside("assistant", time=time, model=session.model)
    elif text.strip():
        yield Message("system", text, Kind.SYSTEM, time=time)


READER = Reader("codex", _sniff, _read)
