"""Changes of what protects somebody: found under whatever name a new fact has, they wait for a person's word.

An allergy that ends under the key `nut allergy` is a change of `allergy: peanuts`. A fact that is held back
without need costs a look at `reel review`; one that slips through may cost more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, stem, telling
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.medicine import names_medicine
from reel_cli.features.facts.evidence.told_value import without_dates
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import is_another
from reel_cli.features.facts.pending.doses import (
    find_beside_dose,
    find_other_dose,
    read_kin,
    read_medicines,
)
from reel_cli.features.facts.pending.guarded_things import (
    is_medicine_apart,
    may_take_place,
    thing_of,
    without_counts,
)
from reel_cli.features.facts.policy import (
    EXTRACTION,
    fact_name,
    guards_health,
    is_firm,
    is_own,
    protects,
    read_category,
    same_value,
)
from reel_cli.features.facts.reply import LONGEST_VALUE

_ENDED = late(
    r"(?i)\b(?:no longer|gone|(?<!\d )over(?! \d)|outgr\w+|end(?:s|ed)"
    r"|(?<!not )(?<!not to )(?<!never )(?<!n't )stopp?(?:s|ed)?(?! (?:\w+ ){1,4}from\b)"
    r"(?! (?:always |only |short )?(?:at|by|before|when|where)\b)"
    r"|quit|cured|cleared|heal(?:s|ed)|recovered|resolved|remission|(?<![\w-])free(?:d)?(?= of| from|\W*$)"
    r"|former|used to|any ?more|again|fine with"
    r"|can(?: now)? (?:eat|have|drink|take)"
    r"|safe (?:to|with)|wrong|mistak(?:e|es|en)|errors?|misdiagnos\w+|mis(?:heard|understood"
    r"|understanding)|untrue|nonsense|harmless"
    r"|false|toler\w+|lifted|withdrawn|revoked|off"
    r"|weg|vorbei|abgesetzt|ausgeheilt|geheilt|überstanden|verschwunden|nicht mehr|wieder"
    r"|fini(?:e|es|s)?|partie?s?|passée?s?|guéri\w*|arrêté\w*|terminée?s?|disparu\w*|de nouveau"
    r"|curad[oa]s?|superad[oa]s?|desaparecid[oa]s?|terminad[oa]s?|desapareció|terminó|pasó|ya no|de nuevo"
    r"|acabou|passou|sumiu|desapareceu|já não|guarit[oa]|finit[oa]|passat[oa]|sparit[oa]|sospes[oa]|non più"
    r"|прошл[ао]|прошёл|исчезл\w+|вылечил\w+|больше не|отменил\w*|бросил\w*|снова)\b"
    r"|好了|没了|没有了|治好|停了|痊愈|不再|治っ|治り|なくなっ|なくなり|やめ|나았|없어|끊었"
)
"""Words by which something is said to be over."""
_OF_TALK = late(
    r"(?i)\b(?:secrets?|knows?|(?:tell|say|mention|ask|call)(?:ing)?"
    r"|(?:be|been|being) (?:told|said|mentioned|asked|called))\b"
)
"""Pattern of a limit on what is talked about, and how; `the doctor said` only tells whose word it is."""
_DENIED = late(r"(?i)\b(?:not|never|no|none|without|cannot)\b|n['’]t\b")
_TOPICS = (
    "allerg",
    "alerg",
    "аллерг",
    "intoler",
    "medic",
    "dose",
    "dosa",
    "pill",
    "tablet",
    "safe",
    "consent",
    "health",
)
"""Beginnings of words that say what kind of thing protects, and not which."""
_PREFIX = 5
_LEAST_BEFORE = 3
"""Letters before the last word of a compound, at least."""
_HEADS = frozenset(map(stem, ("nut", "fish", "milk", "egg", "wheat", "corn", "pill", "seed", "nuss")))
"""Short roots of what somebody eats or takes that end compounds."""


def find_guarded(fact: Fact, standing: Iterable[Fact]) -> Fact | None:
    """Return the protecting fact that a new one would replace or end; None for none.

    What a dream noted gives way to what somebody said.
    """
    standing = tuple(standing)
    guarded = [one for one in standing if protects(one) and (is_firm(one) or not is_firm(fact))]
    same = next((one for one in guarded if fact_name(one) == fact_name(fact)), None)
    if same is not None:
        return None if same_value(same.value, fact.value) or _is_own_update(fact, same) else same
    if is_own(fact):
        # what the persona tells of its own life has a name of its own
        return None
    if _is_appointment(fact):
        return find_other_dose(fact, guarded, read_kin(standing))
    if any(fact_name(one) == fact_name(fact) for one in standing):
        # what changes a fact of its own changes another only where it names that
        guarded = [one for one in guarded if _names(fact, one)]
    # what is not to be said is changed under its own name alone, and changes nothing else: many facts share
    # a word with it
    told = _text(fact)
    guarded = [
        one
        for one in guarded
        if (guards_health(one) or not _OF_TALK.search(f"{_text(one)} {told}")) and not is_another(fact, one)
    ]
    forbidding = guarded
    # a fact under a name of its own stands beside, unless it says plainly that the danger is over
    guarded = [one for one in guarded if may_take_place(fact, one)]
    # a name says whose a thing is, and not which
    people = _people([fact, *standing])
    eased = next((one for one in guarded if _eases(fact, one, people)), None)
    if eased is not None:
        return eased
    tightened = next((one for one in forbidding if _tightens(fact, one, people)), None)
    if tightened is not None:
        return tightened
    changed = find_other_dose(fact, guarded, read_kin(standing)) or _find_milder(fact, guarded, people)
    if changed is not None:
        return changed
    if not _ENDED.search(told) and not _DENIED.search(told):
        return None
    owners = owners_of(fact)
    guarded = [one for one in guarded if _may_share(owners, owners_of(one)) and not _stands_beside(fact, one)]
    mine = _subjects(without_counts(_near_the_turn(told))) - people
    named = _subjects(fact.key.replace("_", " ")) - people
    shared = [
        (_count(mine, _things(one) - people) if _is_of_one_thing(mine, named, one) else 0, one)
        for one in guarded
        if _turns(told, _text(one)) and (not _is_figure(one) or _count(mine, _subjects(one.key)))
    ]
    most, best = max(shared, key=lambda pair: pair[0], default=(0, None))
    if most:
        return best
    # `the allergy is gone` names no other thing that could be meant, as `mango: a rash, not an allergy` does
    topics = _topics(told)
    alike = [one for _, one in shared if topics & _topics(_text(one))]
    return alike[0] if alike and not (mine or named) else None


def _is_appointment(fact: Fact) -> bool:
    """Return whether a fact is a day that was made: a clinic's does not lift the ban on penicillin."""
    return (
        read_category(fact.category) == "commitments"
        and bool(dates(fact.value, None))
        and not says_over(fact)
    )


