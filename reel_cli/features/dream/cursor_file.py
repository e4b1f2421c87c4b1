"""`story/cursor.yaml`: how far the tape was read again."""

import re
from typing import NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.dream.dream import Cursor, DreamState, Mode

CURSOR = "story/cursor.yaml"
CURSOR_KEYS = (
    "state",
    "mode",
    "started",
    "window",
    "since",
    "batch",
    "because",
    "model",
    "past",
    "heard",
    "read",
)
_RANGE = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?")
_PAST = re.compile(r"story/past/(?!\.)[^/\x00-\x1f]{1,80}")
_NUMBER = re.compile(r"[1-9]\d{0,8}")
_MEND = "take the file back from history:  reel restore story/cursor.yaml"


def read_cursor(snapshot: Snapshot) -> Cursor | None:
    """Return the progress of the kit's dream; None if there never was one."""
    text = snapshot.text(CURSOR)
    return parse_cursor(text) if text and text.strip() else None


def parse_cursor(text: str) -> Cursor:
    """Read the cursor. Raises ReelError where it cannot be one."""
    fields = parse_mapping(text, CURSOR)
    plain = {key: value for key, value in fields.items() if isinstance(value, str)}
    read = fields.get("read") or {}
    batch = plain.get("batch", "0")
    if plain.get("state") not in set(DreamState) or plain.get("mode") not in set(Mode):
        _refuse("it does not say how the dream stands")
    if not isinstance(read, dict) or not (batch.isascii() and batch.isdigit() and len(batch) < 9):
        _refuse("it does not say how far the dream has come")
    since = plain.get("since", "")
    if since and not SESSION_ID.fullmatch(since):
        _refuse(f"{since!r} is no chat")
    return Cursor(
        DreamState(plain["state"]),
        Mode(plain["mode"]),
        plain.get("started", ""),
        parse_tokens(plain.get("window", "")),
        since,
        int(batch),
        {session: _ranges(session, value) for session, value in read.items()},
        plain.get("because", ""),
        plain.get("model", ""),
        _heard(fields.get("heard")),
        _past(plain.get("past", "")),
    )


def _past(text: str) -> str:
    """Return the folder of the old story; "" if the text names no such folder."""
    return text if _PAST.fullmatch(text) else ""


def _heard(value: "Plain | None") -> dict[str, int]:
    """Return how many corrections are known, by session; unreadable ones are reported again."""
    told = value if isinstance(value, dict) else {}
    return {
        session: int(number)
        for session, number in told.items()
        if SESSION_ID.fullmatch(session) and isinstance(number, str) and _NUMBER.fullmatch(number)
    }


def _ranges(session: str, value: Plain) -> Ranges:
    if not SESSION_ID.fullmatch(session) or not isinstance(value, str):
        _refuse(f"{session!r} is no chat with its messages")
    made: list[tuple[int, int]] = []
    for part in value.split(","):
        found = _RANGE.fullmatch(part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not first or last < first or (made and first <= made[-1][1]):
            _refuse(f"{part.strip()!r} names no messages of {session}")
        made.append((first, last))
    return tuple(made)


def _refuse(why: str) -> NoReturn:
    message = f"{CURSOR} cannot be read: {why}."
    raise ReelError(message, hint=_MEND)


def render_ranges(ranges: Ranges) -> str:
    """Return `1-48, 50`."""
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in ranges)


def render_cursor(cursor: Cursor, before: str = "") -> str:
    """Return the cursor as a file; keys of `before` that are not reel's stay."""
    more = {k: v for k, v in parse_mapping(before, CURSOR).items() if k not in CURSOR_KEYS} if before else {}
    said = {"because": cursor.because, "model": cursor.model, "past": cursor.past}
    heard: dict[str, Plain] = {session: str(number) for session, number in cursor.heard.items()}
    fields: dict[str, Plain] = {
        "state": cursor.state.value,
        "mode": cursor.mode.value,
        "started": cursor.started,
        "window": str(cursor.window),
        "since": cursor.since,
        "batch": str(cursor.batch),
        **{key: text for key, text in said.items() if text},
        **more,
        **({"heard": heard} if heard else {}),
        "read": {session: render_ranges(ranges) for session, ranges in cursor.read.items()},
    }
    return render_mapping(fields)
