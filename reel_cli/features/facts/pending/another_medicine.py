"""Values that tell of a medicine besides the one that is their name, and its own name and value.

`Dr. Brandt stopped the metoprolol and gave her ramipril, 2.5 mg` says of `Ilse's metoprolol` that it is over;
the dose is one of `Ilse's ramipril`.
"""

from dataclasses import replace

from reel_cli.core.evidence.grounding.lexicon import even, stem
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.medicine import find_medicines
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import PERSON

_CLAUSE = late(r"(?i)[,;]\s+(?:(?:and|but|so|then)\s+)?|\s+(?:and|but|so|then)\s+")
_BETWEEN = late(r"(?i)^[\s,:=-]*(?:(?:is|now|at|instead|dose|of|with)\b[\s,:]*)*")
_NAMED = late(r"(?P<name>[^:]{2,60}):\s+(?P<value>\S.*)")


def is_another(one: Fact, other: Fact) -> bool:
    """Return whether two facts have the names of two medicines."""
    mine, theirs = read_names(one.key), read_names(other.key)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def read_names(text: str) -> frozenset[str]:
    """Return the roots of the medicines that a text names."""
    return frozenset(map(_root, find_medicines(even(text.replace("_", " ")))))


def _root(name: str) -> str:
    return stem(name.casefold())


def part_medicines(fact: Fact) -> tuple[Fact, Fact | None]:
    """Return a fact without the clauses of another medicine, and the fact that these clauses tell.

    The second is None where each clause is of the fact's own medicine, or none is of it alone. It waits for a
    person, as the words may be of somebody else.
    """
    own = read_names(fact.key)
    value = even(fact.value)
    others = [one for one in find_medicines(value) if _root(one) not in own]
    if not own or not others:
        return fact, None
    mine: list[str] = []
    theirs: list[str] = []
    last = mine
    for part in _CLAUSE.split(value):
        if names := read_names(part):
            last = mine if names & own else theirs
        last.append(part)
    while len(mine) > 1 and not read_names(mine[0]) and any(map(read_names, mine)):
        # what is told before the medicine is of something else
        del mine[0]
    name = next((one for one in others if one in ", ".join(theirs)), "")
    if not mine or not name:
        return fact, None
    dose = value_behind(", ".join(theirs), name)
    key = name_beside(fact, name)
    if not dose:
        return fact, None
    return replace(fact, value=", ".join(mine)), replace(
        fact, key=key, value=dose, replaces="", origin=PERSON, statement=""
    )


def value_behind(text: str, name: str) -> str:
    """Return what a text says behind the name of a medicine: its dose."""
    return _BETWEEN.sub("", text[text.index(name) + len(name) :]).strip(" .")


def name_beside(fact: Fact, name: str) -> str:
    """Return the name of a fact with another medicine in it: `Ilse's ramipril` beside `Ilse's metoprolol`."""
    key = even(fact.key.replace("_", " "))
    return key.replace(find_medicines(key)[0], name)


def name_apart(fact: Fact) -> Fact | None:
    """Return a value of another medicine under the name of that one; None where it is of its own.

    `Ilse's metoprolol: Ilse's ramipril: 5 mg` has a name in its value.
    """
    own, told = read_names(fact.key), read_names(fact.value)
    if not own or not told - own:
        return None
    named = _NAMED.match(even(fact.value))
    if named is not None and read_names(named["name"]) - own:
        return replace(fact, key=named["name"], value=_without_medicines(named["value"], own))
    if told & own:
        return part_medicines(fact)[1]
    name = next(one for one in find_medicines(even(fact.value)) if _root(one) not in own)
    return replace(fact, key=name_beside(fact, name))


def _without_medicines(value: str, own: frozenset[str]) -> str:
    """Return a value without its clauses of the medicines given; all of it where no clause is left."""
    kept: list[str] = []
    mine = True
    for part in _CLAUSE.split(value):
        if names := read_names(part):
            mine = not names & own
        if mine:
            kept.append(part)
    return ", ".join(kept) or value
