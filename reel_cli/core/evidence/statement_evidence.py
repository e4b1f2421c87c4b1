"""Evidence for a sentence about somebody: that it says no more than the words that support a fact."""

import re

from reel_cli.core.evidence.fact_days import bears_years
from reel_cli.core.evidence.fact_evidence import FactSupport
from reel_cli.core.evidence.grounding.dates import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import even, stems
from reel_cli.core.evidence.own_words import (
    LENT,
    NO,
    ONESELF,
    is_named,
    missing_detail,
    sentences_around,
    telling,
)
from reel_cli.core.frozen import late


def bears_statement(statement: str, support: FactSupport, key: str, speakers: tuple[str, str]) -> bool:
    """Return whether a sentence about somebody says no more than the words that support a fact.

    `speakers` are the one who said them, and the other. It has to name the first and not the second, deny
    what was denied and nothing else, leave open what was open, and give each `my` to the first.
    """
    source = support.source
    whose, other = speakers
    plain = even(statement)
    if source is None or not plain.strip() or _SPEAKERS.search(plain) or not is_named(plain, whose):
        return False
    around = sentences_around(support.words, source)
    if is_named(plain, other) or any(one.endswith("?") for one in around):
        return False
    said = " ".join(around) or even(support.words)
    if missing_detail(plain, source) or not any(bears_years(plain, one) for one in source.said):
        return False
    lent = telling(key) | telling(support.value) | telling(whose) | LENT | _TIMES
    if not telling(plain) <= source.stems | lent:
        return False
    clauses = [one for one in _CLAUSE.split(said) if telling(one) & (telling(plain) - telling(whose))]
    # whose words leave something out may be about somebody else, or of what is over or nearly was
    told = telling(plain) | telling(key) | telling(support.value) | telling(whose) | LENT | _TIMES
    if any(telling(one) - told or (_NOT_SO.search(one) and not _NOT_SO.search(plain)) for one in clauses):
        return False
    if bool(NO.search(plain)) != any(NO.search(one) for one in clauses):
        return False
    if any(_LEFT_OPEN.search(one) for one in clauses) and not _LEFT_OPEN.search(plain):
        return False
    return all(
        _OWNED.search(plain[: found.start()])
        for one in _MINE.finditer(said)
        for found in re.finditer(rf"(?i)\b{re.escape(one[1])}\b", plain)
    )


_TIMES = frozenset(
    (
        *stems(f"{' '.join(WEEKDAYS)} {' '.join(MONTHS)} day week weekend month last next today yesterday"),
        *stems("tomorrow tonight ago just recently lately now already morning evening night"),
        *stems("shortly before after since about around early late beginning end half"),
    )
)
"""Stems of words for time, which a statement may tell as a date."""
_NOT_SO = late(
    r"(?i)\b(?:used to|almost|nearly|quit\w*|stopped|gave up|no longer|any ?more|formerly|supposedly"
    r"|ex-|as if|(?:was|were|been|got|being) \w+(?:ed|en|t) by|says?|said|thinks?|claims?)\b"
)
"""Words by which a thing is over, nearly was, is done by somebody else, or is somebody's word."""
_SPEAKERS = late(r"(?i)\b(?:i|i'[a-z]+|me|my|mine|myself|we|us|our|ours|you|your|yours)\b")
_CLAUSE = late(r"(?i)[,;:.!?/]\s+|\s+(?:and|but|so|because)\s+")
_MINE = late(r"(?i)\bmy\s+([a-z]+)")
_OWNED = late(r"(?i)(?:\b(?:his|her|their|the)|'s?)\s+(?:[a-z-]+\s+)?$")
_LEFT_OPEN = late(
    r"(?i)\b(?:want\w*|hop(?:e|es|ed|ing)|plan\w*|think\w*|consider\w*|maybe|perhaps|might|may|wish\w*|if|would"
    r"|could|going to|gonna|will|try\w*|trying|dream\w*|intend\w*|look\w* (?:into|forward)|determined|keen"
    r"|someday|one day|soon)\b|'ll\b"
)
"""Words by which a thing is not so yet."""


def tells_of_oneself(support: FactSupport) -> bool:
    """Return whether the sentence of a fact's words speaks of its speaker."""
    around = sentences_around(support.words, support.source) if support.source is not None else ()
    return ONESELF.search(" ".join([even(support.words), *around])) is not None
