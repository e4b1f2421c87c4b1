"""Keys in `kit.yaml` that no setting has: a setting misspelt is passed over, and nothing else says so."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.unread_fields import OWN_KEY
from reel_cli.core.files.yaml_text import Plain, parse_mapping
from reel_cli.core.finding import Finding
from reel_cli.core.nearest import nearest
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.values.change import one_line

MOST_NAMED = 5
_WHERE = "kit.yaml"
_OF_DOCUMENTS: Mapping[str, str] = {
    "behavior.compression.list_tolerance": "behavior.list_tolerance",
    "behavior.token_policy.base_limit": "behavior.token_policy.base",
    "behavior.token_policy.min_limit": "behavior.token_policy.min",
    "behavior.token_policy.max_limit": "behavior.token_policy.max",
    "cmt.anchor_buffer.enabled": "buffer.cycles",
    "cmt.anchor_buffer.cycles": "buffer.cycles",
    "cmt.fact_extraction.enabled": "facts.ask",
    "cmt.fact_extraction.interval": "facts.every",
    "cmt.fact_extraction.early_cycles": "facts.early",
    "cmt.fact_extraction.min_confidence": "facts.sure",
    "cmt.fact_extraction.max_facts": "facts.most",
    "cmt.fact_extraction.categories": "adapter",
    "cmt.domain_adapter": "adapter",
}
"""Settings as SRIP-11 writes them, by their paths there, with the names that they have here."""


def unread_keys(text: str) -> list[tuple[str, str]]:
    """Return unread keys, each with the setting it may be ("" for none); none for a broken file."""
    try:
        fields = parse_mapping(text, _WHERE)
    except ReelError:
        return []
    return list(_unknown(fields, json.loads(read_kit_schema()), ""))


def look_at_keys(text: str, *, later: bool) -> Iterator[Finding]:
    """Yield the keys that nothing reads; nothing of a file that cannot be read.

    In a kit of a `later` version they may be settings of that one: they are kept, as `reel migrate` says.
    """
    found = unread_keys(text)
    for key, near in found[:MOST_NAMED]:
        what = f"{_WHERE}: {one_line(key, 60)} is no setting, and nothing reads it"
        if key in _OF_DOCUMENTS:
            mend = f"here it is called {near}"
        else:
            mend = f"did you mean {near}?" if near else f"take it out, or begin its name with {OWN_KEY}"
        if later:
            what = f"{_WHERE}: {one_line(key, 60)} is of another version; reel keeps it and does not read it"
            mend = "all that is kept so:  reel migrate"
        yield Finding("settings", what, mend, hint_only=True)
    if len(found) > MOST_NAMED:
        yield Finding("settings", f"{_WHERE}: {len(found) - MOST_NAMED:,} more like that", "", hint_only=True)


def _unknown(fields: Mapping[str, Plain], schema: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    """Yield each unknown key, with its path, and the setting that may be meant ("" for none)."""
    known = schema.get("properties", {})
    if not known or schema.get("additionalProperties"):
        return
    for key, value in fields.items():
        if key in known:
            if isinstance(value, dict):
                yield from _unknown(value, _mapping_of(known[key]), f"{above}{key}.")
        elif renamed := list(_renamed(value, f"{above}{key}")):
            yield from renamed
        elif not key.startswith(OWN_KEY):
            near = nearest(key, list(known))
            yield f"{above}{key}", f"{above}{near}" if near else ""


def _renamed(value: Plain, path: str) -> Iterator[tuple[str, str]]:
    """Yield each setting at a path, or below it, that a document writes so, with its name here."""
    if path in _OF_DOCUMENTS:
        yield path, _OF_DOCUMENTS[path]
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _renamed(inner, f"{path}.{key}")


def _mapping_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the mapping among the forms that a setting may take."""
    ways = [schema, *schema.get("anyOf", ())]
    return next((one for one in ways if "properties" in one), {})
