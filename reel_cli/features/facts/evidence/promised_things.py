"""Promises that a speaker makes the other of a thing or of somebody: `Nobody takes your chair till then`."""

from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.frozen import late

_VOWS = late(
    r"(?i)\b(?:promised?|i (?:swear|vow|give you)|sworn|my word|word of honou?r|on my (?:life|honou?r|oath)"
    r"|agreed|it's a deal|deal|settled|cross my heart|you can hold me to (?:it|that)|count on (?:it|that|me)"
    r"|depend on it|versprochen|ehrenwort|promis|juré|parole|prometo|prometido|palabra|palavra|prometto"
    r"|promesso|lover|lovar|æresord|hedersord|beloofd|обещаю|честное слово|слово даю)\b|約束|说好|答应你|약속"
)
"""Pattern of words that make what is said beside them a promise."""
_ASKS = late(
    r"(?i)\b(?:promise(?: me)?|swear|your word|can you (?:agree|see to it)|will you (?:warn|tell|ask|let)"
    r"|(?:do|is it) we? ?(?:have|a) deal|agreed\?|versprich|promets|jure|prométeme|promete|promettimi|lov meg"
    r"|lova|beloof|обещай|пообещай)\b|約束して|答应我|약속해"
)
"""Pattern of a turn that asks for a promise."""
_BINDS = late(
    r"(?i)\b(?:without (?:a word|asking|telling|warning|(?:your|my) (?:word|leave|yes))|from now on"
    r"|never again|(?:before|until|till|unless) (?:i|you|you're|you've|anything|anyone|anybody|we)\b"
    r"|as long as (?:you|i)\b|(?:whenever|each time|every time|the day) (?:you|i)\b"
    r"|no matter (?:what|who|how))"
)
"""Pattern of a sentence that binds what is to come by itself."""
_OF_THE_OTHER = late(r"(?i)^\W*(?:(?:and|but|so|then|well|oh),? )*(?:you|you're|you've|you'll)\b")
_THEIR_SAY = late(
    r"(?i)\byou(?:'ve| have| get| keep)?(?: (?:have|get|keep))? (?:the (?:last|first) (?:word|say)|a say)\b"
)
"""Patterns of a sentence about the other, and of what is granted to them in it."""
_PAST = late(
    r"(?i)\b(?:was|were|had|did|went|came|left|lived|used to|ago|yesterday|last (?:week|year|night))\b"
)


def promises_of_thing(told: Sequence[str], turn: Sequence[str], before: str) -> bool:
    """Return whether sentences promise the other something of a thing, or of somebody else.

    `turn` are all sentences of the speaker's turn, which may vow beside them; `before` is the other's turn,
    which may have asked for it. A no in the vow, a question, and what was so in the past promise nothing.
    """
    said = [even(one) for one in told]
    if not said or any("?" in one or _PAST.search(one) for one in said):
        return False
    if any(_OF_THE_OTHER.match(one) and not _THEIR_SAY.search(one) for one in said):
        return False
    vows = [one for one in map(even, turn) if _VOWS.search(one) and "?" not in one]
    if any(NO.search(one) and one not in said for one in vows):
        return False
    asked = _ASKS.search(even(before)) is not None and bool(telling(before) & telling(" ".join(said)))
    return bool(vows) or asked or any(_BINDS.search(one) for one in said)
