"""Ranking of turns for a question: where its words occur, weighed by turn, by moment and by session.

The index says for each word in which turns it stands, and nothing more; that costs a fifth of what its own
ranking does. From it a few hundred turns are chosen, and for those and their neighbours BM25 is worked out
three times: over the turn, over the turn with those before and after it, and over its session. Each is set
against its best and added up. Where turns are long, a moment is the turn itself and a
little of its neighbours, for a long answer holds words of nearly every question. What this is worth against
other ways: bench/recall.py.
"""

import heapq
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from math import log, sqrt
from typing import Protocol

from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.search.foreseen import (
    FindLeads,
    Foreseen,
    Leads,
    find_unsaid,
    lift_foreseen,
)
from reel_cli.core.tape.search.overview import PLACES, PLACES_BITS, Fact, Overview, read_facts
from reel_cli.core.tape.search.query import MOST_TERMS, Sought, Term
from reel_cli.core.tape.search.topics import WEIGHTS, judge_sessions

BY_TURN, BY_MOMENT, BY_SESSION, BY_SPEAKER = 0.5, 1.0, 1.0, 0.3
"""Weights of each view of a turn; the last applies if the question names the speaker. Chosen by coordinate
search on half of LoCoMo's and RealMem's development halves and on two sets made of what was noted down of
both; the choice was not repeated with a conversation left out."""

LATELY, AGE = 1.0, 15.0
"""Of questions that name nobody and no month: what the newest session's turns have added, as a share of the
best score, and how many sessions ago it is half of that. The more of the question's words stand together
somewhere, the less is added, down to nothing where all do: recency decides only what the words leave open."""

IN_MONTH, ON_DAY = 0.15, 0.3
"""The same, for the sessions of a month that the question names, and what those of its day have beside."""

_K1 = 1.2
_B_TURN, _B_WIDE = 0.5, 0.75
"""BM25's constants: one for which a turn's length counts less, for many are a few words, and the usual one,
which also holds for a turn among long ones."""
NEIGHBOUR = 0.3
"""Weight of each neighbour in a moment of long turns. Tried: half of it, which finds less, and a bonus for
the person's turns, which helps where answers are longest and costs .01 to .02 on RealMem."""

APART, TOGETHER = 0.6, 1.0
"""Share of a message's words, by weight, that one moment holds: up to which the matter decides what is meant,
and from which the words do. For RealMem's messages the median is .49."""

LAST_MONTH = 12
MOST_SESSIONS = 62
"""Number of sessions looked at where a day or a month is all that is asked for."""
LAST_TURNS = 6
"""Number of turns, the last, that tell where a conversation stopped."""
TELLING = 60
"""Words from which a turn tells as much as a longer one."""
CANDIDATES = 400
_LOOKED_THROUGH = 4_000


