"""Values of facts that another replaced or that were let go, by the tokens in which a line would tell them.

A memory, a chapter or a turn of the tape goes on telling a value after it changed. Bundles mark such a line;
so a value is described by what tells it apart from the one that holds: its days, numbers and names in whose
place others stand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.holdings import OldValue
from reel_cli.features.facts.fact import RENAMED, UNTIL, Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import (
    OWN,
    category_of,
    confidence_of,
    current_facts,
    fact_id,
    fact_name,
    is_own,
    protects,
    same_value,
)
from reel_cli.features.facts.protection import is_ended
from reel_cli.features.facts.replaced.clashing_facts import list_clashing_values
from reel_cli.features.facts.replaced.line_tokens import tokens_in
from reel_cli.features.facts.replaced.own_days import (
    is_due,
    is_settled_in_chat,
    list_past_days,
    read_beginning,
    read_own_day,
)
from reel_cli.features.facts.statement import state_plainly

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

_DENIED = late(r"(?i)\b(?:no|not|never|none|nothing|nobody|without|cannot)\b|n['’]t\b")
_PEOPLE = "relationships"
_LASTING = ("identity", _PEOPLE)
"""Categories of somebody, who is not over when the day of a birthday came."""
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
    the old one; `newest` has either, `noted` the old value. `helpers` are people who have to
    do with the thing.
    """

    first: Fact
    noted: Fact
    value: str
    ends: Fact
    now: Fact | None
    last: str
    newest: Fact
    helpers: Sequence[str] = ()


def _find(facts: Sequence[Fact], user: str) -> Iterator[OldValue]:
    holds = {fact_name(one): one for one in current_facts(facts)}
    people = _list_helpers(holds.values())
    for name in dict.fromkeys(map(fact_name, facts)):
        course = [one for one in facts if fact_name(one) == name]
        now, seen = holds.get(name) or _renamed(course[-1], holds), list[str]()
        for place, value in _values(course):
            if any(same_value(value, one) for one in (*seen, *([now.value] if now else ()))):
                continue
            seen.append(value)
            last = "" if now or same_value(value, course[-1].value) else course[-1].value
            later = (one for one in course[place:] if one.dropped or not same_value(one.value, value))
            newest = now or next((one for one in reversed(course) if not one.dropped), course[-1])
            if (ends := next(later, None)) is not None:
                thing = [token for token in tokens_in(course[0].key) if token[1:2] != ":"]
                helpers = [
                    name
                    for begins, mine in people
                    if thing and begins[: len(thing)] == thing
                    for name in mine
                ]
                change = FactChange(course[0], course[place], value, ends, now, last, newest, helpers)
                told = None if _goes_on(change, holds.values()) else _describe(change, user)
                yield from () if told is None else (told,)


def _goes_on(change: FactChange, holds: Iterable[Fact]) -> bool:
    """Return whether a fact that nothing replaced is of what is there still: somebody, or what began then."""
    first, now, last = change.first, change.now, change.last
    if now is not None or last or is_own(first):
        return False
    if category_of(first) in _LASTING or _TITLED.fullmatch(first.key.replace("_", " ")):
        return True
    same = [one for one in holds if fact_name(one)[1] == fact_name(first)[1]]
    return any(category_of(one) in _LASTING or read_beginning(one) is not None for one in same)


_TITLED = late(r"(?i)(?:mr|mrs|ms|miss|dr|doctor|prof|nurse|father|sister|brother)\.?(?: [\w.'’-]+){1,2}")


def _list_helpers(holds: Iterable[Fact]) -> Sequence[tuple[Sequence[str], Sequence[str]]]:
    """Return what the facts of people begin with (`the roof`), and their names that nobody else has."""
    people = [one for one in holds if category_of(one) == _PEOPLE]
    names = [[token[2:] for token in tokens_in(one.key) if token.startswith("N:")] for one in people]
    counts = Counter(name for mine in names for name in mine)
    return [
        ([*islice(tokens_in(one.value), _MOST_NAMED)], [name for name in mine if counts[name] == 1])
        for one, mine in zip(people, names, strict=True)
    ]


