"""A reply's own style: which of its likely labels are meant, and which other headings end a field."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from reel_cli.core.exchange.reader.labels import Label, Names
from reel_cli.core.exchange.reader.trees import Pairs, parse_yaml
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.frozen import frozen, late

if TYPE_CHECKING:
    import re

ENOUGH = 3
"""Distinct labels in one style that make it a dialect of the reply."""
STRUCTURAL = frozenset({"snake", "quoted", "table"})
"""Forms in which a single word is a label as well."""


def choose(candidates: Sequence[Label], shut: Sequence[Label], names: Names, given: set[str]) -> list[Label]:
    """Return the labels that count, in the order of their lines.

    The form with the most distinct fields is the dialect; a further one counts for fields it
    lacks when it has enough of them; a lone label only between its neighbours in the prompt.
    `shut` are those inside fences: there only the dialect's own count, for what is missing still.
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
        taken = _unnested([n for n in labels if n.strong and not have.issuperset(n.keys)])
        chosen.extend(taken)
        have |= {key for label in taken for key in label.keys}
        if labels[0].level or labels[0].base in STRUCTURAL:
            columns = {label.indent for label in taken}
            loose = [n for n in labels if not n.strong and n.key not in have and _at_level(n, columns)]
            chosen.extend(loose)
            have |= {label.key for label in loose}
    worn = {label.form for label in chosen}
    rest = [n for n in candidates if n.key not in have and (n.strong or n.base not in ("code", "italic"))]
    _fill_in(chosen, rest, have, names)
    _fill_in(chosen, [n for n in shut if n.strong and n.form in worn], have, names)
    return sorted(chosen, key=lambda label: label.line)


def _fill_in(chosen: list[Label], rest: Sequence[Label], have: set[str], names: Names) -> None:
    """Add labels of missing fields that stand where the prompt has them."""
    lined = sorted(_placed(label, names) for label in chosen)
    for label in rest:
        if have.isdisjoint(label.keys) and _in_order(label, lined, names):
            chosen.append(label)
            have |= set(label.keys)
            insort(lined, _placed(label, names))


def _placed(label: Label, names: Names) -> tuple[int, int, int]:
    """Return a sort key: line, its field's place in the prompt, its last merged field's place."""
    return label.line, names.order[label.key], names.order[label.keys[-1]]


def _weight(labels: Sequence[Label], have: set[str]) -> tuple[int, int, int]:
    strong = {key for label in labels if label.strong for key in label.keys} - have
    every = {key for label in labels for key in label.keys} - have
    return len(strong), len(every), -labels[0].line


def _at_level(label: Label, columns: set[int]) -> bool:
    """Return whether a YAML key stands in the column of the certain keys, give or take a space."""
    near = {label.indent - 1, label.indent, label.indent + 1}
    return label.base != "snake" or not columns or not columns.isdisjoint(near)


def _unnested(labels: Sequence[Label]) -> list[Label]:
    """Return the labels without keys nested in another key's value (`ring_2_delta:`, `open_loops:` below)."""
    kept: list[Label] = []
    for label in labels:
        above = kept[-1] if kept else None
        inside = (
            above is not None
            and label.base in STRUCTURAL
            and label.indent > above.indent + 1
            and (not above.text or above.text[0] in "|>{[")
        )
        if not inside:
            kept.append(label)
    return kept


def _in_order(label: Label, lined: Sequence[tuple[int, int, int]], names: Names) -> bool:
    """Return whether the label's neighbours in the reply are its neighbours in the prompt."""
    place = names.order[label.key]
    at = bisect_left(lined, (label.line, 0, 0))
    return (at == 0 or lined[at - 1][2] < place) and (at == len(lined) or place < lined[at][1])


def dialect(chosen: Sequence[Label]) -> str:
    """Return the style of most of the labels, in words."""
    return Counter(map(_in_words, chosen)).most_common(1)[0][0]


