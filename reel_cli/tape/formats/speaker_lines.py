"""Lines that may say who speaks: `**You:** hi`, `### Assistant`, `[21:14] Ada: …`, `User:`."""

import re
from dataclasses import dataclass
from functools import cache

from reel_cli.tape.formats.people import People, fold_label, is_name_like

_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?(?:Z|\s?[+-]\d{2}:?\d{2})?"
_DATE = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
_STAMP = rf"(?:{_DATE}(?:,?[ T\u202f]\s?{_TIME})?|{_TIME})"
_ENCLOSED = rf"(?:\[{_STAMP}\]|\({_STAMP}\))"
_BEFORE = rf"(?:(?P<before>{_ENCLOSED}|{_STAMP})[ \t\u202f]*[-–—,]?[ \t]+)?"
_BEHIND = rf"(?:[ \t]*(?P<behind>{_ENCLOSED}))?"
_LABEL = r"(?P<label>[^\s*#>:：\[\]|`][^*:：\n\[\]|`]{0,60}?)"

_SHAPES = (
    ("heading", (
        rf"(?P<level>#{{1,6}})[ \t]+{_BEFORE}(?:\*\*)?{_LABEL}(?:[ \t]said)?[ \t]*[:：]?(?:\*\*)?[:：]?"
        rf"{_BEHIND}[ \t]*[:：]?[ \t]*#*[ \t]*(?P<rest>)"
    )),
    ("bold", (
        rf"(?P<bullet>[-*+•][ \t]+)?{_BEFORE}(?P<mark>\*\*|__){_LABEL}{_BEHIND}"
        rf"(?:[:：][ \t]*(?P=mark)|(?P=mark)[ \t]*(?P<late>{_ENCLOSED})?[ \t]*[:：])(?P<rest>.*)"
    )),
    ("bold alone", (
        rf"(?P<bullet>[-*+•][ \t]+)?{_BEFORE}(?P<mark>\*\*|__){_LABEL}(?P=mark){_BEHIND}[ \t]*(?P<rest>)"
    )),
    ("italic", rf"{_BEFORE}(?P<mark>[*_]){_LABEL}(?:[:：](?P=mark)|(?P=mark)[:：])(?P<rest>.*)"),
    ("angle", rf"{_BEFORE}<{_LABEL}>[ \t]+(?P<rest>.*)"),
    ("stamped", (
        rf"(?P<before>{_ENCLOSED}|{_STAMP})[ \t\u202f]*[-–—,]?[ \t]+{_LABEL}[:：](?:[ \t]+(?P<rest>.*))?"
    )),
    ("said", rf"{_LABEL}[ \t](?:said|says|wrote)[:：][ \t]*(?P<rest>)"),
    ("plain", rf"{_LABEL}{_BEHIND}(?::[ \t]+|:$|：)(?P<rest>.*)"),
    ("bare", r"(?P<label>[^\W\d_][\w .-]{0,40})[ \t]*(?P<rest>)"),
)  # fmt: skip
_MARKDOWN = frozenset({"heading", "bold", "bold alone", "italic"})
_LONGEST_HEAD = 240
"""A label stands within so many characters of its line's start."""
_ASIDE = re.compile(r"(?P<label>.*\S)[ \t]*\((?P<aside>[^()]{1,60})\)")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")


@dataclass(frozen=True, slots=True)
class SpeakerLine:
    """A line that may begin a turn; `style` is the shape, with a heading's level or a bullet."""

    index: int
    style: str
    label: str
    folded: str
    rest: str
    stamp: str | None = None
    aside: str | None = None

    @property
    def is_markdown(self) -> bool:
        """Whether the shape is Markdown's."""
        return self.style.split("/")[0] in _MARKDOWN


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The shapes in the order they are tried; compiled when the first line is looked at."""
    return tuple((name, re.compile(pattern)) for name, pattern in _SHAPES)


def read_speaker_line(line: str, index: int, people: People) -> SpeakerLine | None:
    """The line as one that says who speaks, or None where it has no such shape."""
    head, beyond = line[:_LONGEST_HEAD], line[_LONGEST_HEAD:]
    for shape, pattern in _shapes():
        found = pattern.fullmatch(head)
        if not found:
            continue
        parts = found.groupdict()
        label, aside = _clean_label(parts["label"])
        folded = fold_label(label)
        known = people.side(folded) is not None
        rest = parts.get("rest") or ""
        if not known and (shape == "bare" or not is_name_like(label)):
            continue
        if beyond and not rest:
            continue
        stamp = parts.get("before") or parts.get("behind") or parts.get("late")
        detail = parts.get("level") or ("-" if parts.get("bullet") else "")
        style = f"{shape}/{detail}" if detail else shape
        rest = rest if rest.strip() else ""
        return SpeakerLine(index, style, label, folded, (rest + beyond).lstrip(), stamp, aside)
    return None


def _clean_label(label: str) -> tuple[str, str | None]:
    """A label without the emoji about it; what stands in parentheses after it, apart."""
    aside = _ASIDE.fullmatch(label)
    name = aside["label"] if aside else label
    trimmed = _EDGE.sub("", name)
    edges = name.replace(trimmed, "", 1) if trimmed else name
    if any(c.isascii() and not c.isspace() and c != "." for c in edges):
        trimmed = name.strip()
    return trimmed, aside["aside"] if aside else None
