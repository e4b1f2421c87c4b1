"""`journal/YYYY-MM.jsonl`: the ledger of attention, append-only.

One line for each thing recalled, referenced, packed, touched or pinned.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.files.tree import TextTree
    from reel_cli.core.values.change import Change

ACTS = ("recall", "reference", "pack", "touch", "pin", "unpin")
DECISIONS = ("pin", "unpin")
"""The acts that are a change of their own, and not something that just happened."""
USES = frozenset({"recall", "reference"})
"""The acts that are use and keep a memory alive; being packed does not."""


@frozen
class Entry:
    """One journal line: what was done `on` which memory, line or path, when (`at`, ISO 8601).

    `query` are the words of a recall that somebody wrote; "" where none were, or they are too long to keep.
    """

    id: str
    at: str
    session: str
    do: str
    on: str
    query: str = ""


_KEYS = frozenset({"id", "at", "session", "do", "on", "query"})
ID_DIGITS = 12
LONGEST_QUERY = 200
"""Characters above which a query is a passage, and not kept."""


def journal_path(at: str) -> str:
    """Return the journal file an entry of this time belongs in."""
    return f"journal/{at[:7]}.jsonl"


def make_entry(at: str, session: str, do: str, on: str, query: str = "") -> Entry:
    """Return a new ledger entry; its ID is unique on any machine, and the same if made again.

    A query is part of it: what was asked for in the second in which it also came up by itself is another.
    """
    from hashlib import sha256

    kept = query if len(query) <= LONGEST_QUERY else ""
    whole = "\0".join((at, session, do, on, kept) if kept else (at, session, do, on)).encode()
    return Entry(sha256(whole).hexdigest()[:ID_DIGITS], at, session, do, on, kept)


def render_entry(entry: Entry) -> str:
    """Return one journal line, without its newline."""
    fields = {"id": entry.id, "at": entry.at, "session": entry.session, "do": entry.do, "on": entry.on}
    if entry.query:
        fields["query"] = entry.query
    return json.dumps(fields, ensure_ascii=False)


def parse_entry(line: str) -> Entry | None:
    """Read one journal line; None where it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    parts = [value.get(key) for key in ("id", "at", "session", "do", "on")]
    if not all(isinstance(part, str) for part in parts) or value["do"] not in ACTS:
        return None
    query = value.get("query")
    return Entry(*(str(part) for part in (*parts, query if isinstance(query, str) else "")))


def without_queries(lines: Sequence[str], names: Collection[str]) -> list[str]:
    """Return journal lines without the words of the recalls that brought one of these memories."""
    entries = [parse_entry(line) for line in lines]
    brought = {(one.at, one.session) for one in entries if one and one.do == "recall" and one.on in names}
    return [
        render_entry(replace(one, query=""))
        if one and one.query and (one.at, one.session) in brought
        else line
        for line, one in zip(lines, entries, strict=True)
    ]


def holds_entry(line: str) -> bool:
    """Return whether a line holds an entry, which may be one of a later version."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("id", "at", "do"))


def find_unread_acts(_path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the acts and keys of journal lines that reel does not know, each with its line."""
    from reel_cli.core.files.unread_fields import LONGEST_WORD

    for number, line in enumerate(text.splitlines(), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            act = value.get("do")
            if isinstance(act, str) and act not in ACTS:
                yield number, f"the act {one_line(act, LONGEST_WORD)}"
            for key in value.keys() - _KEYS:
                yield number, f"the field {one_line(key, LONGEST_WORD)}"


def read_ledger(kit: "TextTree") -> Iterator[Entry]:
    """Yield every entry of the journal, in file order; skips lines that do not parse."""
    for path in kit.list("journal"):
        for line in (kit.text(path) or "").splitlines():
            entry = parse_entry(line)
            if entry is not None:
                yield entry


def add_entries(change: "Change", kit: "TextTree", entries: Sequence[Entry]) -> "Change":
    """Return the change with these entries appended to the journal."""
    writes: dict[str, bytes] = {}
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            continue
        seen.add(entry.id)
        path = journal_path(entry.at)
        written = {**change.writes, **writes}
        # a journal that the change empties is empty, whatever the kit still holds
        before = (written[path] if path in written else kit.read(path)) or b""
        line = render_entry(entry).encode()
        # an entry that differs only in its ID, as an earlier version wrote it, is the same entry
        if f'"id": "{entry.id}"'.encode() in before or line.partition(b", ")[2] in before:
            continue
        if before and not before.endswith(b"\n"):
            before += b"\n"
        writes[path] = before + line + b"\n"
    return change.also(writes) if writes else change


def fold_touches(change: "Change", kit: "TextTree", lines: Sequence[str]) -> "Change":
    """Return the change with the touches of reading commands added."""
    entries = [entry for entry in map(parse_entry, lines) if entry is not None]
    return add_entries(change, kit, entries)
