"""The anchor facts: what holds of what was noted, and which of it goes into every bundle (SRIP-11 §III.5)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from reel_cli.core.evidence.own_words import NO
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS
from reel_cli.core.values.approval import PROTECTING, is_in_first_person
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import PURGED
from reel_cli.features.facts.evidence.medicine import REACTS, names_medicine
from reel_cli.features.facts.fact import Fact

CATEGORIES = (
    "identity",
    "context",
    "constraints",
    "relationships",
    "history",
    "commitments",
    "preferences",
)
"""Categories of facts, in the order of a bundle; an adapter adds more."""
ABOUT: Mapping[str, str] = {
    "identity": "name, age, work",
    "context": "home, what goes on",
    "constraints": "health, limits",
    "relationships": "people, pets",
    "history": "what happened",
    "commitments": "promises, dates",
    "preferences": "likes, dislikes",
}
"""The matter of each category, as a prompt says where it has room (SRIP-11 §III.5b)."""
HISTORY = "history"
"""Category of what happened, which a kit with gated experience finds by query alone."""
OWN = "own"
"""Category of what the persona told of its own life, or promised."""
OWN_HEADING = "your own life"
"""Heading under which a bundle tells those."""
PERSONA = "persona"
"""The one who said it, of such a fact."""
BY_HAND = "1"
"""Confidence of a fact as a person writes it."""
PERSON, EXTRACTION, DREAM = "person", "extraction", "dream"
"""Sources of a fact: a person's own word, the user's turns as a model reads them, a dream."""

_ALSO: Mapping[str, str] = {
    "identity": "person personal name names profile who about bio user",
    "context": "place places location home house work job situation goal goals time now daily living",
    "constraints": "constraint limit limits limitation health medical allergy boundary boundaries rule",
    "relationships": "relationship relation relations relational family people friend friends pet pets",
    "history": "event events past background biography memory milestone experience",
    "commitments": "commitment promise promises plan plans deadline deadlines agreement decision decisions",
    "preferences": "preference like likes dislike dislikes taste tastes style favourite favorite opinion",
}
_OURS = {
    OWN: OWN,
    **dict.fromkeys(
        ("mine", "yours", "self", "my own", "your own", "my life", "own life", "my own life"), OWN
    ),
    **{name: name for name in CATEGORIES},
    **{one: to for to, many in _ALSO.items() for one in many.split()},
}
_SURE = {"high": 9_000, "medium": 7_000, "low": 4_000}
_NUMBER = re.compile(r"[01](?:\.\d{1,4})?|\.\d{1,4}", re.ASCII)
CONFIDENCES = re.compile(rf"{'|'.join(_SURE)}|{_NUMBER.pattern}", re.ASCII)
"""Pattern of a valid confidence of a fact."""


_ERRAND = re.compile(
    r"(?i)\b(?:certs?|certificat\w+|papers?|paperwork|forms?|letters?|appointments?|bookings?|messages?|calls?|tickets?"
    r"|invoices?|bills?|fees?|prices?|costs?|rent|budget|supplement|insur\w+|licen[cs]es?|permits?|shifts?|rota|roster"
    r"|schedule|timetable|hours|nights?|overtime|deadlines?|visits?|scans?|exams?|courses?"
    r"|(?:skin|allergy|blood|prick) tests?)(?! results?\b)\b"
)
"""Pattern of the names of what has to be done, paid or kept: a change of it harms nobody."""
_GUARDED = re.compile(r"(?i)\bemergency\b|\bconsent\b|\bsafe ?words?\b")
"""Pattern of names that protect all the same: `emergency calls`, `consent form`."""
_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»')
_OF_SOMEBODY = re.compile(r"\b[A-Z][\w-]+['’]s?\b|\b(?i:he|she)\b")
"""Pattern of a key that says whose a fact is: `Vera's garden`, `what Vera wants when she is tired`."""


def category_of(fact: Fact) -> str:
    """Return a fact's category: one of ours if its own means the same, else its own."""
    return read_category(fact.category)


def read_category(told: str) -> str:
    """Return the category that a word for one means: one of ours, else that word."""
    # a reply may have the kind as the prompt explains it: `identity (name, age, work)`
    plain = _folded(told.partition("(")[0] or told)
    return _OURS.get(plain, plain or "other")


