"""Standard input, read whole, and kept so that a command which begins anew reads the same."""

import sys
from io import BytesIO, TextIOWrapper

_read: list[bytes] = []


def read_all(most: int) -> bytes:
    """Return what comes on standard input, at most `most` bytes; empty where there is none."""
    from reel_cli.core.tape.formats.containers import read_up_to

    data = b"" if sys.stdin is None else read_up_to(sys.stdin.buffer, most)
    _read.append(data)
    return data


def begin() -> None:
    """Forget what an earlier command of this process read."""
    _read.clear()


def rewind() -> None:
    """Make the next `read_all` return the same text again."""
    if _read:
        sys.stdin = TextIOWrapper(BytesIO(b"".join(_read)), encoding="utf-8")
        _read.clear()
