"""Items of a list that a model wrote: marks, numbers, quotations and groups told apart (REEL §6.2)."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

from reel_cli.core.exchange.reader.cleaning import is_fence
from reel_cli.core.frozen import frozen, late
from reel_cli.core.quote_marks import MARKS, QUOTED, SINGLE

_RULE = late(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,}|—{2,}|(?:[-*_][ \t]){3,})[ \t]*")
_ITEM = late(
    r"(?P<indent>[ \t]*)(?:[-*+•‣▪◦·●○–—➤→](?=[ \t])[ \t]*|(?P<number>\(?\d{1,3}[.)])(?=[ \t*_\"“])[ \t]*)"
    r"(?:\[[ xX]?\][ \t]+)?"
)
_GROUP = late(r"(?:[*_]{0,3})([^\W\d_][\w \t/&'’-]{0,40}?)(?:[*_]{0,3})[ \t]*[:：](?:[*_]{0,3})[ \t]*")
_GROUP_WORDS = 4
_OWN_NUMBER = late(r"#?\d{1,3}[.):]|(?:new|state)\b[^:]{0,20}:", re.IGNORECASE)
_STATUS = late(
    r"(?:still|unchanged|open(?:ed)?|closed?|resolved|done|changed|updated|new|added)\b", re.IGNORECASE
)
"""Groups that say something of an item known by its number; others are the prompt's own sections."""
_LEADING_BOLD = late(r"(\*\*|__)([^*_\n]{1,80}?)([:：]?)\1([:：]?)(?=\s|$)")
_QUOTE_PAIRS = tuple(
    (first, last) for first, closing in {**MARKS, **SINGLE, "`": "`"}.items() for last in closing
)
_OWN_PART = late(r"(?:#?\d{1,3}\b|(?:new|state|opened|closed|changed|still)\b[^:;]{0,20}:)", re.IGNORECASE)
"""Beginning of a part that says by itself which item it is about."""
_INLINE = late(r"(?:^|(?<=\s))\(?(\d{1,2})[.)][ \t]+")
_ALL_QUOTED = re.compile(rf"(?:(?:{QUOTED.pattern})[\s,;/|·•.–—]*(?:and\s+)?)+")
_NAMED = late(r"\w[\w ]{0,24}[:：]|(?:new|state)\s+[–—-]\s")
_NESTED_MARKS = 4
_WRAPPED = 60
"""A line at least so long may have been broken for width."""
_WIDEST = 120
_PROSE_WORDS = 12
_BROKEN_OFF = 10
"""A part of a line longer than this many words is a clause and not an item."""


@frozen
class _Line:
    """One item as it was set: its column (-1 without a mark), its number if that counts, its words."""

    indent: int
    number: str
    words: list[str]


def is_rule(line: str) -> bool:
    """Return whether the line is a horizontal rule."""
    return len(line) < 4 * _WRAPPED and bool(_RULE.fullmatch(line))


def unquote(text: str) -> str:
    """Return the text without a pair of quotation marks around the whole of it."""
    plain = text.strip()
    for first, last in _QUOTE_PAIRS:
        inner = plain[1:-1]
        if len(plain) > 2 and plain[0] == first and plain[-1] == last:
            if first in inner or last in inner:
                return plain
            return inner.strip()
    return plain


def bare_value(text: str) -> str:
    """Return a named part's value without marks around all of it; those of a quotation in it stay."""
    plain = text.strip(" \t',")
    straight = plain.count('"')
    if straight % 2:
        # one mark has no other: it belongs to the value's form and not to its words
        return plain[1:] if plain[0] == '"' else plain.removesuffix('"')
    if len(plain) > 1 and plain[0] == plain[-1] == '"' and not re.match(r'[^"]*[^\s"(]"', plain[1:-1]):
        return plain[1:-1].strip()
    more = plain.count("“") - plain.count("”")
    if more:
        return plain.removeprefix("“") if more > 0 else plain.removesuffix("”")
    depths = list(accumulate((mark == "“") - (mark == "”") for mark in plain))
    return plain[1:-1].strip() if plain[:1] == "“" and 0 not in depths[:-1] else plain


def split_items(text: str, *, commas: bool = False, numbered: bool = False, parts: bool = False) -> list[str]:
    """Return a text's items: bulleted, numbered or plain lines; with `parts`, also those sharing a line.

    Sub-items follow their group's name (`new: …`), or else join the item above them.
    """
    lines = [line for line in text.split("\n") if line.strip() and not is_fence(line) and not is_rule(line)]
    inline = _numbered_parts(lines[0]) if parts and len(lines) == 1 else []
    if inline:
        return [bare_item(part) for part in inline]
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


