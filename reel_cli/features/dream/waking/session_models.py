"""Models that spoke in a session, found without reading the text."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from reel_cli.core.tape.blocks import read_front_fields
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Kind

_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')
_MODEL = re.compile(rb'"role": "assistant", .*"kind": "said", "model": ("(?:[^"\\]|\\.)*")')
LONGEST = 80
"""A name has at most so many characters."""
TRIED = 3
"""A model with fewer answers than this in a session where another has more was only tried."""


def models_said(data: bytes, path: str) -> tuple[list[str], str]:
    """Return the models that a session's answers name, and the one that its front matter names.

    They are in the order in which each spoke last; one only tried is left out. What nobody knows is []
    and "". Raises StateError naming `path` and the line where the file is damaged.
    """
    front, at = read_front_fields(data, path)
    said: list[str] = []
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line:
            said = _parsed(data, path)
            break
        found = _MODEL.search(data, at, end.start())
        if found:
            said.append(_decode(found[1]))
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            said = _parsed(data, path)
            break
    return _spoke(said), one_line(front.get("model", ""), LONGEST)


@lru_cache(maxsize=256)
def _decode(text: bytes) -> str:
    return str(json.loads(text))


def _parsed(data: bytes, path: str) -> list[str]:
    return [_model_of(entry) for entry in parse_session(data, path).entries if _model_of(entry)]


def _model_of(entry: Entry) -> str:
    said = entry.message.kind is Kind.SAID and entry.message.role == "assistant"
    return (entry.message.model or "") if said else ""


def _spoke(said: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for name in said:
        plain = one_line(name, LONGEST)
        if plain:
            # moved to the end: the order is that of each one's last answer
            counts[plain] = counts.pop(plain, 0) + 1
    most = max(counts.values(), default=0)
    return [name for name, count in counts.items() if count == most or count >= TRIED]
