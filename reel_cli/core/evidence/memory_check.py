"""A memory held against its source on the tape: what the tape does not bear (REEL §10.5)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import (
    Claim,
    Stretch,
    UngroundedDetail,
    count_unsaid,
)
from reel_cli.core.evidence.grounding.lexicon import STOP, even
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn, look_at_turn
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.misattribution import find_misattributed
from reel_cli.core.evidence.verdict import Judge, Judgement, Verdict
from reel_cli.core.files.memory_file import memory_path, parse_memory, render_memory
from reel_cli.core.files.review_file import SETTLED, doubt_key, read_settled
from reel_cli.core.files.tree import Look, look_at
from reel_cli.core.kit.glance import Glance, note_files
from reel_cli.core.kit.snapshot import EVENTS, IDENTITY, Snapshot
from reel_cli.core.tape.tape_view import corrections, read_session, speaker
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import FIELDS, PAST_STATES, Memory, where_of
from reel_cli.core.values.talk import Entry, Event, SourceRange, session_path

if TYPE_CHECKING:
    from reel_cli.core.finding import Finding

MOST_TOLD = 8
"""Maximum number of details of one memory that are reported one by one."""
_LEAST_WORDS = 20
"""Telling words of a page below which nothing can be said of it as a whole."""
_FAR, _VERY_FAR = 50, 65
"""Percent of a page's telling words that were not said, from which it is far from its chat.

Pages of lives have up to 31, pages about other chats from 52. The second holds where few details are doubted.
"""
_SEVERAL = 2
LATER = "put right later"
"""Label of the speaker of corrections."""
_EDITION = 12
"""Version of the check; raised when it finds something else, so that stored notes are made anew."""
_HINTS = frozenset(
    {
        Claim.NAME.value,
        Claim.NEGATION.value,
        Claim.DATE.value,
        Claim.NUMBER.value,
        Claim.WORD.value,
        Claim.SPEAKER.value,
        Claim.SCENE.value,
    }
)
"""Kinds that a faithful memory may show too: of another evening, or a no that was told otherwise."""
_MEND = "put the memory right, or the tape (reel tape correct); if it is right:  reel doctor --right {id}"
_WORDS = {
    Claim.QUOTE: "was not said so",
    Claim.ANCHOR: "was not said so, and finds nothing",
    Claim.NAME: "is a name that was not said",
    Claim.NUMBER: "is a number that was not said",
    Claim.DATE: "is not a date that was spoken of",
    Claim.NEGATION: "says the opposite of what was said",
    Claim.WORD: "was not spoken of",
    Claim.SPEAKER: "was said by the other of the two",
    Claim.SCENE: "was not said, nor anything like it",
}
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_PAST = re.compile(rf"(?ms)^## {PAST_STATES}$.*?(?=^## |\Z)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_FRONT = re.compile(r"(title|marker|tag|anchor):")


def read_stretches(memory: Memory, text: str) -> list[Stretch]:
    """Return the paragraphs of a memory's file, each with its lines: the body, then the front matter."""
    lines = text.split("\n")
    end = 0
    if lines[0].rstrip() == "---":
        end = next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
    heads = ((_FRONT.match(line), number) for number, line in enumerate(lines[:end], 1))
    places = {head[1]: number for head, number in heads if head is not None}
    told = list(_paragraphs(lines, end))
    for key, value in (("title", memory.title), ("marker", memory.marker), ("tag", memory.tag)):
        if value and key in places:
            told.append(Stretch(value, ((0, places[key]),), title=key != "marker", told=key == "marker"))
    if memory.anchor and "anchor" in places:
        quoted = '"' + memory.anchor.replace('"', "'") + '"'
        told.append(Stretch(quoted, ((0, places["anchor"]),), anchors=True))
    return told


