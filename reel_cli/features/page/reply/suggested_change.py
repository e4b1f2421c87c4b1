"""Suggested changes of ring 0: whether there is one, and in which words."""

import re

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.frozen import late

_LONGEST = 2_000

_DECLINES = late(
    r"\W*(?:(?:honestly|really|probably|perhaps|i think|well|as for who i am on paper)\W+)*"
    r"(?:no\b|not\b|nothing\b|none\b|false\b|never\b|n/?a\b|nope\b|i (?:wouldn't|would not|won't)\b"
    r"|(?:i'd |i would )?(?:leave|keep) (?:it|that|everything|all)\b|unchanged\b|as it is\b"
    r"|(?:it |that |all )?(?:still )?(?:holds|stands|fits|stays)\b"
    rf"|(?:the|my|this) \w+ (?:is|are) (?:fine|right|good|true)|{answer_words.NO})"
)

_TRUE = late(
    r"\W*true\b[ \t]*(?:[-–—:,;.]+[ \t]*|\n[-* \t]*)(?:(?:rationale|reason)[ \t]*:[ \t]*)?(?=[\w\"'“‘])",
    re.IGNORECASE,
)


def suggested_words(text: str) -> str:
    """Return a suggested change of ring 0 without the protocol's `true` before it."""
    return _TRUE.sub("", text, count=1).strip() if _TRUE.match(text) else text.strip()


def suggests_change(text: str) -> bool:
    """Return whether the words suggest a change of ring 0, and do not decline one."""
    told = fold(text[:_LONGEST])
    return bool(text.strip()) and not (_DECLINES.match(told) or answer_words.says_no_change(told))