@mutable
class Ranking:
    """Turns with their scores, the best at 1, and what to judge them by.

    `masks` says which terms stand in a turn, a bit each in the order of `terms`.
    """

    terms: Sequence[Term] = ()
    weights: Sequence[float] = ()
    counts: Sequence[int] = ()
    scores: Mapping[int, float] = field(default_factory=dict)
    facts: Mapping[int, Fact] = field(default_factory=dict)
    masks: dict[int, int] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    favour: Mapping[int, float] = field(default_factory=dict)
    """By session: what its turns have added for when it was, as a share of the best score."""
    elsewhen: bool = False
    """Whether the question names a month in which, and after which, nothing was said."""
    leads: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By turn: the note whose words lead to it, and the terms that those words hold."""
    loose: set[int] = field(default_factory=set)
    """The turns chosen of a stretch that answers what a note foresaw, though no word of it stands in them."""
    foreseen: set[int] = field(default_factory=set)
    """All turns so chosen."""

    def cover(self, mask: int) -> float:
        """Return the total weight of the words in a mask, without kinds."""
        return sum(w for i, w in enumerate(self.weights) if mask >> i & 1 and not self.terms[i].kind)

    @property
    def whole(self) -> float:
        """Return the total weight of all words asked for, including those that occur nowhere."""
        return sum(w for w, term in zip(self.weights, self.terms, strict=True) if not term.kind)


def rank_turns(
    file: sqlite3.Connection,
    sought: Sought,
    overview: Overview,
    allowed: Collection[int] | None,
    leads: FindLeads | None = None,
) -> Ranking:
    """Return the turns of the sessions `allowed` (None: all) that answer best; `leads` add to their words."""
    found = _look_up(file, _rarest(file, sought.terms), allowed)
    terms = [term for term, _, _ in found]
    counts = [count for _, _, count in found]
    weights = [term.weight * _rarity(overview.turns, count) for term, _, count in found]
    ranked = Ranking(terms, weights, counts, named=sought.named)
    ranked.elsewhen = _is_elsewhen(sought.months, overview)
    led = leads(terms, weights, allowed) if leads is not None else Leads()
    unsaid = find_unsaid(led.foreseen, (rows for _, rows, _ in found))
    ranked.loose, ranked.foreseen = {*unsaid}, {*unsaid}
    ranked.leads = {**unsaid, **led.turns}
    if ranked.leads:
        _add_leads(found, ranked.leads)
    ranked.masks = masks = _masks(rows for _, rows, _ in found)
    if not masks:
        return ranked
    in_sessions = [Counter(row >> PLACES_BITS for row in rows) for _, rows, _ in found]
    session_weights = [
        term.weight * _rarity(len(overview.names), len(held))
        for term, held in zip(terms, in_sessions, strict=True)
    ]
    rough = _session_scores(in_sessions, session_weights, lambda _: 1.0)
    centres, ranked.favour, covered = _choose(ranked, rough, _Favour(overview, sought, allowed))
    if len(masks) > CANDIDATES:
        centres += [row for one in led.foreseen for row in one.stretch if row in masks]
    ranked.facts = read_facts(file, _around(centres, 3))
    around = [row for row in _around(centres, 1) if row in ranked.facts]
    near = {row >> PLACES_BITS for row in around}
    sizes, usual = overview.sizes, overview.session_size
    in_near = [{k: n for k, n in held.items() if k in near} for held in in_sessions]

    def length(session: int) -> float:
        return 1 - _B_WIDE + _B_WIDE * sizes.get(session, 0) / usual

    by_session = _session_scores(in_near, session_weights, length)
    ranked.scores = _add_up(ranked, around, by_session, overview)
    if led.foreseen:
        _add_foreseen(ranked, led.foreseen)
    left_open = sought.speaks * _left_open(covered)
    if talking := max(sought.talking, left_open * sought.states):
        again = [
            w * log(sum(held.values()) / len(held)) if held else 0.0
            for w, held in zip(session_weights, in_sessions, strict=True)
        ]
        repeated = _session_scores(in_near, again, length)
        judged = judge_sessions(file, _best_by_session(ranked.scores), repeated, overview.places)
        ranked.scores = _add_topics(ranked.scores, talking, left_open, judged)
    return ranked


def _rarest(file: sqlite3.Connection, terms: Sequence[Term]) -> Sequence[Term]:
    """Return the terms of a long question that occur in the fewest turns; kinds are dropped first."""
    if len(terms) <= MOST_TERMS:
        return terms
    plain = [term for term in terms if not term.kind]
    if len(plain) <= MOST_TERMS:
        return plain

    def often(term: Term) -> int:
        query = "SELECT count(*) FROM (SELECT 1 FROM turns WHERE turns MATCH ? LIMIT 5000)"
        return int(file.execute(query, (term.match,)).fetchone()[0]) or 5001

    return heapq.nsmallest(MOST_TERMS, plain, key=often)


def _look_up(
    file: sqlite3.Connection, terms: Sequence[Term], allowed: Collection[int] | None
) -> list[tuple[Term, list[int], int]]:
    """Return for each term its rows, and the number of all turns that hold it."""
    found = []
    for term in terms:
        rows = [row for (row,) in file.execute("SELECT rowid FROM turns WHERE turns MATCH ?", (term.match,))]
        count = len(rows)
        if allowed is not None:
            rows = [row for row in rows if row >> PLACES_BITS in allowed]
        found.append((term, rows, count))
    return found


def is_of(session: str, dates: Collection[str]) -> bool:
    """Return whether a session is of one of these days or months, written as `Sought` has them."""
    return any(session.startswith(date) or session[4:].startswith(date) for date in dates)


def rank_stretch(
    file: sqlite3.Connection, sought: Sought, overview: Overview, numbers: Sequence[int], *, last: bool
) -> Ranking:
    """Return the turns of some sessions by how much a person told in them, or (`last`) from the end.

    Of somebody whom the question names, those turns come first.
    """
    ranked = Ranking(sought.terms, [0.0] * len(sought.terms), [0] * len(sought.terms), named=sought.named)
    for number in numbers[:MOST_SESSIONS]:
        rows = range(number * PLACES, number * PLACES + overview.counts[number])
        facts = read_facts(file, rows[-LAST_TURNS:] if last else rows)
        ranked.facts = {**ranked.facts, **facts}
    scores = {}
    for row, fact in ranked.facts.items():
        if last:
            scores[row] = 1 - (max(ranked.facts) - row) / (2 * LAST_TURNS)
        else:
            mine = is_named(fact, sought.named) if len(sought.named) == 1 else fact.role == "user"
            scores[row] = min(fact.size, TELLING) / TELLING * (1.0 if mine else 0.5)
    best = max(scores.values(), default=0.0) or 1.0
    ranked.scores = {row: score / best for row, score in scores.items()}
    return ranked


def _is_elsewhen(months: Sequence[str], overview: Overview) -> bool:
    """Return whether no session is of any of these months, or of the month after; False for no months."""
    meant = {*months}
    for name in months:
        year, month = name[:-3], int(name[-2:])
        after = (
            f"{int(year) + 1}-01" if year and month == LAST_MONTH else f"{year}-{month % LAST_MONTH + 1:02}"
        )
        meant.add(after)
    return bool(months) and not any(is_of(day, meant) for day in overview.names.values())


def _add_leads(found: Sequence[tuple[Term, list[int], int]], led: Mapping[int, tuple[int, int]]) -> None:
    """Have the turns that notes lead to count as holding the notes' words."""
    for at, (_, rows, _) in enumerate(found):
        more = {row for row, (_, mask) in led.items() if mask >> at & 1}
        rows.extend(sorted(more.difference(rows)))


