"""`threads.yaml`: the word of a person or the persona on threads, a key for each.

The key is the thread's name as it was found (`flat`), or any word it comes up by. All that this reel does not
know in the file stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.unread_fields import find_line
from reel_cli.core.files.yaml_edit import add_item, drop_item, drop_value, set_value
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_flow, render_inline, render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.source import SESSION_ID
from reel_cli.core.values.talk import PURGED

if TYPE_CHECKING:
    import yaml

NAMES = "threads.yaml"
THEME, MEMBERS, NOT, SOURCE = "theme", "members", "not", "source"
KEYS = (THEME, MEMBERS, NOT, SOURCE)
NONE = "none"
"""The word for something that was found and is no thread."""
LONGEST = 60
"""Characters of a thread's name."""
BEGIN = """\
# What you say of threads counts before what is found. A key is a thread as `reel memory threads` lists it,
# or a word that it comes up by:
#
# flat:
#   theme: the move                # how it is called
#   members: [M-004, 2026-03-01-1] # memories and chats that belong to it
#   not: [M-007]                   # and those that do not
# yoga: none                       # no thread at all
"""
"""The text of a file that a person begins."""


@frozen
class NamedThread:
    """A person's or the persona's word on one thread: its name, what belongs to it and what does not, by ID.

    `is_none`: it is no thread. `source` is the chat on whose page it got its name, "" for a person's word.
    """

    key: str
    theme: str = ""
    members: Sequence[str] = ()
    others: Sequence[str] = ()
    is_none: bool = False
    source: str = ""

    @property
    def name(self) -> str:
        """Return how it is called."""
        return self.theme or self.key

    def means(self, word: str) -> bool:
        """Return whether a word is its key or its name, whatever the case or number."""
        from reel_cli.features.threads.terms import plain_form

        return plain_form(word) in (plain_form(self.key), plain_form(self.name))


def parse_named(text: str, path: str = NAMES) -> list[NamedThread]:
    """Read the file, in its order; ReelError naming the line where an entry cannot be read."""
    found = []
    for key, told in parse_mapping(text, path).items():
        fault = _find_fault(key, told)
        if fault is not None:
            line = find_line(text, path, key, fault.key)
            message = f"{path}, line {line}: {one_line(key, LONGEST)}: {fault.what}."
            raise ReelError(message, hint=fault.mend)
        found.append(_read(key, told))
    if (twice := _find_twice(_pairs(text))) is not None:
        message = f"{path}, line {twice[1]}: {one_line(twice[0], LONGEST)} stands there twice."
        raise ReelError(message, hint="put what both say under one of them")
    return found


def read_named(snapshot: Snapshot) -> list[NamedThread]:
    """Return what the kit says of threads; nothing where the file cannot be read, which the doctor names.

    A name that the page of a retracted chat gave does not count.
    """
    if not (text := snapshot.text(NAMES)):
        # most kits have none, and recall need not load YAML for it
        return []
    try:
        found = parse_named(text)
    except ReelError:
        return []
    there = frozenset(standing_sessions(snapshot)) if any(one.source for one in found) else frozenset()
    return [replace(one, theme="") if one.source and one.source not in there else one for one in found]


def put_named(text: str, said: NamedThread) -> str:
    """Return the file with what was said of one thread besides; the later word on a member counts.

    Raises ReelError where the file cannot be read, or not be changed without what else it says.
    """
    named = parse_named(text)
    there = next((one for one in named if one.means(said.key)), None)
    try:
        made = _add_entry(text, render_named(said)) if there is None else _change_entry(text, there, said)
        rest: Sequence[NamedThread] | None = [
            one for one in parse_named(made) if one.key not in (said.key, there and there.key)
        ]
    except ReelError:
        rest = None
    if rest is None or rest != [one for one in named if one is not there]:
        message = f"{NAMES} is written in a way that nothing can be added to by itself."
        raise ReelError(message, hint="add it by hand:  reel edit threads")
    return made


def _add_entry(text: str, entry: str) -> str:
    return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{entry}"


def _change_entry(text: str, there: NamedThread, said: NamedThread) -> str:
    """Return the file in which an entry says besides what was said of its thread."""
    key = there.key
    if said.is_none:
        return set_value(text, [key], NONE, NAMES)
    if there.is_none:
        text = set_value(text, [key], "{}", NAMES)
    elif there.theme and not _entry(text, key):
        text = set_value(text, [key], f"{{{THEME}: {render_scalar(there.theme)}}}", NAMES)
    for items, place, other in ((said.members, MEMBERS, NOT), (said.others, NOT, MEMBERS)):
        held = _list(_entry(text, key).get(place, ""))
        for item in items:
            if item not in held:
                text = add_item(text, [key, place], item, NAMES)
            text = drop_item(text, [key, other], item, NAMES)
    for place, value in ((THEME, said.theme), (SOURCE, said.source if said.theme else "")):
        if value and value != there.name:
            text = set_value(text, [key, place], render_scalar(value), NAMES)
    return text


def render_named(one: NamedThread) -> str:
    """Return the entry of one thread as the file has it."""
    key = render_scalar(one.key)
    if one.is_none:
        return f"{key}: {NONE}\n"
    lines = [f"{key}:"]
    lines += [f"  {place}: {render_scalar(told)}" for place, told in ((THEME, one.theme),) if told]
    lists = ((MEMBERS, one.members), (NOT, one.others))
    lines += [f"  {place}: {render_flow(items)}" for place, items in lists if items]
    lines += [f"  {SOURCE}: {render_scalar(one.source)}"] if one.source else []
    return "\n".join(lines) + "\n"


