"""Lorebooks: a card's `character_book`, SillyTavern's World Info, the lorebook of version 3, one by one."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_list, as_object, as_text, parse_json, render_json
from reel_cli.core.values.change import one_line
from reel_cli.features.cards.lore.other_books import from_elsewhere
from reel_cli.features.cards.lore.world_info import USUAL, is_of_world
from reel_cli.features.cards.macros import Names, clean_text, drop_decorators, replace_macros

LONGEST_TITLE = 80
MOST_KEYS = 40
"""Maximum number of an entry's keys that become phrases; an entry with more has no useful list of
keywords."""
LONGEST_KEY = 120
MOST_ENTRIES = 10_000
"""Maximum number of entries imported at once: each becomes a file, and more take minutes."""
_PATTERN = re.compile(r"/((?:[^/\\]|\\.)+)/[gimsuy]*", re.DOTALL)
"""A regular expression among the keys, as SillyTavern knows it."""
_SIGNS = re.compile(r"[\\^$*+?{}\[\]|()]")
"""Pattern of characters that make a key a regular expression in a book whose keys may be ones."""
KEYS, SECONDARY = ("keys", "key"), ("secondary_keys", "keysecondary")
"""Names of the two lists of keys: in a book, in a World Info.

The secondary keys are conditions on top of these, exclusions among them, so nothing is found by one;
they stay in the file they came in.
"""
SHOWN = 40
"""A pattern is shown in so many letters."""


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
    """The name it has among the entries of a World Info, else its number in the list."""
    patterns: tuple[str, ...] = ()
    """Keys that are regular expressions, which nobody can quote."""
    unquoted: int = 0
    """Number of its other keys that are no phrases: too long for one, or too many."""
    doubled: int = 0
    """Number of its keys that repeat another."""


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


def require_few(book: Mapping[str, Json], name: str) -> None:
    """Raise ReelError, calling the file `name`, where a lorebook has too many entries to be taken in."""
    entries = book.get("entries")
    if isinstance(entries, list | dict) and len(entries) > MOST_ENTRIES:
        message = f"{name} has {len(entries):,} entries of lore; at most {MOST_ENTRIES:,} are taken."
        raise ReelError(message, hint="cut the lorebook into smaller ones, and import those you need")


def find_book(value: Json) -> dict[str, Json]:
    """Return the lorebook in a JSON value: itself, its `data`, or the book of a card.

    One of another program is read as the World Info that SillyTavern would make of it.
    """
    if isinstance(value, list):
        return {"entries": value}
    found = as_object(value)
    elsewhere = from_elsewhere(found)
    if elsewhere is not None:
        return elsewhere
    if "entries" in found:
        return found
    inner = as_object(found.get("data"))
    return inner if "entries" in inner else as_object((inner or found).get("character_book"))


def parse_book(book: Mapping[str, Json], names: Names) -> Lorebook:
    """Return a book's entries, of either kind; skips what is no entry."""
    world = isinstance(book.get("entries"), dict)
    read = [
        replace(read_entry(raw, names), place=place) for place, raw in placed(book) if isinstance(raw, dict)
    ]
    return Lorebook(book, tuple(read), world, one_line(replace_macros(as_text(book.get("name")), names), 60))