def _in_words(label: Label) -> str:
    return f"heading-{label.level}" if label.level else "yaml" if label.base == "snake" else label.form


_LOOK = 200
_KEY = late(r"([ \t]*)([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]|$)")
_ATX = late(r"[ \t]{0,3}(#{1,6})(?!#)[ \t]*([^\n]{1,90}?)[ \t#]*")
_MARKED = late(
    r"[ \t]*(?:\d{1,2}[.)][ \t]+)?(?:(\*{2,3}|__)[ \t]*(?P<bold>[^*_\n]{2,80}?)[ \t]*[:：]?[ \t]*\1"
    r"|\[(?P<bracket>[^\]\[/\n]{2,60})\]|\*(?P<italic>[^*\n]{2,80})[:：]\*)[ \t]*[:：]?[ \t]*"
)
_LEAD = late(r"[ \t]*\*\*(?P<bold>[^*\n]{8,80}?)[ \t]*(?:[:：]|—|–)\*\*[ \t]+(?P<text>\S[^\n]*)")
_NUMBERED = late(r"[ \t]*\d{1,2}[.)][ \t]+(?P<words>[^\n]{2,60}?)[:：]?[ \t]*")
_TRAILING = late(r"[ \t]*(?P<words>[^\n]{2,60}?)[ \t]*(?:[:：]|[ \t][—–])[ \t]*")
_HEAD = late(
    r"[ \t]*(?:(?P<hash>#{1,6})[ \t]+)?(?:\d{1,2}[.)][ \t]+)?(?P<bold>\*\*)?[ \t]*"
    r"(?P<title>[^*\n]{1,80}?)[ \t]*[:：]?(?(bold)\*\*)[ \t]*[:：]?[ \t]*(?P<text>(?(bold).*|))"
)
_FEW_WORDS = 8
_LEAD_WORDS = 3
MANY_PARTS = 6
"""Headings in one form from which on their number tells what they are."""


@frozen
class Stranger:
    """A heading that names nothing: its line, its words, what follows on the line.

    `key` is the field it may stand for, where just as many headings as fields are open there;
    `near` is the first field that is open there.
    """

    line: int
    title: str
    text: str
    key: str
    near: str


def find_strangers(
    lines: Sequence[str],
    accepted: Sequence[Label],
    missing: Sequence[FieldSpec],
    shut: bytearray,
    names: Names,
) -> list[Stranger]:
    """Return the headings without a name where fields are missing, in order.

    Where nothing is missing a heading is a field's own. One in a dress the labels do not wear
    counts only where a required field is missing.
    """
    if len(accepted) < ENOUGH or not missing:
        return []
    worn = {label.form for label in accepted}
    heads = {label.line for label in accepted}
    unknown = [
        (number, *heading)
        for number, line in enumerate(lines)
        if number not in heads and not shut[number] and (heading := _heading(line, worn))
    ]
    places = [one[0] for one in unknown]
    found: list[Stranger] = []
    edges = [(-1, -1), *((c.line, names.order[c.keys[-1]]) for c in accepted), (len(lines), len(names.order))]
    for (top, before), (bottom, after) in pairwise(edges):
        gap = [spec for spec in missing if before < names.order[spec.key] < after]
        if not gap:
            continue
        needed = any(spec.required for spec in gap)
        between = [
            one
            for one in unknown[bisect_right(places, top) : bisect_left(places, bottom)]
            if one[3] in worn or needed
        ]
        keys = [spec.key for spec in gap] if len(gap) == len(between) else [""] * len(between)
        found.extend(
            Stranger(line, title, text, key, gap[0].key)
            for (line, title, text, _), key in zip(between, keys, strict=True)
        )
    return found


