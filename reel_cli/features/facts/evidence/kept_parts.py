"""Parts of an older value that still hold beside a newer one: who somebody is, a price, a place, a habit.

`Dagny's surgeon` and `leaves for Ålesund` are both so; `63 now` takes the place of `62`. A part stays where
the newer value has nothing of its kind (a time for a time, a price for a price), no words that end it, and
where it does not pass by itself. Where the newer value begins later, what it replaces holds until then.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING, numbers
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS, read_day
from reel_cli.features.facts.evidence.details.part_kinds import (
    ENDING,
    PartKinds,
    begins_later,
    has_run_out,
    is_of_a_day,
    kinds_of,
)
from reel_cli.features.facts.evidence.fact_answer import HEDGED
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.fact import UNTIL, Fact
from reel_cli.features.facts.policy import category_of, guards_health, is_own, protects
from reel_cli.features.facts.reply import LONGEST_VALUE

_KIN = late(
    r"(?i)\b(?:(?:grand|step|foster|half-?|god)?-?(?:mother|father|mum|mom|dad|son|daughter|child|sister|brother)"
    r"|wife|husband|widow(?:er)?|twin|aunt|uncle|cousin|niece|nephew|friend|neighbou?r|colleague|flatmate"
    r"|roommate|(?<![\w-])ex|landlord|landlady|boss|godchild|in-law|cat|dog|horse|pupil|patient|client)s?\b"
)
_WHOSE = late(
    r"(?:(?i:is|was|my|our|his|her|their|the|an?|old|older|younger|elder|little|big|late|dead)\s+|[A-Z][\w-]*'s\s+)*"
)
_DOES = late(r"\s+(?:has|have|had|is|was|are|were|does|did|will|can|[a-z]{3,}s)\b")
"""Patterns around a word that says whose relative somebody is, and of a sentence about one: `mum has`."""
_TRADE = late(
    r"(?i)\b(?:doctor|surgeon|dentist|therapist|nurse|midwife|vet|teacher|tutor|lawyer|solicitor|plumber|carpenter"
    r"|builder|electrician|baker|cook|chef|farmer|fisherman|sailor|driver|pilot|mechanic|engineer|painter|potter"
    r"|writer|actor|singer|student|priest|vicar|judge|banker|gardener|joiner|tailor|welder|miller|librarian|manager|director|editor|treasurer|organist|publisher|paramedic"
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
    r"|till|for now|today|tomorrow|done|over|tired|ill|sick|sad|angry|drunk|sober|upset"
    r"|worried|scared|lonely|pregnant|unpaid|\w{3,}ing)\b"
)
_DIED = late(r"(?i)\b(?:died|dies|dead|death|passed away)\b")


def with_kept_parts(
    stood: Fact, fact: Fact, words: str, *, again: str = "", said: Sequence[str] = ()
) -> Fact:
    """Return a newer value with what of the one that stood still holds and is not spoken of.

    `words` are those that the newer value rests on, `again` is the sentence in which a page tells it, `said`
    are the texts of its chat. What guards somebody's health is left as a person has it.
    """
    if guards_health(stood) or guards_health(fact) or _is_of_somebody_else(stood, fact):
        return fact
    kept, until = find_kept(stood, fact, again=again, said=said)
    before = f"{UNTIL}{', '.join(until)}" if until else ""
    value = "; ".join(one for one in (", ".join(kept), fact.value, before) if one)
    if not (kept or until) or len(value) > LONGEST_VALUE:
        return fact
    stated = fact.statement
    if stated:
        told = telling(even(stated))
        beside = [one for one in kept if not telling(even(one)) or not telling(even(one)) <= told]
        more = "; ".join(one for one in (", ".join(beside), before) if one)
        stated = f"{stated.rstrip('. ')} ({more})" if more else stated
    return replace(fact, value=value, statement=stated, evidence=fact.evidence or words)


_RETOLD = 2
"""Parts of an older value that a newer one tells again, from which on it tells all that still holds."""
_MOST_WORDS = 24
"""Words of an older value that are kept beside a newer one, at most."""


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


_ONE_NAME = 0.6
"""Likeness of two names from which one is the other, put right."""


def _is_of_somebody_else(stood: Fact, fact: Fact) -> bool:
    """Return whether a newer value begins with another name than the older: `partner: Jonas, a nurse`."""
    if fact.key[:1].isupper():
        return False
    was, now = (PART.split(one.value)[0].strip() for one in (stood, fact))
    return bool(_NAMED.fullmatch(was) and _NAMED.fullmatch(now)) and not _is_like(was, now)


def _is_like(was: str, now: str) -> bool:
    """Return whether a name is another one put right: `Margaux, not Margot`."""
    return SequenceMatcher(None, was.casefold(), now.casefold()).ratio() >= _ONE_NAME


def find_kept(
    stood: Fact, fact: Fact, *, again: str = "", said: Sequence[str] = ()
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the parts of a value that stay beside the newer one, and those that hold until it begins."""
    older = _OlderParts(stood, fact, again, said)
    kept: list[str] = []
    until: list[str] = []
    left = _MOST_WORDS
    if _is_under_way(stood) or _is_under_way(fact):
        return kept, until
    another = False
    for part in map(str.strip, PART.split(stood.value)):
        # who somebody is goes with the name before it: `Ilmari, surveyor`
        stays = older.stays(part) and not (another and part.islower() and not _KIN.search(part))
        place = kept if stays else until if older.holds_until(part) else None
        another = place is None and (older.is_name_of_another(part) or (another and part.islower()))
        left -= len(part.split()) if place is not None else 0
        if place is not None and left >= 0:
            place.append(part)
    return kept, until


