"""Search of the facts and the working memory for the one that answers a question for sure."""

import json
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import takewhile

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.note_search import LINES_BITS, NoteSearch, is_working
from reel_cli.core.tape.search.overview import PLACES
from reel_cli.core.tape.search.query import Term, words
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.core.values.talk import session_order
from reel_cli.features.facts.answering.fact_answer import (
    BORNE,
    find_next,
    has_date,
    has_dose,
    is_counted,
    is_of_thing,
    is_owed,
    rank_answer,
    rank_before,
)
from reel_cli.features.facts.answering.fact_line import CONSTRAINTS, EXACT, HEAD, OWN, SUBJECT, FactLine
from reel_cli.features.facts.answering.fact_person import tells_card
from reel_cli.features.facts.answering.fact_question import (
    DOSE,
    MEDICINE,
    PROMISE,
    PROMISING,
    SCHEDULE,
    UNFIT,
    WHETHER,
    AskedFact,
    read_question,
)
from reel_cli.features.facts.answering.own_questions import list_own_keys

_MOST_SAID = 60
"""Turns that may say a fact's name; of one said more often nobody knows by it which thing is meant."""
_OF_OTHERS = frozenset(("fact relationships", "fact people"))
"""Kinds of fact that are about somebody else."""
_COMMITMENTS = "fact commitments/"
_MOST_JOINED = 4
"""Number of facts told in the one line, at most, where more than one answers."""
_MOST_PAST = 3
"""Number of earlier values told of a fact, the newest."""
_ARTICLES = frozenset(("the", "a", "an", "this", "that"))
"""Words before a name that say nothing of which thing it is; `my` and `her` do."""


def find_sure(
    notes: NoteSearch, ranked: Ranking, people: Mapping[str, Collection[str]], *, says: bool
) -> tuple[str, str] | None:
    """Return the ID and statement of the fact that answers a question; None where none does for sure.

    `people` are the words of the speakers' names. A question of which nothing `says` what it is about is
    answered only where it is about oneself.
    """
    if not says and not list_own_keys(notes.question.text):
        return None
    return FactSearch(notes).known(ranked, people)


