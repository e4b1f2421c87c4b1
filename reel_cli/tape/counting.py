"""How many messages of a session count as said, without reading what they say."""

import re

from reel_cli.tape.blocks import read_front_fields
from reel_cli.tape.session_file import parse_session

_NUMBER = re.compile(rb'\n<!-- \{"n": ([1-9]\d*), ')
_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')
_LATER = (b'"after": ', b'"supersedes": ')


def count_shown(data: bytes, path: str) -> int:
    """As many as `parse_session(data, path).shown()` has; hashes are not looked at.

    Raises StateError naming `path` and the line where the file is damaged.
    """
    _, at = read_front_fields(data, path)
    number = 0
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line or any(key in data[at : end.start()] for key in _LATER):
            # corrected later, or damaged: that takes a whole reading
            return len(parse_session(data, path).shown())
        numbered = _NUMBER.match(data, at)
        if numbered:
            number += 1
            if int(numbered[1]) != number:
                return len(parse_session(data, path).shown())
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            return len(parse_session(data, path).shown())
    return number
