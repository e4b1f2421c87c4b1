"""Choice of the lines that are labels, among those that could be, by the reply's own style."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence

from reel_cli.core.exchange.reader.labels import Label, Names

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
