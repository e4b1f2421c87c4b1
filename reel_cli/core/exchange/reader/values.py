"""A field's own words, out of whatever held them: text, items, days, and whether it says nothing."""

import re
from collections.abc import Sequence
from textwrap import dedent

from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.exchange.reader.cleaning import is_fence
from reel_cli.core.exchange.reader.items import bare_item, is_rule, split_items, unquote
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import Pairs, Tree, parse_json
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import MONTHS, is_day

_NOTHING = frozenset(
    squash(words)
    for words in (
        "", "nothing", "none", "n/a", "null", "nil", "empty", "not applicable", "not needed", "none needed",
        "no change", "no changes", "nothing new", "nothing yet", "none yet", "nothing to add", "none today",
        "nothing today", "nothing to report", "nothing here", "no update", "no updates", "no update needed",
        *answer_words.NOTHING,
    )
)  # fmt: skip
_LEADS = frozenset(
    squash(key)
    for key in (
        "text", "phrase", "anchor", "quote", "line", "item", "thread", "loop", "moment", "flag", "exemplar",
        "description", "content", "value", "name", "title", "tag", "note",
    )
)  # fmt: skip
_VERDICTS = frozenset(
    squash(words)
    for words in (
        "yes", "no", "true", "false", "partly", "partially", "mostly", "unsure", "can't tell", "steady",
        "shifted",
    )
)  # fmt: skip
"""A mapping that begins with one of these begins with the answer; its key adds nothing."""
_SHORT = 60
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OPENS = re.compile(r"[\[{]")
_OPENS_PLAINLY = re.compile(r"\{[\s\"'}]|\[\s*[\"'{\]]")


@frozen
class Value:
    """The value of a field.

    `text` is its own words (a list's items one a line), `lines` its items as a list reader sees
    them, `empty` whether it says that there is nothing; then it has no lines.
    """

    text: str
    lines: tuple[str, ...] = ()
    empty: bool = False


def make_value(body: Tree, spec: FieldSpec) -> Value | None:
    """Return the value of a field from its body; None where nothing is there at all."""
    if isinstance(body, str):
        text = tidy(body)
        text = text if spec.shape == "list" and "\n" in text else text.strip()
        tree = _structure(text) if (_OPENS if spec.shape == "list" else _OPENS_PLAINLY).match(text) else None
        if tree is None:
            return _from_text(text, spec) if text else None
        body = tree
    return _from_tree(body, spec)


def says_nothing(text: str) -> bool:
    """Return whether the words mean `nothing`: `none`, `n/a` or a dash."""
    return len(text) < _SHORT and squash(text) in _NOTHING


def is_verdict(text: str) -> bool:
    """Return whether the words are only a verdict (`yes`, `no`, `steady`), or say that there is nothing."""
    return says_nothing(text) or squash(text[:_SHORT]) in _VERDICTS


def tidy(text: str) -> str:
    """Return the text without blank edges, rules, an outer fence, quote marks and indentation."""
    lines = [line.rstrip() for line in text.split("\n")]
    lines = _bare_edges(lines)
    if lines and is_fence(lines[0]):
        marks = [number for number, line in enumerate(lines) if is_fence(line)]
        if marks == [0, len(lines) - 1] or marks == [0]:
            lines = _bare_edges(lines[1 : len(lines) - 1 if len(marks) > 1 else len(lines)])
    filled = [line.lstrip() for line in lines if line]
    if filled and all(line.startswith(">") for line in filled):
        lines = _bare_edges([line.lstrip().removeprefix(">").removeprefix(" ") for line in lines])
    return dedent("\n".join(lines)).strip("\n")