def _is_under_way(fact: Fact) -> bool:
    """Return whether a fact tells how far a story, a work or a mood has come, which the next replaces."""
    told = even(f"{fact.key.replace('_', ' ')}; {fact.value}; {fact.statement}")
    return category_of(fact) != "relationships" and _UNDER_WAY.search(told) is not None


_UNDER_WAY = late(
    r"(?i)\b(?:story|stories|tale|chapters?|part (?:one|two|three|four|five|\d+)|scenes?|novel|manuscript"
    r"|drafts?|poems?|songs?|episodes?|campaign|quests?|projects?|thesis|essay|demo|mood|feels?|feeling|progress)\b"
)


_PUT_RIGHT = late(rf"(?i)(?:and )?not (?:\d[\d.,]*|{'|'.join(COUNTING)})[\s.]*")
"""Pattern of a number that was put right, which nothing newer needs: `not twelve`."""
_WEEKLY = late(rf"(?i)\b(?:{'|'.join(WEEKDAYS)})s\b")


class _OlderParts:
    """The parts of an older value, looked at beside the newer value."""

    def __init__(self, stood: Fact, fact: Fact, again: str, said: Sequence[str]) -> None:
        self.newer = even(fact.value)
        key = telling(even(fact.key))
        self._key = key
        self._mine = telling(self.newer) - key
        self._told = telling(f"{self.newer} {even(fact.statement)}") - key
        self._again = telling(even(again)) if not _TAKES_BACK.search(again) else frozenset[str]()
        self._spoken = telling("\n".join(said))
        self._texts = [even(one) for one in (fact.statement, fact.evidence, again, *said)]
        parts = [one.strip().casefold() for one in PART.split(fact.value)]
        was = {even(one).strip().casefold() for one in PART.split(stood.value)}
        again_told = [one for one in PART.split(stood.value) if one.strip().casefold() in parts]
        # what tells most of it again leaves the rest out
        self._whole = len(again_told) >= _RETOLD
        self._was, self._today = read_day(stood.when), read_day(fact.when)
        self._kinds = kinds_of(self.newer, self._today)
        self._later = begins_later(self.newer, self._today)
        self._ended = ENDING.search(f"{self.newer} {even(fact.statement)}") is not None
        self._lived = is_own(fact) or category_of(stood) == "relationships"
        self._people = category_of(stood) == "relationships"
        # outside of people's lives, the past and arrangements, only a time, an amount or a place is put right
        fresh = (one.strip() for one in PART.split(self.newer) if one.strip().casefold() not in was)
        held = kinds_of(stood.value, self._was)
        arranged = held.often or held.units or _WEEKLY.search(stood.value)
        lasts = self._people or category_of(stood) == "history" or arranged
        self._lasts = bool(lasts) or not any(kinds_of(one, self._today).plain for one in fresh)
        self._lists = _AND.search(stood.value) is not None
        self._limits = "constraints" in (category_of(stood), category_of(fact))
        # two names are who takes part
        names = [_NAMED.fullmatch(one.strip()) for one in PART.split(stood.value)]
        self._listed = sum(one is not None for one in names) > 1

    def stays(self, part: str) -> bool:
        """Return whether a part stays: the newer value says nothing of its kind, and does not end it."""
        plain = even(part)
        words = telling(plain) - self._key
        if not part or _passes(part) or HEDGED.search(plain) or words & self._mine:
            return False
        if _HOUR.fullmatch(plain) or self._is_denied(plain) or _PUT_RIGHT.fullmatch(plain):
            return False
        if any(one.search(plain) and one.search(self.newer) for one in (_WORK, _DEBT)):
            return False
        if NO.search(plain) or self._limits:
            # what is not to be stays where the newer value forbids nothing; a list of it is no part
            alone = self._limits and NO.search(plain) is not None and not self._lists
            return alone and not (NO.search(self.newer) or self._ended)
        if _stays(plain, self.newer, people=self._people, listed=self._listed):
            return not (words & self._told) or words <= self._again
        kinds = kinds_of(part, self._was)
        if self._kinds.says_anew(kinds) or has_run_out(part, self._was, self._today):
            return False
        if words and words <= self._again:
            return True
        return not self._whole and self._goes_on(plain, words, kinds)

    def _goes_on(self, part: str, words: frozenset[str], kinds: PartKinds) -> bool:
        """Return whether nothing ends a part of which the newer value has no other kind."""
        lived = self._lived and kinds.plain and tells_past(part)
        if ENDING.search(part) or (self._ended and not lived):
            return False
        if words & self._told or _is_named(self.newer, part) or self._is_said_anew(part) or _has_role(part):
            return False
        unspoken = bool(words) and 2 * len(words & self._spoken) <= len(words)
        return not kinds.plain or (self._lasts and unspoken)

    def is_name_of_another(self, part: str) -> bool:
        """Return whether a part names somebody, and the newer value names another one."""
        now = [one.strip() for one in PART.split(self.newer) if _NAMED.fullmatch(one.strip())]
        named = self._people and _NAMED.fullmatch(part) is not None
        return named and bool(now) and not any(_is_like(part, one) for one in now)

    def _is_denied(self, part: str) -> bool:
        """Return whether the chat or the page says that a part is not so: `he's not a librarian`."""
        bare = re.escape(_ARTICLE.sub("", part))
        return any(re.search(rf"(?i){_NOT}{bare}(?![\w-])", one) is not None for one in self._texts)

    def _is_said_anew(self, part: str) -> bool:
        """Return whether both tell what the same one does: `I've reached F`, `I've got to M`."""
        found = _SPEAKS.match(part)
        return found is not None and any(
            (other := _SPEAKS.match(one.strip())) is not None and other[1].casefold() == found[1].casefold()
            for one in PART.split(self.newer)
        )

    def holds_until(self, part: str) -> bool:
        """Return whether a part holds until the later day from which the newer value does."""
        if not (self._later and part) or _passes(part) or NO.search(even(part)):
            return False
        kinds, plain = kinds_of(part, self._was), even(part)
        now = [one.values for one in numbers(self.newer, self.newer)]
        amounts = [one.values for one in numbers(plain, plain)]
        told = bool(amounts) and all(any(one & other for other in now) for one in amounts)
        bare = _DAYS.fullmatch(plain) is not None
        over = told or bare or plain.casefold() in self.newer.casefold() or begins_later(part, self._today)
        return not over and self._kinds.says_anew(kinds) and not (kinds.place or is_of_a_day(part, self._was))


