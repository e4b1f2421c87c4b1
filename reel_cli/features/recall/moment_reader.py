"""Reading of hits as moments: the turns a hit names, what leads to them, and what is known against them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.glance import Glance
from reel_cli.core.rings.pointers import find_over
from reel_cli.core.tape.search.forms import ASKING, rarity
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.search import WORKING_NOTE, Hit
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Event, Session
from reel_cli.features.recall.moments import (
    Moment,
    date_moment,
    focus,
    tell_moment,
    tell_words,
    without_told,
)
from reel_cli.features.recall.newer_facts import tell_since
from reel_cli.features.recall.recall_answer import CLEAR
from reel_cli.features.recall.relative_days import asks_when
from reel_cli.features.recall.remembered_answer import said_terms, tell_lead

COMPARED = 12
"""Number of hits, the best first, of which it is looked at whether they say the words themselves."""
LATELY_READ = 64
"""Number of sessions kept parsed while one query follows another."""


def _outweighs(said: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether one of some words is rarer in any text than each of the others."""
    return max(map(rarity, said), default=0.0) > max(map(rarity, others), default=0.0)


class MomentReader:
    """A kit's conversations, read to tell hits of a search as moments."""

    def __init__(
        self,
        glance: Glance,
        zone: tzinfo | None,
        standing: Sequence[str],
        mended: Mapping[str, Sequence[Event]],
        say: Callable[[str], None],
    ) -> None:
        """Take the sessions that count (`standing`) and their corrections (`mended`).

        `say` is told which session cannot be read.
        """
        self._glance = glance
        self._zone = zone
        self._settings = glance.settings
        self._standing = standing
        self._mended = mended
        self._say = say
        self._sessions: dict[str, Session] = {}

    def tell_first(self, hits: Sequence[Hit], text: str, most: int, *, answered: bool) -> list[Moment]:
        """Return the first moments of some hits, no turn twice; the first few are the same however many.

        One that proves less certain in the telling waits until all that are more certain are told.
        """
        moments: list[Moment] = []
        less: list[Moment] = []
        told: set[tuple[str | None, int]] = set()

        def put(moment: Moment | None) -> None:
            left = without_told(moment, told) if moment is not None and len(moments) < most else None
            if left is not None:
                moments.append(left)
                told.update((left.session, turn.number) for turn in left.turns)

        for hit in hits:
            if len(moments) == most:
                break
            moment = self.tell(hit, text, answered=answered)
            while less and less[0].hit.confidence > hit.confidence:
                put(less.pop(0))
            if moment is not None and moment.hit.confidence < hit.confidence:
                less = sorted([*less, moment], key=lambda one: -one.hit.confidence)
            else:
                put(moment)
        for moment in less:
            put(moment)
        return moments

    def said_first(self, hits: Sequence[Hit], text: str) -> Sequence[Hit]:
        """Return hits with one that only a note leads to behind the first as clear that says its words."""
        few = [*hits[:COMPARED]]
        if all(hit.lead is None for hit in few):
            return hits
        said = [frozenset(hit.terms) if hit.lead is None else self._said_in(hit, text) for hit in few]
        places: list[float] = list(range(len(few)))
        sure = [hit.confidence for hit in few]
        for at, hit in enumerate(few):
            # a page that foresaw the question knows better than its words where the answer is
            if not hit.foreseen and (wanted := frozenset(hit.terms) - said[at] - ASKING):
                clear = (n for n in range(at, len(few)) if few[n].confidence >= CLEAR * hit.confidence)
                places[at] = next((n + 0.5 for n in clear if said[n] >= wanted), at)
                if not said[at]:
                    # of `bisoprolol dose`, a note's own `dose` leads to no bisoprolol
                    named = [n for n, one in enumerate(said) if n > at and _outweighs(one, hit.terms)]
                    places[at] = max([places[at], *(n + 0.75 for n in named)])
                    sure[at] = min([sure[at], *(few[n].confidence for n in named)])
        few = [replace(hit, confidence=least) for hit, least in zip(few, sure, strict=True)]
        return [*(few[at] for at in sorted(range(len(few)), key=places.__getitem__)), *hits[COMPARED:]]

    def _said_in(self, hit: Hit, text: str) -> frozenset[str]:
        moment = self._tell_plainly(hit, text)
        return said_terms(moment) if moment is not None else frozenset()

    def with_objections(self, moment: Moment) -> Moment:
        """Return the moment with what is known against it."""
        from reel_cli.features.recall.objections import find_objections

        known = find_objections(self._glance, self.touched([moment]), moment)
        known = [what for what in known if what not in moment.mended]
        return replace(moment, mended=(*moment.mended, *known)) if known else moment

    def with_newer_facts(self, moments: Sequence[Moment], known: tuple[str, str] | None) -> list[Moment]:
        """Return the moments with the facts that replaced since what is said in them."""
        return tell_since(moments, self._glance, self._standing, known[0] if known else "") if moments else []

    def tell(self, hit: Hit, query: str, *, answered: bool = False) -> Moment | None:
        """Return a hit in words, with what leads to it; None if its target cannot be read any more."""
        told = self._tell_plainly(hit, query, answered=answered)
        if told is None or told.session is None:
            return told
        told = tell_lead(told, self._glance)
        return date_moment(told, self._zone) if asks_when(query) else told

    def _tell_plainly(self, hit: Hit, query: str, *, answered: bool = False) -> Moment | None:
        if hit.session is not None and hit.session in self._standing:
            try:
                session = self.session(hit.session)
            except ReelError as error:
                self._say(f"{error.message} It was left out.")
                return None
            if hit.note is not None:
                hit = self._focus(hit, hit.note, session, query)
            mended = self._mended.get(session.id, ())
            told = tell_moment(hit, session, self._settings, self._zone, mended, answered=answered)
            if told is not None:
                return told
        if hit.note is None:
            return None
        from reel_cli.features.recall.ring_notes import read_words

        words, day = read_words(self._glance, hit.note)
        return tell_words(hit, words, day, self._settings.people) if words else None

    def _focus(self, hit: Hit, note: str, session: Session, query: str) -> Hit:
        """Return a hit of a note at the message with the note's phrase."""
        from reel_cli.core.evidence.phrases import fold
        from reel_cli.features.recall.ring_notes import read_anchor

        anchor = read_anchor(self._glance, note)
        return focus(hit, session, anchor if fold(anchor) in fold(query) else "", anchor)

    def session(self, name: str) -> Session:
        """Return a session, parsed and proven; the ones read lately are kept."""
        session = self._sessions.pop(name, None)
        if session is None:
            path = session_path(name)
            data = self._glance.tree.read(path) or b""
            session = parse_session(data, path, proven=True)
        self._sessions[name] = session
        while len(self._sessions) > LATELY_READ:
            self._sessions.pop(next(iter(self._sessions)))
        return session

    def touched(self, moments: Sequence[Moment]) -> list[str]:
        """Return the IDs behind the shown moments: found through them, or pointing at the same messages."""
        if not moments:
            return []
        notes = (moment.hit.note for moment in moments)
        ids = dict.fromkeys(note for note in notes if note is not None and not note.startswith(WORKING_NOTE))
        spans = [
            (moment.session, moment.span)
            for moment in moments
            if moment.session is not None and moment.span is not None
        ]
        return list(ids | dict.fromkeys(find_over(self._glance, spans)))
