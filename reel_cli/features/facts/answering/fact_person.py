"""Names and people in facts: whether a statement says what somebody is called, or what somebody is.

A fact about somebody may be a card: `Trygve: grey cat, 12` says by its own name what the cat is called.
"""

import re

from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS
from reel_cli.core.tape.search.query import words
from reel_cli.features.facts.answering.fact_line import EXACT, OWN, FactLine
from reel_cli.features.facts.answering.fact_question import IS, LEAD, AskedFact

NAME = r"(?:[^\W\d_a-zß-öø-ÿ][\w’'-]*\w)"
"""Pattern of a word with a capital letter, where case counts."""
_CAPITAL = late(rf"(?<![\w’'-]){NAME}(?: {NAME})*")
NO_NAMES = frozenset(
    (
        *map(str.lower, (*MONTHS, *WEEKDAYS)),
        *("christmas", "easter"),
        *("the", "it", "he", "she", "they", "we", "there", "this", "that"),
    )
)
"""Words with a capital letter that are no names."""
_PLACED = late(r"(?i)\b(?:in|at|to|from|near|of|on|with|for|by)\s+(?:the\s+)?$")
"""Pattern of words before a name that make it the name of a place, or of somebody else."""
_PEOPLE = (
    r"(?:(?:grand|step)?(?:mother|father|mum|mom|dad|son|daughter)|sister|brother|wife|husband|partner|aunt|uncle"
    r"|cousin|niece|nephew|friend|boss|colleague|neighbou?r|landlord|landlady|teacher|doctor|nurse|vet|dog|cat"
    r"|girlfriend|boyfriend|flatmate|roommate|mentor|coach|cook|girl|boy|kid|child|widow|surveyor|manager)"
)
SOMEBODY = late(rf"(?i)\b{_PEOPLE}\b")
_CARDS = ("fact relationships/", "fact people/", OWN)
"""Beginnings of the IDs of facts that may be about somebody else."""
_SEGMENT = late(r"[,;.]\s+|[,;.]$")
_MOST_SEGMENTS = 3
"""Number of parts of a card, between commas, that may say what somebody is."""
_NO_CARD = late(
    r"(?i)\W*(?:(?:he|she|it|they|there|we|you|i)\b|(?:is|are|was|were|has|had|have|will|can|could|would|did|does)"
    r"(?:n['’]?t)?\b|(?:died|dead|called|calls|goes|comes|came|went|wants?|said|says|may|not|no|isn|doesn|didn)\b"
    r"|[^,;.]*['’]s (?:\w+\s+)?(?:number|name|address|birthday)\b)"
)
"""Pattern of values that tell of something that happened rather than what somebody is."""
_BETWEEN = late(
    r"(?i)\b(?:has|had|have|got|gets|owns?|likes?|loves|wants?|with|for|to|of|at|in|on|by|from|met|sold|lost)\b"
)
_WHOSE = late(r"(?P<who>[\w’'-]+?)(?:['’]s|(?<=s)['’])\s+(?:[\w-]+\s+){0,2}$")


def card_name(fact: FactLine) -> str:
    """Return the name of the one that a fact is a card of; "" where it is none."""
    if not fact.id.startswith(_CARDS):
        return ""
    name, colon, _ = fact.line.partition(": ")
    is_name = colon and words(name) == words(fact.key) and name[:1].isupper()
    return name if is_name and not SOMEBODY.match(name) else ""


def is_of_somebody(fact: FactLine) -> bool:
    """Return whether a fact is a card, or a statement that begins with the name of the one it is about."""
    begun = _CAPITAL.match(fact.line) if fact.id.startswith(_CARDS) else None
    return bool(card_name(fact)) or (begun is not None and words(begun[0]) == words(fact.key))


def tells_card(asked: AskedFact, fact: FactLine, said: str, how: int) -> bool:
    """Return whether a fact is a card of the one that the question is about, or of the one it looks for."""
    if asked.kind == "who":
        return is_of_somebody(fact) and how != EXACT and not head_forms(asked).isdisjoint(words(said))
    if not card_name(fact):
        return False
    if asked.kind == "role" and how == EXACT:
        return _NO_CARD.match(said) is None
    heads = "|".join(map(re.escape, sorted(head_forms(asked))))
    segments = _SEGMENT.split(said)[:_MOST_SEGMENTS] if heads and how != EXACT else []
    ends = rf"(?i)\b(?:{heads})(?=\s+(?:in|at|from|on|of|for|with|who|that|since|now)\b|\s*\(|\s*$)"
    found = ((part, re.search(ends, part)) for part in segments)
    return any(
        one is not None and not _BETWEEN.search(part[: one.start()]) and is_whose(asked, part[: one.start()])
        for part, one in found
    )


