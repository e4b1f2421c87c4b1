"""Choice of the facts that take the room of a bundle (SRIP-11 §III.5).

What protects somebody comes first, then a person's own word, then what was said, then a dream's conclusions.
Within each, who somebody is and whom they have comes first, and then what has most names, days and numbers
for its length: those are asked for most, and short facts leave room for others. Of 199 and 178 questions
about two lived talks, the facts of an 8K bundle have the words of 24 and 37 answers in that order; of 19 and
32 with what other facts come back to first.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from reel_cli.core.evidence.days.passed_days import has_passed, last_day_of
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.pack import words
from reel_cli.core.pack.some_holdings import GATED
from reel_cli.core.pack.unit import STANDING
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import (
    CATEGORIES,
    DREAM,
    EXTRACTION,
    HISTORY,
    OWN,
    OWN_HEADING,
    PERSON,
    category_of,
    confidence_of,
    current_facts,
    fact_name,
    is_nameless,
    is_never_lost,
    is_own,
    must_be_there,
    protects,
)
from reel_cli.features.facts.replaced.own_days import read_numbered_day, tells_outcome

if TYPE_CHECKING:
    from reel_cli.core.pack.render import FactMarks, Writer
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.holdings import FactRow

T = TypeVar("T")

_BETWEEN_OWN = 3
"""Number of facts about others between two of the persona's own."""
_FIRMEST = ("identity", "constraints", "relationships", "commitments", "context", "preferences", "history")
"""Categories in the order in which facts of equal confidence keep their places."""
_DETAIL = late(r"(?<=\w )[^\W\d_a-z][\w'-]+|\b\d+\b")
"""Pattern of a name within a sentence, or of a number."""
_PLAIN, _FRAME, _SCALE, _MANY = 4, 40, 10_000, 4
"""Details that a fact without any counts for, letters that each takes beside its own, the unit, and the
share of the facts, one in so many, that a common detail is in."""
_LASTING = ("identity", "relationships")
"""Categories that hold longest: who somebody is, and whom they have."""
GUARDS, BY_WORD, LASTING = "that protect somebody", "noted by you", "of who somebody is and whom they have"
RICH, DREAMT = "that say most for their length", "from dreams"
"""Reasons for which facts are chosen, as a bundle's account tells them."""
Weight = tuple[int, int, int, int, int, int, int, int, int, int]
CURRENT = ("context", "commitments")
"""Categories of facts about the present, which change most."""
SETTLED_SHARE = 75
"""Percent of the share that facts have, at most, which were known before the last evenings."""


class RestingFact(NamedTuple):
    """A fact that holds and goes into no bundle for now, and why."""

    fact: Fact
    why: str


class FactChoice(NamedTuple):
    """The facts that hold: those for every bundle, in their order there, and those that rest."""

    held: Sequence[Fact]
    resting: Sequence[RestingFact]


def reason_of(fact: Fact) -> str:
    """Return why a fact is chosen before others."""
    if protects(fact):
        return GUARDS
    said = LASTING if category_of(fact) in _LASTING else RICH
    return {PERSON: BY_WORD, DREAM: DREAMT}.get(fact.origin, said)


