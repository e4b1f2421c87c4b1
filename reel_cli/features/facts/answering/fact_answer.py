"""Answers to questions by facts: of the thing that is asked about, and with what is asked for.

A question for a name is answered by a name, one for a day by a date, one for an amount by a number, and each
only by a fact of that very thing: `the boat has moved` does not say what the boat is called. Where that is
not sure there is no answer but the moments of the tape.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.query import pairs, words
from reel_cli.features.facts.answering.fact_line import (
    CONSTRAINTS,
    EXACT,
    HEAD,
    OWN,
    RULES,
    SUBJECT,
    FactLine,
)
from reel_cli.features.facts.answering.fact_person import (
    NAME,
    NO_NAMES,
    SOMEBODY,
    card_name,
    head_forms,
    is_of_somebody,
    names_in,
    tells_card,
    tells_who,
)
from reel_cli.features.facts.answering.fact_question import DOSE, KINDS, SCHEDULE, UNFIT, WHETHER, AskedFact

_GOES_ON = r"(?:\b(?:is|are|am|been|was|started|began|just)|['’](?:s|m|re|ve been))\s+(?:\w+ly\s+)?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIME = (
    r"\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)\b|\b\d{1,2}[:.]\d\d\b"
    r"|\b(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o['’]clock"
    r"|\b(?:noon|midnight|half past)\b"
    r"|\bat (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?=\s*(?:[,;.)]|$))"
)
_OFTEN = (
    r"\b(?:mornings?|noons?|evenings?|nights?|bedtime|daily|weekly|monthly|once|twice|every|meals?|breakfast"
    r"|times)\b"
)
_SMALL = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
_NUMBER = rf"(?:\d[\d.,]*|{_SMALL}(?:[- ]{_SMALL})?|(?:a )?(?:hundred|thousand))"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)"
)
_SPELLED_DAY = (
    rf"(?:on|by|from|since|until|till) the (?:(?:twenty|thirty)[- ])?{_ORDINAL}(?=\s+(?:of|day)\b|[^\w\s]|$)"
    rf"|{_ORDINAL} of (?:the|each|every) month\b"
)
"""A day without a digit, which is no floor and no time: `on the ninth`, `first of the month`."""
_UNIT = (
    r"(?:kilos?|kgs?|kilograms?|pounds?|lbs?|stone|grams?|foot|feet|ft|met(?:re|er)s?|cm|mm|inch(?:es)?|miles?|km|m"
    r"|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
)
_QUANTITY = (
    rf"\b{_NUMBER}\s*(?:mg|milligrams?|mcg|micrograms?|µg|ml|millilit(?:re|er)s?|units?|iu|drops?|puffs?)\b"
    rf"|\b(?:half|quarter|{_NUMBER})(?: an?| of an?)? (?:pill|tablet|capsule)s?\b"
)
"""How much of a medicine is taken, with its unit."""
QUANTITY = late(rf"(?i){_QUANTITY}")
_MONEY = (
    r"(?:rents?|fees?|prices?|costs?|salary|wages?|pay|bonus|insurance|mortgage|budget|bills?|fines?|tickets?|tax"
    r"|deposit|allowance|supplement|groceries|utilities|pass)"
)
_BEARS: Mapping[str, re.Pattern[str]] = {
    "time": late(rf"(?i)(?:{_TIME})"),
    SCHEDULE: late(rf"(?i){_OFTEN}|{_TIME}|\b{_WEEKDAY}s?\b"),
    "when": late(
        rf"(?i)(?:^|[,;(])\s*{_MONTH}(?=\s*(?:[,;.)]|$))"
        rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|(?:in|by|since|until|till|from|of|about)"
        rf" {_MONTH}|{_MONTH} (?:\d{{1,2}}|(?:19|20)\d\d)\b|(?:19|20)\d\d\b|{_WEEKDAY}s?\b"
        rf"|(?:spring|summer|autumn|winter)\b|christmas|easter"
        rf"|(?:the |(?<![^,;(] )(?<![^,;(\s]))\d{{1,2}}(?:st|nd|rd|th)\b"
        rf"|{_SPELLED_DAY}|{_TIME})"
    ),
    "age": late(
        rf"(?i)(?:(?:\b(?:is|was|turns?|turned|be|aged?)|['’]s)\s+(?:(?:about|nearly|already|now|only)\s+)?{_NUMBER}\b"
        rf"(?!\.?\d|\s*{_UNIT}\b(?! old))|\b{_NUMBER}[- ]years?[- ]old\b"
        rf"|\b\d{{1,3}}(?:st|nd|rd|th)\b|^{_NUMBER}\b(?!\.?\d|\s*{_UNIT}\b(?! old)))"
    ),
    "weight": late(rf"(?i)\b{_NUMBER}\s*(?:kilos?|kgs?|kilograms?|pounds?|lbs?|stone|grams?|g)\b"),
    "length": late(
        rf"(?i)\b{_NUMBER}[ -]*(?!kilo|kg|pound|lb|stone|gram){_UNIT}\b"
        r"|\bfrom (?:\w+ )?(?:19|20)\d\d (?:to|till|until) (?:\w+ )?(?:19|20)\d\d\b"
    ),
    "amount": late(
        rf"(?i)[£$€]\s?\d|\b\d{{1,3}}(?:[ .,]\d{{3}})+\b"
        rf"|\b\d+(?:[.,]\d+)?\s?(?:%|per ?cent\b)"
        rf"|\b{_NUMBER}\s*(?:k|grand|quid|pounds?|euros?|dollars?|yen|kr|million|thousand)\b"
        rf"|\b{_NUMBER}\s+(?:an?|per) (?:month|week|year|session|hour|day)\b"
        rf"|\b{_MONEY}\b.*\b{_NUMBER}|\b{_NUMBER}\b.*\b{_MONEY}\b|\bfor {_NUMBER}\b"
    ),
    "number": late(rf"(?i)\b{_NUMBER}\b(?!\s*(?:minutes?|hours?|days?|weeks?|months?|years?)\b)"),
    DOSE: late(rf"(?i){_QUANTITY}|\b{_NUMBER}\b(?!\s*(?:minutes?|hours?|days?|weeks?|months?|years?)\b)"),
    "why": late(
        rf"(?i)\b(?:because|as|so|for|to|due|thanks)\b|\bsince\b(?! (?:{_WEEKDAY}|{_MONTH}|the|last|\d))"
    ),
}
"""By kind of question: the pattern of what its answer has."""
BORNE = frozenset((*_BEARS, "where"))
"""Kinds of question whose answer has something that can be seen in it."""
_BORN = late(
    rf"(?i)\bborn (?:(?:on|in) )?(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?(?:{_MONTH} )?(?:19|20)\d\d\b"
)
_WHOLE_DATE = late(rf"(?i)\b(?:\d{{1,2}} )?{_MONTH} \d{{4}}\b|\bin (?:19|20)\d\d\b")
_DATE = late(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\b")
_PLACE = late(
    r"(?i)\b(?:in|at|on|near|by|from|to|above|next to|behind|under|opposite|off)\s+"
    r"(?:(?:the|a|an|my|her|his|their|your)\s+)?"
    r"(?!\d[\d.:]*(?:\W|am\b|pm\b|st\b|nd\b|rd\b|th\b|$))"
    rf"(?!{_WEEKDAY}|{_MONTH}|(?:first|last|next|time|hold|nights?|days?|call)\b)\w+"
)
_ONESELF = frozenset(("i", "my", "you", "your", "not", "is", "am"))
_GENERIC = frozenset(("name", "names", "current", "new", "now", "own", "favourite", "favorite", "dose"))
"""Words of a fact's name that do not make it one of another thing."""
_AMOUNT, _DAYS = frozenset(("cost", "price", "fee")), frozenset(("date", "day", "days", "time", "times"))
_GENERIC_OF: Mapping[str, frozenset[str]] = {
    "amount": _AMOUNT, "number": _AMOUNT, "when": _DAYS, "time": _DAYS,
    "where": frozenset(("place", "address")),
    "thing": frozenset((*_AMOUNT, *_DAYS, "place")), "what": frozenset((*_AMOUNT, *_DAYS, "place")),
}  # fmt: skip
"""The same by kind of question."""
_ENDED = late(
    r"(?i)\b(?:no longer|not any ?more|(?:took|taken|came|come) (?:\w+ )?off|stopped|g[ai]ven? up|quit"
    r"|finished|discontinued|cancell?ed|called off|(?:is|was|are) over|n['’]t \w+ (?:it |them )?any ?more)\b"
)
"""Pattern of statements that something came to its end."""
_LIVE = late(r"(?i)\b(?:live|lives|living|stays?)\b")
_HOME = late(
    r"(?i)\b(?:in|at|near|above|next to|behind|under|opposite|outside)\s+"
    rf"(?:(?:the|a|an|my|her|his|their|your)\s+)?(?!\d|{_WEEKDAY}|{_MONTH}|(?:first|last|next|time|hold|nights?|days?|call|least|all|once)\b)\w+"
)
_ALONE = late(rf"(?:^|,)\s*(?P<name>{NAME}(?: {NAME})*)\s*(?=,|;|\.|$)")
"""Pattern of a name between commas."""
_IDENTITY = "fact identity/"
_ENDING = frozenset((DOSE, SCHEDULE, "amount", "when", "time"))
"""Kinds of question that are answered by the end of a thing as well."""
_MEDICINE = frozenset(("medicine", "medicines", "medication", "medications", "meds", "pills", "tablets"))
_OWED = late(r"(?i)\b(?:promise[sd]?|ow(?:e[sd]?|ing)|vow(?:ed|s)?|(?:your|my|his|her) word|swore)\b")
_AGE_ALONE = late(rf"(?i)(?:^|,)\s*(?:\d{{1,3}}|{_SMALL}(?:[- ]{_SMALL})?)\s*(?=,|;|$)")
_PRICE_ALONE = late(
    rf"(?i)^{_NUMBER}(?:[ -](?:and )?{_NUMBER})*\s*(?=[,;.(]|$|(?:an?|per|from|since|on|in|left)\b)"
)
_COUNTED = late(rf"(?i)^(?:{_NUMBER} )+(?-i:[a-z])")
_TAKES = late(r"(?i)\b(?:tak(?:es?|en|ing)|took|inject|swallow|on$|doses?\b|dosage|mg|milligrams?|ml|mcg)")
_ASKS_LEAVE = late(r"(?i)\b(?:can|may|must|should|could)(?:n['’]?t)?\b")
_EMPTY = frozenset(["way", "ways", "thing", "things", "something"])
_FIRST_WORDS = 5
"""Number of words of a statement among which what it is about stands."""
_UNFIT = late(
    r"(?i)\b(?:allerg(?:y|ic|ies)\b|intoleran(?:t|ce)\b|co?eliac\b|vegan\b|vegetarian\b"
    r"|(?:can(?:not|['’]t| not)|must(?:n['’]t| not)|do(?:es)?(?:n['’]t| not)|never)"
    r" (?:eats?|drinks?|touch(?:es)?)\b)"
)
"""Pattern of statements of what somebody must not have."""
_NOT_TAKEN = late(
    r"(?i)\b(?:(?:can(?:not|['’]t| not)|(?:must|may|should)(?:n['’]t| not)|do(?:es)?(?:n['’]t| not)|never)"
    r" (?:takes?|uses?|have)\b|allergic\b|forbidden\b)"
)
"""Pattern of statements of a medicine that somebody must not take."""
_OF_KIND = {
    "antibiotic": late(
        r"(?i)\b(?:\w*(?:cillin|m[yi]cin|floxacin|cycline)s?|cef\w+|ceph\w+|sul(?:f|ph)\w+|trimethoprim|septra"
        r"|bactrim|antibiotics?)\b"
    ),
    "painkiller": late(
        r"(?i)\b(?:aspirin|ibuprofen|ibux|naproxen|diclofenac|paracetamol|paracet|acetaminophen|tramadol"
        r"|\w*(?:codeine|codone|codon|morphine?|profen)|nsaids?|pain ?killers?)\b"
    ),
}
"""Patterns of what is of a kind of medicine, by the kind."""
_EVENT = 2
"""Number of words from which a statement that has them all is of the event whose day is asked for."""