_MOST_NAMED = 3
"""Words with which the fact of somebody may name the thing that they have to do with."""


def _renamed(last: Fact, holds: Mapping[tuple[str, str], Fact]) -> Fact | None:
    """Return the fact that goes on under the right name where the last one of a course was put right."""
    if not last.dropped.startswith(RENAMED):
        return None
    return holds.get(fact_name(replace(last, key=last.dropped.removeprefix(RENAMED))))


def _values(course: Sequence[Fact]) -> Iterator[tuple[int, str]]:
    """Yield the values of one fact, each with the place from which on another may stand."""
    for place, one in enumerate(course):
        if one.replaces:
            yield place, one.replaces
        yield place, one.value


def _describe(change: FactChange, user: str) -> OldValue | None:
    """Return the description of an old value; None where nothing tells it apart from what holds."""
    first, noted, value, ends, now, last, newest, helpers = change
    key = first.key.replace("_", " ")
    was, named = [*tokens_in(value)], [*tokens_in(key)]
    # what held until the newer value began is old by then
    holds = [*tokens_in(last if now is None else now.value.partition(f"; {UNTIL}")[0])]
    changed = read_day(ends.when) if ends.dropped else read_day(ends.source) or read_day(ends.when)
    appointed = read_own_day(noted, value)
    # what was for a day that came was not changed: only lists of what is open still tell it
    happened = (
        appointed is not None
        and changed is not None
        and appointed <= changed
        and category_of(first) not in _LASTING
        and (category_of(first) != "constraints" or _IS_OF_A_DAY.search(f"{key}: {value}") is not None)
        and not is_due(noted, value)
    )
    past = list_past_days(noted, was)
    if appointed is not None and f"o:{appointed.day}" in was and f"d:{appointed:%m-%d}" not in was:
        was.append(f"d:{appointed:%m-%d}")
    coming = read_own_day(newest, newest.value) or read_beginning(newest)
    if coming is not None and f"o:{coming.day}" in holds:
        holds.append(f"d:{coming:%m-%d}")
    new = [*dict.fromkeys(one for one in holds if one not in was)]
    slots = [one for one in dict.fromkeys(was) if one not in holds and _is_slot(one)]
    over = now is None and not last
    # the same name in other letters, and a place that the old value names as well, change nothing
    slots = [one for one in slots if not any(_is_respelled(one, other) for other in new)]
    instead = [one for one in new if one[0] not in "Np" or one[2:] not in was]
    if over or happened:
        slots = [one for one in slots if one[0] not in "Np"]
    else:
        alike = _share(was, holds) >= _ALIKE
        if any(one.startswith("N:") and one in holds and one[2:] not in _TITLES for one in was):
            # of the same person or thing, whose other names are names of it still
            places = {token for found in _PLACE.finditer(value) for token in tokens_in(found[0])}
            slots = [one for one in slots if one[0] != "N" or one in places]
        slots = [one for one in slots if _is_replaced(one, instead, alike=alike) and not _is_older(one, new)]
        # what was done on a day was done on it, whatever came later
        slots = [one for one in slots if happened or one not in past]
    # the one who talks is named beside every line
    speaker = {f"N:{word.casefold()}" for word in user.split()}
    slots = [one for one in slots if one not in speaker and not _is_of_another_day(one, was, slots)]
    given = {one[2:] for one in slots if one[0] in "Np"} | _IDLE
    keyed, names = (
        [*dict.fromkeys(one for one in tokens if one[1:2] != ":" and one not in given)]
        for tokens in (named, [*was, *helpers])
    )
    told, beside = _named_alone(first, value, now)
    rest = [
        one
        for part in (_CLAUSE.split(now.value)[1:] if now is not None else ())
        for one in tokens_in(part)
        if one[1:2] != ":" and one not in was and one not in named
    ]
    if not slots and not told:
        return None
    # by its name alone a line tells that a thing is, until it is no more
    ended = None if ends.dropped else read_beginning(newest if told else ends)
    if ended is None and is_settled_in_chat(first, ends):
        ended = changed
    if happened:
        # another value in its place may be another day for it
        day, ended = appointed, appointed if over else None
    else:
        day = changed
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
        over or happened,
        ended.isoformat() if ended else "",
        first.when[:10] if beside == "no" else "",
        _promised(first, value) if beside == "owe" else (),
        [*dict.fromkeys(rest)] if told else (),
        held=not over,
        part="" if now is None or beside == "owe" else _tell_part(now.value, new),
        was=_short(state_plainly(noted, user) if same_value(noted.value, value) else value),
    )


