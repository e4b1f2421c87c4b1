"""A field's own words, out of whatever held them: text, items, and whether it says nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent

from reel_cli.exchange.fences import is_fence
from reel_cli.exchange.labels import squash
from reel_cli.exchange.schema import FieldSpec
from reel_cli.exchange.trees import Pairs, Tree, parse_json

_NOTHING = frozenset(
    squash(words)
    for words in (
        "", "nothing", "none", "n/a", "null", "nil", "empty", "not applicable", "not needed", "none needed",
        "no change", "no changes", "nothing new", "nothing yet", "none yet", "nothing to add", "none today",
        "nothing today", "nothing to report", "nothing here", "no update", "no updates", "no update needed",
    )
)  # fmt: skip
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,}|—{2,}|(?:[-*_][ \t]){3,})[ \t]*")
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•‣▪◦·●○–—➤→](?=[ \t])[ \t]*|(?P<number>\(?\d{1,3}[.)])(?=[ \t*_\"“])[ \t]*)"
    r"(?:\[[ xX]?\][ \t]+)?"
)
_GROUP = re.compile(r"(?:[*_]{0,3})([^\W\d_][\w \t/&'’-]{0,40}?)(?:[*_]{0,3})[ \t]*[:：](?:[*_]{0,3})[ \t]*")
_GROUP_WORDS = 4
_OWN_NUMBER = re.compile(r"#?\d{1,3}[.):]|(?:new|state)\b[^:]{0,20}:", re.IGNORECASE)
_LEADING_BOLD = re.compile(r"(\*\*|__)([^*_\n]{1,80}?)([:：]?)\1([:：]?)(?=\s|$)")
_LEADS = frozenset(
    squash(key)
    for key in (
        "text", "phrase", "anchor", "quote", "line", "item", "thread", "loop", "moment", "flag", "exemplar",
        "description", "content", "value", "name", "title", "tag", "note",
    )
)  # fmt: skip
_VERDICTS = frozenset(
    ("yes", "no", "true", "false", "partly", "partially", "mostly", "unsure", "steady", "shifted", "none", "canttell")
)
"""A mapping that begins with one of these begins with the answer; its key adds nothing."""
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_QUOTE_PAIRS = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("‘", "’"), ("'", "'"), ("`", "`"))
_INLINE = re.compile(r"(?:^|(?<=\s))\(?(\d{1,2})[.)][ \t]+")
_QUOTED = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»")
_ALL_QUOTED = re.compile(rf"(?:(?:{_QUOTED.pattern})[\s,;/|·•.–—]*(?:and\s+)?)+")
_NAMED = re.compile(r"\w[\w ]{0,24}[:：]")
_NESTED_MARKS = 4
_WRAPPED = 60
_WIDEST = 120
_BROKEN_OFF = 10
"""A part of a line longer than this many words is a clause and not an item."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a field holds.

    `text` is its own words (a list's items one a line), `lines` its items as a list reader sees
    them, `empty` whether it says that there is nothing; then it has no lines.
    """

    text: str
    lines: tuple[str, ...] = ()
    empty: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """One item as it was set: its column (-1 without a mark), its number if that counts, its words."""

    indent: int
    number: str
    words: list[str]


def make_value(body: Tree, spec: FieldSpec) -> Value | None:
    """The value of a field from its body; None where nothing is there at all."""
    if isinstance(body, str):
        text = tidy(body)
        tree = _structure(text) if text[:1] in ("{", "[") else None
        if tree is None:
            return _from_text(text, spec) if text else None
        body = tree
    return _from_tree(body, spec)


def says_nothing(text: str) -> bool:
    """Whether the words amount to `nothing`, `none`, `n/a` or a dash."""
    return len(text) < _WRAPPED and squash(text) in _NOTHING


def tidy(text: str) -> str:
    """The text without what only set it off: blank edges, rules, an outer fence, quote marks, indentation."""
    lines = [line.rstrip() for line in text.split("\n")]
    lines = _bare_edges(lines)
    if lines and is_fence(lines[0]):
        marks = [number for number, line in enumerate(lines) if is_fence(line)]
        if marks == [0, len(lines) - 1] or marks == [0]:
            lines = _bare_edges(lines[1 : len(lines) - 1 if len(marks) > 1 else len(lines)])
    filled = [line.lstrip() for line in lines if line]
    if filled and all(line.startswith(">") for line in filled):
        lines = _bare_edges([line.lstrip().removeprefix(">").removeprefix(" ") for line in lines])
    if len(lines) > 1:
        below = dedent("\n".join(lines[1:])).split("\n") if not lines[0][:1].isspace() else lines[1:]
        lines = [lines[0], *below] if not lines[0][:1].isspace() else dedent("\n".join(lines)).split("\n")
    return "\n".join(lines).strip()


def _bare_edges(lines: Sequence[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and (not lines[first].strip() or _is_rule(lines[first])):
        first += 1
    while last > first and (not lines[last - 1].strip() or _is_rule(lines[last - 1])):
        last -= 1
    return list(lines[first:last])


def _is_rule(line: str) -> bool:
    return len(line) < _WRAPPED * 4 and bool(_RULE.fullmatch(line))


def _structure(text: str) -> "Tree | None":
    """A list or mapping that is the whole text, or None."""
    if not text.endswith(("}", "]")):
        return None
    parsed = parse_json(text, 0)
    return None if parsed.cut or parsed.end != len(text) or parsed.tree == "" else parsed.tree


def _from_tree(tree: Tree, spec: FieldSpec) -> Value | None:
    if isinstance(tree, str):
        text = tidy(tree)
        return _from_text(text, spec) if text else Value("", (), empty=True)
    lines = [line for line in _flatten(tree) if not says_nothing(line)]
    if not lines:
        return Value("", (), empty=True)
    if spec.shape == "list":
        items = tuple(_bare_item(line) for line in lines)
        return Value("\n".join(items), items)
    if spec.shape == "line":
        return _line(", ".join(lines))
    if isinstance(tree, Pairs) and isinstance(tree.items[0][1], str) and squash(tree.items[0][1]) in _VERDICTS:
        lines = [tree.items[0][1].strip(), *_flatten(Pairs(tree.items[1:]))]
    marked = [f"- {line}" for line in lines] if isinstance(tree, list) else lines
    return Value("\n".join(marked), tuple(lines))


def _flatten(tree: Tree) -> list[str]:
    """A tree as lines: a list's items, a mapping's values each after its key."""
    if isinstance(tree, str):
        return [" ".join(tree.split())] if tree.strip() else []
    if isinstance(tree, list):
        rows = [part for part in tree if isinstance(part, Pairs)]
        lead = _lead(rows) if len(rows) == len(tree) else None
        return [line for part in tree for line in (_flatten(part) if isinstance(part, str) else [_one_item(part, lead)])]
    found: list[str] = []
    for key, value in tree.items:
        below = split_items(tidy(value), numbered=True) if isinstance(value, str) else _flatten(value)
        name = key.replace("_", " ") if _IDENTIFIER.fullmatch(key) else key
        found.extend(f"{name.strip()}: {line}" for line in below if not says_nothing(line))
    return found


def _lead(rows: Sequence[Pairs]) -> str | None:
    """The key that says what each row is about, where all of them have it."""
    keys = [key for key, _ in rows[0].items] if rows else []
    return next((k for k in keys if squash(k) in _LEADS and all(k in dict(row.items) for row in rows)), None)


def _one_item(tree: Tree, lead: str | None) -> str:
    """A mapping or list inside a list, as one item; what it is about comes first."""
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


def unquote(text: str) -> str:
    """The text without a pair of quotation marks around the whole of it."""
    plain = text.strip()
    for first, last in _QUOTE_PAIRS:
        inner = plain[1:-1]
        if len(plain) > 2 and plain[0] == first and plain[-1] == last:  # noqa: PLR2004 - both marks and a word
            if first in inner or last in inner:
                return plain
            return inner.strip()
    return plain


def split_items(text: str, *, commas: bool = False, numbered: bool = False, parts: bool = False) -> list[str]:
    """A text's items: bulleted, numbered or plain lines; with `parts`, also those that share a line.

    Sub-items follow their group's name (`new: …`), or else join the item above them.
    """
    lines = [line for line in text.split("\n") if line.strip() and not is_fence(line) and not _is_rule(line)]
    if not any(_ITEM.match(line) for line in lines):
        plain = _unwrap(lines)
        if parts and len(plain) == 1:
            plain = _parted(plain[0], commas=commas)
        elif parts and commas:
            plain = [part for line in plain for part in _quotes_apart(line)]
        return _grouped([_Line(0, "", [line]) for line in plain], commas=commas, marked=False)
    found: list[_Line] = []
    for line in lines:
        mark = _ITEM.match(line)
        if mark:
            indent = len(mark["indent"].expandtabs(4))
            number = f"{mark['number']} " if numbered and mark["number"] else ""
            found.append(_Line(indent, number, [line[mark.end() :].strip()]))
        elif found and (line[0].isspace() or _goes_on(found[-1].words[-1], line)):
            found[-1].words.append(line.strip())
        else:
            found.append(_Line(-1, "", [line.strip()]))
    return _grouped(found, commas=commas, marked=True)


def _goes_on(above: str, line: str) -> bool:
    """Whether a line without a mark goes on with the item above it."""
    return (
        line[:1].islower() and len(above) >= _WRAPPED and above[-1:] not in ".!?:;\"”)" and not _NAMED.match(line)
    )


def _grouped(found: Iterable[_Line], *, commas: bool, marked: bool) -> list[str]:
    """Put groups' names before their items; join other sub-items to the item above."""
    items: list[list[str]] = []
    group, column = "", 0
    base: int | None = None
    for line in found:
        raw = " ".join(line.words).strip()
        head = _GROUP.fullmatch(raw) if marked and raw.endswith((":", "：", "*", "_")) else None
        if base is None and line.indent >= 0:
            base = line.indent
        if head:
            words = head[1].strip()
            group = f"{words}: " if len(words.split()) <= _GROUP_WORDS and not commas else ""
            column = line.indent
            continue
        if line.indent < 0:
            group = ""
            if marked and not items and raw.endswith((":", "：")):
                continue
        if group and line.indent <= column and column >= 0:
            group = ""
        text = _bare_item(raw)
        number = "" if _OWN_NUMBER.match(text) else line.number
        if base is not None and line.indent > base + 1 and not group and items:
            items[-1].append(text)
        elif text:
            items.append([f"{group}{number}{text}"])
    return ["; ".join(parts) for parts in items]


def _bare_item(text: str) -> str:
    """An item without nested marks, a bold lead-in's asterisks, and quotation marks around it all."""
    plain = " ".join(text.split())
    mark = _ITEM.match(plain)
    for _ in range(_NESTED_MARKS):
        if not mark or mark["number"]:
            break
        plain = plain[mark.end() :]
        mark = _ITEM.match(plain)
    lead = _LEADING_BOLD.match(plain)
    if lead:
        plain = f"{lead[2]}{lead[3] or lead[4]}{plain[lead.end() :]}"
    for wrap in ("**", "__", "*", "_"):
        if plain.startswith(wrap) and plain.endswith(wrap) and len(plain) > 2 * len(wrap):
            inner = plain[len(wrap) : -len(wrap)]
            plain = inner if wrap[0] not in inner else plain
            break
    return unquote(plain)


def _unwrap(lines: Sequence[str]) -> list[str]:
    """Lines that were broken for width, joined again."""
    width = max((len(line.strip()) for line in lines), default=0)
    joined: list[str] = []
    parts: list[str] = []
    for line in lines:
        full = parts and len(parts[-1]) + len(line.split(maxsplit=1)[0]) >= width
        if parts and full and width <= _WIDEST and _goes_on(parts[-1], line.lstrip()):
            parts.append(line.strip())
            continue
        if parts:
            joined.append(" ".join(parts))
        parts = [line.strip()]
    return [*joined, " ".join(parts)] if parts else joined


def _parted(line: str, *, commas: bool) -> list[str]:
    """The items that share one line: `1. … 2. …`, `a; b`, and with `commas` `a, b`."""
    numbers = list(_INLINE.finditer(line))
    if len(numbers) > 1 and [int(n[1]) for n in numbers] == list(range(1, len(numbers) + 1)) and not line[: numbers[0].start()]:
        ends = [n.start() for n in numbers[1:]] + [len(line)]
        return [line[n.end() : end].strip(" ;,") for n, end in zip(numbers, ends, strict=True)]
    for bullet in "•·":
        split = [part.strip() for part in line.split(bullet) if part.strip()]
        if len(split) > 1 and line.startswith(bullet):
            return split
    quotes = _quotes_apart(line) if commas else []
    if len(quotes) > 1:
        return quotes
    for separator in ";,、" if commas else ";":
        split = split_outside_quotes(line, separator)
        if len(split) > 1 and (separator != ";" or all(len(part.split()) <= _BROKEN_OFF for part in split)):
            return split
    return [line]


def _quotes_apart(line: str) -> list[str]:
    """The quoted phrases of a line that holds nothing else, or the line."""
    if not _ALL_QUOTED.fullmatch(line):
        return [line]
    return [found[0] for found in _QUOTED.finditer(line)]


def split_outside_quotes(line: str, separator: str) -> list[str]:
    """The parts of a line between separators that stand in no quotation marks."""
    found: list[str] = []
    close = ""
    at = 0
    for place, char in enumerate(line):
        if close:
            close = "" if char in close else close
        elif char in '"“„«':
            close = {'"': '"', "“": "”", "„": "“”", "«": "»"}[char]
        elif char == separator:
            found.append(line[at:place].strip())
            at = place + 1
    found.append(line[at:].strip())
    if close:
        found = [part.strip() for part in line.split(separator)]
    return [part for part in found if part]
