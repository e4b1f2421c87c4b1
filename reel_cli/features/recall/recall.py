"""`recall`: a query is searched for, ranked again, and answered with what is certain enough (REEL §6.4)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from datetime import date, datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.ledger_file import make_entry, render_entry
from reel_cli.core.files.tree import WorkTree, look_at
from reel_cli.core.files.working_file import read_items, without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.moment import stamp
from reel_cli.core.rings.pointers import (
    Pointers,
    blobs_stamp,
    find_over,
    pointers_stamp,
    read_anchor,
    read_notes,
    read_pointers,
    read_words,
    session_origins,
)
from reel_cli.core.tape.search.index import RefreshResult, SearchIndex, open_index
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import corrections, retracted
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import LISTED
from reel_cli.core.values.search import Hit, Question, SearchResult, StandingSentence
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Session
from reel_cli.features.recall.moments import (
    BETWEEN,
    Moment,
    date_moment,
    fit_moments,
    focus,
    render_block,
    tell_known,
    tell_moment,
    tell_standing,
    tell_stretch,
    tell_words,
    without_told,
)
from reel_cli.features.recall.recall_query import (
    ORIGINS,
    Scope,
    asks_for_list,
    asks_where_stopped,
    date_query,
    sessions_in,
    spoken_origin,
    without_asking,
)
from reel_cli.features.recall.relative_days import asks_when

if TYPE_CHECKING:
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.terminal.open_kit import OpenKit

USUAL = 5
"""Number of moments told if neither a number nor a size is given."""
MOST = 200
"""Number of candidates searched if only some of them may be told."""
TOKENS_A_MOMENT = 24
"""The least a moment takes, in tokens: it says how many may fit into a size."""
LEAST_SHARE = 1 / 3
"""Share of the best one's certainty that another needs to be told if no number is given."""
LIFT = 1.25
"""Factor of a score if the query names the way a moment came (`chain`, `stage`)."""
FRAME_SHARE = 5
"""One part in so many of the room may go to the fact that answers and to what holds always."""
NEWEST_LOOPS = 3
"""Number of open loops whose moments are told where it is asked what was going on."""
LOOP_CONFIDENCE = 0.4
"""Confidence in those moments, at most."""
STRETCH_TOKENS = 32
"""The most that the line from when to when takes, in tokens."""
LATELY_READ = 64
"""Number of sessions kept parsed while one query follows another."""
INDEX_FILE = ".reel/cache/search.sqlite"
VECTORS_FILE = ".reel/cache/vectors.sqlite"
INDEX_THEN = ".reel/cache/search-then.sqlite"
"""The index of the moment of the past that was last asked; it goes on from there to the next one."""


@frozen
class RecallRequest:
    """The limits and the scope of a recall; `tokens` None for no limit of size.

    `nearest` asks to be told of all that was not certain enough, too; with `apart` each moment is to have its
    day, also beside another of the same evening. `today` is the day for words like `yesterday`; None where
    they stand for none. With `resume` a query that only asks what was going on is answered with the end of
    the newest session and the newest open loops.
    """

    limit: int | None = None
    tokens: int | None = None
    nearest: bool = False
    apart: bool = False
    scope: Scope = field(default_factory=Scope)
    today: date | None = None
    resume: bool = False


