"""Relation of a new value to the one that held: an update, a contradiction, or another thing."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, telling
from reel_cli.core.evidence.own_words import is_named, sentences_around
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.details.part_kinds import has_run_out, is_measure, is_rule
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.told_value import ToldValue
from reel_cli.features.facts.evidence.values import Relation, compare_values, is_correction, tell_apart
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import OWN, category_of, fact_name, protects, read_category, same_value
from reel_cli.features.facts.protection import tells_no_more
from reel_cli.features.facts.reply import LONGEST_KEY, ToldFact

_HAPPENED = "history"
_PEOPLE = "relationships"
_GOES_ON = frozenset(("context", "commitments", "preferences"))
"""Kinds of what is under way."""
_DAY = 10
_LASTS = late(
    r"(?i)\b(?:born|birth\w*|ages?|aged|old|grew up|childhood|always|never|marri\w+|wedding|anniversar\w+"
    r"|died|death|sisters?|brothers?|sons?|daughters?|child|children|kids?)\b"
)
"""Words of what does not change, or is not told of as changed without saying so."""
_WHO_IT_IS = late(r"(?:(?:my|our|his|her|their|the|an?)|[A-Z][\w'’-]*['’]s)(?:\s+[\w'’-]+){1,4}")
"""Pattern of a value that says who somebody is: `my sister Ingrid`, `Vera's dog`."""
_ENDS = late(
    r"(?i)\b(?:die[ds]?|dead|death|left|gone|lost|sold|gave|moved|no longer|any ?more|quit|stopped|divorc\w+"
    r"|broke up|split|separat\w+|married|engaged|adopt\w+|became|turned out|for good|mine|ours|yours)\b"
)
"""Words by which an event may change who somebody is."""


def relate(stood: Fact, fact: Fact, value: str, borne: FactSupport) -> Relation:
    """Return what a new fact is to the one that stood; `borne` has the words that it rests on.

    It says LESS where it was cut from `value`, and neither has a word of that one. A change of what protects,
    of a price, or of a shift is always one. Another number or day of a later chat is an update, unless it
    is of something that does not change in a life.
    """
    about = telling(stood.value) | telling(stood.key)
    whole = f"{fact.value} {value if borne.left_out else ''}"
    if _corrects(borne):
        return Relation.UPDATE
    if fact.value != value and telling(whole).isdisjoint(about):
        # what came of a day that has passed is news of it
        return Relation.UPDATE if _is_outcome(stood, fact) else Relation.LESS
    if protects(stood) and tells_no_more(fact, stood):
        return Relation.LESS
    if "constraints" in (category_of(stood), category_of(fact)) or protects(stood) or protects(fact):
        return Relation.UPDATE
    around = sentences_around(borne.words, borne.source) if borne.source is not None else ()
    said = " ".join(around) or borne.words
    told = _told(fact)
    later = bool(stood.when) and fact.when[:_DAY] > stood.when[:_DAY]
    changes = later and not _LASTS.search(f"{fact.key.replace('_', ' ')} {fact.value}")
    found = compare_values(_told(stood), replace(told, said=said, goes_on=told.goes_on or changes))
    return Relation.UPDATE if found is Relation.LESS and _is_outcome(stood, fact) else found


def _is_outcome(stood: Fact, fact: Fact) -> bool:
    """Return whether the day of the value that stood has passed, and the new one tells something else."""
    fresh = telling(even(fact.value)) - telling(even(f"{stood.key} {stood.value}"))
    noted, today = read_day(stood.when), read_day(fact.when)
    return bool(fresh) and any(has_run_out(one, noted, today) for one in (stood.value, stood.statement))


def relate_measure(stood: Fact, fact: Fact) -> Fact | None:
    """Return which of two values is a measure of a day, where the other is a rule; None for neither.

    `2.6 on the 3rd of November` is no change of `once a month, between 2 and 3`.
    """
    if protects(stood) or protects(fact):
        return None
    for one, other in ((fact, stood), (stood, fact)):
        if is_measure(one.value, read_day(one.when)) and is_rule(other.value):
            return one
    return None


def measure_name(measure: Fact) -> tuple[str, str]:
    """Return the kind and name of a measure: what happened, with its day."""
    return _HAPPENED, key_apart(measure, measure.when[:_DAY])


def _corrects(borne: FactSupport) -> bool:
    """Return whether the words that a fact rests on, or the sentence before them, take back what was said."""
    for said in borne.source.said if borne.source is not None else ():
        text = even(said.turn.text)
        told = [text[start:end] for start, end in sentences(text)]
        for at, one in enumerate(told):
            part = quote_key(one).strip()
            words = quote_key(even(borne.words)).strip()
            if (
                part
                and (part in words or words in part)
                and is_correction(" ".join(told[max(0, at - 1) : at + 1]))
            ):
                return True
    return False


def is_same_change(one: Fact, other: Fact) -> bool:
    """Return whether two changes are one, told under two keys."""
    values = one.value.casefold(), other.value.casefold()
    return fact_name(one) == fact_name(other) and (values[0] in values[1] or values[1] in values[0])


def is_known(fact: Fact, stood: Fact | None, noted: Sequence[Fact]) -> bool:
    """Return whether the fact already holds on the same or better evidence, or is noted as a past value."""
    if stood is not None and same_value(stood.value, fact.value):
        return stood.origin != "dream"
    return any(
        fact_name(one) == fact_name(fact) and same_value(one.value, fact.value) and one.source == fact.source
        for one in noted
        if not one.dropped
    )


def is_event_of(stood: Fact, fact: Fact) -> bool:
    """Return whether a new fact only tells of an event, and the standing one says who somebody is.

    `Paul came for Miso` does not change whose dog Miso is.
    """
    if category_of(stood) != _PEOPLE or not _WHO_IT_IS.fullmatch(stood.value.strip().rstrip(".")):
        return False
    apart = telling(fact.value).isdisjoint(telling(stood.value) - telling(stood.key))
    return apart and tells_past(even(fact.value)) and not _ENDS.search(fact.value)


def relate_told(listed: Sequence[ToldFact]) -> Sequence[ToldFact]:
    """Return what one reply tells, with a name for each where several things were given the same."""
    groups: dict[tuple[str, str], list[ToldFact]] = {}
    for one in listed:
        groups.setdefault(fact_name(_fact(one)), []).append(one)
    found: list[ToldFact] = []
    for one in listed:
        group = groups[fact_name(_fact(one))]
        pairs = list(combinations([_told(_fact(other)) for other in group], 2))
        several = pairs and all(compare_values(*pair) is Relation.BOTH for pair in pairs)
        found.append(replace(one, key=key_apart(_fact(one))) if several else one)
    return found


def with_namesakes(listed: Sequence[ToldFact]) -> Sequence[tuple[ToldFact, Sequence[ToldFact]]]:
    """Return each fact with what else is told under its kind and name; two things get a name each."""
    named: dict[tuple[str, str], list[ToldFact]] = {}
    for one in relate_told(listed):
        named.setdefault(fact_name(_fact(one)), []).append(one)
    return [(one, group) for group in named.values() for one in group]


_GENERIC = late(
    r"(?i)(?:(?:my|our|the|a|another) )?(?:promise|vow|secret|plan|health|condition|illness|allerg(?:y|ie)"
    r"|medicine|medication|wish|request|rule|boundar(?:y|ie)|fear|hobb(?:y|ie)|decision)(?:e?s)?"
)
"""Pattern of a name that many things have: a promise is not the promise that was made before it."""
_IN_NAME = 3
"""Words of a value that tell it from others of a generic name."""


def name_generic(
    listed: Sequence[ToldFact], standing: Iterable[Fact], people: frozenset[str]
) -> Sequence[ToldFact]:
    """Return what one reply tells; a generic name (`promise`) that another thing has gets words of its own.

    A value that has a word of one that stands under such a name is that one's. `people` are the roots of the
    names of those who talk.
    """
    held = [(one.category, one.key, _matter(one, people)) for one in map(_as_told, standing)]
    found: list[ToldFact] = []
    for one in listed:
        mine = _matter(one, people)
        if one.is_over or not mine or not _GENERIC.fullmatch(one.key.replace("_", " ").strip()):
            found.append(one)
            continue
        kind = read_category(one.category)
        near = [
            (len(mine & matter), key)
            for category, key, matter in held
            if read_category(category) == kind and key.casefold().startswith(one.key.casefold())
        ]
        common, key = max(near, default=(0, ""))
        if not common and any(other.casefold() == one.key.casefold() for _, other in near):
            key = f"{one.key}: {' '.join(one.value.split()[:_IN_NAME]).strip(' ,;.')}"[:LONGEST_KEY]
        elif not common:
            key = one.key
        found.append(replace(one, key=key))
        held.append((one.category, key, mine))
    return found


def _matter(one: ToldFact, people: frozenset[str]) -> frozenset[str]:
    return telling(f"{one.value} {one.statement}") - people


def key_apart(fact: Fact, otherwise: str = "") -> str:
    """Return a key by which a fact is told from others under its key; its own key where nothing does."""
    found = tell_apart(fact.value, read_day(fact.when)) or otherwise
    day = read_day(found)
    apart = day_in_words(day) if day is not None else found
    key = f"{fact.key} {apart}"
    if not apart or apart.casefold() in fact.key.casefold() or len(key) > LONGEST_KEY:
        return fact.key
    return key


def of_another(one: ToldFact, speaker: str) -> ToldFact:
    """Return a fact of somebody else in a chat of several under their name, never as the persona's."""
    name = one.key if is_named(one.key, speaker) else f"{speaker}: {one.key}"
    of_a_person = read_category(one.category) in (OWN, "identity")
    return replace(one, key=name, category="relationships" if of_a_person else one.category)


def two_values(one: ToldFact, others: Sequence[ToldFact]) -> str:
    """Return why a fact cannot be kept if others of one reply give another value; "" if none does."""
    other = next((told for told in others if not same_value(told.value, one.value)), None)
    return (
        f"two values at once, “{one_line(one.value, 40)}” and “{one_line(other.value, 40)}”" if other else ""
    )


def _told(fact: Fact) -> ToldValue:
    kind = category_of(fact)
    day = read_day(fact.when)
    return ToldValue(fact.key, fact.value, day=day, past=kind == _HAPPENED, goes_on=kind in _GOES_ON)


def _as_told(fact: Fact) -> ToldFact:
    return ToldFact(fact.category, fact.key, fact.value, statement=fact.statement)


def _fact(one: ToldFact) -> Fact:
    return Fact(one.category, one.key, one.value)