def find_next(facts: Iterable[FactLine], today: str) -> FactLine | None:
    """Return the fact with the first day that is not before `today` (ISO); None where two share it."""
    days: dict[str, list[FactLine]] = {}
    for fact in facts:
        told = sorted(
            f"{found['year']}-{MONTHS.index(found['month']) + 1:02}-{int(found['day']):02}"
            for found in _DATE.finditer(fact.told())
        )
        if told and told[-1] >= today:
            days.setdefault(next(day for day in told if day >= today), []).append(fact)
    first = days[min(days)] if days else []
    return first[0] if len(first) == 1 else None


def rank_answer(asked: AskedFact, fact: FactLine) -> int:
    """Return how well a fact answers a question: `EXACT`, `HEAD`, `SUBJECT`, or 0 where it does not."""
    own, rule = fact.id.startswith(OWN), fact.id.startswith(RULES) and _ASKS_LEAVE.match(asked.text)
    if (asked.whose == "user" and own) or (asked.whose == "assistant" and not (own or rule)):
        return 0
    if asked.third and fact.id.startswith(_IDENTITY):
        return 0
    if asked.whose != "assistant" and fact.id.startswith(CONSTRAINTS) and _is_limit_of_another(asked, fact):
        return 0
    said = fact.told()
    if asked.going_on and not re.search(rf"(?i){_GOES_ON}{re.escape(asked.going_on)}\b", said):
        return 0
    if asked.kind == UNFIT:
        return HEAD if _is_unfit(asked, fact, said) else 0
    if asked.past or (asked.still and fact.past):
        return _rank_past(asked, fact)
    if not asked.which().issubset(fact.words()):
        return 0
    how = _likeness(asked, fact, said)
    if asked.kind in ("all", "state") and how != EXACT:
        return 0
    return how if how and _says_more(asked, said) and _is_borne(asked, fact, said, how) else 0


