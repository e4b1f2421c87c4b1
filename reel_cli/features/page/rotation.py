"""Examples that a checkpoint would show again, and those it would rest (REEL §6.6, ring_1_rotation)."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.pattern import late

_REST = late(
    r"\b(?:rest|rests|resting|retired?|(?:swap(?:ped)?|rotated?) out|replaced?|drop(?:ped)?|removed?"
    r"|put away|(?:go|goes|step|steps) (?:out|away|back))\b"
)
_STAY = late(r"\b(?:stay|stays|keep|kept|remain|remains|leave|left|still|good|fine)\b")
_SHOW = late(r"\b(?:show|shown|again|bring|back|(?:swap|rotate)d? in|activate|instead|with|add)\b")
_NOT = late(r"(?:\b(?:not|no|never|nothing|none|neither)\b|n't\b)(?:\W+\w+){0,3}\W*$")
_NONE = late(r"\W*(?:nothing|none|no exchange|no example|not today|n/?a)\b|.*\b(?:can|may|all|should) stay\b")
_PIECES = late(r"(?<=[.!?])[\"'”*_]*\s+|\s*[()]\s*|\s*;\s*(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)|\n")
_LIST = late(r"[\W_]*(?:and|or)?[\W_]*")
_LEAST_WORDS = 2


def read_rotation(lines: Sequence[str], titles: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what to show again (titles, or an exchange's first line), and the titles to rest.

    An example that is only mentioned, or should stay as it is, is in neither.
    """
    show: list[str] = []
    rest: list[str] = []
    known = {fold(title): title for title in titles if len(title) > 2}
    for line in lines:
        if not any(title in fold(line) for title in known):
            if not _NONE.match(fold(line)) and not _REST.match(fold(line)):
                show.append(line.strip())
            continue
        claim: list[str] = []
        for piece in (part for part in _PIECES.split(line) if part and part.strip()):
            if any(title in fold(piece) for title in known):
                _sort(fold(piece), known, show, rest)
            else:
                claim.append(piece.strip())
        said = " ".join(claim)
        if len(said.split()) >= _LEAST_WORDS and not _NONE.match(fold(said)):
            show.append(next(iter(quotations(said)), said))
    return tuple(dict.fromkeys(show)), tuple(dict.fromkeys(title for title in rest if title not in show))


def _sort(piece: str, known: dict[str, str], show: list[str], rest: list[str]) -> None:
    """Put each example that one sentence names where the words around it say."""
    places = sorted((piece.find(title), title) for title in known if title in piece)
    found: list[tuple[str, str]] = []
    for number, (at, title) in enumerate(places):
        before = piece[places[number - 1][0] + len(places[number - 1][1]) if number else 0 : at]
        after = piece[at + len(title) : places[number + 1][0] if number + 1 < len(places) else len(piece)]
        found.append((title, _wish(before, after, last=number + 1 == len(places))))
    wish = ""
    for title, own in reversed(found):
        # `A, B and C may rest` speaks of all three
        wish = own if own != "as the next" else wish
        if wish == "rest":
            rest.append(known[title])
        elif wish == "show":
            show.append(known[title])


def _wish(before: str, after: str, *, last: bool) -> str:
    """Return the wish for an example, by the words behind it or else before it."""
    if not last and _LIST.fullmatch(after) and not _meant(_REST, before) and not _SHOW.search(before):
        return "as the next"
    clause = re.split(r"[,:](?=\s)|\bas\b|\bsince\b|\bbecause\b", after, maxsplit=1)[0]
    clause = clause if clause.strip(" \"'*_") else after
    for words in (clause, before):
        if _STAY.search(words) and not _REST.search(words):
            return "stay"
        if _REST.search(words):
            return "rest" if _meant(_REST, words) else "stay"
        if _SHOW.search(words):
            return "show" if _meant(_SHOW, words) else "stay"
    return "show" if not re.search(r"\w", before) else "stay"


def _meant(pattern: re.Pattern[str], words: str) -> bool:
    """Return whether the words match and are not negated."""
    found = pattern.search(words)
    return bool(found) and not _NOT.search(words[: found.start()] if found else "")
