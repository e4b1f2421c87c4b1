"""How a reply ends: the name it is signed with, what a chatty model adds, and whether it stops short."""

import re
from collections.abc import Sequence

from reel_cli.exchange.fences import is_fence
from reel_cli.exchange.labels import squash
from reel_cli.exchange.schema import FieldSpec

_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")
_CHATTER = re.compile(
    r"[*_(]{0,3}(?:please )?(?:let me know\b|i hope (?:this|that|it)\b|hope this\b|would you like (?:me|to)\b"
    r"|if you(?:'d|’d| would) like\b|if you (?:need|want|have)\b|is there anything\b|feel free\b"
    r"|shall i\b|should i\b|do you want me\b|i can also\b"
    r"|\(?note(?: that)?\b[:,]?|this (?:page|entry|checkpoint|journal) (?:was|is|captures|follows)\b"
    r"|end of (?:page|entry|checkpoint|journal)\b|word count\b)",
    re.IGNORECASE,
)
_YOU = re.compile(
    r"\b(?:you|your|you'd|note|anything|page|entry|checkpoint|journal|word count)\b", re.IGNORECASE
)
_VALEDICTION = re.compile(
    r"[\W_]*(?:(?:with )?(?:all my )?(?:much )?love|yours(?: truly| always| ever)?|always(?: yours)?"
    r"|sincerely|(?:warmly|fondly)|best|until (?:next time|tomorrow|then)"
    r"|see you (?:soon|tomorrow|there)|signed)[\W_]*",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[.!?…\"'”’»)\]*_`~>|。！？]$|[^\w\s,;:–—-]$")
_BROKEN_WORDS = 5
_AFTERWORD = 600
_SIGNATURE = 80


def strip_ending(text: str, names: Sequence[str]) -> tuple[str, bool]:
    """(the last field without sign-off and closing chatter, whether it was signed or closed).

    Only whole lines at the end go: a fence, a rule, a name in `names`, a valediction above it,
    and a paragraph of its own that speaks to the person about the page.
    """
    lines = text.rstrip().split("\n")
    called = {squash(name) for name in names if squash(name)}
    called |= {squash(name.split()[0]) for name in names if name.split()}
    closed = False
    lone = sum(map(is_fence, lines)) % 2 == 1
    while lines:
        line = lines[-1]
        if not line.strip() or (len(line) < _SIGNATURE and _RULE.fullmatch(line)):
            lines.pop()
        elif lone and is_fence(line):
            lines.pop()
            lone = False
        elif len(line) < _SIGNATURE and squash(line) in called:
            lines.pop()
            closed = True
            while lines and (not lines[-1].strip() or _is_valediction(lines[-1])):
                lines.pop()
        else:
            start = _paragraph(lines)
            if (
                start is None
                or not _is_chatter(lines[start:])
                or not any(lines[n].strip() for n in range(start))
            ):
                break
            del lines[start:]
            closed = True
    return "\n".join(lines), closed


def _is_valediction(line: str) -> bool:
    return len(line) < _SIGNATURE and bool(_VALEDICTION.fullmatch(line))


def _paragraph(lines: Sequence[str]) -> int | None:
    """Where the last paragraph begins, when it is short enough to be an afterword."""
    for back in range(1, 5):
        at = len(lines) - back
        if at <= 0:
            return None
        if not lines[at - 1].strip() or _RULE.fullmatch(lines[at - 1][:200]):
            return at
    return None


def _is_chatter(lines: Sequence[str]) -> bool:
    """Whether a paragraph offers further service rather than telling anything."""
    text = " ".join(lines)
    return len(text) < _AFTERWORD and bool(_CHATTER.match(text)) and bool(_YOU.search(text))


def stops_short(text: str, spec: FieldSpec) -> bool:
    """Whether the last field ends in the middle of a sentence."""
    line = text.rstrip().rpartition("\n")[2].strip()
    if not line or _CLOSED.search(line[-2:]):
        return False
    if spec.shape == "prose":
        return len(line.split()) >= _BROKEN_WORDS
    return line.endswith((",", ";", "-", "–", "—", " and", " the", " a", " of", " to"))