_PLACE = late(r"\b(?i:in|at|to|from|near|with|over|on)\s+(?:the\s+)?[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*")
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "prof", "st", "sir", "father", "sist", "broth"))
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
    # `migraine; amitriptyline stopped` ends no migraine
    over = now is None or (is_ended(_CLAUSE.split(now.value)[0]) and not is_ended(value))
    appointed = now is None and any(
        one[:2] in ("d:", "o:", "w:") for one in tokens_in(f"{first.key} . {value}")
    )
    if over and protects(first) and not appointed:
        if now is not None and _ALLERGIC.search(f"{value} {now.value}"):
            return _all_of(first.key), "allergic"
        return _all_of(first.key), "no" if _DENIED.search(first.key) else ""
    kind = category_of(first)
    owed = kind in (OWN, "commitments") and _OWED.search(f"{first.key} {value}")
    if (owed or (kind == OWN and now is None)) and (now is None or not _OWED.search(now.value)):
        return _all_of(_OWED.sub(" ", first.key)), "owe"
    return (), ""


_IS_OF_A_DAY = late(
    r"(?i)\b(?:until|till?|up to)\s+(?:the\s+)?(?:\w+day,?\s+)?(?:the\s+)?\d"
    r"|^[^:]*\b\d{1,2}(?:st|nd|rd|th)\b[^:]*:|: (?:\w+day,? )?(?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z]"
)
"""Pattern of a limit that ends by its own words, and of an appointment about a medicine."""
_CLAUSE = late(r"[;,]\s|\.(?:\s|$)")
_ALLERGIC = late(r"(?i)\b(?:allerg|intoleran)\w*")


def _promised(first: Fact, value: str) -> Sequence[str]:
    """Return the roots of a promise's words, two of which tell it where something is owed."""
    if not _OWED.search(f"{first.key} {value}"):
        return ()
    told = _OWED.sub(" ", f"{first.key.replace('_', ' ')} . {value}")
    return [*dict.fromkeys(one for one in tokens_in(told) if one[1:2] != ":" and one not in _PLEDGED)]


_PLEDGED = frozenset(
    ("shall", "ask", "do", "give", "get", "come", "say", "tell", "new", "good", "next", "time")
)
"""Roots of words that many promises have."""
_OWED = late(r"(?i)\b(?:promis\w*|ow(?:e|ed|es|ing)|(?:i|he|she|they)['’]ll|will|next time|my word)\b")


def _all_of(key: str) -> Sequence[str]:
    """Return the roots of a name's words, without the names of people, as long as there are others."""
    tokens = [*tokens_in(key)]
    proper = {one[2:] for one in tokens if one.startswith("N:")}
    roots = [one for one in tokens if one[1:2] != ":"]
    return [one for one in roots if one not in proper] or roots


def _is_respelled(token: str, other: str) -> bool:
    """Return whether two tokens are one name in other letters: `Callum` and `Calum`."""
    return (
        token.startswith("N:")
        and other.startswith("N:")
        and SequenceMatcher(None, token[2:], other[2:]).ratio() >= _RESPELLED
    )


_RESPELLED = 0.8
"""Share of the letters of two names from which on they are the same one."""


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


def _tell_part(value: str, new: Sequence[str]) -> str:
    """Return the parts of what holds that give another number; "" if they are long."""
    mine = {one for one in new if one.startswith("n:") and "/" in one}
    return _short("; ".join(one for one in _CLAUSE.split(value) if mine.intersection(tokens_in(one))))


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else ""