def _add_foreseen(ranked: Ranking, foreseen: Sequence[Foreseen]) -> None:
    """Lift the turns of stretches that answer what notes foresaw; the best one of each holds the question."""
    ranked.scores, chosen = lift_foreseen(ranked.scores, foreseen)
    ranked.foreseen.update(row for row, _ in chosen)
    for row, one in chosen:
        if not ranked.cover(ranked.masks.get(row, 0)):
            ranked.loose.add(row)
        ranked.leads[row] = (one.note, ranked.leads.get(row, (0, 0))[1] | one.mask)
        ranked.masks[row] = ranked.masks.get(row, 0) | one.mask


def _rarity(of: int, count: int) -> float:
    return log(1 + (of - count + 0.5) / (count + 0.5))


def _masks(postings: Iterable[Sequence[int]]) -> dict[int, int]:
    masks: dict[int, int] = {}
    for at, rows in enumerate(postings):
        bit = 1 << at
        if masks:
            get = masks.get
            for row in rows:
                masks[row] = get(row, 0) | bit
        else:
            masks = dict.fromkeys(rows, bit)
    return masks


def _session_scores(
    held: Sequence[Mapping[int, int]], weights: Sequence[float], length: Callable[[int], float]
) -> dict[int, float]:
    scores: dict[int, float] = {}
    lengths: dict[int, float] = {}
    for counts, weight in zip(held, weights, strict=True):
        for k, n in counts.items():
            if k not in lengths:
                lengths[k] = _K1 * length(k)
            scores[k] = scores.get(k, 0.0) + weight * (_K1 + 1) * n / (n + lengths[k])
    return scores


