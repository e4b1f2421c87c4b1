"""Values of facts that another replaced or that were let go, by the tokens in which a line would tell them.

A memory, a chapter or a turn of the tape goes on telling a value after it changed. Bundles mark such a line;
so a value is described by what tells it apart from the one that holds: its days, numbers and names in whose
place others stand.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.holdings import OldValue
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import (
    OWN,
    category_of,
    confidence_of,
    current_facts,
    fact_id,
    fact_name,
    protects,
    same_value,
)
from reel_cli.features.facts.protection import is_ended
from reel_cli.features.facts.replaced.clashing_facts import list_clashing_values
from reel_cli.features.facts.replaced.line_tokens import tokens_in
from reel_cli.features.facts.statement import state_plainly

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

_DENIED = late(r"(?i)\b(?:no|not|never|none|nothing|nobody|without|cannot)\b|n['’]t\b")
_IDLE = frozenset(("half", "week", "month", "year", "day", "dai", "hour", "end", "due", "put", "time", "new"))
"""Roots of words that say nothing about which thing a value is of."""
_LONGEST = 110
"""Number of characters of what holds that a mark tells."""
_AGES = range(1, 120)


def list_old_values(snapshot: "Snapshot") -> Sequence[OldValue]:
    """Return the values that were noted and hold no longer, in the order they were noted.

    None where the facts cannot be read, which status tells.
    """
    try:
        facts = read_facts(snapshot)
    except ReelError:
        return ()
    sure, user = snapshot.settings.facts_sure, snapshot.settings.user
    facts = [one for one in facts if one.dropped or confidence_of(one) >= sure]
    return [*_find(facts, user), *list_clashing_values(facts, user)]


class FactChange(NamedTuple):
    """A change of a fact: the fact as it was noted first, its old value, and what ended that.

    `now` is the fact that holds, None where it was let go; then `last` is its newest value, "" if that is
    the old one.
    """

    first: Fact
    value: str
    ends: Fact
    now: Fact | None
    last: str


def _find(facts: Sequence[Fact], user: str) -> Iterator[OldValue]:
    holds = {fact_name(one): one for one in current_facts(facts)}
    for name in dict.fromkeys(map(fact_name, facts)):
        course = [one for one in facts if fact_name(one) == name]
        now, seen = holds.get(name), list[str]()
        for place, value in _values(course):
            if any(same_value(value, one) for one in (*seen, *([now.value] if now else ()))):
                continue
            seen.append(value)
            last = "" if now or same_value(value, course[-1].value) else course[-1].value
            later = (one for one in course[place:] if one.dropped or not same_value(one.value, value))
            if (ends := next(later, None)) is not None:
                told = _describe(FactChange(course[0], value, ends, now, last), user)
                yield from () if told is None else (told,)


def _values(course: Sequence[Fact]) -> Iterator[tuple[int, str]]:
    """Yield the values of one fact, each with the place from which on another may stand."""
    for place, one in enumerate(course):
        if one.replaces:
            yield place, one.replaces
        yield place, one.value


def _describe(change: FactChange, user: str) -> OldValue | None:
    """Return the description of an old value; None where nothing tells it apart from what holds."""
    first, value, ends, now, last = change
    key = first.key.replace("_", " ")
    was, named = [*tokens_in(value)], [*tokens_in(key)]
    holds = [*tokens_in(last if now is None else now.value)]
    new = [*dict.fromkeys(one for one in holds if one not in was)]
    slots = [one for one in dict.fromkeys(was) if one not in holds and _is_slot(one)]
    over = now is None and not last
    if over:
        slots = [one for one in slots if one[0] not in "Np"]
    else:
        alike = _share(was, holds) >= _ALIKE
        slots = [one for one in slots if _is_replaced(one, new, alike=alike) and not _is_older(one, new)]
    slots = [one for one in slots if not _is_of_another_day(one, was, slots)]
    given = {one[2:] for one in slots if one[0] in "Np"} | _IDLE
    keyed, names = (
        [*dict.fromkeys(one for one in tokens if one[1:2] != ":" and one not in given)]
        for tokens in (named, was)
    )
    told, beside = _named_alone(first, value, now)
    if not slots and not told:
        return None
    day = read_day(ends.when) if ends.dropped else read_day(ends.source) or read_day(ends.when)
    return OldValue(
        fact_id(first),
        key,
        day.isoformat() if day else "",
        "" if now is None else _short(state_plainly(now, user)) or _short(now.value),
        slots,
        keyed,
        names,
        [one for one in new if _is_slot(one)],
        told,
        beside,
        over,
    )


_ALIKE = 0.3
"""Share of the words of two values from which on a name or a place in one stands for that in the other."""


def _share(was: Sequence[str], holds: Sequence[str]) -> float:
    one, other = ({token for token in tokens if token[1:2] != ":"} for tokens in (was, holds))
    return len(one & other) / max(min(len(one), len(other)), 1)


def _named_alone(first: Fact, value: str, now: Fact | None) -> tuple[Sequence[str], str]:
    """Return the words by which a line tells an old value that has no day, number or name: all of its name.

    A limit or a matter of health that is over counts wherever it is named, and a limit where it is denied as
    well; a promise that was kept or let go where something is owed.
    """
    over = now is None or (is_ended(now.value) and not is_ended(value))
    appointed = now is None and any(
        one[:2] in ("d:", "o:", "w:") for one in tokens_in(f"{first.key} . {value}")
    )
    if over and protects(first) and not appointed:
        return _all_of(first.key), "no" if _DENIED.search(first.key) else ""
    owed = category_of(first) in (OWN, "commitments") and _OWED.search(f"{first.key} {value}")
    if owed and (now is None or not _OWED.search(now.value)):
        return _all_of(_OWED.sub(" ", first.key)), "owe"
    return (), ""


_OWED = late(r"(?i)\b(?:promis\w*|ow(?:e|ed|es|ing)|(?:i|he|she|they)['’]ll|will|next time|my word)\b")


def _all_of(key: str) -> Sequence[str]:
    """Return the roots of a name's words, without the names of people, as long as there are others."""
    tokens = [*tokens_in(key)]
    proper = {one[2:] for one in tokens if one.startswith("N:")}
    roots = [one for one in tokens if one[1:2] != ":"]
    return [one for one in roots if one not in proper] or roots


