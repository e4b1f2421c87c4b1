"""Lorebooks: a card's `character_book`, SillyTavern's World Info, the lorebook of version 3, one by one."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reel_cli.cards.json_text import Json, as_list, as_object, as_text, as_texts, parse_json, render_json
from reel_cli.cards.macros import Names, Span, drop_decorators, replace_macros, trace_macros
from reel_cli.cards.restoring import Came, Naming, restore
from reel_cli.errors import ReelError
from reel_cli.model.change import one_line

LONGEST_TITLE = 80
MOST_KEYS = 40
"""So many of an entry's keys become phrases; what has more is no list of words to be found by."""
LONGEST_KEY = 120
_REGEX = re.compile(r"/.+/[a-z]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """One entry as it came (`raw`), and what of it a kit can hold.

    `key` tells the entry from every other, whatever names stand in it; `phrases` are what it is found by.
    `held` is False for what is switched off or empty: it stays in its file.
    """

    raw: Mapping[str, Json]
    key: str
    title: str
    text: str
    phrases: tuple[str, ...]
    constant: bool = False
    held: bool = True
    place: str = ""
    """The name it has among the entries of a World Info."""


@dataclass(frozen=True, slots=True)
class Lorebook:
    """A lorebook as it came, its entries in their order; `world` says that it is a World Info."""

    book: Mapping[str, Json]
    entries: tuple[LoreEntry, ...]
    world: bool
    name: str = ""


def read_lorebook(data: bytes, name: str, names: Names) -> Lorebook:
    """Read a lorebook from a JSON file; a card's own is taken where the file is a card.

    Raises ReelError, calling the file `name`, where there is none in it.
    """
    found = find_book(parse_json(data, name))
    if not isinstance(found.get("entries"), list | dict):
        message = f"{name} is not a lorebook: it has no entries."
        raise ReelError(
            message, hint="a lorebook is a World Info of SillyTavern, or a character book, as JSON"
        )
    return parse_book(found, names)


def find_book(value: Json) -> dict[str, Json]:
    """The lorebook in a JSON value: itself, its `data`, or the book of the card that it is."""
    if isinstance(value, list):
        return {"entries": value}
    found = as_object(value)
    if "entries" in found:
        return found
    inner = as_object(found.get("data"))
    return inner if "entries" in inner else as_object((inner or found).get("character_book"))


def parse_book(book: Mapping[str, Json], names: Names) -> Lorebook:
    """A book's entries, of whichever kind it is; what is no entry is passed over."""
    entries = book.get("entries")
    world = isinstance(entries, dict)
    raws = list(entries.items()) if isinstance(entries, dict) else [("", raw) for raw in as_list(entries)]
    read = [replace(read_entry(raw, names), place=place) for place, raw in raws if isinstance(raw, dict)]
    return Lorebook(book, tuple(read), world, one_line(replace_macros(as_text(book.get("name")), names), 60))


def read_entry(raw: Mapping[str, Json], names: Names) -> LoreEntry:
    """One entry; both kinds are read alike: `key`/`keys`, `disable`/`enabled`."""
    keys = as_texts(raw.get("keys") if "keys" in raw else raw.get("key"))
    more = as_texts(raw.get("secondary_keys") if "secondary_keys" in raw else raw.get("keysecondary"))
    text = _said(as_text(raw.get("content")), names)
    phrases = tuple(_phrases([*keys, *more], names, regex=raw.get("use_regex") is True))
    called = as_text(raw.get("comment")).strip() or as_text(raw.get("name")).strip()
    title = one_line(replace_macros(called, names), LONGEST_TITLE)
    title = title or one_line(phrases[0] if phrases else text, LONGEST_TITLE)
    off = raw.get("disable") is True or raw.get("enabled") is False
    constant = raw.get("constant") is True
    return LoreEntry(raw, key_of(raw), title, text, phrases, constant, bool(text) and not off)


def _said(content: str, names: Names) -> str:
    return replace_macros(drop_decorators(content), names).strip()


def key_of(raw: Mapping[str, Json]) -> str:
    """What tells an entry from every other: twelve hexadecimal digits over all that it says."""
    said = {name: value for name, value in raw.items() if name not in {"uid", "id", "displayIndex"}}
    ordered = sorted(said.items())
    return hashlib.sha256(render_json(dict(ordered))).hexdigest()[:12]


def _phrases(keys: Sequence[str], names: Names, *, regex: bool) -> Iterator[str]:
    seen: set[str] = set()
    for key in keys:
        plain = one_line(replace_macros(key, names)).replace('"', "'")
        if regex or not plain or len(plain) > LONGEST_KEY or _REGEX.fullmatch(plain):
            continue
        if plain.casefold() not in seen and len(seen) < MOST_KEYS:
            seen.add(plain.casefold())
            yield plain


# -- out ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoreText:
    """An entry to be written anew: what it says, what it is found by, whether it is always there."""

    title: str
    text: str
    phrases: tuple[str, ...]
    constant: bool = False


def book_entry(said: LoreText, order: int) -> dict[str, Json]:
    """A new entry of a character book."""
    return {
        "keys": list(said.phrases),
        "content": said.text,
        "extensions": {},
        "enabled": True,
        "insertion_order": order,
        "case_sensitive": False,
        "name": said.title,
        "comment": said.title,
        "constant": said.constant,
        "selective": False,
        "secondary_keys": [],
        "position": "before_char",
    }


def world_entry(said: LoreText, uid: int, order: int) -> dict[str, Json]:
    """A new entry of a World Info, in SillyTavern's words."""
    return {
        "uid": uid,
        "key": list(said.phrases),
        "keysecondary": [],
        "comment": said.title,
        "content": said.text,
        "constant": said.constant,
        "selective": False,
        "order": order,
        "position": 0,
        "disable": False,
        "depth": 4,
        "probability": 100,
        "useProbability": True,
    }


def to_world(raw: Mapping[str, Json], uid: int) -> dict[str, Json]:
    """An entry of a character book as one of a World Info; what has no name there stays under its own."""
    if "key" in raw:
        return {**raw, "uid": uid}
    renamed = {
        "keys": "key",
        "secondary_keys": "keysecondary",
        "insertion_order": "order",
    }
    made: dict[str, Json] = {"uid": uid}
    made |= {renamed.get(name, name): value for name, value in raw.items() if name != "enabled"}
    made["disable"] = raw.get("enabled") is False
    made["position"] = 1 if raw.get("position") == "after_char" else 0
    made["comment"] = as_text(raw.get("comment")) or as_text(raw.get("name"))
    made.setdefault("keysecondary", [])
    made.setdefault("depth", 4)
    return made


def with_text(entry: LoreEntry, said: LoreText, came: LoreText, naming: Naming) -> dict[str, Json]:
    """An entry as it reads now, which read as `came` when it came in.

    Only what reads otherwise is written otherwise, with its macros where the words stayed; all that reel
    does not know of it stays.
    """
    raw = entry.raw
    world = "key" in raw or "disable" in raw
    made = dict(raw)
    content = as_text(raw.get("content"))
    bare = drop_decorators(content)
    steers = Span(content[: len(content) - len(bare)], "")
    spans = [steers, *trace_macros(bare, naming.came)]
    text = restore(Came(content, spans, partial(_said, names=naming.came)), said.text, naming)
    if text != content:
        made["content"] = text
    if said.phrases != came.phrases:
        made["key" if world else "keys"] = list(said.phrases)
        made["keysecondary" if world else "secondary_keys"] = []
    if said.title != came.title:
        made["comment"] = said.title
    return made
