"""The rules nearest to unknown ones, told by what a vocabulary holds, and how far off they may be."""

from typing import NamedTuple

from reel_cli.features.models.encodings import ByteEncoding
from reel_cli.features.models.kept_file import Vocabulary
from reel_cli.features.models.rules import LIKELY, RULES

STEP = 100
LEAST = 500
"""A margin is at least 5 %, in steps of 1 %, both of 10,000."""

SAMPLE = """\
Ada's letter, 14 March 1843: "I don't think we'll need more than 128 cards -- 1,024 at the very most."
She'd crossed out a line (the 3rd), then written it again: it's not the engine that's slow; WE ARE!

    def weave(cards: list[int]) -> int:
        return sum(card * 60 + 7 for card in cards if card != 3600)  # see notes/2026-02-10.md

- Tuesday: Zürich → Köln, 07:45; bring the *blue* coat, 2 apples, €35.50
- Пожалуйста, не забудь про чай; 明日は雨が降るかもしれません。 ¿Vienes mañana?

What she remembered was smaller: a kettle, a window, somebody humming in the next room.
"""


class Nearest(NamedTuple):
    """Rules by name, and a margin of 10,000 that covers what the others would have counted."""

    name: str
    margin: int


def find_nearest(vocabulary: Vocabulary) -> Nearest:
    """Return the nearest rules to unknown ones, by their tokens, and how much the candidates differ.

    What a set of rules never leaves in one piece can be no token that was learnt by it.
    """
    counts = {name: ByteEncoding(name, vocabulary, RULES[name]).count(SAMPLE) for name in LIKELY}
    name = min(LIKELY, key=lambda one: (one not in _possible(vocabulary), counts[one]))
    most = max(counts[other] for other in _possible(vocabulary) | {name})
    over = max(0, most - counts[name]) * 10_000 // max(1, counts[name])
    return Nearest(name, max(LEAST, -(-over // STEP) * STEP))


def _possible(vocabulary: Vocabulary) -> set[str]:
    """Return the names of the rules that can have produced these tokens."""

    def has(*tokens: bytes) -> bool:
        return any(vocabulary.table.rank(token) is not None for token in tokens)

    possible = set(LIKELY)
    if has(b".\n\n", b";\n", b",\n", b".\n"):
        possible -= {"gpt-2", "starcoder"}
    else:
        possible &= {"gpt-2", "starcoder"}
    if has(b"123", b"100", b"200"):
        possible -= {"qwen2", "tekken", "starcoder"}
    elif not has(b"12", b"10", b"20"):
        possible &= {"qwen2", "tekken", "starcoder"}
    return possible or set(LIKELY)
