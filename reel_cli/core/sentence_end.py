"""The full stops of abbreviations, behind which no sentence ends: `Dr. Brandt`, `in St. Magnus`, `J. Smith`.

Patterns say what ends a sentence, as a title has other ends than a note; the functions here leave out the
matches behind an abbreviation.
"""

import re
from collections.abc import Iterator

_TITLE = re.compile(
    r"(?i)(?<![\w.'’-])(?:dr|mr|mrs|mme|prof|rev|capt|sgt|st|ste|ph\.?d)\Z|(?<![\w.'’-])(?-i:Ms|Fr|Lt)\Z"
)
"""Pattern of words that stand before a name."""
_STREET = re.compile(
    r"(?<![\w'’-])(?!(?:In|At|To|Near|From|By|On|The|And|Of|Through)\b)(?:[A-Z][\w'’]*|\d\w*) St\Z"
)
"""Pattern of the end of an address, behind which a sentence may end: `12 Elm St.`"""
_COUNTED = re.compile(r"(?i)(?<![\w.'’-])(?:nos?|nr|p|pp|vol|art|fig|ch)\Z")
"""Pattern of words that stand before a number: `No. 5`, and not `No. I can't.`"""
_LINKS = re.compile(r"(?i)(?<![\w.'’-])(?:vs|approx|ca|e\.g|i\.e|z\.b|d\.h|u\.a|bzw|incl|cf)\Z")
"""Pattern of words that never end a sentence."""
_MAY_END = re.compile(r"(?i)(?<![\w'’-])(?:[ap]\.m|etc|jr|sr|inc|ltd|usw|\w\.\w)\Z")
"""Pattern of words after which a sentence goes on in lower case."""
_DAY = re.compile(r"\s+(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b")
_INITIAL = re.compile(r"(?<![\w.'’-])(?:[A-Z]\.[ -]?)*(?P<last>[A-HJ-ZÀ-Þ])\Z")
_KIND = re.compile(
    r"(?i)\b(?:plan|vitamin|option|type|group|team|grade|class|hepatitis|exhibit|section|platform|gate|row|block"
    r"|level|version|part|stage|an?|the)\s+\Z"
)
"""Pattern of words before a letter that is no initial: `plan B`."""
_NEXT = re.compile(r"[\"'“”’)\]*_]*\s*(?P<next>\S)")
_BEFORE = 16
"""Characters before a full stop that are looked at."""


def is_abbreviation(text: str, stop: int) -> bool:
    """Return whether the full stop at an index of a text ends an abbreviation, and no sentence."""
    if text[stop : stop + 1] != ".":
        return False
    before = text[max(0, stop - _BEFORE) : stop]
    if not before[-1:].isalpha():
        return False
    found = _NEXT.match(text, stop + 1)
    following = found["next"] if found is not None else ""
    if not following:
        # the last full stop ends the text
        return False
    if _LINKS.search(before) or (_TITLE.search(before) and not _STREET.search(before)):
        return True
    if _COUNTED.search(before):
        return following.isdigit()
    if _MAY_END.search(before):
        return following.islower() or following in ",;:)" or _DAY.match(text, stop + 1) is not None
    initial = _INITIAL.search(before)
    return initial is not None and following.isupper() and _KIND.search(before[: initial.start()]) is None


def find_ends(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern of sentence ends that are none of an abbreviation.

    A match begins with the full stop or right behind it.
    """
    for found in pattern.finditer(text):
        start = found.start()
        stop = start if text[start : start + 1] == "." else start - 1
        if stop < 0 or not is_abbreviation(text, stop):
            yield found


def split_sentences(pattern: re.Pattern[str], text: str, most: int = 0) -> list[str]:
    """Return a text split at the matches of a pattern without groups; `most` splits, 0 for all."""
    parts: list[str] = []
    start = 0
    for found in find_ends(pattern, text):
        if most and len(parts) >= most:
            break
        parts.append(text[start : found.start()])
        start = found.end()
    return [*parts, text[start:]]