def is_own(fact: Fact) -> bool:
    """Return whether a fact is of the persona's own life: a dream is written in its own voice."""
    told = _QUOTED.sub(" ", f"{fact.key} {fact.value}")
    mine = fact.origin == DREAM and is_in_first_person(told) and not _OF_SOMEBODY.search(fact.key)
    return mine or bool(fact.said_by) or category_of(fact) == OWN


def fact_id(fact: Fact) -> str:
    """Return a fact's ID: `identity/name`, `relationships/sister-condition`."""
    category, key = fact_name(fact)
    return f"{category.replace(' ', '-')}/{key.replace(' ', '-')}"


def fact_name(fact: Fact) -> tuple[str, str]:
    """Return the category and key that make two facts values of the same, however they are written."""
    return category_of(fact), _folded(fact.key)


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[\s_/-]+", " ", text.casefold()).split())


def same_value(one: str, other: str) -> bool:
    """Return whether two values are equal, ignoring case, spacing and the full stop."""
    return " ".join(one.casefold().split()).rstrip(" .") == " ".join(other.casefold().split()).rstrip(" .")


def says_as_much(stood: Fact, fact: Fact) -> bool:
    """Return whether a fact that stands has the words of a new value in one part, as they are, and more.

    What it denies has no word of a value that denies nothing: `no penicillin` does not say `penicillin`.
    """
    denies = NO.search(fact.value) is not None
    parts = [one for one in _PARTS.split(stood.value) if (NO.search(one) is not None) is denies]
    new = _words_of(fact.value)
    return any(f" {new} " in f" {_words_of(one)} " for one in parts) and new != _words_of(stood.value)


