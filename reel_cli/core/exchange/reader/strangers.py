"""Headings and keys in a reply that name no part of it: where a field ends, and perhaps another begins."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from reel_cli.core.exchange.reader.dialects import ENOUGH
from reel_cli.core.exchange.reader.labels import Label, Names
from reel_cli.core.exchange.reader.trees import Pairs, parse_yaml
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.frozen import frozen
from reel_cli.core.pattern import late

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
_FEW_WORDS = 8
_LEAD_WORDS = 3


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
