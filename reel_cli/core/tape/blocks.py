"""The tape's own file form: front matter, then contents of stated length, each chained to all before it.

A block is a delimiter line `<!-- {…} -->` and, after it, the content: exactly as many bytes as its
`bytes` says, so that any text at all can stand there, delimiters included. `hash` is the last key of the
JSON object: SHA-256 over the hash before it, the object without it, and the content, cut to 32 hex
digits. The first block's "hash before" is that of the front matter. Blocks are set apart by empty lines.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NoReturn, TypeAlias

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.shell import quote

Value: TypeAlias = "str | int | Sequence[int]"
"""Value types of a delimiter's JSON object."""

_OPEN, _CLOSE = b"<!-- ", b" -->"
_HASH = re.compile(rb'(?:, )?"hash": "([0-9a-f]{32})"\}')
_HASH_LENGTH = len(b', "hash": "') + 32 + len(b'"}')
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_PLAIN = re.compile(r"[A-Za-z0-9_./+][A-Za-z0-9_./+@:()-]*(?:(?<!:) [A-Za-z0-9_./+@()-]+)*(?<!:)")
_JSON = json.JSONDecoder()
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off"})
_AS_IT_IS = re.compile(r"[A-Za-z0-9_:+./]+(?:-[A-Za-z0-9_:+./]+)*")
"""A string that stands in a comment's JSON as it is."""
_DASH = re.compile(r'(?<=[->"])-|-(?=[->"])')


@frozen
class Block:
    """One block: the line of its delimiter (from 1), the JSON object, the content.

    `proven` says whether its hash follows from everything before it. `bare` is the object as it stands
    there, without the hash.
    """

    line: int
    header: Mapping[str, object]
    content: bytes
    digest: str
    proven: bool
    bare: bytes = b""


def render_front(fields: Mapping[str, str]) -> bytes:
    """Return the front matter of a new tape file: one line a field, readable as YAML."""
    lines = "".join(f"{key}: {render_scalar(value)}\n" for key, value in fields.items())
    return f"---\n{lines}---\n".encode()


def read_front_fields(data: bytes, path: str) -> tuple[dict[str, str], int]:
    """Return the front matter's fields, and where it ends in `data` (of which the beginning is enough).

    Raises StateError naming `path` and the line where the front matter is damaged.
    """
    if data.startswith((b"---\r\n", b"\xef\xbb\xbf")):
        _refuse_line_ends(path)
    end = data.find(b"\n---\n")
    if not data.startswith(b"---\n") or end < 0:
        refuse(path, 1, "the front matter is missing or never closed")
    end += len(b"\n---\n")
    fields: dict[str, str] = {}
    for number, raw in enumerate(data[:end].split(b"\n")[1:-2], start=2):
        try:
            key, _, value = raw.decode("utf-8").partition(":")
            value = value.strip()
            read: object = json.loads(value) if value.startswith('"') else value
        except ValueError:
            refuse(path, number, "this line cannot be read")
        if not _KEY.fullmatch(key) or not isinstance(read, str):
            refuse(path, number, "this is not a `key: value` line")
        fields[key] = read
    return fields, end


def read_blocks(data: bytes, path: str, *, prove: bool = True) -> Iterator[Block]:
    """Yield every block in order; without `prove` no hash is worked out, and none counts as proven.

    Raises StateError naming `path` and the line where the file is cut off or not as it was written.
    """
    _, at = read_front_fields(data, path)
    digest = _digest(b"", data[:at], b"")
    line = data.count(b"\n", 0, at) + 1
    while at < len(data):
        start = at + 1
        line += 1
        close = data.find(b"\n", start)
        raw = data[start:close] if close >= 0 else data[start:]
        header, given = _read_delimiter(data, at, raw, path, line)
        begin = start + len(raw) + 1
        length = header.get("bytes")
        if not isinstance(length, int) or isinstance(length, bool) or length < 0:
            refuse(path, line, "the length of what follows is missing")
        content = data[begin : begin + length]
        if len(content) < length or data[begin + length : begin + length + 1] != b"\n":
            refuse(path, line, "what follows is not as long as it was when it was recorded")
        bare = raw[len(_OPEN) : -len(_CLOSE) - _HASH_LENGTH] + b"}"
        proven = prove and _digest(digest.encode(), bare, content) == given
        yield Block(line, header, content, given, proven, bare)
        digest = given
        at = begin + length + 1
        line += 1 + content.count(b"\n") + 1


def extend(existing: bytes, items: Iterable[tuple[Mapping[str, Value] | str, bytes]], path: str) -> bytes:
    """Return `existing` with further blocks appended; none of its bytes changes.

    `items` are a header without `bytes` and `hash`, or what `render_header` makes of one, and its
    content. Raises StateError where
    `existing` is damaged or no longer what was recorded.
    """
    given = ""
    for block in read_blocks(existing, path):
        if not block.proven:
            refuse(
                path, block.line, "what begins here is no longer what was recorded; the tape only ever grows"
            )
        given = block.digest
    return extend_from(existing, given or _digest(b"", existing, b""), items)[0]