def _passes(part: str) -> bool:
    """Return whether a part passes by itself: a wait, an opinion, a mood."""
    plain = even(part)
    passing = _PASSES.search(_LASTS.sub("", plain)) or _OPINION.search(part) or _SINCE.search(plain)
    return passing is not None


_HOUR = late(r"(?i)(?:at )?(?:\d{1,2}[.:]\d\d|\d{1,2} ?(?:am|pm|o'clock))(?: (?:am|pm))?")
"""Pattern of a part that is an hour, which goes with the day of its appointment."""
_SINCE = late(
    rf"(?i)\b(?:since|until|till|from) (?:last |this )?(?:{_DAY}|yesterday|morning|night|weekend)\b(?! \d)"
)
"""Pattern of a day that is told from the day of the chat."""
_WORK = late(r"(?i)\b(?:work|jobs?|shifts?|apprentice\w*|trainee\w*|intern(?:s|ship)?|employed|hired)\b")
_DEBT = late(r"(?i)\b(?:(?:un)?paid|owe[ds]?|owing|debts?|lent|borrowed)\b")
"""Patterns of kinds of which a newer value tells all: somebody's work, what is owed."""
_ARTICLE = late(r"(?i)^(?:an?|the|his|her|their|my|our) ")
_NOT = (
    r"\b(?:not|never|no longer|[a-z]+n't|(?:is|was|are|were|do|does|did|has|have|ai)nt|nicht|keine?|pas|niet"
    r"|geen|inte|ikke) (?:(?:really|actually|even|an?|the|his|her|my|une?|de) ){0,2}"
)
_MADE = late(r"(?i)^\w+(?:ed|ilt|ade|ought|iven|ound|ent) (?:with|by|from|for|of|to)\b")
"""Pattern of something done with somebody, which says not who is whose: `built with his grandfather`."""


