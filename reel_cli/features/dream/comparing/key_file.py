"""`key.txt` of a comparison: which answer came from where, written so that nobody reads it by accident.

It is no secret kept from somebody who wants to know: anyone can decode it.
"""

import json
import zlib
from base64 import b64decode, b64encode
from textwrap import wrap
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.comparing.comparison import LETTERS, STARTS, Comparison, Start

KEY = "key.txt"
_HEAD = "Which answer came from where. Leave this alone until all marks are in."
_MARK = "reel-comparison-1"


def render_key(comparison: Comparison) -> str:
    """Return the key, sealed against a glance."""
    value = {
        "name": comparison.name,
        "seed": comparison.seed,
        "questions": list(comparison.questions),
        "chats": list(comparison.chats),
        "orders": [list(order) for order in comparison.orders],
        "tokens": dict(comparison.tokens),
    }
    data = zlib.compress(json.dumps(value, ensure_ascii=True).encode(), 9)
    body = "\n".join(wrap(b64encode(data).decode(), 76))
    return f"{_HEAD}\n{_MARK} {comparison.name} {zlib.crc32(data):08x}\n{body}\n"


def key_name(text: str) -> str | None:
    """Return the name of the comparison a key is for; None if the text is no key."""
    lines = text.split("\n", 2)
    words = lines[1].split() if len(lines) > 2 else []
    return words[1] if len(words) == 3 and words[0] == _MARK else None


def parse_key(text: str) -> Comparison:
    """Return the comparison that a key is for; raises ReelError if it was changed, or is none."""
    try:
        _, head, body = text.split("\n", 2)
        mark, name, print_ = head.split()
        data = b64decode("".join(body.split()), validate=True)
        if mark != _MARK or f"{zlib.crc32(data):08x}" != print_:
            raise _damaged()
        unpacker = zlib.decompressobj()
        told = unpacker.decompress(data, 4_000_000)
        value = json.loads(told)
        made = _comparison(value)
    except (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError, zlib.error):
        raise _damaged() from None
    if made.name != name:
        raise _damaged()
    return made


def _comparison(value: Any) -> Comparison:  # noqa: ANN401 (what json gives)
    questions = tuple(str(one) for one in value["questions"])
    chats = tuple(Start(one) for one in value["chats"])
    orders = tuple(tuple(Start(one) for one in order) for order in value["orders"])
    tokens = {start: int(value["tokens"][start]) for start in STARTS}
    whole = all(sorted(order) == sorted(STARTS) for order in (chats, *orders))
    if not whole or len(orders) != len(questions) or not questions or len(LETTERS) != len(chats):
        raise ValueError
    return Comparison(str(value["name"]), str(value["seed"]), questions, chats, orders, tokens)


def _damaged() -> ReelError:
    return ReelError(
        f"{KEY} was changed, so the answers cannot be told apart any more.",
        hint="put it back as it was; the same questions, window and --seed on the same kit make it again",
    )