def _names(fact: Fact, stood: Fact) -> bool:
    """Return whether a fact has a word of a guarded one's name, or its medicine.

    `Dad: died 2019, not 2018; off the banks for nine days` is nothing of a lump of nine millimetres.
    """
    told = _text(fact)
    if _count(_subjects(told), _subjects(stood.key.replace("_", " "))):
        return True
    return bool(read_medicines(told) & read_medicines(stood.value)) or not _subjects(stood.key)


def _is_of_one_thing(mine: frozenset[str], named: frozenset[str], stood: Fact) -> bool:
    """Return whether a new fact names the thing of a guarded one: by either name, or as what harms or heals.

    `mine` are its words for a turn, `named` those of its name. A guarded fact of a condition has more words
    than its thing: a `fat pen` for the hands is no open door.
    """
    key, value = _subjects(stood.key.replace("_", " ")), _things(stood)
    if not guards_health(stood) or not key or _topics(_text(stood)):
        # `allergy` and `medication` name no thing, and what is not to be done has it in the value
        return True
    parts = _PARTS.split(stood.value)
    things = frozenset(
        word for part in parts if len(parts) == 1 or names_medicine(part) for word in _subjects(part)
    )
    if len(parts) == 1 and len(things) > _FEW:
        things = frozenset()
    return bool(_count(mine, key | things) or _count(named, key | value))


_FEW = 3
"""Words of a value that says one thing alone, at most: `red means stop`."""
_PARTS = late(r"[,;]\s+")


def is_ended(text: str) -> bool:
    """Return whether a text says that something is over, or denies it."""
    return bool(_ENDED.search(text) or _DENIED.search(text))


