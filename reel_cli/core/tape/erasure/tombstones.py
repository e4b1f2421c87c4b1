"""Tape files with something taken out: every message keeps its number, and says that something is missing.

A block out of which something was taken carries `purged`, the purge's name, and `gone`, how many bytes went;
the mark stands in their place. The hashes are reckoned anew from there on. That the block may look like this
is on record in `tape/events.md`: without the record it is a forgery (`features/verify/verify_purges`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape import blocks
from reel_cli.core.tape.blocks import Block, Value
from reel_cli.core.tape.erasure.target import NO_TEXT, PurgeTarget
from reel_cli.core.values.talk import PURGE, PURGED, Kind

_FROZEN = frozenset(
    {"n", "role", "at", "kind", "after", "supersedes", "road", "event", "session", "about"}
    | {"purged", "gone", "bytes", "hash"}
)
"""Keys of a block that say where it belongs, and are never a person's words."""
_WORDS_ABOUT = ("flag", "title", "correction")
"""The events about a session that hold words of it or on it."""
_FROZEN_FRONT = frozenset({"session", "started", "tape"})
_RETOLD = frozenset({Kind.BUNDLE, Kind.EXCHANGE, Kind.TOOL, Kind.SYSTEM})
"""Kinds of message that a program wrote, and that can tell what another session holds."""


@frozen
class Tombstone:
    """A block out of which something was purged: its place in the file, from 1, and its line.

    `number` is the message's, where it has one; `gone` are bytes.
    """

    place: int
    line: int
    number: int | None
    purge: str
    gone: int


@frozen
class CutSpan:
    """The part to cut out of a tape file, and the name of the purge.

    `whole`: every message goes, else only the texts wanted. `session`: what was noted about it goes whole.
    `retold` goes out of bundles, prompts and tool answers; one that holds some of `talk` goes whole.
    """

    purge: str
    wanted: PurgeTarget
    whole: bool = False
    session: str | None = None
    retold: PurgeTarget = NO_TEXT
    talk: PurgeTarget = NO_TEXT

    def takes_all_of(self, block: Block) -> bool:
        """Return whether all text of a block goes."""
        if not block.content or block.content == PURGED.encode():
            return False
        if self.whole:
            return block.header.get("kind") != Kind.RETRACTION
        if _is_retold(block) and self.talk.stands_in_bytes(block.content):
            return True
        own = self.session is not None and block.header.get("session") == self.session
        return own and block.header.get("event") in _WORDS_ABOUT

    def wanted_of(self, block: Block) -> PurgeTarget:
        """Return the texts that go out of a block which does not go whole."""
        return self.retold if self.retold.texts and _is_retold(block) else self.wanted


def _is_retold(block: Block) -> bool:
    return block.header.get("kind") in _RETOLD and "mark" not in block.header


def cut_file(data: bytes, path: str, cut: CutSpan) -> tuple[bytes, Mapping[int, int]]:
    """Return the file without what is cut, and how many bytes left each block (from 1).

    The beginning of a file becomes the beginning of what the file becomes, so that it has only grown in
    each version still. What was no longer as it was recorded is no more so afterwards. Raises StateError
    where the file cannot be read.
    """
    _, end = blocks.read_front_fields(data, path)
    gone: dict[int, int] = {}
    parts: list[tuple[bytes, bytes, str | None]] = []
    for place, block in enumerate(blocks.read_blocks(data, path), start=1):
        bare, content, less = _cut_block(block, cut)
        if less:
            gone[place] = less
        parts.append((bare, content, None if block.proven else block.digest))
    front = _cut_front(data[:end], cut)
    if not gone and front == data[:end]:
        return data, {}
    return blocks.rechain(front, parts), gone


def _cut_front(front: bytes, cut: CutSpan) -> bytes:
    lines = front.decode("utf-8").split("\n")
    for at, line in enumerate(lines[1:-2], start=1):
        key, _, raw = line.partition(":")
        if key in _FROZEN_FRONT:
            continue
        raw = raw.strip()
        value = json.loads(raw) if raw.startswith('"') else raw
        fresh = PURGED if cut.whole and key == "title" else cut.wanted.replace(value)[0]
        if fresh != value:
            lines[at] = f"{key}: {blocks.render_scalar(fresh)}"
    return "\n".join(lines).encode()


def _cut_block(block: Block, cut: CutSpan) -> tuple[bytes, bytes, int]:
    """Return a block's bare object and content without what is cut, and how many bytes went."""
    if block.header.get("event") == PURGE:
        return block.bare, block.content, 0
    header: dict[str, object] = {}
    gone = 0
    wanted = cut.wanted_of(block)
    for key, value in block.header.items():
        header[key] = value
        if key not in _FROZEN and isinstance(value, str):
            header[key], less = wanted.replace(value)
            gone += less
    content = block.content
    if cut.takes_all_of(block):
        gone += len(content)
        content = PURGED.encode()
    else:
        content, less = wanted.replace_bytes(content)
        gone += less
    if not gone:
        return block.bare, block.content, 0
    before = header.get("gone")
    known = {k: v for k, v in header.items() if k not in ("purged", "gone", "bytes", "hash")}
    known |= {"purged": cut.purge, "gone": (before if isinstance(before, int) else 0) + gone}
    values: dict[str, Value] = {k: _value(v) for k, v in known.items()}
    bare = f'{blocks.render_header(values)}, "bytes": {len(content)}}}'
    return bare.encode(), content, gone


def _value(value: object) -> Value:
    if isinstance(value, str | int):
        return value
    if isinstance(value, list) and all(isinstance(one, int) for one in value):
        return value
    message = "A newer reel wrote this tape, and this one cannot take anything out of it."
    raise StateError(message, hint="update reel, then run the command again")


def find_tombstones(data: bytes, path: str) -> Sequence[Tombstone]:
    """Return every block with a note of a purge; raises StateError for a damaged file."""
    return tuple(_tombstones(data, path)) if b', "purged": "' in data else ()


def _tombstones(data: bytes, path: str) -> Iterator[Tombstone]:
    for place, block in enumerate(blocks.read_blocks(data, path), start=1):
        if "purged" in block.header:
            purge, gone, number = (block.header.get(key) for key in ("purged", "gone", "n"))
            yield Tombstone(
                place,
                block.line,
                number if isinstance(number, int) else None,
                purge if isinstance(purge, str) else "",
                gone if isinstance(gone, int) else 0,
            )
