"""Structured text as models write it: JSON with its usual faults, and YAML read as strings.

Nothing here recurses over the text, and every character is looked at a bounded number of times.
"""

import re
from dataclasses import field, replace
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TypeAlias

from reel_cli.core.frozen import late, mutable

Tree: TypeAlias = "str | list[Tree] | Pairs"
"""Structured text after parsing; truth values and numbers stay as written."""


@mutable
class Pairs:
    """A mapping as it was written: in order, and with a key as often as it came."""

    items: list[tuple[str, Tree]] = field(default_factory=list)


DEEPEST = 24
_YAML_LIMIT = 256 * 1024
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_SKIP = late(r"(?:[\s,]+|//[^\n]*|/\*.{0,2000}?\*/)+", re.DOTALL)
_BLANK = late(r"\s*")
_NOTE = r"""(?:\s|//[^\n]{0,300}\n|/\*[^*]{0,300}\*/)*"""
_QUOTED_KEY = r"""(?:"([^"\n]{1,120})"|'([^\n:]{1,120}?)'|[“‘]([^“”‘\n]{1,120}?)["”’])(?=\s*:)"""
_KEY_NEXT = late(rf"{_NOTE}(?:{_QUOTED_KEY}|[A-Za-z_]\w{{0,60}}\s*:)")
_KEY = late(_QUOTED_KEY)
_VALUE_NEXT = late(_NOTE + r"""(?:["'“‘{\[\]}]|-?\d|true\b|false\b|null\b|None\b)""")
_BARE = late(r"[^,\]}\n]*")
_BARE_KEY = late(r"[^:,\]}\n\"]{0,80}")
_ESCAPE = late(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}


@mutable
class ParsedValue:
    """A value, where it ended, and whether the text broke off inside it.

    `in_list` says that it ended within a list: more of that may have been meant.
    """

    tree: Tree
    end: int
    cut: bool
    in_list: bool = False


@mutable
class _Open:
    """A list or mapping that is still being read."""

    tree: list[Tree] | Pairs
    key: str | None = None

    def add(self, value: Tree) -> None:
        if isinstance(self.tree, list):
            self.tree.append(value)
        elif self.key is not None:
            self.tree.items.append((self.key, value))
            self.key = None


def parse_json(text: str, at: int) -> ParsedValue:
    """Read the object or list that opens at `at`, as far as it goes.

    Trailing and missing commas, single and curly quotes, bare words, comments, quotes and newlines
    inside strings, and missing closing brackets are all taken. Deeper than `DEEPEST`, it stops.
    """
    root: _Open = _Open([])
    stack = [root]
    in_list = False
    while True:
        skipped = _SKIP.match(text, at)
        at = skipped.end() if skipped else at
        if at >= len(text):
            in_list = any(isinstance(one.tree, list) for one in stack[1:])
            break
        if len(stack) > DEEPEST:
            break
        char, top = text[at], stack[-1]
        if char in "{[":
            stack.append(_Open(Pairs() if char == "{" else []))
            at += 1
        elif char in "}]":
            at += 1
            stack.pop()
            stack[-1].add(top.tree)
            if len(stack) == 1:
                break
        elif char == ":":
            at += 1
        elif isinstance(top.tree, Pairs) and top.key is None:
            at = _read_key(text, at, top)
            if top.key is None:
                break
        else:
            value, at, cut = _read_value(text, at, in_list=isinstance(top.tree, list))
            top.add(value)
            if cut:
                return _close(stack, root, at, cut=True)
    cut = len(stack) > 1 and stack[-1].key is not None
    return replace(_close(stack, root, at, cut=cut), in_list=in_list)


def _close(stack: list[_Open], root: _Open, at: int, *, cut: bool) -> ParsedValue:
    """Close what is still open."""
    while len(stack) > 1:
        done = stack.pop()
        stack[-1].add(done.tree)
    assert isinstance(root.tree, list)  # noqa: S101 - made so above
    return ParsedValue(root.tree[0] if root.tree else "", at, cut)


