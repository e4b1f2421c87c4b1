"""Conversion of ranked turns to an answer: moments without overlap, notes beside them, and how sure it is."""

import heapq
import json
import sqlite3
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.query import Sought, name_words, parse_question
from reel_cli.core.tape.search.ranking import PLACES_BITS, Overview, Ranked, rank_turns
from reel_cli.core.values.search import Hit, Question, SearchResult

if TYPE_CHECKING:
    from reel_cli.core.tape.search.ranking import Meaning

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
)
BIAS = -4.95
WEIGHTS = (1.42, 1.41, 0.62, 1.06, 0.71, 0.87, 1.73, 0.62, -1.86, 2.41, 1.27, 3.37, -0.2)
"""Fitted by `python bench/recall.py --fit`: logistic regression on questions put to the tape that holds the
answer and to others, out of LoCoMo, RealMem's queries and RealMem's memories, LoCoMo weighing four times the
others. On conversations and people it was not fitted on the AUROC is .900, .896 and .962."""

THRESHOLD = 0.151
"""Confidence below which even the best is no answer: lets some 96 % of LoCoMo's answerable questions
through, each judged by what was fitted without its own conversation."""


def judge(ranked: Ranked, overview: Overview) -> float:
    """Return the chance that the tape answers the question, from 0 to 1."""
    if not ranked.scores or not overview.turns:
        return 0.0
    total = BIAS + sum(w * f for w, f in zip(WEIGHTS, features(ranked), strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def features(ranked: Ranked) -> Sequence[float]:
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
    )


REACH = 2
"""Maximum number of turns that a moment includes before and after the matching one."""
WORTH_SHOWING = 0.65
"""A neighbour is part of the moment where its own score is at least this share of the turn's that matched."""
WORTH_ROOM = 0.85
"""The same where all moments share so much room: another moment tells more than such a neighbour."""
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
    narrow: bool = False,
    meaning: "Meaning | None" = None,
) -> SearchResult:
    """Return the moments that answer a question, best first; `meaning` affects order, not confidence.

    With `narrow`, for a text of limited size, fewer neighbours are part of a moment.
    """
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
    # words that only ask stand everywhere, and whoever names nothing else has not said what for
    says = bool(sought.named) or any(term.proper or term.word not in STOP for term in sought.terms)
    sure = judge(ranked, overview) if says else 0.0
    if meaning is not None:
        meaning.join(file, overview, ranked, question.text, allowed)
    least = WORTH_ROOM if narrow else WORTH_SHOWING
    moments = _moments(ranked, overview, limit, sure, least, one_per_session=one_per_session)
    notes = _Notes(file, overview, sought, ranked, question).find(by_text=says)
    hits = _merge(moments, notes, limit)
    terms = {t.word: n for t, n in zip(ranked.terms, ranked.counts, strict=True) if not t.kind}
    if hits and max(hit.confidence for hit in hits) < gate:
        return SearchResult([], hits, gate, terms)
    return SearchResult(hits, [], gate, terms)


def _moments(  # noqa: PLR0913
    ranked: Ranked, overview: Overview, limit: int, sure: float, least: float, *, one_per_session: bool
) -> list[Hit]:
    scores, masks = ranked.scores, ranked.masks
    taken: set[int] = set()
    sessions: set[int] = set()
    hits: list[Hit] = []
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


@frozen
class _Notes:
    """Memories and index lines that answer a question, as hits."""

    file: sqlite3.Connection
    overview: Overview
    sought: Sought
    ranked: Ranked
    question: Question

    def find(self, *, by_text: bool) -> list[Hit]:
        """Return the notes found by key, then those found by their text."""
        found = self._by_key()
        if not by_text:
            return found
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