def _is_limit_of_another(asked: AskedFact, fact: FactLine) -> bool:
    """Return whether a limit is of somebody else than the question, and of another thing.

    `Jo is allergic to hazelnuts` does not say whether she, or the dog, is allergic to penicillin.
    """
    lacking = set(asked.lacking(fact.words()))
    people = {word for word in asked.content if SOMEBODY.fullmatch(word)}
    if not asked.third and lacking.isdisjoint(people):
        return False
    things = {word for word in asked.content.keys() - people if _UNFIT.fullmatch(word) is None}
    return things <= lacking


def _rank_past(asked: AskedFact, fact: FactLine) -> int:
    """Return how well a fact that had other values before answers what held before, or still holds."""
    told = fact.words(past=True)
    before = [word for text, _ in fact.past for word in words(text)]
    lacking = set(asked.lacking(told))
    others = set(before).difference(words(fact.key))
    if lacking == {asked.doing} and any(asked.is_asked(word) and not asked.is_name(word) for word in others):
        lacking.clear()
    if not (fact.past and asked.content) or lacking or not asked.which().issubset(told):
        return 0
    how = _likeness(asked, fact, fact.told())
    if asked.past and not any(_is_borne(asked, fact, text, how or SUBJECT) for text, _ in fact.past):
        return 0
    each = ([*words(fact.key), *words(text)] for text, _ in fact.past)
    of_it = how >= HEAD or any(set(asked.lacking(one)) <= {asked.doing} for one in each)
    return max(how, HEAD) if of_it else 0