def purge_named(text: str, session: str) -> str:
    """Return the file in which a session is not named, nor a name that came from its page."""
    for one in parse_named(text):
        for place, items in ((MEMBERS, one.members), (NOT, one.others)):
            if session in items:
                text = drop_item(text, [one.key, place], session, NAMES)
        if one.source == session:
            text = drop_value(text, [one.key, THEME], NAMES)
            text = drop_value(text, [one.key, SOURCE], NAMES)
    return text


def join_named(ours: str, theirs: str, base: str) -> str:
    """Return the other side's file with what this one says besides; ReelError where one cannot be read.

    What only one of them calls no thread, and the other says more of, stays a thread.
    """
    mine, its, before = (parse_mapping(text, NAMES) for text in (ours, theirs, base))
    there = parse_named(theirs)
    for one in parse_named(ours):
        if mine[one.key] == before.get(one.key):
            continue
        other = next((other.key for other in there if other.means(one.key)), None)
        if other is None:
            theirs = _add_entry(theirs, _raw_entry(ours, one.key))
            continue
        if not one.is_none or its[other] == before.get(other):
            theirs = put_named(theirs, one)
        if isinstance(parse_mapping(theirs, NAMES)[other], dict):
            rest = {key: value for key, value in _entry(ours, one.key).items() if key not in KEYS}
            for key in sorted(rest.keys() - _entry(theirs, other).keys()):
                theirs = set_value(theirs, [other, key], render_inline(rest[key]), NAMES)
    parse_named(theirs)
    return theirs


@frozen
class _Fault:
    """A fault of one entry, the key below it where it lies ("" for the whole), and how to mend it."""

    what: str
    mend: str
    key: str = ""


def _find_fault(key: str, told: Plain) -> _Fault | None:
    shape = f"write it like  {key or 'flat'}: {{theme: the move, members: [M-004]}}"
    if not key.strip():
        return _Fault("this entry names no thread", shape)
    if isinstance(told, list):
        return _Fault("a list says neither theme nor members", shape)
    entry: Mapping[str, Plain] = {THEME: told} if isinstance(told, str) else told
    for place in (THEME, SOURCE):
        value = entry.get(place, "")
        if not isinstance(value, str) or len(value) > LONGEST:
            return _Fault(f"{place} should be a few words", f"write it like  {place}: the move", place)
    for place in (MEMBERS, NOT):
        for item in _list(entry.get(place, "")):
            if not _is_member(item):
                what = f"“{one_line(str(item), 40)}” under {place} is no memory and no chat"
                return _Fault(what, f"name them by ID:  {place}: [M-004, 2026-03-01-1]", place)
    both = [item for item in _list(entry.get(MEMBERS, "")) if item in _list(entry.get(NOT, ""))]
    if both:
        return _Fault(f"{both[0]} is under members and under not", "delete one of the two", NOT)
    return None


def _is_member(item: Plain) -> bool:
    """Return whether an item is an ID, or what a purge left of one."""
    known = isinstance(item, str) and (MEMORY_ID.fullmatch(item) or SESSION_ID.fullmatch(item))
    return bool(known) or item == PURGED


def _read(key: str, told: Plain) -> NamedThread:
    entry: Mapping[str, Plain] = told if isinstance(told, dict) else {}
    if isinstance(told, str):
        entry = {THEME: told}
    text = {place: value for place in (THEME, SOURCE) if isinstance(value := entry.get(place, ""), str)}
    if isinstance(told, str) and told.casefold() == NONE:
        return NamedThread(key, is_none=True)
    members, others = (
        tuple(item for item in _list(entry.get(place, "")) if isinstance(item, str))
        for place in (MEMBERS, NOT)
    )
    return NamedThread(key, " ".join(text[THEME].split()), members, others, source=text[SOURCE])


def _list(value: Plain) -> Sequence[Plain]:
    """Return the items of a list, or of one value alone."""
    if isinstance(value, list):
        return value
    return [value] if value else []


def _entry(text: str, key: str) -> Mapping[str, Plain]:
    """Return the fields of one entry; none where it is one word."""
    told = parse_mapping(text, NAMES).get(key)
    return told if isinstance(told, dict) else {}


def _find_twice(pairs: "Sequence[tuple[yaml.Node, yaml.Node]]") -> tuple[str, int] | None:
    """Return a key that a mapping, or one in it, has a second time, with its line; a purge may leave such."""
    seen: set[str] = set()
    for at, value in pairs:
        if at.value in seen and at.value != PURGED:
            return str(at.value), int(at.start_mark.line) + 1
        seen.add(at.value)
        inner = value.value if value.tag.endswith(":map") else []
        if (found := _find_twice(inner)) is not None:
            return found
    return None


def _raw_entry(text: str, key: str) -> str:
    """Return an entry letter for letter, with the comments in it."""
    starts = [(one.value, one.start_mark.index) for one, _ in _pairs(text)]
    start = next((place for name, place in starts if name == key), 0)
    end = next((place for _, place in starts if place > start), len(text))
    return f"{text[start:end].rstrip()}\n"


def _pairs(text: str) -> "list[tuple[yaml.Node, yaml.Node]]":
    """Return the keys of the file and their values, as they stand in it; none where the loader stumbles."""
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return []
    return root.value if isinstance(root, yaml.MappingNode) else []