def _paragraphs(lines: Sequence[str], end: int) -> Iterator[Stretch]:
    """Yield lines that belong together, as one text; each item of a list by itself.

    Past states are the kit's own words of other days, and no claim about this source.
    """
    section = ""
    text, marks = "", list[tuple[int, int]]()

    def stretch() -> Iterator[Stretch]:
        if text.strip() and section != PAST_STATES:
            told = section in ("", FIELDS[0])
            yield Stretch(
                text, tuple(marks), anchors=section == FIELDS[4], open=section == FIELDS[3], told=told
            )

    for number, line in enumerate(lines[end:], end + 1):
        heading = _HEADING.match(line)
        item = _ITEM.match(line)
        if heading or item or not line.strip():
            yield from stretch()
            text, marks = "", []
        if heading:
            section = heading[1].replace("’", "'")
        elif line.strip():
            plain = line[item.end() :] if item else line.strip()
            marks.append((len(text) + bool(text), number))
            text = f"{text} {plain}" if text else plain
    yield from stretch()


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
        return [one for one in found if key_of(memory, one.detail) not in self._settled] if found else []

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
        """Return the details of a memory that are doubted and that no person settled.

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
            if one.verdict is Verdict.NOT_BORNE and key_of(memory, one.detail) not in self._settled
        }

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
            said += [look_at_turn(Turn(0, LATER, words, _day(name), name)) for name, words in put_right]
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
                day = _day(event.at)
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
                            _day(entry.message.time or session.started or name[:10]),
                            name,
                        ),
                        answer,
                    )
                    for entry, answer in zip(shown, after, strict=bool(shown))
                ]
        return self._sessions[name]


def plain_text(body: str) -> str:
    """Return a memory's body without headings and past states, which reel writes."""
    return " ".join(line for line in _PAST.sub("", body).splitlines() if line[:1] != "#")


def key_of(memory: Memory, detail: UngroundedDetail) -> str:
    """Return the key under which a doubt about a memory is settled."""
    return doubt_key(memory.uid or memory.id, detail.kind.value, detail.claim)


