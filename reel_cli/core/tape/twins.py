"""Sessions to which two machines gave the same name: tests for one chat, and renaming."""

import re
from collections.abc import Iterator

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape import blocks
from reel_cli.core.tape.blocks import Block
from reel_cli.core.tape.session_file import read_front

_TAIL = re.compile(rb', "bytes": \d+, "hash": "[0-9a-f]{32}"\} -->\Z')
_SESSION = re.compile(rb"(?m)^session:[^\n]*$")
_CHAINED = ("bytes", "hash")


@frozen
class _Part:
    """One message as it stands in a file: its header without length and digest, and what it says."""

    bare: str
    header: dict[str, object]
    content: bytes


def rename_session(data: bytes, path: str, name: str) -> bytes:
    """Return the same session under another name: each header and each message as it was, chained anew.

    Raises StateError naming `path` where the file is damaged or was changed by hand.
    """
    parts = list(_parts(data, path))
    _, end = blocks.read_front_fields(data, path)
    front = _SESSION.sub(f"session: {name}".encode(), data[:end], count=1)
    return blocks.extend(front, ((part.bare, part.content) for part in parts), path)


def extend_session(data: bytes, longer: bytes, path: str) -> bytes:
    """Return the first file extended by what the second, the same chat, has beyond it; raises as above."""
    known = len(list(_parts(data, path)))
    rest = list(_parts(longer, path))[known:]
    return blocks.extend(data, ((part.bare, part.content) for part in rest), path)


def holds_session(whole: bytes, part: bytes, path: str = "the tape") -> bool:
    """Return whether the first session begins with all of the second, under whatever name.

    Message for message: who said what, word for word, of which kind, and when, where the second knows
    that. When it was recorded and how it is called may differ; two chats with keys are never one.
    A damaged file holds nothing, and is held by none.
    """
    try:
        mine, others = read_front(whole).key, read_front(part).key
        known, sought = list(_parts(whole, path)), list(_parts(part, path))
    except StateError:
        return False
    if others is not None and mine != others:
        return False
    return 0 < len(sought) <= len(known) and all(
        have.content == want.content
        and all(have.header.get(key) == value for key, value in want.header.items())
        for have, want in zip(known, sought, strict=False)
    )


def _parts(data: bytes, path: str) -> Iterator[_Part]:
    lines = data.split(b"\n")
    for block in blocks.read_blocks(data, path):
        if not block.proven:
            blocks.refuse(
                path, block.line, "what begins here is no longer what was recorded; the tape only ever grows"
            )
        yield _part(block, lines[block.line - 1])


def _part(block: Block, line: bytes) -> _Part:
    bare = _TAIL.sub(b"", line).removeprefix(b"<!-- ").decode("utf-8")
    header = {key: value for key, value in block.header.items() if key not in _CHAINED}
    return _Part(bare, header, block.content)


def first_words(data: bytes, path: str) -> bytes | None:
    """Return a session's first message, by which possible twins are found; None if it is damaged."""
    try:
        return next((part.content for part in _parts(data, path)), None)
    except StateError:
        return None
