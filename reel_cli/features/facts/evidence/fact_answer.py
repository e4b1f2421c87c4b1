"""An answer's words held against what it answers: a yes, a no, and what was proposed."""

import re

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.frozen import late

MOST_WORDS = 16
"""A sentence of so many words at most may stand for a value that is not made of what was said."""
YES = late(
    r"(?i)\W*(?:(?:oh|well|ah|aw+|ha(?:ha)*|hey|wow|thanks|thank you)\W+)*"
    r"(?:(?:yes|yeah|yep|yup|yea|sure|right|exactly|correct|absolutely|definitely|indeed|true|of course"
    r"|(?:that|it|this|she|he)(?: is|['’]s) (?:right|true|correct|it|him|her|me|them))\b"
    r"|(?:i|we|they|she|he|it) (?:do|am|are|did|have|was|were|can|is|does|has)\s*(?:[.,!;—–-]|$))"
)
PROPOSES = late(
    r"(?i)(?:^|[,;:–—-]\s+|\b(?:so|and|then|please)\s+)\W*(?:(?:do you |d['’]you )?(?:wanna|want to)"
    r"|would you (?:like|care|come|join)|will you|shall we|should we|how about|what about"
    r"|why don['’]t (?:you|we)|let['’]?s|come|join|care to|fancy|are you (?:coming|in|free|up))\b"
)
"""Pattern of words that propose something to the one who answers."""
_AGREES = late(
    r"(?i)\b(?:let['’]?s|count me in|i['’]?m (?:\w+ )?(?:in|up) for|i['’]?m (?:\w+ )?in\b|i['’]?ll|i will"
    r"|deal|works|gladly|love to|happy to|looking forward|can['’]t wait)\b"
    r"|\b(?:sounds|that['’]s) (?:good|great|perfect|fine|lovely|fun|like a plan)\b"
)
"""Pattern of words that accept it."""
HEDGED = late(
    r"(?i)\b(?:maybe|perhaps|might|wish(?:ed)?|hop(?:e|ing)|kidding|joking|guess|if|unless|would|could|should)\b"
)
_WHICH = late(r"(?i)\b(?:how|what|when|where|who|whom|whose|which|why|since)\b")
_OF_TWO = late(r"(?i)\bor\b|\b(?:my|mine|our|ours|me)\b")
"""Words of a question that make its answer ambiguous: of two things, or of the one who asks."""


def is_answered(question: str, answer: str) -> bool:
    """Return whether an answer says that a question's words are so."""
    if _OF_TWO.search(question) or NO.search(question) or NO.search(answer) or HEDGED.search(answer):
        return False
    return bool(YES.match(answer) or (_WHICH.search(question) and len(answer.split()) <= MOST_WORDS))


def agrees(proposed: str, answer: str, turn: str) -> bool:
    """Return whether an answer says yes to what the other proposed that both do, or that its speaker does.

    `turn` is all that was said with it: its beginning, and the answer's sentences, must leave nothing open.
    """
    plain, said, whole = even(proposed), even(answer), even(turn)
    wanted = quote_key(said).strip()
    every = [whole[start:end].strip() for start, end in sentences(whole) if whole[start:end].strip()]
    around = [one for one in every if (key := quote_key(one).strip()) in wanted or wanted in key]
    if any(NO.search(one) or HEDGED.search(one) or one.endswith("?") for one in [*every[:1], *around]):
        return False
    if not PROPOSES.search(plain) or re.search(r"(?i)\bor\b", plain):
        return False
    return NO.search(plain) is None and (YES.match(said) is not None or _AGREES.search(said) is not None)


def refuses(turn: str) -> bool:
    """Return whether a turn begins with a no."""
    return bool(NO.match(turn.lstrip(" \t\n\"'“‘*_-")))
