"""Conversion of ranked turns to an answer: moments without overlap, notes beside them, and how sure it is."""

import heapq
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import exp, log
from typing import TYPE_CHECKING

from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.note_search import NoteSearch
from reel_cli.core.tape.search.query import name_words, parse_question
from reel_cli.core.tape.search.ranking import PLACES_BITS, Overview, Ranking, rank_turns
from reel_cli.core.tape.search.standing import is_request
from reel_cli.core.values.search import Hit, Question, SearchResult, StandingSentence

if TYPE_CHECKING:
    from reel_cli.core.tape.search.ranking import TurnVectors

_LOOKED_AT = 10
"""Number of turns, the best first, among which the best moment is looked for."""

FEATURES = (
    "of what the question's words weigh, those in the best moment",
    "those in the best turn",
    "those in a moment, on average of the five best",
    "those in the session of the best turn",
    "what the words in the best moment weigh, in tens",
    "the heaviest word it lacks, as a share of the heaviest there is",
    "names and numbers, as a share of the weight of all words",
    "names and numbers that the best moment lacks",
    "the words asked for, as a third of the logarithm of their number and one",
    "the same times the first",
    "the same times the second",
    "the same times the fourth",
    "the same times the fifth",
    "whether a month is named of which the tape has nothing",
)
BIAS = -4.89
WEIGHTS = (1.55, 1.34, 0.83, 0.84, 0.52, 1.09, 1.36, -2.22, -2.28, 2.84, 1.76, 3.08, 0.06, -2.73)
"""Fitted by `python bench/recall.py --fit`: logistic regression on questions put to the tape that holds the
answer and to others, out of LoCoMo, RealMem's queries and RealMem's memories, LoCoMo weighing four times the
others. On conversations and people it was not fitted on the AUROC is .915, .918 and .971."""

THRESHOLD = 0.145
"""Confidence below which even the best is no answer: lets some 96 % of LoCoMo's answerable questions
through, each judged by what was fitted without its own conversation."""