def rank_before(asked: AskedFact, fact: FactLine) -> tuple[str, str] | None:
    """Return what a fact said before that answers a question in the past tense; None where nothing does."""
    for text, until in fact.past:
        told = [*words(text), *words(fact.key)]
        was = FactLine(fact.id, fact.key, text)
        if asked.content and not asked.lacking(told) and rank_answer(asked, was):
            return text, until
    return None


def is_of_thing(asked: AskedFact, fact: FactLine) -> bool:
    """Return whether a fact is of the thing that is asked about, by its whole name."""
    return _likeness(asked, fact, fact.told()) == EXACT


def is_counted(fact: FactLine) -> bool:
    """Return whether a fact is how many there are of something: `nine thousand people`."""
    return _COUNTED.search(fact.told()) is not None


def has_date(fact: FactLine) -> bool:
    """Return whether a fact tells a whole date."""
    return _DATE.search(fact.told()) is not None


def has_dose(fact: FactLine) -> bool:
    """Return whether a fact says how much of a medicine is taken, or what somebody's medicines are."""
    return QUANTITY.search(fact.told()) is not None or not _MEDICINE.isdisjoint(words(fact.key))


def is_owed(fact: FactLine) -> bool:
    """Return whether a fact says that something was promised or is owed."""
    return _OWED.search(f"{fact.key}: {fact.told()}") is not None


def _is_unfit(asked: AskedFact, fact: FactLine, said: str) -> bool:
    """Return whether a statement says what the one whom a question names, or who asks, must not have."""
    kind = next((kind for kind, words in KINDS if re.search(rf"(?i)\b(?:{words})\b", asked.text)), "")
    found = (_NOT_TAKEN if kind or _TAKES.search(asked.text) else _UNFIT).search(said)
    if kind in _OF_KIND and not _OF_KIND[kind].search(f"{fact.key} {said}"):
        return False
    if found is None and _UNFIT.search(fact.key) is None:
        return False
    told = {*words(said), *words(fact.key)}
    if asked.content:
        return all(not told.isdisjoint(one) for one in asked.content.values())
    whose = re.match(r"(.+?)(?:['’]s|s['’])\s", said) or re.match(r"(.+?)(?:['’]s|s['’])\s", fact.key)
    if whose is not None:
        return asked.said.issuperset(words(whose[1]))
    before = words(said[: found.start()]) if found is not None else []
    return not before or before[0] in asked.said or before[0] in _ONESELF


