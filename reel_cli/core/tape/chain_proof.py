"""A tape file proven by itself: its chain followed once, without parsing what it says."""

import hashlib
import re
from collections.abc import Sequence

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.blocks import read_front_fields, verify_chain

_DELIMITER = re.compile(rb'\n<!-- (\{.*"bytes": (0|[1-9]\d{0,11})), "hash": "([0-9a-f]{32})"\} -->\n')
_NUMBER = re.compile(rb'\{"n": ([1-9]\d{0,8}), ')


@frozen
class Proven:
    """The result of following the chain.

    `line` is the first that is damaged or not what was recorded (None: all is well). `said` are the
    numbered messages, from 1, as (start, end) offsets of their bytes in the file.
    """

    line: int | None
    said: Sequence[tuple[int, int]] = ()


def prove(data: bytes, path: str) -> Proven:
    """Follow the chain through a session file, or through `tape/events.md`."""
    try:
        _, at = read_front_fields(data, path)
    except StateError:
        return Proven(verify_chain(data, path) or 1)
    said: list[tuple[int, int]] = []
    sha256 = hashlib.sha256
    before = sha256(data[:at] + b"\n").hexdigest()[:32].encode()
    size = len(data)
    while at < size:
        found = _DELIMITER.match(data, at)
        if found is None:
            break
        start = found.end()
        end = start + int(found[2])
        if data[end : end + 1] != b"\n":
            break
        digest = sha256(before + found[1] + b"}\n" + data[start:end]).hexdigest()[:32].encode()
        if digest != found[3]:
            break
        number = _NUMBER.match(found[1])
        if number is not None:
            said.append((start, end))
            if int(number[1]) != len(said):
                return Proven(data.count(b"\n", 0, found.start() + 1) + 1, said[:-1])
        before, at = digest, end + 1
    if at == size:
        return Proven(None, said)
    # the slower reader finds the wrong line and names it
    return Proven(verify_chain(data, path) or data.count(b"\n", 0, at + 1) + 1, said)
