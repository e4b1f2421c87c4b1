"""Files of one machine with new names for sessions and memories that got another number in a merge."""

import re

from reel_cli.core.files.index_file import parse_line
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.files.ledger_file import make_entry, parse_entry, render_entry
from reel_cli.core.values.source import NewNames

_PROSE = re.compile(
    r"(?:- )?(?:words|older_says|newer_says|why|title|anchor|marker|tag|immune_reason|model|name|description)"
    r"[ \t]*:"
)
_FRONTED = ("ring1/", "ring3/", "review/")
_ENTRY = b"---\nkind: thread\n"
"""The beginning of a proposal whose text is an entry of IDs."""
_UNTOLD = ("ring0/", "ring2/", "checkpoints/", "kit.yaml", ".git", "tape/")


def retell(path: str, data: bytes, base: bytes | None, names: NewNames) -> bytes:
    """Return one side's file with its pointers renamed; lines it always had stay as they are."""
    if not names or path.startswith(_UNTOLD) or b"\0" in data:
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    known = set((base or b"").decode("utf-8", "replace").splitlines(keepends=True))
    lines = text.splitlines(keepends=True)
    last = len(lines)
    if path.startswith(_FRONTED) and _ENTRY not in data:
        last = next((at for at, line in enumerate(lines) if at and line.rstrip() == "---"), 0)
    for at, line in enumerate(lines[:last]):
        if line not in known:
            lines[at] = _retell_line(path, line, names)
    return "".join(lines).encode("utf-8")


def _retell_line(path: str, line: str, names: NewNames) -> str:
    if path.startswith("journal/"):
        return retell_entry(line, names)
    if path == "ring4/index.md":
        return _retell_index_line(line, names)
    file = find_kit_file(path)
    prose = path.startswith(_FRONTED) or (file is not None and file.quotes)
    return line if prose and _PROSE.match(line.lstrip()) else names.text(line)


def retell_entry(line: str, names: NewNames) -> str:
    """Return a journal line with its target under the new name."""
    entry = parse_entry(line)
    if entry is None:
        return line
    session, on = names.text(entry.session), names.text(entry.on)
    if (session, on) == (entry.session, entry.on):
        return line
    renamed = make_entry(entry.at, session, entry.do, on, entry.query)
    return render_entry(renamed) + line[len(line.rstrip("\r\n")) :]


def _retell_index_line(line: str, names: NewNames) -> str:
    """Return an index line with its number and its stretch renamed; description and phrase stay."""
    if parse_line(line.rstrip("\r\n")) is None:
        return line
    head, bar, rest = line.partition("|")
    body, mark, tail = rest.rpartition("<!--")
    return names.text(head) + bar + body + mark + (names.text(tail) if mark else tail)