@frozen
class FactSearch:
    """The facts and the working memory among the `notes` of an index, asked for one question."""

    notes: NoteSearch

    def known(self, ranked: Ranking, people: Mapping[str, Collection[str]]) -> tuple[str, str] | None:
        """Return the ID and statement of the fact that answers the question; None where none does for sure.

        A question about oneself (`where do I live`) is answered by what the fact is called. `people` are the
        words of the speakers' names; a fact that does not name those whom the question names is no answer to
        it.
        """
        if self.notes.question.notes is not None:
            return None
        own = self._of_asker()
        return own if own is not None or not ranked.whole else self._of_thing(ranked, people)

    def _of_thing(self, ranked: Ranking, people: Mapping[str, Collection[str]]) -> tuple[str, str] | None:
        """Return the fact of the thing that is asked about; None where none answers for sure."""
        asked = read_question(self.notes.question.text, people, self.notes.question.asker)
        if asked.guesses:
            return None
        facts = {number: fact for number, fact in self._facts().items() if self._stands(number)}
        called = {word for word in self.notes.plain.split() if word in people}
        facts = {
            n: fact for n, fact in facts.items() if all(_is_of(asked, fact, word, people) for word in called)
        }
        if asked.kind in (PROMISE, MEDICINE):
            return _join(_list_owed(asked, facts) if asked.kind == PROMISE else _list_medicines(asked, facts))
        # "allergic to shellfish" has no word of "what can I not eat"
        held = dict.fromkeys(facts, 0) if asked.kind == UNFIT else {}
        anyhow = asked.past or asked.still
        for number, fact in facts.items():
            # the index does not know that `died` is a form of `die`
            if (anyhow and fact.past) or len(asked.lacking(fact.words())) < len(asked.content):
                held[number] = 0
        noted: dict[int, int] = {}
        for row, mask in self.notes.held(ranked.terms).items():
            into = held if row >> LINES_BITS in facts else noted
            into[row >> LINES_BITS] = into.get(row >> LINES_BITS, 0) | mask
        ranks = {
            number: rank
            for number, mask in held.items()
            if number in facts and (rank := self._rank(asked, ranked.terms, number, facts[number], mask))
        }
        if asked.upcoming and not any("next" in words(facts[number].line) for number in ranks):
            of_it = [facts[number] for number, rank in ranks.items() if rank >= HEAD]
            today = max(name[:10] for name in self.notes.overview.names.values())
            told = self._coming_notes(asked, ranked.terms, noted)
            coming = find_next([*of_it, *told], today) or find_next(of_it, today)
            if coming is None and len(of_it) == 1 and not has_date(of_it[0]):
                coming = of_it[0]
            return (coming.id, coming.line) if coming is not None else None
        best = [facts[number] for number in self._by_age(ranks) if ranks[number] == max(ranks.values())]
        if not best:
            return self._before(asked, facts) if asked.was and asked.kind in BORNE else None
        if asked.kind == UNFIT or all(tells_card(asked, one, one.told(), SUBJECT) for one in best):
            return _join(best)
        # two facts that are of the thing by part of their names may be of two things
        one_matter = asked.kind == WHETHER or max(ranks.values()) == EXACT
        if len(best) > 1 and not one_matter:
            return None
        return best[-1].id, _with_past(asked, best[-1])

    def _facts(self) -> dict[int, FactLine]:
        """Return the facts among the notes, by number."""
        query = "SELECT number, id, line, past FROM notes WHERE line <> ''"
        return {
            number: FactLine(name, name.partition("/")[2].replace("-", " "), line, json.loads(past or "[]"))
            for number, name, line, past in self.notes.file.execute(query)
            if not is_working(name)
        }

    def _by_age(self, numbers: Collection[int]) -> list[int]:
        """Return facts in the order in which they were said, those without a place last."""

        def said(number: int) -> tuple[bool, Sequence[object], int]:
            _, places = self.notes.note(number)
            last = max(((*session_order(session), first) for session, first, _ in places), default=())
            return not places, last, number

        return sorted(numbers, key=said)

    def _rank(self, asked: AskedFact, terms: Sequence[Term], number: int, fact: FactLine, mask: int) -> int:
        """Return how well a fact answers; less where the question has words that the fact does not."""
        rank = rank_answer(asked, fact)
        if not rank or asked.kind == UNFIT or asked.past or (asked.still and fact.past):
            return min(rank, HEAD) if asked.kind == UNFIT else rank
        # the index knows more forms of a word, but cuts names too (`Ines` to `in`), and has who said it
        frame = set(words(fact.line)).difference(fact.words())
        known = (term for at, term in enumerate(terms) if mask >> at & 1 and not term.proper)
        has = {term.word for term in known if frame.isdisjoint(term.forms)}
        left = {term.word for term in terms if not term.kind} - has
        lacking = set(asked.lacking(fact.words())) & left if asked.content else {*filter(asked.needs, left)}
        if not lacking:
            return rank
        proper = {term.word for term in terms if term.proper} & lacking
        if not proper and is_of_thing(asked, fact):
            if asked.kind == WHETHER and fact.id.startswith(CONSTRAINTS):
                # a limit holds whatever else the question says
                return min(rank, HEAD)
            if asked.kind in BORNE and self._is_said_there(asked, number, lacking):
                return min(rank, HEAD)
        return min(rank, HEAD) if self._is_called_so(terms, number, mask) else 0

    def _is_said_there(self, asked: AskedFact, number: int, lacking: AbstractSet[str]) -> bool:
        """Return whether the turns that a fact is taken from, and those before, have words that it lacks."""
        rows = self._rows_of(number)
        near = rows | {row - 1 for row in rows if row % PLACES}
        said = {word for row in near for word in words(self.notes.text("turns", row))}
        return bool(rows) and lacking.isdisjoint(asked.lacking(said))

    def _before(self, asked: AskedFact, facts: Mapping[int, FactLine]) -> tuple[str, str] | None:
        """Return what held before and answers a question in the past tense; None for none or several."""
        found = [(fact, was) for fact in facts.values() if (was := rank_before(asked, fact)) is not None]
        if len(found) != 1:
            return None
        fact, (text, until) = found[0]
        name, _, said = fact.line.partition(": ")
        named = words(name) == words(fact.key)
        told = f"{name if named else fact.key}: {text}, until {until}; since then: "
        return fact.id, told + (said if named else fact.line)

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
            # `age and birthday`
            called = [one for one in (key, *key.split(" and ")) if one in keys]
            counted = is_counted(FactLine(name, key, line))
            if called and mine and category not in _OF_OTHERS and not counted and self._stands(number):
                found.append((keys.index(called[0]), -number, name, line))
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


