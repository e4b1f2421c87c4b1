"""One YAML value, read on its own: a fault in one field must not cost the others."""

import re
from collections.abc import Sequence
from textwrap import dedent

from reel_cli.core.exchange.reader.trees import Pairs, Tree, loses_nothing, parse_json, parse_yaml
from reel_cli.core.exchange.reader.values import is_verdict
from reel_cli.core.pattern import late

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
        # YAML drops what it takes for a comment after the closing quote
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