def _heading(line: str, worn: Iterable[str]) -> tuple[str, str, str] | None:
    """Return a heading's words, the text after them and its form; None for any other line."""
    if len(line) > _LOOK * 20 or not line.strip():
        return None
    forms = set(worn)
    short = len(line) <= _LOOK
    atx = _ATX.fullmatch(line) if short else None
    if atx:
        levels = [int(form[-1]) for form in forms if form[:-1] in ("h", "quote-h")]
        return (atx[2].strip(" *_"), "", f"h{len(atx[1])}") if len(atx[1]) <= max(levels, default=6) else None
    marked = _MARKED.fullmatch(line) if short else None
    if marked:
        form = next(name for name in ("bold", "bracket", "italic") if marked[name])
        dress = next((one for one in forms if one.endswith(form)), form)
        return marked[form].strip(), "", dress
    lead = _LEAD.match(line) if any(form.endswith("bold") for form in forms) else None
    if lead and len(lead["bold"].split()) >= _LEAD_WORDS:
        return lead["bold"].strip(), lead["text"], "bold"
    if short and any(form.startswith("num-") for form in forms):
        numbered = _NUMBERED.fullmatch(line)
        if numbered and _is_title(numbered["words"]):
            return numbered["words"], "", next(form for form in forms if form.startswith("num-"))
    if short and not forms.isdisjoint(("dash", "colon")):
        trailing = _TRAILING.fullmatch(line)
        if trailing and _is_title(trailing["words"]):
            return trailing["words"], "", "dash" if "dash" in forms else "colon"
    return None


def _is_title(words: str) -> bool:
    return len(words.split()) <= _FEW_WORDS and words[:1].isupper() and words[-1] not in ".!,;\"”'’"


def as_yaml(lines: Sequence[str], accepted: Sequence[Label], walls: set[int]) -> list[Label]:
    """Return the labels, as YAML's keys if the text is YAML whose keys are the prompt's labels."""
    colons = [label for label in accepted if label.form == "colon"]
    if len(colons) < ENOUGH or len(colons) < len(accepted):
        return list(accepted)
    stop = min((wall for wall in walls if wall > colons[-1].line), default=len(lines))
    tree = parse_yaml("\n".join(lines[colons[0].line : stop]))
    if not isinstance(tree, Pairs) or len(tree.items) < len(colons):
        return list(accepted)
    return [replace(label, form="snake") for label in colons]


def find_unknown_keys(
    lines: Sequence[str], accepted: Sequence[Label], walls: set[int], names: Names
) -> dict[int, str]:
    """Return YAML keys that nobody asked for, by line, if the text is certainly YAML."""
    found: dict[int, str] = {}
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
                found[number] = key[2]
    return found


def name_by_place(text: str, asked: Sequence[FieldSpec]) -> str:
    """Return a text with the prompt's labels for headings that were put into another language.

    That is certain where there are just as many as were asked for, all in one form, each once and with
    words below it; "" elsewhere.
    """
    lines = text.split("\n")
    for form in ("hash", "bold"):
        heads = [(at, found) for at, line in enumerate(lines) if (found := _head(line, form))]
        if not MANY_PARTS <= len(asked) == len(heads) == len({found["title"] for _, found in heads}):
            continue
        edges = [*(at for at, _ in heads), len(lines)]
        bodies = [
            "\n".join([found["text"], *lines[at + 1 : end]])
            for (at, found), end in zip(heads, edges[1:], strict=True)
        ]
        if all(any(map(str.isalnum, body)) for body in bodies):
            named = (f"## {spec.label}\n{body}" for spec, body in zip(asked, bodies, strict=True))
            return "\n".join([*lines[: edges[0]], *named])
    return ""


def _head(line: str, form: str) -> "re.Match[str] | None":
    """Return the heading that a line is or begins with, in a form: a Markdown heading, or bold words."""
    found = _HEAD.fullmatch(line) if ("#" if form == "hash" else "**") in line[:_LOOK] else None
    return found if found and found[form] and (form == "hash" or not found["hash"]) else None
