"""Text of a session as bytes: a quick way when only its size and a sample of it matter."""

import re
from collections.abc import Sequence

from reel_cli.core.tape.blocks import read_front_fields
from reel_cli.core.tape.session_file import parse_session

_NUMBER = re.compile(rb'\n<!-- \{"n": ([1-9]\d*), ')
_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')
_LATER = (b'"after": ', b'"supersedes": ')
_BETWEEN = b"\n\n"


def read_said(data: bytes, path: str) -> tuple[Sequence[int], bytes]:
    """Return the numbers of the shown messages, and their text with blank lines between.

    As `parse_session(data, path).shown()` has them; hashes are not looked at. Raises StateError naming `path`
    and the line where the file is damaged.
    """
    _, at = read_front_fields(data, path)
    said: list[bytes] = []
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line or any(key in data[at : end.start()] for key in _LATER):
            # corrected later, or damaged: that takes a whole reading
            return _parsed(data, path)
        numbered = _NUMBER.match(data, at)
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            return _parsed(data, path)
        if numbered:
            said.append(data[line + 1 : at - 1])
            if int(numbered[1]) != len(said):
                return _parsed(data, path)
    return range(1, len(said) + 1), _BETWEEN.join(said)


def _parsed(data: bytes, path: str) -> tuple[Sequence[int], bytes]:
    shown = parse_session(data, path).shown()
    texts = (entry.message.text.encode("utf-8", "replace") for entry in shown)
    return [entry.number or 0 for entry in shown], _BETWEEN.join(texts)