def _day(text: str) -> date | None:
    """Return the day of a time as the tape writes it."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def hold_against_tape(snapshot: Snapshot, memory: Memory) -> list[tuple[Problem, str]]:
    """Return the details of a new memory that its source does not support, each with its key (`key_of`).

    None of them blocks.
    """
    found = TapeEvidence(snapshot).check(memory, render_memory(memory))
    return [(Problem(f"grounding.{one.kind.value}", told(one)), key_of(memory, one)) for one in found]


def find_far_page(snapshot: Snapshot, memory: Memory, doubts: int) -> Problem | None:
    """Return the doubt about a new memory as a whole, if most of its words were not said; None otherwise.

    `doubts` is the number of its details that are doubted one by one; the more of a page is invented, the
    fewer of them are found. A page in another language than its chat is passed over.
    """
    source = TapeEvidence(snapshot).source(where_of(memory))
    if source is None:
        return None
    text = plain_text(memory.body)
    unsaid, words = count_unsaid(text, source)
    # the small words of a language are in every talk in it
    small = {word for word in even(text).casefold().split() if word in STOP}
    if words < _LEAST_WORDS or sum(map(source.has_word, small)) * 2 < len(small):
        return None
    share = 100 * unsaid // words
    if share < (_FAR if doubts >= _SEVERAL else _VERY_FAR):
        return None
    what = f"most of this page has little to do with its chat: {unsaid:,} of its {words:,} telling words"
    return Problem("grounding.page", f"{what} were not said there")


Note = tuple[Sequence[tuple[str, int, str]], int, int]
"""Stored result for a memory: its unsupported details (kind, line, words), the number of its content words
that were not said, and the number of its content words."""


def hold_all_against_tape(
    snapshot: Snapshot,
    kit: Path,
    advance: Callable[[float], None] | None = None,
    only: Collection[str] | None = None,
) -> Mapping[str, Note]:
    """Return the check of each memory in a kit's folder that has a source, by path, in order.

    With `only`, of the memories with these IDs, whose notes are kept apart. What was found is noted per
    memory, and found again only where the memory, its stretch of tape, or who speaks there has changed.
    `advance` is told of each memory that is looked at.
    """
    memories = {
        memory_path(memory.id): memory
        for memory in snapshot.memories.values()
        if where_of(memory) and (only is None or memory.id in only)
    }
    grounding = TapeEvidence(snapshot)
    common = [look_at(kit / path, path) for path in (EVENTS, IDENTITY, "kit.yaml", SETTLED)]
    tape: dict[str, Look] = {}
    judged: dict[str, Note] = {}

    def note(path: str) -> Note:
        memory = memories[path]
        if isinstance(snapshot, Glance):
            memory = parse_memory(snapshot.text(path) or "", path)
        found = grounding.check(memory, snapshot.text(path) or "")
        if advance is not None:
            advance(1)
        details = [(one.kind.value, one.line, told(one)) for one in found]
        judged[path] = (details, *grounding.count_unsaid(memory))
        return judged[path]

    def also(path: str) -> list[Look]:
        sessions = sorted({span.session for span in where_of(memories[path])})
        for session in sessions:
            if session not in tape:
                place = session_path(session)
                tape[session] = look_at(kit / place, place)
        return [*common, *(tape[session] for session in sessions)]

    kind = f"grounding {_EDITION}{'' if only is None else ' of some'}"
    notes = note_files(kit, kind, memories, note, also)
    # another session may bear what this one does not, so a stored doubt is looked at again
    return {path: note(path) if notes[path][0] and path not in judged else notes[path] for path in memories}


def find_false_memories(notes: Mapping[str, Note]) -> "list[Finding]":
    """Return a finding for each detail of a memory that the tape does not support, in order of the files."""
    from reel_cli.core.finding import FALSE_MEMORY, Finding

    found = []
    for path, (details, _, _) in notes.items():
        for kind, line, words in details[:MOST_TOLD]:
            hint = kind in _HINTS
            mend = _MEND.format(id=path.rpartition("/")[2].removesuffix(".md"))
            found.append(
                Finding(
                    "grounding", f"{path}, line {line}: {words}", mend, hint, FALSE_MEMORY, f"{path}:{line}"
                )
            )
        if len(details) > MOST_TOLD:
            what = f"{path}: {len(details) - MOST_TOLD:,} more details like that"
            found.append(Finding("grounding", what, mend, hint_only=True, kind=FALSE_MEMORY))
    return found


def find_unclear(snapshot: Snapshot) -> "list[Finding]":
    """Return a finding for each detail of which nobody can tell whether it was said; none is a doubt."""
    from reel_cli.core.finding import FALSE_MEMORY, Finding

    evidence = TapeEvidence(snapshot)
    found = []
    for memory_id in snapshot.memories:
        path = memory_path(memory_id)
        text = snapshot.text(path) or ""
        for one in evidence.judge(parse_memory(text, path), text):
            if one.verdict is Verdict.CANNOT_TELL:
                claim = one_line(one.detail.claim, 80)
                what = f'{path}, line {one.detail.line}: nobody can tell whether "{claim}" was said'
                place = f"{path}:{one.detail.line}"
                found.append(Finding("grounding", what, "", hint_only=True, kind=FALSE_MEMORY, at=place))
    return found


def told(one: UngroundedDetail) -> str:
    """Return an unsupported detail in words, with the nearest passage."""
    claim = one_line(one.claim, 80)
    if one.nearest is None:
        return f'"{claim}" {_WORDS[one.kind]}'
    near = one.nearest
    where = f"{near.session}#{near.number}" if near.session else f"message {near.number}"
    place = f"{near.speaker}, {where}" if near.number else near.speaker
    return f'"{claim}" {_WORDS[one.kind]}; the nearest is "{one_line(near.text, 120)}" ({place})'


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
