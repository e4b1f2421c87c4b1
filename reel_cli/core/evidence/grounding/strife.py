"""Quarrels that a text tells of, where the tape has no word of one."""

import re
from collections.abc import Iterable, Iterator

from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.frozen import late

_TOLD = late(
    r"(?i)\b(?:quarrel(?:led|ed|s|ling|ing)?|argued (?:with (?:me|him|her|them)|about|over)|our argument"
    r"|(?:we|he and i|she and i) (?:fought|argued)|(?:had|our) (?:a )?(?:fight|row)|fell out with"
    r"|falling[- ]out|(?:shout|yell|scream)(?:ed|ing) at (?:me|him|her|us|them|(?-i:[A-Z])\w+)"
    r"|(?:he|she) (?:shouted|yelled|screamed) that\b"
    r"|slamm(?:ed|ing) (?:a|the|my|his|her) door"
    r"|storm(?:ed|ing) (?:out|off)|broke up with|(?:betrayed|insulted) (?:me|him|her)|gestritten|stritten)\b"
)
"""Words for a quarrel, which nothing but a quarrel bears."""
_HARSH = late(
    r"(?i)\b(?:quarrel\w*|argu\w+|fight\w*|fought|fell out|falling[- ]out|shout\w*|yell\w*|scream\w*"
    r"|slam\w*|storm(?:ed|ing)|broke up|break up|betray\w*|threat\w*|insult\w*|angry|anger\w*|furious"
    r"|rowed|rowing with|(?:a|another|the|that|this|our|had|have|having|big) (?:\w+ )?row"
    r"(?= (?:with|about|over|on the phone|again|between|last|yesterday|today)\b|\W*$)"
    r"|squabbl\w*|bicker\w*|spat with|tiff|clash\w*|words with|at each other"
    r"|unfair|leave me|liar|stop it|shut up|wrong of|how dare|never listen\w*"
    r"|stritt\w*|streit\w*|gestritten|wütend)\b"
    r"|(?-i:\b[A-Z]{2,}(?:['’ ]+[A-Z]{2,}){2,}\b)"
)
"""Words of a tape that a quarrel may be told by."""
_HURT = late(
    r"(?i)\b(row|mad|upset|hurt|hat(?:e|ed|es)|sorry|apolog|forgiv|blam|fault|lied|lying|damn|enough|leid)\w*"
)
"""Words that a quarrel is told by where two of them are said."""
_DENIED = re.compile(r"(?i)\b(?:not|never|no|nobody|without|nor|almost|nearly|if|would)\b|n't\b")


def has_strife(said: Iterable[str]) -> bool:
    """Return whether some messages have words that a quarrel may be told by."""
    hurt: set[str] = set()
    for text in said:
        plain = even(text)
        if _HARSH.search(plain):
            return True
        hurt |= {found.casefold() for found in _HURT.findall(plain)}
    return len(hurt) > 1


def told_strife(text: str) -> Iterator[tuple[int, int]]:
    """Yield the place of each sentence of a text, without curly marks, that tells of a quarrel."""
    for start, end in sentences(text):
        found = _TOLD.search(text, start, end)
        if found is not None and not _DENIED.search(text[start : found.start()]):
            yield start, end
