"""Weekly data of a kit: recalls, tools, threads, loops (Dream Weaver §11.1)."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.working_file import read_items
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import PURGED, Kind, Message, session_order, session_path
from reel_cli.features.dream.dream import Status
from reel_cli.features.dream.pulse.pulse import Pulse
from reel_cli.features.dream.pulse.week_measures import Week, WeekData, by_week, settle_loops
from reel_cli.features.dream.story.resting_threads import list_standing
from reel_cli.features.page.notes.note_likeness import nearly_same

LONGEST = 60
"""A tool's name is cut after so many characters."""
_NONE = b'"kind": "tool"'
_KEYS = ("name", "tool_name", "toolName", "function_name")
_WITHIN = ("function", "toolCallRequest", "call", "content")
_NAME = re.compile(r'"(?:name|tool_name|toolName|function_name)": ?"((?:[^"\\]|\\.){1,200})"')
_NEAR = 2_000
"""A call that was cut for its length still names its tool within so many characters."""


def tools_used(data: bytes, path: str) -> list[str]:
    """Return the tools a session uses, each once, in order; [] if it uses none, or names none.

    Raises StateError where the file is damaged.
    """
    if _NONE not in data:
        return []
    named = (
        _named(entry.message)
        for entry in parse_session(data, path).entries
        if entry.message.kind is Kind.TOOL and entry.message.road is None
    )
    return list(dict.fromkeys(name for name in named if name))


def _named(message: Message) -> str:
    """Return the tool that a message calls or answers for; "" if it does not say."""
    return one_line(message.name or _in_text(message.text.strip()), LONGEST)


def _in_text(text: str) -> str:
    if not text.startswith("{"):
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        found = _NAME.search(text, 0, _NEAR)
        return found[1] if found else ""
    return _in_fields(value) if isinstance(value, dict) else ""


def _in_fields(value: dict[str, object], deep: int = 2) -> str:
    for key in _KEYS:
        name = value.get(key)
        if isinstance(name, str) and name.strip():
            return name
    for key in _WITHIN if deep else ():
        inner = value.get(key)
        if isinstance(inner, dict) and (name := _in_fields(inner, deep - 1)):
            return name
    return ""


def read_weeks(snapshot: Snapshot, pulse: Pulse, now: datetime) -> tuple[Sequence[Week], Week]:
    """Return every week with any data, and the total; raises ReelError if a file cannot be read."""
    threads = list_standing(snapshot)
    lived = WeekData(
        sessions=pulse.sessions,
        since=pulse.heart.since,
        recalled=pulse.recalled,
        tools=_tools(snapshot),
        threads=[(thread.day, thread.status is Status.OPEN) for thread in threads],
        loops=_loops(snapshot, set(pulse.sessions)),
    )
    return by_week(lived, now.date())


def _tools(snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
    names = {session_path(session): session for session in snapshot.sessions}
    notes = snapshot.note("tools", names, lambda path: tools_used(snapshot.tree.read(path) or b"", path))
    return {names[path]: used for path, used in notes.items()}


def _loops(snapshot: Snapshot, sessions: set[str]) -> Sequence[tuple[str, bool]]:
    """Return every loop that a checkpoint left open, with its session, and whether it is closed.

    One is open while working memory, or the newest checkpoint, still holds it in nearly the same words.
    """

    def note(path: str) -> list[str]:
        told = read_checkpoint(snapshot.text(path) or "", path).get("open_loops", "")
        return [line.strip() for line in told.splitlines() if line.strip() not in ("", PURGED)]

    notes = snapshot.note("loops", snapshot.checkpoints, note)
    of = {path: session_of_checkpoint(path) for path in snapshot.checkpoints}
    paths = sorted((p for p in snapshot.checkpoints if of[p] in sessions), key=lambda p: session_order(of[p]))
    if not paths:
        return ()
    standing = [item.text for item in read_items(snapshot.text(WORKING) or "")]
    standing += notes[paths[-1]]
    words = [(other, set(fold(other).split())) for other in standing]

    def still(loop: str) -> bool:
        own = set(fold(loop).split())
        # without common words they are not alike, and need not be compared letter by letter
        return any(2 * len(own & theirs) >= len(own) and nearly_same(loop, other) for other, theirs in words)

    return settle_loops(((of[path], notes[path]) for path in paths), still, fold)
