"""A YAML file that holds a list of entries under one key, each named by its path: edited entry by entry.

What a person wrote beside it stays: comments, the order, keys that are not ours in an entry or above it.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import dedent

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import set_yaml_fields
from reel_cli.core.files.yaml_text import Plain, parse_mapping, parse_yaml, render_mapping, render_scalar

PATH = "path"
"""The key an entry is named by."""
FLAGS = frozenset({"trigger_gc", "promoted"})
"""The keys whose value is `true` where they stand."""
Fields = Mapping[str, str]
"""One entry: its keys in the order they are written; "" for a key that is to be absent."""


def set_entries(text: str, key: str, head: Mapping[str, str | None], entries: Sequence[Fields]) -> str:
    """Return the file with exactly these entries under `key`, each path once, and scalars above them.

    An entry that stays keeps its lines but for what has changed; new ones come last. `head` values are plain
    text, None to take a key out. Raises ReelError where the file is no such list.
    """
    if not text.strip():
        text = "".join(
            f"{name}: {_scalar(name, value)}\n" for name, value in head.items() if value is not None
        )
        return text + (
            f"\n{key}:\n" + "".join(_block(one, 2) for one in entries) if entries else f"{key}: []\n"
        )
    before = parse_mapping(text, key)
    edited = _edit(text, key, entries)
    edited = edited and set_yaml_fields(edited, {n: v and _scalar(n, v) for n, v in head.items()})
    wanted = _merged(before, key, head, entries)
    if edited is None or _parsed(edited) != wanted:
        # the file has another layout than ours: only its comments are lost
        return render_mapping(wanted)
    return edited


def listed(fields: Mapping[str, Plain], key: str, where: str) -> list[dict[str, str]]:
    """Return the entries under `key`, each as texts; raises ReelError if it is no list with paths."""
    value = fields.get(key, "")
    if value == "":
        return []
    if not isinstance(value, list):
        message = f"{where}: {key} should be a list."
        raise ReelError(message, hint="each begins with  - path: …")
    found = []
    for number, one in enumerate(value, start=1):
        told = {k: v for k, v in one.items() if isinstance(v, str)} if isinstance(one, dict) else {}
        if not told.get(PATH, "").strip():
            message = f"{where}: entry {number} of {key} has no path."
            raise ReelError(message, hint="each begins with  - path: …")
        found.append(told)
    return found


def _parsed(text: str) -> Mapping[str, Plain] | None:
    try:
        return parse_mapping(text, "")
    except ReelError:
        return None


def _merged(
    before: Mapping[str, Plain], key: str, head: Mapping[str, str | None], entries: Sequence[Fields]
) -> dict[str, Plain]:
    """Return the file's new contents; entries that remain keep their places."""
    old: dict[str, dict[str, Plain]] = {}
    for entry in _entries(before.get(key, "")):
        old.setdefault(str(entry[PATH]), entry)
    fresh = {one[PATH]: one for one in entries}
    made: list[Plain] = []
    for path in dict.fromkeys([*(p for p in old if p in fresh), *fresh]):
        kept = {k: v for k, v in old.get(path, {}).items() if fresh[path].get(k, v) != ""}
        made.append({**kept, **{k: v for k, v in fresh[path].items() if v}})
    whole = {k: v for k, v in before.items() if head.get(k, "") is not None}
    return {**whole, **{k: v for k, v in head.items() if v is not None}, key: made or []}


def _entries(value: Plain) -> list[dict[str, Plain]]:
    return (
        [one for one in value if isinstance(one, dict) and isinstance(one.get(PATH), str)]
        if isinstance(value, list)
        else []
    )


def _edit(text: str, key: str, entries: Sequence[Fields]) -> str | None:
    """Return the text with its list changed line by line; None where it is not written in block style."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    heads = [n for n, line in enumerate(lines) if re.match(rf"{key}[ \t]*:", line)]
    if len(heads) != 1:
        return None
    plain = re.fullmatch(rf"({key}[ \t]*:)[ \t]*(\[[ \t]*\])?[ \t]*(#.*)?\r?\n", lines[heads[0]])
    if plain is None:
        return None
    first, end = heads[0] + 1, heads[0] + 1
    for at in range(first, len(lines)):
        if lines[at].strip() and not re.match(r"[ \t]|-(?:[ \t]|\r?$)", lines[at]):
            if lines[at].startswith("#"):
                continue
            break
        if lines[at].strip():
            end = at + 1
    made = _edit_list(lines[first:end], entries)
    if made is None:
        return None
    note = f"  {plain[3]}" if plain[3] else ""
    opened = f"{plain[1]}{'' if entries else ' []'}{note}\n"
    return "".join([*lines[: heads[0]], opened, *made, *lines[end:]])


def _edit_list(lines: Sequence[str], entries: Sequence[Fields]) -> list[str] | None:
    """Return the changed lines of a list; comments that stand by themselves stay where they are."""
    left = {one[PATH]: one for one in entries}
    starts = [n for n, line in enumerate(lines) if re.match(r"[ \t]*-(?:[ \t]|\r?$)", line)]
    indent = _indent(lines[starts[0]]) if starts else 2
    starts = [n for n in starts if _indent(lines[n]) == indent]
    made = list(lines[: starts[0]] if starts else lines)
    for start, end in pairwise([*starts, len(lines)]):
        stop = end
        while stop > start + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
            stop -= 1
        path = _path_of(lines[start:stop])
        if path is None:
            return None
        wanted = left.pop(path, None)
        if wanted is not None:
            made += _edit_entry(lines[start:stop], wanted, indent)
        made += lines[stop:end]
    while made and not made[-1].strip():
        made.pop()
    for one in left.values():
        made += _block(one, indent).splitlines(keepends=True)
    return made


def _path_of(lines: Sequence[str]) -> str | None:
    try:
        value = parse_yaml(dedent("".join(lines)), "")
    except ReelError:
        return None
    found = _entries(value)
    path = found[0][PATH] if len(found) == 1 else None
    return path if isinstance(path, str) else None


def _edit_entry(lines: Sequence[str], wanted: Fields, indent: int) -> list[str]:
    """Return one entry with its changes; `path` is as it was."""
    # without its dash an entry is a mapping
    inner = re.sub(r"-", " ", "".join(lines), count=1)
    pad = _indent(inner)
    body = "".join(line[pad:] if line[:pad].isspace() else line for line in inner.splitlines(keepends=True))
    now = _parsed(body) or {}
    changes = {
        key: _scalar(key, value) if value else None
        for key, value in wanted.items()
        if key != PATH and now.get(key, "") != value
    }
    changed = set_yaml_fields(body, changes).splitlines(keepends=True)
    padded = [" " * pad + line if line.strip() else line for line in changed]
    return [padded[0][:indent] + "-" + padded[0][indent + 1 :], *padded[1:]]


def _scalar(key: str, value: str) -> str:
    """Return a value as it is written; a truth value of ours without quotation marks."""
    return value if key in FLAGS else render_scalar(value)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _block(entry: Fields, indent: int) -> str:
    pad = " " * indent
    told = [f"{key}: {_scalar(key, value)}" for key, value in entry.items() if value]
    return f"{pad}- " + f"\n{pad}  ".join(told) + "\n"