def says_over(fact: Fact) -> bool:
    """Return whether a fact says of something that it is over, or harms nobody."""
    return _ENDED.search(fact.value) is not None or _EASED.search(fact.value) is not None


def _stands_beside(fact: Fact, stood: Fact) -> bool:
    """Return whether a fact under a name of its own denies something else than what the guarded one says.

    `No cashew at the wedding` and `no run under 400` forbid something besides the allergy and the inhaler;
    `not allergic` and `off the warfarin` take back what stood.
    """
    if _ENDED.search(fact.value):
        return False
    if _is_of_two(fact, stood):
        return True
    denied = " ".join(one for one in _CLAUSE.split(fact.value) if _DENIED.search(one))
    if not denied:
        # only the name denies: `not with warfarin`
        return _DENIED.search(fact.key) is not None
    if _topics(denied) or _TAKEN.search(denied):
        return False
    named = _subjects(stood.key.replace("_", " ")) or _subjects(stood.value)
    other = not _count(_subjects(denied), named)
    forbids = _topics(_text(stood)) and _FORBIDS.search(denied) is not None
    return bool(other and _subjects(denied)) or bool(forbids)


def _is_of_two(fact: Fact, stood: Fact) -> bool:
    """Return whether a fact says of the thing it is named after that it does not go with the guarded one.

    `The combined pill and lamotrigine: no` is no dose of lamotrigine.
    """
    named = _subjects(fact.key.replace("_", " ")) - _subjects(_text(stood))
    told = named <= telling(f"{fact.value} {fact.statement} {fact.evidence}")
    how = _TOGETHER if told else _MIXED
    return bool(named) and how.search(fact.value) is not None


_TOGETHER = late(r"(?i)\b(?:with|and|together)\b")
_MIXED = late(r"(?i)\b(?:go(?:es)?|mix(?:es)?|agrees?|combined?|interacts?|clash(?:es)?) (?:well )?with\b")
_TAKEN = late(
    r"(?i)\b(?:tak(?:e|es|ing|en)|needs?|carr(?:y|ies)|wears?|uses?|bothers?|hurts?|harms?|minds?)\b"
)
_FORBIDS = late(r"(?i)\b(?:no|without|never|not)\s+(?:\w+\s+){0,2}\w+")


def _is_own_update(fact: Fact, stood: Fact) -> bool:
    """Return whether the user's own words give another figure: a price, a term, a day.

    Words that take something back, or leave only a part of it, are no figure: `wasps only, not bees`.
    """
    told = even(fact.value)
    less = _turns(told, _text(stood)) or (_ONLY.search(told) and not _ONLY.search(_text(stood)))
    figures = _is_figure(fact) and _is_figure(stood) and not less
    return fact.origin == EXTRACTION and not fact.said_by and figures


def _is_figure(fact: Fact) -> bool:
    """Return whether a fact gives a number or a day, and none of a medicine or of anybody's safety."""
    return _DIGIT.search(fact.value) is not None and not guards_health(fact)


_DIGIT = late(r"\d")


def _eases(fact: Fact, stood: Fact, people: frozenset[str]) -> bool:
    """Return whether a fact under the name of the very thing that is guarded says that it does no harm."""
    named = _subjects(fact.key.replace("_", " ")) - people
    there = _things(stood)
    return bool(named and named <= there and _EASED.search(fact.value)) and not _EASED.search(_text(stood))


_EASED = late(
    r"(?i)(?<!not )(?<!n't )\b(?:safe|fine|ok|okay|all ?right|no problem|harmless|allowed|possible|works)\b"
)


def _tightens(fact: Fact, stood: Fact, people: frozenset[str]) -> bool:
    """Return whether a fact forbids somebody what the guarded one calls harmless: `hazelnuts are fine`."""
    allowed = _subjects(_part(stood.value, harmless=True)) - people
    if not (allowed and protects(fact) and _may_share(owners_of(fact), owners_of(stood))):
        return False
    forbidden = _subjects(_part(fact.value, harmless=False)) - people
    # `nuts` of a name is no hazelnut
    return bool(_count(forbidden, allowed) or _subjects(fact.key.replace("_", " ")) & allowed)


