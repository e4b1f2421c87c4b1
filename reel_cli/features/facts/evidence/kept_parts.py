"""Parts of an older value that still hold beside a newer one: who somebody is, or which knee it was.

`Dagny's surgeon` and `leaves for Ålesund` are both so; `63 now` takes the place of `62`. A part stays only
where it says what does not pass by itself, and where the newer value has nothing of its kind.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.own_words import NO, telling
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS, read_day
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import category_of, protects
from reel_cli.features.facts.reply import LONGEST_VALUE

_KIN = late(
    r"(?i)\b(?:(?:grand|step|foster|half-?|god)?-?(?:mother|father|mum|mom|dad|son|daughter|child|sister|brother)"
    r"|wife|husband|widow(?:er)?|twin|aunt|uncle|cousin|niece|nephew|friend|neighbou?r|colleague|flatmate"
    r"|roommate|(?<![\w-])ex|landlord|landlady|boss|godchild|in-law|cat|dog|horse|pupil|patient|client)s?\b"
)
_TRADE = late(
    r"(?i)\b(?:doctor|surgeon|dentist|therapist|nurse|midwife|vet|teacher|tutor|lawyer|solicitor|plumber|carpenter"
    r"|builder|electrician|baker|cook|chef|farmer|fisherman|sailor|driver|pilot|mechanic|engineer|painter|potter"
    r"|writer|actor|singer|student|priest|vicar|judge|banker|gardener|joiner|tailor|welder|miller|librarian"
    r"|bookbinder|bookseller|physio\w*|(?:was|is|as) an? [a-z]+(?:er|or|ist|ian|man|ess|eer))s?\b"
)
_SIDE = late(r"(?i)(?:the\s+)?(?:left|right)(?:\s+(?:side|knee|hip|foot|leg|arm|hand|eye|ear|shoulder|one))?")
_SHARE = late(
    r"(?i)\b(?:co-?owners?|half and half|(?:a|one) (?:half|third|quarter|fifth) each|owns? (?:half|a third)"
    r"|fifty-fifty|shared by)\b"
)
_AGE = late(r"(?i)(?:aged? )?(?:\d{1,3}|[a-z]+ty(?:-[a-z]+)?|[a-z]+teen)(?: years old)?")
_NAMED = late(
    r"(?:(?:at|in|from|near|of|the|old)\s+){0,2}[^\W\d_a-zà-ÿ][\w'’-]+(?:\s+[^\W\d_a-zà-ÿ][\w'’-]+){0,2}"
)
_DAY = rf"(?:{'|'.join((*MONTHS, *WEEKDAYS))})"
_NAME = r"[^\W\d_a-zà-ÿ][\w'’-]+"
_NAME_WITHIN = late(rf"\b(?:at|in|to|for|from|near|called|named|with|by|is)\s+(?:the\s+)?(?!{_DAY}){_NAME}")
_NAME_FIRST, _NAME_LAST = late(rf"(?!{_DAY}){_NAME}\s+(?:in|at|from)\b"), late(rf"[a-z] {_NAME}$")
_ENDS_KIN = late(r"(?i)\b(?:no longer|divorc\w+|split|separat\w+|broke up|ex|fell out|not any ?more)\b")
_ENDS_TRADE = late(
    r"(?i)\b(?:no longer|retire\w*|quits?|sacked|fired|laid off|jobs?|works?|became|becomes|trains?"
    r"|training|not any ?more)\b"
)
_ENDS_PLACE = late(
    r"(?i)\b(?:no longer|mov(?:e|es|ed|ing)|leaves?|leaving|left|gone|goes|went|sold|sells|lost|died|dead"
    r"|dies|retire\w*|quits?|sacked|ended|closed|closes|shut|over|instead|became|becomes|turned|replac\w+|renamed|now|since|new|back|home|lives?"
    r"|not any ?more)\b"
)
_ENDS_SHARE = late(
    r"(?i)\b(?:sold|sells|bought|gave|gives|all (?:hers|his|mine|theirs)|half|third|owns?|share)\b"
)
_PASSES = late(
    r"(?i)\b(?:looking|waiting|wants?|hopes?|plans?|maybe|perhaps|about to|going to|will|soon|still|yet|until"
    r"|till|for now|today|tomorrow|done|over|tired|ill|sick|sad|angry|\w{3,}ing)\b"
)
_DIED = late(r"(?i)\b(?:died|dies|dead|death|passed away)\b")


def with_kept_parts(stood: Fact, fact: Fact, words: str) -> Fact:
    """Return a newer value with what of the one that stood still holds and is not spoken of.

    `words` are those that the newer value rests on. What protects somebody is left as a person has it.
    """
    kinds = {category_of(stood), category_of(fact)}
    if protects(stood) or protects(fact) or not kinds <= _KINDS or _is_of_somebody_else(stood, fact):
        return fact
    kept = find_kept(stood, fact)
    value = f"{', '.join(kept)}; {fact.value}"
    if not kept or len(value) > LONGEST_VALUE:
        return fact
    stated = f"{fact.statement.rstrip('. ')} ({', '.join(kept)})" if fact.statement else ""
    return replace(fact, value=value, statement=stated, evidence=fact.evidence or words)


def as_addition(stood: Fact, fact: Fact, words: str) -> Fact | None:
    """Return the value of somebody that stands with what is said of them besides; None where it is no more.

    `Next door` and `she has 200 books about birds` are both so, whatever else of a value nobody said.
    """
    fresh = telling(even(fact.value)) - telling(even(f"{stood.key} {stood.value}"))
    value = f"{stood.value.rstrip('. ')}; {fact.value}"
    of_a_person = category_of(stood) == category_of(fact) == "relationships"
    odd = protects(stood) or protects(fact) or NO.search(even(fact.value)) or _PASSES.search(fact.value)
    if not of_a_person or odd or len(fresh) < _LEAST_FRESH or len(value) > LONGEST_VALUE:
        return None
    return replace(fact, value=value, statement="", evidence=fact.evidence or words)


_LEAST_FRESH = 2
_KINDS = frozenset(("relationships", "context"))


def _is_of_somebody_else(stood: Fact, fact: Fact) -> bool:
    """Return whether a newer value begins with another name than the older: `partner: Jonas, a nurse`."""
    if fact.key[:1].isupper():
        return False
    was, now = (PART.split(one.value)[0].strip() for one in (stood, fact))
    return bool(_NAMED.fullmatch(was) and _NAMED.fullmatch(now)) and was.casefold() != now.casefold()


def find_kept(stood: Fact, fact: Fact) -> Sequence[str]:
    """Return the parts of a value that stay beside the newer one."""
    newer, key = even(fact.value), telling(even(fact.key))
    told = telling(f"{newer} {even(fact.statement)}") - key
    day = read_day(stood.when)
    # two names are who takes part
    listed = sum(_NAMED.fullmatch(one.strip()) is not None for one in PART.split(stood.value)) > 1
    return [
        part
        for part in map(str.strip, PART.split(stood.value))
        if part
        and not NO.search(even(part))
        and not _PASSES.search(part)
        and not (dates(even(part), day) or telling(even(part)) & told)
        and _stays(even(part), newer, people=category_of(stood) == "relationships", listed=listed)
    ]


def _stays(part: str, newer: str, *, people: bool, listed: bool) -> bool:
    """Return whether a part is of a kind that lasts, and the newer value has nothing of that kind."""
    parts = [one.strip() for one in PART.split(newer)]
    named = any(_NAMED.fullmatch(one) for one in parts) or _NAME_WITHIN.search(newer) is not None
    fresh = named or any(_NAME_FIRST.match(one) for one in parts)
    numbered = any(one.plain for one in numbers(newer, newer))
    if fresh and "'s " not in part and _NAME_LAST.search(part):
        # `surgeon Nygård` gives way to `Nyhagen in Trondheim`
        return False
    if not people and _SIDE.fullmatch(part):
        return re.search(r"(?i)\b(?:left|right|both)\b", newer) is None
    if _SHARE.search(part):
        return _ENDS_SHARE.search(newer) is None
    if _TRADE.search(part):
        return not (_TRADE.search(newer) or _ENDS_TRADE.search(newer))
    if _KIN.search(part) and (people or "'s " in part):
        return not (_KIN.search(newer) or _ENDS_KIN.search(newer))
    if (
        people
        and _AGE.fullmatch(part)
        and (part.isdecimal() or any(one.plain for one in numbers(part, part)))
    ):
        return not (numbered or _DIED.search(newer))
    if _NAMED.fullmatch(part) and (people or listed):
        return not (named or _ENDS_PLACE.search(newer))
    return False


def without_parts(value: str, parts: frozenset[str]) -> str:
    """Return a joined value without these parts of an older one, which were kept before its semicolon."""
    head, mark, rest = value.partition("; ")
    left = [one for one in head.split(", ") if one not in parts]
    if not mark or len(left) == len(head.split(", ")):
        return value
    return f"{', '.join(left)}; {rest}" if left else rest