def _likeness(asked: AskedFact, fact: FactLine, said: str) -> int:
    """Return whether a fact is of the very thing that is asked about, and by what; 0 where it is not."""
    key = _WHOLE_DATE.sub(" ", fact.key)
    name = [word for word in words(key) if len(word) > 1 and word not in STOP]
    of_it = [asked.is_asked(word) for word in name]
    generic = _GENERIC | _GENERIC_OF.get(asked.kind, frozenset())
    if any(of_it) and all(is_so or word in generic for word, is_so in zip(name, of_it, strict=True)):
        return EXACT
    whose = re.match(r"(.+?)(?:['’]s|s['’])\s", fact.key)
    if whose is not None and asked.said.isdisjoint(words(whose[1])):
        # of somebody whom the question does not name
        return 0
    if of_it and of_it[-1]:
        return HEAD
    if not asked.content:
        # in a script without spaces every sign that was asked for is there
        return 0 if words(asked.text) else HEAD
    if asked.kind == WHETHER and fact.id.startswith(RULES):
        return 0 if asked.lacking(fact.words()) else HEAD
    if asked.kind in ("other", "all", "state", WHETHER):
        return 0
    if asked.kind == "when" and len(asked.content) >= _EVENT:
        return SUBJECT
    # where a name stands by the thing is looked at closer below
    card = asked.kind == "who" and is_of_somebody(fact)
    first = words(said)[: None if card or asked.kind in ("name", "role") else _FIRST_WORDS]
    if asked.kind == "thing":
        # `X's hobbies are`, and not whatever speaks of them
        first = [word for word, after in pairwise(first) if after in ("is", "are", "was", "were")]
    return SUBJECT if not head_forms(asked).isdisjoint(first) else 0


def _says_more(asked: AskedFact, said: str) -> bool:
    """Return whether a statement says anything that the question does not."""
    return any(pair not in asked.text for pair in pairs(said)) or any(
        word not in STOP and word not in asked.said and word not in _EMPTY and not asked.is_asked(word)
        for word in words(said)
    )


def _is_borne(asked: AskedFact, fact: FactLine, said: str, how: int) -> bool:
    """Return whether a statement has what is asked for."""
    if asked.kind in ("name", "role", "who"):
        return tells_card(asked, fact, said, how) or tells_who(asked, fact, said, how)
    if asked.kind == "where":
        return _tells_where(asked, said, how)
    pattern = _BEARS.get(asked.kind)
    if pattern is None:
        return True
    if how == EXACT and asked.kind in _ENDING and _ENDED.search(said):
        # `How much of it do I take?` is answered by `They took me off it`
        return True
    if asked.kind in ("when", "time"):
        rule = how == EXACT and fact.id.startswith(RULES) and _ASKS_LEAVE.search(asked.text)
        return bool(rule or pattern.search(said))
    alone = _AGE_ALONE.search(said) if how == EXACT or card_name(fact) else None
    if asked.kind == "age" and (_BORN.search(said) or alone):
        return True
    if asked.kind == "amount" and how == EXACT and _PRICE_ALONE.search(said):
        return True
    told = _WHOLE_DATE.sub(" ", said)
    if asked.kind == DOSE and (how != EXACT or not _TAKES.search(asked.text)):
        # `How much did I get for the boat?` asks for no dose
        return bool(QUANTITY.search(told) or (how == EXACT and _BEARS["amount"].search(told)))
    # `hall fee: 21`
    return pattern.search(f"{fact.key}: {told}" if asked.kind == "amount" else told) is not None


def _tells_where(asked: AskedFact, said: str, how: int) -> bool:
    """Return whether a statement has a place; where somebody lives, one that is no way to somewhere."""
    if _LIVE.search(asked.text):
        return bool(
            _HOME.search(said)
            or (how == EXACT and any(one["name"].casefold() not in NO_NAMES for one in _ALONE.finditer(said)))
        )
    return bool(_PLACE.search(said) or (how == EXACT and names_in(asked, said)))