def _read_key(text: str, at: int, top: _Open) -> int:
    quoted = _KEY.match(text, at)
    if quoted:
        top.key = _unescape(quoted[1] or quoted[2] or quoted[3])
        return quoted.end()
    bare = _BARE_KEY.match(text, at)
    if bare and bare[0].strip() and text[bare.end() : bare.end() + 1] == ":":
        top.key = bare[0].strip()
        return bare.end()
    return at


def _read_value(text: str, at: int, *, in_list: bool) -> tuple[str, int, bool]:
    """Return the scalar at `at`, its end, and whether the text broke off in it."""
    close = _QUOTES.get(text[at])
    if close is None:
        bare = _BARE.match(text, at)
        end = bare.end() if bare else at + 1
        word = text[at:end].strip()
        return ("" if word in ("null", "None") else word), max(end, at + 1), False
    if close == '"':
        try:
            value, end = scanstring(text, at + 1, False)  # noqa: FBT003 - its own signature
        except ValueError:
            pass
        else:
            if _ends_here(text, end, in_list=in_list):
                return value, end, False
    closers = {close, '"'} if close in "”’" else {close}
    end = at + 1
    while end < len(text):
        char = text[end]
        if char == "\\":
            end += 2
            continue
        if char in closers and _ends_here(text, end + 1, in_list=in_list):
            return _unescape(text[at + 1 : end]), end + 1, False
        end += 1
    return _unescape(text[at + 1 :]), len(text), True


def _ends_here(text: str, at: int, *, in_list: bool) -> bool:
    """Return whether a quote before `at` closes its string: the structure must continue after it."""
    blank = _BLANK.match(text, at)
    after = blank.end() if blank else at
    following = text[after : after + 1]
    if following in ("", "}", "]"):
        return True
    going_on = _VALUE_NEXT if in_list else _KEY_NEXT
    if following == ",":
        return bool(going_on.match(text, after + 1)) or text[after + 1 : after + 200].strip()[:1] in (
            "",
            "}",
            "]",
        )
    return "\n" in text[at:after] and bool(going_on.match(text, after))


def _unescape(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        escape = found[1]
        return chr(int(escape[1:], 16)) if len(escape) > 1 else _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(plain, text)


def parse_yaml(text: str) -> "Tree | None":
    """Read block or flow YAML into strings, lists and pairs; None where it is not plain YAML.

    Anchors, aliases and tags are refused: in a reply they are emphasis and exclamation marks.
    """
    import yaml

    if len(text) > _YAML_LIMIT:
        return None
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    root = _Open([])
    stack = [root]
    try:
        for event in yaml.parse(text, Loader=loader):
            top = stack[-1]
            if (
                isinstance(event, yaml.AliasEvent)
                or getattr(event, "anchor", None)
                or getattr(event, "tag", None)
            ):
                return None
            if isinstance(event, yaml.ScalarEvent):
                if isinstance(top.tree, Pairs) and top.key is None:
                    top.key = event.value
                else:
                    null = event.style is None and event.value in ("null", "~", "Null", "NULL")
                    top.add("" if null else event.value)
            elif isinstance(event, yaml.CollectionStartEvent):
                if (isinstance(top.tree, Pairs) and top.key is None) or len(stack) > DEEPEST:
                    return None
                stack.append(_Open([] if isinstance(event, yaml.SequenceStartEvent) else Pairs()))
            elif isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                stack[-1].add(top.tree)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    assert isinstance(root.tree, list)  # noqa: S101 - made so above
    return root.tree[0] if len(root.tree) == 1 else None


def loses_nothing(text: str, tree: Tree) -> bool:
    """Return whether a tree read as YAML keeps every word of its text: a `#` in prose is not a comment."""
    return "#" not in text or _letters(text) == _letters(_flat(tree))


def _flat(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list):
        return " ".join(_flat(part) for part in tree)
    return " ".join(f"{key} {_flat(value)}" for key, value in tree.items)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
