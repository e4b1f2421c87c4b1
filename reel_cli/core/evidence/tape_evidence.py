"""Evidence of the tape for a memory or a text: its source, and a verdict on what that does not bear."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import Stretch, UngroundedDetail, count_unsaid
from reel_cli.core.evidence.grounding.memory_stretches import plain_text, read_stretches
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.misattribution import find_misattributed
from reel_cli.core.evidence.verdict import Judgement, Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, doubt_key, read_settled
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.tape.tape_view import corrections, read_session, speaker
from reel_cli.core.values.memory import Memory, memory_path, where_of
from reel_cli.core.values.talk import PURGED, Entry, Event, SourceRange

MOST_TOLD = 8
"""Maximum number of details of one memory that are reported one by one."""
LATER = "put right later"
"""Label of the speaker of corrections."""


class TapeEvidence:
    """The tape of one kit, to hold memories against; what is asked about is read and looked at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Prepare checks against the tape of this snapshot."""
        self._snapshot = snapshot
        settings = snapshot.settings
        self._me = settings.name
        self._who = f"{settings.name} {settings.user}"
        self._beforehand = f"{settings.name} {settings.user} {_text(snapshot, IDENTITY)}"
        self._sessions: dict[str, list[tuple[Turn, str]]] = {}
        self._looked_at: dict[tuple[str, int], SourceMessage] = {}
        self._titles: dict[str, str] = {}
        self._sources: dict[tuple[object, ...], Source | None] = {}
        self._corrections = _corrections(snapshot)
        self._known = Knowledge(snapshot, self.find_unsettled)

    def check(self, memory: Memory, text: str) -> list[UngroundedDetail]:
        """Return the details of a memory that its source does not support; none if it has no source here."""
        return [one.detail for one in self.judge(memory, text) if one.verdict is Verdict.NOT_BORNE]

    def judge(self, memory: Memory, text: str) -> list[Judgement]:
        """Return a verdict on each detail of a memory that its source alone does not support."""
        known = self._known.of_before(memory.id)
        stretches = read_stretches(memory, text)
        found = self.judge_text(stretches, where_of(memory), known)
        if self.source(where_of(memory)) is not None:
            found = self._with_misattributed(memory, text, found)
        return [one for one in found if self._is_open(memory, one.detail)] if found else []

    def _is_open(self, memory: Memory, detail: UngroundedDetail) -> bool:
        """Return whether a doubt waits for a person; what a purge took words from cannot be looked up."""
        return PURGED not in detail.claim and key_of(memory, detail) not in self._settled

    def _with_misattributed(self, memory: Memory, text: str, found: Sequence[Judgement]) -> list[Judgement]:
        """Return the verdicts with those on quotations that the named speaker never said; a sentence once."""
        sessions = [span.session for span in where_of(memory)]
        line = next((n for n, told in enumerate(text.split("\n"), 1) if told.startswith("marker:")), 1)
        try:
            more = find_misattributed(self._snapshot, text, (memory.marker, line), sessions)
        except ReelError:
            # reported as a tape that differs from its record
            return [*found]
        taken = {(one.detail.line, one.detail.sentence) for one in found if one.verdict is Verdict.NOT_BORNE}
        new = [Judgement(Verdict.NOT_BORNE, one) for one in more if (one.line, one.sentence) not in taken]
        return sorted((*found, *new), key=lambda one: one.detail.line)

    @property
    def known(self) -> Knowledge:
        """Return all that the kit's persona could know."""
        return self._known

    def find_unsettled(self, memory: Memory) -> Collection[str]:
        """Return the details of a memory that its source does not bear and that no person settled.

        They are held against the tape, the facts and the identity alone: what another memory invented would
        bear them otherwise.
        """
        text = _text(self._snapshot, memory_path(memory.id))
        whole = parse_memory(text, memory_path(memory.id)) if text else memory
        known = self._known.without_taped()
        found = self.judge_text(read_stretches(whole, text), where_of(memory), known) if text else []
        return {
            one.detail.claim
            for one in found
            if one.verdict is not Verdict.BORNE and self._is_open(memory, one.detail)
        }

    def is_settled(self, key: str) -> bool:
        """Return whether a person settled the doubt of this key."""
        return key in self._settled

    @cached_property
    def _settled(self) -> Collection[str]:
        """Return the keys of the doubts that a person settled; empty if their file cannot be read."""
        try:
            return read_settled(self._snapshot.text(SETTLED) or "").keys()
        except ReelError:
            return ()

    def judge_text(
        self, stretches: Sequence[Stretch], spans: Sequence[SourceRange], known: Knowledge | None = None
    ) -> list[Judgement]:
        """Return a verdict on each detail of a text that these stretches of tape alone do not support.

        `known` is all that its writer could know; the whole kit if it is not given. None if no stretch of the
        tape can be read.
        """
        source = self.source(spans)
        if source is None:
            return []
        settings = self._snapshot.settings
        sessions = frozenset(span.session for span in spans)
        whole = known or self._known
        return Judge(source, whole, settings.name, settings.user, sessions).judge(stretches, MOST_TOLD)

    def entries(self, spans: Sequence[SourceRange]) -> list[Entry]:
        """Return the entries of some stretches of tape, in order; skips sessions that cannot be read."""
        found: list[Entry] = []
        for span in spans:
            if span.session in self._snapshot.sessions:
                try:
                    shown = read_session(self._snapshot, span.session).shown()
                except ReelError:
                    continue
                found += [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
        return found

    def count_unsaid(self, memory: Memory) -> tuple[int, int]:
        """Return how many of a memory's content words its source lacks, and how many it has in all."""
        source = self.source(where_of(memory))
        if source is None:
            return 0, 0
        return count_unsaid(plain_text(memory.body), source)

    def source(
        self, spans: Sequence[SourceRange], put_right: Sequence[tuple[str, str]] = ()
    ) -> Source | None:
        """Return the stretches of tape as a source; None if none of them can be read.

        `put_right` are (session, words) of what was put right elsewhere, and is known as well.
        """
        key = (tuple(spans), tuple(put_right))
        if key not in self._sources:
            said = [one for span in spans for one in self._stretch(span)]
            said += [look_at_turn(Turn(0, LATER, words, read_day(name), name)) for name, words in put_right]
            titles = [title for span in spans if (title := self._titles.get(span.session))]
            self._sources[key] = Source(said, self._beforehand, self._who, titles, self._me) if said else None
        return self._sources[key]

    def _stretch(self, span: SourceRange) -> list[SourceMessage]:
        """Return the indexed turns of one stretch, with later corrections of them."""
        turns = self._session(span.session)
        # only the turns asked about are examined, because a session may be longer than any window
        places = [n for n, (t, _) in enumerate(turns) if not span.last or span.first <= t.number <= span.last]
        found = [self._look(span.session, place) for place in places]
        for event in self._corrections.get(span.session, ()):
            about = event.about or (1, 0)
            if not span.last or event.about is None or (about[0] <= span.last and span.first <= about[1]):
                day = read_day(event.at)
                found.append(look_at_turn(Turn(about[0], LATER, event.text, day, span.session)))
        return found

    def _look(self, name: str, place: int) -> SourceMessage:
        """Return the index of a session's message, computed once."""
        if (name, place) not in self._looked_at:
            self._looked_at[name, place] = look_at_turn(*self._sessions[name][place])
        return self._looked_at[name, place]

    def _session(self, name: str) -> list[tuple[Turn, str]]:
        """Return a session's messages, each with the next one's text."""
        if name not in self._sessions:
            self._sessions[name] = []
            if name in self._snapshot.sessions:
                settings = self._snapshot.settings
                try:
                    session = read_session(self._snapshot, name)
                except ReelError:
                    # reported as a tape that differs from its record
                    return []
                self._titles[name] = session.title or ""
                shown = session.shown()
                after = [*(entry.message.text for entry in shown[1:]), ""]
                self._sessions[name] = [
                    (
                        Turn(
                            entry.number or 0,
                            speaker(entry, user=settings.user, persona=settings.name),
                            entry.message.text,
                            read_day(entry.message.time or session.started or name[:10]),
                            name,
                        ),
                        answer,
                    )
                    for entry, answer in zip(shown, after, strict=bool(shown))
                ]
        return self._sessions[name]


def key_of(memory: Memory, detail: UngroundedDetail) -> str:
    """Return the key under which a doubt about a memory is settled."""
    return doubt_key(memory.uid or memory.id, detail.kind.value, detail.claim)


def _corrections(snapshot: Snapshot) -> Mapping[str, Sequence[Event]]:
    """Return the corrections by session; empty if the events were changed since they were recorded."""
    try:
        return corrections(snapshot)
    except ReelError:
        return {}


def _text(snapshot: Snapshot, path: str) -> str:
    """Return a file of the kit as text; "" if it cannot be read."""
    try:
        return snapshot.text(path) or ""
    except ReelError:
        return ""
