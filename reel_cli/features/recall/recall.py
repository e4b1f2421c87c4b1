"""`recall`: a query is searched for, ranked again, and answered with what is certain enough (REEL §6.4)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.known_facts import find_ended, read_known, read_replaced
from reel_cli.core.ports import bring
from reel_cli.core.rings.pointers import Pointers, read_pointers
from reel_cli.core.tape.search.forms import ASKING, STOP, rarity
from reel_cli.core.tape.tape_view import corrections, retracted
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import LISTED
from reel_cli.core.values.search import Hit, Question, SearchResult
from reel_cli.core.values.source import session_order
from reel_cli.features.recall.kit_index import RecallSource, open_kit_index
from reel_cli.features.recall.moment_reader import COMPARED, MomentReader
from reel_cli.features.recall.moments import (
    BETWEEN,
    Moment,
    fit_moments,
    render_block,
    without_told,
)
from reel_cli.features.recall.pointed_past import PointedPast, find_came_by, lift_hits, pointed_past
from reel_cli.features.recall.recall_answer import (
    COURSE,
    MOST,
    MOST_LISTED,
    RecallAnswer,
    RecallRequest,
    by_evening,
    fit_frame,
    limit_of,
)
from reel_cli.features.recall.recall_query import (
    ORIGINS,
    Scope,
    asks_for_list,
    asks_where_stopped,
    course_asked,
    date_query,
    fact_called,
    medicine_query,
    names_dose,
    names_protocol,
    sessions_in,
    spoken_origin,
    without_asking,
)

if TYPE_CHECKING:
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.tokens.counter import Tokenizer


LEAST_SHARE = 1 / 3
"""Share of the best one's certainty that another needs to be told if no number is given."""
EXPANDED = 80
"""Number of candidates that the net of threads puts in order."""
NEWEST_LOOPS = 3
"""Number of open loops whose moments are told where it is asked what was going on."""
LOOP_CONFIDENCE = 0.4
"""Confidence in those moments, at most."""
LISTED_FROM = 5
"""Number of candidates for each of those."""
EVERYDAY = 0.4
"""How rare a word is in any text that may be a slip of the pen; a commoner one was meant."""