def weigh_facts(facts: Sequence[Fact]) -> Mapping[tuple[str, str], Weight]:
    """Return a sort key for each fact by its name, smaller for what takes room first.

    A name or number that stands in many of them, as those of the two who talk, tells them apart no more.
    """
    details = {fact_name(one): {*_DETAIL.findall(_told(one))} for one in facts}
    counts = Counter(detail for mine in details.values() for detail in mine)
    common = {detail for detail, count in counts.items() if count > max(_MANY, len(facts) // _MANY)}
    return {
        fact_name(one): (
            0 if protects(one) else 1,
            0 if is_lasting(one) else 1,
            (PERSON, EXTRACTION, DREAM).index(one.origin) if one.origin in (PERSON, DREAM) else 1,
            0 if _is_who_it_is(one) else 1,
            0 if category_of(one) in _LASTING else 1,
            0 if _NEAR.search(f"{one.key.replace('_', ' ')} {one.value}") else 1,
            -_SCALE * (_PLAIN + len(details[fact_name(one)] - common)) // (_FRAME + len(_told(one))),
            -confidence_of(one),
            _FIRMEST.index(kind) if (kind := category_of(one)) in _FIRMEST else len(_FIRMEST),
            -_day(one.when),
        )
        for one in facts
    }


def is_lasting(fact: Fact) -> bool:
    """Return whether a fact is of somebody, or promised: what else there is may be looked up."""
    if is_own(fact):
        return is_never_lost(OWN, fact.key, fact.value)
    if category_of(fact) == "context":
        return _is_who_it_is(fact)
    return category_of(fact) in (*_LASTING, "commitments") and not _LEFT.match(fact.value)


def _is_who_it_is(fact: Fact) -> bool:
    """Return whether a fact is of who the user is: a name, the work, the home; not of somebody else."""
    return (
        category_of(fact) in ("identity", "context")
        and _WHO.fullmatch(fact.key.replace("_", " ")) is not None
    )


_WHO = late(
    r"(?i)(?:(?:full |first |last |real |user )?names?|surname|ages?|birthday|pronouns?|lives|living|address"
    r"|residence|where \w+ lives|(?:the )?(?:job|work|profession|occupation|trade|home))"
)
"""Pattern of the names of facts that say who somebody is."""

_LEFT = late(r"(?i)(?:left|gone|leaving|moved away)\b")
"""Pattern of what is said of somebody who is there no more."""
_NEAR = late(
    r"(?i)\b(?:mothers?|fathers?|mum|mam|mom|dad|parents?|sons?|daughters?|child(?:ren)?|sisters?|brothers?|wife"
    r"|husband|partner|girlfriend|boyfriend|twins?|died|dead|death|funeral)\b"
)
"""Pattern of those who are nearest, and of those who died."""


def last_day(fact: Fact) -> date | None:
    """Return the day after which a fact is over, by its own words: `carer until 31 July`; None for none."""
    told = f"{fact.key.replace('_', ' ')}: {fact.value} {fact.statement}"
    if category_of(fact) == "commitments" and _KEPT.match(fact.value):
        return read_day(fact.source) or read_day(fact.when)
    if fact.origin == PERSON or category_of(fact) == HISTORY:
        return None
    if not _HAS_AN_END.search(told) and not (is_own(fact) and _DUE.search(told)):
        return None
    noted = read_day(fact.when)
    if category_of(fact) in _STAYING or protects(fact):
        # a birthday or a visit in what is told of somebody ends nobody
        told = next((one for one in _PART.split(told) if _ENDS.search(one)), "")
    last = last_day_of(told, noted) if told else None
    return last if last is not None or noted is None else read_numbered_day(told, noted)


_KEPT = late(
    r"(?i)(?:(?:i|he|she|they)(?:['’]ve| have| has)? )?(?:rang|called|phoned|paid|sent|went|did|done|told"
    r"|gave|given|wrote|written|posted|finished|bought|brought|returned|met|asked)\b"
)
"""Pattern of a promise's value that tells that it was kept: `I rang the surgery`."""
_HAS_AN_END = late(
    r"(?i)\b(?:until|till?|through|up to|last day|ends?|ending|runs out|leaves|goes|going to|will|plans? to"
    r"|days in|last (?:shift|lesson|class|game|match|gig|concert|session|term))\b"
)
_ENDS = late(
    r"(?i)\b(?:until|till?|through|up to|last (?:day|shift|lesson|class|game|match|gig|concert|session|term)"
    r"|ends?|ending|runs out|leaves)\b[^;]*\d"
)
"""Pattern of a part of what is told of somebody, a home or a limit that ends it by a day."""
_PART = late(r"[;.]\s|,\s(?!\d)")
_STAYING = ("identity", "relationships", "constraints")
_DUE = late(
    r"(?i)\b(?:by|before)\s+(?:the\s+)?(?:\w+day,?\s+)?(?:the\s+)?(?:\d|[a-z]+-?\w*(?:st|nd|rd|th)\b)"
)
"""Pattern of the day by which a promise is to be kept: `before the twenty-first`."""


def as_ended(row: "FactRow", today: date) -> "FactRow":
    """Return a row as it is told on a day: one that is over by then takes room last.

    It says that it is over, unless it tells what came of it.
    """
    if not row.ends or row.ends >= today.isoformat():
        return row
    value = row.value if tells_outcome(row.value) else f"{row.value} [{_tell_end(row)}]"
    return row._replace(
        value=value, must=False, protects=False, lasting=False, ends="",
        rank=row.rank + _LAST,
    )  # fmt: skip


def _tell_end(row: "FactRow") -> str:
    """Return that a row is over, with its day; of what was due, only the day: it may never have been done."""
    day = date.fromisoformat(row.ends)
    spelled = words.spell_date(row.ends)
    told = _SAID_ON.sub(" ", row.value)
    if _DUE.search(told):
        return words.ITS_DAY.format(day=spelled)
    by_day = re.search(rf"\b{day.day}(?:st|nd|rd|th)?\b", told)
    return f"{words.IS_OVER} since {spelled}" if by_day else words.IS_OVER


_SAID_ON = late(r"\b(?:said|noted|so) (?:by [^,()]+, |on )?\d{1,2} \w+ \d{4}")
_LAST = 10_000
"""Number by which what is over stands behind everything else."""


def _told(fact: Fact) -> str:
    return fact.statement or f"{fact.key}: {fact.value}"


def order_facts(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return facts, each name once, in the order in which they take room.

    Of what nobody has to have, every fourth place is one of the persona's own, as long as there are any: a
    bundle that knows only the other's life makes a poor friend.
    """
    weights = weigh_facts(facts)
    places = {fact_name(one): place for place, one in enumerate(facts)}
    ordered = sorted(facts, key=lambda one: (*weights[fact_name(one)], -places[fact_name(one)]))
    must = [one for one in ordered if must_be_there(one)]
    return [*must, *_mix((one for one in ordered if not must_be_there(one)), is_own)]


def _mix(ordered: Iterable[T], own: Callable[[T], bool]) -> Iterator[T]:
    """Yield all with one of the persona's `own` in every fourth place."""
    mine, others = list[T](), list[T]()
    for one in ordered:
        (mine if own(one) else others).append(one)
    while mine and others:
        yield from others[:_BETWEEN_OWN]
        yield mine.pop(0)
        del others[:_BETWEEN_OWN]
    yield from [*others, *mine]


def _day(when: str) -> int:
    try:
        return date.fromisoformat(when[:10]).toordinal()
    except ValueError:
        return 0


def is_past(fact: Fact, today: date | None) -> bool:
    """Return whether a duty, plan or shift was for days that have passed; nothing that a person noted is."""
    if today is None or fact.origin == PERSON or category_of(fact) not in _FOR_A_DAY or protects(fact):
        return False
    return has_passed(f"{fact.key}: {fact.value} {fact.statement}", read_day(fact.when), today)


_FOR_A_DAY = ("commitments", "constraints")
PAST = "its day has passed"
UNSURE = "not sure enough"
TAKEN_BACK = "its chat was taken back"
NAMELESS = "a purge took its name or its value"


def divide(
    facts: Iterable[Fact], least: int, most: int, *, gated: bool = False, today: date | None = None
) -> FactChoice:
    """Return which facts may go into bundles: at most `most`, at least as sure as `least` (of `WHOLE`).

    The weakest rest: a dream's before the user's, then those that say least for their length. Where
    experience is `gated`, what happened rests too, unless it protects somebody; so does what was for a day
    before `today`, that of the newest chat.
    """
    current = current_facts(facts)
    resting = [RestingFact(one, UNSURE) for one in current if confidence_of(one) < least]
    places = {fact_name(one): place for place, one in enumerate(current)}
    certain = [one for one in current if confidence_of(one) >= least]
    lived = [one for one in certain if gated and category_of(one) == HISTORY and not protects(one)]
    past = [one for one in certain if is_past(one, today)]
    resting += [*(RestingFact(one, GATED) for one in lived), *(RestingFact(one, PAST) for one in past)]
    nameless = [one for one in certain if is_nameless(one) and one not in (*lived, *past)]
    resting += [RestingFact(one, NAMELESS) for one in nameless]
    waits = {fact_name(one) for one in (*lived, *past, *nameless)}
    sure = order_facts([one for one in certain if fact_name(one) not in waits])
    resting += [RestingFact(one, f"{most:,} others come first") for one in sure[most:]]
    kinds = {fact_name(one): OWN if is_own(one) else category_of(one) for one in sure}
    order = [*CATEGORIES, *sorted(set(kinds.values()) - set(CATEGORIES))]
    held = sorted(sure[:most], key=lambda one: (order.index(kinds[fact_name(one)]), places[fact_name(one)]))
    return FactChoice(held, sorted(resting, key=lambda one: places[fact_name(one.fact)]))


def write_rows(rows: "Sequence[FactRow]", chosen: Collection[str], writer: "Writer") -> "Sequence[Unit]":
    """Return the units of the chosen rows: what has settled, that of the present last, and what is new.

    What protects somebody stands with what has settled, however new it is. As long as nothing has settled
    they stand together by kind.
    """
    standing = _standing(rows)
    told = sorted((row for row in rows if row.id in chosen), key=lambda row: _place_of(row, standing))
    units = []
    for before, row, after in zip((None, *told), told, (*told[1:], None), strict=False):
        unit = writer.fact(row, _marks_of(before, row, after, standing, writer))
        units.append(unit._replace(spot=STANDING) if row.id in standing else unit)
    return units


def _standing(rows: "Sequence[FactRow]") -> Collection[str]:
    """Return the IDs of the rows that stand before what changes more often."""
    if not any(row.settled for row in rows):
        return ()
    return {row.id for row in rows if row.settled or row.protects}


def _place_of(row: "FactRow", standing: Collection[str]) -> tuple[bool, int, bool]:
    stands = row.id in standing
    kind = _FIRST.index(row.category) if stands and row.category in _FIRST else len(_FIRST)
    return not stands, kind, stands and row.category in CURRENT


_FIRST = ("identity", "constraints")
"""Categories that a bundle tells first: who the user is, and what protects somebody."""


def _marks_of(
    before: "FactRow | None",
    row: "FactRow",
    after: "FactRow | None",
    standing: Collection[str],
    writer: "Writer",
) -> "FactMarks":
    """Return what stands around a row between these two; what is new has a section of its own."""
    stands = row.id in standing
    apart = before is not None and (before.id in standing) != stands
    after = after if after is not None and (after.id in standing) == stands else None
    marks = writer.fact_marks(None if apart else before, row, after)
    return marks._replace(heading=writer.style.section(words.KNOWN_MORE)) if apart else marks


def choose_rows(
    rows: "Sequence[FactRow]", must: Collection[str], share: int, room: int, writer: "Writer"
) -> "tuple[Sequence[FactRow], set[str]]":
    """Choose rows within `room`, beside those that `must` be there; return them all, and the chosen IDs.

    What has settled is chosen by itself, in part of the share, so that it is the same on most evenings, and
    in less where what is new and must be there takes more than the rest. What is left over goes to what is
    new, then to the others, which count as new from here on.
    """
    settled = [row for row in rows if row.settled]
    most = min(share * SETTLED_SHARE // 100, room) if len(settled) < len(rows) else room
    held = ChosenRows(rows, {row.id for row in settled if row.id in must}, writer)
    whole = ChosenRows(rows, must, writer)
    old = held.ids.copy()
    newest = [row for row in rows if not row.settled]
    # who somebody is and what is promised comes first, also where it is new
    for group in ([row for row in settled if row.lasting], [row for row in settled if not row.lasting]):
        # up to the first that does not fit: a shorter one behind it would come and go with any change before
        for row in in_turn(group, must):
            if not (held.add(row, most) and whole.add(row, room)):
                break
            old.add(row.id)
        for row in in_turn((row for row in newest if row.lasting), must):
            whole.add(row, room)
    others = [row for row in settled if row.id not in old]
    rows = [row._replace(settled=row.id in old) for row in rows]
    turn = [*in_turn(newest, must), *in_turn(others, must)]
    return rows, add_rows(rows, {*must, *old}, turn, room, writer)


def firmest_rows(rows: "Sequence[FactRow]", share: int, writer: "Writer") -> set[str]:
    """Return what protects somebody, and of what a person noted the firmest that have room in the share."""
    protect = {row.id for row in rows if row.protects}
    noted = sorted((row for row in rows if row.must and not row.protects), key=lambda row: row.rank)
    return add_rows(rows, protect, noted, share, writer)


def add_rows(
    rows: "Sequence[FactRow]",
    chosen: Collection[str],
    turn: "Iterable[FactRow]",
    room: int,
    writer: "Writer",
) -> set[str]:
    """Return `chosen`, which are some of `rows`, and those of `turn` that fit into `room` beside them."""
    told = ChosenRows(rows, chosen, writer)
    for row in turn:
        told.add(row, room)
    return told.ids


class ChosenRows:
    """Some of a bundle's rows, to which others are added as far as they fit, and their tokens as written.

    A row changes what stands around the two beside it and nothing else, so only these are sized anew.
    """

    def __init__(self, rows: "Sequence[FactRow]", chosen: Collection[str], writer: "Writer") -> None:
        """Begin with those of `rows` that are `chosen`."""
        self._standing = _standing(rows)
        self._rows = sorted(rows, key=lambda row: _place_of(row, self._standing))
        self._places = {row.id: place for place, row in enumerate(self._rows)}
        self._told = [place for place, row in enumerate(self._rows) if row.id in chosen]
        self._writer = writer
        self._sizes: dict[tuple[int, FactMarks], int] = {}
        self.ids = {self._rows[place].id for place in self._told}
        self.tokens = self._size([None, *self._told, None])

    def add(self, row: "FactRow", room: int) -> bool:
        """Add a row if they all fit into `room` with it; return whether it is there now."""
        place = self._places[row.id]
        at = bisect_left(self._told, place)
        before, after = self._told[max(at - 2, 0) : at], self._told[at : at + 2]
        around = [*[None] * (2 - len(before)), *before], [*after, *[None] * (2 - len(after))]
        tokens = self.tokens - self._size([*around[0], *around[1]])
        tokens += self._size([*around[0], place, *around[1]])
        if tokens > room:
            return False
        self._told.insert(at, place)
        self.ids.add(row.id)
        self.tokens = tokens
        return True

    def _size(self, places: "Sequence[int | None]") -> int:
        """Return the tokens of the rows at these places, all but the first and the last of them."""
        tokens = 0
        rows = [None if place is None else self._rows[place] for place in places]
        for place, before, row, after in zip(places[1:-1], rows, rows[1:], rows[2:], strict=False):
            if place is None or row is None:
                continue
            key = place, _marks_of(before, row, after, self._standing, self._writer)
            if key not in self._sizes:
                self._sizes[key] = self._writer.fact(row, key[1]).tokens
            tokens += self._sizes[key]
        return tokens


def in_turn(rows: "Iterable[FactRow]", must: Collection[str]) -> "Iterator[FactRow]":
    """Return rows in the order in which they take room, without those that must be there."""
    ordered = sorted((row for row in rows if row.id not in must), key=lambda row: row.rank)
    return _mix(ordered, lambda row: row.category == OWN_HEADING)