def _is_of(asked: AskedFact, fact: FactLine, word: str, people: Mapping[str, Collection[str]]) -> bool:
    """Return whether a fact has a word of a speaker's name, or is of the medicines of that speaker."""
    if word in {*words(fact.line), *fact.words(past=True)}:
        return True
    own, others = fact.id.startswith(OWN), fact.id.startswith(tuple(f"{kind}/" for kind in _OF_OTHERS))
    role = "assistant" if own else "user"
    return asked.kind in (DOSE, MEDICINE, SCHEDULE) and not others and role in people[word]


def _list_owed(asked: AskedFact, facts: Mapping[int, FactLine]) -> list[FactLine]:
    """Return the facts of what the one promised whom a question is about, of the matter that it names."""
    mine = asked.whose == "user"
    kind = _COMMITMENTS if mine else OWN
    owed = [fact for fact in facts.values() if asked.whose and fact.id.startswith(kind) and is_owed(fact)]
    about = [word for word in asked.content if not PROMISING.match(word)]
    return [fact for fact in owed if not about or len(asked.lacking(fact.words())) < len(about)]


def _list_medicines(asked: AskedFact, facts: Mapping[int, FactLine]) -> list[FactLine]:
    """Return the facts of the medicines of whom a question is about."""
    found = [fact for fact in facts.values() if has_dose(fact) and not asked.lacking(fact.words())]
    own = asked.whose == "assistant"
    of_others = tuple(f"{kind}/" for kind in _OF_OTHERS)
    return [
        fact
        for fact in found
        if fact.id.startswith(OWN) == own and (asked.content or not fact.id.startswith(of_others))
    ]


def _join(facts: Sequence[FactLine]) -> tuple[str, str] | None:
    """Return the ID of the newest of some facts and the statements of all, a few; None for no fact."""
    told = facts[-_MOST_JOINED:]
    return (told[-1].id, "; ".join(one.line for one in told)) if told else None


def _with_past(asked: AskedFact, fact: FactLine) -> str:
    """Return a fact's statement, with what it said before where that is asked for."""
    if not (asked.past or asked.still):
        return fact.line
    # of what still holds, the value that is asked about
    new = [word for word in asked.content if word in asked.lacking(fact.words())]
    meant = [one for one in fact.past if len(asked.lacking(words(one[0]))) < len(asked.content) and new]
    told = fact.past[:_MOST_PAST] if asked.past else (meant or fact.past)[:1]
    return "; ".join([fact.line, *(f"before, until {until}: {text}" for text, until in told)])


def _find(about: Sequence[str], asked: Sequence[str]) -> int:
    """Return where words stand side by side among others; 0 where they do not, or at the very beginning."""
    ends = range(len(asked) - len(about) + 1) if about else ()
    return next((n for n in ends if list(asked[n : n + len(about)]) == list(about)), 0)


def _describing(asked: Sequence[str]) -> list[str]:
    """Return the words right before a name that say more of it."""
    return list(takewhile(lambda word: word not in STOP, reversed(asked)))[::-1]
