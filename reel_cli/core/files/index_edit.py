"""Changing single lines of `ring4/index.md`; every other byte of it stays."""

from reel_cli.core.files.index_file import EMPTY, keep_more, parse_line, render_line
from reel_cli.core.values.memory import IndexLine, memory_number


def raw_line(text: str, name: str) -> str | None:
    """Return the line of a memory as it stands there, without its line end; None where there is none."""
    found = next((line for line in text.splitlines(keepends=True) if _is_of(line, name)), None)
    return None if found is None else found.rstrip("\r\n")


def put_entry(text: str, entry: IndexLine) -> str:
    """Return the index with this entry in its memory's place; flags and fields unknown to reel stay there."""
    raw = raw_line(text, entry.id)
    old = parse_line(raw) if raw is not None else None
    return put_line(text, entry.id, render_line(keep_more(old, entry) if old is not None else entry))


def put_line(text: str, name: str, raw: str) -> str:
    """Return the index with this line in the memory's place, else inserted by its number."""
    lines = (text or EMPTY).splitlines(keepends=True)
    for at, line in enumerate(lines):
        if _is_of(line, name):
            lines[at] = raw + line[len(line.rstrip("\r\n")) :]
            return "".join(lines)
    number = memory_number(name)
    later = (
        i for i, line in enumerate(lines) if (found := parse_line(line)) and memory_number(found.id) > number
    )
    at = next(later, len(lines))
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    if at and at == len(lines) and lines[-1].strip() and parse_line(lines[-1]) is None:
        raw = f"\n{raw}"
    return "".join([*lines[:at], f"{raw}\n", *lines[at:]])


def drop_line(text: str, name: str) -> str:
    """Return the index without the line of a memory."""
    lines = text.splitlines(keepends=True)
    at = next((i for i, line in enumerate(lines) if _is_of(line, name)), None)
    return text if at is None else "".join(lines[:at] + lines[at + 1 :])


def _is_of(line: str, name: str) -> bool:
    found = parse_line(line.rstrip("\r\n")) if name in line else None
    return found is not None and found.id == name