def judge(ranked: Ranking, overview: Overview) -> float:
    """Return the chance that the tape answers the question, from 0 to 1."""
    if not ranked.scores or not overview.turns:
        return 0.0
    if all(term.kind for term in ranked.terms):
        # of a day alone it is known whether anything was said then
        return 0.0 if ranked.elsewhen else DAY_CONFIDENCE
    total = BIAS + sum(w * f for w, f in zip(WEIGHTS, features(ranked), strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def features(ranked: Ranking) -> Sequence[float]:
    """Return the values of `FEATURES`, in that order."""
    scores, masks = ranked.scores, ranked.masks
    rows = heapq.nlargest(_LOOKED_AT, scores, key=scores.__getitem__)
    asked = [
        (1 << i, weight, term.proper)
        for i, (weight, term) in enumerate(zip(ranked.weights, ranked.terms, strict=True))
        if not term.kind
    ]
    whole = sum(weight for _, weight, _ in asked) or 1.0

    def cover(mask: int) -> float:
        return sum(weight for bit, weight, _ in asked if mask & bit)

    wide = [masks.get(row, 0) | masks.get(row - 1, 0) | masks.get(row + 1, 0) for row in rows]
    covers = [cover(mask) for mask in wide]
    best = max(covers)
    lacking = [(weight, proper) for bit, weight, proper in asked if not wide[covers.index(best)] & bit]
    moment = best / whole
    turn = max(cover(masks.get(row, 0)) for row in rows) / whole
    session = cover(ranked.session_masks.get(rows[0] >> PLACES_BITS, 0)) / whole
    # a few of many words are found anywhere; of a few words many are needed
    size = log(len(asked) + 1) / 3
    return (
        moment,
        turn,
        sum(covers[:5]) / len(covers[:5]) / whole,
        session,
        best / 10,
        max((weight for weight, _ in lacking), default=0.0) / max(weight for _, weight, _ in asked),
        sum(weight for _, weight, proper in asked if proper) / whole,
        sum(weight for weight, proper in lacking if proper) / whole,
        size,
        size * moment,
        size * turn,
        size * session,
        size * best / 10,
        float(ranked.elsewhen),
    )


STANDING = 5
"""Number of sentences that hold always which are told, the newest."""
DAY_CONFIDENCE = 0.5
"""Confidence in the moments of a month if nothing but the month was asked for."""
REACH = 2
"""Maximum number of turns that a moment includes before and after the matching one."""
WORTH_SHOWING = 0.65
"""A neighbour is part of the moment where its own score is at least this share of the turn's that matched."""
WORTH_ROOM = 0.85
"""The same where all moments share so much room: another moment tells more than such a neighbour."""


def answer(  # noqa: PLR0913
    file: sqlite3.Connection,
    overview: Overview,
    people: Sequence[tuple[str, str]],
    question: Question,
    *,
    limit: int,
    threshold: float | None = None,
    one_per_session: bool = False,
    narrow: bool = False,
    meaning: "TurnVectors | None" = None,
) -> SearchResult:
    """Return the moments that answer a question, best first; `meaning` affects order, not confidence.

    With `narrow`, for a text of limited size, fewer neighbours are part of a moment.
    """
    names = name_words([*people, *((role, name) for role, name in question.names.items() if name)])
    sought = parse_question(question, names)
    gate = THRESHOLD if threshold is None else threshold
    if not sought.terms or limit < 1:
        return SearchResult([], threshold=gate)
    allowed = None
    if question.sessions is not None:
        wanted = set(question.sessions)
        allowed = {number for number, name in overview.names.items() if name in wanted}
    notes = NoteSearch(file, overview, question, sought.plain)
    ranked = rank_turns(file, sought, overview, allowed, notes.leads)
    # words that only ask stand everywhere, and whoever names nothing else has not said what for
    says = bool(sought.named) or any(term.proper or term.word not in STOP for term in sought.terms)
    sure = judge(ranked, overview) if says else 0.0
    if meaning is not None:
        meaning.join(file, overview, ranked, question.text, allowed)
    least = WORTH_ROOM if narrow else WORTH_SHOWING
    moments = [
        replace(hit, lead=notes.name(ranked.leads[row])) if row in ranked.leads else hit
        for row, hit in _moments(ranked, overview, limit, sure, least, one_per_session=one_per_session)
    ]
    hits = _merge(moments, notes.answers(ranked, by_text=says), limit)
    terms = {t.word: n for t, n in zip(ranked.terms, ranked.counts, strict=True) if not t.kind}
    known = notes.known(ranked, [word for word in sought.plain.split() if word in names]) if says else None
    standing = _standing(file, overview, allowed) if is_request(question.text) else []
    if hits and max(hit.confidence for hit in hits) < gate:
        return SearchResult([], hits, gate, terms, known, standing)
    return SearchResult(hits, [], gate, terms, known, standing)


def _standing(
    file: sqlite3.Connection, overview: Overview, allowed: Collection[int] | None
) -> list[StandingSentence]:
    """Return the words that hold always in the sessions `allowed` (None: all), newest first, a few."""
    query = (
        "SELECT standing.rowid, facts.number, said FROM standing JOIN facts ON facts.rowid = standing.rowid"
    )
    found = [
        row
        for row in file.execute(query)
        if row[0] >> PLACES_BITS in (overview.names if allowed is None else allowed)
    ]
    found.sort(key=lambda row: (overview.places[row[0] >> PLACES_BITS], row[0]), reverse=True)
    newest = {said.casefold(): (row, number, said) for row, number, said in reversed(found)}
    return [
        StandingSentence(overview.names[row >> PLACES_BITS], number, said)
        for row, number, said in sorted(newest.values(), key=found.index)[:STANDING]
    ]


def _moments(  # noqa: PLR0913
    ranked: Ranking, overview: Overview, limit: int, sure: float, least: float, *, one_per_session: bool
) -> list[tuple[int, Hit]]:
    scores, masks = ranked.scores, ranked.masks
    taken: set[int] = set()
    sessions: set[int] = set()
    hits: list[tuple[int, Hit]] = []
    # of two with the same score the newer comes first
    for row in sorted(scores, key=lambda row: (-scores[row], -row)):
        session = row >> PLACES_BITS
        if row in taken or (one_per_session and session in sessions):
            continue
        span = _span(row, scores, taken, least * scores[row])
        taken.update(span)
        sessions.add(session)
        mask = 0
        for shown in span:
            mask |= masks.get(shown, 0)
        numbers = tuple(ranked.facts[shown].number for shown in span)
        hit = Hit(
            session=overview.names[session],
            message=ranked.facts[row].number,
            span=(numbers[0], numbers[-1]),
            score=scores[row],
            confidence=sure * scores[row],
            messages=numbers,
            terms=tuple(t.word for i, t in enumerate(ranked.terms) if mask >> i & 1 and not t.kind),
        )
        hits.append((row, hit))
        if len(hits) == limit:
            break
    return hits


def _span(row: int, scores: Mapping[int, float], taken: set[int], least: float) -> list[int]:
    ends = []
    for step in (-1, 1):
        end = row
        while abs(end + step - row) <= REACH and scores.get(end + step, 0.0) >= least:
            if end + step in taken:
                break
            end += step
        ends.append(end)
    return list(range(ends[0], ends[1] + 1))


def _merge(moments: Sequence[Hit], notes: Sequence[Hit], limit: int) -> list[Hit]:
    """Return notes among the moments by score; a note for a moment found already lends it its name."""
    return sorted([*notes, *moments], key=lambda hit: -hit.score)[:limit]