@frozen
class _Favour:
    """The extra weight of sessions by their time."""

    overview: Overview
    sought: Sought
    allowed: Collection[int] | None

    def by_session(self, covered: float) -> dict[int, float]:
        """Return the extra weight of sessions as shares of the best score; `covered` is the best moment's."""
        places, names = self.overview.places, self.overview.names
        order = sorted(places if self.allowed is None else self.allowed, key=lambda n: -places[n])
        if months := set(self.sought.months):
            meant = {number for number in order if is_of(names[number], months)}
            days = {number for number in order if is_of(names[number], self.sought.days)}
            return {number: IN_MONTH * (number in meant) + ON_DAY * (number in days) for number in order}
        left = 0.0 if self.sought.named else LATELY * sqrt(max(0.0, 1 - covered))
        return {number: left / (1 + age / AGE) for age, number in enumerate(order)}


def _choose(
    ranked: Ranking, sessions: Mapping[int, float], when: _Favour
) -> tuple[list[int], Mapping[int, float], float]:
    """Return the turns worth a closer look, by the words in and around them, and the session weights.

    Last, how much of what the words weigh is in the moment that has most of it.
    """
    masks, weights = ranked.masks, ranked.weights
    worth = {m: sum(w for i, w in enumerate(weights) if m >> i & 1) for m in set(masks.values())}
    worth[0] = 0.0
    rows: Iterable[int] = masks
    if len(masks) > _LOOKED_THROUGH:
        rows = _worthiest(masks, worth)
    get = masks.get
    best = max(sessions.values(), default=1.0) or 1.0
    most = max(worth.values()) or 1.0
    wide = {row: masks[row] | get(row - 1, 0) | get(row + 1, 0) for row in rows}
    for mask in set(wide.values()) - worth.keys():
        worth[mask] = sum(w for i, w in enumerate(weights) if mask >> i & 1)
    covered = max(map(ranked.cover, set(wide.values()))) / (ranked.whole or 1.0)
    favour = when.by_session(covered)

    def rough(row: int) -> float:
        near = BY_TURN * worth[masks[row]] + BY_MOMENT * worth[wide[row]]
        session = row >> PLACES_BITS
        added = favour[session] * (BY_TURN + BY_MOMENT + BY_SESSION)
        return near / most + BY_SESSION * sessions[session] / best + added

    return heapq.nlargest(CANDIDATES, wide, key=rough), favour, covered


def _left_open(covered: float) -> float:
    """Return how far the words leave open what is meant, from 0 to 1."""
    return min(1.0, max(0.0, (TOGETHER - covered) / (TOGETHER - APART)))


def _worthiest(masks: Mapping[int, int], worth: Mapping[int, float]) -> list[int]:
    """Return the rows whose words weigh most, some thousands; of those with the same words the newest."""
    counts = Counter(masks.values())
    room, whole, last = _LOOKED_THROUGH, set(), 0
    for last in sorted(counts, key=lambda mask: -worth[mask]):
        if counts[last] > room:
            break
        room -= counts[last]
        whole.add(last)
    some = [row for row, mask in masks.items() if mask == last] if last not in whole else []
    return [row for row, mask in masks.items() if mask in whole] + heapq.nlargest(room, some)


def _around(rows: Iterable[int], reach: int) -> set[int]:
    """Return the rows and those up to `reach` before and after each, ignoring the ends of sessions."""
    return {row + step for row in rows for step in range(-reach, reach + 1)}


def _add_up(
    ranked: Ranking,
    rows: Sequence[int],
    by_session: Mapping[int, float],
    overview: Overview,
) -> dict[int, float]:
    by_turn, by_moment = _weigh_words(ranked, rows, overview)
    scores = dict.fromkeys(by_moment, 0.0)
    for view, weight in ((by_turn, BY_TURN), (by_moment, BY_MOMENT)):
        best = max(view.values(), default=0.0) or 1.0
        for row, value in view.items():
            scores[row] += weight * value / best
    best = max(by_session.values(), default=0.0) or 1.0
    for row in scores:
        scores[row] += BY_SESSION * by_session.get(row >> PLACES_BITS, 0.0) / best
    best = max(scores.values(), default=0.0) or 1.0
    for row in scores:
        if is_named(ranked.facts[row], ranked.named):
            scores[row] += BY_SPEAKER * best
        scores[row] += best * ranked.favour.get(row >> PLACES_BITS, 0.0)
    best = max(scores.values(), default=0.0) or 1.0
    return {row: value / best for row, value in scores.items()}