def _bare_edges(lines: Sequence[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and (not lines[first].strip() or is_rule(lines[first])):
        first += 1
    while last > first and (not lines[last - 1].strip() or is_rule(lines[last - 1])):
        last -= 1
    return list(lines[first:last])


def _structure(text: str) -> "Tree | None":
    """Return a list or mapping that is the whole text, or None."""
    if not text.endswith(("}", "]")):
        return None
    parsed = parse_json(text, 0)
    return None if parsed.cut or parsed.end != len(text) or parsed.tree == "" else parsed.tree


def _from_tree(tree: Tree, spec: FieldSpec) -> Value | None:
    if isinstance(tree, str):
        text = tidy(tree)
        return _from_text(text, spec) if text else Value("", (), empty=True)
    lines = [line for line in (_records if spec.records else _flatten)(tree) if not says_nothing(line)]
    if not lines:
        return Value("", (), empty=True)
    if spec.shape == "list":
        items = tuple(bare_item(line) for line in lines)
        return Value("\n".join(items), items)
    if spec.shape == "line":
        return _line(", ".join(lines))
    if isinstance(tree, Pairs) and isinstance(tree.items[0][1], str) and is_verdict(tree.items[0][1]):
        lines = [tree.items[0][1].strip(), *_flatten(Pairs(tree.items[1:]))]
    marked = [f"- {line}" for line in lines] if isinstance(tree, list) else lines
    return Value("\n".join(marked), tuple(lines))


def _flatten(tree: Tree) -> list[str]:
    """Return a tree as lines: a list's items, a mapping's values each after its key."""
    if isinstance(tree, str):
        return [" ".join(tree.split())] if tree.strip() else []
    if isinstance(tree, list):
        rows = [part for part in tree if isinstance(part, Pairs)]
        lead = _lead(rows) if len(rows) == len(tree) else None
        return [
            line
            for part in tree
            for line in (_flatten(part) if isinstance(part, str) else [_one_item(part, lead)])
        ]
    found: list[str] = []
    for key, value in tree.items:
        below = split_items(tidy(value), numbered=True) if isinstance(value, str) else _flatten(value)
        name = key.replace("_", " ") if _IDENTIFIER.fullmatch(key) else key
        found.extend(f"{name.strip()}: {line}" for line in below if not says_nothing(line))
    return found


def _records(tree: Tree) -> list[str]:
    """Return a tree as lines, each mapping in a list or under a name as one with bars between its parts."""
    if isinstance(tree, list):
        return [line for part in tree for line in _record(part)]
    if isinstance(tree, Pairs) and not _is_record(tree):
        return [f"{key}: {line}" for key, value in tree.items for line in _record(value)]
    return _flatten(tree)


def _record(tree: Tree) -> list[str]:
    return [" | ".join(_parts(tree))] if _is_record(tree) else _records(tree)


def _is_record(tree: Tree) -> bool:
    return isinstance(tree, Pairs) and any(isinstance(value, str) for _, value in tree.items)


def _parts(tree: Tree) -> list[str]:
    """Return a record's parts, `key: value` each; those of a mapping within it are its own."""
    if not isinstance(tree, Pairs):
        return _flatten(tree)
    found: list[str] = []
    for key, value in tree.items:
        if isinstance(value, Pairs):
            found += _parts(value)
        else:
            told = (one.replace("|", "\\|") for one in _flatten(value) if not says_nothing(one))
            found += [f"{key}: {one}" for one in told]
    return found


def _lead(rows: Sequence[Pairs]) -> str | None:
    """Return the key that says what each row is about, if all of them have it."""
    keys = [key for key, _ in rows[0].items] if rows else []
    return next((k for k in keys if squash(k) in _LEADS and all(k in dict(row.items) for row in rows)), None)


def _one_item(tree: Tree, lead: str | None) -> str:
    """Return a mapping or list inside a list as one item; what it is about comes first."""
    if isinstance(tree, Pairs) and lead is not None:
        about = "; ".join(_flatten(dict(tree.items)[lead]))
        rest = "; ".join(_flatten(Pairs([pair for pair in tree.items if pair[0] != lead])))
        return " — ".join(part for part in (about, rest) if part)
    return "; ".join(_flatten(tree))


def _from_text(text: str, spec: FieldSpec) -> Value:
    if says_nothing(text):
        return Value(text, (), empty=True)
    if spec.shape == "line":
        return _line(text)
    items = split_items(text, commas=spec.commas, numbered=spec.numbered, parts=spec.shape == "list")
    kept = tuple(item for item in items if not says_nothing(item))
    if spec.shape == "list":
        return Value("\n".join(kept), kept) if kept else Value(text, (), empty=True)
    return Value(text, kept)


def _line(text: str) -> Value:
    words = unquote(" ".join(text.split()).strip("# "))
    for mark in ("***", "**", "__", "*", "_"):
        if words.startswith(mark) and words.endswith(mark) and len(words) > 2 * len(mark):
            words = unquote(words[len(mark) : -len(mark)].strip())
            break
    return Value(words, (words,) if words else (), empty=says_nothing(words))


_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_MONTHS = tuple(map(str.lower, MONTHS))
_SPELT = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{'|'.join(_MONTHS)})|(?P<m2>{'|'.join(_MONTHS)})\s+"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?),?\s+(?P<y>\d{{4}})\b",
    re.IGNORECASE,
)


def find_day(text: str) -> str:
    """Return the first day a text names, in ISO 8601; "" for none."""
    iso = _ISO.search(text)
    if iso:
        return iso[1] if is_day(iso[1]) else ""
    spelt = _SPELT.search(text)
    if spelt is None:
        return ""
    month = _MONTHS.index((spelt["m1"] or spelt["m2"]).casefold()) + 1
    day = f"{spelt['y']}-{month:02d}-{int(spelt['d1'] or spelt['d2']):02d}"
    return day if is_day(day) else ""


def names_impossible_day(text: str) -> bool:
    """Return whether the first day a text names is on no calendar, like 31 September."""
    return not find_day(text) and bool(_ISO.search(text) or _SPELT.search(text))


def is_day_only(text: str) -> bool:
    """Return whether a text names a day, and nothing else."""
    undated = _SPELT.sub("", _ISO.sub("", text))
    return undated != text and squash(undated) in ("", "on", "from", "the")
