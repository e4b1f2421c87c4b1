"""Macros that cards write in place of a name: replaced on import, and restored on export."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_INSIDE = r"(?:[^{}]|\{\{[^{}]*\}\}|[{}](?![{}]))*"
"""Pattern of a macro's content, which may hold another macro."""
_SILENT = rf"\{{\{{\s*(?:(?://|comment:|hidden_key:){_INSIDE}|(?:original|noop)\s*)\}}\}}"
_MACRO = re.compile(
    rf"(?m)(?P<line>^[ \t]*(?:{_SILENT}[ \t]*)+(?:\n|\Z))|(?P<silent>{_SILENT})"
    r"|(?P<trim>(?:(?<!\n)\n+)?\{\{\s*trim\s*\}\}\n*)|(?P<newline>\{\{\s*newline\s*\}\})"
    r"|\{\{\s*reverse:(?P<reverse>[^{}\n]*)\}\}"
    r"|\{\{\s*(?P<macro>char|bot|charIfNotGroup|group|user|notChar)\s*\}\}|<(?P<tag>char|user|bot)>",
    re.IGNORECASE,
)
"""Pattern of every macro that means the same whenever it is read."""
_OF_USER = frozenset({"user", "notchar"})
_BRACED = re.compile(r"\{\{\s*(char|user|persona|bot)\s*\}\}", re.IGNORECASE)
_LEFT = re.compile(r"\{\{\s*([#/]?[A-Za-z_]+)")
_DECORATOR = re.compile(r"(?:@@@?[a-z_]+[^\n]*(?:\n|$))+", re.IGNORECASE)
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)")
"""Pattern of whole terminal control sequences: without its first character the rest would be left to read."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a card's two speakers in a kit."""

    char: str
    user: str


class Span(NamedTuple):
    """A stretch of a card's text: as it is written there, and as a kit holds it."""

    raw: str
    shown: str


def replace_macros(text: str, names: Names) -> str:
    """Return a card's text for a kit: macros replaced, comments and control codes removed.

    What is drawn or looked up anew each time (`{{random:…}}`, `{{time}}`), or is a matter of the program
    (`{{#if}}`, `{{persona}}`), stays as it stands; `macros_left` names it.
    """
    return "".join(span.shown for span in trace_macros(text, names))


def trace_macros(text: str, names: Names) -> Sequence[Span]:
    """Return the spans of a card's text; as written they make the text, without its control codes."""
    return list(_trace(clean_text(text), names))


def strip_spans(spans: Sequence[Span]) -> tuple[str, Sequence[Span], str]:
    """Return the blank start as written, the spans between, and the blank end as written."""
    inner = list(spans)
    head, tail = "", ""
    while inner and not inner[0].shown.strip():
        head += inner.pop(0).raw
    while inner and not inner[-1].shown.strip():
        tail = inner.pop().raw + tail
    if inner:
        raw, shown = inner[0]
        text = shown.lstrip()
        if raw == shown:
            head += raw[: len(raw) - len(text)]
        inner[0] = Span(text if raw == shown else raw, text)
        raw, shown = inner[-1]
        text = shown.rstrip()
        if raw == shown:
            tail = raw[len(text) :] + tail
        inner[-1] = Span(text if raw == shown else raw, text)
    return head, inner, tail


def _trace(plain: str, names: Names) -> Iterator[Span]:
    at = 0
    for found in _MACRO.finditer(plain):
        if found.start() > at:
            between = plain[at : found.start()]
            yield Span(between, between)
        yield Span(found[0], _meant(found, names))
        at = found.end()
    if at < len(plain):
        yield Span(plain[at:], plain[at:])


def _meant(found: re.Match[str], names: Names) -> str:
    """Return the text that a macro stands for."""
    if found["newline"]:
        return "\n"
    if found["reverse"] is not None:
        return found["reverse"][::-1]
    word = found["macro"] or found["tag"]
    if word is None:
        return ""
    return names.user if word.lower() in _OF_USER else names.char


def replace_names(text: str, names: Names) -> str:
    """Return other text with names in place of macros in braces; `<user>` may mean anything there."""
    return _BRACED.sub(
        lambda found: names.user if found[1].lower() in {"user", "persona"} else names.char, text
    )


def clean_text(text: str) -> str:
    """Return a text with plain line ends and no control codes; a lone surrogate becomes `\ufffd`."""
    plain = _ESCAPE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROL.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", plain)


def macros_left(text: str) -> tuple[str, ...]:
    """Return the names of macros that stand in a text, each once, in order."""
    return tuple(dict.fromkeys(found.lower() for found in _LEFT.findall(text)))


def drop_decorators(text: str) -> str:
    """Return a lorebook entry's text without leading lines that only steer a program (`@@depth 4`)."""
    found = _DECORATOR.match(text)
    return text[found.end() :] if found else text