def extend_from(
    existing: bytes, before: str, items: Iterable[tuple[Mapping[str, Value] | str, bytes]]
) -> tuple[bytes, str]:
    """Extend as `extend` does, for a caller that has just proven `existing`; `before` is its last hash.

    Returns the last hash of the whole as well.
    """
    digest = before.encode()
    start = hashlib.sha256()
    parts = [existing]
    for header, content in items:
        head = header if isinstance(header, str) else render_header(header)
        bare = f'{head}, "bytes": {len(content)}'.encode()
        # the same as `_digest`, and faster for many short blocks
        chained = start.copy()
        chained.update(b"%b%b}\n" % (digest, bare))
        chained.update(content)
        digest = chained.hexdigest()[:32].encode()
        parts += (b'\n<!-- %b, "hash": "%b"} -->\n' % (bare, digest), content, b"\n")
    return b"".join(parts), digest.decode()


def rechain(front: bytes, parts: Iterable[tuple[bytes, bytes, str | None]]) -> bytes:
    """Return a whole file from its front matter and (bare object, content, hash) of each block.

    Where the hash is None it is the one that follows from everything before; one that is given stands
    as it is.
    """
    before = _digest(b"", front, b"")
    written = [front]
    for bare, content, given in parts:
        before = given or _digest(before.encode(), bare, content)
        written += (b'\n<!-- %b, "hash": "%b"} -->\n' % (bare[:-1], before.encode()), content, b"\n")
    return b"".join(written)


def verify_chain(data: bytes, path: str = "the tape") -> int | None:
    """Return the line of the first block that is damaged or not what was recorded; None where all is well."""
    line = 1
    try:
        for block in read_blocks(data, path):
            line = block.line
            if not block.proven:
                return line
    except StateError as error:
        named = re.search(r", line (\d+):", error.message)
        return int(named[1]) if named else line
    return None


def refuse(path: str, line: int, what: str) -> NoReturn:
    """Raise StateError saying what is wrong in which line, and how to have the recorded text back."""
    message = f"{path}, line {line}: {what}."
    raise StateError(message, hint=f"to bring the recorded text back:  reel restore {quote(path)}")


def _read_delimiter(data: bytes, at: int, raw: bytes, path: str, line: int) -> tuple[dict[str, object], str]:
    if raw.endswith(b"\r") or data[at : at + 2] == b"\r\n":
        _refuse_line_ends(path)
    found = _HASH.fullmatch(raw[-len(_CLOSE) - _HASH_LENGTH : -len(_CLOSE)])
    framed = data[at : at + 1] == b"\n" and raw.startswith(_OPEN) and raw.endswith(_CLOSE)
    if not framed or not found:
        refuse(path, line, "a message should begin here")
    try:
        # `json.loads` would guess at an encoding, and look for white space that never stands here
        text = raw[len(_OPEN) : -len(_CLOSE)].decode("utf-8", "surrogatepass")
        header, end = _JSON.raw_decode(text)
    except (ValueError, RecursionError):
        refuse(path, line, "a message should begin here")
    if end < len(text):
        refuse(path, line, "a message should begin here")
    return header, found[1].decode()


def _digest(before: bytes, header: bytes, content: bytes) -> str:
    return hashlib.sha256(before + header + b"\n" + content).hexdigest()[:32]


def render_header(header: Mapping[str, Value]) -> str:
    """Return the beginning of a delimiter's JSON object, up to where `bytes` and `hash` follow."""
    return "{" + ", ".join([f'"{key}": {render_value(value)}' for key, value in header.items()])


def render_value(value: Value) -> str:
    """Return a value as JSON that can stand in a comment."""
    if isinstance(value, str):
        return _render_text(value)
    return str(value) if type(value) is int else json.dumps(value if isinstance(value, int) else list(value))


@lru_cache(maxsize=256)
def _render_text(value: str) -> str:
    """Return a string as JSON without `>`, and without a dash beside a dash or at its edge."""
    if _AS_IT_IS.fullmatch(value):
        return f'"{value}"'
    text = _DASH.sub(r"\\u002d", json.dumps(value, ensure_ascii=False)).replace(">", "\\u003e")
    return _escape_unprintable(text)


def render_scalar(text: str) -> str:
    """Return a value of the front matter: plain where YAML reads it as the same string, else quoted."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    # YAML has no surrogate pairs, which JSON uses for characters above U+FFFF
    return _escape_unprintable(json.dumps(text, ensure_ascii=False), "\uffff")


def _escape_unprintable(text: str, beyond: str = "\U0010ffff") -> str:
    """Return the text with JSON escapes for what does not print, up to the character `beyond`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c > beyond else json.dumps(c)[1:-1] for c in text)


def _refuse_line_ends(path: str) -> NoReturn:
    message = f"{path}, line 1: its line ends or first bytes were changed by an editor or a checkout."
    raise StateError(message, hint=f"keep `tape/** -text` in .gitattributes, and  reel restore {quote(path)}")