def end_of_list(text: str) -> int | None:
    """Return the offset at which a list turns into prose: a long unmarked line after a blank one; or None."""
    at, listed, blank = 0, 0, False
    for line in text.split("\n"):
        marked = bool(_ITEM.match(line) or _ALL_QUOTED.fullmatch(line.strip()))
        if blank and listed > 1 and not marked and len(line.split()) > _PROSE_WORDS:
            return at
        if line.strip() and not marked and not listed:
            return None
        listed += marked
        blank = not line.strip()
        at += len(line) + 1
    return None


def _goes_on(above: str, line: str) -> bool:
    """Return whether an unmarked line continues the item above it."""
    return (
        line[:1].islower()
        and len(above) >= _WRAPPED
        and above[-1:] not in '.!?:;"”)'
        and not _NAMED.match(line)
    )


def _grouped(found: Iterable[_Line], *, commas: bool, marked: bool) -> list[str]:
    """Put groups' names before their items; join other sub-items to the item above.

    A group that begins with unmarked lines holds unmarked lines, and ends where marked ones begin.
    """
    items: list[list[str]] = []
    group, column, plain = "", 0, False
    base: int | None = None
    fresh = False
    for line in found:
        raw = " ".join(line.words).strip()
        head = _GROUP.fullmatch(raw) if marked and raw.endswith((":", "：", "*", "_")) else None
        if line.indent >= 0:
            base = line.indent if base is None else min(base, line.indent)
        if head:
            words = head[1].strip()
            group = f"{words}: " if len(words.split()) <= _GROUP_WORDS and not commas else ""
            column, fresh = line.indent, True
            continue
        if marked and line.indent < 0 and not items and not group and raw.endswith((":", "：")):
            continue
        plain = line.indent < 0 if fresh else plain
        fresh = False
        if group and (plain != (line.indent < 0) or 0 <= column >= line.indent >= 0):
            group = ""
        text = bare_item(raw)
        number = "" if _OWN_NUMBER.match(text) else line.number
        if base is not None and line.indent > base + 1 and not group and items:
            items[-1].append(text)
        elif text:
            named = group if not (number or _OWN_NUMBER.match(text)) or _STATUS.match(group) else ""
            items.append([f"{named}{number}{text}"])
    return ["; ".join(parts) for parts in items]


def bare_item(text: str) -> str:
    """Return an item without nested marks, a bold lead-in's asterisks, and outer quotation marks."""
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
    """Return the lines with those broken for width joined again."""
    widths = sorted((len(line.strip()) for line in lines), reverse=True)
    width = widths[0] if widths else 0
    if len(widths) < 3 or widths[1] < _WRAPPED:
        return [line.strip() for line in lines]
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
    """Return the items that share one line: with `commas` `a; b` and `a, b`, else `1: a; 2: b`.

    A semicolon alone parts nothing: most lone lines that have one are a sentence of two clauses.
    """
    for bullet in "•·":
        split = [part.strip() for part in line.split(bullet) if part.strip()]
        if len(split) > 1 and line.startswith(bullet):
            return split
    quotes = _quotes_apart(line) if commas else []
    if len(quotes) > 1:
        return quotes
    if not commas:
        split = _split_outside_quotes(line, ";")
        return split if len(split) > 1 and all(map(_OWN_PART.match, split)) else [line]
    for separator in ";,、":
        split = _split_outside_quotes(line, separator)
        if len(split) > 1 and (separator != ";" or all(len(part.split()) <= _BROKEN_OFF for part in split)):
            return split
    return [line]


def _numbered_parts(line: str) -> list[str]:
    """Return the parts of `1. … 2. … 3. …` on one line, numbered on from 1; else none."""
    numbers = list(_INLINE.finditer(line))
    if len(numbers) < 2 or line[: numbers[0].start()].strip():
        return []
    if [int(number[1]) for number in numbers] != list(range(1, len(numbers) + 1)):
        return []
    ends = [number.start() for number in numbers[1:]] + [len(line)]
    return [line[number.end() : end].strip(" ;,") for number, end in zip(numbers, ends, strict=True)]


def _quotes_apart(line: str) -> list[str]:
    """Return the quoted phrases of a line that holds nothing else, or the line."""
    if not _ALL_QUOTED.fullmatch(line):
        return [line]
    return [found[0] for found in QUOTED.finditer(line)]


def _split_outside_quotes(line: str, separator: str) -> list[str]:
    """Return the parts of a line between separators outside quotation marks."""
    found: list[str] = []
    close = ""
    at = 0
    for place, char in enumerate(line):
        if close:
            close = "" if char in close else close
        elif char in MARKS:
            close = MARKS[char]
        elif char == separator:
            found.append(line[at:place].strip())
            at = place + 1
    found.append(line[at:].strip())
    if close:
        found = [part.strip() for part in line.split(separator)]
    return [part for part in found if part]
