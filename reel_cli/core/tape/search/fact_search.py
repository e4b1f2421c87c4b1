"""Search of the facts and the working memory for the one that answers a question for sure."""

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.fact_answer import (
    EXACT,
    HEAD,
    OWN,
    UNFIT,
    AskedFact,
    FactLine,
    find_next,
    rank_answer,
    read_question,
)
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.note_search import LINES_BITS, NoteSearch, is_working
from reel_cli.core.tape.search.overview import PLACES
from reel_cli.core.tape.search.own_questions import list_own_keys
from reel_cli.core.tape.search.query import Term, words
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.core.values.talk import session_order

_MOST_SAID = 60
"""Turns that may say a fact's name; of one said more often nobody knows by it which thing is meant."""
_OF_OTHERS = frozenset(("fact relationships", "fact people"))
"""Kinds of fact that are about somebody else."""
_ARTICLES = frozenset(("the", "a", "an", "this", "that"))
"""Words before a name that say nothing of which thing it is; `my` and `her` do."""


@frozen
class FactSearch:
    """The facts and the working memory among the `notes` of an index, asked for one question."""

    notes: NoteSearch

    def known(self, ranked: Ranking, people: Collection[str]) -> tuple[str, str] | None:
        """Return the ID and statement of the fact that answers the question; None where none does for sure.

        A question about oneself (`where do I live`) is answered by what the fact is called. `people` are the
        words of the speakers' names; a fact that does not name those whom the question names is no answer to
        it.
        """
        if self.notes.question.notes is not None:
            return None
        own = self._of_asker()
        return own if own is not None or not ranked.whole else self._of_thing(ranked, people)

    def _of_thing(self, ranked: Ranking, people: Collection[str]) -> tuple[str, str] | None:
        """Return the fact of the thing that is asked about; None where none answers for sure."""
        called = {word for word in self.notes.plain.split() if word in people}
        rows = self.notes.file.execute("SELECT number, line, id FROM notes WHERE line <> ''").fetchall()
        lines = {number: line for number, line, name in rows if self.notes.noted or not is_working(name)}
        noted = {number for number, _, name in rows if is_working(name)}
        asked = read_question(self.notes.question.text, people, self.notes.question.asker)
        unfit = asked.kind == UNFIT
        # "allergic to shellfish" has no word of "what can I not eat"
        held = dict.fromkeys(lines, 0) if unfit else {}
        for row, mask in self.notes.held(ranked.terms).items() if lines else ():
            if row >> LINES_BITS in lines:
                held[row >> LINES_BITS] = held.get(row >> LINES_BITS, 0) | mask
        if not held:
            return None
        ranks: dict[int, int] = {}
        facts: dict[int, FactLine] = {}
        for number, mask in held.items():
            if number in noted:
                continue
            left = {term.word for i, term in enumerate(ranked.terms) if not (term.kind or mask >> i & 1)}
            most = HEAD if any(map(asked.needs, left)) else EXACT
            if most == HEAD and not unfit and not self._is_called_so(ranked.terms, number, mask):
                continue
            name = self.notes.name(number)
            facts[number] = FactLine(name, name.partition("/")[2].replace("-", " "), lines[number])
            rank = rank_answer(asked, facts[number])
            if rank and called <= set(words(lines[number])) and self._stands(number):
                ranks[number] = min(rank, most)
        if asked.upcoming and not any("next" in words(lines[number]) for number in ranks):
            of_it = [facts[number] for number, rank in ranks.items() if rank >= HEAD]
            today = max(name[:10] for name in self.notes.overview.names.values())
            told = self._coming_notes(asked, ranked.terms, {n: held[n] for n in noted & held.keys()})
            coming = find_next([*of_it, *told], today) or find_next(of_it, today)
            return (coming.id, coming.line) if coming is not None else None
        best = [number for number, rank in ranks.items() if rank == max(ranks.values())]
        if unfit and best:
            return self.notes.name(max(best)), "; ".join(lines[number] for number in sorted(best))
        # two facts that are of the thing by part of their names may be of two things
        if not best or (len(best) > 1 and ranks[best[0]] != EXACT):
            return None
        return self.notes.name(max(best)), lines[max(best)]

    def _of_asker(self) -> tuple[str, str] | None:
        """Return the fact that answers a question about who asks; None for any other question."""
        question = self.notes.question
        keys = list_own_keys(question.text)
        if not keys:
            return None
        rows = self.notes.file.execute("SELECT number, line, id FROM notes WHERE line <> ''").fetchall()
        found: list[tuple[int, int, str, str]] = []
        for number, line, name in rows:
            category, _, key = name.partition("/")
            key = " ".join(words(key.replace("-", " ").replace("_", " "))) or key
            mine = name.startswith(OWN) == (question.asker == "assistant")
            if key in keys and mine and category not in _OF_OTHERS and self._stands(number):
                found.append((keys.index(key), -number, name, line))
        return min(found)[2:] if found else None

    def _coming_notes(
        self, asked: AskedFact, terms: Sequence[Term], held: Mapping[int, int]
    ) -> list[FactLine]:
        """Return the notes of working memory that may say when the next is; they have all words asked for."""
        found = []
        for number, mask in held.items():
            left = [term.word for i, term in enumerate(terms) if not (term.kind or mask >> i & 1)]
            line = self.notes.line(number)
            fact = FactLine(self.notes.name(number), "", line)
            if not any(map(asked.needs, left)) and self.notes.is_meant(line) and rank_answer(asked, fact):
                found.append(fact)
        return found

    def _is_called_so(self, terms: Sequence[Term], number: int, mask: int) -> bool:
        """Return whether the question names a fact in full, as the tape does (`the eye clinic` for `clinic`).

        The tape must have said so by the time of the fact, and must know no other thing of that name.
        """
        about = words(self.notes.text("note_texts", number << LINES_BITS).partition(":")[0])
        asked = words(self.notes.question.text)
        at = _find(about, asked)
        before = _describing(asked[:at]) if at else []
        left = [term for i, term in enumerate(terms) if not (term.kind or mask >> i & 1)]
        if not left or any(term.proper or not {*term.forms} & {*before} for term in left):
            return False
        own = self._rows_of(number)
        query = "SELECT rowid, body FROM turns WHERE turns MATCH ? LIMIT ?"
        phrase = " ".join(about)
        found = self.notes.file.execute(query, (f'body : "{phrase}"', _MOST_SAID + 1)).fetchall()
        full, bare = set(), set()
        for row, body in found:
            said = words(body)
            for end in (n for n in range(len(said)) if said[n : n + len(about)] == about):
                if said[max(0, end - len(before)) : end] == before:
                    full.add(row)
                elif end and said[end - 1] in _ARTICLES:
                    bare.add(row)
                else:
                    return False
        when = {row: self._when(row) for row in (*full, *own)}
        told = bool(own & (full | bare)) and len(found) <= _MOST_SAID
        return told and bool(full) and min(when[row] for row in full) <= max(when[row] for row in own)

    def _rows_of(self, number: int) -> set[int]:
        """Return the turns that a note's places name."""
        numbers = {name: one for one, name in self.notes.overview.names.items()}
        _, places = self.notes.note(number)
        return {
            row
            for session, first, last in places
            if session in numbers
            for row in self.notes.rows(numbers[session], first, last or first)
        }

    def _when(self, row: int) -> tuple[object, int]:
        """Return what a turn is ordered by among those of all sessions."""
        return session_order(self.notes.overview.names[row // PLACES]), row

    def _stands(self, number: int) -> bool:
        """Return whether a note's place is among the sessions searched; one without a place is if all are."""
        _, places = self.notes.note(number)
        sessions = self.notes.question.sessions
        if not places:
            return sessions is None
        among = self.notes.overview.names.values() if sessions is None else sessions
        return any(session in among for session, _, _ in places)


def _find(about: Sequence[str], asked: Sequence[str]) -> int:
    """Return where words stand side by side among others; 0 where they do not, or at the very beginning."""
    ends = range(len(asked) - len(about) + 1) if about else ()
    return next((n for n in ends if list(asked[n : n + len(about)]) == list(about)), 0)


def _describing(asked: Sequence[str]) -> list[str]:
    """Return the words right before a name that say more of it."""
    return list(takewhile(lambda word: word not in STOP, reversed(asked)))[::-1]
