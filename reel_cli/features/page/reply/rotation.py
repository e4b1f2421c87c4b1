"""The examples that a reply wants to show again or to rest."""

import re
from collections.abc import Mapping, Sequence

from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.frozen import late

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
NO_SLUGS: Mapping[str, str] = {}
_WAYS = ("in", "out")
_WAY = late(r"\b(in|out)\b")
_BETWEEN = late(r"(?:[\W_]|\b(?:(?:swap|rotate)(?:d|ped)?[ _-]?)?(?:in|out)\b|\b(?:and|swap|rotate)\b)*")
_LOAD = late(r"\b(un)?load(?:ed)?[ \t]*:", re.IGNORECASE)
_IN = late(r"\W*(?:(?:swap|rotate)[ _-]?)?in[ \t]*:[ \t]*", re.IGNORECASE)
_OUT = late(r"\W*(?:(?:swap|rotate)[ _-]?)?out[ \t]*:[ \t]*", re.IGNORECASE)


def read_rotation(
    lines: Sequence[str], titles: Sequence[str], slugs: Mapping[str, str] = NO_SLUGS
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what to show again (titles, or an exchange's first line), and the titles to rest.

    An example that is only mentioned, or should stay as it is, is in neither. `slugs` are the names of the
    examples' files, each with its title.
    """
    show: list[str] = []
    rest: list[str] = []
    known = {fold(title): title for title in titles if len(title) > 2}
    ways = (_LOAD.sub(lambda way: "out:" if way[1] else "in:", one) for one in lines)
    for line in (_with_titles(one, known, slugs) for one in ways):
        if _swap(fold(line), known, show, rest):
            continue
        if not any(title in fold(line) for title in known):
            away = _OUT.match(line)
            if away:
                rest.append(line[away.end() :].strip())
            elif not _NONE.match(fold(line)) and not _REST.match(fold(line)):
                show.append(_IN.sub("", line, count=1).strip())
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


def _with_titles(line: str, known: dict[str, str], slugs: Mapping[str, str]) -> str:
    """Return the line with each exemplar's title where it has its slug (`up-at-five`)."""
    for name in sorted(slugs, key=len, reverse=True):
        if "-" in name or name == line.strip().removesuffix(".md"):
            line = re.sub(rf"(?<![\w-]){re.escape(name)}(?:\.md)?(?![\w-])", lambda _: slugs[name], line)  # noqa: B023
    for folded, title in known.items():
        slug = r"[-_]".join(map(re.escape, re.findall(r"\w+", folded)))
        if "-" in slug:
            plain = title.replace("\\", r"\\")
            line = re.sub(rf"(?<![\w-]){slug}(?:\.md)?(?![\w-])", plain, line, flags=re.IGNORECASE)
    return line


def _swap(line: str, known: dict[str, str], show: list[str], rest: list[str]) -> bool:
    """Take a line of titles, with `in` or `out` before or behind each (REEL §6.6); False for any other."""
    titles = sorted(known, key=len, reverse=True)
    any_title = "|".join(map(re.escape, titles)) or "(?!)"
    pieces = re.split(rf"(?<!\w)({any_title})(?!\w)", line)
    order: list[str] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            order.append(piece)
        elif not _BETWEEN.fullmatch(piece):
            return False
        else:
            order += _WAY.findall(piece)
    before = bool(order) and order[0] in _WAYS
    if len(pieces) == 1 or before == (order[-1] in _WAYS):
        return False
    way = ""
    for one in order if before else reversed(order):
        if one in _WAYS:
            way = one
        else:
            (show if way == "in" else rest).append(known[one])
    return True


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
        # `A, B and C may rest` applies to all three
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