@frozen
class RecallAnswer:
    """An answer: the moments told, best first, and what was found and not told.

    `discarded` were not certain enough, and `passed` are the nearest of them; `left` were, and there was no
    room for them.
    `confidence` is that of the best of all, told or not. `touched` are the memories and index lines that
    stand for what is told.
    """

    query: str
    moments: Sequence[Moment] = ()
    discarded: int = 0
    passed: Sequence[Moment] = ()
    left: int = 0
    confidence: float = 0.0
    threshold: float = 0.0
    terms: Mapping[str, int] = field(default_factory=dict)
    touched: Sequence[str] = ()
    lifted: str = ""
    """The origin the query speaks of, whose moments came first."""
    known: tuple[str, str] | None = None
    """The fact that answers by itself: its ID, and its statement."""
    standing: Sequence[StandingSentence] = ()
    """If something is asked for: sentences that hold always, newest first."""
    listed: bool = False
    """Whether the query asks for all there is of something."""

    @property
    def text(self) -> str:
        """Return all that is told as one text: the fact, the moments and their stretch, what holds always."""
        told = [tell_known(self.known)] if self.known else []
        told += [render_block(self.moments)] if self.moments else []
        if self.listed and (stretch := tell_stretch(self.moments)):
            told.append(stretch)
        return BETWEEN.join([*told, *([tell_standing(self.standing)] if self.standing else [])])


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

        `progress` is told how many sessions of how many are indexed, `embedding` the same of vectors.
        `then` is the kit as a commit holds it, where it is asked for that, and for nothing later.
        """
        self.told: list[str] = []
        self._then = then
        name = kit.resolve().name
        self._glance = then or Glance(WorkTree(kit), name, kit)
        self._kit = kit
        self._zone = zone
        self._settings = self._glance.settings
        gone = retracted(self._glance)
        self.standing = [session for session in self._glance.sessions if session not in gone]
        self._mended = corrections(self._glance)
        self._sessions: dict[str, Session] = {}
        self._pointers: Pointers | None = None
        self._index = self._open(progress, embedding)

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
        sessions = sessions_in(asked.scope, self.standing, self._glance.sessions)
        if not text:
            return RecallAnswer(text)
        only = self._pointed_at(asked.scope)
        chosen = _limit(asked)
        names = {"user": self._settings.user, "assistant": self._settings.name}
        sought = without_asking(text)
        if asked.today is not None:
            sought = date_query(sought, asked.today, {session[:10] for session in self.standing}, names)
        resumed = asked.resume and asks_where_stopped(sought, [*names.values()])
        spoken = spoken_origin(sought)
        lifted = Pointers(p for p in self.pointers.all if spoken[0] in p.tags) if spoken is not None else None
        if spoken is None or lifted is None or not lifted.all:
            spoken = lifted = None
        question = Question(
            # words that name an origin are about how it came, and were hardly said in it
            text=spoken[1] or sought if spoken is not None else sought,
            sessions=(only.sessions(sessions) if only else sessions) if asked.scope != Scope() else None,
            notes=only.pointers.ids if only else None,
            names=names,
            last=resumed,
        )
        found = self._index.find(
            question,
            limit=MOST if only or lifted else chosen,
            threshold=None if certain else 0.0,
            narrow=asked.tokens is not None,
        )
        if resumed:
            found = replace(found, hits=[*found.hits[:1], *self._loop_hits(question)])
        if only:
            found = replace(
                found,
                hits=list(filter(only.holds, found.hits)),
                discarded=list(filter(only.holds, found.discarded)),
            )
        if lifted is not None:
            found = replace(found, hits=_lift(found.hits, lifted))
        told = self._told(text, asked, found, chosen)
        return replace(told, lifted=spoken[0]) if spoken is not None else told

    @property
    def pointers(self) -> Pointers:
        """Return the pointers from the rings to stretches of tape."""
        if self._pointers is None:
            self._pointers = read_pointers(self._glance)
        return self._pointers

    def only(self, found: RecallAnswer, *moments: Moment) -> RecallAnswer:
        """Return the answer with only some of its moments, and the pointers for those."""
        return replace(found, moments=moments, touched=self._touched(moments), known=None, standing=())

    def newest(self) -> str:
        """Return the newest session that counts; "" if there is none."""
        return self.standing[-1] if self.standing else ""

    def _loop_hits(self, question: Question) -> list[Hit]:
        """Return the moment behind each of the newest open loops, where one is certain enough."""
        loops = [
            without_day(item.text)
            for item in read_items(self._glance.text(WORKING) or "")
            if item.section == LISTED[1]
        ]
        hits: dict[tuple[str | None, int | None], Hit] = {}
        for loop in reversed(loops[-NEWEST_LOOPS:]):
            found = self._index.find(replace(question, text=loop, last=False), limit=1)
            for hit in found.hits:
                sure = min(hit.confidence, LOOP_CONFIDENCE)
                hits.setdefault((hit.session, hit.message), replace(hit, confidence=sure))
        return list(hits.values())

    def _told(self, text: str, asked: RecallRequest, found: SearchResult, chosen: int) -> RecallAnswer:
        hits = found.hits[:chosen]
        if asked.limit is None and asked.tokens is None:
            # without a number asked for, only certain hits are shown
            least = max(found.threshold, LEAST_SHARE * max((hit.confidence for hit in hits), default=0.0))
            hits = [hit for hit in hits if hit.confidence >= least]
        moments: list[Moment] = []
        told: set[tuple[str | None, int]] = set()
        for hit in hits:
            moment = self._tell(hit, text)
            moment = without_told(moment, told) if moment is not None else None
            if moment is not None:
                moments.append(moment)
                told.update((moment.session, turn.number) for turn in moment.turns)
        certain = len(moments)
        listed, known, standing = asks_for_list(text), found.known, found.standing
        if asked.tokens is not None:
            count = self._tokenizer().count
            known, standing, room = _fit_frame(known, standing, asked.tokens, count, listed=listed)
            moments = fit_moments(moments, room, count, apart=asked.apart)
        # the nearest are shown only where there is no answer
        near = found.discarded[: chosen if asked.nearest else 0 if moments else 1]
        return RecallAnswer(
            query=text,
            moments=moments,
            discarded=len(found.discarded),
            passed=[m for hit in near if (m := self._tell(hit, text)) is not None],
            left=certain - len(moments),
            confidence=max((hit.confidence for hit in (*found.hits, *found.discarded)), default=0.0),
            threshold=found.threshold,
            terms=found.terms,
            touched=self._touched(moments),
            known=known,
            standing=standing,
            listed=listed,
        )

    def _tell(self, hit: Hit, query: str) -> Moment | None:
        """Return a hit in words; None if its target cannot be read any more."""
        if hit.session is not None and hit.session in self.standing:
            try:
                session = self._session(hit.session)
            except ReelError as error:
                self._say(f"{error.message} It was left out.")
                return None
            if hit.note is not None:
                anchor = read_anchor(self._glance, hit.note)
                hit = focus(hit, session, anchor if fold(anchor) in fold(query) else "", anchor)
            mended = self._mended.get(session.id, ())
            told = tell_moment(hit, session, self._settings, self._zone, mended)
            if told is not None:
                return date_moment(told, self._zone) if asks_when(query) else told
        if hit.note is None:
            return None
        words, day = read_words(self._glance, hit.note)
        return tell_words(hit, words, day, self._settings.people) if words else None

    def _session(self, name: str) -> Session:
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

    def _touched(self, moments: Sequence[Moment]) -> list[str]:
        """Return the IDs behind the shown moments: found through them, or pointing at the same messages."""
        if not moments:
            return []
        ids = dict.fromkeys(moment.hit.note for moment in moments if moment.hit.note is not None)
        spans = [
            (moment.session, moment.span)
            for moment in moments
            if moment.session is not None and moment.span is not None
        ]
        return list(ids | dict.fromkeys(find_over(self._glance, spans)))

    def _pointed_at(self, scope: Scope) -> "_Only | None":
        """Return the part of the past that `--tag` and `--origin` leave; None if neither is given."""
        if not scope.tag and not scope.origin:
            return None
        wanted = scope.tag.casefold()
        tagged = [p for p in self.pointers.all if not wanted or wanted in map(str.casefold, p.tags)]
        if not scope.origin:
            return _Only(Pointers(tagged))
        origin = ORIGINS[scope.origin]
        whole = {s for s, found in session_origins(self._glance, self.standing).items() if origin in found}
        if not wanted:
            return _Only(Pointers(p for p in tagged if origin in p.tags), whole)
        # tagged as asked for, and of that origin itself or from sessions of it
        return _Only(
            Pointers(
                p
                for p in tagged
                if origin in p.tags or (p.where and all(w.session in whole for w in p.where))
            )
        )

    def _add_meaning(self, index: SearchIndex, progress: Callable[[int, int], None] | None) -> None:
        """Add embeddings if the kit uses them; for the past, only words decide."""
        if self._settings.embeddings == "off" or self._then is not None:
            return
        from reel_cli.features.recall.embeddings.semantic import TapeVectors, choose_embedder

        embedder = choose_embedder(self._settings.embeddings, self._settings.embedding_model)
        if embedder is not None:
            index.use(TapeVectors(self._kit / VECTORS_FILE, embedder, self._say), progress)

    def _open(
        self,
        progress: Callable[[int, int], None] | None,
        embedding: Callable[[int, int], None] | None,
    ) -> SearchIndex:
        index = open_index(self._kit / (INDEX_FILE if self._then is None else INDEX_THEN))
        try:
            done = index.refresh(
                {session: self._stamp(session) for session in self.standing},
                lambda session: self._glance.tree.read(session_path(session)) or b"",
                corrections=self._mended,
                notes=lambda: read_notes(self._glance),
                notes_stamp=pointers_stamp(self._glance, self._kit)
                if self._then is None
                else blobs_stamp(self._then.commit.ids),
                progress=progress,
            )
            self._say_of(done)
            self._add_meaning(index, embedding)
        except BaseException:
            index.close()
            raise
        return index

    def _stamp(self, session: str) -> str:
        path = session_path(session)
        if self._then is not None:
            return self._then.commit.ids[path]
        look = look_at(f"{self._kit}/{path}", path)
        if look.stamp:
            return look.stamp
        # a link's own stat says nothing about its target
        from zlib import crc32

        try:
            return f"{crc32(self._glance.tree.read(path) or b''):08x}"
        except ReelError as error:
            # the index reports it later
            return f"{crc32(error.message.encode()):08x} unread"

    def _say_of(self, done: RefreshResult) -> None:
        if done.remade is not None:
            self._say("The search index could not be read; it was made again from the recorded chats.")
        if done.unkept is not None:
            self._say("The search index cannot be stored here, so each search reads all recorded chats.")
        for what in list(done.damaged.values())[:3]:
            self._say(f"{what} It is not searched.")

    def _say(self, what: str) -> None:
        if what not in self.told:
            self.told.append(what)

    def _tokenizer(self) -> "Tokenizer":
        from reel_cli.core.tokens.counter import get_tokenizer

        return get_tokenizer(self._settings.tokenizer)


@frozen
class _Only:
    """The part of the past that a tag or an origin leaves: memories and lines, and whole sessions."""

    pointers: Pointers
    whole: Collection[str] = ()

    def sessions(self, among: Sequence[str]) -> list[str]:
        """Return the sessions that may hold any of it."""
        return [s for s in among if s in self.whole or s in self.pointers.sessions]

    def holds(self, hit: Hit) -> bool:
        """Return whether a hit is part of it."""
        return hit.session in self.whole or _is_among(hit, self.pointers)


def recall_notes(recalled: RecallAnswer, session: str, when: datetime) -> list[str]:
    """Return the ledger's lines for a recall: one for each memory and line behind what was shown.

    Where nothing does, one that names none: that it was asked is known all the same.
    """
    at = stamp(when)
    names = recalled.touched or ([""] if session else [])
    return [render_entry(make_entry(at, session, "recall", name)) for name in names]


def _limit(asked: RecallRequest) -> int:
    """Return how many moments may be shown."""
    if asked.limit is not None:
        return asked.limit
    if asked.tokens is not None:
        return max(1, min(MOST, asked.tokens // TOKENS_A_MOMENT))
    return USUAL


def _fit_frame(
    known: tuple[str, str] | None,
    standing: Sequence[StandingSentence],
    tokens: int,
    count: Callable[[str], int],
    *,
    listed: bool,
) -> tuple[tuple[str, str] | None, Sequence[StandingSentence], int]:
    """Return what fits beside the moments into a part of the room, and the room that is left for them."""
    most = tokens // FRAME_SHARE
    left = most - (STRETCH_TOKENS if listed else 0)
    if known is not None and (size := count(tell_known(known) + BETWEEN)) <= left:
        left -= size
    else:
        known = None
    fitting = [n for n in range(len(standing), 0, -1) if count(BETWEEN + tell_standing(standing[:n])) <= left]
    standing = standing[: fitting[0]] if fitting else ()
    left -= count(BETWEEN + tell_standing(standing)) if standing else 0
    return known, standing, tokens - (most - left)


def _lift(hits: Sequence[Hit], pointers: Pointers) -> list[Hit]:
    """Return the hits, best first, with a higher score for those that a pointer covers."""
    lifted = [replace(hit, score=hit.score * LIFT) if _is_among(hit, pointers) else hit for hit in hits]
    return sorted(lifted, key=lambda hit: -hit.score)


def _is_among(hit: Hit, pointers: Pointers) -> bool:
    """Return whether a hit was found through one of these, or is where one of them points."""
    if hit.note is not None and hit.note in pointers.ids:
        return True
    return hit.message is not None and bool(pointers.over(hit.session, (hit.message, hit.message)))


def open_recollection(opened: "OpenKit") -> "Recollection":
    """Open the kit for recalls; a long first reading of its tape shows progress."""
    with ExitStack() as stack:

        def bar(what: str) -> "Callable[[int, int], None]":
            seen = 0
            advance: Any = None

            def progress(done: int, total: int) -> None:
                nonlocal seen, advance
                if advance is None:
                    stack.close()
                    advance = stack.enter_context(opened.console.progress(what, total))
                advance(done - seen)
                seen = done

            return progress

        return Recollection(
            opened.root,
            opened.zone,
            bar("Reading the recorded chats"),
            bar("Embedding the recorded chats"),
            opened.past,
        )


def tell_troubles(opened: "OpenKit", told: "Sequence[str]") -> None:
    """Report the problems on the way."""
    for what in told:
        opened.console.say(what)


def note_recalls(opened: "OpenKit", recollection: "Recollection", answers: "Sequence[RecallAnswer]") -> None:
    """Write into the ledger of attention what was recalled; each memory once for a command.

    Looking back at how it was is no use of a memory.
    """
    if opened.repository is None or opened.then is not None:
        return
    lines: dict[str, str] = {}
    for found in answers:
        notes = recall_notes(found, recollection.newest(), opened.now())
        for name, line in zip(found.touched or ("",), notes, strict=False):
            lines.setdefault(name, line)
    for line in lines.values():
        opened.state.note_line(line)
