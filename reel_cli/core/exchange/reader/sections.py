"""A reply cut at its labels, whatever they are dressed as: Markdown, YAML by line, tables."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from textwrap import dedent

from reel_cli.core.exchange.reader.blocks import decode_block
from reel_cli.core.exchange.reader.dialects import choose, dialect
from reel_cli.core.exchange.reader.fences import Fence, find_fences, is_fence
from reel_cli.core.exchange.reader.items import end_of_list
from reel_cli.core.exchange.reader.labels import SECTION, Label, Names, find_labels, split_row
from reel_cli.core.exchange.reader.strangers import Stranger, as_yaml, find_strangers, find_unknown_keys
from reel_cli.core.exchange.reader.trees import Tree
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen

HOLE = "\0"
"""A line in the place of something that was taken out; cleaned text has none of its own."""

_YAML_LIKE = frozenset({"snake", "quoted", "colon"})
_INLINE = re.compile(
    r"(?<=[.!?…\"”’»)\]*_])[ \t]+(?:\d{1,2}[.)][ \t]+)?"
    r"[*_]{0,3}([^\s:：*_.!?][^\n:：*.!?]{2,60}?)[*_]{0,3}[:：][*_]{0,3}(?=\s)"
    r"|(?<=\s)\*\*([^\n:：*]{3,60})(?:[:：]\*\*|\*\*[:：])(?=\s)"
)
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)


@frozen
class Entry:
    """One field as it stands in the reply.

    `explicit` says that a blank body is an answer (`null`, `[]`), `final` that the reply ends in
    it, `merged` names the fields whose label shared this one's line.
    """

    key: str
    body: Tree
    form: str
    explicit: bool = False
    final: bool = False
    merged: tuple[str, ...] = ()


@dataclass(slots=True)
class Page:
    """The result of reading by line.

    `proposed` are texts under strangers that may be fields, by key; `stray` is prose under no
    heading, each after the first field that is missing there; `unknown` are keys of YAML.
    """

    entries: list[Entry] = field(default_factory=list)
    dialect: str = "none"
    proposed: dict[str, str] = field(default_factory=dict)
    strangers: list[Stranger] = field(default_factory=list)
    stray: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def read_lines(lines: Sequence[str], schema: Schema, names: Names, given: Iterable[str] = ()) -> Page:
    """Cut the lines at the labels of the schema; fields in `given` are already answered elsewhere."""
    page = Page()
    candidates = find_labels(lines, names)
    real = [label for label in candidates if label.key != SECTION]
    if not real:
        return _one_paragraph(lines, names, set(given))
    first = min((label.line for label in real if label.strong), default=real[0].line)
    outer, fences = find_fences(lines, first)
    clear, shut = _sort_fences(fences, real, first, len(lines))
    open_labels = [label for label in candidates if not shut[label.line]]
    accepted = choose(
        [label for label in open_labels if label.key != SECTION],
        [label for label in real if shut[label.line]],
        names,
        set(given),
    )
    if not accepted:
        return _one_paragraph(lines, names, set(given))
    walls = _walls(lines, open_labels, accepted, [*clear, *([outer] if outer else [])])
    accepted = as_yaml(lines, accepted, walls)
    page.dialect = dialect(accepted)
    keys = find_unknown_keys(lines, accepted, walls, names)
    page.unknown = list(keys.values())
    walls |= set(keys)
    have = set(given) | {key for label in accepted for key in label.keys}
    missing = [spec for spec in schema.asked if spec.key not in have and have.isdisjoint(spec.instead)]
    page.strangers = find_strangers(lines, accepted, missing, shut, names)
    walls |= {stranger.line for stranger in page.strangers}
    page.proposed = {
        one.key: _text(lines, one.line, one.text, _end(one.line, accepted, walls, len(lines)))
        for one in page.strangers
        if one.key
    }
    page.entries = split_inline(_entries(lines, accepted, open_labels, walls), names, set(given))
    have = set(given) | {key for entry in page.entries for key in (entry.key, *entry.merged)}
    before = _one_paragraph(lines[: accepted[0].line], names, have, page.entries[0].key)
    page.entries = [*before.entries, *page.entries]
    _end_lists(page, missing, schema, names)
    return page


def _end_lists(page: Page, missing: Sequence[FieldSpec], schema: Schema, names: Names) -> None:
    """Remove from a list the prose that follows it, if the field that should follow is missing."""
    ends = [*(names.order[entry.key] for entry in page.entries[1:]), len(names.order)]
    for number, (entry, end) in enumerate(zip(page.entries, ends, strict=True)):
        near = next((s.key for s in missing if names.order[entry.key] < names.order[s.key] < end), None)
        if near is None or not isinstance(entry.body, str) or schema[entry.key].shape != "list":
            continue
        at = end_of_list(entry.body)
        if at is not None:
            page.entries[number] = replace(entry, body=entry.body[:at], final=False)
            page.stray.append((near, entry.body[at:].strip()))


def _sort_fences(
    fences: Sequence[Fence], labels: Sequence[Label], first: int, total: int
) -> tuple[list[Fence], bytearray]:
    """Return the fences that hold a part of the answer, and for each line whether another fence holds it.

    Labels count in the first and not in the others, which belong to a field.
    """
    strong = [label for label in labels if label.strong]
    places = [label.line for label in strong]
    clear: list[Fence] = []
    shut = bytearray(total)
    for fence in fences:
        last = total if fence.last is None else fence.last
        inside = {
            label.key for label in strong[bisect_right(places, fence.first) : bisect_left(places, last)]
        }
        if len(inside) > 1 or fence.last is None or (fence.first < first and inside):
            clear.append(fence)
        else:
            shut[fence.first : last + 1] = b"\1" * (last + 1 - fence.first)
    return clear, shut


def _walls(
    lines: Sequence[str], labels: Sequence[Label], accepted: Sequence[Label], fences: Sequence[Fence]
) -> set[int]:
    """Return the lines that end a field and belong to none: part headings, fences around parts."""
    walls = {number for number, line in enumerate(lines) if line == HOLE}
    heads = {label.line for label in accepted}
    parts = heads | {label.line for label in labels if label.key == SECTION}
    for fence in fences:
        # a fence that opens in the middle of a field is that field's, though labels follow in it
        following = fence.first + 1
        while following < len(lines) and not lines[following].strip():
            following += 1
        if following in parts or following == len(lines):
            walls |= {fence.first} | ({fence.last} if fence.last is not None else set())
    level = accepted[0].level
    for label in labels:
        if label.key != SECTION or label.text or label.base == "plain":
            continue
        following = label.line + label.size
        while following < len(lines) and (not lines[following].strip() or following in walls):
            if lines[following] == HOLE:
                break
            following += 1
        if (
            following == len(lines)
            or lines[following] == HOLE
            or following in heads
            or (0 < label.level < level)
        ):
            walls.update(range(label.line, label.line + label.size))
    return walls


def _end(start: int, accepted: Sequence[Label], walls: Iterable[int], total: int) -> int:
    lines = [label.line for label in accepted if label.line > start] + [w for w in walls if w > start]
    return min(lines, default=total)


def _entries(
    lines: Sequence[str], accepted: Sequence[Label], every: Sequence[Label], walls: set[int]
) -> list[Entry]:
    stops = sorted({label.line for label in accepted} | walls | {len(lines)})
    ends = dict(pairwise(stops))
    by_line = {label.line: label for label in every}
    found: list[Entry] = []
    for label in accepted:
        start, end, text = label.line + label.size, ends[label.line], label.text
        echo = next((n for n in range(start, end) if lines[n].strip()), None)
        twin = by_line.get(echo) if echo is not None and not text else None
        if twin and twin.strong and twin.keys == label.keys and not twin.form.startswith("quote-"):
            start, text = twin.line + twin.size, twin.text
        body, explicit = _body(lines, label, start, end, text)
        final = label is accepted[-1] and HOLE not in lines[label.line :]
        found.append(Entry(label.key, body, label.form, explicit, final, label.keys[1:]))
    return found


def split_inline(
    entries: Sequence[Entry], names: Names, given: set[str], bound: int | None = None
) -> list[Entry]:
    """Cut fields that go on with a missing later field on the same line (`… asleep. What changed: …`)."""
    end = len(names.order) if bound is None else bound
    have = given | {key for entry in entries for key in (entry.key, *entry.merged)}
    found: list[Entry] = []
    for number, entry in enumerate(entries):
        following = entries[number + 1].key if number + 1 < len(entries) else ""
        limit = names.order.get(following, end)
        found.append(entry)
        if not isinstance(entry.body, str) or entry.explicit:
            continue
        at = 0
        for label in _INLINE.finditer(entry.body):
            keys, strong = names.find(label[1] or label[2])
            if not strong or len(keys) > 1 or keys[0] in have:
                continue
            if not names.order.get(found[-1].key, -1) < names.order[keys[0]] < limit:
                continue
            have.add(keys[0])
            found[-1] = replace(found[-1], body=entry.body[at : label.start()], final=False)
            at = label.end()
            found.append(replace(entry, key=keys[0], body=entry.body[at:], merged=()))
    return found


def _one_paragraph(lines: Sequence[str], names: Names, given: set[str], following: str = "") -> Page:
    """Return fields whose labels all stand in running text (`Sure! What happened: …`)."""
    text = "\n".join(lines)
    preamble = Entry("", text, "inline", final=not following)
    found = split_inline([preamble], names, given, names.order.get(following, len(names.order)))[1:]
    return Page(found, "inline" if found else "none")


def _body(lines: Sequence[str], label: Label, start: int, end: int, text: str) -> tuple[Tree, bool]:
    """Return a field's value, and whether a blank one is an answer."""
    if label.base == "table":
        rows = [text]
        for line in lines[start:end]:
            cells = split_row(line)
            if not line.lstrip().startswith("|") or cells[0]:
                break
            rows.append(" | ".join(cells[1:]))
        return _BREAK.sub("\n", "\n".join(rows)), False
    if label.base in _YAML_LIKE:
        strict = label.base != "colon"
        below = lines[start:end]
        return decode_block(
            text, below[: _fence_end(text, below, label.indent)] if strict else below, strict=strict
        )
    if text and (label.indent or "-" in label.form):
        return f"{text}\n{dedent(chr(10).join(lines[start:end]))}", False
    return _text(lines, start - 1, text, end), False


def _fence_end(text: str, below: Sequence[str], indent: int) -> int:
    """Return the line that closes the fence around the YAML and so ends its value, despite inner fences."""
    marks = [n for n, line in enumerate(below) if is_fence(line) and not line[indent:][:1].isspace()]
    if not marks:
        return len(below)
    first = next((line.strip() for line in below if line.strip()), "")
    if text[:1] in ("|", ">", "[", "{") or (not text and first.startswith("- ")):
        return marks[0]
    return marks[-1] if text[:1] in ('"', "'") and len(marks) % 2 else len(below)


def _text(lines: Sequence[str], head: int, text: str, end: int) -> str:
    """Return the words on the label's line and the lines below it, as one text."""
    return "\n".join([text, *lines[head + 1 : end]]) if text else "\n".join(lines[head + 1 : end])
