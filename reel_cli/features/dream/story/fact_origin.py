"""Origin of the facts in `facts.yaml`: from a dream, or another way."""

import re
from typing import NamedTuple

from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.features.facts.files import FACTS, parse_facts

_ITEM = re.compile(r"(?m)^(?:#[^\n]*\n)*- ")
"""Pattern of the beginning of a fact; a comment right above belongs to it."""
DREAM = "dream"


class Parted(NamedTuple):
    """The file as two: what stays, and what dreams noted; `dreamt` counts those."""

    kept: str
    noted: str
    dreamt: int


def part_facts(text: str) -> Parted:
    """Return what dreams noted and everything else, each verbatim.

    A fact is a dream's where it says so: one without an `origin` was written by hand. A file that a person
    has laid out otherwise than one fact below the other is theirs whole. Raises ReelError where it is no
    list of facts.
    """
    facts = parse_facts(text)
    starts = [found.start() for found in _ITEM.finditer(text)]
    if not facts or len(starts) != len(facts):
        return Parted(text, "", 0)
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    dreamt = [_is_dreamt(piece) for piece in pieces]
    kept = [piece for piece, is_dream in zip(pieces, dreamt, strict=True) if not is_dream]
    noted = [piece for piece, is_dream in zip(pieces, dreamt, strict=True) if is_dream]
    return Parted(text[: starts[0]] + "".join(kept), "".join(noted), len(noted))


def together(one: str, other: str) -> str:
    """Return two such files as one, the facts of the second below those of the first."""
    above = one if not one.strip() or one.endswith("\n") else f"{one}\n"
    return above + other if above.strip() not in ("", "[]") else other


def _is_dreamt(piece: str) -> bool:
    value = parse_yaml(piece, FACTS)
    one = value[0] if isinstance(value, list) and value else None
    return isinstance(one, dict) and one.get("origin") == DREAM
