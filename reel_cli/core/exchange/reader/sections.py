"""A reply cut at its labels, whatever they are dressed as: Markdown, YAML by line, tables.

Each field is decoded on its own: a fault in one must not cost the others.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import pairwise
from textwrap import dedent

from reel_cli.core.exchange.reader.cleaning import Fence, find_fences, is_fence
from reel_cli.core.exchange.reader.dialects import (
    ENOUGH,
    Stranger,
    as_yaml,
    choose,
    dialect,
    find_strangers,
    find_unknown_keys,
)
from reel_cli.core.exchange.reader.items import end_of_list, unquote
from reel_cli.core.exchange.reader.labels import SECTION, Label, Names, find_labels, split_row
from reel_cli.core.exchange.reader.trees import Pairs, Tree, loses_nothing, parse_json, parse_yaml
from reel_cli.core.exchange.reader.values import is_verdict
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen, late, mutable

_BLOCK = late(r"([|>])[+-]?\d?[+-]?[ \t]*(?:#.*)?")
_COMMENT = late(r"(.*?)(?:[ \t]{2,}#|[ \t]+#[ \t]).*")
_STRUCTURED = late(r"-[ \t]+\S|-$|[\w][\w -]{0,60}:(?:[ \t]|$)")
_NESTED = late(r"-?[ ]+(?:-[ \t]|[|>][+-]?$)")
_KEY_BELOW = late(r"[ ]+[\w-]{1,40}:(?:[ \t]|$)")


def decode_block(text: str, below: Sequence[str], *, strict: bool) -> tuple[Tree, bool]:
    """Return the value of a key and whether blank counts as an answer, from its line and the lines below.

    Block scalars, quoted scalars, flow and block collections are read as YAML; whatever is not
    YAML, or would lose words as YAML, stays text. `strict` says that the key was a YAML key.
    """
    head = text.strip()
    block = _BLOCK.fullmatch(head)
    if block:
        body = dedent("\n".join(below)).strip("\n")
        return (body if block[1] == "|" else _fold(body)), True
    if not strict:
        return "\n".join([text, *below] if text else below), False
    lines = _without_comments(below)
    if head.startswith("#") and not head.startswith("##"):
        head = ""
    if head[:1] in ('"', "'", "[", "{", "“"):
        value = _quoted(head, lines)
        if value is not None:
            return value, True
    elif not head and any(_STRUCTURED.match(line.strip()) for line in lines[:3]):
        value = _collection(lines)
        if value is not None:
            return value, True
    elif head:
        comment = _COMMENT.fullmatch(head)
        if comment and (is_verdict(comment[1]) or re.search(r"[ \t]{2,}#", head)):
            head = comment[1].strip()
    rest = dedent("\n".join(lines))
    head = head.removesuffix(",") if head[:1] in ('"', "'") and not rest.strip() else head
    whole = f"{head}\n{rest}" if head else rest
    return whole, not whole.strip()


def _quoted(head: str, below: Sequence[str]) -> "Tree | None":
    """Return a quoted scalar or a flow collection, which may continue below."""
    whole = "\n".join([head, *below]).strip()
    if head[0] in "[{":
        flow = parse_yaml(whole)
        if isinstance(flow, list | Pairs):
            return flow
        parsed = parse_json(whole, 0)
        return parsed.tree if not parsed.cut and not whole[parsed.end :].strip(" \t\n,}") else None
    whole = whole.rstrip(", \t\n}")
    tree = parse_yaml("- " + whole.replace("\n", "\n  ")) if head[0] != "“" else None
    if isinstance(tree, list) and len(tree) == 1 and isinstance(tree[0], str):
        # YAML drops a comment after the closing quote
        return tree[0] if whole.endswith(head[0]) or _COMMENT.fullmatch(whole) else None
    close = "”" if head[0] == "“" else head[0]
    inner = whole[1:-1]
    if len(whole) > 1 and whole.endswith(close) and close not in inner.replace(f"\\{close}", ""):
        return inner.replace(f"\\{close}", close)
    return None


def _collection(lines: Sequence[str]) -> "Tree | None":
    """Return a block list or mapping; None if YAML would lose some of its words."""
    text = dedent("\n".join(lines)).strip("\n")
    items = _plain_items(text)
    if items is not None:
        return items
    tree = parse_yaml(text)
    if not isinstance(tree, list | Pairs):
        return None
    if not loses_nothing(text, tree):
        return None
    return tree


def _plain_items(text: str) -> list[Tree] | None:
    """Return the items of a list of scalars, their words untouched; None where it is more than that.

    `- Wine: faults next` is a line and no mapping, and `# 4` in it no comment.
    """
    items: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith("- ") and not _NESTED.match(line):
            items.append([line[2:].strip()])
        elif items and line[:1] == " " and not _NESTED.match(line):
            if _KEY_BELOW.match(line) and _KEY_BELOW.match(f" {items[-1][0]}"):
                return None
            items[-1].append(line.strip())
        elif line.strip():
            return None
    found: list[Tree] = []
    for parts in items:
        quoted = _quoted(parts[0], parts[1:]) if parts[0][:1] in ('"', "'", "{", "“") else None
        found.append(" ".join(parts).strip() if quoted is None else quoted)
    return found


def _without_comments(lines: Sequence[str]) -> list[str]:
    """Return the lines below a key without comment lines that stand before the next key."""
    kept = list(lines)
    while kept and (not kept[-1].strip() or re.match(r"[ \t]*#(?:[ \t]|$|-|=)", kept[-1])):
        kept.pop()
    return kept


def _fold(text: str) -> str:
    """Return a folded scalar: single newlines become spaces, blank lines separate paragraphs."""
    paragraphs = re.split(r"\n[ \t]*\n", text)
    return "\n\n".join(
        paragraph if paragraph.startswith((" ", "\t")) else re.sub(r"\n(?![ \t-])", " ", paragraph)
        for paragraph in paragraphs
    )


HOLE = "\0"
"""A line in the place of something that was taken out; cleaned text has none of its own."""

_YAML_LIKE = frozenset({"snake", "quoted", "colon"})
_LONE_DASH = late(r"[*_\]][ \t]*[-–—]$")
_MARKED = late(r"[-*+•][ \t]")
_LIST_MARK = late(r"[*_\]:][ \t]+([-*+•])[ \t]+$")
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


@mutable
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
    candidates = _without_unasked(find_labels(lines, names), schema)
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
    # a heading that ends the reply was cut off, perhaps in its first word, and nothing stands under it
    last = max((at for at, line in enumerate(lines) if line.strip()), default=0)
    page.strangers = [one for one in page.strangers if one.line < last or one.text.strip()]
    page.entries = split_inline(_entries(lines, accepted, open_labels, walls), names, set(given))
    have = set(given) | {key for entry in page.entries for key in (entry.key, *entry.merged)}
    before = _one_paragraph(lines[: accepted[0].line], names, have, page.entries[0].key)
    page.entries = [*before.entries, *page.entries]
    _end_lists(page, missing, schema, names)
    return page


def _without_unasked(labels: Sequence[Label], schema: Schema) -> Sequence[Label]:
    """Return the labels without bare lines that name a field nobody asked for, where others are dressed.

    In a page with headings a line `Tags` is a line of the text.
    """
    dressed = {label.key for label in labels if label.strong and label.base != "plain"}
    if len(dressed) < ENOUGH:
        return labels
    asked = {spec.key for spec in schema.asked} | {SECTION}
    return [one for one in labels if one.base != "plain" or not asked.isdisjoint(one.keys)]


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
        # a fence that opens in the middle of a field belongs to it, even if labels follow inside
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
        start, end, text = label.line + label.size, ends[label.line], _on_line(label, lines)
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


def _on_line(label: Label, lines: Sequence[str]) -> str:
    """Return what follows a label on its line, with the mark of a list that goes on below.

    `**What's unresolved** - this` is followed by further lines `- that`, and `**What changed** -` by nothing.
    """
    raw = lines[label.line].rstrip()
    below = lines[label.line + label.size] if label.line + label.size < len(lines) else ""
    if not label.text:
        return raw[-1] if not below.strip() and _LONE_DASH.search(raw) else ""
    mark = _LIST_MARK.search(raw[: len(raw) - len(label.text)]) if raw.endswith(label.text) else None
    if mark is None or _MARKED.match(label.text) or label.text.endswith(":"):
        return label.text
    return f"{mark[1]} {label.text}" if below.lstrip().startswith(f"{mark[1]} ") else label.text


def _body(lines: Sequence[str], label: Label, start: int, end: int, text: str) -> tuple[Tree, bool]:
    """Return a field's value, and whether a blank one is an answer."""
    if label.base == "table":
        rows = [text]
        for line in lines[start:end]:
            cells = split_row(line)
            if not line.lstrip().startswith("|") or cells[0]:
                break
            rows.append(" | ".join(cells[1:]))
        rows = rows if len(rows) > 1 else [unquote(text)]
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