def _words_of(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


_WORD = late(r"\w(?:[\w.,]*\w)?")


def confidence_of(fact: Fact) -> int:
    """Return a fact's confidence, of `WHOLE`: a person's is full, a dream's words mean 0.9, 0.7 and 0.4."""
    if fact.origin == PERSON:
        return WHOLE
    told = fact.confidence.strip().casefold()
    if _NUMBER.fullmatch(told):
        return min(WHOLE, round(float(told) * WHOLE))
    return _SURE.get(told, _SURE["medium"])


def is_by_hand(fact: Fact) -> bool:
    """Return whether a person wrote a fact, or let go of it; one accepted has its chat's words and doubt."""
    accepted = bool(fact.evidence) or bool(
        fact.source and fact.replaces and not fact.dropped and fact.confidence != BY_HAND
    )
    return fact.origin == PERSON and not accepted


def is_aside(fact: Fact, least: int) -> bool:
    """Return whether a fact of a reply was noted as less sure than `least`, as nobody can tell."""
    return fact.origin == EXTRACTION and confidence_of(fact) < least


def is_firm(fact: Fact) -> bool:
    """Return whether the user or a person said it, so that it is not a dream's conclusion."""
    return fact.origin != DREAM


def current_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Return the fact that holds for each category and key, in the order in which it was last noted.

    The last holds, but no dream overrides what the user said, and nothing said earlier what was said later.
    What was dropped is gone until it is said again, later, or a person says so.
    """
    last: dict[tuple[str, str], Fact] = {}
    gone: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        name = fact_name(fact)
        stood = last.get(name)
        if fact.dropped:
            gone.setdefault(name, []).append(fact)
            if stood is not None and same_value(stood.value, fact.value):
                del last[name]
        elif (stood is None or overrides(fact, stood)) and not _is_gone(fact, gone.get(name, ())):
            last.pop(name, None)
            last[name] = fact
    return list(last.values())


def _is_gone(fact: Fact, gone: Iterable[Fact]) -> bool:
    """Return whether a value was dropped, and nobody said it later."""
    return fact.origin != PERSON and any(
        same_value(fact.value, one.value) and fact.when <= one.when for one in gone
    )


def protects(fact: Fact) -> bool:
    """Return whether a fact protects somebody: an allergy, a medicine, safety, consent; no errand does."""
    if category_of(fact) == OWN or _is_errand(fact):
        return False
    if category_of(fact) == "constraints":
        return guards_health(fact) or not _is_price(fact)
    return guards_health(fact) and not _is_visit(fact)


def is_rule(fact: Fact) -> bool:
    """Return whether a fact is somebody's own rule on what is said or done: `don't ask about my dad`."""
    told = f"{fact.key.replace('_', ' ')} {fact.value}"
    return category_of(fact) == "constraints" and _RULE.search(told) is not None and not guards_health(fact)


_RULE = re.compile(
    r"(?i)\b(?:ask(?:s|ed|ing)?|say(?:s|ing)?|tell(?:s|ing)?|told|mention(?:s|ed)?|bring (?:\w+ )?up"
    r"|spe(?:ak|aks|ech)|talk(?:s|ed)?|call me|ring(?:s|ing)?|write|read|play|jokes?|teas(?:e|ing)|knows?"
    r"|names?|scenes?|secrets?|drownings?|quiet|advice|warn)\b"
)
"""Pattern of words for what is said, told or played."""


def is_nameless(fact: Fact) -> bool:
    """Return whether a purge took all of a fact's name or value; what protects somebody stays."""
    told = (fact.key, fact.value)
    return any(one.strip(" .").casefold() == PURGED for one in told) and not protects(fact)


def is_never_lost(category: str, key: str, value: str) -> bool:
    """Return whether a fact is a secret, a wish how to speak, or a promise of the persona's own.

    Where its words were said and do not bear it, a person decides.
    """
    told = f"{key.replace('_', ' ')} {value}"
    return bool((_PROMISED if read_category(category) == OWN else _KEPT_BACK).search(told))


_KEPT_BACK = re.compile(
    r"(?i)\b(?:secrets?|confidences?|in confidence|confidential(?:ly)?|between (?:us|the two of us|ourselves)"
    r"|(?:nobody|no one|none)(?: else)? (?:is to|may|must|should|shall|knows?)"
    r"|(?:must|may|should|shall|is|are|need)(?: not|n['’]t)(?: to)? (?:know|be told|hear|find out)"
    r"|(?:not|never|n['’]t)(?: to)?(?: be)? (?:say|said|tell|told|call|called|mention|mentioned|speak|spoken"
    r"|ask|asked|use|write)\b"
    r"|forbid\w*|under no circumstances)\b"
)
_PROMISED = re.compile(
    r"(?i)\b(?:promis\w+|(?:my|gave my|given my) word|secrets?|confidences?|(?:shall|will|must) (?:not|never)"
    r"|goes no further|sha['’]?n['’]t)\b"
)


def _is_errand(fact: Fact) -> bool:
    """Return whether a fact's name is that of a paper, a payment or an hour: `allergy form`, `shifts`."""
    key = fact.key.replace("_", " ")
    return _ERRAND.search(key) is not None and _GUARDED.search(key) is None


def _is_price(fact: Fact) -> bool:
    """Return whether all of a limit is a price, and forbids nothing: `roof: Staffan, 8200, October`.

    A number alone is one only of what is built or mended: an alarm has a code, and a body its levels.
    """
    key = fact.key.replace("_", " ").strip()
    if _NO_PRICE.search(f"{key} {fact.value}") is not None:
        return False
    parts = [one.strip(" .") for one in _PARTS.split(fact.value)]
    priced = [one for one in parts if _PRICE.fullmatch(one)]
    if _BUILT.fullmatch(key):
        priced += [one for one in parts if _SUM.fullmatch(one)]
        parts = [one for one in parts if not _BUILDER.fullmatch(one)]
    return bool(priced) and all(one in priced or _ON_DAY.fullmatch(one) for one in parts)


def _is_visit(fact: Fact) -> bool:
    """Return whether all of a fact is a day at a clinic, and tells nothing of what harms or helps."""
    apart = replace(fact, value="")
    whole = _VISIT.fullmatch(fact.value.strip(" .")) is not None
    return whole and _HARMS.search(fact.value) is None and not guards_health(apart)


_DAYS = "|".join((*MONTHS, *WEEKDAYS))
_PARTS = late(r"[,;]\s+")
_CURRENCY = r"(?:[€£$]|euros?\b|pounds?\b|dollars?\b|kr\b|kronor\b)"
_AMOUNT = rf"(?:[€£$]\s?)?\d[\d.,]*(?:\s?{_CURRENCY})?"
_SUM = late(rf"(?i){_AMOUNT}")
_PRICE = late(
    rf"(?i)(?:(?:an?|the) )?(?:paid|price|costs?|quoted?|offer(?:ed)?)(?: (?:of|is|was|at))?:? {_AMOUNT}"
)
_BUILT = late(
    r"(?i)(?:(?:the|my|our|new|old) )*(?:roof\w*|windows?|gutters?|fence|chimney|facade|plaster\w*|repairs?"
    r"|renovations?|build\w*)"
)
"""Pattern of the names of what somebody builds or mends, of which a number is the price."""
_BUILDER = late(r"on|(?:by )?[A-Z][\w'’-]+(?: [\w'’-]+){0,3}")
"""Pattern of who does it, with a word of them, and that it goes on."""
_ON_DAY = late(rf"(?i)(?:(?:in|by|on|from|until|since) )?(?:the )?(?:\d{{1,2}} )?(?:{_DAYS})(?: \d{{1,4}})?")
_HARM = (
    r"(?i)\b(?:no|not|never|none|nothing|without|only|must|cannot|avoid\w*|forbid\w*|allergic|takes?"
    r"|\d+ ?m?c?g|stop\w*|off|over)\b|n['’]t\b"
)
_HARMS = late(_HARM)
_NO_PRICE = late(
    rf"{_HARM}|\b(?:{REACTS}|numbers?|phone|call|ring|code|pin|emergency|blood|counts?|steps|kcal|calories"
    r"|pen|bad|heart|pain|gambl\w*|bet(?:s|ting)?|limits?"
    r"|danger\w*|unsafe|unstable|electri\w*|live|wires?|gas|radon"
    r"|monoxide|kids|away|asbestos|mould|lead|loose|slip\w*|collaps\w*|falls?|fell|fallen)\b"
)
_VISITED = r"(?:clinic|appointment|check-?up|review|surgery|scan)"
_VISIT = late(
    rf"(?i)(?:(?:the|an?|my|his|her|their) )?(?:[^\W\d_]+ (?=clinic\b))?{_VISITED}\b"
    rf"(?:[\s,]+(?:on|in|at|every|each|the|of|next|this|{_VISITED}|\d{{1,2}}(?:st|nd|rd|th)?)\b)*"
    rf"[\s,]+(?:{_DAYS})\b(?:[\s,]+(?:\d{{1,4}}|{_DAYS})\b)*"
    r"(?:[\s,]+about (?:the )?[\w-]+)?"
)
"""Pattern of a day at a clinic, and of what is talked of there."""


def guards_health(fact: Fact) -> bool:
    """Return whether a fact's words are of health, safety or consent, and not only of some limit."""
    told = f"{fact.category} {fact.key.replace('_', ' ')} {fact.value}"
    return PROTECTING.search(told) is not None or names_medicine(
        f"{fact.key.replace('_', ' ')}: {fact.value}"
    )


def must_be_there(fact: Fact) -> bool:
    """Return whether no bundle goes without the fact: a person noted it, or it protects somebody."""
    return fact.origin == PERSON or (is_firm(fact) and protects(fact))


def waits_for_a_person(fact: Fact, stood: Fact | None) -> bool:
    """Return whether a new value may hold only by a person's word: it replaces what protects somebody."""
    return stood is not None and protects(stood) and not same_value(fact.value, stood.value)


def overrides(fact: Fact, stood: Fact) -> bool:
    """Return whether a newly noted fact replaces one that stood.

    No dream replaces what protects somebody, and no telling of the persona what a person said for sure.
    """
    said = is_firm(stood) and not (is_own(stood) or is_aside(stood, _DOUBTED))
    if fact.said_by and not stood.said_by and said and fact.origin != PERSON:
        return False
    if not is_firm(fact) and waits_for_a_person(fact, stood):
        return False
    if fact.origin == PERSON and stood.origin != PERSON:
        return True
    later = not fact.when or not stood.when or fact.when >= stood.when
    # of two dreams' values the one that was said later holds
    return later or is_firm(fact) if not is_firm(stood) else is_firm(fact) and later


_DOUBTED = 5_000
"""Confidence, of `WHOLE`, below which a fact was set aside when it was noted."""
