"""Search of the notes: memories, index lines, facts, working memory; and the turns that their words lead to.

A note says in other words what was said somewhere in its stretch of tape. Each of its sentences leads to the
turn of that stretch with which it shares most, and that turn counts as holding the sentence's words too. Only
a note without a place on the tape, or one whose phrase stands in the question, is an answer itself.
A question that a page foresaw leads to its stretch alone (`foreseen.py`). The one fact that answers for sure
is asked of the port `sure_answers`.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from functools import partial
from math import fsum, log, sqrt
from re import compile as pattern

from reel_cli.core.frozen import frozen
from reel_cli.core.question_words import is_question
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.search.foreseen import LEAST_FORESEEN, Foreseen, Leads
from reel_cli.core.tape.search.forms import ASKING, STOP, bases, forms, things
from reel_cli.core.tape.search.overview import PLACES, Overview
from reel_cli.core.tape.search.query import Term, pairs, words
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.core.values.search import WORKING_NOTE, Hit, Question

LINES_BITS = 10
LINES = 1 << LINES_BITS
"""Number of row numbers a note has for its sentences."""
_OF_SOMEBODY = pattern(
    r"(?:(?:Mrs?|Ms|Dr)\.? )?((?!(?:It|This|That|He|She)\b)[A-ZÀ-ÖØ-Þ]\w+)(?:['’]s?| (?:and|gave|got|\w+s)) "
)
"""Pattern of a note about somebody, whose name it begins with: `Henrik takes`, `Henrik's appointment`."""
_MINE = pattern(r"(?i)\b(?:my|i|me|mine|our|we)\b")
_SENTENCE = pattern(r"\n+|(?<=[.!?;。！？])\s+")

KEY_CONFIDENCE = 0.97
"""Confidence in a note whose key occurs in the question word for word."""
NOTED_SHARE = 0.6
"""Part of a question's words, by weight, that a note of working memory has which is told as a moment."""
BEHIND = 0.999
"""Score of such a note behind the best moment of the tape."""
_MOST_LINES = 12
"""Sentences, the best first, whose turns are looked for."""
_ALIKE = 3.0
"""Weight of the words that a sentence and a turn must share; each weighs by how few turns have it."""
_STEM = 5
"""Letters by which two words count as one."""
_LOOKED_AT = 800
"""Characters of a turn that are compared."""
_LONGEST_STRETCH = 64
"""Turns of a stretch that are compared; a longer one is as good as none."""


def is_working(name: str | None) -> bool:
    """Return whether an ID is that of a note of working memory."""
    return name is not None and name.startswith(WORKING_NOTE)


def split_lines(text: str) -> list[str]:
    """Return the sentences of a note, at most as many as a note has row numbers."""
    return [line for part in split_sentences(_SENTENCE, text) if (line := part.strip())][:LINES]


