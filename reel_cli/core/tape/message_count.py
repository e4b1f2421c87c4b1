"""Count of a session's said messages, without reading their text."""

import re

from reel_cli.core.tape.blocks import read_front_fields
from reel_cli.core.tape.session_file import parse_session

_NUMBER = re.compile(rb'\n<!-- \{"n": ([1-9]\d*), ')
_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')
_LATER = (b'"after": ', b'"supersedes": ')


def count_shown(data: bytes, path: str) -> int:
    """Return the number of messages that `parse_session(data, path).shown()` has, without checking hashes.

    Raises StateError naming `path` and the line where the file is damaged.
    """
    number = _count_plain(data, path)
    return len(parse_session(data, path).shown()) if number is None else number


def numbers_shown(data: bytes, path: str) -> list[int]:
    """Return the number of the last message shown that corrects no other (0 for none), then of those that do.

    Raises StateError as `count_shown` does.
    """
    number = _count_plain(data, path)
    if number is not None:
        return [number]
    shown = parse_session(data, path).shown()
    later = {e.number or 0 for e in shown if e.after is not None or e.supersedes}
    return [max((e.number or 0 for e in shown if e.number not in later), default=0), *sorted(later)]


def _count_plain(data: bytes, path: str) -> int | None:
    """Return how many messages a session has; None where something was corrected, or it is damaged."""
    _, at = read_front_fields(data, path)
    number = 0
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line or any(key in data[at : end.start()] for key in _LATER):
            # corrected later, or damaged: that takes a whole reading
            return None
        numbered = _NUMBER.match(data, at)
        if numbered:
            number += 1
            if int(numbered[1]) != number:
                return None
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            return None
    return number
