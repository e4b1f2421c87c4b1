"""A reply cut at its labels, whatever they are dressed as: Markdown, YAML by line, tables."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from textwrap import dedent

from reel_cli.exchange.blocks import decode_block
from reel_cli.exchange.dialects import ENOUGH, choose, dialect
from reel_cli.exchange.fences import Fence, find_fences, is_fence
from reel_cli.exchange.labels import SECTION, Label, Names, find_labels, split_row
from reel_cli.exchange.schema import Schema
from reel_cli.exchange.trees import Pairs, Tree, parse_yaml

HOLE = "\0"
"""A line in the place of something that was taken out; cleaned text has none of its own."""

_YAML_LIKE = frozenset({"snake", "quoted", "colon"})
_BOLD_ALONE = re.compile(r"[ \t]*(?:\d{1,2}[.)][ \t]+)?\*\*([^*\n]{2,80}?)[:：]?\*\*[ \t]*[:：]?[ \t]*(.*)")
_KEY = re.compile(r"([ \t]*)([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]|$)")
_INLINE = re.compile(
    r"(?<=[.!?…\"”’»)\]*_])[ \t]+(?:\d{1,2}[.)][ \t]+)?"
    r"[*_]{0,3}([^\s:：*_.!?][^\n:：*.!?]{2,60}?)[*_]{0,3}[:：][*_]{0,3}(?=\s)"
    r"|(?<=\s)\*\*([^\n:：*]{3,60})(?:[:：]\*\*|\*\*[:：])(?=\s)"
)
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
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
    """What reading by line found; `proposed` is by key: an unknown heading, and its text."""

    entries: list[Entry] = field(default_factory=list)
    dialect: str = "none"
    proposed: dict[str, tuple[str, str]] = field(default_factory=dict)
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
    page.dialect = dialect(accepted)
    walls = _walls(lines, open_labels, accepted, [*clear, *([outer] if outer else [])])
    walls |= _unknown_keys(lines, accepted, walls, names, page)
    strangers = _strangers(lines, accepted, shut, names, schema, set(given))
    page.proposed = {
        key: (title, _text(lines, start, text, _end(start, accepted, walls, len(lines))))
        for key, (start, title, text) in strangers.items()
    }
    walls |= {start for start, _, _ in strangers.values()}
    page.entries = split_inline(_entries(lines, accepted, open_labels, walls), names, set(given))
    have = set(given) | {key for entry in page.entries for key in (entry.key, *entry.merged)}
    before = _one_paragraph(lines[: accepted[0].line], names, have, page.entries[0].key)
    page.entries = [*before.entries, *page.entries]
    return page


def _sort_fences(
    fences: Sequence[Fence], labels: Sequence[Label], first: int, total: int
) -> tuple[list[Fence], bytearray]:
    """(the fences that hold a part of the answer; for each line, whether any other fence holds it).

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
    """Lines that end a field and belong to none: part headings, fences around parts of the answer."""
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
    """Fields whose labels all stand in running text (`Sure! What happened: …`)."""
    text = "\n".join(lines)
    preamble = Entry("", text, "inline", final=not following)
    found = split_inline([preamble], names, given, names.order.get(following, len(names.order)))[1:]
    return Page(found, "inline" if found else "none")


def _body(lines: Sequence[str], label: Label, start: int, end: int, text: str) -> tuple[Tree, bool]:
    """A field's value, and whether a blank one is an answer."""
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
    """Where a YAML value ends because the fence around the YAML does, whatever fences it holds itself."""
    marks = [n for n, line in enumerate(below) if is_fence(line) and not line[indent:][:1].isspace()]
    if not marks:
        return len(below)
    first = next((line.strip() for line in below if line.strip()), "")
    if text[:1] in ("|", ">", "[", "{") or (not text and first.startswith("- ")):
        return marks[0]
    return marks[-1] if text[:1] in ('"', "'") and len(marks) % 2 else len(below)


def _text(lines: Sequence[str], head: int, text: str, end: int) -> str:
    """The words on the label's line and the lines below it, as one text."""
    return "\n".join([text, *lines[head + 1 : end]]) if text else "\n".join(lines[head + 1 : end])


def _unknown_keys(
    lines: Sequence[str], accepted: Sequence[Label], walls: set[int], names: Names, page: Page
) -> set[int]:
    """Lines of YAML keys that nobody asked for, where the text is YAML beyond doubt."""
    found: set[int] = set()
    heads = {label.line: label for label in accepted}
    yaml_heads = [label for label in accepted if label.form == "snake"]
    if len(yaml_heads) < min(ENOUGH, len(accepted)):
        return found
    places = [label.line for label in yaml_heads]
    at = 0
    for stop in sorted(walls | {len(lines)}):
        block = yaml_heads[bisect_left(places, at) : bisect_left(places, stop)]
        at = stop
        if not block:
            continue
        tree = parse_yaml("\n".join(lines[block[0].line : stop]))
        if not isinstance(tree, Pairs):
            continue
        keys = {key for key, _ in tree.items}
        for number in range(block[0].line, stop):
            key = _KEY.match(lines[number])
            if (
                key
                and number not in heads
                and key[2] in keys
                and key[2].islower()
                and len(key[1].expandtabs(4)) == block[0].indent
                and not names.find(key[2])[0]
            ):
                found.add(number)
                page.unknown.append(key[2])
    return found


def _strangers(  # noqa: PLR0913 - what a heading is judged by
    lines: Sequence[str],
    accepted: Sequence[Label],
    shut: bytearray,
    names: Names,
    schema: Schema,
    given: set[str],
) -> dict[str, tuple[int, str, str]]:
    """Headings in the reply's own dress that name nothing, where just as many fields are missing.

    By key: the line, the heading's words, what follows on the line. A translated label, perhaps.
    """
    counts = Counter(label.form for label in accepted)
    form, worn = counts.most_common(1)[0]
    have = given | {key for label in accepted for key in label.keys}
    missing = [spec for spec in schema.asked if spec.key not in have and have.isdisjoint(spec.instead)]
    if worn < ENOUGH or not missing:
        return {}
    heads = {label.line for label in accepted}
    unknown = [
        (number, *heading)
        for number, line in enumerate(lines)
        if number not in heads and not shut[number] and (heading := _heading(line, form))
    ]
    places = [one[0] for one in unknown]
    found: dict[str, tuple[int, str, str]] = {}
    edges = [(-1, -1), *((c.line, names.order[c.keys[-1]]) for c in accepted), (len(lines), len(names.order))]
    for (top, before), (bottom, after) in pairwise(edges):
        gap = [spec for spec in missing if before < names.order[spec.key] < after]
        between = unknown[bisect_right(places, top) : bisect_left(places, bottom)] if gap else []
        if gap and len(gap) == len(between):
            found.update({spec.key: one for spec, one in zip(gap, between, strict=True)})
    return found


def _heading(line: str, form: str) -> tuple[str, str] | None:
    """(the heading's words, what follows them) where the line wears this form."""
    if form[0] == "h" and form[1:].isdigit():
        level = int(form[1])
        words = line.strip()
        if words.startswith("#" * level) and not words.startswith("#" * (level + 1)):
            return words.strip("# \t*"), ""
    elif form.endswith("bold"):
        bold = _BOLD_ALONE.fullmatch(line)
        if bold:
            return bold[1].strip(), bold[2].strip()
    return None
