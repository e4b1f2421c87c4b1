"""An adapter's file: the categories that a field of its own adds, and what to look for there."""

import re

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.values.change import one_line
from reel_cli.core.values.fact import Fact
from reel_cli.features.facts.adapter import Adapter
from reel_cli.features.facts.policy import CATEGORIES, category_of

FOLDER = "adapters"
_NAME = re.compile(r"[^\W\d_][\w -]{0,39}")
MOST_CATEGORIES, LONGEST_ABOUT, LONGEST_LOOK = 12, 120, 600
_HINT = "write it like  categories: {medications: what is taken, and when}"


def parse_adapter(text: str, name: str, where: str) -> Adapter:
    """Read one; ReelError naming `where` and what is wrong with it."""
    fields = parse_mapping(text, where)
    categories, look = fields.get("categories", {}), fields.get("look", "")
    if not isinstance(look, str) or (categories != "" and not isinstance(categories, dict)):
        message = f"{where} should hold `categories`, each with what it is about, and `look`."
        raise ReelError(message, hint=_HINT)
    found: dict[str, str] = {}
    for key, about in (categories or {}).items() if isinstance(categories, dict) else ():
        kind = category_of(Fact(key, "", ""))
        if not _NAME.fullmatch(key.strip()) or not isinstance(about, str):
            message = f"{where}: {one_line(key, 40)!r} is no name of a category, with what it is about."
            raise ReelError(message, hint=_HINT)
        if kind in CATEGORIES:
            message = f"{where}: what is called {key.strip()!r} is sorted under {kind} already."
            raise ReelError(message, hint=f"call it something else, or leave it out: {kind} is always there")
        found[kind] = one_line(about, LONGEST_ABOUT)
    if len(found) > MOST_CATEGORIES:
        message = f"{where} has {len(found)} categories; {MOST_CATEGORIES} are the most."
        raise ReelError(message, hint="a persona that looks for everything finds nothing")
    return Adapter(name, found, one_line(look, LONGEST_LOOK))