def placed(book: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """Return everything among a book's entries, each by its name or its number in the list."""
    entries = book.get("entries")
    if isinstance(entries, dict):
        return list(entries.items())
    return [(str(place), raw) for place, raw in enumerate(as_list(entries))]


def read_entry(raw: Mapping[str, Json], names: Names) -> LoreEntry:
    """Return one entry; both kinds are read alike: `key`/`keys`, `disable`/`enabled`."""
    keys = listed(raw)
    text = shown_text(as_text(raw.get("content")), names).strip()
    phrases = phrases_of(raw, names)
    called = as_text(raw.get("comment")).strip() or as_text(raw.get("name")).strip()
    title = one_line(replace_macros(called, names), LONGEST_TITLE)
    title = title or one_line(phrases[0] if phrases else text, LONGEST_TITLE)
    off = raw.get("disable") is True or raw.get("enabled") is False
    patterns = tuple(key for key in keys if isinstance(key, str) and is_pattern(key, raw))
    plain = [
        spelled
        for key in keys
        if isinstance(key, str) and key not in patterns and (spelled := spell_key(key, names).casefold())
    ]
    return LoreEntry(
        raw=raw,
        key=key_of(raw),
        title=title,
        text=text,
        phrases=phrases,
        constant=raw.get("constant") is True,
        held=bool(text) and not off,
        patterns=patterns,
        unquoted=len(set(plain) - {phrase.casefold() for phrase in phrases}),
        doubled=len(plain) - len(set(plain)),
    )


def shown_text(content: str, names: Names) -> str:
    """Return a content as a kit has it: with the two names, without parts for programs."""
    return replace_macros(drop_decorators(content), names)


def listed(raw: Mapping[str, Json], called: tuple[str, str] = KEYS) -> list[Json]:
    """Return one of an entry's lists of keys, with any contents; a text is split at commas."""
    value = raw.get(name_of_keys(raw, called))
    if isinstance(value, str):
        return [value] if raw.get("use_regex") is True else list(value.split(","))
    return as_list(value)


def name_of_keys(raw: Mapping[str, Json], called: tuple[str, str] = KEYS) -> str:
    """Return the field name that an entry uses for one of its lists of keys."""
    return called[0] if called[0] in raw or (called[1] not in raw and not is_of_world(raw)) else called[1]


def is_pattern(key: str, raw: Mapping[str, Json]) -> bool:
    """Return whether a key is a regular expression: in slashes, or by its signs if the entry says so.

    SillyTavern says so of every entry, whatever its keys are; what it wrote is known by its own settings.
    """
    if _PATTERN.fullmatch(key.strip()):
        return True
    own = "selectiveLogic" in as_object(raw.get("extensions"))
    return raw.get("use_regex") is True and not own and _SIGNS.search(key) is not None


def key_of(raw: Mapping[str, Json]) -> str:
    """Return an entry's identifier: twelve hexadecimal digits over all that it says."""
    said = {name: value for name, value in raw.items() if name not in {"uid", "id", "displayIndex"}}
    ordered = sorted(said.items())
    return hashlib.sha256(render_json(dict(ordered))).hexdigest()[:12]


def phrases_of(raw: Mapping[str, Json], names: Names) -> tuple[str, ...]:
    """Return the keys of an entry that it can be found by, each once."""
    found: dict[str, str] = {}
    for key in listed(raw):
        if not isinstance(key, str) or is_pattern(key, raw):
            continue
        plain = spell_key(key, names)
        if 0 < len(plain) <= LONGEST_KEY and len(found) < MOST_KEYS:
            found.setdefault(plain.casefold(), plain)
    return tuple(found.values())


def spell_key(key: str, names: Names) -> str:
    """Return a key as a phrase."""
    return one_line(replace_macros(key, names)).replace('"', "'")


# -- out ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoreText:
    """An entry to be written anew: what it says, what it is found by, whether it is always there."""

    title: str
    text: str
    phrases: tuple[str, ...]
    constant: bool = False
    lived: bool = False
    """True for a memory: its short keys are for what somebody says, not for what another entry mentions."""


def book_entry(said: LoreText, order: int) -> dict[str, Json]:
    """Return a new entry of a character book."""
    return {
        "keys": list(said.phrases),
        "content": said.text,
        "extensions": {"exclude_recursion": True} if said.lived else {},
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


def world_entry(said: LoreText, order: int) -> dict[str, Json]:
    """Return a new World Info entry in SillyTavern's terms; its number comes later."""
    return {
        **USUAL,
        "excludeRecursion": said.lived,
        "key": list(said.phrases),
        "comment": said.title,
        "content": said.text,
        "constant": said.constant,
        "order": order,
        "position": 0,
        "disable": False,
        "addMemo": True,
    }


def tell_keys(entries: Sequence[LoreEntry], kept: str) -> list[str]:
    """Return messages about the keys of these entries that are not used; `kept` is the file with them."""
    held = [entry for entry in entries if entry.held]
    patterns = [key for entry in held for key in entry.patterns]
    told = []
    if patterns:
        first = one_line(clean_text(patterns[0]), SHOWN)
        which = "1 key is a pattern" if len(patterns) == 1 else f"{len(patterns):,} keys are patterns"
        whose = "its entry is" if len(patterns) == 1 else "their entries are"
        told.append(
            f"{which} ({first}). A chat never contains a pattern, so {whose} found by other keys,"
            " or by name and words."
        )
    more = sum(entry.unquoted for entry in held)
    if more:
        told.append(
            f"{more:,} {'key is' if more == 1 else 'keys are'} too long for a phrase, or one too many."
        )
    double = sum(entry.doubled for entry in held)
    if double:
        told.append(f"{double:,} {'key stands' if double == 1 else 'keys stand'} twice, and count once.")
    if told:
        told[-1] += f" All keys stay in {kept}, and are exported as they were."
    return told
