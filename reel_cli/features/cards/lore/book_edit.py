"""An entry of a lorebook with a person's edit in it: exactly that is other, all else is as it came."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher

from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.features.cards.edited_text import carry_edit
from reel_cli.features.cards.lore.book import (
    LoreText,
    is_pattern,
    listed,
    name_of_keys,
    shown_text,
    spell_key,
)
from reel_cli.features.cards.macros import Names, replace_macros


def with_edit(
    raw: Mapping[str, Json], came: LoreText, now: LoreText, names: Names, spell: Callable[[str], str]
) -> dict[str, Json]:
    """Return an imported entry as it reads `now`; `came` is how it would read untouched.

    `spell` says how its content reads in a kit, once its macros are names.
    """
    made = dict(raw)
    if now.text != came.text:
        made["content"] = _content(as_text(raw.get("content")), came.text, now.text, names, spell)
    if now.title != came.title:
        made |= _title(raw, came.title, now.title, names)
    if now.phrases != came.phrases:
        made |= _keys(raw, came.phrases, now.phrases, names)
    return made


def _content(content: str, came: str, now: str, names: Names, spell: Callable[[str], str]) -> str:
    def shown(part: str) -> str:
        return spell(shown_text(part, names))

    carried = carry_edit(content, came, now, shown)
    # the typed text may be a macro; if carrying it over changed its reading, it is kept as typed
    return carried if _flat(shown(carried)) == _flat(shown_text(now, names)) else now


def _flat(text: str) -> str:
    """Return a text whose headings are all of one level."""
    return re.sub(r"(?m)^#+(?=[ \t])", "#", text.strip())


def _title(raw: Mapping[str, Json], came: str, now: str, names: Names) -> dict[str, Json]:
    """Return an entry's changed name; both names, if two said the same."""
    own = [name for name in ("comment", "name") if as_text(raw.get(name)).strip()]
    if not own:
        return {"comment": now}
    said = as_text(raw.get(own[0]))
    carried = carry_edit(said, came, now, lambda part: replace_macros(part, names))
    return dict.fromkeys([name for name in own if raw.get(name) == said], carried)


def _keys(raw: Mapping[str, Json], came: Sequence[str], now: Sequence[str], names: Names) -> dict[str, Json]:
    """Return the list of keys without deleted ones, and with changed ones in place.

    What was added follows. What is no phrase (a pattern, a blank) stays where it is.
    """
    instead, added = _changes(came, now)
    kept: list[Json] = []
    done: set[str] = set()
    for key in listed(raw):
        phrase = "" if not isinstance(key, str) or is_pattern(key, raw) else spell_key(key, names).casefold()
        if phrase not in instead:
            kept.append(key)
        elif phrase not in done and instead[phrase]:
            kept.append(instead[phrase])
            done.add(phrase)
    kept += added
    name = name_of_keys(raw)
    if isinstance(raw.get(name), str):
        return {name: ",".join(str(key) for key in kept)}
    return {name: kept} if kept != as_list(raw.get(name)) else {}


def _changes(came: Sequence[str], now: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the replacements of removed phrases ("": none), and the new phrases beside them."""
    gone, new = set(came) - set(now), set(now) - set(came)
    instead = {phrase.casefold(): "" for phrase in gone}
    placed: set[str] = set()
    for tag, i, to, j, until in SequenceMatcher(None, came, now, autojunk=False).get_opcodes():
        if tag == "replace":
            pairs = zip(
                (one for one in came[i:to] if one in gone),
                (one for one in now[j:until] if one in new),
                strict=False,
            )
            for old, phrase in pairs:
                instead[old.casefold()] = phrase
                placed.add(phrase)
    return instead, [phrase for phrase in dict.fromkeys(now) if phrase in new and phrase not in placed]


def in_original(book: Mapping[str, Json], now: Mapping[str, Mapping[str, Json] | None]) -> Json:
    """Return the card's book that a World Info was made of, with the same edits in it.

    SillyTavern writes them there as well. `now` are the entries that were edited, by number, None where one
    is gone. Nothing of it is kept where one of them is not to be found in it: its old words may be.
    """
    kept = book.get("originalData")
    entries = as_object(kept).get("entries")
    if not isinstance(kept, dict) or not isinstance(entries, list) or not now:
        return kept
    if not now.keys() <= {str(as_object(entry).get("id")) for entry in entries}:
        return None
    made: list[Json] = []
    for entry in entries:
        number = str(as_object(entry).get("id"))
        if number not in now:
            made.append(entry)
            continue
        other = now[number]
        if other is not None:
            theirs = {"content": "content", "comment": "comment", "key": "keys"}
            made.append(
                {**as_object(entry), **{theirs[name]: other[name] for name in theirs if name in other}}
            )
    return {**kept, "entries": made}
