"""Ways to spoil a file: in what it says, and in its bytes."""

import json
import random
from copy import deepcopy
from typing import Any

from tests.support.database_samples import Sample

DEEP = "[" * 12_000 + "]" * 12_000
"""Stands for a value in JSON nested far beyond what a parser's stack takes; see `dump`."""
NASTY: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    3,
    10**30,
    1e308,
    float("inf"),
    float("nan"),
    -1.5e12,
    1.7e9,
    1.7e12,
    1.7e15,
    2**63,
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[2J",
    "\ud800",
    "a\udfffb",
    "\u2028",
    "\ufeff",
    "-->",
    "---",
    "<!-- {",
    "<think>",
    "</think>",
    "1700000000",
    "1e400",
    "2025-13-45T99:99",
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+23:59",
    "user",
    "assistant",
    "text",
    "{{[INPUT]}}",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"type": "text"},
    [{}],
    ["x", 3],
    {"text": {"value": 3}},
    {"type": ["text"], "text": 1},
    {"type": {"a": 1}},
)
"""Values that stand for others where a file is spoilt."""


def dump(value: object) -> str:
    """The value as JSON; a number no float holds where the sample had `1e400` as its text."""
    return json.dumps(value).replace('"1e400"', "1e400").replace('"@deep"', DEEP)


Place = tuple[Any, Any]
"""A container, and the key or index in it."""


def places(value: object) -> list[Place]:
    """Every place in a JSON value, in the order it is written."""
    found: list[Place] = []
    waiting: list[object] = [value]
    while waiting:
        holder = waiting.pop()
        keys: list[Any] = []
        if isinstance(holder, dict):
            keys = list(holder)
        elif isinstance(holder, list):
            keys = list(range(len(holder)))
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])  # type: ignore[index]
    return found


def spoil_value(value: object, dice: random.Random) -> None:
    """Change one place of a JSON value: drop, repeat or link it elsewhere, or put something else there."""
    found = places(value)
    if not found:
        return
    holder, key = dice.choice(found)
    way = dice.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder[key:key] = [deepcopy(holder[key]) for _ in range(dice.choice((1, 2, 40)))]
    elif way == 2:
        strings = [h[k] for h, k in found if isinstance(h[k], str)]
        holder[key] = dice.choice(strings) if strings else ""
    elif way == 3:
        there, at = dice.choice(found)
        holder[key] = deepcopy(there[at])
    else:
        holder[key] = deepcopy(dice.choice((*NASTY, "@deep") if way == 4 else NASTY))


def spoil(sample: Sample, dice: random.Random) -> Sample:
    """The sample with a few things wrong: in what it says, then perhaps in its bytes."""
    name, data = sample
    if not data.startswith(b"SQLite"):
        data = _spoil_text(data, dice)
    for _ in range(dice.choice((0, 0, 1, 3))):
        data = _spoil_bytes(data, dice)
    return name, data


def _spoil_text(data: bytes, dice: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    try:
        values = [json.loads(text)]
    except ValueError:
        try:
            values = [json.loads(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            return data
    boxed = [values]
    for _ in range(dice.choice((1, 1, 2, 5))):
        spoil_value(boxed, dice)
    spoilt = boxed[0] if boxed and isinstance(boxed[0], list) else boxed
    return "\n".join(dump(value) for value in spoilt).encode()


def _spoil_bytes(data: bytes, dice: random.Random) -> bytes:
    if not data:
        return data
    at = dice.randrange(len(data))
    ways = (
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],
        lambda: (
            data[:at]
            + dice.choice((b"\x00", b"\xff", b"\n", b'"', b"}", b"]", b"{", b"\\ud800", b"\r"))
            + data[at:]
        ),
        lambda: data[:at] + data[at : at + dice.randrange(1, 200)] + data[at:],
        lambda: data[:at] + data[at + dice.randrange(1, 200) :],
    )
    return dice.choice(ways)()
