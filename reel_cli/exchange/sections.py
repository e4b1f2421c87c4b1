"""A reply cut at its labels, whatever they are dressed as: Markdown, YAML by line, tables."""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.exchange.blocks import decode_block
from reel_cli.exchange.fences import Fence, find_fences
from reel_cli.exchange.labels import SECTION, Label, Names, find_labels, split_row
from reel_cli.exchange.schema import Schema
from reel_cli.exchange.trees import Pairs, Tree, parse_yaml

HOLE = "\0"
"""A line in the place of something that was taken out; cleaned text has none of its own."""

ENOUGH = 3
"""So many distinct labels in one dress make it a dialect of the reply."""
_STRUCTURAL = frozenset({"snake", "quoted", "table"})
_YAML_LIKE = frozenset({"snake", "quoted", "colon"})
_BOLD_ALONE = re.compile(r"[ \t]*(?:\d{1,2}[.)][ \t]+)?\*\*([^*\n]{2,80}?)[:：]?\*\*[ \t]*[:：]?[ \t]*(.*)")
_KEY = re.compile(r"([ \t]*)([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]|$)")
_INLINE = re.compile(
    r"(?<=[.!?…\"”’»)\]*_])[ \t]+(?:\d{1,2}[.)][ \t]+)?[*_]{0,3}([^\s:：*_.!?][^\n:：*.!?]{2,60}?)(?:[*_]{0,3})[:：](?:[*_]{0,3})(?=\s)"
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
        return page
    first = min((label.line for label in real if label.strong), default=real[0].line)
    outer, fences = find_fences(lines, first)
    clear, shut = _sort_fences(fences, real, first, len(lines))
    open_labels = [label for label in candidates if not shut[label.line]]
    chosen = choose([label for label in open_labels if label.key != SECTION], names, set(given))
    if not chosen:
        return page
    page.dialect = _name(chosen[0][0]) if len({_name(label) for label, _ in chosen}) == 1 else _main(chosen)
    accepted = sorted((label for label, _ in chosen), key=lambda label: label.line)
    walls = _walls(lines, open_labels, accepted, [*clear, *([outer] if outer else [])])
    walls |= _unknown_keys(lines, accepted, walls, names, page)
    strangers = _strangers(lines, accepted, shut, names, schema, set(given))
    page.proposed = {
        key: (title, _text(lines, start, text, _end(start, accepted, walls, len(lines))))
        for key, (start, title, text) in strangers.items()
    }
    walls |= {start for start, _, _ in strangers.values()}
    page.entries = split_inline(_entries(lines, accepted, open_labels, walls), names, set(given))
    return page


def choose(candidates: Sequence[Label], names: Names, given: set[str]) -> list[tuple[Label, str]]:
    """The labels that count, each with the form it counts in.

    The form with the most distinct fields is the dialect; a further one counts for fields it
    lacks when it has enough of them; a lone label only between its neighbours in the prompt.
    """
    forms: dict[str, list[Label]] = {}
    for label in candidates:
        forms.setdefault(label.form, []).append(label)
    have: set[str] = set(given)
    chosen: list[Label] = []
    while forms:
        name, labels = max(forms.items(), key=lambda item: _weight(item[1], have))
        strong = {key for label in labels if label.strong for key in label.keys} - have
        if chosen and len(strong) < ENOUGH:
            break
        del forms[name]
        taken = [label for label in labels if label.strong and not have.issuperset(label.keys)]
        taken = _unnested(taken)
        have |= {key for label in taken for key in label.keys}
        chosen.extend(taken)
        if labels[0].level or labels[0].base in _STRUCTURAL:
            columns = {label.indent for label in taken}
            loose = [
                label
                for label in labels
                if not label.strong and label.key not in have and _at_level(label, columns)
            ]
            chosen.extend(loose)
            have |= {label.key for label in loose}
    rest = [label for label in candidates if label.key not in have]
    lined = sorted((label.line, names.order[label.key], names.order[label.keys[-1]]) for label in chosen)
    for label in rest:
        if not have.isdisjoint(label.keys) or not _in_order(label, lined, names):
            continue
        if label.strong or label.base not in ("code", "italic"):
            chosen.append(label)
            have |= set(label.keys)
            insort(lined, (label.line, names.order[label.key], names.order[label.keys[-1]]))
    return [(label, label.form) for label in chosen]


def _weight(labels: Sequence[Label], have: set[str]) -> tuple[int, int, int]:
    strong = {key for label in labels if label.strong for key in label.keys} - have
    every = {key for label in labels for key in label.keys} - have
    return len(strong), len(every), -labels[0].line


def _at_level(label: Label, columns: set[int]) -> bool:
    """Whether a YAML key stands in the column of the keys beyond doubt, give or take a space."""
    near = {label.indent - 1, label.indent, label.indent + 1}
    return label.base != "snake" or not columns or not columns.isdisjoint(near)


def _unnested(labels: Sequence[Label]) -> list[Label]:
    """Without keys that stand inside another key's value (`ring_2_delta:` with `open_loops:` below)."""
    kept: list[Label] = []
    for label in labels:
        above = kept[-1] if kept else None
        inside = (
            above is not None
            and label.base in _STRUCTURAL
            and label.indent > above.indent + 1
            and (not above.text or above.text[0] in "|>{[")
        )
        if not inside:
            kept.append(label)
    return kept


def _in_order(label: Label, chosen: Sequence[tuple[int, int, int]], names: Names) -> bool:
    """Whether the fields before and after it in the reply are those before and after it in the prompt.

    `chosen` holds (line, its field's place, its last merged field's place), in order.
    """
    place = names.order[label.key]
    at = bisect_left(chosen, (label.line, 0, 0))
    return (at == 0 or chosen[at - 1][2] < place) and (at == len(chosen) or place < chosen[at][1])


def _sort_fences(
    fences: Sequence[Fence], labels: Sequence[Label], first: int, total: int
) -> tuple[list[Fence], bytearray]:
    """(the fences that hold a part of the answer, whose labels count; for each line whether another holds it)."""
    strong = [label for label in labels if label.strong]
    places = [label.line for label in strong]
    clear: list[Fence] = []
    shut = bytearray(total)
    for fence in fences:
        last = total if fence.last is None else fence.last
        inside = {label.key for label in strong[bisect_right(places, fence.first) : bisect_left(places, last)]}
        if len(inside) > 1 or fence.last is None or (fence.first < first and inside):
            clear.append(fence)
        else:
            shut[fence.first : last + 1] = b"\1" * (last + 1 - fence.first)
    return clear, shut


def _name(label: Label) -> str:
    return f"heading-{label.level}" if label.level else "yaml" if label.base == "snake" else label.form


def _main(chosen: Sequence[tuple[Label, str]]) -> str:
    counts: dict[str, int] = {}
    for label, _ in chosen:
        counts[_name(label)] = counts.get(_name(label), 0) + 1
    return max(counts, key=lambda name: counts[name])


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
        if following == len(lines) or lines[following] == HOLE or following in heads or (0 < label.level < level):
            walls.update(range(label.line, label.line + label.size))
    return walls


def _end(start: int, accepted: Sequence[Label], walls: Iterable[int], total: int) -> int:
    lines = [label.line for label in accepted if label.line > start] + [w for w in walls if w > start]
    return min(lines, default=total)


def _entries(
    lines: Sequence[str], accepted: Sequence[Label], every: Sequence[Label], walls: set[int]
) -> list[Entry]:
    stops = sorted({label.line for label in accepted} | walls | {len(lines)})
    ends = dict(zip(stops, stops[1:], strict=False))
    by_line = {label.line: label for label in every}
    found: list[Entry] = []
    for label in accepted:
        start, end, text = label.line + label.size, ends[label.line], label.text
        echo = next((n for n in range(start, end) if lines[n].strip()), None)
        twin = by_line.get(echo) if echo is not None and not text else None
        if twin and twin.strong and twin.keys == label.keys:
            start, text = twin.line + twin.size, twin.text
        body, explicit = _body(lines, label, start, end, text)
        final = label is accepted[-1] and HOLE not in lines[label.line :]
        found.append(Entry(label.key, body, label.form, explicit, final, label.keys[1:]))
    return found


def split_inline(entries: Sequence[Entry], names: Names, given: set[str]) -> list[Entry]:
    """Cut fields that go on with a missing later field on the same line (`… asleep. What changed: …`)."""
    have = given | {key for entry in entries for key in (entry.key, *entry.merged)}
    found: list[Entry] = []
    for number, entry in enumerate(entries):
        following = entries[number + 1].key if number + 1 < len(entries) else ""
        bound = names.order.get(following, len(names.order))
        found.append(entry)
        if not isinstance(entry.body, str) or entry.explicit:
            continue
        at = 0
        for label in _INLINE.finditer(entry.body):
            keys, strong = names.find(label[1] or label[2])
            if not strong or len(keys) > 1 or keys[0] in have:
                continue
            if not names.order[found[-1].key] < names.order[keys[0]] < bound:
                continue
            have.add(keys[0])
            found[-1] = replace(found[-1], body=entry.body[at : label.start()], final=False)
            at = label.end()
            found.append(replace(entry, key=keys[0], body=entry.body[at:], merged=()))
    return found


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
        return decode_block(text, lines[start:end], strict=label.base != "colon")
    return _text(lines, start - 1, text, end), False


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
    forms: dict[str, int] = {}
    for label in accepted:
        forms[label.form] = forms.get(label.form, 0) + 1
    form = max(forms, key=lambda name: forms[name])
    have = given | {key for label in accepted for key in label.keys}
    missing = [
        spec for spec in schema.asked if spec.key not in have and have.isdisjoint(spec.instead)
    ]
    if forms[form] < ENOUGH or not missing:
        return {}
    heads = {label.line for label in accepted}
    unknown = [
        (number, *found)
        for number, line in enumerate(lines)
        if number not in heads and not shut[number] and (found := _heading(line, form))
    ]
    places = [one[0] for one in unknown]
    found: dict[str, tuple[int, str, str]] = {}
    edges = [(-1, -1), *((c.line, names.order[c.keys[-1]]) for c in accepted), (len(lines), len(names.order))]
    for (top, before), (bottom, after) in zip(edges, edges[1:], strict=False):
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