def _find_milder(fact: Fact, guarded: Sequence[Fact], people: frozenset[str]) -> Fact | None:
    """Return the allergy that a fact under another name calls slight, or the ban that it lifts in part."""
    named = _subjects(_text(fact)) - people
    for one in guarded:
        if not (protects(fact) and _may_share(owners_of(fact), owners_of(one))):
            continue
        if not _count(named, _things(one) - people):
            continue
        milder = _topics(_text(one)) & _REACTIONS and _MILDER.search(fact.value)
        allowed = _BANS.search(one.value) and not _BANS.search(fact.value) and _SOME.search(fact.value)
        if (milder and not _MILDER.search(one.value)) or allowed:
            return one
    return None


_MILDER = late(r"(?i)\b(?:mild(?:ly|er)?|slight(?:ly)?|(?:just|only) (?:an?|some) \w+|hardly)\b")
_SOME = late(
    r"(?i)\b(?:a (?:little|bit|few)|less|small amounts?|in moderation|now and then|sometimes"
    r"|once|twice|one|two|three|(?:up to|at most|no more than) \w+|\d+)\b"
)
"""Patterns of a reaction that is called slight, and of so much of what was not allowed at all."""
_REACTIONS = frozenset(("allerg", "alerg", "аллерг", "intoler"))
_BANS = late(r"(?i)^\W*(?:none|no|not|never|nothing|without)\b")


def _part(text: str, *, harmless: bool) -> str:
    """Return the parts of a text that call something harmless, or the others.

    A list stays whole, unless it forbids something as well: `no walnuts, almonds are fine`.
    """
    parts = [
        part
        for whole in _SENTENCE.split(text)
        for part in (_CLAUSE.split(whole) if _DENIED.search(_EASED.sub("", whole)) else [whole])
    ]
    return "; ".join(part for part in parts if bool(_EASED.search(part)) == harmless)


_SENTENCE = late(r"[;:.!?]\s+")


def as_change_of(fact: Fact, stood: Fact) -> Fact:
    """Return a new fact as a value of the one that it would replace."""
    if fact_name(fact) == fact_name(stood):
        return _beside(replace(fact, replaces=stood.value), stood)
    if is_medicine_apart(fact, stood):
        # it waits under the name of its own medicine, and what is told of the other stays
        return fact
    said = telling(f"{fact.value} {stood.key.replace('_', ' ')}")
    value, rest = fact.value, ""
    key = telling(fact.key)
    if find_other_dose(fact, [stood]) is not None:
        # `dose` and `evening pill` say nothing of which medicine it is
        key = read_medicines(fact.key)
        rest = find_beside_dose(stood.value, fact.value)
    if not key <= said:
        # the other name says what the value is of: its sentence does as well
        value = (
            one_line(fact.statement)
            if telling(fact.key) <= telling(fact.statement)
            else f"{fact.key}: {value}"
        )
    value = f"{value}, {rest}" if rest else value
    return _beside(
        replace(fact, category=stood.category, key=stood.key, value=value, replaces=stood.value), stood
    )


def _beside(fact: Fact, stood: Fact) -> Fact:
    """Return a value offered for one that protects somebody, with that one where it takes nothing of it back.

    `Does not go with lamotrigine` leaves the dose as it is, and `not in doubt` the allergy.
    """
    told = _AFFIRMS.sub(" ", even(fact.value))
    odd = _ENDED.search(told) or _EASED.search(told) or (_DENIED.search(told) and not _MIXED.search(told))
    figure = any(one.plain for one in numbers(told, without_dates(told, dates(told, None))))
    common = telling(told) & telling(even(stood.value)) - telling(even(stood.key))
    value = f"{stood.value.rstrip('. ')}; {fact.value}"
    if not protects(stood) or odd or figure or common or len(value) > LONGEST_VALUE:
        return fact
    return replace(fact, value=value)


_AFFIRMS = late(r"(?i)\b(?:not in (?:any )?doubt|no doubt|beyond doubt|not a guess|no mistake|not wrong)\b")


