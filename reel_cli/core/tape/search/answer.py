"""Conversion of ranked turns to an answer: moments without overlap, notes beside them, and how sure it is."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.ports import bring
from reel_cli.core.tape.search.aliases import add_aliases
from reel_cli.core.tape.search.confidence import DAY_CONFIDENCE, THRESHOLD, UNSURE, judge, lacking_words
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.note_search import NoteSearch
from reel_cli.core.tape.search.overview import PLACES_BITS, Overview
from reel_cli.core.tape.search.query import Sought, name_words, parse_question
from reel_cli.core.tape.search.ranking import Ranking, is_of, rank_stretch, rank_turns
from reel_cli.core.tape.search.standing_words import is_request
from reel_cli.core.values.search import Hit, Question, SearchResult, StandingSentence

if TYPE_CHECKING:
    from reel_cli.core.tape.search.ranking import TurnVectors

STANDING = 5
"""Number of sentences that hold always which are told, the newest."""
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
    if limit < 1 or not (sought.terms or question.last):
        return SearchResult([], threshold=gate)
    allowed = None
    if question.sessions is not None:
        wanted = set(question.sessions)
        allowed = {number for number, name in overview.names.items() if name in wanted}
    least = WORTH_ROOM if narrow else WORTH_SHOWING
    stretch = _stretch(sought, overview, allowed, last=question.last)
    if stretch:
        told = rank_stretch(file, sought, overview, stretch, last=question.last)
        found = _moments(told, overview, limit, DAY_CONFIDENCE, least, one_per_session=one_per_session)
        return SearchResult([hit for _, hit in found], threshold=gate)
    sought = replace(sought, terms=add_aliases(file, sought.terms, names))
    # where room is limited a model asks, which has the notes before it
    notes = NoteSearch(file, overview, question, sought.plain, noted=not narrow)
    ranked = rank_turns(file, sought, overview, allowed, notes.leads)
    # words that only ask stand everywhere, and whoever names nothing else has not said what for
    says = bool(sought.named) or any(term.proper or term.word not in STOP for term in sought.terms)
    # of a day without a conversation, a turn that holds `talk` says nothing
    sure = judge(file, ranked, overview) if says and not sought.only_dated else 0.0
    if meaning is not None:
        meaning.join(file, overview, ranked, question.text, allowed)
    moments = [
        replace(
            hit,
            lead=notes.name(ranked.leads[row][0]),
            loose=row in notes.loose | ranked.loose,
            foreseen=row in ranked.foreseen,
        )
        if row in ranked.leads
        else hit
        for row, hit in _moments(ranked, overview, limit, sure, least, one_per_session=one_per_session)
    ]
    terms = {t.word: n for t, n in zip(ranked.terms, ranked.counts, strict=True) if not t.kind}
    answers = (find(notes, ranked, names, says=says) for find in bring("sure_answers"))
    known = next((one for one in answers if one is not None), None)
    beside = notes.answers(ranked, by_text=says, known=known[0] if known else "", sure=max(sure, gate))
    hits = _merge(moments, beside, limit)
    standing = _standing(file, overview, allowed) if is_request(question.text) else []
    best = max((hit.confidence for hit in hits), default=0.0)
    if best < gate:
        return SearchResult([], hits, gate, terms, known, standing)
    lacking = lacking_words(ranked, overview) if best < UNSURE and known is None else []
    return SearchResult(hits, [], gate, terms, known, standing, lacking)


def _stretch(sought: Sought, overview: Overview, allowed: Collection[int] | None, *, last: bool) -> list[int]:
    """Return the sessions whose turns answer without a word of the question, newest first; none as a rule.

    They are those of the day or the month where nothing else is asked for, or the newest (`last`).
    """
    order = sorted(overview.names if allowed is None else allowed, key=lambda n: -overview.places[n])
    order = [number for number in order if overview.counts[number]]
    if last:
        return order[:1]
    if not sought.only_dated:
        return []
    return [number for number in order if is_of(overview.names[number], sought.days or sought.months)]


def _standing(
    file: sqlite3.Connection, overview: Overview, allowed: Collection[int] | None
) -> list[StandingSentence]:
    """Return the words that hold always in the sessions `allowed` (None: all), newest first, a few."""
    query = (
        "SELECT standing.rowid, facts.number, said FROM standing JOIN facts ON facts.rowid = standing.rowid"
    )
    found = [
        (row, number, sentence)
        for row, number, said in file.execute(query)
        if row >> PLACES_BITS in (overview.names if allowed is None else allowed)
        for sentence in reversed(said.split("\n"))
    ]
    found.sort(key=lambda one: (overview.places[one[0] >> PLACES_BITS], one[0]), reverse=True)
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
    words = [(1 << place, term.word) for place, term in enumerate(ranked.terms) if not term.kind]
    terms: dict[int, tuple[str, ...]] = {}
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
        if mask not in terms:
            terms[mask] = tuple(word for bit, word in words if mask & bit)
        numbers = tuple(ranked.facts[shown].number for shown in span)
        hit = Hit(
            session=overview.names[session],
            message=ranked.facts[row].number,
            span=(numbers[0], numbers[-1]),
            score=scores[row],
            confidence=sure * scores[row],
            messages=numbers,
            terms=terms[mask],
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
