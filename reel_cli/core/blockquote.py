"""Quoting of recorded text, so that a reader never takes it for the structure of the text around it.

Bundles, prompts and recalled moments have headings, rules and turns (`Ada: …`) of their own. A text that was
said can hold the same marks. Such a text is quoted whole, each line behind `> `; every other text stays as it
is. A code block quotes what stands in it as well, whatever that looks like.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from reel_cli.core.frozen import late

MARK = "> "
NOBODY = "Someone"
"""The label of a speaker whose name has no letter in it."""
ROLES = (
    *("user", "assistant", "system", "human", "ai", "bot", "model", "developer", "char", "character"),
    *("you", "me", "instruction", "instructions", "response"),
)
"""Labels that stand for a speaker in any chat, whatever the two are called."""
_BREAKS = late("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_HIDDEN = late(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees: they part no words and hide no mark."""
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_LISTED = r"(?:(?:[-+*•]|\d{1,9}[.)])[ \t]+)*"
_ANY_LINE = re.IGNORECASE | re.MULTILINE
_MARKS = (
    # a setext underline, which makes a heading of the line above; that line may be the last before the text
    r"(?:\S[ \t]*\n|\A)[ \t]*(?:=+|-+)[ \t]*$",
    # headings, rules, fences, tags and the marks of chat templates
    rf"^[ \t]*{_LISTED}(?:\#+(?:[ \t]|$)|={{3,}}|`{{3,}}|~{{3,}}|<[a-z/!?|<])",
    r"^[ \t]*\[/?(?:inst|sys|system|user|assistant)\b",
    # a correction, and the day above a recalled moment
    r"^[ \t]*[\[(]put right ",
    rf"^[ \t]*\d{{1,2}} (?:{_MONTH}) \d{{4}}[^\n]{{0,40}}:[ \t]*$",
)
_ANY_MARK = late("|".join(_MARKS), _ANY_LINE)
"""Every mark that structures a text by itself."""
_CAPITALISED = r"[^\W\d_a-z][\w'’-]{0,19}"
COLONS = ":∶꞉ː"
"""Signs that look like the one behind a speaker's name."""
_LINE_ENDS = " \t#*_:=>“”\"'"
_PAGE_LABEL = late(
    rf"(?m)^[ \t]*[*_]{{0,2}}{_CAPITALISED}(?:\.?[ \t]+{_CAPITALISED}){{0,2}}"
    rf"[*_]{{0,2}}[ \t]*[{COLONS}][*_]{{0,2}}(?=[ \t]|$)"
)
"""A label that any speaker could have."""
_ITEM = late(r"#|[-+*>][ \t]|[-=]{2,}|`{3}|~{3}|<[A-Za-z/!?|<]|\d{1,9}(?=[.)][ \t])")


def plain_breaks(text: str) -> str:
    """Return `text` with every character that ends a line somewhere replaced by a newline."""
    return _BREAKS.sub("\n", text)


class OwnWords(NamedTuple):
    """Lines and words reserved for the text around a quotation; in lower case, single-spaced."""

    lines: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()


NONE = OwnWords()


def quote(text: str, names: Sequence[str] | None = (), own: OwnWords = NONE, *, is_page: bool = False) -> str:
    """Return `text`, with each line behind `> ` if one of them looks like structure.

    `names` are the speakers': a line labelled with one looks like a turn; with None no label does, as in a
    text that is an exchange itself. On a page (`is_page`: a memory, a chapter) any label of up to three
    capitalised words does: others may have spoken in the chats it tells of, and pages seldom have labels.
    """
    plain = plain_breaks(text)
    quoted = _looks_like_structure(plain, names, own) or (is_page and _PAGE_LABEL.search(_seen(plain)))
    return quote_lines(plain) if quoted else plain


def quote_turn(
    who: str, text: str, names: Sequence[str] = (), own: OwnWords = NONE, label: str = "{}:"
) -> str:
    """Return a turn behind its speaker's label, as `Ada: …`; if it is quoted, on a line of its own.

    The first line needs no quoting by itself, since the label comes before it. `label` is how the name is
    written.
    """
    plain, head = plain_breaks(text), label.format(clean_name(who))
    if _looks_like_structure(f"x {plain}", names, own):
        return f"{head}\n{quote_lines(plain)}"
    return f"{head} {plain}"


def quote_lines(text: str) -> str:
    """Return each line of `text` behind the mark; an empty one has the mark alone."""
    return "\n".join(f"{MARK}{line}" if line.strip() else MARK.rstrip() for line in text.split("\n"))


def fence_for(text: str) -> str:
    """Return a fence longer than any run of its mark in the text."""
    if "```" not in text:
        return "```"
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)


def set_apart(text: str) -> str:
    """Return `text`, with an empty line after a quotation at its end, to separate the next line from it."""
    return f"{text}\n" if text.rpartition("\n")[2].lstrip().startswith(MARK.rstrip()) else text


def plain_item(text: str) -> str:
    """Return a list's item on one line; a mark in it that would begin a heading or a block is escaped."""
    found = _ITEM.match(text)
    if found is None:
        return text
    # a number alone marks no list item; the dot after it does
    at = found.end() if found[0].isdigit() else 0
    return f"{text[:at]}\\{text[at:]}"


