"""A long conversation, and replies to its sifting as a model writes them."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.cli import Reel

if TYPE_CHECKING:
    from collections.abc import Sequence

SUMMARY = "We spoke of the kiln that cracks, and I kept count of the buckets."
PATTERNS = '- friction | The kiln keeps failing him | "the kiln cracked again"'


def turn(number: int) -> str:
    """Return what is said as message `number`, counted from 1."""
    if number % 2:
        return f"Evening {number}: the kiln cracked again and I swept the shards into bucket {number}."
    return f"Keep bucket {number}, and tell me which glaze it was. Celadon, I would bet {number} coins."


def long_chat(
    last: int, *, first: int = 1, title: str = "kiln", opening: str = "", system: str = "", day: int = 10
) -> str:
    """The messages from `first` to `last` as a messages file; `opening` stands before the first."""
    said = [f"{opening}\n\n{turn(n)}" if opening and n == first else turn(n) for n in range(first, last + 1)]
    messages = [
        {
            "role": "assistant" if i % 2 else "user",
            "content": text,
            "created_at": f"2026-02-{day}T19:{i // 60:02d}:{i % 60:02d}+00:00",
        }
        for i, text in enumerate(said)
    ]
    if system:
        messages.insert(0, {"role": "system", "content": system, "created_at": f"2026-02-{day}T19:00:00Z"})
    return json.dumps({"title": title, "created_at": f"2026-02-{day}T19:00:00+00:00", "messages": messages})


def have_chat(kit: Path, text: str, name: str = "chat.json") -> Path:
    """A chat's file beside the kit."""
    place = kit.parent / name
    place.write_text(text)
    return place


def ask(reel: Reel, *more: str | Path) -> str:
    """The prompt."""
    return reel("keep", "--prompt", *more).ok().out


def key_of(prompt: str) -> str:
    """Return what a prompt calls its stretch."""
    found = re.search(r"Copy this: (\S+)", prompt)
    assert found is not None
    return found[1]


def sifted(key: str = "", summary: str | None = SUMMARY, patterns: str | None = PATTERNS) -> str:
    """A reply; None leaves a part out."""
    parts: Sequence[tuple[str, str | None]] = (
        ("Which stretch", key or None),
        ("The conversation so far", summary),
        ("What shows over time", patterns),
    )
    return "".join(f"## {label}\n{text}\n\n" for label, text in parts if text is not None) + "Ada\n"