@frozen
class NoteSearch:
    """The notes of an index, asked for one question; `plain` is the question's words with blanks around."""

    file: sqlite3.Connection
    overview: Overview
    question: Question
    plain: str
    noted: bool = True
    """Whether notes of working memory may answer."""
    found: dict[str, list[int]] = field(default_factory=dict)
    """Rows of the sentences that hold a term, by its word."""
    loose: set[int] = field(default_factory=set)
    """Rows of the turns to which only a note's phrase leads, since none of its words found is like them."""

    def leads(
        self, terms: Sequence[Term], weights: Sequence[float], allowed: Collection[int] | None
    ) -> Leads:
        """Return the turns that notes lead to, and the stretches in which a foreseen question is answered."""
        held = self._telling(terms)
        if not held:
            return Leads()
        worth = {m: sum(w for i, w in enumerate(weights) if m >> i & 1) for m in set(held.values())}
        best = sorted(held, key=lambda row: (-worth[held[row]], row))[:_MOST_LINES]
        lines: dict[int, list[int]] = {}
        for row in best:
            lines.setdefault(row >> LINES_BITS, []).append(row)
        numbers = {name: number for number, name in self.overview.names.items()}
        found: dict[int, tuple[int, int]] = {}
        foreseen: list[Foreseen] = []
        plain = [0.0 if term.kind else weight for term, weight in zip(terms, weights, strict=True)]
        known = {form for term in terms if " " not in term.word for form in term.forms}
        known.update(self.plain.split())
        for note, rows in lines.items():
            name, places = self.note(note)
            if self.question.notes is not None and name not in self.question.notes:
                continue
            stretch = [
                row
                for session, first, last in places
                if session in numbers and (allowed is None or numbers[session] in allowed)
                for row in self.rows(numbers[session], first, last)
            ]
            if not 0 < len(stretch) <= _LONGEST_STRETCH:
                continue
            said = {row: self.text("note_texts", row) for row in rows}
            told = {row: line for row, line in said.items() if not is_question(line)}
            for row, (turn, alike) in self._align(note, told, stretch).items() if told else ():
                if alike or turn not in found:
                    (self.loose.discard if alike else self.loose.add)(turn)
                found[turn] = note, found.get(turn, (0, 0))[1] | held[row]
            for row in (row for row in said if row not in told):
                asked = sum(weight for at, weight in enumerate(plain) if held[row] >> at & 1)
                like = sqrt(asked / (sum(plain) or 1.0) * _part_of(said[row], known))
                shared = [term for at, term in enumerate(terms) if plain[at] and held[row] >> at & 1]
                if like >= LEAST_FORESEEN and not self._is_astray(said[row], shared, known, stretch):
                    anchor = partial(self._phrase_turn, note, stretch)
                    foreseen.append(Foreseen(note, held[row], like, stretch, anchor))
        return Leads(found, foreseen)

    def answers(self, ranked: Ranking, *, by_text: bool, known: str, sure: float) -> list[Hit]:
        """Return the notes that are an answer: found by a key, or by their text if they have no tape.

        Of working memory only the best one is, and not the one that is `known`. It is as certain as the tape
        (`sure`) at most, so that no moment of the tape is left out for it, and comes before the first only
        where it has all that was asked for of somebody.
        """
        found = self._by_key(ranked)
        if not by_text:
            return found
        seen = {hit.note for hit in found}
        more = [hit for hit in self._by_text(ranked) if hit.note not in seen]
        working = [hit for hit in more if is_working(hit.note) and hit.score >= NOTED_SHARE and self.noted]
        plain = [term for term in ranked.terms if not term.kind]
        leads = len(plain) > 1 and any(term.proper for term in plain)
        best = [
            replace(hit, confidence=min(hit.confidence, sure), score=min(hit.score, 1.0 if leads else BEHIND))
            for hit in working[:1]
            if hit.note != known
        ]
        return found + [hit for hit in more if not is_working(hit.note)] + best

    def line(self, number: int) -> str:
        """Return a fact's statement, or a note of working memory, as it is told; empty for other notes."""
        found = self.file.execute("SELECT line FROM notes WHERE number = ?", (number,)).fetchone()
        return str(found[0])

    def is_meant(self, line: str) -> bool:
        """Return whether a note may be about whom a question asks for: it names nobody else at its beginning.

        Where the question has neither `my` nor `I` it may be about anybody.
        """
        of = _OF_SOMEBODY.match(line) if _MINE.search(self.question.text) else None
        return of is None or not {*words(of[1])}.isdisjoint(self.plain.split())

    def name(self, number: int) -> str:
        """Return a note's ID."""
        return self.note(number)[0]

    def held(self, terms: Sequence[Term]) -> dict[int, int]:
        """Return the terms in each sentence that holds any, by row; a term is looked up once a question."""
        held: dict[int, int] = {}
        query = "SELECT rowid FROM note_texts WHERE note_texts MATCH ?"
        for at, term in enumerate(terms):
            if term.word not in self.found:
                self.found[term.word] = [row for (row,) in self.file.execute(query, (term.match,))]
            for row in self.found[term.word]:
                held[row] = held.get(row, 0) | 1 << at
        return held

    def _telling(self, terms: Sequence[Term]) -> dict[int, int]:
        """Return the terms in each sentence that holds more than words of how something is asked."""
        held = self.held(terms)
        telling = sum(1 << at for at, term in enumerate(terms) if term.word not in ASKING)
        return {row: mask for row, mask in held.items() if mask & telling} if telling else held

    def note(self, number: int) -> tuple[str, list[tuple[str, int, int]]]:
        """Return a note's ID and its places: a session, the first message and the last (0: the whole)."""
        name, places = self.file.execute(
            "SELECT id, places FROM notes WHERE number = ?", (number,)
        ).fetchone()
        return name, json.loads(places)

    def rows(self, session: int, first: int, last: int) -> list[int]:
        """Return the rows of a session's messages from the first to the last (0: the whole session)."""
        found = self.file.execute(
            "SELECT rowid FROM facts WHERE rowid BETWEEN ? AND ? AND (? = 0 OR number BETWEEN ? AND ?)",
            (session * PLACES, (session + 1) * PLACES - 1, last, first, last),
        )
        return [row for (row,) in found]

    def _align(
        self, note: int, lines: Mapping[int, str], stretch: Sequence[int]
    ) -> dict[int, tuple[int, bool]]:
        """Return the turn that each of a note's sentences leads to, and whether the two are alike.

        A sentence that shares too little with any turn leads to the one that holds the note's phrase; those
        that lead nowhere are left out.
        """
        if len(stretch) == 1:
            return dict.fromkeys(lines, (stretch[0], True))
        turns = self._turns(stretch)
        stems = {row: _stems(text) for row, text in turns.items()}
        common = Counter(stem for some in stems.values() for stem in some)
        anchor = self._anchor(note, turns)
        found = {}
        for row, line in lines.items():
            own = _stems(line)
            alike = {
                turn: fsum(log(1 + len(stretch) / common[stem]) for stem in own & some)
                for turn, some in stems.items()
            }
            best = max(alike, key=alike.__getitem__)
            turn = best if alike[best] >= _ALIKE else anchor
            if turn is not None:
                found[row] = turn, alike[best] >= _ALIKE
        return found

    def _is_astray(
        self, line: str, shared: Sequence[Term], known: AbstractSet[str], stretch: Sequence[int]
    ) -> bool:
        """Return whether a foreseen question has one word of the one asked, and its stretch no word of it.

        Which turn answers it, or whether one does, nobody can tell: the two may ask for different things. One
        whose words were all asked for leads to its stretch all the same.
        """
        if len(shared) != 1:
            return False
        names = {word for name in self.question.names.values() for word in words(name)}
        own = {word for word in words(line) if word not in STOP and word not in names}
        others = {word for word in own if known.isdisjoint(bases(word))}
        (term,) = shared
        wanted = {*term.forms, *things(term.word)}.union(*(forms(word) for word in others - ASKING))
        said = (words(text) for text in self._turns(stretch).values()) if others else ()
        return bool(others) and all(wanted.isdisjoint(one) for one in said)

    def _phrase_turn(self, note: int, stretch: Sequence[int]) -> int | None:
        """Return the turn of a stretch that holds a note's phrase; None where none does."""
        return self._anchor(note, self._turns(stretch))

    def _anchor(self, note: int, turns: Mapping[int, str]) -> int | None:
        """Return the turn that holds a note's phrase; None where none does."""
        in_order = "SELECT key FROM keys WHERE note = ? ORDER BY rowid"
        keys = [key for (key,) in self.file.execute(in_order, (note,))]
        plain = {row: f" {' '.join(words(text))} " for row, text in turns.items()}
        return next((row for key in keys for row, said in plain.items() if f" {key} " in said), None)

    def _turns(self, rows: Sequence[int]) -> dict[int, str]:
        """Return the words of some turns, as far as they are compared."""
        marks = ",".join("?" * len(rows))
        query = f"SELECT rowid, substr(body, 1, {_LOOKED_AT}) FROM turns WHERE rowid IN ({marks})"  # noqa: S608
        return dict(self.file.execute(query, rows).fetchall())

    def text(self, table: str, row: int) -> str:
        """Return the text of a table's row; empty where it has none."""
        found = self.file.execute(f"SELECT body FROM {table} WHERE rowid = ?", (row,)).fetchone()  # noqa: S608
        return str(found[0]) if found is not None else ""

    def _by_key(self, ranked: Ranking) -> list[Hit]:
        within = "SELECT key, note FROM keys WHERE instr(?, ' ' || key || ' ')"
        keys: dict[int, str] = {}
        for key, note in self.file.execute(within, (self.plain,)):
            if len(key) > len(keys.get(note, "")):
                keys[note] = key
        longest = sorted(keys, key=lambda note: -len(keys[note]))
        sure = dict.fromkeys(longest, KEY_CONFIDENCE)
        return self._hits(ranked, longest, dict.fromkeys(longest, 1.0), sure)

    def _by_text(self, ranked: Ranking) -> list[Hit]:
        held: dict[int, int] = {}
        for row, mask in self.held(ranked.terms).items():
            held[row >> LINES_BITS] = held.get(row >> LINES_BITS, 0) | mask
        held = {note: self._with_kinds(note, mask, ranked.terms) for note, mask in held.items()}
        whole = ranked.whole
        if not held or not whole:
            return []
        # few ways to hold some of the words, and many notes
        share = {mask: ranked.cover(mask) / whole for mask in set(held.values())}
        shares = {note: share[mask] for note, mask in held.items() if share[mask] >= 0.5}
        best = sorted(shares, key=lambda note: (-shares[note], note))[:20]
        sure = {note: 0.9 * shares[note] for note in best}
        meant = [note for note in best if not is_working(self.name(note)) or self.is_meant(self.line(note))]
        return [hit for hit in self._hits(ranked, meant, shares, sure) if hit.session is None]

    def _with_kinds(self, note: int, mask: int, terms: Sequence[Term]) -> int:
        """Return the terms in a note; in one of working memory about somebody asked about, by kinds, too.

        `40 mg` stands for the tablets of `which tablets does Henrik take`.
        """
        names = sum(1 << at for at, term in enumerate(terms) if term.proper and not term.kind)
        if not mask & names or not is_working(self.name(note)):
            return mask
        kinds = {term.word[1:] for at, term in enumerate(terms) if mask >> at & 1 and term.word[0] == "~"}
        return mask | sum(1 << at for at, term in enumerate(terms) if term.word in kinds)

    def _hits(
        self, ranked: Ranking, notes: Sequence[int], scores: Mapping[int, float], sure: Mapping[int, float]
    ) -> list[Hit]:
        allowed = None if self.question.notes is None else set(self.question.notes)
        sessions = None if self.question.sessions is None else set(self.question.sessions)
        stand = set(self.overview.names.values())
        terms = tuple(term.word for term in ranked.terms if not term.kind)
        hits: list[Hit] = []
        for number in notes:
            note, places = self.note(number)
            if allowed is not None and note not in allowed:
                continue
            where = [w for w in places if w[0] in stand and (sessions is None or w[0] in sessions)]
            if not where and sessions is not None and (places or not self.question.placeless):
                continue
            if not where:
                hits.append(Hit(None, None, None, scores[number], sure[number], note, terms=terms))
                continue
            session, first, last = where[0]
            numbers = tuple(range(first, max(first, last) + 1))
            hits.append(
                Hit(
                    session=session,
                    message=first,
                    span=(first, numbers[-1]),
                    score=scores[number],
                    confidence=sure[number],
                    note=note,
                    messages=numbers,
                    terms=terms,
                )
            )
        return hits


def _part_of(line: str, known: Collection[str]) -> float:
    """Return the part of a line's words that are among the `known`, in any form."""
    own = [word for word in words(line) if word not in STOP]
    return sum(any(base in known for base in bases(word)) for word in own) / len(own) if own else 1.0


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in words(text) if word not in STOP} | set(pairs(text))
