"""Recognition of bundles and prompts in a chat message, so that reel's own text never counts as said."""

import re

from reel_cli.core.frozen import late
from reel_cli.core.pack import words
from reel_cli.core.ports import list_openings

_SIGNS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2013": "-", "\u2014": "-"}
)
_GAP = r"(?:\s|>|\\[nrt]){1,99}"
"""Pattern of the text between two of our words: space, line ends, quote marks, line ends as JSON writes
them."""

_NAME = r"(?:[^\n]|\n(?=[^\s>])){0,200}?"
"""Pattern of a name, which a screen may have folded between its words."""
_ABOVE = 400
"""Characters around a bundle within which its title, marks and JSON are looked for."""


def _line_pattern(line: str) -> re.Pattern[str]:
    """Return the pattern of a line of ours with any name in it."""
    parts = (re.escape(word).replace(r"\{name\}", f"({_NAME})") for word in line.translate(_SIGNS).split(" "))
    return late(_GAP.join(parts), re.IGNORECASE)


_FRAMES = (
    (_line_pattern(words.OPENING), _line_pattern(words.CLOSING)),
    (_line_pattern(words.REFRESH_OPENING), _line_pattern(words.REFRESH_CLOSING)),
    (_line_pattern(words.LETTER_OPENING), _line_pattern(words.LETTER_CLOSING)),
)
SIGNS = tuple(
    tuple(word for word in line.translate(_SIGNS).lower().split(" ") if "{name}" not in word)
    for line in (
        *(words.OPENING, words.REFRESH_OPENING, words.LETTER_OPENING),
        *(words.CLOSING, words.REFRESH_CLOSING, words.LETTER_CLOSING),
    )
)
"""The words of each frame's first and last line, in lower case: a text without all of any holds no bundle."""
PROMPT_SIGNS = ((words.PROMPT_LAST,),)
"""Words without which no prompt is found in a text, ignoring case."""
_MIDDLE = re.compile(r"these (?:headings|keys),? as they are")
_SECTION = late(
    rf"(?:^|(?<=\n))[ \t>#*_]*(?:{'|'.join(map(re.escape, words.SECTIONS))})[ \t*_]*(?=\r?\n)", re.IGNORECASE
)
"""The heading of a section of ours, alone on a line."""
_TRUST = _line_pattern(words.TRUST_TEXT.partition(",")[0])
_APART = _line_pattern(words.APART_TEXT.partition(": nothing")[0])
_LABEL = re.compile(r"(?<![^\n])=== [^\n]{1,200} ===\s*\Z")
"""Pattern of the heading above the text of a place's field."""
_LINE_MARKS = re.compile(r"(?<![^\n])[ \t>#*_]+\Z")
_JSON_HEAD = re.compile(r"\[?\s*\{\s*\"role\"\s*:\s*\"\w+\"\s*,\s*\"content\"\s*:\s*\"\Z")
_JSON_TAIL = re.compile(r"(?:\\n)*\"\s*\}(?:\s*\])?")


def find_bundle(text: str) -> tuple[int, int] | None:
    """Return (start, end) of a bundle in a message, whatever the kit's name and the bundle's format, or None.

    Line ends, spaces, quotation marks and `>` marks may have been changed on the way. A bundle whose last
    line is missing was cut off, and reaches to the end. One whose first line is missing is what was pasted of
    it into another field than its beginning. None where there is no bundle.
    """
    folded = text.translate(_SIGNS)
    spans = []
    for opening, closing in _FRAMES:
        opened = opening.search(folded)
        ended = _find_closing(closing, folded, 0, opened.start() if opened else len(folded))
        begun = _begin(folded, ended.start()) if ended else None
        if ended and begun is not None:
            spans.append((begun, ended.end()))
        elif opened:
            closed = _find_closing(closing, folded, opened.end(), len(folded), _depth(folded, opened.start()))
            start = _with_title(folded, opened.start(), opened[1].strip())
            spans.append((start, closed.end() if closed else len(text)))
    return _within_json(folded, *min(spans)) if spans else None


