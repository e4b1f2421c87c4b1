"""The things of which a protecting fact tells, and the facts under other names that may take their place.

`No shellfish; pen in moped box` is of shellfish and a pen, and `the moped stopped` takes nothing of it back.
"""

import re

from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS
from reel_cli.core.values.approval import PROTECTING
from reel_cli.features.facts.evidence.medicine import REACTS, names_medicine
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import read_names
from reel_cli.features.facts.policy import guards_health, read_category

_DAYS = "|".join((*MONTHS, *WEEKDAYS))
_STORES = (
    r"(?:box|bag|belt|drawer|cupboard|cabinet|fridge|pocket|room|hall|kitchen|car|van|shed|tin|case|rucksack"
    r"|satchel|shelf|hook)(?:e?s)?\b"
)
_PLACE = late(
    r"(?i)(?<!\w)(?:(?:in|inside|on|at|under|behind|beside|near|above|below|between|since|until|till)\s+"
    r"(?=(?:the|an?|my|your|his|her|our|their|its|one|each|every|both|this|that|last|next)\s"
    rf"(?:[^\W\d_]+\s+){{0,3}}(?:{_STORES}|(?:{_DAYS}|morning|noon|evening|night|day|week|month|year)s?\b)"
    rf"|(?:\d+(?:st|nd|rd|th)?\s+)?(?:(?:early|mid|late)[ -])?(?:{_DAYS})\b|(?:19|20)\d\d\b"
    r"|(?:yesterday|today|tomorrow|spring|summer|autumn|winter)\b"
    rf"|(?:[^\W\d_]+\s+){{0,2}}{_STORES})"
    r"|off\s+(?=(?:the|my|your|his|her|their) (?:records?|lists?|charts?|files?|notes)\b))"
    r"(?:(?!\b(?:from|after|with|of|to)\b)[^,;:.!?])*"
)
"""Pattern of where a thing lies and of when it is so, up to the end of its part.

It leads to a day or to what things lie in, and ends before what harms or helps: `near a cat` and
`on warfarin` are none, and of `in spring with birch pollen` the pollen stays.
"""
_DANGER = late(
    rf"(?i)\b(?:{REACTS}|no|not|never|none|without|avoid\w*|traces?|breath\w*|shock|sting\w*|stung"
    r"|bites?|bitten|deadly|fatal|kills?|severe\w*|poison\w*|takes?|units?"
    r"|tablets?|pills?|drops|puffs?)\b"
)
"""Pattern of words by which a place tells of a danger or a medicine itself."""
_COUNTED = late(
    rf"(?i)\b(?:{'|'.join(COUNTING)})(?:-(?:{'|'.join(COUNTING)}))?\b"
    r"|\b(?:every|each|once|twice) \w+|\b(?:morning|noon|evening|night|day|week|month)s?\b"
)
_PARTS = late(r"[,;]\s+")
_LIFTED = late(
    r"(?i)\b(?:no longer|again|any ?more|fine|safe|ok|okay|all ?right|harmless|allowed|possible|no problem"
    r"|cured|outgr\w+|toler\w+|lifted|withdrawn|revoked|off|wrong|mistak(?:e|es|en)|mis(?:heard|understood"
    r"|understanding|diagnos\w+)|untrue|nonsense|can(?: now)? (?:eat|have|drink|take)"
    r"|weg|vorbei|abgesetzt|geheilt|nicht mehr|wieder|guéri\w*|arrêté\w*|disparu\w*|de nouveau|curad[oa]s?"
    r"|superad[oa]s?|desaparecid[oa]s?|ya no|de nuevo|já não|guarit[oa]|sparit[oa]|sospes[oa]|non più"
    r"|прош[её]?л[ао]?|исчезл\w+|вылечил\w+|больше не|отменил\w*|снова)\b"
    r"|好了|没有了|治好|不再|治っ|治り|なくなっ|なくなり|나았"
)
"""Words by which a danger is plainly over: a moped that `stopped` and boxes that are `gone` are none."""


def thing_of(fact: Fact) -> str:
    """Return the words of a protecting fact that say what it is of: no place, no number, no time."""
    return f"{without_counts(fact.key.replace('_', ' '))}. {without_counts(without_places(fact.value))}"


def without_places(text: str) -> str:
    """Return a text without where its things lie, and since when they are so."""
    return ", ".join(_PLACE.sub(_keep_danger, part) for part in _PARTS.split(even(text)))


def _keep_danger(place: re.Match[str]) -> str:
    """Return a place that has a medicine or a reaction in it as it is, and nothing of another."""
    told = place[0]
    guards = PROTECTING.search(told) or _DANGER.search(told) or names_medicine(told)
    return told if guards else " "


def without_counts(text: str) -> str:
    """Return a text without the words that count: `two pens` and `two gone` have nothing in common."""
    return _COUNTED.sub(" ", text)


def may_take_place(fact: Fact, stood: Fact) -> bool:
    """Return whether a fact under a name of its own is of such a kind that it may change a protecting one.

    One that is of health or safety itself may. Of another one, it is so only where its words say that a
    danger is over, and not that a thing has stopped or gone.
    """
    if guards_health(fact):
        return True
    apart = read_category(fact.category) != read_category(stood.category)
    told = f"{fact.key.replace('_', ' ')} {fact.value}"
    if not (apart or guards_health(stood)) or _LIFTED.search(told) is not None:
        return True
    named = telling(stood.key.replace("_", " "))
    return any(telling(found["what"]) & named for found in _IS_OVER.finditer(even(told)))


_IS_OVER = late(
    r"(?i)(?P<what>[^\W\d_]+)(?:['’]s)?\s+(?:(?:thing|is|are|was|were|has|have|been|all|now|finally)\s+)*"
    r"(?:gone|over|ended|finished|stopped|healed|resolved|done)\s*(?:$|[,;:.!?])"
)
"""Pattern of a thing by its name that is over: `the lump is gone`."""


def is_medicine_apart(fact: Fact, stood: Fact) -> bool:
    """Return whether a fact is named after a medicine that another one names in a part of its value alone.

    `Thinner: one each evening; no ibuprofen` is no name for a value of ibuprofen.
    """
    mine = read_names(fact.key)
    parts = _PARTS.split(stood.value)
    told = [one for one in parts if read_names(one) & mine]
    return bool(mine) and not (read_names(stood.key) & mine) and 0 < len(told) < len(parts)