def is_whose(asked: AskedFact, before: str) -> bool:
    """Return whether a thing is of one whom the question names, by the words before it."""
    whose = _WHOSE.search(before)
    return whose is None or asked.said.issuperset(words(whose["who"]))


def head_forms(asked: AskedFact) -> frozenset[str]:
    """Return the forms of the word that names the thing asked about, the last; none for no word."""
    return next(reversed(list(asked.content.values())), frozenset())


def tells_who(asked: AskedFact, fact: FactLine, said: str, how: int) -> bool:
    """Return whether a statement names somebody or something, as the question wants it."""
    heads = "|".join(map(re.escape, sorted(head_forms(asked))))
    if not heads:
        return False
    if asked.kind == "role" and _CAPITAL.search(_asked_about(asked)):
        # `Who is Denise?` wants what she is, and not her name; `doctor: Dr Denise Lind` says it by its own
        name = _SEGMENT.split(said)[0]
        if _CAPITAL.fullmatch(name) and not head_forms(asked).isdisjoint(words(name)):
            return SOMEBODY.search(fact.key) is not None
        is_so = rf"(?:{heads})\b,?\s+(?:is|was)\s+(?:an?|the|my|his|her|their|[\w]+['’]s)\s"
        kin = rf"\b{_PEOPLE}\s+(?:is\s+)?(?:{heads})\b(?!['’]s)"
        then = rf"\b(?:{heads})\b,?\s+(?:is\s+)?[^.;]{{0,30}}\b{_PEOPLE}\b"
        begins = rf"^(?:(?:my|your|the|his|her|their|an?|[\w]+['’]s)\s+)?(?:\w+\s+)?{_PEOPLE}\b"
        every = [is_so, kin, then, *([begins] if how == EXACT else [])]
        return any(re.search(f"(?i){one}", said.strip("“")) for one in every)
    names = names_in(asked, said)
    if asked.kind == "who":
        return bool(names or SOMEBODY.search(said))
    if not names:
        return False
    if how == EXACT:
        return True
    named = "|".join(map(re.escape, names))
    beside = (
        rf"(?i:\b(?:{heads})\b,?(?:\s+(?:is|are|was|were))?(?:\s+(?:called|named))?,?\s+)(?:{named})"
        rf"|(?i:\b(?:called|named|name is|name['’]s)\s+(?:(?:her|him|it|them)\s+)?)(?:{named})"
        rf"|(?:{named})(?i:,?\s+(?:is|was|my|the)\s+(?P<whose>(?:[\w’']+\s+){{0,2}})(?:{heads})\b(?!['’]s))"
        rf"|^(?i:(?:the\s+|my\s+|[\w]+['’]s\s+)?(?:{heads})\s+(?:is|was|are|were)\b).*(?:{named})"
    )
    found = re.search(beside, said)
    return found is not None and is_whose(asked, found["whose"] or "")


def _asked_about(asked: AskedFact) -> str:
    return re.sub(rf"{LEAD}who{IS}\s+", "", asked.text)


def names_in(asked: AskedFact, said: str) -> list[str]:
    """Return the names in a statement that the question does not have; those of places and dates left out."""
    found = []
    for one in _CAPITAL.finditer(said):
        word = one[0].removesuffix("'s").removesuffix("’s")
        if asked.said.issuperset(words(word)) or word.casefold() in NO_NAMES:
            continue
        begins = (
            not said[: one.start()].strip(" “\"'(").rstrip() or said[: one.start()].rstrip()[-1:] in ".!?"
        )
        alone = re.match(rf"(?:['’]s\b)?\s*(?:[,.;!”\"(]|$|(?:is|was|and {NAME})\b)", said[one.end() :])
        if not _PLACED.search(said[: one.start()]) and (not begins or alone):
            found.append(one[0])
    return found