def _says_kin(part: str) -> bool:
    """Return whether a part says whose relative or friend somebody is."""
    found = _KIN.search(part)
    return found is not None and bool(
        _WHOSE.fullmatch(part[: found.start()]) and not _DOES.match(part, found.end())
    )


def _has_role(part: str) -> bool:
    """Return whether a part says who somebody is, or which side it is of."""
    return _SIDE.fullmatch(part) is not None or any(
        one.search(part) is not None for one in (_KIN, _TRADE, _SHARE)
    )


def _is_named(newer: str, part: str) -> bool:
    """Return whether a part is a name, and the newer value has another one."""
    return _NAMED.fullmatch(part) is not None and (
        _NAME_WITHIN.search(newer) is not None
        or any(_NAMED.fullmatch(one.strip()) and not _DAYS.search(one) for one in PART.split(newer))
    )


_LASTS = late(
    r"(?i)\b(?:evenings?|mornings?|weddings?|buildings?|(?:any|every|no|some)?thing|rings?"
    r"|(?:sitting|living|dining) rooms?|kings?|spring|strings?|siblings?|ceilings?|sewing|during)\b"
)
"""Words that end like what somebody is doing just now, and are not."""
_OPINION = late(
    r"(?i)\b(?:thinks?|says?|said|feels?|fears?|likes?|prefers?|agrees?|refuses?|in principle|subject to"
    r"|for the moment|at the moment|so far|over \w+ dead body|in doubt|undecided|empty|full)\b"
)
_AND = late(r"(?i)\b(?:or|and)\b")
_SPEAKS = late(r"(?i)(I|we|you|he|she|they|it)\b")
_TAKES_BACK = late(r"(?i)\b(?:instead|not|no longer|rather|until|was|were|used to|before|from .{1,30} to)\b")
_DAYS = late(rf"(?i)\b{_DAY}s?\b")


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
    if _KIN.search(part) and (people or "'s " in part) and not _MADE.search(part):
        return not (any(map(_says_kin, parts)) or _ENDS_KIN.search(newer))
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
    """Return a joined value without these parts of an older one, before it or behind it."""
    *before, last = value.split("; ")
    if last.startswith(UNTIL):
        before, last = [*before, last], ""
    left = [last] if last else []
    for one in reversed(before):
        mark = UNTIL if one.startswith(UNTIL) else ""
        stay = [part for part in one.removeprefix(mark).split(", ") if part not in parts]
        left = [f"{mark}{', '.join(stay)}", *left] if stay else left
    return "; ".join(left) or value