def _find_closing(
    closing: re.Pattern[str], text: str, start: int, end: int, depth: int | None = None
) -> re.Match[str] | None:
    """Return the bundle's last line, and not a recorded line that repeats it.

    What was said stands behind a quote mark more than the bundle does, of which `depth` are before its first
    line (None where that does not show).
    """
    found = list(closing.finditer(text, start, end))
    depths = [_depth(text, one.start()) for one in found]
    most = min((one for one in depths if one is not None), default=0) if depth is None else depth
    # where everything became one line nothing tells them apart, so the first is taken
    plain = [one for one, own in zip(found, depths, strict=True) if own is None or own <= most]
    return next((one for one in plain if _depth(text, one.start()) is not None), next(iter(plain), None))


def _depth(text: str, at: int) -> int | None:
    """Return the number of quote marks before `at` on its line; None if other words precede it."""
    nearby = text[max(0, at - _ABOVE) : at]
    before = re.split(r"\n|\\n", nearby)[-1]
    return None if before.strip(' \t\r>*_#"') else before.count(">")


def find_bundle_name(text: str) -> str | None:
    """Return the name of the persona that a bundle in a text is addressed to; None where there is none."""
    folded = text.translate(_SIGNS)
    found = next((got for opening, _ in _FRAMES if (got := opening.search(folded))), None)
    return " ".join(found[1].split()) or None if found is not None else None


def find_bundle_chat(text: str) -> str:
    """Return the chat kept apart that a bundle in a text was made for; "" for none."""
    folded = text.translate(_SIGNS)
    found = _APART.search(folded) if any(opening.search(folded) for opening, _ in _FRAMES) else None
    return found[1].strip() if found is not None else ""


def _begin(text: str, end: int) -> int | None:
    """Return the start of a bundle whose first line is missing: its first section of ours.

    None where there is none; then somebody quotes the last line.
    """
    section = _SECTION.search(text, 0, end) or _TRUST.search(text, 0, end)
    if section is None:
        return None
    start = section.start()
    label = _LABEL.search(text, max(0, start - _ABOVE), start)
    return label.start() if label else start


def holds_frame(text: str) -> bool:
    """Return whether the first or the last line of a bundle occurs anywhere in a text."""
    folded = text.translate(_SIGNS)
    return any(line.search(folded) for frame in _FRAMES for line in frame)


def _with_title(text: str, start: int, name: str) -> int:
    """Return the start, with the title above the opening line, if named there, and marks before it."""
    titled = re.compile(rf"#*[ \t]*{re.escape(name)}{_GAP}\Z")
    above = titled.search(text, max(0, start - _ABOVE), start)
    start = above.start() if above else start
    marks = _LINE_MARKS.search(text, max(0, start - _ABOVE), start)
    start = marks.start() if marks else start
    label = _LABEL.search(text, max(0, start - _ABOVE), start)
    return label.start() if label else start


def _within_json(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with the JSON around a bundle that was pasted as a list of messages."""
    head = _JSON_HEAD.search(text, max(0, start - _ABOVE), start)
    tail = _JSON_TAIL.match(text, end, end + _ABOVE) if head else None
    return (head.start(), tail.end()) if head and tail else (start, end)


def find_prompt(text: str) -> tuple[int, int] | None:
    """Return the bounds of a reel prompt in a chat message, or None."""
    folded = text.casefold() if len(text.casefold()) == len(text) else text.lower()
    last = folded.rfind(words.PROMPT_LAST)
    if last < 0:
        return None
    end = folded.find("\n", last)
    end = len(text) if end < 0 else end
    found = (folded.find(opening) for opening in list_openings())
    first = next((at for at in found if 0 <= at <= last), -1)
    if first < 0 or not _MIDDLE.search(folded, first, last):
        return None
    return folded.rfind("\n", 0, first) + 1, end