def _best_by_session(scores: Mapping[int, float]) -> dict[int, float]:
    sessions: dict[int, float] = {}
    for row, value in scores.items():
        number = row >> PLACES_BITS
        sessions[number] = max(value, sessions.get(number, 0.0))
    return sessions


def _add_topics(
    scores: Mapping[int, float],
    talking: float,
    open_left: float,
    judged: Mapping[int, tuple[float, float, float]],
) -> dict[int, float]:
    """Return the scores with what the sessions' matters make of them, the best at 1.

    As far as the words leave it open, all that is known of a matter decides, otherwise nearness alone.
    """
    near, known = {}, {}
    for row, value in scores.items():
        nearness, factor, more = judged.get(row >> PLACES_BITS, (0.0, WEIGHTS[0], 0.0))
        near[row] = value + nearness
        known[row] = max(0.0, factor * value + more)
    near, known = _of_best(near), _of_best(known)
    return _of_best(
        {
            row: (1 - talking) * value + talking * ((1 - open_left) * near[row] + open_left * known[row])
            for row, value in scores.items()
        }
    )


def _of_best(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0) or 1.0
    return {row: value / best for row, value in scores.items()}


def _weigh_words(
    ranked: Ranking, rows: Sequence[int], overview: Overview
) -> tuple[dict[int, float], dict[int, float]]:
    """Return BM25 of each row by itself, and with its neighbours; rows without any word are left out."""
    by_turn: dict[int, float] = {}
    by_moment: dict[int, float] = {}
    masks, facts = ranked.masks, ranked.facts
    usual = overview.turn_size
    bits = [(1 << i, weight * (_K1 + 1)) for i, weight in enumerate(ranked.weights)]
    long = {session: overview.long_turns(session) for session in {row >> PLACES_BITS for row in rows}}
    for row in rows:
        shown = [r for r in (row - 1, row, row + 1) if r in facts]
        held = [masks.get(r, 0) for r in shown]
        own = masks.get(row, 0)
        wide = held[0] | held[-1] | own
        if not wide:
            continue
        b = _B_TURN + (_B_WIDE - _B_TURN) * long[row >> PLACES_BITS]
        length = _K1 * (1 - b + b * facts[row].size / usual)
        spread = _K1 * (1 - _B_WIDE + _B_WIDE * sum(facts[r].size for r in shown) / (3 * usual))
        turn = moment = 0.0
        for bit, weight in bits:
            if wide & bit:
                n = sum(1 for mask in held if mask & bit)
                moment += weight * n / (n + spread)
                if own & bit:
                    turn += weight / (1 + length)
        by_turn[row], by_moment[row] = turn, moment
    for row, moment in by_moment.items():
        if share := long[row >> PLACES_BITS]:
            beside = by_turn.get(row - 1, 0.0) + by_turn.get(row + 1, 0.0)
            by_moment[row] = (1 - share) * moment + share * (by_turn[row] + NEIGHBOUR * beside)
    return by_turn, by_moment


def is_named(fact: Fact, named: frozenset[str]) -> bool:
    """Return whether the turn's speaker is the one the question names; False if it names several."""
    return len(named) == 1 and (fact.role in named or fact.name.lower() in named)


class TurnVectors(Protocol):
    """Vectors of one kit's turns, kept beside the index and handed to `Index.use` by a feature."""

    def refresh(
        self, file: sqlite3.Connection, progress: Callable[[int, int], None] | None = None
    ) -> list[str]:
        """Update the vectors from the index; return the sessions that changed."""

    def join(
        self,
        file: sqlite3.Connection,
        overview: Overview,
        ranked: Ranking,
        text: str,
        allowed: Collection[int] | None,
    ) -> None:
        """Weigh the ranked turns of the sessions `allowed` (None: all) by their nearness to a question."""

    def close(self) -> None:
        """Close the file of the vectors."""