class Recollection:
    """A kit opened to be asked, any number of times; a context manager.

    The index is brought up to date once, when it is opened. `told` says what was wrong on the way, in
    sentences.
    """

    def __init__(
        self,
        kit: Path,
        zone: tzinfo | None,
        progress: Callable[[int, int], None] | None = None,
        embedding: Callable[[int, int], None] | None = None,
        then: "PastGlance | None" = None,
    ) -> None:
        """Open the kit in a folder.

        `progress` is told how many sessions of how many are read, for the index and for the net of threads,
        `embedding` how many vectors of how many are made.
        `then` is the kit as a commit holds it, where it is asked for that, and for nothing later.
        """
        self.told: list[str] = []
        name = kit.resolve().name
        self._glance = then or Glance(WorkTree(kit), name, kit)
        self._kit = kit
        self._progress = progress
        self._settings = self._glance.settings
        gone = retracted(self._glance)
        self.standing = [session for session in self._glance.sessions if session not in gone]
        self._mended = corrections(self._glance)
        self._reader = MomentReader(self._glance, zone, self.standing, self._mended, self._say)
        self._pointers: Pointers | None = None
        source = RecallSource(kit, self._glance, then, self.standing, self._mended)
        self._index = open_kit_index(source, self._say, progress, embedding)
        # of the past only words decide
        off = then is not None or self._settings.topology == "off"
        self._expand = None if off else next(bring("expansions"), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._index.close()

    def recall(self, query: str, wish: RecallRequest | None = None, *, certain: bool = True) -> RecallAnswer:
        """Answer one query; "nothing certain enough" is an answer too, unless `certain` is false.

        Raises ReelError where the scope names a session that is not there, or a day that is none.
        """
        asked = wish or RecallRequest()
        text = one_line(query)
        sessions = self._sessions_of(asked.scope)
        if not text:
            return RecallAnswer(text)
        only = pointed_past(asked.scope, self._glance, self.standing, lambda: self.pointers)
        chosen = limit_of(asked)
        names = {"user": self._settings.user, "assistant": self._settings.name}
        course = course_asked(text)
        sought = course or without_asking(text)
        if asked.today is not None:
            sought = date_query(sought, asked.today, {session[:10] for session in self.standing}, names)
        dosed = medicine_query(sought, self._medicines)
        whole, sought = (dosed, dosed) if dosed != sought else (text, sought)
        resumed = asked.resume and asks_where_stopped(sought, [*names.values()])
        spoken, lifted, first = self._spoken_of(sought)
        # nothing but its origin is asked for, and a tag tells that
        by_tag = spoken is not None and not spoken[1]
        question = Question(
            # words that name an origin are about how it came, and were hardly said in it
            text=spoken[1] or spoken[0] if spoken is not None else sought,
            sessions=(only.sessions(sessions) if only else sessions) if asked.scope != Scope() else None,
            notes=only.pointers.ids
            if only
            else lifted.pointers.ids
            if lifted is not None and by_tag
            else None,
            # a memory that was told by another stands nowhere on this tape
            placeless=only is not None and asked.scope == Scope(asked.scope.tag, asked.scope.origin),
            names=names,
            last=resumed,
            asker=asked.asker,
        )
        # all there is of something was told on many evenings
        listed = asks_for_list(text)
        wide = max(chosen, MOST_LISTED * LISTED_FROM if listed else COMPARED)
        # one that proves less certain waits for those behind it, which are then told in its place
        spare = 0 if listed else MOST
        found = self._index.find(
            question,
            limit=MOST if only or lifted else max(chosen, EXPANDED) if self._expand else wide + spare,
            threshold=None if certain else 0.0,
            narrow=asked.tokens is not None,
        )
        if by_tag:
            found = replace(found, lacking=())
        if found.lacking and asked.sure:
            found = replace(found, hits=[], discarded=[*found.hits, *found.discarded], lacking=())
        if spare and not (only or lifted or self._expand):
            found = replace(found, discarded=found.discarded[:wide])
        if self._expand and not resumed:
            found = replace(
                found,
                hits=self._expand(
                    self._kit, self._glance, found.hits, self._settings.topology, self._progress
                ),
            )
        if resumed:
            found = replace(found, hits=[*found.hits[:1], *self._loop_hits(question)])
        if only:
            found = replace(
                found,
                hits=[hit for hit in found.hits if self._is_of(hit, only)],
                discarded=[hit for hit in found.discarded if self._is_of(hit, only)],
            )
        if lifted is not None:
            found = self._rank(found, lifted, sessions, first=first, alone=by_tag)
        found = self._with_ended(found, replace(question, text=whole))
        told = self._told(text, asked, found, chosen, led=first)
        if first and lifted is not None:
            told = replace(told, led=sum(1 for _ in takewhile(lambda m: lifted.holds(m.hit), told.moments)))
        if asked.thread or course:
            told = self._follow(told, asked)
        return replace(told, lifted=spoken[0]) if spoken is not None else told

    @property
    def pointers(self) -> Pointers:
        """Return the pointers from the rings to stretches of tape."""
        if self._pointers is None:
            self._pointers = read_pointers(self._glance)
        return self._pointers

    def only(self, found: RecallAnswer, *moments: Moment) -> RecallAnswer:
        """Return the answer with only some of its moments, and the pointers for those."""
        return replace(found, moments=moments, touched=self._reader.touched(moments), known=None, standing=())

    def nearest_words(self, found: RecallAnswer) -> dict[str, str]:
        """Return the words of the question that stand nowhere, each with a word of the tape a letter away."""
        nowhere = [
            word
            for word, times in found.terms.items()
            if not times and word not in STOP | ASKING and rarity(word) >= EVERYDAY
        ]
        near = {word: self._index.nearest_word(word) for word in nowhere}
        return {word: meant for word, meant in near.items() if meant is not None}

    def newest(self) -> str:
        """Return the newest session that counts; "" if there is none."""
        return self.standing[-1] if self.standing else ""

    def _with_ended(self, found: SearchResult, question: Question) -> SearchResult:
        """Return what was found with the fact that answered the question until it was over, if none does."""
        if found.known is not None:
            return found
        try:
            return replace(found, known=find_ended(self._glance, question))
        except ReelError:
            # a broken file is told of by status
            return found

    def _medicines(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the medicines of which a fact that holds gives a dose, and the names of facts that are over.

        Both are empty where the facts cannot be read.
        """
        try:
            rows, over = read_known(self._glance).held, read_replaced(self._glance)
        except ReelError:
            # a broken file is told of by status
            return (), ()
        held = [name for row in rows if (name := names_dose(row.id, row.value))]
        return held, [fact_called(one.id) for one in over]

    def _sessions_of(self, scope: Scope) -> Sequence[str]:
        """Return the sessions of a scope that count; raises ReelError for one that does not."""
        if not scope.session:
            return sessions_in(scope, self.standing, self._glance.sessions)
        from reel_cli.core.tape.erasure.purged_chats import list_purged_chats

        purged = list_purged_chats(self._glance)
        return sessions_in(scope, self.standing, self._glance.sessions, purged)

    def _loop_hits(self, question: Question) -> list[Hit]:
        """Return the moment behind each of the newest open loops, where one is certain enough."""
        from reel_cli.core.files.working_file import read_items, without_day
        from reel_cli.core.kit.snapshot import WORKING
        from reel_cli.core.pack.resting_parts import standing_working

        loops = [
            without_day(item.text)
            for item in read_items(standing_working(self._glance, self._glance.text(WORKING) or ""))
            if item.section == LISTED[1]
        ]
        hits: dict[tuple[str | None, int | None], Hit] = {}
        for loop in reversed(loops[-NEWEST_LOOPS:]):
            found = self._index.find(replace(question, text=loop, last=False), limit=2)
            # the loop itself is among the notes that are found
            for hit in [hit for hit in found.hits if hit.session is not None][:1]:
                sure = min(hit.confidence, LOOP_CONFIDENCE)
                hits.setdefault((hit.session, hit.message), replace(hit, confidence=sure))
        return list(hits.values())

    def _spoken_of(self, sought: str) -> tuple[tuple[str, str] | None, PointedPast | None, bool]:
        """Return the origin that a query mentions, with its other words; what came by it; if it is named."""
        spoken, named = spoken_origin(sought), names_protocol(sought)
        past = self._came_by(spoken[0]) if spoken is not None else None
        if spoken is None or past is None or not past.has_any(named=bool(spoken[1] or named)):
            return None, None, False
        return spoken, past, named

    def _rank(
        self, found: SearchResult, past: PointedPast, sessions: Sequence[str], *, first: bool, alone: bool
    ) -> SearchResult:
        """Return what was found in the order of `lift_hits`.

        Where a protocol is named and nothing else is asked for, chats of it follow that no tag leads to.
        Where nothing of what came by it has the other words, what else says them is no answer.
        """
        ranked = replace(found, hits=lift_hits(found.hits, past, first=first, alone=alone))
        if not first or (not alone and any(map(past.holds, ranked.hits))):
            return ranked
        there = {hit.session for hit in ranked.hits} if alone else ()
        others = [name for name in sessions[::-1] if name not in there]
        came = find_came_by(past, others, self._reader.session, MOST)
        if alone:
            return replace(ranked, hits=[*ranked.hits, *came])
        return replace(found, hits=[], discarded=[*came, *found.hits, *found.discarded], lacking=())

    def _came_by(self, origin: str) -> PointedPast | None:
        """Return the past that came by an origin: what is tagged with it, and chats that have its syntax."""
        [named] = [name for name, tag in ORIGINS.items() if tag == origin]
        return pointed_past(Scope(origin=named), self._glance, self.standing, lambda: self.pointers)

    def _told(
        self, text: str, asked: RecallRequest, found: SearchResult, chosen: int, *, led: bool
    ) -> RecallAnswer:
        """Return the answer; where it is `led` by an origin, what stands behind that is no measure for it."""
        listed = asks_for_list(text)
        hits, most = self._reader.said_first(found.hits, text), chosen
        if listed:
            hits = by_evening(hits)
            most = MOST_LISTED if asked.limit is None and asked.tokens is None else chosen
        if asked.limit is None and asked.tokens is None:
            # without a number asked for, only certain hits are shown
            best = max((hit.confidence for hit in hits[: 1 if led else most]), default=0.0)
            least = max(found.threshold, LEAST_SHARE * best)
            hits = [hit for hit in hits if hit.confidence >= least]
        # where room is limited, another moment tells more than the answer to a question
        answered = asked.tokens is None
        moments = self._reader.tell_first(hits, text, most, answered=answered)
        certain = len(moments)
        known, standing = found.known, found.standing
        if asked.tokens is not None:
            count = self._tokenizer().count
            known, standing, room = fit_frame(known, standing, asked.tokens, count, listed=listed)
            moments = self._reader.with_newer_facts(moments, known)
            moments = fit_moments(moments, room, count, apart=asked.apart)
        else:
            moments = self._reader.with_newer_facts(moments, known)
        # the nearest are shown only where there is no answer
        near = found.discarded[: chosen if asked.nearest else 0 if moments else 1]
        passed = [m for hit in near if (m := self._reader.tell(hit, text, answered=answered)) is not None]
        return RecallAnswer(
            query=text,
            moments=moments,
            discarded=len(found.discarded),
            passed=self._reader.with_newer_facts(passed, known),
            left=certain - len(moments),
            confidence=max((hit.confidence for hit in (*found.hits, *found.discarded)), default=0.0),
            threshold=found.threshold,
            terms=found.terms,
            touched=self._reader.touched(moments),
            known=known,
            standing=standing,
            listed=listed,
            lacking=found.lacking if moments else (),
        )

    def _follow(self, told: RecallAnswer, asked: RecallRequest) -> RecallAnswer:
        """Return the answer as the course of its best moment's matter; unchanged where it came up only there.

        For room the moment is kept longest, then the newest and the first, then what heavy edges join to it.
        """
        best = next((m for m in told.moments if m.session is not None and m.message is not None), None)
        follow = next(bring("follows"), None)
        if best is None or best.session is None or follow is None:
            return told
        path = follow(self._kit, self._glance, told.query, best.session, best.message, self._progress)
        if path is None or not path.sessions:
            return told
        before = [name for name in path.sessions if session_order(name) < session_order(best.session)]
        after = path.sessions[len(before) :]
        between = sorted([*before[1:][::-1], *after[:-1]], key=lambda name: -path.weights[name])
        ends = [*after[-1:], *before[:1], *between]
        moments = [best]
        for session in ends[: (asked.limit or COURSE) - 1]:
            try:
                message, reason = path.look(self._reader.session(session), self._reader.session(best.session))
            except ReelError as error:
                self._say(f"{error.message} It was left out.")
                continue
            near = tuple(number for number in (message - 1, message, message + 1) if number > 0)
            hit = replace(best.hit, session=session, message=message, span=(near[0], near[-1]), messages=near)
            if (moment := self._reader.tell(replace(hit, note=None, lead=None), told.query)) is not None:
                moments.append(replace(moment, reason=reason))
        moments = self._reader.with_newer_facts(
            [self._reader.with_objections(moment) for moment in moments], told.known
        )
        if asked.tokens is not None:
            moments = fit_moments(moments, asked.tokens, self._tokenizer().count, apart=asked.apart)
        moments.sort(key=lambda moment: (session_order(moment.session or ""), moment.message or 0))
        others = [] if asked.thread else self._others(told.moments, moments, asked)
        return replace(
            told,
            moments=[*moments, *others],
            touched=self._reader.touched([*moments, *others]),
            thread=path.name,
            course=len(moments),
        )

    def _others(
        self, found: Sequence[Moment], course: Sequence[Moment], asked: RecallRequest
    ) -> list[Moment]:
        """Return what else was found, as much as still fits beside a course into what was asked for."""
        told = {(moment.session, turn.number) for moment in course for turn in moment.turns}
        others = [left for moment in found if (left := without_told(moment, told)) is not None]
        if asked.tokens is None:
            return others[: max(0, (asked.limit or 0) - len(course))]
        count = self._tokenizer().count
        room = asked.tokens - count(render_block(course) + BETWEEN)
        others = fit_moments(others, room, count, apart=asked.apart)
        while others and count(render_block([*course, *others])) > asked.tokens:
            others.pop()
        return others

    def _is_of(self, hit: Hit, only: PointedPast) -> bool:
        """Return whether a hit is of the part that was asked for, and its message of no other origin."""
        if not only.holds(hit):
            return False
        if hit.session not in self.standing or hit.message is None:
            return True
        try:
            said = self._reader.session(str(hit.session)).numbered().get(hit.message)
        except ReelError:
            # told of where the hit is told
            return True
        return said is None or not only.says_otherwise(said.message.text)

    def _say(self, what: str) -> None:
        if what not in self.told:
            self.told.append(what)

    def _tokenizer(self) -> "Tokenizer":
        from reel_cli.core.tokens.counter import get_tokenizer

        return get_tokenizer(self._settings.tokenizer)