def clean_name(name: str) -> str:
    """Return a speaker's name on one line, without marks at its beginning that would be syntax there."""
    folded = " ".join(_HIDDEN.sub("", plain_breaks(name)).split())
    first = next((at for at, character in enumerate(folded) if character.isalnum()), len(folded))
    return folded[first:].rstrip(": ") or NOBODY


def same_name(one: str, other: str) -> bool:
    """Return whether two names read the same, ignoring case and look-alike characters."""
    return _seen(one).strip().casefold() == _seen(other).strip().casefold()


def is_role(name: str) -> bool:
    """Return whether a name is a role in the chat, such as `User`, and not a person's own name."""
    return _seen(name).strip().casefold() in ROLES


def _looks_like_structure(text: str, names: Sequence[str] | None, own: OwnWords) -> bool:
    seen = _seen(text)
    lines = seen.split("\n")
    # compiling the patterns costs more than all the rest of packing a plain kit
    if any(map(_may_be_mark, lines)) and _ANY_MARK.search(seen):
        return True
    if (
        names is not None
        and any(map(_may_be_label, lines))
        and (_ROLE_LABEL.search(seen) or (names and _labels(tuple(names)).search(seen)))
    ):
        return True
    # a quoted line is not the speaker's own
    lines = [line for line in lines if not line.startswith(">")]
    folded = " ".join(" ".join(lines).casefold().split()) if own.phrases else ""
    if any(phrase in folded for phrase in own.phrases):
        return True
    return any(line.strip(_LINE_ENDS).casefold() in own.lines for line in lines)


def _seen(text: str) -> str:
    """Return a text as it looks: no invisible characters, one form of each letter and mark."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    import unicodedata

    return unicodedata.normalize("NFKC", _HIDDEN.sub("", text))


def _may_be_mark(line: str) -> bool:
    """Return whether a line may hold a structural mark; a cheap test before `_ANY_MARK`."""
    plain = line.strip(" \t")
    first = plain[:1]
    if first.isalpha() or not first:
        return False
    rest = plain.lstrip("-+*•0123456789.) \t")
    return not rest or rest[0] in "#=`~<[(" or rest[0].isdigit() or (first.isdigit() and plain[-1] == ":")


def _may_be_label(line: str) -> bool:
    """Return whether a line may hold a speaker's label; a cheap test before `_labels`."""
    return any(colon in line for colon in COLONS) or line.lstrip(" \t").startswith("**")


@lru_cache(maxsize=64)
def _labels(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a label that begins a turn when these people speak."""
    known = {" ".join(_seen(name).split()) for name in (*names, *(clean_name(name) for name in names))}
    return re.compile(_write_label(sorted(filter(None, known))), _ANY_LINE)


def _write_label(names: Sequence[str]) -> str:
    """Return a pattern of the labels with these names, which matches nothing where there are none."""
    speaker = "|".join(re.escape(name).replace(r"\ ", r"[ \t]+") for name in names) or "(?!)"
    label = (
        r"^[ \t]*(?:[\[(][^\n\[\]()]{0,40}[\])][ \t]*)?[\[(*_'\"“]{0,4}"
        rf"(?:{speaker})[\])*_'\"”]{{0,4}}[ \t]*(?:[(\[][^\n()\[\]]{{0,40}}[)\]])?[*_]{{0,3}}[ \t]*[{COLONS}]"
    )
    alone = rf"^[ \t]*\*\*(?:{speaker})\*\*[ \t]*$"
    return f"{label}|{alone}"


_ROLE_LABEL = late(_write_label(ROLES), _ANY_LINE)


_FENCE = late(r" {0,3}(`{3,}|~{3,})(.*)")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is in a code block; an unclosed fence opens none."""
    inside = [False] * len(lines)
    opened: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if not fence:
            continue
        if opened is None:
            if fence[1][0] == "~" or "`" not in fence[2]:
                opened = index, fence[1]
        elif fence[1].startswith(opened[1]) and not fence[2].strip():
            inside[opened[0] : index + 1] = [True] * (index + 1 - opened[0])
            opened = None
    return inside


FENCE_LINE = late(r"(?m)^ {0,3}(?:```|~~~)")
"""A line that opens or closes a code block, as a quick look tells it."""


def cut_out(
    text: str, opened: re.Pattern[str], closing: Callable[[re.Match[str]], str]
) -> tuple[str, list[tuple[re.Match[str], str]]]:
    """Return the text without its blocks, and each block's opening with its contents.

    `closing` says how a block that was opened so ends; one without its end takes all that follows. What
    looks like an opening inside a code block opens nothing.
    """
    outside: list[str] = []
    blocks: list[tuple[re.Match[str], str]] = []
    at = counted = fences = 0
    for found in opened.finditer(text):
        if found.start() < at:
            continue
        fences += len(FENCE_LINE.findall(text, max(at, counted), found.start()))
        counted = found.start()
        if fences % 2:
            continue
        end = closing(found)
        close = text.find(end, found.end())
        outside.append(text[at : found.start()])
        blocks.append((found, text[found.end() : close if close >= 0 else len(text)]))
        at = close + len(end) if close >= 0 else len(text)
    if not blocks:
        return text, []
    rest = [*outside[1:], text[at:]]
    return "\n\n".join(p for p in (outside[0].rstrip(), *(part.strip() for part in rest)) if p), blocks
