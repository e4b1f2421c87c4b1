"""A suggestion in words ("change "brisk" to "brisk first"") as an exact replacement, where it is one."""

import re
from itertools import pairwise

from reel_cli.core.frozen import frozen

_QUOTED = re.compile(r'"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|‘([^’\n]+)’|`([^`\n]+)`')
_FORWARD = re.compile(
    r"""\s*[,;:]?\s*(?:and\s+)?
    (?:(?:->|=>|→)
      |(?:(?:it|that|this|which)\s+)?
       (?:to|into|with|by|becomes|(?:should|would|could|might|must|to)\s+(?:now\s+)?(?:be|become|read|say)|now\s+reads|reads\s+now)
       (?:\s+(?:read|say|be|just|simply|rather|perhaps|the\s+words?|something\s+like))?)
    \s*[,:]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_BACKWARD = re.compile(
    r"\s*,?\s*(?:instead\s+of|rather\s+than|in\s+place\s+of|not)(?:\s+the\s+words?)?\s*[,:]?\s*",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\b(?:not|never|no)|n['’]t)\s+(?:\w+\s+){0,3}$", re.IGNORECASE)
_STOPS = ".,;"


@frozen
class Replacement:
    """Words that stand once in a text, and what they become."""

    old: str
    new: str
    start: int
    end: int

    def apply(self, text: str) -> str:
        """Return the text with the words replaced."""
        return text[: self.start] + self.new + text[self.end :]


def find_replacement(suggestion: str, text: str) -> Replacement | None:
    """Return the one exact replacement that a suggestion asks for; None if it is not certain.

    Certain is: two quoted passages joined by words of replacing, the old one standing exactly
    once in `text`, and no second such pair.
    """
    quotes = list(_QUOTED.finditer(suggestion))
    found: list[Replacement] = []
    for first, second in pairwise(quotes):
        between = suggestion[first.end() : second.start()]
        if _DENIED.search(suggestion[: first.start()]):
            continue
        pair = _passage(first), _passage(second)
        if _BACKWARD.fullmatch(between):
            pair = pair[::-1]
        elif not _FORWARD.fullmatch(between):
            continue
        made = _locate(*pair, text)
        if made is not None:
            found.append(made)
    return found[0] if len(found) == 1 else None


def _passage(quote: re.Match[str]) -> str:
    return next(part for part in quote.groups() if part).strip()


def _locate(old: str, new: str, text: str) -> Replacement | None:
    """Return where the old words occur, if exactly once; drops punctuation that belongs to the quoting."""
    if old[-1:] in _STOPS and new[-1:] in _STOPS:
        old, new = old.rstrip(_STOPS), new.rstrip(_STOPS)
    for before in dict.fromkeys((old, old.rstrip(_STOPS))):
        words = r"\s+".join(map(re.escape, before.split()))
        places = list(re.finditer(rf"(?<!\w){words}(?!\w)", text)) if words else []
        if len(places) == 1:
            start, end = places[0].span()
            after = new.rstrip(_STOPS) if text[end : end + 1] in tuple(_STOPS) else new
            return Replacement(places[0][0], after, start, end) if after not in ("", before) else None
    return None