def tells_no_more(fact: Fact, stood: Fact) -> bool:
    """Return whether a value says no more than what protects somebody: it ends, eases and counts nothing."""
    told, there = even(fact.value), even(f"{_text(stood)} {stood.statement}")
    known = telling(there)
    counted, held = ({value for one in numbers(text, text) for value in one.values} for text in (told, there))
    # `no oats at all` for `oats only if gluten free` forbids more in fewer words
    only = (_ONLY.search(told) is None) != (_ONLY.search(stood.value) is None)
    denied = len(_DENIED.findall(told)) > len(_DENIED.findall(even(stood.value)))
    eased = _EASED.search(told) is not None and _EASED.search(there) is None
    turned = bool(_found(told) - _found(there)) or bool(_DENIED.search(told)) != bool(
        _DENIED.search(_text(stood))
    )
    words = telling(told)
    return bool(words) and words <= known and counted <= held and not (only or denied or eased or turned)


_ONLY = late(r"(?i)\b(?:only|just|merely|half|less|more|at most|at least|up to|if|when)\b")


def owners_of(fact: Fact) -> frozenset[str]:
    """Return the roots of the names by which a fact says whose it is: `Vera's diet`, `Vera: no fish`."""
    told = even(f"{fact.key.replace('_', ' ')} . {fact.statement} . {fact.value}")
    return telling(" ".join(found[1] for found in _OWNER.finditer(told)))


_OWNER = late(
    r"\b(?!(?:It|That|This|There|What|Who|Where|How|Here|Let|He|She|Today|Tomorrow|Parkinson|Alzheimer"
    r"|Crohn|Hashimoto|Huntington|Hodgkin|Raynaud|Tourette|Addison|Cushing)'s)([A-Z][\w-]+)'s?\b"
)
_NAME = late(r"\b[A-Z][\w-]+")


def _people(facts: Iterable[Fact]) -> frozenset[str]:
    """Return the roots of the names of people in facts: owners, and who a relationship is with."""
    found: set[str] = set()
    for one in facts:
        found |= owners_of(one)
        if one.category == "relationships":
            found |= telling(" ".join(_NAME.findall(even(one.key.replace("_", " ")))))
    return frozenset(found)


def _may_share(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two facts may be of one person by the names that they give; none is anybody's."""
    return not (one and other) or not one.isdisjoint(other)


def _near_the_turn(told: str) -> str:
    """Return the clauses of a text in which something is over or denied."""
    clauses = [one for one in _CLAUSE.split(told) if _ENDED.search(one) or _DENIED.search(one)]
    return " ".join(clauses)


_CLAUSE = late(r"(?i)[,;:.!?]\s+|\s+(?:and|but|so|because)\s+")


def _text(fact: Fact) -> str:
    return f"{fact.key.replace('_', ' ')} {fact.value}"


def _turns(told: str, stood: str) -> bool:
    """Return whether one text says that something is over, or denies it, and the other does not."""
    # `gluten free` has a word of its own for what is over, and says nothing about another
    ended = _found(told) - _found(stood)
    return bool(ended) or bool(_DENIED.search(told)) != bool(_DENIED.search(stood))


def _found(text: str) -> frozenset[str]:
    return frozenset(found[0].casefold() for found in _ENDED.finditer(text))


def _subjects(text: str) -> frozenset[str]:
    """Return the roots of the words that say which thing is meant."""
    plain = _EASED.sub(" ", _ENDED.sub(" ", text))
    return frozenset(one for one in telling(plain) if not one.startswith(_TOPICS) and len(one) > 2)


def _things(fact: Fact) -> frozenset[str]:
    return _subjects(thing_of(fact))


def _topics(text: str) -> frozenset[str]:
    return frozenset(topic for one in telling(text) for topic in _TOPICS if one.startswith(topic))


def _count(mine: frozenset[str], theirs: frozenset[str]) -> int:
    return sum(any(_alike(one, other) for other in theirs) for one in mine)


def _alike(one: str, other: str) -> bool:
    """Return whether two roots are of one word, or one ends a compound: `nut` and `peanut`."""
    if one == other:
        return True
    if one.endswith(other) or other.endswith(one):
        short, whole = sorted((one, other), key=len)
        # `overtime` is no kind of time as a peanut is a nut, and `open` is no pen
        apart = len(whole) - len(short) >= _LEAST_BEFORE and (
            len(short) >= _PREFIX or short in _HEADS or not short.isascii()
        )
        return apart and short not in LENT
    # a Russian root is shorter, and more may stand behind it
    alike = _PREFIX if one.isascii() else _PREFIX - 1
    return len(one) > alike and one[:alike] == other[:alike]
