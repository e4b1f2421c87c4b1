"""Doses of one medicine of one person, under whatever names facts and sentences tell them.

`ramipril dose: 2.5 mg in the evening` is another dose of `mother's ramipril: 10 mg in the morning`.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING, numbers
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import MONTHS
from reel_cli.features.facts.evidence.details.part_kinds import OFTEN
from reel_cli.features.facts.evidence.medicine import find_amounts, names_medicine
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import is_another
from reel_cli.features.facts.pending.guarded_things import without_places
from reel_cli.features.facts.policy import category_of, fact_name, guards_health

_KIN = {
    word: kin
    for kin, words in {
        "mother": "mother mothers mum mums mom moms mama mamma",
        "father": "father fathers dad dads papa",
        "grandmother": "grandmother grandma gran granny nan nana",
        "grandfather": "grandfather grandpa grandad granddad",
        "wife": "wife",
        "husband": "husband",
        "partner": "partner boyfriend girlfriend",
        "sister": "sister sisters",
        "brother": "brother brothers",
        "son": "son sons boy",
        "daughter": "daughter daughters girl",
        "child": "child kid baby",
        "aunt": "aunt auntie",
        "uncle": "uncle",
        "cousin": "cousin",
        "niece": "niece",
        "nephew": "nephew",
        "friend": "friend",
        "neighbour": "neighbour neighbor",
        "dog": "dog dogs",
        "cat": "cat cats",
    }.items()
    for word in words.split()
}
"""Words for somebody else, each with the one that stands for all of its kind."""
_KIN_WORD = late(rf"(?i)\b(?:{'|'.join(_KIN)})\b")
_OWNER_OF_KIN = late(rf"\b([A-Z][\w-]+)['’]s?\s+(?i:{'|'.join(_KIN)})\b")
_OWNER = late(r"\b(?!(?:It|That|This|There|What|Who|He|She|Today|Let)['’])([A-Z][\w-]+)['’]s?\b")
_SUBJECT = late(
    r"(?:^|[.!?;]\s+)([A-Z][\w-]+)\s+(?:now\s+)?(?:takes?|took|has|had|gets?|needs?|is|was|went|uses?)\b"
)
_NOBODY = frozenset(
    ("he", "she", "it", "they", "the", "this", "that", "there", "who", "we", "you", "dose", "now", "today")
)
_SELF = late(r"(?i)\b(?:i(?= (?:now |only |still )?(?:take|took|am|have|need|use|get)\b)|i['’]m|my own)\b")
_NAME = late(r"\b[A-Z][\w-]+")
_DENIED = late(
    r"(?i)(?:\b(?:not|no longer|never|instead of|rather than|from|was|were|used to be)|n['’]t)"
    r"\s+(?:(?:in|at|on|the|any|a|take|taking|takes)\s+)*[^\s,.;:!?]+(?:[.,]\d+)?"
    r"(?:\s+(?:mg|mcg|ml|milligrams?|micrograms?|tablets?|pills?|drops|units?|puffs?)\b)?"
)
"""Pattern of a dose or a time that a text says is no longer so: `10 mg in the morning, not 5`."""
_TIMES = late(
    r"(?i)\b(mornings?|breakfast|noon|midday|lunch|afternoons?|evenings?|dinner|supper|nights?|bedtime"
    r"|once|twice|three times|every other day|weekly|morgens|mittags|abends|nachts)\b"
)
_SAME_TIME = {
    "breakfast": "morning", "lunch": "noon", "midday": "noon", "dinner": "evening", "supper": "evening",
    "bedtime": "night",
}  # fmt: skip
_IDLE = late(
    r"(?i)^(?:mg|mcg|ml|milligr\w*|microgr\w*|tablet\w*|pill\w*|capsul\w*|drop\w*|puff\w*|unit\w*|patch\w*|spray\w*"
    r"|dos\w*|medic\w*|drug\w*|prescri\w*|prescrip\w*|strength|amount|morn\w*|noon|evening|even|night\w*|bedtim\w*"
    r"|breakfast|lunch|dinner|supper|dai\w*|twice|onc\w*|half|quarter|tak\w*|took|new|old|chang\w*|rais\w*|lower\w*"
    r"|increas\w*|reduc\w*|doctor|nurs\w*|chemist|pharmac\w*|blood|pressur\w*|heart|pain|need|strong\w*)$"
)
_LETTERS = 4
"""Letters of a word below which it names no medicine."""


@frozen
class Person:
    """The person of whom a text tells: words for kin, names, and names of those whose kin it is."""

    kin: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()


def find_other_dose(
    fact: Fact, standing: Iterable[Fact], known: Mapping[str, str] = MappingProxyType({})
) -> Fact | None:
    """Return the standing fact of whose medicine a new one tells another dose or time; None for none.

    `known` has the names of people, as `read_kin` returns them.
    """
    if not guards_health(fact):
        return None
    return next(
        (
            one
            for one in standing
            if guards_health(one)
            and fact_name(one) != fact_name(fact)
            and not is_another(fact, one)
            and is_other_dose(fact.value, one.value)
            and _medicines_of(fact, known) & _medicines_of(one, known)
            and may_be_one(read_person(_told(fact)), read_person(_told(one)), known)
        ),
        None,
    )


def _medicines_of(fact: Fact, known: Mapping[str, str]) -> frozenset[str]:
    # two in one drawer, or for one condition, are two
    return read_medicines(_CONDITION.sub(" ", without_places(_told(fact))), known)


_CONDITION = late(
    r"(?i)\b(?:asthma\w*|allerg\w*|diabet\w*|epilep\w*|migraines?|pregnan\w*|coeliac|celiac|clinics?|hospital)\b"
)


def _told(fact: Fact) -> str:
    return f"{fact.key.replace('_', ' ')}. {fact.value}. {fact.statement}"


def read_kin(facts: Iterable[Fact]) -> Mapping[str, str]:
    """Return the kin that each name of a relationship is, as `Tom` a husband; "" where it does not say."""
    found: dict[str, str] = {}
    for one in facts:
        if category_of(one) == "relationships":
            kin = _KIN_WORD.search(one.value)
            for name in _NAME.findall(one.key):
                found[name.casefold()] = _KIN[kin[0].casefold()] if kin is not None else ""
    return found


def read_medicines(text: str, known: Mapping[str, str] = MappingProxyType({})) -> frozenset[str]:
    """Return the roots of the words of a text that may name a medicine."""
    plain = _OWNER.sub(" ", _KIN_WORD.sub(" ", even(text)))
    people = telling(" ".join(known))
    light = LENT | telling(" ".join(COUNTING)) | people
    return frozenset(
        one
        for one in telling(plain) - light
        if len(one) >= _LETTERS and one.isalpha() and _IDLE.search(one) is None
    )


def read_person(text: str) -> Person:
    """Return of whom a text tells, by its own words."""
    plain = even(text)
    kin = frozenset(_KIN[found[0].casefold()] for found in _KIN_WORD.finditer(plain))
    owners = frozenset(found[1].casefold() for found in _OWNER_OF_KIN.finditer(plain))
    told = [*_OWNER.findall(plain), *_SUBJECT.findall(plain)]
    names = frozenset(one.casefold() for one in told if not names_medicine(one)) - _NOBODY - owners - {*_KIN}
    return Person(kin or (frozenset(("self",)) if _SELF.search(plain) else frozenset()), names, owners)


def may_be_one(one: Person, other: Person, known: Mapping[str, str]) -> bool:
    """Return whether two texts may tell of one person; one that names nobody may be of anybody."""
    owners = one.owners | other.owners
    if one.kin and other.kin:
        return not one.kin.isdisjoint(other.kin)
    if one.kin or other.kin:
        kin, names = (one.kin, other.names) if one.kin else (other.kin, one.names)
        # `Helen's mother` is not Helen, nor is Tom, the husband
        return not names or any(name not in owners and known.get(name, "") in ("", *kin) for name in names)
    return not (one.names and other.names) or not one.names.isdisjoint(other.names)


def is_other_dose(now: str, was: str) -> bool:
    """Return whether a text gives an amount, or a time of day, that the older one does not have."""
    amounts, before = read_amounts(now), read_amounts(was)
    times, earlier = _times(now), _times(was)
    return bool(
        (amounts and before and not amounts <= before) or (times and earlier and not times <= earlier)
    )


def read_amounts(text: str) -> frozenset[str]:
    """Return the amounts of a text as they are counted, without those that it says are no longer so."""
    plain = _DENIED.sub(" ", even(text))
    found: set[str] = set()
    for amount in find_amounts(plain):
        values = [f"{value:g}" for one in numbers(amount, amount) for value in one.values]
        found.update(values or [" ".join(amount.casefold().split())])
    return frozenset(found)


def find_beside_dose(was: str, now: str) -> str:
    """Return the parts of an older value that say something beside the dose: `has asthma`."""
    new = telling(now)
    parts = (part.strip() for part in _PART.split(was))
    kept = [one for one in parts if not read_amounts(one) and not _times(one) and telling(one) - new]
    return ", ".join(kept)


_PART = late(r"[,;]\s+")


def keep_beside_dose(was: str, now: str, key: str = "") -> tuple[str, str]:
    """Return a new dose with what the older value says beside its own, and that by itself; "" for nothing.

    `5 mg` is still `every morning, for her heart`; another time of day replaces the older time alone. A value
    with several amounts, or with words that end something, is left as it is told.
    """
    old = {part.strip().casefold() for part in _PART.split(was)}
    told = ", ".join(part for part in _PART.split(now) if part.strip().casefold() not in old)
    before, after = _list_amounts(even(was)), _list_amounts(even(told))
    if len(before) != 1 or len(after) != 1 or _TURNS.search(even(told)):
        return now, ""
    timed = bool(_times(told)) or OFTEN.search(even(told)) is not None
    rest = telling(even(told).replace(after[0], " ")) - telling(key.replace("_", " ")) - _OF_TAKING
    parts = [_Part(one.strip(), before[0], key, timed=timed, told=now) for one in _PART.split(was)]
    kept = ", ".join(one.kept for one in parts if one.kept)
    if not kept:
        return now, ""
    if rest or timed:
        return f"{now}, {kept}", kept
    amount = told[even(told).index(after[0]) :][: len(after[0])]
    again = {part.strip().casefold() for part in _PART.split(now)}
    whole = [one for one in parts if one.kept or one.has_amount or one.text.casefold() in again]
    return ", ".join(one.with_amount(amount) for one in whole), kept


class _Part:
    """A part of an older dose, and what of it holds beside a new one."""

    def __init__(self, text: str, amount: str, key: str, *, timed: bool, told: str) -> None:
        self.text = text
        at = even(text).find(amount)
        self.has_amount = at >= 0
        self._before = text[: max(at, 0)]
        self._behind = text[at + len(amount) :] if at >= 0 else text
        behind = self._behind.strip()
        if timed and (_times(behind) or OFTEN.search(even(behind))):
            found = _PURPOSE.search(behind)
            behind = found[0].strip() if found is not None else ""
        passes = _PASSES.search(even(behind)) is not None
        again = any(one.search(behind) and one.search(told) for one in (_PURPOSE, _MANNER))
        fresh = telling(even(behind)) - telling(even(told)) - telling(key.replace("_", " "))
        self.kept = "" if passes or again or not fresh else behind

    def with_amount(self, amount: str) -> str:
        """Return the part with the new amount in place of its own."""
        if not self.has_amount:
            return self.kept or self.text
        return f"{self._before}{amount}{f' {self.kept}' if self.kept else ''}"


def _list_amounts(text: str) -> Sequence[str]:
    return list(dict.fromkeys(find_amounts(text)))


_OF_TAKING = telling("take takes took now dose of new a tablet pill")
"""Roots of words that a bare dose may have: `takes 5 mg now`."""
_TURNS = late(
    r"(?i)\b(?:no|not|never|none|without|stop\w*|no longer|instead|ended|over|off|gone|plus|also|only|and)\b"
    r"|n't\b"
)
"""Pattern of words in a new dose by which it is more, or less, than another amount."""
_PURPOSE = late(r"(?i)\b(?:for|against) (?:(?:my|her|his|their|our|the) )?[a-z-]{3,}[^,;]*$")
_MANNER = late(
    r"(?i)\b(?:with|without|on|before|after) (?:\w+ ){0,2}(?:food|stomach|meals?|water|milk|breakfast)\b"
)
"""Patterns of what a medicine is for, and of how it is taken."""
_PASSES = late(
    rf"(?i)\b(?:since|until|till|from|as of|was|were|used to|raised|lowered|reduced|increased|for now"
    rf"|first|next|this|last|new|now|yet|still|{'|'.join(MONTHS)}|\d{{4}})\b"
    r"|\bfor (?:an?|one|two|three|four|six|ten|\d+|some|the) (?:more )?(?:days?|weeks?|months?)\b"
)
"""Pattern of a part that is of the older dose alone: `since October`, `for two weeks`."""


def _times(text: str) -> frozenset[str]:
    plain = _DENIED.sub(" ", even(text))
    told = (found[1].casefold().rstrip("s") for found in _TIMES.finditer(plain))
    return frozenset(_SAME_TIME.get(one, one) for one in told)
