"""Conversion of ranked turns to an answer: moments without overlap, notes beside them, the confidence."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.confidence import THRESHOLD, judge
from reel_cli.core.tape.search.query import Sought, name_words, parse_question
from reel_cli.core.tape.search.ranking import PLACES_BITS, Overview, Ranked, rank_turns
from reel_cli.core.values.search import Hit, Question, SearchResult

if TYPE_CHECKING:
    from reel_cli.core.tape.search.meaning import Meaning

REACH = 2
"""Maximum number of turns that a moment includes before and after the matching one."""
WORTH_SHOWING = 0.65
"""A neighbour is part of the moment where its own score is at least this share of the turn's that matched."""
KEY_CONFIDENCE = 0.97
"""Confidence in a note whose key occurs in the question word for word."""


def answer(  # noqa: PLR0913
    file: sqlite3.Connection,
    overview: Overview,
    people: Sequence[tuple[str, str]],
    question: Question,
    *,
    limit: int,
    threshold: float | None = None,
    one_per_session: bool = False,
    meaning: "Meaning | None" = None,
) -> SearchResult:
    """Return the moments that answer a question, best first; `meaning` affects order, not confidence."""
    names = [*people, *((role, name) for role, name in question.names.items() if name)]
    sought = parse_question(question, name_words(names))
    gate = THRESHOLD if threshold is None else threshold
    if not sought.terms or limit < 1:
        return SearchResult([], threshold=gate)
    allowed = None
    if question.sessions is not None:
        wanted = set(question.sessions)
        allowed = {number for number, name in overview.names.items() if name in wanted}
    ranked = rank_turns(file, sought, overview, allowed)
    sure = judge(ranked, overview)
    if meaning is not None:
        meaning.join(file, overview, ranked, question.text, allowed)
    moments = _moments(ranked, overview, limit, sure, one_per_session=one_per_session)
    notes = _Notes(file, overview, sought, ranked, question).find()
    hits = _merge(moments, notes, limit)
    terms = {t.word: n for t, n in zip(ranked.terms, ranked.counts, strict=True) if not t.kind}
    if hits and max(hit.confidence for hit in hits) < gate:
        return SearchResult([], hits, gate, terms)
    return SearchResult(hits, [], gate, terms)


def _moments(
    ranked: Ranked, overview: Overview, limit: int, sure: float, *, one_per_session: bool
) -> list[Hit]:
    scores, masks = ranked.scores, ranked.masks
    taken: set[int] = set()
    sessions: set[int] = set()
    hits: list[Hit] = []
    # of two alike the newer one
    for row in sorted(scores, key=lambda row: (-scores[row], -row)):
        session = row >> PLACES_BITS
        if row in taken or (one_per_session and session in sessions):
            continue
        span = _span(row, scores, taken)
        taken.update(span)
        sessions.add(session)
        mask = 0
        for shown in span:
            mask |= masks.get(shown, 0)
        numbers = tuple(ranked.facts[shown].number for shown in span)
        hits.append(
            Hit(
                session=overview.names[session],
                message=ranked.facts[row].number,
                span=(numbers[0], numbers[-1]),
                score=scores[row],
                confidence=sure * scores[row],
                messages=numbers,
                terms=tuple(t.word for i, t in enumerate(ranked.terms) if mask >> i & 1 and not t.kind),
            )
        )
        if len(hits) == limit:
            break
    return hits


def _span(row: int, scores: Mapping[int, float], taken: set[int]) -> list[int]:
    least = WORTH_SHOWING * scores[row]
    ends = []
    for step in (-1, 1):
        end = row
        while abs(end + step - row) <= REACH and scores.get(end + step, 0.0) >= least:
            if end + step in taken:
                break
            end += step
        ends.append(end)
    return list(range(ends[0], ends[1] + 1))


@frozen
class _Notes:
    """Memories and index lines that answer a question, as hits."""

    file: sqlite3.Connection
    overview: Overview
    sought: Sought
    ranked: Ranked
    question: Question

    def find(self) -> list[Hit]:
        """Return the notes found by key, then those found by their text."""
        found = self._by_key()
        seen = {hit.note for hit in found}
        return found + [hit for hit in self._by_text() if hit.note not in seen]

    def _by_key(self) -> list[Hit]:
        plain = self.sought.plain
        rows = self.file.execute("SELECT key, note FROM keys").fetchall()
        keys: dict[int, str] = {}
        for key, note in rows:
            if f" {key} " in plain and len(key) > len(keys.get(note, "")):
                keys[note] = key
        longest = sorted(keys, key=lambda note: -len(keys[note]))
        return self._hits(longest, dict.fromkeys(longest, 1.0), dict.fromkeys(longest, KEY_CONFIDENCE))

    def _by_text(self) -> list[Hit]:
        ranked, terms = self.ranked, self.ranked.terms
        held: dict[int, int] = {}
        for at, term in enumerate(terms):
            query = "SELECT rowid FROM note_texts WHERE note_texts MATCH ?"
            for (row,) in self.file.execute(query, (term.match,)):
                held[row] = held.get(row, 0) | 1 << at
        whole = ranked.whole
        if not held or not whole:
            return []
        shares = {row: ranked.cover(mask) / whole for row, mask in held.items()}
        best = sorted((row for row in shares if shares[row] >= 0.5), key=lambda row: (-shares[row], row))[:20]
        return self._hits(best, shares, {row: 0.9 * shares[row] for row in best})

    def _hits(self, rows: Sequence[int], scores: Mapping[int, float], sure: Mapping[int, float]) -> list[Hit]:
        allowed = None if self.question.notes is None else set(self.question.notes)
        sessions = None if self.question.sessions is None else set(self.question.sessions)
        stand = set(self.overview.names.values())
        hits: list[Hit] = []
        for row in rows:
            note, places = self.file.execute(
                "SELECT id, places FROM notes WHERE number = ?", (row,)
            ).fetchone()
            if allowed is not None and note not in allowed:
                continue
            where = [
                w for w in json.loads(places) if w[0] in stand and (sessions is None or w[0] in sessions)
            ]
            if not where and sessions is not None:
                continue
            words = tuple(term.word for term in self.ranked.terms if not term.kind)
            if not where:
                hits.append(Hit(None, None, None, scores[row], sure[row], note, terms=words))
                continue
            session, first, last = where[0]
            numbers = tuple(range(first, max(first, last) + 1))
            hits.append(
                Hit(
                    session=session,
                    message=first,
                    span=(first, numbers[-1]),
                    score=scores[row],
                    confidence=sure[row],
                    note=note,
                    messages=numbers,
                    terms=words,
                )
            )
        return hits


def _merge(moments: Sequence[Hit], notes: Sequence[Hit], limit: int) -> list[Hit]:
    """Return notes among the moments by score; a note for a moment found already lends it its name."""
    return sorted([*notes, *moments], key=lambda hit: -hit.score)[:limit]
