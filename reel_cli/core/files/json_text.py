"""JSON from elsewhere, read within bounds and written so that any text survives."""

import json
from typing import TypeAlias

from reel_cli.core.errors import ReelError

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
LARGEST = 32 * 1024 * 1024
"""Bytes of the longest JSON text that is read."""
DEEPEST = 64
MOST_PARTS = 1_000_000
"""Maximum number of values; each takes far more memory than it has letters."""


def parse_json(data: bytes, name: str) -> Json:
    """Read one JSON value; ReelError, naming it by `name`, where it is none or far too much."""
    if len(data) > LARGEST:
        message = f"{name} is larger than {LARGEST >> 20} MB."
        raise ReelError(message)
    if data.count(b",") + data.count(b"[") + data.count(b"{") > MOST_PARTS:
        message = f"{name} holds far too many parts."
        raise ReelError(message)
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        value: Json = json.loads(data.decode("utf-16" if marked else "utf-8-sig"), strict=False)
        deep = _depth_over(value)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        where = f" (line {line})" if line else ""
        message = f"{name} is not JSON that can be read{where}."
        raise ReelError(message, hint="export or download it again") from None
    if deep:
        message = f"{name} is nested too deeply."
        raise ReelError(message)
    return value


def _depth_over(value: Json) -> bool:
    """Return whether anything in a value is nested deeper than `DEEPEST`."""
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, list | dict)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def render_json(value: Json, *, indent: int | None = None) -> bytes:
    """Return a value as JSON in UTF-8; a lone surrogate is escaped, as it came."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent).encode()


def as_text(value: Json) -> str:
    """Return a value that should be a text; "" if it is not."""
    return value if isinstance(value, str) else ""


def as_object(value: Json) -> dict[str, Json]:
    """Return a value that should be an object; an empty one if it is not."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Return a value that should be a list; an empty one if it is not."""
    return value if isinstance(value, list) else []
