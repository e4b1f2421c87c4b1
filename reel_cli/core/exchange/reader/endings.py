"""Ends of replies: the signature, what a chatty model adds, and a reply that stops short."""

import re
from collections.abc import Sequence

from reel_cli.core.exchange.reader.fences import is_fence
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.pattern import late

_RULE = late(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")
_CHATTER = late(
    r"[*_(]{0,3}(?:please )?(?:let me know\b|i hope (?:this|that|it)\b|hope this\b|would you like (?:me|to)\b"
    r"|if you(?:'d|’d| would) like\b|if you (?:need|want|have)\b|is there anything\b|feel free\b"
    r"|shall i\b|should i\b|do you want me\b|i can also\b"
    r"|\(?note(?: that)?\b[:,]?|this (?:page|entry|checkpoint|journal) (?:was|is|captures|follows)\b"
    r"|end of (?:page|entry|checkpoint|journal)\b|word count\b)",
    re.IGNORECASE,
)
_YOU = late(r"\b(?:you|your|you'd|note|anything|page|entry|checkpoint|journal|word count)\b", re.IGNORECASE)
_VALEDICTION = late(
    r"[\W_]*(?:(?:with )?(?:all my )?(?:much )?love|yours(?: truly| always| ever)?|always(?: yours)?"
    r"|sincerely|(?:warmly|fondly)|best|until (?:next time|tomorrow|then)"
    r"|see you (?:soon|tomorrow|there)|signed)[\W_]*",
    re.IGNORECASE,
)
_CLOSED = late(r"[.!?…\"'”’»)\]*_`~>|。！？]$|[^\w\s,;:–—-]$")
_TAG = late(r"[ \t]*\[/[A-Za-z]{1,20}\][ \t]*")
_STAGED = late(r"[ \t]*\*(?!\*)[^*\n\"“”]{6,300}\*[ \t]*")
_QUOTED = re.compile(r"[\"“”„«»]")
_BROKEN_WORDS = 5
_AFTER_NAME = 40
_AFTERWORD = 600
_SIGNATURE = 80


def strip_ending(text: str, names: Sequence[str]) -> tuple[str, bool]:
    """Return the last field without sign-off and closing chatter, and whether it was signed or closed.

    Only whole lines at the end go: from the line with a name in `names` on, for the name is the
    page's last line; a fence, a rule, a valediction, a closing tag; a stage direction, and a
    paragraph that speaks to the person about the page, where each stands apart.
    """
    lines = text.rstrip().split("\n")
    signed = _signature(lines, names)
    closed = signed is not None
    if signed is not None:
        del lines[signed:]
        while lines and (not lines[-1].strip() or _is_valediction(lines[-1])):
            lines.pop()
    lone = sum(map(is_fence, lines)) % 2 == 1
    while lines:
        line = lines[-1]
        if not line.strip() or (len(line) < _SIGNATURE and (_RULE.fullmatch(line) or _TAG.fullmatch(line))):
            lines.pop()
        elif lone and is_fence(line):
            lines.pop()
            lone = False
        else:
            start = _paragraph(lines)
            if start is None or not (_is_chatter(lines[start:]) or _STAGED.fullmatch(line)):
                break
            if not any(lines[n].strip() for n in range(start)):
                break
            del lines[start:]
            closed = True
    return "\n".join(lines), closed


def _signature(lines: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the line that holds only a name, separated from the text above it or last of all."""
    called = {squash(name) for name in names} | {squash(name.split()[0]) for name in names if name.split()}
    called -= {""}
    alone = called | {f"signed{name}" for name in called} | {f"signature{name}" for name in called}
    for number in range(len(lines) - 1, max(0, len(lines) - _AFTER_NAME), -1):
        line = lines[number]
        if len(line) > _SIGNATURE or not line.strip() or _QUOTED.search(line):
            continue
        above = lines[number - 1]
        apart = not above.strip() or bool(_RULE.fullmatch(above[:_SIGNATURE])) or _is_valediction(above)
        if squash(line) in alone and (apart or number == len(lines) - 1):
            return number
        first, _, more = line.strip(" *_—–-").partition(",")
        if apart and squash(first) in called and 0 < len(more.split()) < _BROKEN_WORDS + 1:
            return number
    return None


def _is_valediction(line: str) -> bool:
    if len(line) >= _SIGNATURE:
        return False
    words = line.strip(" ,")
    # "Yours, in a singlet," is one too
    return bool(_VALEDICTION.fullmatch(line)) or (
        line.rstrip().endswith(",")
        and len(words.split()) <= _BROKEN_WORDS
        and bool(_VALEDICTION.match(words))
    )


def _paragraph(lines: Sequence[str]) -> int | None:
    """Return the first line of the last paragraph, if that is short enough for an afterword."""
    for back in range(1, 5):
        at = len(lines) - back
        if at <= 0:
            return None
        if not lines[at - 1].strip() or _RULE.fullmatch(lines[at - 1][:200]):
            return at
    return None


def _is_chatter(lines: Sequence[str]) -> bool:
    """Return whether a paragraph only offers further service."""
    text = " ".join(lines)
    return len(text) < _AFTERWORD and bool(_CHATTER.match(text)) and bool(_YOU.search(text))


def stops_short(text: str, spec: FieldSpec) -> bool:
    """Return whether the last field ends in the middle of a sentence."""
    line = text.rstrip().rpartition("\n")[2].strip()
    if not line or _CLOSED.search(line[-2:]):
        return False
    if spec.shape == "prose":
        return len(line.split()) >= _BROKEN_WORDS
    if line.count('"') % 2 or line.count("“") > line.count("”"):
        # a quotation that is never closed
        return True
    return line.endswith((",", ";", "-", "–", "—", " and", " the", " a", " of", " to"))
