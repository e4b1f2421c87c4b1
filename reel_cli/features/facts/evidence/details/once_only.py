"""Words by which a chat limits something to one time: `only this week`, `instead this Sunday`."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import late
from reel_cli.core.moment import WEEKDAYS
from reel_cli.features.facts.evidence.details.part_kinds import is_rule
from reel_cli.features.facts.evidence.details.told_sentences import find_sentences, told_sentences

_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_TIME = rf"(?:once|time|week|weekend|fortnight|month|morning|afternoon|evening|{_DAY})"
_LIMIT = late(
    rf"(?i)\b(?:(?:only|just) (?:for )?(?:this|the one|that one) (?:one )?{_TIME}|(?:only|just) (?:this "
    rf"|the |for )?once"
    rf"|(?:for )?this (?:one )?{_TIME} only|for (?:this|the) once|this once|for this (?:one )?(?:week"
    rf"|weekend|time)"
    r"|this time(?! (?:next|last|of|tomorrow|for good))|as an exception|a one-off)\b"
)
_BARE = late(r"(?i)(?:only|just) once")
_ALONE = late(r"(?i)\W*(?:but |and |that is |that's |it is |it's )?(?:only|just) once\W*")
"""Patterns of a limit that may be a count, and of a sentence that is nothing else."""
_THIS = late(rf"(?i)\bthis (?:coming )?(?:week|weekend|month|{_DAY})\b")
_INSTEAD = late(r"(?i)\b(?:instead|rather than)\b")
"""Patterns of a limit to one time, and of a day in place of which another one is."""
_FOR_GOOD = late(
    r"(?i)\b(?:from (?:now|then|here) on|from (?:this|next) \w+ on(?:wards?)?|every|each|always|for good"
    r"|permanently"
    rf"|in future|starting|not (?:just|only)|{_DAY}s)\b"
)
"""Pattern of what tells a new rule."""
_HABIT = late(
    rf"(?i)\b{_DAY}s\b|\b(?:comes|visits|goes|calls|rings|works|meets|plays|sings|swims|teaches|cooks|eats"
    rf"|trains)"
    rf" (?:\w+ ){{0,3}}on {_DAY}\b(?!,? \d)"
)
_NEAR = 2
"""Sentences behind words in which their limit may stand."""
_FEW = 5
"""Words of an answer that only limits what was said before it."""


def goes_on(text: str) -> bool:
    """Return whether a value tells what is so again and again: `every week`, `comes on Sunday`."""
    return is_rule(text) or _HABIT.search(even(text)) is not None


def limits_itself(value: str) -> bool:
    """Return whether a value says that it is so one time alone."""
    return _LIMIT.search(even(value)) is not None


def day_of_once(value: str, told: date) -> date:
    """Return the day of what is so one time: the next that a value names, or the day it was told on."""
    spans = [span for one in dates(even(value), told) for span in one.spans]
    return min((first for first, last in spans if first == last and first >= told), default=told)


def find_limit(words: str, said: Sequence[str]) -> str:
    """Return the words that limit others to one time, as a value may have them; "" for none.

    `said` are the turn of these words and the speaker's next ones.
    """
    told = told_sentences(said[0]) if said else []
    places = find_sentences(words, told)
    if not places:
        return ""
    first, last = places[0], places[-1]
    near = told[first : last + 1 + _NEAR]
    answer = next(iter(told_sentences(said[1])), "") if len(said) > 1 else ""
    if len(answer.split()) <= _FEW:
        near = [*near, answer]
    if any(_FOR_GOOD.search(_LIMIT.sub(" ", one)) for one in near):
        return ""
    own = last + 1 - first
    for at, one in enumerate(near):
        found = _LIMIT.search(one)
        # `I went there just once` limits nothing that another sentence tells
        if found is not None and (at < own or not _BARE.fullmatch(found[0]) or _ALONE.fullmatch(one)):
            return found[0].casefold()
    around = [
        *(" ".join(pair) for pair in pairwise(told[max(0, first - 1) : first + 1])),
        *told[first : last + 1],
    ]
    for one in around:
        if _INSTEAD.search(one) and (day := _THIS.search(one)) is not None:
            return f"instead of {day[0]}"
    return ""


def is_of_once(words: str, said: Sequence[str]) -> bool:
    """Return whether words that end something end it one time alone: `Ruth cannot come this Sunday`."""
    plain = even(words)
    once = _THIS.search(plain) is not None and not (_FOR_GOOD.search(plain) or _ENDS.search(plain))
    return once or bool(find_limit(words, said))


_ENDS = late(
    r"(?i)\b(?:no longer|any ?more|stop\w*|never|over|ends?|ended|last|quit|from|gave up|giv(?:en|ing) up"
    r"|gave (?:\w+ ){1,3}up|left(?! (?:early|before|late|out|alone)\b)|folded|resign\w*|finished"
    r"|done(?! (?:in|at|by)\b)"
    r"|dropped|cancel\w* (?:my|our|his|her|their)"
    r"|(?:cancel\w*|closed|off) (?:down|for good|altogether)|closed down"
    r"|(?:took|take[ns]?|taking) (?:me|him|her|us|them) off|off (?:it|them))\b"
)
"""Pattern of a real end; what is only `cancelled` or `off` this week goes on in the next."""
