"""Additions of a field to the facts: further kinds, and what to look for (SRIP-11 §III.5c)."""

from collections.abc import Mapping
from dataclasses import field

from reel_cli.core.frozen import frozen


@frozen
class Adapter:
    """One adapter: its categories, each with what it is about, and what to look for, in a sentence or two."""

    name: str = ""
    categories: Mapping[str, str] = field(default_factory=dict)
    look: str = ""
