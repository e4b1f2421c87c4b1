"""Adapters: the kinds of fact that a field of work adds, and the one a kit has chosen (SRIP-11 §III.5c)."""

import re
from collections.abc import Mapping
from dataclasses import field

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import CATEGORIES, OWN, category_of, read_category

_NAME = re.compile(r"[^\W\d_][\w -]{0,39}")
MOST_CATEGORIES, LONGEST_ABOUT, LONGEST_LOOK = 12, 120, 600
_HINT = "write it like  categories: {medications: what is taken, and when}"


@frozen
class Adapter:
    """One adapter: its categories, each with what it is about, and what to look for, in a sentence or two."""

    name: str = ""
    categories: Mapping[str, str] = field(default_factory=dict)
    look: str = ""


def parse_adapter(text: str, name: str, where: str) -> Adapter:
    """Read one; ReelError naming `where` and what is wrong with it."""
    fields = parse_mapping(text, where)
    categories, look = fields.get("categories", {}), fields.get("look", "")
    if not isinstance(look, str) or (categories != "" and not isinstance(categories, dict)):
        message = f"{where} should have `categories`, each with what it is about, and `look`."
        raise ReelError(message, hint=_HINT)
    found: dict[str, str] = {}
    for key, about in (categories or {}).items() if isinstance(categories, dict) else ():
        kind = read_category(key)
        if not _NAME.fullmatch(key.strip()) or not isinstance(about, str):
            message = f"{where}: {one_line(key, 40)!r} is not a category with what it is about."
            raise ReelError(message, hint=_HINT)
        if kind in CATEGORIES:
            message = f"{where}: {key.strip()!r} belongs to {kind} already."
            raise ReelError(message, hint=f"call it something else, or leave it out: {kind} is always there")
        found[kind] = one_line(about, LONGEST_ABOUT)
    if len(found) > MOST_CATEGORIES:
        message = f"{where} has {len(found)} categories; {MOST_CATEGORIES} are the most."
        raise ReelError(message, hint="leave some out")
    return Adapter(name, found, one_line(look, LONGEST_LOOK))


def adapter_of(snapshot: Snapshot) -> Adapter:
    """Return the kit's adapter; an empty one if it has none.

    Raises ReelError where there is none of the name in `kit.yaml`, or it makes no sense.
    """
    wanted = snapshot.settings.adapter
    if not wanted:
        return Adapter()
    from reel_cli.core.kit.adapter_text import find_adapter

    return parse_adapter(*find_adapter(snapshot, wanted))


def proper_categories(snapshot: Snapshot) -> list[str]:
    """Return the categories in which facts are sought: ours, and those of the kit's adapter."""
    return [*CATEGORIES, *adapter_of(snapshot).categories]


def known_categories(snapshot: Snapshot) -> list[str]:
    """Return the categories of a kit: those that facts are sought in, the persona's own, and those in use."""
    used = map(category_of, read_facts(snapshot))
    return list(dict.fromkeys([*proper_categories(snapshot), OWN, *used]))