def _is_slot(token: str) -> bool:
    """Return whether a token gives a day, a time, a number, a name or a place."""
    return token[1:2] == ":" and (not token.startswith("n:") or "/" in token)


def _is_replaced(token: str, new: Sequence[str], *, alike: bool) -> bool:
    """Return whether another token of the same kind stands in what holds."""
    kind = token[0]
    if kind == "n":
        unit = token.partition("/")[2]
        units = {one.partition("/")[2] for one in new if one.startswith("n:") and "/" in one}
        return bool(units) and (not unit or unit in units or "" in units)
    if kind in "Np" and not alike:
        return False
    return any(one.startswith(f"{kind}:") or (kind == "o" and one.startswith("d:")) for one in new)


def _is_of_another_day(token: str, was: Sequence[str], slots: Sequence[str]) -> bool:
    """Return whether a month or a day of the month is that of a whole day which stands."""
    days = [one for one in was if one.startswith("d:")]
    mine = [one for one in days if f"m:{one[2:4]}" == token or f"o:{int(one[5:])}" == token]
    return bool(mine) and not any(one in slots for one in mine)


def _is_older(token: str, holds: Sequence[str]) -> bool:
    """Return whether a token is an age, and what holds is a year more."""
    if not token.startswith("n:"):
        return False
    number, _, unit = token[2:].partition("/")
    return number.isdigit() and int(number) in _AGES and f"n:{int(number) + 1}/{unit}" in holds


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else ""
